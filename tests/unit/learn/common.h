/* tests/unit/learn/common.h -- sets to learn from, and files to read. */
#ifndef LEAKGRAPH_TESTS_UNIT_LEARN_COMMON_H
#define LEAKGRAPH_TESTS_UNIT_LEARN_COMMON_H

#include "base/file.h"
#include "base/random.h"
#include "learn/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* Numbers in 0 .. 1; class 1 where the first two add up to more than 1, but for `noise` of the rows. */
static inline struct learn_data learn_set(size_t rows, size_t columns, double noise, uint64_t seed)
{
    static const char *name[] = { "first", "second", "third \"quoted\"", "fourth", "fifth", "sixth" };
    struct random      r = random_start(seed, 0);
    struct learn_data  d = { .rows = rows, .columns = columns, .value = malloc(rows * columns * sizeof(double)),
                              .label = malloc(rows), .name = name };

    for (size_t i = 0; i < rows; i++) {
        double *value = d.value + i * columns;

        for (size_t c = 0; c < columns; c++) value[c] = random_unit(&r);
        d.label[i] = (value[0] + value[1] > 1) ^ (random_unit(&r) < noise);
    }
    return d;
}

/* Setup and teardown of a group of tests that write files: in a folder of their own, which is gone afterwards. */
static inline int folder_enter(void **folder)
{
    char *made = strdup("/tmp/leakgraph-learn-XXXXXX");

    *folder = made;
    return made && mkdtemp(made) && chdir(made) == 0 ? 0 : -1;
}

static inline int folder_leave(void **folder)
{
    int rc = chdir("/") == 0 && rmdir(*folder) == 0 ? 0 : -1;

    free(*folder);
    return rc;
}

static inline void write_text(const char *path, const char *text)
{
    struct err err = { 0 };

    assert_int_equal(file_write(path, slice_of(text), &err), 0);
}

#endif
