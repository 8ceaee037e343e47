/* tests/unit/report/report.c -- the whole report of small graphs: its sections in order, what the parts add, files. */
#include "page/report_write.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

static const char sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', 'https://b.org', 'benchmark', 0), "
    "('c', '', 'corpus', 0), ('d', '', 'corpus', 0);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, lost, missing, "
    "rejected_bytes) VALUES "
    "('b', '', 'b', 1, 1, '00000000000000aa', 1, 0, 0, 1, 0, 0, 0), "
    "('c', '', 's', 900, 1, '00000000000000aa', 8, 4, 0, 0, 400, 100, 40), "
    "('d', '', 'd', 1, 1, '00000000000000aa', 1, 0, 0, 1, 0, 0, 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes, removed, "
    "removed_bytes) VALUES ('b', 'x', 'java', 6, 3, 0, 0, 1500000, NULL, NULL), "
    "('b', 'y', 'java', 4, 2, 1, 0, 1500000, NULL, NULL), "
    "('c', '', 'c', 4, 4, 4, 0, 10, NULL, NULL), ('d', '', 'c', 4, 4, 0, 0, 10, 0, 0);"
    "INSERT INTO rejects (dataset, shard, record, byte, records, bytes, missing, reason, detail) VALUES "
    "('c', 's', 1, 10, 1, 10, 0, 'empty', '1st'), ('c', 's', 2, 20, 1, 10, 0, 'empty', '2nd'), "
    "('b', 't', 9, 5, 1, 10, 0, 'empty', 'b'), "
    "('c', 's', 3, 30, 1, 10, 0, 'empty', '3rd'), ('c', 's', 4, 40, 1, 10, 0, 'empty', '4th');"
    "INSERT INTO gates VALUES ('leakage', 'failed', 'b', 'c', 40, 5, 5, 10, 4, 10, '40.00 % of b is in c', 'too dark');"
    "INSERT INTO run VALUES ('version', '1.0'), ('configuration', 'output: x' || char(10) || 'graph: {}');";

static int say(struct report_document *out, const char *word)
{
    report_paragraph(out, out->root, "%s", word);
    return 0;
}

static int first_open(struct report_document *out, sqlite3 *db, struct err *err)
{
    (void)db;
    (void)err;
    return say(out, "one opens");
}

static int first_judge(struct report_document *out, struct report_node *verdict, sqlite3 *db, struct err *err)
{
    (void)db;
    (void)err;
    report_paragraph(out, verdict, "one judges");
    return 0;
}

static int first_sum(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    (void)db;
    (void)err;
    report_paragraph(out, found, "one sums");
    return 0;
}

static int first_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    (void)db;
    (void)err;
    return say(out, "one adds");
}

static int second_open(struct report_document *out, sqlite3 *db, struct err *err)
{
    (void)db;
    (void)err;
    return say(out, "two opens");
}

static int second_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    (void)out;
    (void)db;
    return err_set(err, -EIO, "two cannot");
}

static const struct report_part first = { .open = first_open, .judge = first_judge, .summarise = first_sum,
                                          .add = first_add };
static const struct report_part second = { .open = second_open }, third = { .add = second_add };

/* Stands `text` in the report, behind what was looked for before?  The place behind it. */
static const char *says(const char *at, const char *text)
{
    const char *found = strstr(at, text);

    if (!found) fail_msg("not said, or not here: %s\n%s", text, at);
    return found + strlen(text);
}

static void test_whole(void **unused)
{
    const struct report_part *const parts[] = { &first, &second, NULL };
    struct made_graph  g;
    struct made_report report = { 0 };
    struct bytes       json = { 0 };
    struct err         err = { 0 };
    char               path[80];
    const char        *at;

    (void)unused;
    made_open(&g, sql);
    assert_int_equal(report_write(g.folder, parts, capability_tables(), NULL, 1, &err), 0);
    snprintf(path, sizeof path, "%s/report.md", g.folder);
    read_file(path, &report.markdown);
    at = says(report.markdown.at, "# What these datasets share\n\none opens\n\ntwo opens\n\n"
                                  "## In short\n\none judges\n\n## Gates\n\n| gate | outcome | % | at most % |");
    at = says(at, "| leakage | failed | 40.000 | 5.000 | b | c | too dark | 5 | 10 | 4 | 0.00 MB | 40.00 % of b is "
                  "in c |");
    at = says(at, "## Before you trust these numbers\n\nb: 1 of 11 records (9.1 %) were rejected, most often empty, ");
    at = says(at, "c: 4 of 8 records (50.0 %) were rejected, most often empty, first in s, record 1: 1st.\n\n");
    at = says(at, "## What was found\n\none sums\n\n");
    at = says(at, "## What was compared\n\n");
    at = says(at, "| b | benchmark | 10 | 5 | 50.00 % | 1 | 3.00 MB | yes | https\\://b.org |\n");
    at = says(at, "| c | corpus | 4 | 4 | 100.00 % | 4 | 0.00 MB | no | - |\n");
    at = says(at, "| d | corpus | 4 | 4 | 100.00 % | 0 | 0.00 MB | yes | - |\n\none adds\n\n");  /* dedup had it */
    at = says(at, "## Records that could not be used\n\n");
    at = says(at, "| c | empty | 4 |\n| b | empty | 1 |\n\nThe first of each kind:\n\n");
    at = says(at, "1st | - |\n");
    at = says(at, "2nd | - |\n| b | empty | t | 9 | 5 | b | - |\n| c | empty | s | 3 | 30 | 3rd | - |\n\n");
    at = says(at, "| c | 1 | 400 | 40.00 % | 40 |\n");       /* of 900 bytes and the 100 that are missing */
    at = says(at, "| c | s | 400 | 900 |\n");
    at = says(at, "## How to get this again\n\n");
    at = says(at, "```yaml\noutput: x\ngraph: {}\n```\n");
    says(at, "- version: 1.0\n");
    made_silent(&report, "4th");

    snprintf(path, sizeof path, "%s/report.json", g.folder);
    read_file(path, &json);
    report.json = cJSON_Parse(json.at);
    assert_non_null(report.json);
    made_json(&report, "schema", "1");
    made_json(&report, "gates.outcomes.0.outcome", "\"failed\"");
    made_json(&report, "run.settings.version", "\"1.0\"");
    made_json(&report, "run.configuration", "\"output: x\\ngraph: {}\"");
    made_json(&report, "compared.datasets.0.bytes", "3000000");
    made_json(&report, "rejects.reasons.0", "{\"dataset\":\"c\",\"reason\":\"empty\",\"records\":4}");
    made_json(&report, "rejects.examples.3.detail", "\"3rd\"");
    made_json(&report, "rejects.losses.0.lost", "400");
    bytes_free(&json);
    made_report_free(&report);
    made_close(&g);
}

static void test_failures(void **unused)
{
    const struct report_part *const parts[] = { &first, &third, NULL }, *const nobody[] = { NULL };
    struct made_graph g;
    struct err        err = { 0 };
    char              path[80];

    (void)unused;
    made_open(&g, "");
    assert_int_equal(report_write(g.folder, parts, capability_tables(), NULL, 1, &err), -EIO);
    assert_string_equal(err.text, "two cannot");
    snprintf(path, sizeof path, "%s/report.md", g.folder);
    assert_int_equal(access(path, F_OK), -1);
    snprintf(path, sizeof path, "%s/report.json", g.folder);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(report_write(g.folder, nobody, capability_tables(), NULL, 1, &err), 0);     /* an empty graph */
    unlink(g.path);
    assert_int_equal(report_write(g.folder, nobody, capability_tables(), NULL, 1, &err), -ENOENT);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole), cmocka_unit_test(test_failures) };

    return cmocka_run_group_tests_name("report/report", tests, NULL, NULL);
}
