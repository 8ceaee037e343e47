/* tests/unit/learn/svm_fit.c -- machines that libsvm learns; without it, what is said. */
#include "learn/svm.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Two rows, linear: the widest margin lies halfway, and the decision values of the rows are -1 and 1. */
static void test_two(void **unused)
{
    double             value[] = { 0, 0, 2, 0 };
    uint8_t            label[] = { 0, 1 };
    struct learn_data  d = { .rows = 2, .columns = 2, .value = value, .label = label };
    struct svm_options o = SVM_DEFAULTS;
    struct svm         s;
    struct err         err = { 0 };

    (void)unused;
    o.kernel = SVM_LINEAR, o.cost = 100;
    if (!svm_available()) {
        assert_int_equal(svm_fit(&d, &o, &s, &err), -ENOSYS);
        return;
    }
    for (int swapped = 0; swapped < 2; swapped++) {         /* class 1 is above 0 whichever class comes first */
        label[0] = (uint8_t)swapped, label[1] = (uint8_t)!swapped;
        assert_int_equal(svm_fit(&d, &o, &s, &err), 0);
        assert_int_equal(s.vectors, 2);
        assert_true(fabs(svm_decision(&s, value) - (swapped ? 1 : -1)) < 1e-6);
        assert_true(fabs(svm_decision(&s, value + 2) - (swapped ? -1 : 1)) < 1e-6);
        svm_free(&s);
    }
}

static void test_learns(void **unused)
{
    struct learn_data train = learn_set(300, 3, 0.02, 1), test = learn_set(300, 3, 0, 2);
    struct err        err = { 0 };

    (void)unused;
    for (enum svm_kernel kernel = SVM_LINEAR; kernel <= SVM_RBF && svm_available(); kernel++) {
        struct svm_options o = SVM_DEFAULTS;
        struct svm         s, same;
        size_t             right = 0;

        o.kernel = kernel, o.cost = 10;
        assert_int_equal(svm_fit(&train, &o, &s, &err), 0);
        assert_int_equal(svm_fit(&train, &o, &same, &err), 0);
        assert_true(s.options.gamma == 1.0 / 3);
        for (size_t i = 0; i < test.rows; i++) {
            right += (svm_decision(&s, learn_row(&test, i)) > 0) == test.label[i];
            assert_true(svm_decision(&s, learn_row(&test, i)) == svm_decision(&same, learn_row(&test, i)));
        }
        assert_true(right > 280);
        svm_free(&s);
        svm_free(&same);
    }
    learn_data_free(&train);
    learn_data_free(&test);
}

static void test_refused(void **unused)
{
    struct learn_data  d = learn_set(20, 3, 0, 5);
    struct svm_options o = SVM_DEFAULTS;
    struct svm         s;
    struct err         err = { 0 };

    (void)unused;
    o.cost = 0;
    assert_true(svm_fit(&d, &o, &s, &err) < 0);
    o.cost = 1;
    d.value[3] = NAN;
    assert_true(svm_fit(&d, &o, &s, &err) < 0);
    d.value[3] = 0;
    memset(d.label, 0, d.rows);
    assert_true(svm_fit(&d, &o, &s, &err) < 0);
    assert_null(s.vector);
    learn_data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_two), cmocka_unit_test(test_learns),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("learn/svm_fit", tests, NULL, NULL);
}
