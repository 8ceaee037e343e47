/* tests/unit/graph/tables.c -- what must hold of every table's description, those of the capabilities among them: the
 * other modules of graph/ take it for granted. */
#include "graph/tables.h"

#include "config/capabilities.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* What reader.c gets back and digest.c can print. */
static const enum column_type in_lines[] = { COLUMN_SNIPPET, COLUMN_DOCUMENT, COLUMN_FLAG, COLUMN_BIT31, COLUMN_U32,
                                             COLUMN_U64, COLUMN_MAYBE, COLUMN_TEXT, COLUMN_HEX128, COLUMN_DATASET };

static const struct graph_table *all[128];
static size_t                    count;

static int list(void **state)
{
    const struct graph_table *const *of = capability_tables();

    (void)state;
    for (size_t i = 0; graph_tables[i]; i++) all[count++] = graph_tables[i];
    for (size_t i = 0; of[i]; i++) all[count++] = of[i];
    return count < 20;
}

static const struct graph_table *find(const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(find(all[i]->name), all[i]);       /* no two of a name */
        assert_true(*all[i]->doc && !strchr(all[i]->doc, '\n'));
        for (size_t k = 0; k < i; k++)
            assert_true(!all[i]->digest || !all[k]->digest || *all[i]->digest != *all[k]->digest);
    }
}

/* graph.db has one name space; a view says of what it is. */
static void test_views(void **state)
{
    const struct graph_view *view[256];
    size_t                   views = 0;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_true(all[i]->column_count || all[i]->views);
        for (const struct graph_view *v = all[i]->views; v && v->name; v++) {
            assert_null(find(v->name));
            assert_true(*v->columns && *v->select && *v->doc && !strpbrk(v->doc, "\n"));
            assert_int_equal(v->doc[strlen(v->doc) - 1], '.');
            for (size_t k = 0; k < views; k++) assert_string_not_equal(view[k]->name, v->name);
            assert_true(views < sizeof view / sizeof *view);
            view[views++] = v;
        }
    }
    assert_true(views > 40);
}

static void test_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < all[i]->column_count; c++) {
            const struct graph_column *column = &all[i]->columns[c];

            assert_true(column->offset < all[i]->row_size && column->doc && !strchr(column->doc, '\n'));
            for (size_t k = 0; k < c; k++) assert_string_not_equal(all[i]->columns[k].name, column->name);
            if (column->of) assert_non_null(find(column->of));
            /* it is asked for the shard and the record */
            if (column->type == COLUMN_SOURCE)
                assert_true(graph_table_column(all[i], COLUMN_SHARD) && graph_table_column(all[i], COLUMN_RECORD));
        }
}

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) {
        size_t lines = 0;

        for (size_t c = 0; c < all[i]->column_count; c++) {
            const struct graph_column *column = &all[i]->columns[c];
            bool                       known = all[i] == &table_edges || all[i] == &table_clusters;

            if (!(column->flags & COLUMN_LINE)) continue;
            for (size_t k = 0; k < sizeof in_lines / sizeof *in_lines; k++) known |= column->type == in_lines[k];
            if (!known) fail_msg("%s.%s cannot be in a line", all[i]->name, column->name);
            /* the order of digits is that of rows: the first column has the same number of them in all */
            if (lines++ == 0 && all[i]->flags & TABLE_SORTED) assert_int_equal(column->type, COLUMN_HEX128);
        }
        assert_int_equal(lines > 0, all[i]->digest != NULL);
        if (all[i]->flags & TABLE_FATES) assert_int_equal(all[i]->row_size, sizeof(struct graph_fate));
        if (all[i]->flags & TABLE_FATES) assert_true(all[i]->flags & TABLE_DOCUMENTS);
        if (all[i]->flags & TABLE_DOCUMENTS) {              /* it begins with a document, or none */
            assert_non_null(graph_table_column(all[i], COLUMN_DOCUMENT));
            assert_int_equal(graph_table_column(all[i], COLUMN_DOCUMENT)->offset, 0);
        }
    }
}

/* SQLite takes what the descriptions make, and the checks find nothing in empty tables. */
static void test_statements(void **state)
{
    struct bytes sql = { 0 };
    sqlite3     *db;
    char        *message = NULL;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    for (size_t i = 0; i < count; i++)
        assert_true(graph_table_create(all[i], &sql) == 0 && graph_table_views(all[i], false, &sql) == 0);
    assert_int_equal(graph_unions_create(all, all + count, false, &sql), 0);
    if (sqlite3_exec(db, sql.at, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
    for (size_t i = 0; i < count; i++) {
        if (all[i]->after && sqlite3_exec(db, all[i]->after, NULL, NULL, &message) != SQLITE_OK)
            fail_msg("%s: %s", all[i]->name, message);
        for (const struct graph_check *check = all[i]->checks; check && check->name; check++) {
            sqlite3_stmt *query;

            if (sqlite3_prepare_v2(db, check->sql, -1, &query, NULL) != SQLITE_OK)
                fail_msg("%s: %s", check->name, sqlite3_errmsg(db));
            assert_int_equal(sqlite3_column_count(query), 3);
            assert_int_equal(sqlite3_step(query), SQLITE_DONE);
            sqlite3_finalize(query);
        }
        for (const struct graph_view *view = all[i]->views; view && view->name; view++) {
            sqlite3_stmt *query;
            char          text[512];

            snprintf(text, sizeof text, "SELECT %s FROM %s", view->columns, view->name);
            if (sqlite3_prepare_v2(db, text, -1, &query, NULL) != SQLITE_OK)
                fail_msg("%s: %s", view->name, sqlite3_errmsg(db));
            assert_int_equal(sqlite3_step(query) == SQLITE_ERROR, 0);
            sqlite3_finalize(query);
        }
    }
    bytes_free(&sql);
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_views),
                                        cmocka_unit_test(test_columns),
                                        cmocka_unit_test(test_lines), cmocka_unit_test(test_statements) };

    return cmocka_run_group_tests_name("tables", tests, list, NULL);
}
