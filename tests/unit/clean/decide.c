/* tests/unit/clean/decide.c -- the records for which a rule holds, by what graph.db says of them. */
#include "tests/unit/clean/world.h"

static struct world w;

static int set_up(void **unused)
{
    (void)unused;
    world_open(&w, "sensitive: {kinds: key}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    world_close(&w);
    return 0;
}

#define EDGE(a, b, kind) "INSERT INTO edges VALUES ('near', " #a ", " #b ", '" kind "', 1, 1, 1, 1, 1, 1, 1, 1);"

static void assert_decided(const char *rule, const char *expected)
{
    struct clean_shards shards = { .job = &w.job, .output = &w.output };
    struct err          err = { 0 };

    world_rule(&w, rule);
    if (decide_output(&shards, &err) < 0) fail_msg("%s: %s", rule, err.text);
    assert_choices(&shards.choices, expected);
    shards_free(&shards);
}

static void assert_refused(const char *rule, int code, const char *message)
{
    struct clean_shards shards = { .job = &w.job, .output = &w.output };
    struct err          err = { 0 };

    world_rule(&w, rule);
    assert_int_equal(decide_output(&shards, &err), code);
    if (!strstr(err.text, message)) fail_msg("%s", err.text);
    shards_free(&shards);
}

/* Every column has a number of its own at snippet 3, which is record 0 of shard 1; and 0 where nothing was found. */
static void test_columns(void **unused)
{
    static const struct { const char *column; int value; } columns[] = {
        { "near", 3 }, { "exact", 2 }, { "contained", 1 }, { "copies", 4 }, { "matches", 5 }, { "leaked", 1 },
        { "from_permissive", 3 }, { "from_weak_copyleft", 1 }, { "from_strong_copyleft", 1 }, { "from_restricted", 1 },
        { "from_unknown", 1 }, { "from_none", 2 }, { "in_repository", 2 }, { "in_functions", 21 },
        { "in_passages", 23 }, { "clone_type1", 6 }, { "clone_type2", 8 }, { "clone_type3", 9 }, { "gpt3_13gram", 11 },
        { "palm_8gram", 12 }, { "llama3_8gram", 13 }, { "tulu3_8gram", 14 }, { "exact_substring", 15 },
        { "windows50", 16 }, { "qwen_lcs", 17 }, { "idf_weighted", 18 }, { "decon_5gram", 20 }, { "clone", 19 },
    };

    (void)unused;
    /* pairs with the other role count, whichever side stands first: those with the benchmark's own do not */
    made_run(&w.g, "WITH RECURSIVE n(i) AS (SELECT 7 UNION ALL SELECT i + 1 FROM n WHERE i < 13) "
             "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, shard, record, matches, "
             "features, distinct_features, admitted, xxh128) SELECT i, '', 'c', '', '[]', i, 'c.jsonl', i, 0, 0, 0, "
             "1, '' FROM n;"
             EDGE(3, 5, "exact") EDGE(3, 6, "exact") EDGE(3, 7, "near") EDGE(3, 8, "contained")
             EDGE(3, 9, "copy") EDGE(3, 10, "copy") EDGE(3, 11, "copy") EDGE(3, 12, "copy") EDGE(3, 13, "below")
             EDGE(2, 3, "near") EDGE(3, 4, "exact")
             "INSERT INTO edges SELECT 'dedup', a, b, kind, 1, 1, 1, 1, 1, 1, 1, 1 FROM edges;"
             "UPDATE snippets SET matches = 5, repo = 'https://x.org/Owner/Name.git' WHERE id = 3;"
             "UPDATE snippets SET license_class = CASE WHEN id < 7 THEN 'permissive' WHEN id = 7 THEN 'weak copyleft' "
             "WHEN id = 8 THEN 'strong copyleft' WHEN id = 9 THEN 'restricted' WHEN id = 10 THEN 'unknown' END;"
             "INSERT INTO passages (item, dataset, shard, record, source_id, license_class, found, runs, share) VALUES "
             "(3, 'c', 's', 0, 's:0', 'permissive', 1, 1, 1);"
             "INSERT INTO repositories VALUES ('a', 'owner/name', 'c', 1, 0, 1, 1, 0, 0, 0), "
             "('a', 'owner/name', 'd', 0, 1, 0, 1, 1, 0, 0), ('a', 'owner/name', 'e', 0, 0, 0, 1, 0, 0, 0), "
             "('a', 'r/name', 'c', 1, 0, 1, 1, 0, 0, 0), ('b', 'owner/name', 'c', 1, 0, 1, 1, 0, 0, 0);"
             "INSERT INTO function_items VALUES (3, 'c', 20), (3, 'd', 1);"
             "INSERT INTO passage_items VALUES (3, 'c', 20), (3, 'd', 3);"
             /* of clones the corpora count that have some of the type, or of a stricter one */
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) INSERT INTO clone_items "
             "SELECT 3, 'corpus' || i, CASE WHEN i <= 6 THEN '1' WHEN i = 7 THEN '2c' WHEN i = 8 THEN '2' ELSE '3' "
             "END, 100 FROM n;"
             /* of fields and corpora the largest value of each counts */
             "INSERT INTO ngram_rules VALUES (3, 'text', 'c', 1, 12, 1, 14, 1, 16, 1, 18, 20, 0, 0), "
             "(3, 'text', 'd', 11, 1, 13, NULL, 15, 1, 17, NULL, 2, 0, 0);"
             "INSERT INTO clone_documents VALUES ('a', 'a2.jsonl', 0, NULL, NULL, 99, 19, 0, NULL, NULL, 0, NULL, 0), "
             "('c', 'a2.jsonl', 1, NULL, NULL, 99, 1, 0, NULL, NULL, 0, NULL, 0);");
    assert_int_equal(sizeof columns / sizeof *columns, w.columns.count);
    for (size_t c = 0; c < w.columns.count; c++) {
        char rule[64], expected[256];

        snprintf(rule, sizeof rule, "%s = %d", columns[c].column, columns[c].value);
        snprintf(expected, sizeof expected, "1:0 %s", rule);
        assert_decided(rule, expected);
        snprintf(rule, sizeof rule, "%s = 0", columns[c].column);
        snprintf(expected, sizeof expected, "0:0 %s, 0:2 %s, 1:1 %s", rule, rule, rule);
        assert_decided(rule, expected);
    }
    assert_decided("near and clone > 20 or exact", "1:0 exact");
}

/* The hash is that of the record's text; of a corpus likewise. */
static void test_hash(void **unused)
{
    struct clean_shards        shards = { .job = &w.job, .output = &w.output };
    const struct clean_choice *choice;
    struct err                 err = { 0 };

    (void)unused;
    made_run(&w.g, EDGE(2, 6, "near"));
    w.member[1] = true;
    world_rule(&w, "near");
    assert_int_equal(decide_output(&shards, &err), 0);
    assert_choices(&shards.choices, "0:2 near, 2:1 near");
    choice = (const void *)shards.choices.choice.at;
    assert_true(choice[0].hash.low == content_hash_raw(SLICE("four")).low &&
                choice[0].hash.high == content_hash_raw(SLICE("four")).high);
    assert_true(choice[1].hash.low == content_hash_raw(SLICE("nine")).low);
    shards_free(&shards);
}

/* A pair that graph.db does not have would leave a record in its place without a word. */
static void test_pairs(void **unused)
{
    (void)unused;
    made_run(&w.g, EDGE(1, 5, "near") EDGE(2, 5, "near") EDGE(3, 5, "near"));
    w.columns.pairs_most = 4;
    assert_decided("near", "0:0 near, 0:2 near, 1:0 near");
    w.columns.pairs_most = 3;
    assert_refused("near", -EINVAL, "a document has 3 pairs, and graph.db may not have all of its pairs");
    assert_refused("copies or clone", -EINVAL, "or let the rule ask for `matches`");
    assert_decided("matches or clone", "");                 /* which asks for no pairs */
    made_run(&w.g, "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst')");
    w.columns.pairs_most = 1000;
    assert_refused("exact", -EINVAL, "the pairs are too many for graph.db and lie in files beside it");
}

static void test_damaged(void **unused)
{
    (void)unused;
    made_run(&w.g, "UPDATE snippets SET xxh128 = '12' WHERE id = 1");
    assert_refused("matches = 0", -EBADMSG, "graph.db: a snippet of a has no xxh128");
    made_run(&w.g, "UPDATE snippets SET shard = 'b.jsonl' WHERE id = 1");
    assert_refused("matches = 0", -EBADMSG, "graph.db: shard b.jsonl of a is not among the run's");
    w.r.run.draft = "/nowhere/graph.db";
    assert_refused("near", -ENOENT, "/nowhere/graph.db");
}

/* Spans of those that are chosen; who has none stays as it is. */
static void test_spans(void **unused)
{
    struct clean_shards        shards = { .job = &w.job, .output = &w.output, .action = CLEAN_CUT };
    struct err                 err = { 0 };

    (void)unused;
    made_run(&w.g, "UPDATE snippets SET matches = id; INSERT INTO clone_spans VALUES ('a', 'a1.jsonl', 0, 1, 1, NULL), "
                   "('a', 'a1.jsonl', 0, 3, 4, NULL), ('a', 'a1.jsonl', 2, 9, 9, NULL),"
                   "('a', 'a2.jsonl', 1, 2, 5, NULL), "
                   "('c', 'c.jsonl', 0, 7, 7, NULL)");
    world_rule(&w, "matches = 1 or matches > 2");
    if (decide_output(&shards, &err) < 0) fail_msg("%s", err.text);
    assert_choices(&shards.choices, "0:0 1-1 3-4 matches = 1, 1:1 2-5 matches > 2");
    shards_free(&shards);
}

static void assert_duplicates(bool transitive, char *against, const char *expected)
{
    struct clean_shards shards = { .job = &w.job, .output = &w.output };
    struct err          err = { 0 };

    w.output.transitive = transitive, w.output.against = against;
    if (decide_duplicates(&shards, &err) < 0) fail_msg("%s", err.text);
    assert_choices(&shards.choices, expected);
    shards_free(&shards);
}

/* Of the corpus c: pairs with the benchmark a. */
static void test_duplicates(void **unused)
{
    char none[] = "", a[] = "a", c[] = "c";

    (void)unused;
    w.member[0] = false, w.member[1] = true;
    made_run(&w.g, EDGE(1, 6, "contained") EDGE(5, 6, "near")
             "INSERT INTO clusters VALUES ('near', 5, 5), ('near', 6, 5), ('dedup', 1, 1), ('dedup', 5, 1)");
    assert_duplicates(false, none, "");
    assert_duplicates(true, none, "");
    made_run(&w.g, EDGE(4, 5, "exact") "UPDATE clusters SET cluster = 4 WHERE pass = 'near';"
             "INSERT INTO clusters VALUES ('near', 4, 4)");
    assert_duplicates(false, none, "2:0 duplicate");
    assert_duplicates(false, a, "2:0 duplicate");
    assert_duplicates(false, c, "");                        /* its own pairs are none */
    assert_duplicates(true, a, "2:0 duplicate, 2:1 duplicate");
    assert_duplicates(true, c, "");
    w.member[0] = true, w.member[1] = false;                /* the other way round: a document of a is the first */
    made_run(&w.g, "UPDATE datasets SET role = 'benchmark' WHERE id = 'c'");
    assert_duplicates(false, none, "1:1 duplicate");
    assert_duplicates(false, c, "1:1 duplicate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pairs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_duplicates, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
