/* tests/unit/score/sample.c -- samples, and the series and columns that they are of. */
#include "tests/unit/score/taken.h"

#include <stdio.h>

static void test_series(void **unused)
{
    struct score_samples samples = { 0 };
    uint32_t             first, again, other;
    struct err           err = { 0 };

    (void)unused;
    assert_int_equal(score_series_put(&samples, (struct score_series){ .model = SLICE("ab"), .kind = SLICE("c") },
                                      &first, &err), 0);
    /* parts are told apart by where they end */
    assert_int_equal(score_series_put(&samples, (struct score_series){ .model = SLICE("a"), .kind = SLICE("bc") },
                                      &other, &err), 0);
    assert_int_equal(score_series_put(&samples, (struct score_series){ .model = SLICE("ab"), .kind = SLICE("c") },
                                      &again, &err), 0);
    assert_int_equal(first, 0);
    assert_int_equal(other, 1);
    assert_int_equal(again, 0);
    assert_int_equal(samples.series_count, 2);
    score_samples_free(&samples);
}

/* A column is binary until a number says otherwise. */
static void test_values(void **unused)
{
    struct score_samples samples = { 0 };
    struct err           err = { 0 };

    (void)unused;
    assert_int_equal(score_file_begin(&samples, "x", &err), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(score_sample_add(&samples, (struct score_sample){ .id = SLICE("a"), .number = -1 }, &err), 0);
        assert_int_equal(score_value_add(&samples, SLICE("p"), true, i > 0, &err), 0);
        assert_int_equal(score_value_add(&samples, SLICE("q"), i < 2, i, &err), 0);
    }
    assert_int_equal(samples.column_count, 2);
    assert_true(samples.column[0].binary && !samples.column[1].binary);
    is_number(value_of(&samples, 2, "q"), 2);
    is_number(value_of(&samples, 0, "p"), 0);
    assert_null(samples.at[0].prediction.at);
    score_samples_free(&samples);
}

static void test_most(void **unused)
{
    struct score_samples samples = { 0 };
    struct err           err = { 0 };
    uint32_t             place;
    char                 name[16];
    int                  rc = 0;

    (void)unused;
    for (int i = 0; i < SCORE_COLUMNS_MOST + 1 && rc == 0; i++) {
        snprintf(name, sizeof name, "c%d", i);
        rc = score_column_put(&samples, slice_of(name), false, &place, &err);
    }
    assert_int_equal(rc, -EINVAL);
    assert_non_null(strstr(err.text, "columns of numbers"));
    score_samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series), cmocka_unit_test(test_values), cmocka_unit_test(test_most),
    };

    return cmocka_run_group_tests_name("score/sample", tests, NULL, NULL);
}
