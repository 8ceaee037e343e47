/* tests/unit/audit/feature_csv.c -- feature rows from and to CSV; what is refused, and where it stands. */
#include "audit/feature.h"

#include "tests/unit/folder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define HITS "class_hits,function_hits,variable_hits,string_hits,comment_hits,docstring_hits"

static void refused(const char *text, const char *said)
{
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    if (audit_features_parse(&f, "f.csv", slice_of(text), &err) != -EBADMSG || strcmp(err.text, said) != 0)
        fail_msg("`%s' instead of `%s'", err.text, said);
    audit_features_free(&f);
}

static void test_twelve(void **unused)
{
    static const char     text[] =
        ",class_hits,class_nums_total,function_hits,function_nums_total,variable_hits,variable_nums_total,string_hits,"
        "string_nums_total,comment_hits,comment_nums_total,docstring_hits,docstring_nums_total,trained_on\r\n"
        "me/a.py,0,0,0.5,2,0.3333333333333333,3.0,1,1,1e0,1,1,1,1\r\n"
        "\"me/b,\"\"\n.py\",0,0,0.5,2,0.25,4,1,1,1,1,1,1,0\n"
        "\n"
        "c,0,0,0.5,2,0.25,4,1,1,1,1,1,1,";
    struct audit_features f = { 0 }, again = { 0 };
    struct bytes          printed = { 0 }, twice = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_parse(&f, "f.csv", SLICE(text), &err), 0);
    assert_int_equal(f.count, 3);
    assert_string_equal(f.row[1].file, "me/b,\"\n.py");
    assert_true(f.row[0].label == 1 && f.row[1].label == 0 && f.row[2].label == -1);
    assert_true(f.row[0].hits[AUDIT_VARIABLE] == 1.0 / 3 && f.row[0].total[AUDIT_VARIABLE] == 3);
    assert_true(f.row[0].hits[AUDIT_FUNCTION] == 0.5 && f.row[0].total[AUDIT_CLASS] == 0);
    assert_int_equal(audit_features_print(&f, true, &printed), 0);
    assert_int_equal(audit_features_parse(&again, "again", bytes_slice(&printed), &err), 0);
    assert_int_equal(audit_features_print(&again, true, &twice), 0);
    assert_true(slice_equal(bytes_slice(&printed), bytes_slice(&twice)));
    assert_true(again.row[0].hits[AUDIT_VARIABLE] == 1.0 / 3 && again.row[2].label == -1);
    bytes_free(&printed);
    bytes_free(&twice);
    audit_features_free(&f);
    audit_features_free(&again);
}

/* Columns stand anywhere, others are passed over; hits alone leave the totals untold. */
static void test_six(void **unused)
{
    static const char     text[] = "name,repository,docstring_hits,class_hits,note,function_hits,variable_hits,"
                                   "string_hits,comment_hits\n"
                                   "a.py,me/it,0.125,1,x,0,0,0,0\n"
                                   "b.py,,0.5,1,x,0,0,0,0\n";
    struct audit_features f = { 0 };
    struct bytes          out = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_parse(&f, "f.csv", SLICE(text), &err), 0);
    assert_int_equal(f.count, 2);
    assert_string_equal(f.row[0].repository, "me/it");
    assert_null(f.row[1].repository);
    assert_true(f.row[0].hits[AUDIT_DOCSTRING] == 0.125 && f.row[0].hits[AUDIT_CLASS] == 1 && f.row[0].label == -1);
    assert_true(isnan(f.row[0].total[0]) && !audit_features_have_totals(&f));
    assert_int_equal(audit_features_print(&f, false, &out), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("file_name," HITS ",trained_on,repository\n"
                                                     "a.py,1,0,0,0,0,0.125,,me/it\nb.py,1,0,0,0,0,0.5,,\n")));
    bytes_free(&out);
    audit_features_free(&f);
}

/* pandas writes the numbers of rows before all others: where a column is called so, it is the file. */
static void test_numbered(void **unused)
{
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_parse(&f, "f.csv", SLICE(",file_name," HITS "\n0,o/a.py,0,0,0,0,0,1\n"
                                                             "1,o/b.py,1,0,0,0,0,0\n"), &err), 0);
    assert_int_equal(audit_features_parse(&f, "f.csv", SLICE(HITS ",file_name\n1,0,0,0,0,0,c.py\n"), &err), 0);
    assert_int_equal(f.count, 3);
    assert_string_equal(f.row[0].file, "o/a.py");
    assert_string_equal(f.row[1].file, "o/b.py");
    assert_string_equal(f.row[2].file, "c.py");
    assert_true(f.row[1].hits[AUDIT_CLASS] == 1);
    audit_features_free(&f);
    refused("file_name,file_name," HITS "\n", "f.csv:1: column 2 is called as column 1 is");
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("", "f.csv: is empty; a CSV of feature rows begins with names");
    refused("f,class_hits\n", "f.csv:1: there is no column `function_hits`");
    refused("f," HITS ",class_hits\n", "f.csv:1: column 8 is called as column 2 is");
    refused("f," HITS ",class_nums_total\n", "f.csv:1: 1 of 6 columns `..._nums_total`; all or none");
    refused("f," HITS "\na,0,0,0,0,0\n", "f.csv:2: 6 columns, where the first line has 7");
    refused("f," HITS "\n,0,0,0,0,0,0\n", "f.csv:2: column 1: `` is no file name");
    refused("f," HITS "\n\"a\nb\",0,0,0,0,0,0\na,0,0,2,0,0,0\n",
            "f.csv:4: column 4: `2` is no share of hits: a number from 0 to 1");
    refused("f," HITS "\na,0,nan,0,0,0,0\n", "f.csv:2: column 3: `nan` is no share of hits: a number from 0 to 1");
    refused("f," HITS "\na,0, 1,0,0,0,0\n", "f.csv:2: column 3: ` 1` is no share of hits: a number from 0 to 1");
    refused("f," HITS "\na,0,0x1,0,0,0,0\n", "f.csv:2: column 3: `0x1` is no share of hits: a number from 0 to 1");
    refused("f," HITS "\na,0,-0.5,0,0,0,0\n", "f.csv:2: column 3: `-0.5` is no share of hits: a number from 0 to 1");
    refused("f," HITS "\na,0,,0,0,0,0\n", "f.csv:2: column 3: `` is no share of hits: a number from 0 to 1");
    refused("f," HITS ",trained_on\na,0,0,0,0,0,0,0.5\n", "f.csv:2: column 8: `0.5` is no label: 1, 0, or nothing");
    refused("f," HITS "\n\"a\"b,0,0,0,0,0,0\n", "f.csv:2: a quote that is closed before the end of its column");
    refused("f," HITS "\n\"a,0,0,0,0,0,0\n\n", "f.csv:2: a quote that is never closed");
}

static void test_counts(void **unused)
{
    static const char *const bad[][2] = {
        { "0,0,0,0,0,0,0,0,0,0,0,1.5", "column 13: `1.5` is no count of elements" },
        { "0,0,0,0,0,0,0,0,0,0,0,1e300", "column 13: `1e300` is no count of elements" },
        { "0,0,0,0,0,0,0,0,0,0,1,0", "column 12: `1` is no share of hits among no elements" },
    };
    struct bytes text = { 0 };
    char         said[200];

    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        text.len = 0;
        assert_int_equal(bytes_printf(&text, "f"), 0);
        for (int r = 0; r < AUDIT_CATEGORIES; r++)
            assert_int_equal(bytes_printf(&text, ",%s_hits,%s_nums_total", audit_category_names[r],
                                          audit_category_names[r]), 0);
        assert_int_equal(bytes_printf(&text, "\na,%s%c", bad[i][0], 0), 0);
        snprintf(said, sizeof said, "f.csv:2: %s", bad[i][1]);
        refused(text.at, said);
    }
    bytes_free(&text);
}

static void test_files(void **unused)
{
    char                  folder[] = "/tmp/leakgraph-feature-XXXXXX", path[64];
    const double          hits[AUDIT_CATEGORIES] = { 0.1, 1.0 / 7, 1, 0, 0, 0 },
                          total[AUDIT_CATEGORIES] = { 10, 7, 1, 0, 0, 3 };
    struct audit_features f = { 0 }, again = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/f.csv", folder);
    assert_int_equal(audit_features_add(&f, SLICE("x"), SLICE("r"), hits, total, 1, &err), 0);
    assert_int_equal(audit_features_write(&f, true, path, &err), 0);
    assert_int_equal(audit_features_read(&again, path, &err), 0);
    assert_memory_equal(again.row[0].hits, hits, sizeof hits);
    assert_memory_equal(again.row[0].total, total, sizeof total);
    assert_int_equal(audit_features_read(&again, folder, &err), -EISDIR);
    remove_tree(folder);
    assert_int_equal(audit_features_read(&again, path, &err), -ENOENT);
    assert_non_null(strstr(err.text, path));
    audit_features_free(&f);
    audit_features_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twelve), cmocka_unit_test(test_six), cmocka_unit_test(test_numbered),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_counts), cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests_name("audit/feature_csv", tests, NULL, NULL);
}
