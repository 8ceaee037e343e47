/* tests/unit/graph/reader.c -- rows of a table of the test's own: written as its description says, read back equal, and
 * refused where they say what cannot be. */
#include "graph/reader.h"

#include "tests/unit/graph/things.h"

/* What is read back is what was written, but for the columns that nobody asks for, which are 0. */
static void test_read(void **state)
{
    struct stored       s;
    struct graph_copy   copy;
    const struct thing *at;
    char                before[33], after[33];
    struct err          err = { 0 };

    (void)state;
    stored_open(&s);
    if (graph_load(&copy, s.path, tables, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(graph_rows_of(&copy.graph, &things).count, 2);
    at = graph_rows_of(&copy.graph, &things).rows;
    for (size_t i = 0; i < 2; i++) {
        assert_true(at[i].low == rows[i].low && at[i].high == rows[i].high && at[i].number == rows[i].number);
        assert_true(at[i].small == rows[i].small && at[i].maybe == rows[i].maybe && at[i].dataset == rows[i].dataset);
        assert_true(slice_equal(at[i].text, rows[i].text) && slice_equal(at[i].optional, rows[i].optional));
        assert_true(at[i].document == rows[i].document && at[i].kind == rows[i].kind && at[i].role == rows[i].role);
        assert_true(at[i].flag == rows[i].flag && at[i].record == rows[i].record);
        assert_true(at[i].hash == 0 && at[i].real == 0 && !at[i].key && !at[i].source.at && at[i].shard == 0);
    }
    assert_ptr_equal(at[0].text.at, at[1].text.at);         /* held once */
    graph_copy_free(&copy);
    assert_int_equal(graph_digest_file(s.path, tables, before, &err), 0);
    change(&s, "UPDATE things SET word = 'other', optional = 'other', record = 99");    /* in no line */
    assert_int_equal(graph_digest_file(s.path, tables, after, &err), 0);
    assert_string_equal(before, after);
    change(&s, "UPDATE things SET flag = 1 - flag WHERE id = 2");
    assert_int_equal(graph_digest_file(s.path, tables, after, &err), 0);
    assert_string_not_equal(before, after);
    remove_tree(s.folder);
}

static void test_refused(void **state)
{
    static const struct { const char *sql, *said; } cases[] = {
        { "UPDATE things SET dataset = 'three' WHERE id = 2", "things: row 2: dataset: of a dataset" },
        { "UPDATE things SET hash = 'fedcba98765432100123456789abcdeF' WHERE id = 1", "row 1: hash: not 32" },
        { "UPDATE things SET hash = 'fedc' WHERE id = 1", "row 1: hash: not 32" },
        { "UPDATE things SET small = 4294967296 WHERE id = 1", "row 1: small: beyond 32 bits" },
        { "UPDATE things SET snippet = 1000000000007 WHERE id = 1", "row 1: snippet: not in snippets" },
        { "UPDATE things SET snippet = 2 WHERE id = 1", "row 1: snippet: not in snippets" },
        { "UPDATE things SET snippet = 0 WHERE id = 2", "row 2: snippet: not in snippets" },
        { "UPDATE things SET kind = 'odd' WHERE id = 2", "row 2: kind: not known here" },
        { "ALTER TABLE things DROP COLUMN flag", "no such column: flag" },
        { "DROP TABLE things", "no such table: things" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stored     s;
        struct graph_copy copy;
        struct err        err = { 0 };

        stored_open(&s);
        change(&s, cases[i].sql);
        assert_int_equal(graph_load(&copy, s.path, tables, &err), -EBADMSG);
        if (!strstr(err.text, cases[i].said) || !strstr(err.text, s.path)) fail_msg("%s", err.text);
        graph_copy_free(&copy);
        remove_tree(s.folder);
    }
}

/* A table without rows is no array. */
static void test_empty(void **state)
{
    struct stored     s;
    struct graph_copy copy;
    struct err        err = { 0 };

    (void)state;
    stored_open(&s);
    change(&s, "DELETE FROM things");
    assert_int_equal(graph_load(&copy, s.path, tables, &err), 0);
    assert_true(graph_rows_of(&copy.graph, &things).count == 0 && !graph_rows_of(&copy.graph, &things).rows);
    graph_copy_free(&copy);
    remove_tree(s.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read),
                                        cmocka_unit_test(test_refused), cmocka_unit_test(test_empty) };

    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
