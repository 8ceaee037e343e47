/* tests/unit/function/result.c -- pairs of items and functions, best first; counts of those that are not kept. */
#include "function/result.h"
#include "graph/graph.h"
#include "tests/unit/function/small_functions.h"

static void check(uint64_t most, size_t pairs)
{
    struct near_residents  residents;
    struct function_result result;
    struct err             err = { 0 };

    functions_join(UNIT_AUTO, small_items);
    assert_int_equal(near_residents_read(job, &residents, &err), 0);
    if (function_result_read(&functions_job, &residents, most, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.pair_count, pairs);
    assert_int_equal(result.count_count, 1);
    assert_true(result.count[0].item == 0 && result.count[0].dataset == 1 && result.count[0].functions == 2);
    /* equal bytes come before equal names */
    assert_true(result.pair[0].kind == EDGE_EXACT && result.pair[0].place->line == 7 && result.pair[0].item == 0);
    assert_true(result.pair[0].shared == 5 && result.pair[0].union_size == 5 && result.pair[0].min_sum == 7);
    if (pairs > 1) assert_true(result.pair[1].kind == EDGE_NEAR && result.pair[1].place->line == 3);
    function_result_free(&result);
    near_residents_free(&residents);
    functions_end();
}

static void test_pairs(void **unused)
{
    (void)unused;
    check(10, 2);
    check(1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("function/result", tests, NULL, NULL);
}
