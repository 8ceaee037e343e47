/* tests/unit/near/tables.c -- rows of table lengths: the buckets that have documents. */
#include "near/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_rows(void **unused)
{
    struct near_lengths        lengths[2] = { 0 };
    struct near_result         result = { .lengths = lengths };
    struct graph_build         build = { 0 };
    struct err                 err = { 0 };
    const struct graph_length *row;

    (void)unused;
    lengths_add(&lengths[0], 5);
    lengths_add(&lengths[0], 5);
    lengths_add(&lengths[1], 40);
    lengths_add(&lengths[1], UINT32_MAX);
    assert_int_equal(graph_add_lengths(&build, &result, 2, &err), 0);
    assert_int_equal(build.graph.row_count, 1);
    assert_ptr_equal(build.graph.rows[0].table, &table_lengths);
    assert_int_equal(build.graph.rows[0].count, 3);
    row = build.graph.rows[0].rows;
    assert_true(row[0].dataset == 0 && row[0].least == 5 && row[0].most == 5 && row[0].documents == 2);
    assert_true(row[1].dataset == 1 && row[1].least == 32 && row[1].most == 63 && row[1].documents == 1);
    assert_true(row[2].least == 1u << 31 && row[2].most == UINT32_MAX && row[2].documents == 1);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
