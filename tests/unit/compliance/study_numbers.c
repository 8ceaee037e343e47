/* tests/unit/compliance/study_numbers.c -- numbers of two groups whose cases are given, not computed. */
#include "compliance/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct compliance_function function;

static void group_make(struct study *study, const char *name, const double *most, size_t count)
{
    struct err err = { 0 };

    assert_int_equal(study_open_group(study, slice_of(name), 0, false, &err), 0);
    for (size_t i = 0; i < count; i++) {
        struct study_group *group = &study->group[study->groups - 1];

        assert_int_equal(ARRAY_GROW(group->at, group->room, group->count), 0);
        group->at[group->count++] = (struct study_case){
            .function = &function,
            .score = { .most = most[i], .bleu = most[i], .shared = i % 2, .lines = 11, .complexity = (uint32_t)i + 1 },
            .striking = most[i] > 0.6 && i % 2 && i > 2 };
    }
}

static bool is(struct slice name, const char *wanted) { return slice_equal(name, slice_of(wanted)); }

static void test_numbers(void **unused)
{
    static const double            first[] = { 0.7, 0.8, 0.9, 1, 0.1 }, second[] = { 0.2, 0.3, 0.25, 0.05 };
    struct study                   study = { .limits = score_limits_default };
    struct study_metric           *metric;
    struct study_difference       *difference;
    const struct study_difference *between = NULL, *within = NULL;
    struct err                     err = { 0 };
    size_t                         metrics, differences;

    (void)unused;
    group_make(&study, "seen", first, 5);
    group_make(&study, "unseen", second, 4);
    assert_int_equal(study_metrics(&study, &metric, &metrics, &err), 0);
    assert_int_equal(metrics, 22);
    assert_true(is(metric[0].group, "seen") && strcmp(metric[0].metric, "prompt lines") == 0);
    assert_string_equal(metric[21].metric, "largest similarity");
    assert_true(is(metric[21].group, "unseen") && fabs(metric[21].median - 0.225) < 1e-9 &&
                fabs(metric[21].mean - 0.2) < 1e-9 && metric[21].least == 0.05 && metric[21].most == 0.3);

    assert_int_equal(study_differences(&study, &difference, &differences, &err), 0);
    assert_int_equal(differences, 22);                      /* within seen, and seen beside unseen */
    for (size_t i = 0; i < differences; i++) {
        const struct study_difference *d = &difference[i];

        if (d->other.len && strcmp(d->metric, "largest similarity") == 0) between = d;
        if (!d->other.len && strcmp(d->metric, "complexity") == 0) within = d;
    }
    assert_non_null(between);
    assert_non_null(within);
    assert_true(is(between->group, "seen") && is(between->other, "unseen"));
    assert_true(fabs(between->delta - 0.7) < 1e-9);         /* 17 of 20 pairs */
    assert_string_equal(between->level, "large");
    assert_true(fabs(between->p - 1 / 9.0) < 1e-9);
    assert_true(is(within->group, "seen") && within->median == 4 && within->median_other == 2.5);
    free(metric);
    free(difference);
    study_free(&study);
}

static void test_none(void **unused)
{
    struct study             study = { .limits = score_limits_default };
    struct study_metric     *metric;
    struct study_difference *difference;
    struct err               err = { 0 };
    size_t                   count;

    (void)unused;
    assert_int_equal(study_metrics(&study, &metric, &count, &err), 0);
    assert_int_equal(count, 0);
    assert_int_equal(study_differences(&study, &difference, &count, &err), 0);
    assert_int_equal(count, 0);
    free(metric);
    free(difference);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
