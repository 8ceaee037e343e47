/* tests/unit/audit/verdict_picture.c -- curves of what was tried, with their areas; nothing where nothing was. */
#include "audit/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void says(const struct bytes *picture, const char *part)
{
    if (!memmem(picture->at, picture->len, part, strlen(part)))
        fail_msg("no `%s` in %.*s", part, (int)picture->len, picture->at);
}

static void test_curves(void **unused)
{
    struct roc_point point[] = { { INFINITY, 0, 0 }, { 0.5, 0.5, 1 }, { 0.25, 1, 1 } };
    struct verdict   v[2] = { { .name = "t<1>" }, { .name = "t2" } };
    struct bytes     picture = { 0 };

    (void)unused;
    v[0].tried[CLASSIFIER_FOREST] = v[1].tried[CLASSIFIER_SVM] = true;
    v[0].trial[CLASSIFIER_FOREST] = (struct audit_trial){ .roc = point, .roc_points = 3, .auc = 0.75 };
    v[1].trial[CLASSIFIER_SVM].auc = NAN;
    assert_int_equal(verdict_roc_svg(v, 2, &picture), 0);
    says(&picture, "points=\"64.00,440.00 264.00,40.00 464.00,40.00 \"");
    says(&picture, ">t&lt;1&gt;, forest AUC 0.750</text>");
    says(&picture, ">t2, svm AUC not defined</text>");
    assert_null(memmem(picture.at, picture.len, "boosting", 8));
    bytes_free(&picture);
}

static void test_nothing(void **unused)
{
    struct verdict v = { .name = "t" };
    struct bytes   picture = { 0 };

    (void)unused;
    assert_int_equal(verdict_roc_svg(&v, 1, &picture), 0);
    assert_int_equal(picture.len, 0);
    bytes_free(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_curves), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
