/* tests/unit/page/explorer.c -- the widget: where it stands, and that nothing of the data leaves its JSON. */
#include "page/explorer.h"
#include "tests/unit/page/items_graph.h"

/* The widget that was added under the section of that key; NULL: none. */
static const struct report_node *widget_of(const struct report_document *document, const char *key)
{
    for (const struct report_node *node = document->root->child; node; node = node->next)
        if (node->key && strcmp(node->key, key) == 0)
            for (const struct report_node *child = node->child; child; child = child->next)
                if (child->kind == REPORT_WIDGET) return child;
    return NULL;
}

static int add(struct report_document *document, sqlite3 *db, struct err *err)
{
    struct explorer explorer;
    int             rc = explorer_read(&explorer, db, NULL, document->mask, err);

    if (rc == 0) rc = explorer_add(document, &explorer, err);
    explorer_free(&explorer);
    return rc;
}

static void test_widget(void **unused)
{
    struct made_graph         g;
    struct report_document    document;
    const struct report_node *node;
    struct bytes              out = { 0 };
    struct err                err = { 0 };
    sqlite3                  *db;
    const char               *end;

    (void)unused;
    made_open(&g, items_sql);
    db = made_read(&g);
    for (int there = 0; there < 2; there++) {               /* beside the section of the worst items, or alone */
        report_open(&document, "Report");
        if (there)
            report_paragraph(&document, report_section(&document, document.root, "leaked", SLICE("Leaked")), "x");
        assert_int_equal(add(&document, db, &err), 0);
        node = widget_of(&document, "leaked");
        assert_non_null(node);
        assert_true(node->widget->style.len > 0 && node->widget->script.len > 0);
        out.len = 0;
        assert_int_equal(node->widget->render(node->data, "leaked.explorer", &out), 0);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        assert_non_null(strstr(out.at, "id=\"leaked.explorer.all\""));
        assert_non_null(strstr(out.at, "three\\u003c/script\\u003e"));
        end = strstr(out.at, "</script>");
        assert_non_null(end);
        assert_null(strstr(end + 1, "</script>"));
        report_close(&document);
    }
    graph_close(db);
    made_run(&g, "DELETE FROM edges; DELETE FROM function_pairs; DELETE FROM passages; DELETE FROM ngram_rules; "
                 "DELETE FROM clone_pairs");
    db = made_read(&g);
    for (int there = 0; there < 2; there++) {               /* no item: it says so, or is not there */
        report_open(&document, "Report");
        if (there)
            report_paragraph(&document, report_section(&document, document.root, "leaked", SLICE("Leaked")), "x");
        assert_int_equal(add(&document, db, &err), 0);
        assert_true((widget_of(&document, "leaked") != NULL) == there);
        report_close(&document);
    }
    graph_close(db);
    made_run(&g, "UPDATE datasets SET role = 'corpus';");
    db = made_read(&g);
    report_open(&document, "Report");
    assert_int_equal(add(&document, db, &err), 0);
    assert_null(document.root->child);
    report_close(&document);
    graph_close(db);
    bytes_free(&out);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_widget) };

    return cmocka_run_group_tests_name("page/explorer", tests, NULL, NULL);
}
