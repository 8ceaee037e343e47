/* tests/unit/audit/verdict.c -- what is made of rows with both labels, with one, with a stored classifier. */
#include "audit/verdict.h"

#include "tests/unit/audit/made_features.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct verdict_options plain = { .kind = { true, true, false }, .test_share = 0.5, .draws = 199,
                                              .threads = 1 };

static void test_columns(void **unused)
{
    struct verdict_options o = plain;
    struct audit_features  f = { 0 }, bare = { 0 };
    const double           hits[AUDIT_CATEGORIES] = { 0 };
    struct err             err = { 0 };

    (void)unused;
    made_features(&f, 2, 2, 0.5, 0, 1);
    assert_int_equal(audit_features_add(&bare, SLICE("a"), SLICE("r"), hits, NULL, 1, &err), 0);
    assert_int_equal(verdict_columns(&f, &o, CLASSIFIER_FOREST), 12);
    assert_int_equal(verdict_columns(&f, &o, CLASSIFIER_SVM), 6);
    assert_int_equal(verdict_columns(&bare, &o, CLASSIFIER_FOREST), 6);
    o.published = true;
    assert_int_equal(verdict_columns(&f, &o, CLASSIFIER_SVM), 12);
    o.hits_only = true;
    assert_int_equal(verdict_columns(&f, &o, CLASSIFIER_FOREST), 6);
    audit_features_free(&f);
    audit_features_free(&bare);
}

static void test_both_labels(void **unused)
{
    struct verdict      v = { .name = "t" };
    struct verdict_rate rate;
    struct err          err = { 0 };

    (void)unused;
    made_features(&v.features, 24, 10, 0.2, 0.4, 4);
    if (verdict_make(&v, &plain, NULL, NULL, &err) < 0) fail_msg("%s", err.text);
    assert_true(v.tried[CLASSIFIER_FOREST] && v.tried[CLASSIFIER_BOOST] && !v.tried[CLASSIFIER_SVM] && v.noised);
    assert_true(v.trial[CLASSIFIER_FOREST].score[AUDIT_SINGLE].f1 > 0.85);
    /* the more hits are lost, the fewer files are recognised */
    for (int n = 0; n < VERDICT_NOISES; n++) {
        const double before = n ? v.noise[CLASSIFIER_FOREST][n - 1][AUDIT_SINGLE].recall
                                : v.trial[CLASSIFIER_FOREST].score[AUDIT_SINGLE].recall;

        assert_true(v.noise[CLASSIFIER_FOREST][n][AUDIT_SINGLE].recall < before);
    }
    rate = verdict_rate_of(&v, 0, 0);
    assert_true(rate.clean == 12 && rate.trained == 12 && rate.found == 12 && rate.wrong <= 3);
    rate = verdict_rate_of(&v, 2, 0);
    assert_true(rate.clean == 12 && rate.trained == 12 && rate.found == 12 && rate.wrong <= 3);
    rate = verdict_rate_of(&v, 3, 0);
    assert_true(rate.clean == 0 && rate.trained == 0);      /* there is no reference */
    assert_true(fabs(v.correlation[0].r - 1) < 1e-12);
    verdict_free(&v);
}

/* Rows of one label: nothing is learned, the test that needs no learning is made. */
static void test_one_label(void **unused)
{
    struct verdict v = { .name = "t" };
    struct err     err = { 0 };

    (void)unused;
    made_features(&v.features, 12, 10, 0.2, 0.4, 4);
    for (size_t i = 0; i < v.features.count; i++) if (v.features.row[i].label == 1) v.features.row[i].label = -1;
    if (verdict_make(&v, &plain, NULL, NULL, &err) < 0) fail_msg("%s", err.text);
    for (int k = 0; k < VERDICT_KINDS; k++) assert_false(v.tried[k]);
    assert_non_null(v.suspect);
    assert_true(!v.suspect[1].clean && v.suspect[1].p <= 0.005 && v.repositories.at[1].label == -1);
    verdict_free(&v);
}

static void test_stored(void **unused)
{
    struct verdict    first = { .name = "first" }, second = { .name = "second" };
    struct classifier stored;
    struct err        err = { 0 };

    (void)unused;
    made_features(&first.features, 12, 10, 0.2, 0.4, 4);
    made_features(&second.features, 6, 10, 0.2, 0.4, 5);
    if (verdict_make(&first, &plain, NULL, NULL, &err) < 0) fail_msg("%s", err.text);
    stored = first.trial[CLASSIFIER_FOREST].classifier;
    first.trial[CLASSIFIER_FOREST].classifier = (struct classifier){ 0 };
    if (verdict_make(&second, &plain, NULL, &stored, &err) < 0) fail_msg("%s", err.text);
    assert_true(second.tried[CLASSIFIER_FOREST] && !second.tried[CLASSIFIER_BOOST]);
    assert_true(second.parts.train == 0 && second.parts.test == 60);
    assert_true(second.trial[CLASSIFIER_FOREST].score[AUDIT_SINGLE].accuracy > 0.85);
    verdict_free(&first);
    verdict_free(&second);
}

/* An error names the file of rows. */
static void test_too_few(void **unused)
{
    struct verdict v = { .name = "few" };
    struct err     err = { 0 };

    (void)unused;
    made_features(&v.features, 2, 3, 0.2, 0.4, 4);
    assert_int_equal(verdict_make(&v, &plain, NULL, NULL, &err), -EINVAL);
    assert_ptr_equal(strstr(err.text, "few: "), err.text);
    verdict_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns), cmocka_unit_test(test_both_labels), cmocka_unit_test(test_one_label),
        cmocka_unit_test(test_stored), cmocka_unit_test(test_too_few),
    };

    return cmocka_run_group_tests_name("audit/verdict", tests, NULL, NULL);
}
