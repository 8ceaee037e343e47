/* tests/unit/graph/table.c -- the statements that a description makes, to the letter. */
#include "graph/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct thing { uint32_t of; uint64_t number; const char *key; };

#define ROW thing
#define FIELD(member) offsetof(struct ROW, member)

static const struct graph_column columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1" },
    { "union", COLUMN_U32, FIELD(of), COLUMN_QUOTED | COLUMN_LINE, NULL, "a word of SQL" },
    { "name", COLUMN_TEXT, 0, COLUMN_UNIQUE | COLUMN_LOAD, NULL, "" },
    { "long_name", COLUMN_MAYBE, FIELD(number), COLUMN_LOAD | COLUMN_LINE, NULL, "may be NULL" },
    { "thing", COLUMN_ID, FIELD(of), 0, "things", "" },
};
static const struct graph_view views[] = {
    { "names", "a, b", "SELECT name, name FROM things", "twice" }, { NULL, NULL, NULL, NULL },
};
static const struct graph_table things = { .name = "things", TABLE_COLUMNS(columns), .views = views };

static const struct graph_column keys[] = { { "key", COLUMN_KEY, FIELD(key), COLUMN_PRIMARY, NULL, "" },
                                            { "of", COLUMN_DOCUMENT, FIELD(of), COLUMN_PRIMARY, NULL, "" } };

static void test_create(void **state)
{
    struct bytes sql = { 0 };

    (void)state;
    assert_int_equal(graph_table_create(&things, &sql), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    assert_string_equal(sql.at,
                        "CREATE TABLE things (\n"
                        "    id        INTEGER PRIMARY KEY,   -- from 1\n"
                        "    \"union\"   INTEGER NOT NULL,      -- a word of SQL\n"
                        "    name      TEXT NOT NULL UNIQUE,\n"
                        "    long_name INTEGER,               -- may be NULL\n"
                        "    thing     INTEGER NOT NULL,\n"
                        "    CONSTRAINT fk_thing FOREIGN KEY (thing) REFERENCES things (id) ON DELETE CASCADE\n"
                        ");\n");
    bytes_free(&sql);
}

static void test_views(void **state)
{
    static const struct graph_view  two[] = { { "one", "a", "SELECT " VIEW_PERCENT("1", "4"), "a quarter" },
                                              { "none", "a", "SELECT 0 WHERE 0", "nothing" },
                                              { NULL, NULL, NULL, NULL } };
    static const struct graph_table alone = { .name = "alone", .views = two };
    struct bytes                    sql = { 0 };

    (void)state;
    assert_int_equal(graph_table_views(&things, false, &sql), 0);
    assert_int_equal(graph_table_create(&alone, &sql), 0);  /* without columns there is no table */
    assert_int_equal(graph_table_views(&alone, true, &sql), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    assert_string_equal(sql.at, "CREATE VIEW names (a, b) AS\n"
                                "    SELECT name, name FROM things;\n"
                                "CREATE TEMP VIEW one (a) AS\n"
                                "    SELECT 100.0 * (1) / (4);\n"
                                "CREATE TEMP VIEW none (a) AS\n"
                                "    SELECT 0 WHERE 0;\n");
    bytes_free(&sql);
}

/* Nothing follows the last column: no comma either. */
static void test_last(void **state)
{
    const struct graph_table table = { .name = "keys", .columns = columns, .column_count = 2 };
    struct bytes             sql = { 0 };

    (void)state;
    assert_int_equal(graph_table_create(&table, &sql), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    assert_string_equal(sql.at, "CREATE TABLE keys (\n"
                                "    id      INTEGER PRIMARY KEY,  -- from 1\n"
                                "    \"union\" INTEGER NOT NULL      -- a word of SQL\n"
                                ");\n");
    bytes_free(&sql);
}

static void test_types(void **state)
{
    (void)state;
    for (int type = 0; type < COLUMN_TYPES; type++)
        assert_true(*graph_column_type(&(struct graph_column){ .type = (enum column_type)type }));
    assert_string_equal(graph_column_type(&keys[0]), "TEXT PRIMARY KEY");
    assert_string_equal(graph_column_type(&keys[1]), "INTEGER PRIMARY KEY");
    assert_string_equal(graph_column_type(&columns[2]), "TEXT NOT NULL UNIQUE");
}

static void test_select(void **state)
{
    static const struct { unsigned flags; const char *sql; } cases[] = {
        { COLUMN_LINE, "SELECT \"union\", long_name FROM things ORDER BY 1" },
        { COLUMN_LOAD, "SELECT name, long_name FROM things ORDER BY 1" },
        { COLUMN_LOAD | COLUMN_LINE, "SELECT \"union\", name, long_name FROM things ORDER BY 1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bytes sql = { 0 };

        assert_int_equal(graph_table_select(&things, cases[i].flags, "ORDER BY 1", &sql), 0);
        assert_int_equal(bytes_append(&sql, "", 1), 0);
        assert_string_equal(sql.at, cases[i].sql);
        bytes_free(&sql);
    }
}

static void test_find(void **state)
{
    (void)state;
    assert_ptr_equal(graph_table_column(&things, COLUMN_MAYBE), &columns[3]);
    assert_null(graph_table_column(&things, COLUMN_HEX64));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_create), cmocka_unit_test(test_views),
                                        cmocka_unit_test(test_last),
                                        cmocka_unit_test(test_types), cmocka_unit_test(test_select),
                                        cmocka_unit_test(test_find) };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
