/* sensitive/tables: each value is a row of the graph, with the name of its kind. */
#include "sensitive/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_rows(void **state)
{
    struct sensitive_value value[] = {
        { .hash = { 1, 2 }, .dataset = 3, .kind = SENSITIVE_KEY, .shard = 4, .at = 5, .record = 6, .documents = 7,
          .line = 11, .occurrences = 8, .corpus_documents = 9, .corpus_occurrences = 10, .pattern_len = 3,
          .masked_len = 5, .path_len = 1, .text_at = 2 },
        { .kind = SENSITIVE_EMAIL, .corpus_documents = -1, .corpus_occurrences = -1, .masked_len = 2, .text_at = 10 },
        { .kind = SENSITIVE_IP },
    };
    char                          text[] = "..awsA...Bx!";
    const struct sensitive_result result = { .value = value, .count = 3, .text = { .at = text, .len = 12 } };
    const struct graph_sensitive *row;
    struct graph_build            build = { 0 };
    struct err                    err = { 0 };

    (void)state;
    assert_int_equal(graph_add_sensitive(&build, &result, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_sensitive).count, 3);
    row = graph_rows_of(&build.graph, &table_sensitive).rows;
    assert_true(slice_equal(row[0].kind, SLICE("key")) && slice_equal(row[0].pattern, SLICE("aws")) &&
                slice_equal(row[0].masked, SLICE("A...B")));
    assert_true(row[0].hash_low == 1 && row[0].hash_high == 2 && row[0].dataset == 3 && row[0].shard == 4);
    assert_true(row[0].byte == 5 && row[0].record == 6 && row[0].documents == 7 && row[0].occurrences == 8);
    assert_true(row[0].corpus_documents == 9 && row[0].corpus_occurrences == 10);
    assert_true(slice_equal(row[0].path, SLICE("x")) && row[0].line == 11 && row[1].path.len == 0);
    assert_true(slice_equal(row[1].kind, SLICE("email")) && row[1].pattern.len == 0 &&
                slice_equal(row[1].masked, SLICE("x!")));
    assert_true(row[1].corpus_documents == -1 && row[1].corpus_occurrences == -1);
    assert_true(slice_equal(row[2].kind, SLICE("ip")));
    graph_build_free(&build);
}

static void test_none(void **state)
{
    const struct sensitive_result none = { 0 };
    struct graph_build            build = { 0 };
    struct err                    err = { 0 };

    (void)state;
    assert_int_equal(graph_add_sensitive(&build, &none, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_sensitive).count, 0);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
