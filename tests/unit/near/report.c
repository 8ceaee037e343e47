/* tests/unit/near/report.c -- the part of the report about pass near, from a graph made by hand. */
#include "near/report.h"
#include "tests/unit/near/leaking_graph.h"

static const struct report_part part = { .judge = near_report_judge, .summarise = near_report_summary,
                                         .advise = near_report_advise, .add = near_report_add };

static void test_sections(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_report(&graph, &part, &report);
    /* the highest share first */
    made_says(&report, "75.00 % of other (3 of 4 documents) are in code: 3 have an exact or near duplicate there");
    made_says(&report, "40.00 % of bench (4 of 10 documents) are in code: 2 have an exact or near duplicate there, 1 "
                       "are contained in a document of it, 1 are copies of documents too short to be compared.\n");
    made_json(&report, "benchmarks.0", "{\"benchmark\":\"other\",\"outcome\":\"leaked\",\"percent\":75,"
              "\"verdict\":\"3 of 4 items are in code\",\"leaked\":3,\"items\":4,\"corpus\":\"code\"}");
    made_json(&report, "benchmarks.1", "{\"benchmark\":\"bench\",\"outcome\":\"leaked\",\"percent\":40,"
              "\"verdict\":\"4 of 10 items are in code\",\"leaked\":4,\"items\":10,\"corpus\":\"code\"}");
    assert_true(strstr(report.markdown.at, "75.00 % of other") < strstr(report.markdown.at, "40.00 % of bench"));
    made_silent(&report, "are in stack:");
    made_json(&report, "overlap.between.1.target", "\"code\"");
    made_json(&report, "overlap.between.1.direct", "2");
    made_json(&report, "overlap.between.1.direct_percent", "20");
    made_json(&report, "overlap.between.2.split", "\"test\"");
    made_says(&report, "rows without a match are left out here");
    made_json(&report, "splits.within.0.target_split", "\"train\"");
    made_json(&report, "splits.within.0.direct_percent", "50");
    made_json(&report, "splits.matrix.0.direct_percent.0.train", "50");
    made_json(&report, "pairs.kinds.0.pairs", "1");
    made_json(&report, "pairs.kinds.1.pairs", "2");
    made_json(&report, "pairs.kinds.2.pairs", "0");         /* copies: none, but the row is there */
    made_json(&report, "pairs.kinds.3.pairs", "2");
    made_json(&report, "languages.by_language", "[]");
    made_says(&report, "What the words mean");
    made_says(&report, "The benchmark items that leaked most");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst'), ('near.pairs.exact', '60000000')");
    made_report(&graph, &part, &report);
    made_says(&report, "The pairs are too many for the database and lie in edges.tsv.zst beside it.");
    made_json(&report, "pairs.kinds.0.pairs", "60000000");
    made_report_free(&report);
    made_close(&graph);
}

static void test_nothing(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1);");
    made_report(&graph, &part, &report);                    /* it did not run */
    made_json(&report, "overlap", "");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO run VALUES ('near.view', 'tokens')");
    made_report(&graph, &part, &report);
    made_says(&report, "No document of a benchmark has a pair in another dataset.");
    made_says(&report, "None has a pair.");
    made_report_free(&report);
    made_close(&graph);
}

/* The verdict of the first benchmark. */
static void judges(const struct made_graph *graph, const char *outcome, const char *verdict)
{
    struct made_report report;

    made_report(graph, &part, &report);
    made_json(&report, "benchmarks.0.outcome", outcome);
    made_json(&report, "benchmarks.0.verdict", verdict);
    made_report_free(&report);
}

static const char judged_sql[] =
    "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', 'corpus', 0), ('more', '', 'corpus', 0);"
    "INSERT INTO run VALUES ('near.view', 'tokens'), ('near.across_languages', 'false');"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
    "('bench', '', 'java', 10, 10, 0, 0, 9), ('code', '', 'java', 8, 8, 0, 0, 9), ('more', '', 'java', 8, 8, 0, 0, 9);"
    LEAKING_OVERLAP("bench", "", "code", "", 10, 0, 0, 0)
    LEAKING_OVERLAP("bench", "", "more", "", 10, 0, 0, 0);

/* One change makes it undecided, and is taken back. */
static void doubts(const struct made_graph *graph, const char *change, const char *verdict, const char *back)
{
    made_run(graph, change);
    judges(graph, "\"undecided\"", verdict);
    made_run(graph, back);
    judges(graph, "\"clean\"", "\"no item was found in a corpus\"");
}

/* Nothing found is clean only where enough was looked at: in each corpus, as the gate would ask. */
static void test_verdicts(void **unused)
{
    struct made_graph graph;

    (void)unused;
    made_open(&graph, judged_sql);
    judges(&graph, "\"clean\"", "\"no item was found in a corpus\"");
    doubts(&graph, "UPDATE splits SET documents = 0, admitted = 0 WHERE dataset = 'more'",
           "\"nothing was found, but no document of more could be read\"",
           "UPDATE splits SET documents = 8, admitted = 8 WHERE dataset = 'more'");
    doubts(&graph, "UPDATE splits SET language = 'go' WHERE dataset = 'more'",
           "\"nothing was found, but no item was compared with a document of more\"",
           "UPDATE splits SET language = 'java' WHERE dataset = 'more'");
    doubts(&graph, "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) "
                   "VALUES ('more', '', 'go', 793, 793, 0, 0, 9)",
           "\"nothing was found, but hardly a document of more is in the language of the items\"",
           "UPDATE splits SET documents = 792 WHERE language = 'go'");
    doubts(&graph, "INSERT INTO run VALUES ('near.apart.more', '2')",
           "\"nothing was found, but documents of more have the same bytes as items, but another language, and were "
           "not compared\"", "DELETE FROM run WHERE key = 'near.apart.more'");
    doubts(&graph, "UPDATE splits SET admitted = 4 WHERE dataset = 'bench'",
           "\"nothing was found, but too few items were compared with code: 4 of 10\"",
           "UPDATE splits SET admitted = 10 WHERE dataset = 'bench'");
    doubts(&graph, "UPDATE splits SET rejected = 9 WHERE dataset = 'code'",
           "\"nothing was found, but most records of code could not be used\"",
           "UPDATE splits SET rejected = 8 WHERE dataset = 'code'");
    doubts(&graph, "UPDATE splits SET admitted = 3 WHERE dataset = 'code'",
           "\"nothing was found, but most documents of code are too short to be compared\"",
           "UPDATE splits SET admitted = 4 WHERE dataset = 'code'");
    doubts(&graph, "INSERT INTO skipped VALUES ('more', 's', 'binary', 801)",
           "\"nothing was found, but most files of more were passed over as binary\"",
           "UPDATE skipped SET files = 800");
    doubts(&graph, "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, "
                   "lost, missing, rejected_bytes) VALUES ('code', '', 's', 9, 1, '0', 8, 0, 0, 0, 0, 0, 0)",
           "\"nothing was found, but code was not read to its end\"", "UPDATE shards SET whole = 1");
    made_run(&graph, "UPDATE splits SET admitted = 5 WHERE dataset = 'bench'");
    judges(&graph, "\"clean\"", "\"no item was found in a corpus; 5 of 10 were compared\"");
    /* a gate has the last word: it knows the user's limits */
    made_run(&graph, "UPDATE splits SET admitted = 1 WHERE dataset = 'bench'; INSERT INTO gates VALUES ('leakage', "
                     "'passed', 'bench', 'code', 0, 5, 1, 10, 8, 9, '', ''), ('leakage', 'inconclusive', 'bench', "
                     "'more', 0, 5, 1, 10, 8, 9, '', 'too dark')");
    judges(&graph, "\"undecided\"", "\"nothing was found, but too dark\"");
    made_run(&graph, "UPDATE gates SET doubt = ''");
    judges(&graph, "\"clean\"", "\"no item was found in a corpus; 1 of 10 were compared\"");
    /* and what was found was found */
    made_run(&graph, "UPDATE gates SET doubt = 'too dark'; UPDATE overlap SET direct = 1");
    judges(&graph, "\"leaked\"", "\"1 of 10 items are in code; 1 other corpus has some, too\"");
    made_run(&graph, "UPDATE overlap SET direct = 2 WHERE target = 'more'");
    judges(&graph, "\"leaked\"", "\"2 of 10 items are in more; 1 other corpus has some, too\"");
    made_run(&graph, "DELETE FROM overlap");
    judges(&graph, "\"undecided\"", "\"nothing was found, but it was compared with no corpus\"");
    made_close(&graph);
}

/* Of very many pairs of datasets and splits the largest are told, and where the others are. */
static void test_largest(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_run(&graph, "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9993) INSERT INTO "
                     "overlap SELECT 'bench', '', 'stack', printf('s%d', i), '', 10, 10, i = 9000, i = 9000, 0, 0, 1 "
                     "FROM n");
    made_report(&graph, &part, &report);                    /* 10,000 rows, in the order of the datasets */
    made_json(&report, "overlap.between_rows", "");
    made_json(&report, "overlap.between.9999.target_split", "\"s9993\"");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO overlap VALUES ('bench', '', 'stack', 'last', '', 10, 10, 0, 0, 0, 0, 1)");
    made_report(&graph, &part, &report);
    made_json(&report, "overlap.between_rows.all", "10001");
    made_json(&report, "overlap.between_rows.shown", "10000");
    made_says(&report, "report.json has the largest 10000 rows; view leakage of graph.db has all 10001.");
    made_json(&report, "overlap.between.0.target", "\"code\"");
    made_json(&report, "overlap.between.0.contained", "2");
    made_json(&report, "overlap.between.1.source", "\"other\"");
    made_json(&report, "overlap.between.3.direct", "0");    /* whole datasets come first */
    made_json(&report, "overlap.between.6.split", "\"test\"");
    made_json(&report, "overlap.between.7.target_split", "\"s9000\"");
    made_json(&report, "overlap.between.10000", "");
    made_json(&report, "splits.within_rows", "");
    made_report_free(&report);
    made_close(&graph);
}

/* Datasets without a language in common were not compared, and nobody said so. */
static void test_advice(void **unused)
{
    struct made_graph graph;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_run(&graph, "INSERT INTO run VALUES ('near.across_languages', 'false');"
                     "INSERT INTO splits VALUES ('bench', '', 'java', 10, 10, 0, 0, 1, NULL, NULL), "
                     "('other', '', 'java', 4, 4, 0, 0, 1, NULL, NULL), "
                     "('code', '', 'java', 1, 1, 0, 0, 1, NULL, NULL), "
                     "('stack', '', '', 5, 5, 0, 0, 1, NULL, NULL), ('stack', '', 'c', 5, 5, 0, 0, 1, NULL, NULL), "
                     "('stack', '', 'java', 0, 0, 3, 0, 0, NULL, NULL)");
    made_advises(&graph, &part, "bench is java, stack is c and of no known language: no pair of theirs was compared; "
                                "set `language:` of one of them\n");
    made_run(&graph, "UPDATE splits SET language = 'go' WHERE dataset = 'stack' AND language = ''");
    made_advises(&graph, &part, "bench is java, stack is c and go: no pair of theirs was compared; set `language:` of "
                                "one of them, or across_languages: true\n");
    /* one document among 201 */
    made_run(&graph, "INSERT INTO splits VALUES ('stack', 'x', 'go', 190, 5, 0, 0, 1, NULL, NULL), "
                     "('stack', 'x', 'java', 1, 1, 0, 0, 1, NULL, NULL)");
    made_advises(&graph, &part, "10 of 10 documents of bench are java, as hardly a document of stack is (1 of 201): "
                                "they were compared with those alone; set `language:` where that is wrong\n");
    made_run(&graph, "UPDATE splits SET documents = 3 WHERE documents = 1 AND split = 'x'");
    made_advises(&graph, &part, "");
    /* texts among sources, and no other side than these */
    made_run(&graph, "UPDATE splits SET language = 'text' WHERE dataset = 'bench' OR split = 'x' AND documents = 3");
    made_advises(&graph, &part, "bench is text, other is java: no pair of theirs was compared; set `language:` of one "
                                "of them\nbench is text, code is java: no pair of theirs was compared; set `language:` "
                                "of one of them\n"
                                "10 of 10 documents of bench are text, as hardly a document of stack is (3 of 203): "
                                "they were compared with those alone; set `language:` where that is wrong\n");
    made_run(&graph, "UPDATE run SET value = 'true' WHERE key = 'near.across_languages'");
    made_advises(&graph, &part, "");
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sections), cmocka_unit_test(test_nothing),
                                        cmocka_unit_test(test_verdicts),
                                        cmocka_unit_test(test_largest), cmocka_unit_test(test_advice) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
