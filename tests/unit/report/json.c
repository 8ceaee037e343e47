/* tests/unit/report/json.c -- each kind of node and of cell in JSON. */
#include "report/document.h"
#include "tests/unit/folder.h"

#include <string.h>

static const struct report_column columns[] = {
    { "text", "a" }, { "name", "b" }, { "count", "c" }, { "bytes", "d" }, { "percent", "e" }, { "of_none", "f" },
    { "share", "g" }, { "yes", "h" }, { "all", "i" }, { "none", "j" },
    { "outcome", "k" },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void rendered(struct report_document *document, const char *expected)
{
    struct bytes out = { 0 };
    char        *to;

    assert_int_equal(report_json(document, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_int_equal(out.at[out.len - 2], '\n');            /* a text file */
    to = out.at;
    for (const char *from = out.at; *from; from++)
        if (!strchr("\n\t", *from)) *to++ = *from;          /* the layout is cJSON's */
    *to = '\0';
    assert_string_equal(out.at, expected);
    bytes_free(&out);
    report_close(document);
}

static void test_cells(void **unused)
{
    const struct report_cell cell[COLUMNS] = {
        report_cell_text(SLICE("a\"\n\0b\xFF")), report_cell_name(SLICE("n")), report_cell_count(123456789012345),
        report_cell_bytes(1500000), report_cell_percent(1, 8), report_cell_percent(1, 0), report_cell_share(0.25),
        report_cell_flag(true), report_cell_part(SLICE("")), report_cell_name(SLICE("")),
        report_cell_outcome(SLICE("leaked")),
    };
    struct report_document   document;
    struct report_node      *table;

    (void)unused;
    report_open(&document, "T");
    table = report_table(&document, document.root, "rows", columns, COLUMNS);
    report_row(&document, table, cell);
    report_row(&document, table, cell);
    report_hide_row(table);                                 /* for scripts it is there */
    report_facts(&document, document.root, "empty", columns, 0);
    report_table(&document, document.root, "no_rows", columns, COLUMNS);
#define ROW "{\"text\":\"a\\\"\\n\xEF\xBF\xBD" "b\xEF\xBF\xBD\",\"name\":\"n\",\"count\":123456789012345," \
    "\"bytes\":1500000,\"percent\":12.5,\"of_none\":null,\"share\":0.25,\"yes\":true,\"all\":\"\",\"none\":null," \
    "\"outcome\":\"leaked\"}"
    rendered(&document, "{\"title\":\"T\",\"rows\":[" ROW ", " ROW "],\"empty\":{},\"no_rows\":[]}");
}

static void test_nodes(void **unused)
{
    struct report_document document;
    struct report_node    *section, *list, *item;
    struct report_cell     cell[2] = { report_cell_count(1), report_cell_count(2) };

    (void)unused;
    report_open(&document, "T");
    section = report_section(&document, document.root, "part", SLICE(""));
    report_paragraph(&document, section, "prose is for people");
    report_row(&document, report_facts(&document, section, "facts", columns, 2), cell);
    report_code(&document, section, "code", SLICE("title"), SLICE("c"), SLICE("int a;\n"));
    report_hide(section);
    list = report_list(&document, document.root, "items");
    for (int i = 0; i < 2; i++) {
        item = report_section(&document, list, NULL, i ? SLICE("second") : SLICE("first"));
        report_paragraph(&document, item, "more prose");
    }
    rendered(&document, "{\"title\":\"T\",\"part\":{\"facts\":{\"text\":1,\"name\":2},\"code\":\"int a;\\n\"},"
                        "\"items\":[{\"title\":\"first\"}, {\"title\":\"second\"}]}");
}

static void test_failed(void **unused)
{
    struct report_document document;
    struct bytes           out = { 0 };

    (void)unused;
    report_open(&document, "T");
    document.failed = true;
    assert_int_equal(report_json(&document, &out), -ENOMEM);
    assert_int_equal(out.len, 0);
    report_close(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells), cmocka_unit_test(test_nodes), cmocka_unit_test(test_failed),
    };

    return cmocka_run_group_tests_name("report/json", tests, NULL, NULL);
}
