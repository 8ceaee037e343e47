/* tests/unit/report/tsv.c -- tables as lines: every kind of cell, and files of a document's tables. */
#include "report/tsv.h"

#include "tests/unit/folder.h"

#include <math.h>
#include <stdlib.h>

static const struct report_column columns[] = { { "name", "the name" }, { "n", "N" }, { "x", "X" }, { "is", "?" } };

static struct report_node *made(struct report_document *d)
{
    struct report_node *section, *table;

    report_open(d, "title");
    section = report_section(d, d->root, "part", SLICE("Part"));
    table = report_table(d, section, "things", columns, 4);
    report_row(d, table, (struct report_cell[]){ report_cell_name(SLICE("a\tb\\\n")), report_cell_count(7),
                                                 report_cell_share(0.25), report_cell_flag(true) });
    report_row(d, table, (struct report_cell[]){ report_cell_outcome(SLICE("c")), { .kind = REPORT_NOTHING },
                                                 report_cell_share(NAN), report_cell_flag(false) });
    report_hide_row(table);
    return table;
}

static const char wanted[] = "name\tn\tx\tis\na\\tb\\\\\\n\t7\t0.25\t1\nc\t\t\t0\n";

static void test_cells(void **unused)
{
    struct report_document d = { 0 };
    struct bytes           out = { 0 };

    (void)unused;
    assert_int_equal(report_tsv(made(&d), &out), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE(wanted)));
    bytes_free(&out);
    report_close(&d);
}

static void test_files(void **unused)
{
    char                   folder[] = "/tmp/leakgraph-tsv-XXXXXX", path[64];
    struct report_document d = { 0 };
    struct bytes           text = { 0 };
    struct err             err = { 0 };

    (void)unused;
    assert_non_null(mkdtemp(folder));
    made(&d);
    assert_int_equal(report_tsv_write(&d, folder, &err), 0);
    snprintf(path, sizeof path, "%s/things.tsv", folder);
    read_file(path, &text);
    assert_string_equal(text.at, wanted);
    remove_tree(folder);
    assert_true(report_tsv_write(&d, folder, &err) < 0);
    bytes_free(&text);
    report_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells), cmocka_unit_test(test_files) };

    return cmocka_run_group_tests_name("report/tsv", tests, NULL, NULL);
}
