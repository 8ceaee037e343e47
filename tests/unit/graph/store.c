/* tests/unit/graph/store.c -- graph.db written, read back, checked, and damaged. */
#include "tests/unit/sample_graph.h"

#include "graph/check.h"
#include "graph/edges.h"
#include "graph/load.h"
#include "graph/read.h"
#include "graph/store.h"
#include "graph/text.h"

#include <errno.h>
#include <sys/stat.h>

static uint64_t seed;

struct spot { char folder[64], path[80], list[96]; };

static void place_open(struct spot *place)
{
    sample_folder(place->folder);
    snprintf(place->path, sizeof place->path, "%s/graph.db", place->folder);
    snprintf(place->list, sizeof place->list, "%s/" EDGES_FILE, place->folder);
}

static void write_sample(struct sample *sample, const struct spot *place, uint64_t edge_limit)
{
    char       digest[33];
    struct err err = { 0 };

    assert_int_equal(graph_digest(&sample->graph, digest, &err), 0);
    if (store_write(&sample->graph, capability_tables(), place->path, digest, edge_limit, &err) < 0)
        fail_msg("%s", err.text);
}

static uint64_t count(const struct spot *place, const char *sql)
{
    struct err err = { 0 };
    sqlite3   *db;
    uint64_t   value = 0;

    if (graph_open(&db, place->path, &err) < 0 || graph_count(db, sql, &value, &err) < 0)
        fail_msg("%s: %s", sql, err.text);
    graph_close(db);
    return value;
}

static void change(const struct spot *place, const char *sql)
{
    sqlite3 *db;
    char    *message = NULL;

    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", sql, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- reading back ---- */

static void assert_same_graph(const struct graph *a, const struct graph *b)
{
    assert_int_equal(a->dataset_count, b->dataset_count);
    assert_int_equal(a->document_count, b->document_count);
    assert_int_equal(a->overlap_count, b->overlap_count);
    for (size_t i = 0; i < a->document_count; i++) {
        assert_int_equal(a->documents[i].dataset, b->documents[i].dataset);
        assert_int_equal(a->documents[i].number, b->documents[i].number);
        assert_int_equal(a->documents[i].record, b->documents[i].record);
        assert_int_equal(a->documents[i].matches, b->documents[i].matches);
        assert_int_equal(a->documents[i].distinct, b->documents[i].distinct);
    }
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        const struct graph_pass *x = &a->passes[pass], *y = &b->passes[pass];

        assert_int_equal(x->edge_count, y->edge_count);
        assert_int_equal(x->cluster_count, y->cluster_count);
        if (x->edge_count) assert_memory_equal(x->edges, y->edges, x->edge_count * sizeof *x->edges);
        if (x->cluster_count) assert_memory_equal(x->clusters, y->clusters, x->cluster_count * sizeof *x->clusters);
    }
    assert_int_equal(a->fates != NULL, b->fates != NULL);
    for (size_t i = 0; i < a->document_count && a->fates; i++) {
        assert_int_equal(a->fates[i].size, b->fates[i].size);
        assert_int_equal(a->fates[i].canonical, b->fates[i].canonical);
        assert_int_equal(a->fates[i].distinct, b->fates[i].distinct);
        assert_int_equal(a->fates[i].kept, b->fates[i].kept);
    }
    for (size_t i = 0; i < a->overlap_count; i++) {
        assert_int_equal(a->overlaps[i].direct, b->overlaps[i].direct);
        assert_int_equal(a->overlaps[i].complete, b->overlaps[i].complete);
    }
}

static void test_round_trip(void **state)
{
    static const size_t sizes[][2] = { { 12, 0 }, { 12, 1 }, { 40, 30 }, { 396, 99 }, { 400, 100 }, { 404, 1001 } };
    struct spot        place;

    (void)state;
    place_open(&place);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        /* first everything aside, then everything inside */
        for (uint64_t limit = 0; limit <= 1000000; limit += 1000000) {
            struct sample     sample;
            struct graph_copy copy;
            struct err        err = { 0 };
            size_t            pairs;

            sample_open(&sample, seed + i, sizes[i][0], sizes[i][1]);
            if (i % 2) sample_add_dedup(&sample);
            pairs = sample.graph.passes[PASS_NEAR].edge_count + sample.graph.passes[PASS_DEDUP].edge_count;
            write_sample(&sample, &place, limit);
            if (graph_load(&copy, place.path, capability_tables(), &err) < 0) fail_msg("%s", err.text);
            assert_same_graph(&sample.graph, &copy.graph);
            assert_int_equal(access(place.list, F_OK), limit == 0 && pairs ? 0 : -1);     /* no stale list */
            assert_int_equal(count(&place, "SELECT count(*) FROM edges"), limit ? pairs : 0);
            graph_copy_free(&copy);
            sample_close(&sample);
        }
    }
    sample_folder_remove(place.folder);
}

static void test_tables(void **state)
{
    struct spot  place;
    struct sample sample;
    uint64_t      pairs = 0;

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 80, 60);
    sample.document[0].text = (struct slice){ "a\0b\xC3(\xED\xA0\x80\xF0\x9F\x98\x80\xE2\x82", 14 };
    sample.document[1].text = (struct slice){ NULL, 0 };
    sample.document[3].source_id = (struct slice){ NULL, 0 };
    sample.document[3].squeezed_high = 1;
    write_sample(&sample, &place, 1000000);
    /* NUL, a bad second byte, each byte of a surrogate, and a cut sequence are one U+FFFD each; the emoji stays. */
    assert_int_equal(count(&place, "SELECT hex(snippet) = '61EFBFBD62EFBFBD28EFBFBDEFBFBDEFBFBDF09F9880EFBFBD' FROM "
                                   "snippets WHERE id = 1"), 1);
    assert_int_equal(count(&place, "SELECT snippet = '' AND tokens = '[]' AND path IS NULL FROM snippets WHERE id = 2"),
                     1);
    assert_int_equal(count(&place, "SELECT length(xxh128) FROM snippets WHERE id = 3"), 32);
    assert_int_equal(count(&place, "SELECT source_id = 'dir/shard-0.jsonl.zst:' || record AND xxh128_squeezed = "
                                   "'00000000000000010000000000000000' FROM snippets WHERE id = 4"), 1);
    assert_int_equal(count(&place, "SELECT count(*) FROM snippets WHERE xxh128_squeezed IS NOT NULL"), 1);
    assert_int_equal(count(&place, "SELECT count(*) FROM splits WHERE removed IS NULL AND removed_bytes IS NULL"),
                     SAMPLE_SPLITS);
    assert_int_equal(count(&place, "SELECT count(*) FROM dedup"), 0);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE kind IN ('exact', 'copy') AND (set_similarity <> "
                                   "1 OR containment_a <> 1)"), 0);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE kind = 'near' AND abs(set_similarity - 1.0 * "
                                   "shared / \"union\") > 1e-15"), 0);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges AS e JOIN snippets AS s ON s.id = e.b WHERE kind = "
                                   "'near' AND abs(containment_b - 1.0 * shared / s.distinct_features) > 1e-15"), 0);
    assert_int_equal(count(&place, "SELECT count(*) FROM rejects WHERE reason IN ('invalid-json', 'truncated')"), 2);
    assert_int_equal(count(&place, "SELECT count(*) FROM shards WHERE length(xxh3) = 16 AND mtime > "
                                   "1699999999999999999"), SAMPLE_FILES);
    assert_int_equal(count(&place, "SELECT count(*) FROM snippets WHERE split_within_dataset IS NULL AND dataset = "
                                   "'bigcode/stack'"), 20);
    assert_int_equal(count(&place, "SELECT count(*) FROM run WHERE key IN ('version', 'digest')"), 2);
    for (size_t i = 0; i < sample.graph.passes[PASS_NEAR].cluster_count; i++)
        for (size_t k = i + 1; k < sample.graph.passes[PASS_NEAR].cluster_count; k++)
            pairs += sample.cluster[i].cluster == sample.cluster[k].cluster;
    assert_int_equal(count(&place, "SELECT count(DISTINCT id) FROM duplicates WHERE snippet1 < snippet2"), pairs);
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* What pass dedup adds: rows of its own, and nothing in the tables of pass near that they would change. */
static void test_dedup_tables(void **state)
{
    struct spot  place;
    struct sample sample;
    uint64_t      near, published;

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 120, 60);
    write_sample(&sample, &place, 1000000);
    near = count(&place, "SELECT count(*) FROM edges");
    published = count(&place, "SELECT count(*) FROM duplicates");
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 1000000);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE pass = 'near'"), near);
    assert_int_equal(count(&place, "SELECT count(*) FROM duplicates"), published);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE pass = 'dedup'"),
                     sample.graph.passes[PASS_DEDUP].edge_count);
    assert_int_equal(count(&place, "SELECT count(*) FROM clusters WHERE pass = 'dedup'"),
                     sample.graph.passes[PASS_DEDUP].cluster_count);
    for (size_t i = 0; i < sample.graph.document_count; i++) {
        char sql[256];

        snprintf(sql, sizeof sql, "SELECT count(*) FROM dedup WHERE snippet = %zu AND canonical = %u AND cluster_size "
                                  "= %u AND kept = %d AND features = 50 AND distinct_features = %u",
                 i + 1, sample.fate[i].canonical + 1, sample.fate[i].size, sample.fate[i].kept,
                     sample.fate[i].distinct);
        assert_int_equal(count(&place, sql), sample.fate[i].size > 0);
    }
    assert_int_equal(count(&place, "SELECT count(*) FROM edges AS e JOIN dedup AS d ON d.snippet = e.b WHERE pass = "
                                   "'dedup' AND kind = 'near' AND "
                           "abs(containment_b - 1.0 * shared / d.distinct_features) > 1e-15"), 0);
    assert_int_equal(count(&place, "SELECT sum(removed) FROM splits"),
                     count(&place, "SELECT count(*) FROM dedup WHERE kept = 0"));
    assert_int_equal(count(&place, "SELECT sum(removed_bytes) FROM splits"),
                     10 * count(&place, "SELECT count(*) FROM dedup WHERE kept = 0"));
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* Scores of pairs without features, and the kinds that always have score 1. */
static void test_scores(void **state)
{
    struct graph_document documents[2] = { { .distinct = 0 }, { .distinct = 0 } };
    struct graph_fate     fates[2] = { { .distinct = 6 }, { .distinct = 10 } };
    const struct graph    graph = { .documents = documents, .document_count = 2, .fates = fates };
    struct graph_edge     edge = { 0, 1, EDGE_COPY, 0, 0, 0, 0 };

    (void)state;
    assert_true(edge_score(&graph, PASS_NEAR, &edge).set == 1 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_b == 1);
    edge.kind = EDGE_BELOW;
    assert_true(edge_score(&graph, PASS_NEAR, &edge).set == 0 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_a == 0);
    documents[0].distinct = 4;
    documents[1].distinct = 8;
    edge = (struct graph_edge){ 0, 1, EDGE_NEAR, 3, 9, 5, 20 };
    assert_true(edge_score(&graph, PASS_NEAR, &edge).containment_a == 0.75 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_b == 0.375);
    assert_true(edge_score(&graph, PASS_NEAR, &edge).multiset == 0.25);
    /* The other pass counts features of its own view. */
    assert_true(edge_score(&graph, PASS_DEDUP, &edge).containment_a == 0.5 &&
                edge_score(&graph, PASS_DEDUP, &edge).containment_b == 0.3);
}

/* ---- where it is built ---- */

static void test_folders(void **state)
{
    struct spot  place;
    struct sample sample;
    struct stat   file;
    struct err    err = { 0 };

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 40, 30);
    assert_int_equal(setenv("TMPDIR", "/nonexistent-folder", 1), 0);
    write_sample(&sample, &place, 1000000);
    assert_int_equal(setenv("TMPDIR", "/dev/shm", 1), 0);   /* mostly another file system: copied */
    write_sample(&sample, &place, 1000000);
    assert_int_equal(setenv("TMPDIR", "/proc", 1), 0);      /* another file system without room for anything */
    write_sample(&sample, &place, 1000000);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(stat(place.path, &file), 0);
    assert_int_equal(file.st_mode & 0444, 0444 & ~022);     /* readable by others as the umask says, not private */
    assert_true(store_write(&sample.graph, capability_tables(),
                            "/nonexistent-folder/graph.db", (char[33]){ "" }, 1000000,
                            &err) < 0);
    assert_non_null(strstr(err.text, "/nonexistent-folder"));
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* ---- checks ---- */

struct heard { size_t lines, wrong; char first[200]; };

static void hear(void *context, const char *check, const char *wrong)
{
    struct heard *heard = context;

    heard->lines++;
    if (wrong && heard->wrong++ == 0) snprintf(heard->first, sizeof heard->first, "%s", check);
}

static int check(const struct spot *place, struct heard *heard)
{
    const struct check_report report = { hear, heard };
    struct err                err = { 0 };

    *heard = (struct heard){ 0 };
    return check_graph(place->path, capability_tables(), &report, &err);
}

static void test_check(void **state)
{
    static const struct { const char *sql, *name; } damages[] = {
        { "DELETE FROM snippets WHERE id = (SELECT a FROM edges LIMIT 1)", "foreign keys" },
        { "UPDATE shards SET records = records + 1 WHERE dataset = 'bigcode/stack'", "records in" },
        { "DELETE FROM rejects WHERE reason = 'truncated'", "rejected records are listed" },
        { "UPDATE snippets SET shard = 'elsewhere' WHERE id = 1", "benchmark records" },
        { "UPDATE snippets SET record = 0 WHERE dataset = 'bigcode/stack'", "records are stored once" },
        { "UPDATE overlap SET transitive = documents + 1 WHERE rowid = 1", "an overlap" },
        { "UPDATE edges SET kind = 'odd' WHERE a = (SELECT min(a) FROM edges)", "pairs are" },
        { "UPDATE edges SET a = b, b = a WHERE a = (SELECT min(a) FROM edges) AND b = (SELECT min(b) FROM edges WHERE "
          "a = (SELECT min(a) FROM edges))", "pairs are" },
        { "UPDATE clusters SET cluster = snippet WHERE snippet = (SELECT max(snippet) FROM clusters)", "clusters" },
        { "UPDATE snippets SET matches = 0", "clusters" },
        { "UPDATE edges SET shared = shared + 1 WHERE a = (SELECT min(a) FROM edges)", "digest" },
        { "DELETE FROM run WHERE key = 'digest'", "digest" },
        { "PRAGMA user_version = 1", "graph.db can be opened" },
        { "PRAGMA application_id = 1", "graph.db can be opened" },
        { "DROP TABLE overlap", "an overlap" },
    };
    struct spot  place;
    struct sample sample;
    struct heard  heard;

    (void)state;
    place_open(&place);
    sample_open(&sample, 1, 200, 150);
    write_sample(&sample, &place, 1000000);
    assert_int_equal(check(&place, &heard), 0);
    assert_true(heard.lines >= 10);
    write_sample(&sample, &place, 0);                       /* pairs aside */
    assert_int_equal(check(&place, &heard), 0);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        write_sample(&sample, &place, 1000000);
        change(&place, damages[i].sql);
        if (check(&place, &heard) < 1 || strncmp(heard.first, damages[i].name, strlen(damages[i].name)) != 0)
            fail_msg("%s: %zu wrong, first %s", damages[i].sql, heard.wrong, heard.first);
    }
    /* Pairs that were not kept (matches says so) may leave clusters coarser than the components, never finer. */
    write_sample(&sample, &place, 1000000);
    change(&place, "DELETE FROM edges WHERE kind IN ('exact', 'near') AND b = (SELECT max(snippet) FROM clusters)");
    assert_int_equal(check(&place, &heard), 1);
    assert_string_equal(heard.first, "digest");
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* Pass dedup damaged, in a graph that also has pass near. */
static void test_check_dedup(void **state)
{
    static const struct { const char *sql, *name; } damages[] = {
        { "DELETE FROM edges WHERE pass = 'dedup' AND a = (SELECT min(canonical) FROM dedup WHERE snippet > canonical "
          "AND kept = 0)", "what is removed has a pair" },
        { "UPDATE dedup SET kept = 0 WHERE snippet = (SELECT canonical FROM dedup WHERE cluster_size > 1 LIMIT 1)",
          "what is removed has a canonical" },
        { "DELETE FROM dedup WHERE snippet = (SELECT canonical FROM dedup WHERE cluster_size > 1 LIMIT 1)",
          "what is removed has a canonical" },
        { "UPDATE dedup SET cluster_size = 9 WHERE snippet = (SELECT max(snippet) FROM dedup WHERE cluster_size > 1)",
          "clusters of dedup have" },
        { "UPDATE splits SET removed = removed + 1 WHERE rowid = 1", "removed documents are counted" },
        { "UPDATE splits SET removed = NULL", "removed documents are counted" },
        { "UPDATE clusters SET cluster = snippet WHERE snippet = (SELECT max(snippet) FROM clusters WHERE pass = "
          "'dedup') AND pass = 'dedup'", "clusters of dedup are" },
        { "DELETE FROM clusters WHERE rowid = (SELECT rowid FROM clusters WHERE pass = 'dedup' AND cluster = snippet)",
          "clusters of dedup are" },
        { "UPDATE dedup SET canonical = 1000000 WHERE snippet = (SELECT max(snippet) FROM dedup)", "foreign keys" },
        { "UPDATE edges SET pass = 'odd' WHERE pass = 'dedup'", "pairs are" },
        { "UPDATE clusters SET pass = 'odd' WHERE pass = 'dedup'", "pairs are" },
        { "DELETE FROM clusters WHERE pass = 'dedup'", "digest" },
        { "UPDATE dedup SET kept = 1 WHERE kept = 0; UPDATE splits SET removed = 0", "digest" },
    };
    struct spot  place;
    struct sample sample;
    struct heard  heard;

    (void)state;
    place_open(&place);
    sample_open(&sample, 1, 200, 150);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 0);                       /* pairs aside */
    assert_int_equal(check(&place, &heard), 0);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        write_sample(&sample, &place, 1000000);
        assert_int_equal(check(&place, &heard), 0);
        change(&place, damages[i].sql);
        if (check(&place, &heard) < 1 || strncmp(heard.first, damages[i].name, strlen(damages[i].name)) != 0)
            fail_msg("%s: %zu wrong, first %s", damages[i].sql, heard.wrong, heard.first);
    }
    /* Without stars a removed document may hang on its canonical by way of others. */
    write_sample(&sample, &place, 1000000);
    change(&place,
           "UPDATE run SET value = 'component' WHERE key = 'dedup.cluster'; DELETE FROM edges WHERE pass = 'dedup'");
    assert_int_equal(check(&place, &heard), 1);
    assert_string_equal(heard.first, "digest");
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* Files cut at every place and with bytes changed are told, or read as something whole; nothing crashes. */
static void damage_and_load(const struct spot *place, const char *path, uint64_t *random, struct sample *sample)
{
    FILE  *file = fopen(path, "rbe");
    char  *whole = malloc(1 << 22);
    size_t len;

    assert_true(file && whole);
    len = fread(whole, 1, 1 << 22, file);
    fclose(file);
    assert_true(len > 0 && len < 1 << 22);
    for (int i = 0; i < 60; i++) {
        struct graph_copy copy;
        struct err        err = { 0 };
        struct heard      heard;
        bool              cut = i % 2;
        size_t            at;

        sample->random = *random += 7919;
        at = (size_t)sample_random(sample, len);
        file = fopen(path, "wbe");
        assert_non_null(file);
        assert_int_equal(fwrite(whole, 1, at, file), at);
        if (!cut) {
            assert_int_equal(fputc(~whole[at] & 0xFF, file), ~whole[at] & 0xFF);
            assert_int_equal(fwrite(whole + at + 1, 1, len - at - 1, file), len - at - 1);
        }
        fclose(file);
        if (graph_load(&copy, place->path, capability_tables(), &err) < 0)
            assert_true(err.code < 0 && err.text[0]);
        else assert_false(cut && path != place->path);      /* a list that is cut is never taken for whole */
        graph_copy_free(&copy);
        assert_true(check(place, &heard) >= 0);
    }
    free(whole);
}

static void test_damage(void **state)
{
    struct spot  place;
    struct sample sample;
    uint64_t      random = seed;

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 60, 40);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 0);
    damage_and_load(&place, place.list, &random, &sample);
    sample_close(&sample);
    sample_open(&sample, seed, 60, 40);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 1000000);
    damage_and_load(&place, place.path, &random, &sample);
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_tables), cmocka_unit_test(test_dedup_tables),
            cmocka_unit_test(test_scores),
        cmocka_unit_test(test_folders), cmocka_unit_test(test_check), cmocka_unit_test(test_check_dedup),
            cmocka_unit_test(test_damage),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
