/* corpus/dataset: what is owned is freed, limits have their defaults and bounds. */
#include "corpus/dataset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_limits(void **state)
{
    const uint64_t mib = 1 << 20;
    static const struct { uint64_t set, limit; } records[] = {
        { 0, 64 }, { 1, 1 }, { 64, 64 }, { 65, 65 }, { 255, 255 }, { 256, 256 }, { 257, 256 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        assert_int_equal(dataset_max_record(&(struct dataset){ .max_record_bytes = records[i].set * mib }),
                         records[i].limit * mib);
    assert_int_equal(dataset_max_record(&(struct dataset){ .max_record_bytes = 256 * mib + 1 }), 256 * mib);
    assert_int_equal(dataset_max_record(&(struct dataset){ .max_record_bytes = UINT64_MAX }), 256 * mib);
    assert_int_equal(dataset_max_record(&(struct dataset){ .max_record_bytes = 1 }), 1);
    assert_int_equal(dataset_max_ratio(&(struct dataset){ 0 }), 1000);
    assert_int_equal(dataset_max_ratio(&(struct dataset){ .max_ratio = 1 }), 1);
    assert_int_equal(dataset_max_ratio(&(struct dataset){ .max_ratio = UINT32_MAX }), UINT32_MAX);
}

/* Every owned part set; what is missed is a leak that the sanitizer sees, and the struct is a start again. */
static void test_owned(void **state)
{
    const struct dataset none = { 0 };
    struct dataset       dataset = { .name = strdup("d"), .url = strdup("u"), .language = strdup("java"),
                                     .self_join = true, .split_count = 2, .max_ratio = 7, .extra = { "borrowed" },
                                     .splits = calloc(2, sizeof *dataset.splits) };

    (void)state;
    assert_non_null(dataset.splits);
    for (size_t s = 0; s < 2; s++) {
        dataset.splits[s].name = strdup("split");
        dataset.splits[s].globs = calloc(3, sizeof(char *));
        assert_non_null(dataset.splits[s].globs);
        for (size_t g = 0; g < 2 * s; g++) dataset.splits[s].globs[dataset.splits[s].glob_count++] = strdup("*.zst");
    }
    for (size_t f = 0; f < FIELD_COUNT; f += 2) dataset.fields[f] = strdup("field");
    dataset_free(&dataset);
    assert_memory_equal(&dataset, &none, sizeof none);
    dataset_free(&dataset);
}

/* The names are those of the configuration. */
static void test_names(void **state)
{
    static const char *const want[FIELD_COUNT] = { "text", "id", "path", "repo", "language", "license", "split",
                                                   "tokens", "stars", "date" };

    (void)state;
    for (size_t f = 0; f < FIELD_COUNT; f++) assert_string_equal(field_names[f], want[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_limits), cmocka_unit_test(test_owned),
                                        cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
