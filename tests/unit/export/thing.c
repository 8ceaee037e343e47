/* export/thing: every thing has the columns of its view, in their order; its filters and sides are of these. */
#include "export/thing.h"

#include "tests/unit/export/exported.h"

static void test_columns(void **state)
{
    struct made_graph g;
    sqlite3          *db;

    (void)state;
    made_open(&g, "");
    db = made_read(&g);
    for (const struct export_thing *thing = export_things; thing->name; thing++) {
        sqlite3_stmt *query;
        struct bytes  sql = { 0 };
        struct err    err = { 0 };

        assert_int_equal(bytes_printf(&sql, "SELECT * FROM %s %s", thing->view, thing->order), 0);
        assert_int_equal(bytes_append(&sql, "", 1), 0);
        if (graph_prepare(db, &query, sql.at, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(sqlite3_column_count(query), thing->column_count);
        for (size_t c = 0; c < thing->column_count; c++)
            assert_string_equal(sqlite3_column_name(query, (int)c), thing->columns[c].name);
        graph_finish(query);
        for (enum export_filter f = 0; f < EXPORT_FILTERS; f++) {
            if (!thing->filter[f]) continue;
            sql.len = 0;
            assert_int_equal(bytes_printf(&sql, "SELECT 1 FROM %s WHERE %s", thing->view, thing->filter[f]), 0);
            assert_int_equal(bytes_append(&sql, "", 1), 0);
            if (graph_prepare(db, &query, sql.at, &err) < 0) fail_msg("%s: %s", thing->name, err.text);
            graph_finish(query);
        }
        bytes_free(&sql);
    }
    graph_close(db);
    made_close(&g);
}

static void test_sides(void **state)
{
    (void)state;
    for (const struct export_thing *thing = export_things; thing->name; thing++) {
        if (!thing->to) {
            assert_null(thing->kind);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            static const char *const needed[] = { "dataset", "shard", "record" };

            assert_true(export_column_find(thing, thing->from, needed[i]) >= 0);
            assert_true(export_column_find(thing, thing->to, needed[i]) >= 0);
        }
        if (thing->kind) assert_true(export_column_find(thing, "", thing->kind) >= 0);
        if (thing->kind) assert_non_null(thing->filter[EXPORT_LEAKED]);
        if (thing->similarity) assert_true(export_column_find(thing, "", thing->similarity) >= 0);
    }
    assert_null(export_thing_find("pair"));
    assert_int_equal(export_column_find(export_thing_find("pairs"), "a_", "nothing"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_columns), cmocka_unit_test(test_sides) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
