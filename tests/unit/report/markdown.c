/* tests/unit/report/markdown.c -- each kind of node and of cell in Markdown, and what is escaped where. */
#include "report/document.h"
#include "tests/unit/folder.h"

#include <math.h>
#include <string.h>

static void rendered(struct report_document *document, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(report_markdown(document, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
    report_close(document);
}

/* A paragraph's text as it is written. */
static void escaped(const char *text, const char *expected)
{
    struct report_document document;
    char                   whole[200];

    report_open(&document, "T");
    report_paragraph(&document, document.root, "%s", text);
    snprintf(whole, sizeof whole, "# T\n\n%s\n\n", expected);
    rendered(&document, whole);
}

static void test_prose(void **unused)
{
    (void)unused;
    escaped("plain, (text); 50 % - a + b = c!", "plain, (text); 50 % - a + b = c!");
    escaped("a\\b`c*d_e[f]g|h~i$j@k", "a\\\\b\\`c\\*d\\_e\\[f\\]g\\|h\\~i\\$j\\@k");
    escaped("<b>&amp;", "&lt;b&gt;&amp;amp;");
    escaped("# no", "\\# no");
    escaped("+-=#", "\\+-=#");                              /* at the start alone */
    escaped("- a", "\\- a");
    escaped("= a", "\\= a");
    escaped("12. a 3. b", "12\\. a 3. b");
    escaped("7) a", "7\\) a");
    escaped("1.5", "1.5");
    escaped("1.", "1\\.");
    escaped("www.x.org: https://x.org", "www\\.x.org: https\\://x.org");
    escaped("two\nlines\x1b", "two\\\\x0alines\\\\x1b");
}

static const struct report_column columns[] = {
    { "text", "te|xt" }, { "name", "name" }, { "count", "count" }, { "bytes", "MB" }, { "percent", "%" },
    { "of_none", "%" }, { "share", "share" }, { "yes", "yes" }, { "all", "split" }, { "none", "none" },
    { "outcome", "outcome" },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void test_cells(void **unused)
{
    const struct report_cell cell[COLUMNS] = {
        report_cell_text(SLICE("a|b")), report_cell_name(SLICE("n")), report_cell_count(1234567),
        report_cell_bytes(1500000), report_cell_percent(1, 8), report_cell_percent(1, 0), report_cell_share(0.25),
        report_cell_flag(false), report_cell_part(SLICE("")), report_cell_name(SLICE("")),
        report_cell_outcome(SLICE("a|b")),
    };
    struct report_document   document;
    struct report_node      *table;

    (void)unused;
    report_open(&document, "T");
    table = report_table(&document, document.root, "rows", columns, COLUMNS);
    report_row(&document, table, cell);
    report_hide_row(table);
    report_row(&document, table, cell);
    table = report_table(&document, document.root, "hidden", columns, COLUMNS);
    report_row(&document, table, cell);
    report_hide_row(table);
    report_row(&document, report_facts(&document, document.root, "facts", columns + 8, 2), cell + 8);
    rendered(&document,
             "# T\n\n"
             "| te\\|xt | name | count | MB | % | % | share | yes | split | none | outcome |\n"
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- | --- | --- |\n"
             "| a\\|b | n | 1234567 | 1.50 MB | 12.50 % | - | 0.250 | no | all | - | a\\|b |\n\n"
             "- split: all\n\n");
}

/* By how much a number changed: with its sign, whole ones as they are. */
static void test_changes(void **unused)
{
    static const struct report_column change[] = { { "a", "a" }, { "b", "b" }, { "c", "c" }, { "d", "d" }, { "e", "e"
        } };
    const struct report_cell          cell[] = {
        report_cell_change(0), report_cell_change(-1234567), report_cell_change(0.125), report_cell_change(-1e20),
        report_cell_change(NAN),
    };
    struct report_document            document;

    (void)unused;
    report_open(&document, "T");
    report_row(&document, report_table(&document, document.root, "rows", change, 5), cell);
    rendered(&document, "# T\n\n| a | b | c | d | e |\n| ---: | ---: | ---: | ---: | ---: |\n"
             "| +0 | -1234567 | +0.125 | -1e+20 | - |\n\n");
}

/* What only the page and scripts are told has no heading; what an empty table means is said. */
static void test_silence(void **unused)
{
    struct report_document   document;
    const struct report_cell cell[] = { report_cell_count(1) };
    struct report_node      *section, *list;

    (void)unused;
    report_open(&document, "T");
    section = report_section(&document, document.root, "drawn", SLICE("Drawn"));
    list = report_list(&document, section, "each");
    for (int i = 0; i < 2; i++) {
        struct report_node *table = report_table(&document, report_section(&document, list, NULL, SLICE("One")), "t",
                                                 columns + 2, 1);

        report_row(&document, table, cell);
        report_hide_row(table);
    }
    section = report_section(&document, document.root, "empty", SLICE("Empty"));
    report_table(&document, section, "t", columns + 2, 1);
    report_section(&document, document.root, "bare", SLICE("Bare"));
    rendered(&document, "# T\n\n## Empty\n\n## Bare\n\n");
}

static void test_sections(void **unused)
{
    struct report_document document;
    struct report_node    *at;

    (void)unused;
    report_open(&document, "T");
    at = document.root;
    for (int i = 2; i < 9; i++) at = report_section(&document, at, "part", i == 3 ? SLICE("") : SLICE("S*"));
    report_hide(report_section(&document, document.root, "aside", SLICE("not here")));
    at = report_section(&document, report_list(&document, document.root, "items"), NULL, SLICE("I"));
    report_paragraph(&document, at, "p");
    /* without a title a section is no level; there are six */
    rendered(&document, "# T\n\n## S\\*\n\n### S\\*\n\n#### S\\*\n\n##### S\\*\n\n###### S\\*\n\n###### S\\*\n\n"
                        "## I\n\np\n\n");
}

static void test_code(void **unused)
{
    struct report_document document;

    (void)unused;
    report_open(&document, "T");
    report_code(&document, document.root, "a", SLICE("a|b"), SLICE("c++ <b>11"), SLICE("*x*\t<b>\n"));
    report_code(&document, document.root, "b", SLICE(""), SLICE(""), SLICE("````\x1b`"));
    report_code(&document, document.root, "c", SLICE(""), SLICE(""), SLICE(""));
    rendered(&document, "# T\n\na\\|b:\n\n```cb11\n*x*\t<b>\n```\n\n"
                        "`````\n````\\x1b`\n`````\n\n"
                        "```\n```\n\n");
}

static void test_failed(void **unused)
{
    struct report_document document;
    struct bytes           out = { 0 };

    (void)unused;
    report_open(&document, "T");
    document.failed = true;
    assert_int_equal(report_markdown(&document, &out), -ENOMEM);
    assert_int_equal(out.len, 0);
    report_close(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prose), cmocka_unit_test(test_cells), cmocka_unit_test(test_changes),
            cmocka_unit_test(test_silence), cmocka_unit_test(test_sections),
        cmocka_unit_test(test_code), cmocka_unit_test(test_failed),
    };

    return cmocka_run_group_tests_name("report/markdown", tests, NULL, NULL);
}
