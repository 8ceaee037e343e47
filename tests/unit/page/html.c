/* tests/unit/page/html.c -- each kind of node as HTML, its id, and hostile text in every place that a text may have. */
#include "page/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct report_column columns[] = { { "name", "name" }, { "count", "how <many>" }, { "share", "%" } };

static void add_row(struct report_document *document, struct report_node *table, struct slice name, uint64_t count)
{
    report_row(document, table, (const struct report_cell[]){ report_cell_name(name), report_cell_count(count),
                                                              report_cell_percent(0, 0) });
}

static char *rendered(const struct report_document *document, bool contents)
{
    struct bytes  out = { 0 };
    struct markup m = { &out, 0 };

    (contents ? html_contents : html_add)(&m, document);
    markup_slice(&m, (struct slice){ "", 1 });
    assert_int_equal(m.rc, 0);
    return out.at;
}

static const char *says(const char *html, const char *text)
{
    const char *found = strstr(html, text);

    if (!found) fail_msg("`%s' is not in:\n%s", text, html);
    return found + strlen(text);
}

static void test_nodes(void **unused)
{
    struct report_document d;
    struct report_node    *section, *list, *table;
    char                  *html;
    const char            *at;

    (void)unused;
    report_open(&d, "Title");
    report_paragraph(&d, d.root, "first & last");
    section = report_section(&d, d.root, "part", SLICE("A part"));
    table = report_table(&d, section, "some_rows", columns, 3);
    add_row(&d, table, SLICE("x"), 12345);
    add_row(&d, table, SLICE("seen by scripts alone"), 1);
    report_hide_row(table);
    report_sql(&d, table, SLICE("SELECT 1 < 2"));
    report_table(&d, section, "empty", columns, 3);
    report_hide(report_section(&d, d.root, "hidden", SLICE("Hidden")));
    list = report_list(&d, section, "items");
    for (int i = 0; i < 2; i++) {
        struct report_node *item = report_section(&d, list, NULL, SLICE("Item"));

        add_row(&d, report_facts(&d, item, "facts", columns, 3), SLICE("y"), 7);
        report_code(&d, item, "code", SLICE("How"), SLICE("diff"), SLICE("+ a\n- b\n! c\n  d\n"));
    }
    html = rendered(&d, false);
    at = says(html, "<p>first &amp; last</p>\n<section id=\"part\" aria-labelledby=\"part.heading\">\n"
                    "<h2 id=\"part.heading\">A part<a class=\"anchor\" href=\"#part\"");
    at = says(at, "<div class=\"table\" id=\"part.some_rows\">");
    at = says(at, "A part: some rows</span></caption>\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\" "
                  "class=\"n\">how &lt;many&gt;</th><th scope=\"col\" class=\"n\">%</th></tr></thead>\n<tbody>\n"
                  "<tr><th scope=\"row\" class=\"name\">x</th><td class=\"n\">12,345</td><td class=\"n\">");
    at = says(at, "</tbody></table></div>\n<details class=\"sql\"><summary>SQL</summary><pre tabindex=\"0\"><code>"
                  "SELECT 1 &lt; 2</code></pre></details>\n</div>\n<div class=\"list\" id=\"part.items\">");
    at = says(at, "<section id=\"part.items.n1\" aria-labelledby=\"part.items.n1.heading\">\n<h3 ");
    at = says(at, "<dl class=\"facts\">\n<div><dt>name</dt><dd>y</dd></div>\n<div><dt>how &lt;many&gt;</dt>");
    at = says(at, "<figcaption>How</figcaption><pre tabindex=\"0\"><code><span class=\"more\">+ a\n</span><span "
                  "class=\"less\">- b\n</span><span class=\"other\">! c\n</span>  d\n</code>");
    says(at, "<section id=\"part.items.n2\"");
    assert_null(strstr(html, "seen by scripts"));
    assert_null(strstr(html, "Hidden"));
    assert_null(strstr(html, "empty"));
    free(html);
    html = rendered(&d, true);
    assert_string_equal(html, "<li><a href=\"#part\">A part</a></li>\n");
    free(html);
    report_close(&d);
}

/* Keys of the data, keys that come twice, and keys that look like a place. */
static void test_ids(void **unused)
{
    static const char *const key[] = { "near.min <b>\"", "twice", "twice", "n3", "" };
    struct report_document   d;
    char                    *html;

    (void)unused;
    report_open(&d, "T");
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        report_code(&d, d.root, key[i], SLICE(""), SLICE(""), SLICE("x"));
    html = rendered(&d, false);
    says(html, " id=\"n1\"");
    says(says(html, " id=\"twice\""), " id=\"n3\"");
    says(html, " id=\"n4\"");
    says(html, " id=\"n5\"");
    assert_null(strstr(html, "<b>"));
    free(html);
    report_close(&d);
}

static int widget_render(const void *data, const char *id, struct bytes *out)
{
    return bytes_printf(out, "<b>%s of %s</b>", (const char *)data, id);
}

static const struct report_widget widget = { .render = widget_render };

static void test_widget(void **unused)
{
    struct report_document d;
    struct bytes           other = { 0 };
    char                  *html;

    (void)unused;
    report_open(&d, "T");
    report_widget(&d, d.root, "explorer", SLICE("Look"), &widget, "mine");
    html = rendered(&d, false);
    says(says(html, "<div class=\"widget\" id=\"explorer\">\n<h2 "), "<b>mine of explorer</b>");
    free(html);
    assert_int_equal(report_markdown(&d, &other), 0);       /* the others have nothing of it */
    assert_int_equal(report_json(&d, &other), 0);
    assert_int_equal(bytes_append(&other, "", 1), 0);
    assert_null(strstr(other.at, "Look"));
    assert_null(strstr(other.at, "explorer"));
    bytes_free(&other);
    report_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes), cmocka_unit_test(test_ids), cmocka_unit_test(test_widget),
    };

    return cmocka_run_group_tests_name("page/html", tests, NULL, NULL);
}
