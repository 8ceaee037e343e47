/* tests/unit/dedup/report.c -- what the report and `show` say of pass dedup, from a graph whose numbers are
 * known. */
#include "tests/unit/sample_graph.h"

#include "graph/read.h"
#include "config/capabilities.h"
#include "page/report_write.h"
#include "report/show.h"

#include <cjson/cJSON.h>

/* ---- a graph.db made by statements on the real schema ---- */

struct fixture { char folder[64], path[80]; };

static void run_sql(const struct fixture *f, const char *sql)
{
    sqlite3 *db;
    char    *message = NULL;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", message, sql);
    sqlite3_close(db);
}

static void fixture_open(struct fixture *f, const char *sql)
{
    struct graph empty = { 0 };
    char         digest[33];
    struct err   err = { 0 };

    sample_folder(f->folder);
    snprintf(f->path, sizeof f->path, "%s/graph.db", f->folder);
    assert_int_equal(graph_digest(&empty, digest, &err), 0);
    assert_int_equal(graph_write(&empty, capability_tables(), f->path, digest, 1, &err), 0);
    run_sql(f, sql);
}

static sqlite3 *fixture_read(const struct fixture *f)
{
    sqlite3   *db;
    struct err err = { 0 };

    if (graph_open(&db, f->path, &err) < 0) fail_msg("%s", err.text);
    return db;
}

/* Twelve documents, nine of them stored.  Cluster of 1: 3 has its bytes, 4 is similar, 6 has its features.  Cluster of
 * 5: 7 is contained, 8 connected through others, 2 protected.  9 has a pair with 4 and stands alone.  Record 1 of the
 * first shard is a reject. */
static const char clusters_sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('a`|<b>', '', 'corpus', 1), ('b', '', 'corpus', 1);"
    "INSERT INTO shards VALUES ('a`|<b>', 'train', 's0', 9, 0, '', 4, 1, 0, 1, 0, 0, 9), "
    "('a`|<b>', 'train', 's1', 9, 0, '', 2, 0, 0, 1, 0, 0, 0), "
    "('a`|<b>', 'test', 's2', 9, 0, '', 3, 0, 0, 1, 0, 0, 0), "
    "('b', '', 's3', 9, 0, '', 4, 0, 0, 1, 0, 0, 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes, removed, "
    "removed_bytes) VALUES ('a`|<b>', 'train', 'java', 5, 5, 1, 0, 5000000, 1, 1000000), "
    "('a`|<b>', 'test', 'java', 2, 2, 0, 0, 2000000, 1, 500000), "
    "('a`|<b>', 'test', 'python', 1, 1, 0, 0, 1000000, 0, 0), "
    "('b', '', 'java', 4, 4, 0, 0, 2000000, 3, 1500000);"
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, "
    "source_id, path, repo, shard, record, matches, features, "
    "distinct_features, admitted, xxh128) SELECT column1, 'text ' || column1, column2, 'java', '[]', column3, "
    "column4, 'id-' || column1, 'src/<script>\x1b' || column1, column5, "
    "column6, 0, 0, 40, 30, 1, '' FROM (VALUES (1, 'a`|<b>', 0, 'train', 'r1', 's0'), (2, 'a`|<b>', 2, 'train', 'r1', "
    "'s0'), (3, 'a`|<b>', 3, 'train', 'r1', 's1'), "
    "(4, 'a`|<b>', 5, 'test', 'r2', 's2'), (5, 'a`|<b>', 6, 'test', 'r2', 's2'), (6, 'b', 0, NULL, 'r3', 's3'), (7, "
    "'b', 1, NULL, NULL, 's3'), (8, 'b', 2, NULL, NULL, 's3'), "
    "(9, 'b', 3, NULL, NULL, 's3'));"
    "INSERT INTO dedup (snippet, canonical, cluster_size, kept, features, distinct_features) VALUES (1, 1, 4, 1, 50, "
    "20), (2, 5, 4, 1, 50, 20), (3, 1, 4, 0, 50, 20), "
    "(4, 1, 4, 0, 50, 21), (5, 5, 4, 1, 50, 20), (6, 1, 4, 0, 50, 20), (7, 5, 4, 0, 50, 20), (8, 5, 4, 0, 50, 20), "
    "(9, 9, 1, 1, 50, 20);"
    "INSERT INTO edges (pass, a, b, kind, shared, \"union\", min_sum, max_sum, set_similarity, multiset_similarity, "
    "containment_a, containment_b) VALUES "
    "('dedup', 1, 3, 'exact', 20, 20, 50, 50, 1, 1, 1, 1), ('dedup', 1, 4, 'near', 18, 23, 40, 60, 18.0 / 23, 40.0 / "
    "60, 0.9, 18.0 / 21), "
    "('dedup', 1, 6, 'near', 20, 20, 50, 50, 1, 1, 1, 1), ('dedup', 4, 9, 'near', 15, 21, 40, 60, 0.714, 0.667, 0.8, "
    "0.9), "
    "('near', 1, 3, 'near', 17, 20, 40, 50, 0.85, 0.8, 0.9, 0.9), ('dedup', 5, 7, 'contained', 19, 40, 19, 80, 0.475, "
    "0.2375, 0.5, 0.95);"
    "INSERT INTO run VALUES ('dedup.view', 'shingles:5'), ('dedup.method', 'auto'), ('dedup.write', 'shards'), "
    "('dedup.threshold', '0.7'), ('dedup.recall', '0.99'), "
    "('dedup.bands', '36'), ('dedup.rows', '6'), ('dedup.exact_features', '81'), ('dedup.documents', '12'), "
    "('dedup.removed', '5'), ('dedup.text_bytes', '10000000'), ('dedup.removed_bytes', '3000000'), "
    "('dedup.clusters', '2'), ('dedup.largest_cluster', '4'), ('dedup.copies', '2'), ('dedup.sample_documents', "
    "'12'), ('dedup.sample_pairs', '10'), "
    "('dedup.sample_found', '10'), ('dedup.mutants', '40'), ('dedup.mutants_found', '39');";

/* ---- the report ---- */

static char *report_read(const struct fixture *f, const char *name)
{
    char  path[128], *text = calloc(1, 1 << 20);
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    file = fopen(path, "rbe");
    assert_true(file && text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void report_make(const struct fixture *f, char **markdown, cJSON **json)
{
    struct err err = { 0 };
    char      *text;

    if (report_write(f->folder, capability_reports(), capability_tables(), NULL, 1, &err) < 0) fail_msg("%s", err.text);
    *markdown = report_read(f, "report.md");
    text = report_read(f, "report.json");
    *json = cJSON_Parse(text);
    assert_non_null(*json);
    free(text);
}

static cJSON *find(cJSON *json, const char *path)           /* "dedup.clusters.largest" */
{
    char name[64];

    for (size_t len; json && *path; path += len + (path[len] == '.')) {
        len = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)len, path);
        json = cJSON_GetObjectItem(json, name);
    }
    assert_non_null(json);
    return json;
}

/* Rows of the view, which tells nothing where it cannot know. */
static void expect_kinds(const struct fixture *f, uint64_t expected)
{
    struct err err = { 0 };
    sqlite3   *db;
    uint64_t   count;

    assert_int_equal(graph_open(&db, f->path, &err), 0);
    assert_int_equal(graph_count(db, "SELECT count(*) FROM dedup_kinds", &count, &err), 0);
    assert_int_equal(count, expected);
    graph_close(db);
}

static double number(cJSON *json, const char *path, int row, const char *key)
{
    return find(cJSON_GetArrayItem(find(json, path), row), key)->valuedouble;
}

static const char *word(cJSON *json, const char *path, int row, const char *key)
{
    return find(cJSON_GetArrayItem(find(json, path), row), key)->valuestring;
}

#define assert_near(x, y) assert_true((x) - (y) < 1e-9 && (y) - (x) < 1e-9)

static void test_report(void **state)
{
    static const struct { const char *kind; double documents; } kinds[] =
        { { "bytes", 1 }, { "features", 1 }, { "similar", 1 }, { "contained", 1 }, { "indirect", 1 } };
    struct fixture f;
    char          *markdown;
    cJSON         *json;

    (void)state;
    fixture_open(&f, clusters_sql);
    report_make(&f, &markdown, &json);
    assert_non_null(strstr(markdown, "41.67 % of the documents (5 of 12), with 30.00 % of the text (3.00 of 10.00 "
                                     "MB), repeat a document that stays and are removed."));
    assert_null(strstr(markdown, "<script>"));
    assert_null(strchr(markdown, '\x1b'));
    assert_null(strstr(markdown, "benchmark"));             /* the other pass did not run */
    assert_null(cJSON_GetObjectItem(json, "overlap"));
    assert_near(find(json, "dedup.summary.protected")->valuedouble, 1);

    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.splits")), 3);
    assert_non_null(strstr(markdown, "| all | 3 | 1 | 33.33 % | 3.00 MB | 0.50 MB | 16.67 % |"));
    assert_string_equal(word(json, "dedup.splits", 2, "dataset"), "b");
    assert_near(number(json, "dedup.splits", 2, "removed_percent"), 75);
    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.by_language.languages")), 4);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(word(json, "dedup.why.kinds", i, "kind"), kinds[i].kind);
        assert_near(number(json, "dedup.why.kinds", i, "documents"), kinds[i].documents);
        assert_near(number(json, "dedup.why.kinds", i, "percent"), 20);
    }
    expect_kinds(&f, 5);

    assert_string_equal(find(json, "dedup.asked.settings.view")->valuestring, "shingles:5");
    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.asked.curve")), 21);
    assert_true(number(json, "dedup.asked.curve", 14, "caught") > 0.98 &&
                number(json, "dedup.asked.curve", 10, "caught") < 0.5);
    assert_non_null(strstr(markdown, "Documents of up to 81 distinct features were compared exactly"));
    assert_non_null(strstr(markdown, "Precision is 1"));
    assert_near(number(json, "dedup.recall.measured", 0, "recall_percent"), 100);
    assert_true(number(json, "dedup.recall.measured", 0, "low") > 0.722 &&
                number(json, "dedup.recall.measured", 0, "low") < 0.723);
    assert_near(number(json, "dedup.recall.measured", 1, "recall_percent"), 97.5);

    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.clusters.largest")), 2);
    assert_near(number(json, "dedup.clusters.largest", 0, "id"), 1);
    assert_near(number(json, "dedup.clusters.largest", 0, "removed"), 3);
    /* the pair of 4 and 9 is of other clusters */
    assert_near(number(json, "dedup.clusters.largest", 0, "smallest_similarity"), 18.0 / 23);
    assert_near(number(json, "dedup.clusters.largest", 0, "repositories"), 3);
    assert_string_equal(word(json, "dedup.clusters.largest", 0, "source_id"), "id-1");
    assert_near(number(json, "dedup.clusters.largest", 1, "removed"), 2);
    assert_near(number(json, "dedup.clusters.largest", 1, "smallest_similarity"), 0.475);
    assert_near(number(json, "dedup.clusters.largest", 1, "repositories"), 2);

    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.flows.between")), 2);
    assert_near(number(json, "dedup.flows.between", 0, "documents"), 2);
    assert_near(number(json, "dedup.flows.between", 0, "percent"), 25);
    assert_string_equal(word(json, "dedup.flows.between", 1, "dataset"), "b");
    assert_string_equal(word(json, "dedup.flows.between", 1, "kept_dataset"), "a`|<b>");
    assert_near(number(json, "dedup.flows.between", 1, "documents"), 3);
    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.split_flows.between_splits")), 2);
    assert_string_equal(word(json, "dedup.split_flows.between_splits", 0, "split"), "train");
    assert_string_equal(word(json, "dedup.split_flows.between_splits", 1, "split"), "test");
    assert_string_equal(word(json, "dedup.split_flows.between_splits", 1, "kept_split"), "train");
    assert_near(number(json, "dedup.split_flows.between_splits", 1, "percent"), 100.0 / 3);
    cJSON_Delete(json);
    free(markdown);

    /* Beside the other pass, its sections are there; pairs that lie aside are not counted as none. */
    run_sql(&f, "INSERT INTO run VALUES ('near.view', 'identifiers'), ('edges_file', 'edges.tsv.zst'); DELETE FROM "
                "edges; UPDATE run SET value = 'exact' WHERE key = 'dedup.method'");
    report_make(&f, &markdown, &json);
    assert_non_null(strstr(markdown, "No document of a benchmark has a pair in another dataset."));
    assert_non_null(find(json, "overlap"));
    assert_null(cJSON_GetObjectItem(find(json, "dedup.why"), "kinds"));
    expect_kinds(&f, 0);
    assert_null(cJSON_GetObjectItem(find(json, "dedup.asked"), "curve"));
    assert_non_null(strstr(markdown, "All documents were compared exactly"));
    assert_true(cJSON_IsNull(find(cJSON_GetArrayItem(find(json, "dedup.clusters.largest"), 0), "smallest_similarity")));
    cJSON_Delete(json);
    free(markdown);
    sample_folder_remove(f.folder);
}

/* Of one split all that was removed is one flow, of two as many as there are; none where nothing was removed. */
static void test_flows(void **state)
{
    static const char schema[] =
        "INSERT INTO datasets (id, url, role, self_join) VALUES ('c', '', 'corpus', 1);"
        "INSERT INTO shards VALUES ('c', 's', '0', 9, 0, '', 2, 0, 0, 1, 0, 0, 9), ('c', 's', '1', 9, 0, '', 4, 0, 0, "
        "1, 0, 0, 0);"
        "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, shard, record, matches, "
        "features, distinct_features, admitted, xxh128) SELECT column1, '', 'c', 'java', '[]', column1 - 1, "
        "column1 > 2, 0, 0, 40, 30, 1, '' FROM (VALUES (1), (2), (3), (4), (5), (6));"
        "INSERT INTO dedup (snippet, canonical, cluster_size, kept, features, distinct_features) VALUES (1, 1, 1, 1, "
        "0, 0), (2, 5, 2, 1, 0, 0), (3, 3, 1, 1, 0, 0), (4, 4, 1, 1, 0, 0), (5, 5, 2, 1, 0, 0), (6, 6, 1, 1, 0, 0);";
    static const struct { const char *change; uint64_t flows, documents, within; } steps[] = {
        { "", 0, 0, 0 },
        { "UPDATE dedup SET kept = 0 WHERE snippet = 2", 1, 1, 1 },
        { "UPDATE dedup SET kept = 0, canonical = 1 WHERE snippet IN (4, 6)", 1, 3, 3 },
        { "UPDATE shards SET split = 't' WHERE shard = '1'", 2, 3, 0 },         /* 2 for 5, 4 and 6 for 1 */
        { "UPDATE dedup SET canonical = 3 WHERE snippet = 6", 3, 3, 1 },
    };
    struct fixture f;

    (void)state;
    fixture_open(&f, schema);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        struct err err = { 0 };
        sqlite3   *db;
        uint64_t   n = 99;

        run_sql(&f, steps[s].change);
        db = fixture_read(&f);
        assert_int_equal(graph_count(db, "SELECT count(*) FROM dedup_flows", &n, &err), 0);
        assert_int_equal(n, steps[s].flows);
        assert_int_equal(graph_count(db, "SELECT ifnull(sum(documents), 0) FROM dedup_flows", &n, &err), 0);
        assert_int_equal(n, steps[s].documents);
        assert_int_equal(graph_count(db, "SELECT ifnull(sum(documents), 0) FROM dedup_flows WHERE dataset = 'c' AND "
                                         "split = kept_split AND kept_dataset = 'c'", &n, &err), 0);
        assert_int_equal(n, steps[s].within);
        graph_close(db);
    }
    sample_folder_remove(f.folder);
}

/* Every size falls in its range, and those alone are the rest. */
static void test_sizes(void **state)
{
    static const struct { const char *size; double clusters, documents; } rows[] = {
        { "1", 36, 36 }, { "2", 2, 4 }, { "3-4", 2, 7 }, { "5-8", 2, 13 }, { "9-16", 2, 25 }, { "17-32", 1, 17 },
        { "65-128", 1, 98 },
    };
    struct fixture f;
    char          *markdown;
    cJSON         *json;

    (void)state;
    fixture_open(&f, "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes, "
                     "removed, removed_bytes) VALUES ('a', '', '', 200, 200, 0, 0, 0, 153, 0), "
                 "('untouched', '', '', 70, 70, 0, 0, 0, NULL, NULL);"
                 "INSERT INTO dedup SELECT row_number() OVER (), row_number() OVER (), column1, 1, 9, 9 FROM (VALUES "
                 "(2), (2), (3), (4), (5), (8), (9), (16), (17), (98), (1));"
                 "INSERT INTO run VALUES ('dedup.documents', '200')");
    report_make(&f, &markdown, &json);
    assert_int_equal(cJSON_GetArraySize(find(json, "dedup.clusters.sizes")), sizeof rows / sizeof rows[0]);
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        assert_string_equal(word(json, "dedup.clusters.sizes", i, "size"), rows[i].size);
        assert_near(number(json, "dedup.clusters.sizes", i, "clusters"), rows[i].clusters);
        assert_near(number(json, "dedup.clusters.sizes", i, "documents"), rows[i].documents);
        assert_near(number(json, "dedup.clusters.sizes", i, "documents_percent"), rows[i].documents / 2);
    }
    assert_non_null(strstr(markdown, "Recall was not measured"));
    cJSON_Delete(json);
    free(markdown);
    sample_folder_remove(f.folder);
}

/* ---- on the terminal ---- */

static void assert_shown(sqlite3 *db, uint64_t a, uint64_t b, const char *const *expected)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    if ((b ? show_pair(db, a, b, false, &out, &err) : show_document(db, a, false, &out, &err)) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_null(strchr(out.at, '\x1b'));
    for (; *expected; expected++)
        if (!strstr(out.at, *expected)) fail_msg("\"%s\" is not in:\n%s", *expected, out.at);
    bytes_free(&out);
}

static void test_show(void **state)
{
    struct fixture f;
    sqlite3       *db;

    (void)state;
    fixture_open(&f, clusters_sql);
    run_sql(&f, "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
                "('other', '', '', 1, 1, 0, 0, 1);"
            "INSERT INTO snippets SELECT 10, 'alone', 'b', language, tokens, 4, NULL, 'id-10', NULL, NULL, NULL, "
            "NULL, NULL, NULL, shard, 4, 0, 40, 30, 1, '', NULL, NULL FROM snippets WHERE id = 9;"
            "INSERT INTO snippets SELECT 11, 'other', 'other', language, tokens, 0, NULL, 'id-11', NULL, NULL, NULL, "
            "NULL, NULL, NULL, shard, 4, 0, 40, 30, 1, '', NULL, NULL FROM snippets WHERE id = 9");
    db = fixture_read(&f);
    assert_shown(db, 1, 0, (const char *const[]){ "  dedup      kept, as the preferred one\n  cluster    4 "
                                                  "documents\n  in dedup   50 features (20 distinct)\n",
                 "\n  pair       set   multiset  snippet\n  near       0.850 0.800     3  ",
                     "\n  dedup      set   multiset  snippet\n  exact      1.000 1.000     3  ",
                 "  near       0.783 0.667     4  ", NULL });
    assert_shown(db, 4, 0, (const char *const[]){ "  dedup      removed, a duplicate of snippet 1  a`|<b>/train/0  "
                                                  "src/<script>\\x1b1\n  cluster    4 documents\n",
                 "  near       0.714 0.667     9  b//3", NULL });
    assert_shown(db, 2, 0, (const char *const[]){ "  dedup      kept by protect, a duplicate of snippet 5  "
                                                  "a`|<b>/test/6", "\n  no pair\n", NULL });
    assert_shown(db, 9, 0, (const char *const[]){ "  dedup      kept: what it has a pair with is of other clusters\n  "
                                                  "in dedup   50 features", NULL });
    assert_shown(db, 10, 0, (const char *const[]){ "  dedup      kept: it has no pair\n", "\n  no pair\n", NULL });
    /* its dataset was not in the pass */
    assert_shown(db, 11, 0, (const char *const[]){ "  matches    0\n\n  no pair\n", NULL });
    assert_shown(db, 3, 1, (const char *const[]){ "\nnear: set 0.850000 (17 of 20)",
                                                  "\nexact (dedup): set 1.000000 (20 of 20), multiset 1.000000 (50 of "
                                                  "50)\n", NULL });
    assert_shown(db, 7, 5, (const char *const[]){ "\ncontained (dedup): set 0.475000 (19 of 40)",
                                                  "95.00 % of snippet 7's distinct features are in snippet 5\n",
                                                      NULL });
    assert_shown(db, 3, 4, (const char *const[]){ "These two are no pair", NULL });
    graph_close(db);
    sample_folder_remove(f.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report), cmocka_unit_test(test_flows), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_show),
    };

    return cmocka_run_group_tests_name("duplication", tests, NULL, NULL);
}
