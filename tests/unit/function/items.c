/* tests/unit/function/items.c -- when corpora are compared in their functions. */
#include "tests/unit/function/small_functions.h"

static void check(enum dataset_unit unit, const char *items, bool compared, uint64_t all, uint64_t functions)
{
    functions_join(unit, items);
    assert_int_equal(function_any(&functions_job), compared);
    assert_false(functions_job.compared[0]);
    assert_int_equal(functions_job.compared[1], compared);
    assert_int_equal(functions_job.items, all);
    assert_int_equal(functions_job.functions, functions);
    functions_end();
}

static void test_items(void **unused)
{
    static const char half[] = PYTHON("def f(a): return b(c)") PYTHON("a = b + c");
    static const char few[] = PYTHON("def f(a): return b(c)") PYTHON("a = b + c") PYTHON("d = e + f");
    /* a function with half of the names, and one with fewer; two that are one inside the other count once */
    static const char part[] = PYTHON("from m import n, o, p\\ndef f(a): return b");
    static const char less[] = PYTHON("from m import n, o, p, q\\ndef f(a): return b\\n")
        PYTHON("a(b, c, d, e)\\ndef f():\\n  def g(): h");

    (void)unused;
    check(UNIT_AUTO, small_items, true, 3, 3);
    check(UNIT_AUTO, half, true, 2, 1);
    check(UNIT_AUTO, few, false, 3, 1);
    check(UNIT_AUTO, part, false, 1, 0);
    check(UNIT_AUTO, less, false, 2, 0);
    check(UNIT_FILE, small_items, false, 0, 0);
    check(UNIT_FUNCTION, few, true, 0, 0);                  /* nobody asks */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("function/items", tests, NULL, NULL);
}
