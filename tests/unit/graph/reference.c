/* tests/unit/graph/reference.c -- the reference tells of every table, column and view, in Markdown that no word of
 * theirs breaks. */
#include "graph/reference.h"

#include "config/capabilities.h"
#include "graph/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const struct graph_column columns[] = {
    { "kind", COLUMN_TEXT, 0, COLUMN_LINE, NULL, "a | b <c> *d*" },
    { "shelf", COLUMN_ID, 0, 0, "shelves", "" },
};
static const struct graph_view  views[] = { { "few", "x, y", "SELECT 1, 2", "Not many." }, { NULL, NULL, NULL, NULL } };
static const struct graph_table made = { .name = "made", .doc = "Of a test.", TABLE_COLUMNS(columns), .views = views };

static const char *reference(const struct graph_table *const *tables, struct bytes *out)
{
    char *views_of_all;

    assert_int_equal(graph_reference(tables, out), 0);
    assert_int_equal(bytes_append(out, "", 1), 0);
    assert_non_null(views_of_all = strstr(out->at, "\n## Views of all tables\n"));     /* behind all tables */
    assert_non_null(strstr(views_of_all, "\nView **found_inside** (item, "));
    *views_of_all = 0;
    return out->at;
}

static void test_form(void **state)
{
    const struct graph_table *const tables[] = { &made, NULL };
    struct bytes                    text = { 0 };
    const char                     *of = strstr(reference(tables, &text), "\n## made\n");

    (void)state;
    assert_non_null(of);                                    /* the last one */
    assert_string_equal(of, "\n## made\n\nOf a test.\n\n| column | type | |\n|---|---|---|\n"
                            "| kind \\* | TEXT NOT NULL | a \\| b \\<c> \\*d\\* |\n"
                            "| shelf | INTEGER NOT NULL, of shelves | |\n"
                            "\nView **few** (x, y). Not many.\n");
    bytes_free(&text);
}

/* One table or view, of all that there are. */
static void test_one(void **state)
{
    const struct graph_table *const tables[] = { &made, NULL };
    struct bytes                    text = { 0 };
    struct err                      err = { 0 };

    (void)state;
    assert_int_equal(graph_reference_of(tables, "made", &text, &err), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_true(strncmp(text.at, "\n## made\n", 9) == 0 && strstr(text.at, "\nView **few** (x, y). Not many.\n"));
    text.len = 0;
    assert_int_equal(graph_reference_of(tables, "few", &text, &err), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, "\nView **few** (x, y). Not many.\n");
    text.len = 0;
    assert_int_equal(graph_reference_of(tables, "found_inside", &text, &err), 0);
    assert_int_equal(graph_reference_of(tables, "edges", &text, &err), 0);
    assert_int_equal(graph_reference_of(tables, "edge", &text, &err), -EINVAL);
    assert_string_equal(err.text, "graph.db has no table or view `edge`; did you mean `edges`?");
    bytes_free(&text);
}

/* Views of others' tables: no table is promised. */
static void test_views(void **state)
{
    static const struct graph_table alone = { .name = "alone", .doc = "Views.", .views = views };
    const struct graph_table *const tables[] = { &alone, NULL };
    struct bytes                    text = { 0 };
    const char                     *of = strstr(reference(tables, &text), "\n## alone\n");

    (void)state;
    assert_non_null(of);
    assert_string_equal(of, "\n## alone\n\nViews.\n\nView **few** (x, y). Not many.\n");
    bytes_free(&text);
}

static void test_all(void **state)
{
    const struct graph_table *const *tables = capability_tables();
    struct bytes                     text = { 0 };
    const char                      *at = reference(tables, &text);

    (void)state;
    for (size_t i = 0, core = 0; graph_tables[core] || tables[i];) {
        const struct graph_table *table = graph_tables[core] ? graph_tables[core++] : tables[i++];
        char                      heading[64];

        snprintf(heading, sizeof heading, "\n## %s\n", table->name);
        assert_non_null(at = strstr(at, heading));          /* each behind the one before */
    }
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_form), cmocka_unit_test(test_one),
                                        cmocka_unit_test(test_views), cmocka_unit_test(test_all) };

    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
