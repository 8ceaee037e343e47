/* graph/unions: every view is there without any table; what tables say stands behind its own rows, in their order. */
#include "graph/unions.h"
#include "graph/table.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct graph_table nothing = { .name = "nothing" };
static const struct graph_table says = { .name = "says", .part[UNION_REMOVED] = "SELECT says",
                                         .part[UNION_NUMBERS] = "SELECT said" };

static void test_parts(void **state)
{
    const struct graph_table *const none[] = { &nothing, NULL }, *const two[] = { &says, &nothing, &says, NULL };
    struct bytes                    sql = { 0 };

    (void)state;
    assert_int_equal(graph_unions_create(none, none, true, &sql), 0);
    assert_non_null(strstr(sql.at, "CREATE TEMP VIEW found_inside (" FOUND_INSIDE_COLUMNS ") AS\n    SELECT 0, "));
    assert_null(strstr(sql.at, "CREATE VIEW"));
    assert_null(strstr(sql.at, "UNION ALL"));
    sql.len = 0;
    assert_int_equal(graph_unions_create(none, two, false, &sql), 0);
    assert_non_null(strstr(sql.at, "WHERE 0\n    UNION ALL SELECT says\n    UNION ALL SELECT says;\n"));
    assert_non_null(strstr(sql.at, "WHERE 0\n    UNION ALL SELECT said\n    UNION ALL SELECT said;\n"));
    bytes_free(&sql);
}

/* SQLite takes them, each with as many columns as it says, and they have no rows. */
static void test_empty(void **state)
{
    const struct graph_table *const none[] = { NULL };
    struct bytes                    sql = { 0 };
    sqlite3                        *db;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(graph_unions_create(none, none, false, &sql), 0);
    assert_int_equal(sqlite3_exec(db, sql.at, NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < GRAPH_UNIONS; i++) {
        sqlite3_stmt *query;

        sql.len = 0;
        assert_int_equal(bytes_printf(&sql, "SELECT %s FROM %s", graph_unions[i].columns, graph_unions[i].name), 0);
        if (sqlite3_prepare_v2(db, sql.at, (int)sql.len, &query, NULL) != SQLITE_OK)
            fail_msg("%s: %s", graph_unions[i].name, sqlite3_errmsg(db));
        assert_int_equal(sqlite3_step(query), SQLITE_DONE);
        sqlite3_finalize(query);
    }
    sqlite3_close(db);
    bytes_free(&sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_parts), cmocka_unit_test(test_empty) };

    return cmocka_run_group_tests_name("unions", tests, NULL, NULL);
}
