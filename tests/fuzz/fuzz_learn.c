/* A file of a classifier: whatever it says, what is read answers every row, shares and probabilities in 0 .. 1, and is
 * the same when it was written and read again. */
#include "base/file.h"
#include "learn/classifier.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_learn: %s\n", what);
    abort();
}

/* Rows of one number in all columns. */
static double answer(const struct classifier *c, double value)
{
    size_t  columns = classifier_columns(c);
    double *row = malloc(columns * sizeof *row), said;

    require(row != NULL, "no memory");
    for (size_t i = 0; i < columns; i++) row[i] = value;
    said = classifier_value(c, row);
    free(row);
    return said;
}

static void check(const struct classifier *c, const char *path)
{
    static const double value[] = { 0, -1e300, 1e300, 0.5 };
    struct classifier   again;
    struct err          err = { 0 };

    require(classifier_write(c, path, &err) == 0 && classifier_read(path, &again, &err) == 0, "not read again");
    require(classifier_columns(c) == classifier_columns(&again) && c->kind == again.kind, "another one read again");
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        double said = answer(c, value[i]), same = answer(&again, value[i]);

        require(said == same || (isnan(said) && isnan(same)), "another answer");
        require(c->kind == CLASSIFIER_SVM || (said >= 0 && said <= 1), "no probability");
    }
    classifier_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char              folder[] = "/tmp/leakgraph-fuzz-XXXXXX", path[64], in[64];
    int               file = memfd_create("model", 0);
    struct classifier c;
    struct err        err = { 0 };

    require(file >= 0 && write(file, data, size) == (ssize_t)size, "no file");
    snprintf(in, sizeof in, "/proc/self/fd/%d", file);
    if (classifier_read(in, &c, &err) == 0) {
        require(mkdtemp(folder) != NULL, "no folder");
        snprintf(path, sizeof path, "%s/model.json", folder);
        check(&c, path);
        unlink(path);
        rmdir(folder);
        classifier_free(&c);
    } else require(err.code < 0 && err.text[0], "an error without a reason");
    close(file);
    return 0;
}
