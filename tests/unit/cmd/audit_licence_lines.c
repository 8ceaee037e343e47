/* tests/unit/cmd/audit_licence_lines.c -- lines of a small graph, and of one with records that could not be used. */
#include "cmd/audit_licence_lines.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/said.h"

#include <errno.h>

static const char rows_sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('d', '', 'benchmark', 0);"
    "INSERT INTO run VALUES ('rejected', '0');"
    "INSERT INTO compliance_functions VALUES "
    "(1, 'f\t1', NULL, 'MIT', 'permissive', 11, 4, 1, 9, 99, 2, NULL, 'd', 's', 0), "
    "(2, 'g', NULL, NULL, NULL, 12, 5, 1, 9, 99, 2, NULL, 'd', 's', 1);"
    "INSERT INTO compliance_answers VALUES ('m', 1, 0.5, 0.7, 0.2, 0.7, 1, 0, NULL, NULL, 0, NULL, NULL), "
    "('m', 2, 1.0 / 3, 0.1, 0.2, 1.0 / 3, 0, 1, 'MIT', NULL, 0, NULL, NULL);"
    "INSERT INTO compliance_groups VALUES ('m', 'd', 1, 2, 0, 3, 1, 0, 0, 0, 0, 0.952), "
    "('n', 'd', 1, 2, 0, 2, 2, 1, 1, 1, 0, NULL);";

static void file_is(const struct made_graph *g, const char *name, const char *wanted)
{
    char   path[128], text[4096];
    FILE  *in;
    size_t len;

    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    in = fopen(path, "r");
    assert_non_null(in);
    len = fread(text, 1, sizeof text - 1, in);
    text[len] = '\0';
    fclose(in);
    assert_string_equal(text, wanted);
}

static const char pairs[] =
    "group\tid\tbleu\tjaccard\tedit\tmost\tcomments_shared\tlines\tcomplexity\tstriking\tlicense\ttype\tnamed\tright\n"
    "m\tf\\x091\t0.500000\t0.700000\t0.200000\t0.700000\t1\t11\t4\t0\tMIT\tpermissive\t\t0\n"
    "m\tg\t0.333333\t0.100000\t0.200000\t0.333333\t0\t12\t5\t1\t\t\tMIT\t\n";

static void test_lines(void **unused)
{
    struct made_graph g;
    struct said       said;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, rows_sql);
    assert_int_equal(audit_licence_write(NULL, g.folder, &err), 0);
    file_is(&g, "pairs.tsv", pairs);
    file_is(&g, "summary.tsv",
            "group\tanswers\tbenchmark\tstriking\tpercent\taccuracy\tpermissive\taccuracy_permissive\tcopyleft\t"
            "accuracy_copyleft\tlico\nm\t2\t3\t1\t33.33\t\t0\t\t0\t\t0.952\n"
            "n\t2\t2\t2\t100.00\t0.5000\t1\t1.0000\t1\t0.0000\t\n");
    said_begin(&said);
    assert_int_equal(audit_licence_print(NULL, g.folder, &err), 1);     /* that is all for standard output */
    said_end(&said);
    assert_string_equal(said.text.at, pairs);
    said_free(&said);
    made_close(&g);
}

static void test_rejects(void **unused)
{
    struct made_graph g;
    struct said       said;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, rows_sql);
    made_run(&g, "UPDATE run SET value = '7' WHERE key = 'rejected'; "
                 "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6) "
                 "INSERT INTO rejects SELECT 'd', 's.jsonl', i, 0, 1, 9, 0, 'refused', 'why ' || i, NULL FROM n");
    said_begin(&said);
    assert_int_equal(audit_licence_print(NULL, g.folder, &err), -EBADMSG);
    said_end(&said);
    assert_string_equal(err.text, "audit licence: 7 records could not be read, of which the first are listed");
    assert_non_null(strstr(said.text.at, "s.jsonl: record 4: why 4"));
    assert_null(strstr(said.text.at, "why 5"));
    assert_non_null(strstr(said.text.at, "\tg\t"));         /* what could be read is there */
    said_free(&said);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines), cmocka_unit_test(test_rejects) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
