/* tests/unit/cmd/regress_data.c -- tables of CSV, TSV, JSON and graph.db, sound and damaged. */
#include "cmd/regress.h"
#include "tests/unit/folder.h"
#include "tests/unit/made_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct slice wanted[] = { { "name", 4 }, { "x", 1 }, { "m.nll", 5 } };

/* The cells of all rows, `|` between, rows end with `;`. */
static void tell(const struct frame *f, char *out, size_t room)
{
    *out = 0;
    for (size_t row = 0; row < f->rows; row++)
        for (size_t i = 0; i < f->columns; i++) {
            const struct slice cell = frame_cell(&f->column[i], row);
            const size_t       used = strlen(out);

            snprintf(out + used, room - used, "%.*s%c", (int)cell.len, cell.len ? cell.at : "",
                     i + 1 < f->columns ? '|' : ';');
        }
}

static int read_text(const char *text, size_t len, struct frame *f, struct err *err)
{
    char      path[] = "/tmp/leakgraph-table-XXXXXX";
    const int file = mkstemp(path);
    int       rc;

    assert_true(file >= 0);
    close(file);
    write_file(path, text, len);
    assert_int_equal(frame_open(f, wanted, 3), 0);
    *err = (struct err){ 0 };
    rc = regress_read_file(f, path, err);
    unlink(path);
    return rc;
}

static void reads(const char *text, const char *cells)
{
    struct frame f;
    struct err   err;
    char         told[500];

    if (read_text(text, strlen(text), &f, &err) < 0) fail_msg("%s: %s", text, err.text);
    tell(&f, told, sizeof told);
    if (strcmp(told, cells) != 0) fail_msg("%s: \"%s\", not \"%s\"", text, told, cells);
    frame_close(&f);
}

static void refuses_text(const char *text, size_t len, const char *says)
{
    struct frame f;
    struct err   err;

    if (read_text(text, len, &f, &err) == 0 || !strstr(err.text, says)) fail_msg("%s: \"%s\"", text, err.text);
    frame_close(&f);
}

static void test_files(void **unused)
{
    (void)unused;
    reads("x,other,name,m.nll\n1,2,a,3\n,5,b,NA\n", "a|1|3;b||NA;");
    reads("\xEF\xBB\xBFx,name,m.nll\r\n1,a,3\r\n", "a|1|3;");
    reads("name,x,m.nll\n\"a,\"\"b\"\"\nc\",1,\"2\"\n", "a,\"b\"\nc|1|2;");
    reads("name\tx\tm.nll\na,b\t1\t2\n\n", "a,b|1|2;");
    reads("{\"name\": \"a\", \"x\": 1, \"m\": {\"nll\": 2.5}}\n\n{\"x\": true, \"name\": null, \"m\": {\"nll\": 1e-3}}",
          "a|1|2.5;|1|0.001;");
    reads("[{\"name\": \"a\", \"x\": -1, \"m.nll\": 0.1}, {\"m.nll\": \"z\"}]", "a|-1|0.10000000000000001;||z;");
    reads("[{\"name\": \"9007199254740993\", \"x\": -9007199254740991, \"m.nll\": 1e300}]\r\n \t",
          "9007199254740993|-9007199254740991|1.0000000000000001e+300;");
    reads("{\"x\": 1, \"x\": 2, \"name\": \"a\", \"m\": {\"nll\": 3}, \"m\": {\"nll\": 4}}", "a|2|4;");
    reads(" {\"name\": \"\\u00e9\", \"x\": false, \"m\": {\"nll\": 3}, \"rest\": [1, {}]}", "\xC3\xA9|0|3;");
}

static void test_damage(void **unused)
{
    static const char *const wrong[][2] = {
        { "", "is empty" }, { "x,name\n1,a\n", "has no column `m.nll`: it has x, name" },
        { "nme,x,m.nll\n", "has no column `name`: it has nme, x, m.nll; did you mean `nme`?" },
        { "x,x,name,m.nll\n", "two columns are called `x`" },
        { "name,x,m.nll\na,1\n", ":2: 2 columns, where the first line has 3" },
        { "name,x,m.nll\na,1,2,3\n", ":2: 4 columns" }, { "name,x,m.nll\n\"a,1,2\n", "a quote that is never closed" },
        { "name,x,m.nll\n\"a\"b,1,2\n", "closed before the end" }, { "{\"name\": 1", "1: is no JSON" },
        { "{\"name\": 1, \"x\": 2, \"m\": {\"nll\": 1}}\nx\n", ":2: is no JSON" },
        { "[1]", "record 0: a row is a JSON" },
        { "{\"name\": [1]}", "`name` is neither a number nor a text" }, { "{}\n", "has no column `name`: it has none" },
        { "[{\"name\": 1}", "is no JSON" }, { "{} {}\n", ":1: is no JSON from byte 4" },
        { "{}\n{} rest\n", ":2: is no JSON from byte 4" }, { "[{}]\n[{}]", "is no JSON from byte 6" },
        { "{\"x\": NaN}", "NaN and Infinity are none: write null" }, { "name,x,m.nll\n", "and no rows" },
        { "{\"x\": 9007199254740993}", "numbers from 2^53 are not told apart: write it in quotes" },
        { "{\"name\": 1, \"x\": 2, \"m\": 5}\n", "has no column `m.nll`" },
        { "{}\n{\"name\": \"a\\u0000b\"}\n", ":2: has a NUL" }, { "[{\"na\\u0000me\": 1}]", "has a NUL" },
    };
    struct frame f;
    struct err   err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses_text(wrong[i][0], strlen(wrong[i][0]), wrong[i][1]);
    refuses_text("\0\0\0", 3, "has no column");
    assert_int_equal(frame_open(&f, wanted, 3), 0);
    assert_int_equal(regress_read_file(&f, "/no/such/file", &err), -ENOENT);
    frame_close(&f);
}

/* ---- graph.db ---- */

static const char rows[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0), ('c', '', 'corpus', 0);"
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, source_id, license, shard, "
    "record, matches, features, distinct_features, admitted, xxh128) VALUES "
    "(1, '', 'b', 'python', '[]', 0, 'b0', 'MIT', 's', 0, 3, 9, 9, 1, ''),"
    "(2, '', 'b', 'python', '[]', 1, 'b1', NULL, 's', 1, 0, 9, 9, 1, ''),"
    "(1000000000001, '', 'c', 'python', '[]', 0, 'c0', NULL, 't', 0, 1, 9, 9, 1, ''),"
    "(1000000000002, '', 'c', 'python', '[]', 1, 'c1', NULL, 't', 1, 1, 9, 9, 1, '');"
    "INSERT INTO edges VALUES ('near', 1, 2, 'near', 8, 9, 8, 9, 0.95, 0.9, 0.9, 0.9),"
    "('near', 1, 1000000000001, 'exact', 9, 9, 9, 9, 1.0, 1.0, 1.0, 1.0),"
    "('near', 1, 1000000000002, 'near', 8, 10, 8, 10, 0.8, 0.8, 0.75, 0.9);"
    "INSERT INTO models (id, name, backend, parameters, key) VALUES (1, 'm', 'ngram', 7, ''), "
    "(2, 'n', 'ngram', NULL, '');"
    "INSERT INTO probe_items VALUES (1, 1), (2, NULL);"
    "INSERT INTO probes VALUES (1, 1, 'nll', 0.1), (1, 1, 'ratio:n', 2), (2, 1, 'nll', 3), (1, 2, 'nll', 1.5);";

static int read_run(const struct made_graph *g, const char *const *name, size_t count, const char *query, char *told,
                    struct err *err)
{
    struct slice slices[8];
    struct frame f;
    int          rc;

    for (size_t i = 0; i < count; i++) slices[i] = slice_of(name[i]);
    assert_int_equal(frame_open(&f, slices, count), 0);
    *err = (struct err){ 0 };
    rc = regress_read_run(&f, g->folder, query, err);
    tell(&f, told, 500);
    frame_close(&f);
    return rc;
}

static void test_run(void **unused)
{
    static const char *const near[] = { "item", "nll", "copies", "overlap", "containment", "matches", "model" },
        *const others[] = { "nll", "ratio:n", "parameters", "license", "truth", "dataset" }, *const none[] = { "nlll" },
        *const asked[] = { "a", "b" };
    struct made_graph g;
    struct err        err;
    char              told[500];

    (void)unused;
    made_open(&g, "");
    assert_int_equal(read_run(&g, others, 6, NULL, told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "has asked no model"));
    made_run(&g, rows);
    assert_int_equal(read_run(&g, near, 7, NULL, told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "`copies` is of near duplicates, which this run has not looked for"));
    assert_int_equal(read_run(&g, others, 6, NULL, told, &err), 0);
    assert_string_equal(told, "0.10000000000000001|2|7|MIT|1|b;3||7|||b;1.5|||MIT|1|b;");
    made_run(&g, "INSERT INTO run VALUES ('near.view', 'identifiers')");
    assert_int_equal(read_run(&g, near, 7, NULL, told, &err), 0);
    assert_string_equal(told, "b0|0.10000000000000001|1|1|1|3|m;b1|3|0|0|0|0|m;b0|1.5|1|1|1|3|n;");
    made_run(&g, "INSERT INTO run VALUES ('near.max_matches', '4')");
    assert_int_equal(read_run(&g, near, 7, NULL, told, &err), 0);
    made_run(&g, "UPDATE run SET value = '3' WHERE key = 'near.max_matches'");
    assert_int_equal(read_run(&g, near, 7, NULL, told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "an item has 3 pairs, and graph.db may not have all of its `copies`"));
    assert_int_equal(read_run(&g, others, 6, NULL, told, &err), 0);
    assert_int_equal(read_run(&g, none, 1, NULL, told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "did you mean `nll`"));
    made_run(&g, "INSERT INTO run VALUES ('edges_file', 'edges.tsv')");
    assert_int_equal(read_run(&g, near, 7, NULL, told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "in a file"));
    assert_int_equal(read_run(&g, asked, 2, "SELECT source_id AS a, id AS b, 1 AS c FROM snippets WHERE id < 3", told,
                              &err), 0);
    assert_string_equal(told, "b0|1;b1|2;");
    assert_int_equal(read_run(&g, asked, 2, "SELECT 1 AS a", told, &err), -EINVAL);
    assert_non_null(strstr(err.text, "the query has no column `b`: it has a"));
    assert_true(read_run(&g, asked, 2, "SELEC", told, &err) < 0 && *err.text);
    assert_true(read_run(&g, asked, 2, "DELETE FROM run", told, &err) < 0 && *err.text);
    made_close(&g);
}

/* One statement with columns, and no more than blanks and comments behind it. */
static void test_query(void **unused)
{
    static const char *const wrong[][2] = {
        { "SELECT 1 AS a; SELECT 2 AS a", "takes one statement" }, { "SELECT 1 AS a;; x", "takes one statement" },
        { "SELECT 1 AS a; -- and\nDELETE FROM run", "takes one statement" }, { "", "has no columns" },
        { "-- nothing", "has no columns" }, { "DELETE FROM run", "has no columns" },
    };
    static const char *const asked[] = { "a" };
    struct made_graph g;
    struct err        err;
    char              told[500];

    (void)unused;
    made_open(&g, "");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_run(&g, asked, 1, wrong[i][0], told, &err), -EINVAL);
        if (!strstr(err.text, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], err.text);
    }
    assert_int_equal(read_run(&g, asked, 1, "; SELECT ';' AS a; ; -- all\n /* of; it */ ", told, &err), 0);
    assert_string_equal(told, ";;");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_damage), cmocka_unit_test(test_run),
                                        cmocka_unit_test(test_query),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
