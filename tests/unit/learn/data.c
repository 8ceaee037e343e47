/* tests/unit/learn/data.c -- what may be learned from, and rows of it. */
#include "learn/data.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_check(void **unused)
{
    double            value[] = { 1, 2, 3, 4 };
    uint8_t           label[] = { 0, 1 };
    struct learn_data d = { .rows = 2, .columns = 2, .value = value, .label = label };
    struct err        err = { 0 };

    (void)unused;
    assert_int_equal(learn_data_check(&d, &err), 0);
    value[3] = NAN;
    assert_int_equal(learn_data_check(&d, &err), -EINVAL);
    assert_non_null(strstr(err.text, "row 1, column 1"));
    value[3] = INFINITY;
    assert_int_equal(learn_data_check(&d, &err), -EINVAL);
    value[3] = 0;
    label[0] = 2;
    assert_int_equal(learn_data_check(&d, &err), -EINVAL);
    label[0] = 0;
    d.rows = 0;
    assert_int_equal(learn_data_check(&d, &err), -EINVAL);
}

static void test_select(void **unused)
{
    double            value[] = { 1, 2, 3, 4, 5, 6 };
    uint8_t           label[] = { 0, 1, 1 };
    struct learn_data d = { .rows = 3, .columns = 2, .value = value, .label = label }, some;
    const size_t      row[] = { 2, 0, 2 };
    const double      wanted[] = { 5, 6, 1, 2, 5, 6 };
    struct err        err = { 0 };

    (void)unused;
    assert_int_equal(learn_data_select(&d, row, 3, &some, &err), 0);
    assert_memory_equal(some.value, wanted, sizeof wanted);
    assert_memory_equal(some.label, ((uint8_t[]){ 1, 0, 1 }), 3);
    assert_int_equal(some.rows, 3);
    learn_data_free(&some);
    assert_null(some.value);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_check), cmocka_unit_test(test_select) };

    return cmocka_run_group_tests_name("learn/data", tests, NULL, NULL);
}
