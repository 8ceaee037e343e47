/* tests/unit/ngram/report.c -- the section about the n-gram rules, from rows made by hand. */
#include "ngram/report.h"
#include "tests/unit/made_graph.h"

static const struct report_part part = { .add = ngrams_add };

#define HOSTILE "id|<script>\x1b[2J`"

/* Four items of one benchmark. */
static void snippets(struct bytes *sql)
{
    assert_int_equal(bytes_printf(sql, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), "
                                       "('code', '', 'corpus', 0);"), 0);
    for (int i = 1; i <= 25; i++)
        assert_int_equal(bytes_printf(sql, "INSERT INTO snippets VALUES (%d, '', 'bench', 'java', '[]', %d, NULL, '%s',"
                                           "NULL, NULL, NULL, NULL, NULL, NULL, 's', %d, 0, 1, 1, 1, %d, NULL, "
                                           "NULL);", i, i - 1,
                                      i == 2 ? HOSTILE : "id", i - 1, i), 0);
}

/* snippet, n, words, found of 10 n-grams, longest run, shard */
static void ngram(struct bytes *sql, int snippet, int n, int words, int found, int run, const char *shard)
{
    assert_int_equal(bytes_printf(sql, "INSERT INTO ngrams VALUES (%d, 'text', %d, 'code', 0, 0, %d, 10, 10, 0, %d, 0, "
                                       "0, 0, 0, %d, %s, 77, 5, 'a/b.c', 9, 3, 4, 2, NULL, NULL);", snippet, n, words,
                                  found, run, shard), 0);
}

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    snippets(&sql);
    assert_int_equal(bytes_printf(&sql, "INSERT INTO run VALUES ('ngrams.unit', 'words');"
                                        /* gpt3, palm, llama3, tulu3, exact, windows50, qwen, idf, decon */
                                        "INSERT INTO ngram_rules VALUES "
                                        "(1, 'text', 'code', 1, 1, 0.5, 1, NULL, 0, 1, 0.25, 0.5, 1, 1),"
                                        "(2, 'text', 'code', 0, 1, 1.0, 0, NULL, 1, 0, 0.75, 0.25, 1, 1),"
                                        "(3, 'text', 'code', 0, 1, NULL, 0, NULL, 1, 0, NULL, NULL, 1, 1),"
                                        "(4, 'text', 'code', NULL, 0, NULL, 0, NULL, 1, 0, NULL, NULL, 1, 1);"), 0);
    ngram(&sql, 1, 8, 20, 5, 3, "'s1'");                    /* 10 words */
    ngram(&sql, 2, 8, 20, 10, 7, "'s2'");                   /* 14 words */
    ngram(&sql, 3, 8, 5, 1, 1, "'s3'");                     /* shorter than n: 5 words */
    ngram(&sql, 4, 8, 20, 0, 0, "NULL");                    /* nothing */
    ngram(&sql, 4, 13, 20, 1, 9, "'s4'");                   /* not the smallest n */
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "ngrams.rules.0.items", "4");
    made_json(&report, "ngrams.rules.1", "");
    made_json(&report, "ngrams.rules.0.palm_8gram_percent", "75");
    made_json(&report, "ngrams.rules.0.tulu3_8gram_percent", "25");
    made_json(&report, "ngrams.rules.0.windows50_percent", "75");
    made_json(&report, "ngrams.rules.0.qwen_lcs_percent", "25");
    made_json(&report, "ngrams.rules.0.exact_substring_percent", "null");    /* asked of nobody */
    made_json(&report, "ngrams.rules.0.llama3_8gram_mean", "0.75");
    made_json(&report, "ngrams.rules.0.idf_weighted_mean", "0.5");
    made_json(&report, "ngrams.rules.0.decon_5gram_mean", "0.375");
    made_json(&report, "ngrams.rules.0.gpt3_13gram_percent", "25");         /* of all four, though asked of three */
    made_json(&report, "ngrams.agreement.0.items", "2");    /* the second and the third agree */
    made_json(&report, "ngrams.agreement.0.gpt3_13gram", "\"no\"");
    made_json(&report, "ngrams.agreement.0.exact_substring", "\"\"");
    made_json(&report, "ngrams.agreement.0.windows50", "\"yes\"");
    made_json(&report, "ngrams.agreement.3", "");
    made_json(&report, "ngrams.runs.0.snippet", "2");
    made_json(&report, "ngrams.runs.0.run_words", "14");
    made_json(&report, "ngrams.runs.0.found_percent", "100");
    made_json(&report, "ngrams.runs.0.shard", "\"s2\"");
    made_json(&report, "ngrams.runs.0.record", "77");
    made_json(&report, "ngrams.runs.0.run_place", "\"a/b.c:9\"");
    made_json(&report, "ngrams.runs.1.run_words", "10");
    made_json(&report, "ngrams.runs.2.run_words", "5");
    made_json(&report, "ngrams.runs.3", "");
    made_says(&report, "What the published n-gram rules say");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

/* Twenty runs at most; without the pass nothing. */
static void test_limits(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    snippets(&sql);
    for (int i = 1; i <= 25; i++) ngram(&sql, i, 8, 100, 1, i, "'s'");
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "ngrams", "");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO run VALUES ('ngrams.unit', 'words');");
    made_report(&graph, &part, &report);
    made_json(&report, "ngrams.runs.0.snippet", "25");
    made_json(&report, "ngrams.runs.19.snippet", "6");
    made_json(&report, "ngrams.runs.20", "");
    made_json(&report, "ngrams.rules", "[]");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

/* An item has one row, of its longest run, whatever fields, corpora and repetitions of it have one. */
static void test_repeated(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    snippets(&sql);
    ngram(&sql, 1, 8, 20, 5, 2, "'s'");
    ngram(&sql, 1, 8, 20, 5, 4, "'s'");
    ngram(&sql, 2, 8, 20, 5, 3, "'s'");
    ngram(&sql, 3, 8, 20, 5, 1, "'s'");
    assert_int_equal(bytes_printf(&sql, "INSERT INTO run VALUES ('ngrams.unit', 'words');"
                                        "UPDATE snippets SET xxh128 = 1 WHERE id = 2;"), 0);
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "ngrams.runs.0.snippet", "1");
    made_json(&report, "ngrams.runs.0.run_words", "11");
    made_json(&report, "ngrams.runs.0.more", "2");
    made_json(&report, "ngrams.runs.1.snippet", "3");
    made_json(&report, "ngrams.runs.1.more", "0");
    made_json(&report, "ngrams.runs.2", "");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_limits),
                                        cmocka_unit_test(test_repeated) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
