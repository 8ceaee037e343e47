/* tests/unit/dedup/advice.c -- when a reader is warned of what was removed, and of what was not found. */
#include "dedup/report.h"
#include "dedup/task.h"
#include "tests/unit/made_graph.h"

static void heard(const struct made_graph *g, const char *change, const char *expected)
{
    made_run(g, change);
    made_advises(g, &dedup_capability.report, expected);
}

static void test_silent(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
              "('a', '', '', 5, 5, 0, 0, 1)");
    heard(&g, "", "");                                      /* it did not run */
    made_close(&g);
}

static void test_advice(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('java', '', 'corpus', 1);"
                 "INSERT INTO shards VALUES ('java', 'train', 's0', 9, 0, '', 100100, 0, 0, 1, 0, 0, 0), "
                 "('java', 'test', 's1', 9, 0, '', 102, 2, 0, 1, 0, 0, 9), "
                 "('java', 'test', 's2', 9, 0, '', 100, 0, 0, 1, 0, 0, 0);"
                 "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes, "
                 "removed, removed_bytes) VALUES "
                 "('java', 'train', 'java', 99800, 99800, 0, 0, 1, 0, 0), "
                 "('java', 'test', 'java', 200, 200, 0, 0, 1, 180, 0);"
                 "INSERT INTO run VALUES ('dedup.method', 'lsh'), ('dedup.threshold', '0.7'), ('dedup.recall', "
                 "'0.99'), ('dedup.bands', '36'), ('dedup.rows', '6'), "
                 "('dedup.hot_buckets', '0'), ('dedup.hot_members', '0'), ('dedup.sample_pairs', '100'), "
                 "('dedup.sample_found', '98'), ('dedup.mutants', '0');"
                 "INSERT INTO dedup VALUES (1, 1, 1000, 1, 9, 9), (7, 7, 999, 1, 9, 9)");
    heard(&g, "", "");                               /* at the borders of what is worth a warning */
    heard(&g, "UPDATE dedup SET cluster_size = 1001 WHERE snippet = 1",
                 "one cluster holds 1001 of 100000 documents (1.0 %): look at it before you trust what was removed "
                 "(leakgraph show DIR 1)\n");
    heard(&g, "UPDATE dedup SET cluster_size = 999; UPDATE splits SET removed = 181 WHERE split = 'test'",
                 "java, split test: 181 of 200 documents (90.5 %) were removed, hardly anything is left of it\n");

    /* 90 of the 100 documents of shard s1 and 91 of s2; the split as a whole loses too little for the warning above. */
    heard(&g, "UPDATE splits SET removed = 180 WHERE split = 'test';"
                 "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199) INSERT INTO "
                 "snippets (id, snippet, dataset, language, tokens, id_within_dataset, "
                 "split_within_dataset, shard, record, matches, features, distinct_features, admitted, xxh128) SELECT "
                 "1000 + i, '', 'java', 'java', '[]', 100100 + i, 'test', '', "
                 "0, 0, 9, 9, 1, '' FROM n;"
                 "INSERT INTO dedup SELECT id, 1, 999, id >= 1190 + 1 OR id BETWEEN 1000 AND 1009, 9, 9 FROM snippets "
                 "WHERE id >= 1000",
                 "java, split test: 1 of its shards lost more than 90 % of their documents; the first is s2, 91 of "
                 "100\n");
    /* its shards are not named too */
    heard(&g, "UPDATE splits SET removed = 181 WHERE split = 'test'",
                 "java, split test: 181 of 200 documents (90.5 %) were removed, hardly anything is left of it\n");

    heard(&g, "DELETE FROM dedup; UPDATE splits SET removed = 0; UPDATE run SET value = '9' WHERE key = "
                     "'dedup.bands'; UPDATE run SET value = '13' WHERE key = 'dedup.rows';"
                 "UPDATE run SET value = '0.8' WHERE key = 'dedup.threshold'",
                 "9 bands of 13 rows miss 60.1 % of the pairs at the threshold 0.8: leave bands and rows out and say "
                 "recall, or choose smaller rows\n");
    heard(&g, "UPDATE run SET value = '4' WHERE key = 'dedup.rows'; UPDATE run SET value = '90' WHERE key = "
                     "'dedup.sample_found'",
                 "dedup found 90 of 100 pairs of sampled documents: its recall is below 0.9448, not the 0.99 that was "
                 "asked for\n");
    heard(&g, "UPDATE run SET value = '100' WHERE key = 'dedup.sample_found'; UPDATE run SET value = 'exact' "
                     "WHERE key = 'dedup.method';"
                 "UPDATE run SET value = '1000' WHERE key = 'dedup.mutants'; INSERT INTO run VALUES "
                 "('dedup.mutants_found', '999')",
                 "dedup found 999 of 1000 pairs with mutants of sampled documents: its recall is below 0.9998, not "
                 "the 1 that was asked for\n");
    heard(&g, "UPDATE run SET value = '1000' WHERE key = 'dedup.mutants_found'; UPDATE run SET value = '3' "
                     "WHERE key = 'dedup.hot_buckets';"
                 "UPDATE run SET value = '5000' WHERE key = 'dedup.hot_members'",
                 "dedup met 3 buckets of more than bucket_cap documents; what is in them (5000, a document in several "
                 "counted in each) was compared with the preferred one of each bucket only; "
                 "a larger bucket_cap compares all\n");
    made_close(&g);
}

/* What was added in a language of its own was compared with nothing that was there. */
static void test_added(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('items', '', 'benchmark', 1), ('old', '', "
                  "'corpus', 1), ('may', '', 'corpus', 1), ('june', '', 'corpus', 1);"
                  "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes, "
                  "removed, removed_bytes) VALUES ('items', '', 'python', 1, 1, 0, 0, 1, NULL, NULL), "
                  "('old', '', 'text', 9, 9, 0, 0, 1, 0, 0), ('may', '', 'text', 9, 9, 0, 0, 1, 0, 0), "
                  "('may', '', 'java', 9, 9, 0, 0, 1, 0, 0), ('june', '', 'python', 9, 9, 0, 0, 1, 0, 0);"
                  "INSERT INTO run VALUES ('dedup.method', 'exact'), ('dedup.threshold', '0.7'), ('dedup.recall', "
                  "'0.99'), ('dedup.bands', '36'), ('dedup.rows', '6'), ('dedup.hot_buckets', '0'), "
                  "('dedup.hot_members', '0'), ('dedup.sample_pairs', '0'), ('dedup.sample_found', '0'), "
                  "('dedup.mutants', '0'), ('dedup.across_languages', 'false'), ('dedup.added', '0')");
    heard(&g, "", "");                                      /* datasets of one run are of what languages they like */
    heard(&g, "UPDATE run SET value = '2' WHERE key = 'dedup.added'",
          "june was added as python, and what was there before is java and text: none of theirs were compared with "
          "each other; say `language:` of the datasets, in a new folder if it is that of the old ones\n");
    heard(&g, "UPDATE splits SET language = 'c' WHERE dataset = 'may' AND language = 'text'",
          "may was added as c and java, and what was there before is text: none of theirs were compared with each "
          "other; say `language:` of the datasets, in a new folder if it is that of the old ones\n"
          "june was added as python, and what was there before is c and java and text: none of theirs were compared "
          "with each other; say `language:` of the datasets, in a new folder if it is that of the old ones\n");
    heard(&g, "UPDATE run SET value = 'true' WHERE key = 'dedup.across_languages'", "");
    heard(&g, "UPDATE run SET value = 'false' WHERE key = 'dedup.across_languages'; UPDATE splits SET language = "
              "'java' WHERE dataset IN ('old', 'june')", "");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_silent), cmocka_unit_test(test_advice),
                                        cmocka_unit_test(test_added) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
