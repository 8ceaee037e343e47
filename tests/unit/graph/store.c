/* tests/unit/graph/store.c -- graph.db as it is written: its tables, and the folders that it is built in. */
#include "graph/contents.h"
#include "graph/tables.h"
#include "tests/unit/graph/spot.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

static uint64_t seed;

/* What tables were given is what is read back from them, of each value and its type. */
static int ask_given(void *asking, sqlite3 *db, struct contents *given, struct err *err)
{
    for (int own = 0; own < 2; own++)
        for (const struct graph_table *const *table = own ? graph_tables : capability_tables(); *table; table++) {
            char     read[33], told[33];
            uint64_t rows = 0;

            if (!(*table)->column_count) continue;
            assert_int_equal(contents_digest(db, *table, read, &rows, err), 0);
            assert_int_equal(contents_of(given, *table)->rows, rows);
            value_hash_end(contents_of(given, *table)->hash, told);
            if (strcmp(read, told) != 0) fail_msg("table %s: %s was given, %s is there", (*table)->name, told, read);
            *(size_t *)asking += rows > 0;
        }
    return 0;
}

static void test_tables(void **state)
{
    size_t        filled = 0;
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
    sample.graph.ask = ask_given;
    sample.graph.asking = &filled;
    write_sample(&sample, &place, 1000000);
    assert_true(filled > 8);
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
    for (size_t i = 0; i < sample.graph.document_count; i++)
        for (size_t k = i + 1; k < sample.graph.document_count && sample.cluster[i] != GRAPH_NO_DOCUMENT; k++)
            pairs += sample.cluster[i] == sample.cluster[k];
    assert_int_equal(count(&place, "SELECT count(DISTINCT id) FROM duplicates WHERE snippet1 < snippet2"), pairs);
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* What pass dedup adds: rows of its own, and nothing in the tables of pass near that they would change. */
static void test_dedup_tables(void **state)
{
    size_t        filled = 0, rows = 0;
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
    sample.graph.ask = ask_given;
    sample.graph.asking = &filled;
    write_sample(&sample, &place, 1000000);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE pass = 'near'"), near);
    assert_int_equal(count(&place, "SELECT count(*) FROM duplicates"), published);
    assert_int_equal(count(&place, "SELECT count(*) FROM edges WHERE pass = 'dedup'"),
                     sample.graph.passes[PASS_DEDUP].edge_count);
    assert_int_equal(count(&place, "SELECT count(*) FROM clusters WHERE pass = 'dedup'"),
                     sample.graph.passes[PASS_DEDUP].clustered);
    for (size_t i = 0; i < sample.graph.document_count; i++) {
        const bool there = sample.fate[i].canonical != GRAPH_NO_DOCUMENT;
        char       sql[256];

        snprintf(sql, sizeof sql, "SELECT count(*) FROM dedup WHERE snippet = %llu AND canonical = %llu AND "
                                  "cluster_size = %u AND kept = %d AND features = 50 AND distinct_features = %u",
                 (unsigned long long)graph_id_at(&sample.graph, i),
                 (unsigned long long)(there ? graph_id_at(&sample.graph, sample.fate[i].canonical) : 0),
                 sample.fate[i].size, sample.fate[i].kept, sample.fate[i].distinct);
        assert_int_equal(count(&place, sql), there);
        rows += there;
    }
    assert_int_equal(count(&place, "SELECT count(*) FROM dedup"), rows);
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

/* ---- where it is built ---- */

/* A writer that ends in the middle of a transaction: pages are changed, the old ones are in the journal. */
static void write_half(const char *path)
{
    pid_t child = fork();
    int   status;

    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *db;

        _exit(sqlite3_open(path, &db) != SQLITE_OK ||
              sqlite3_exec(db, "PRAGMA cache_size=1; BEGIN; DELETE FROM run; DELETE FROM snippets", NULL, NULL, NULL));
    }
    assert_true(waitpid(child, &status, 0) == child && status == 0);
}

/* What killed processes have left beside the old database would be taken for the new one's. */
static void test_beside(void **state)
{
    static const char *const ending[] = { "-journal", "-wal", "-shm" };
    struct spot   place;
    struct sample sample;
    char          name[128];

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 20, 10);
    write_sample(&sample, &place, 1000000);
    write_half(place.path);
    for (size_t i = 0; i < 3; i++) {
        FILE *file;

        snprintf(name, sizeof name, "%s%s", place.path, ending[i]);
        assert_int_equal(access(name, F_OK), i ? -1 : 0);
        if (i == 0) continue;
        file = fopen(name, "w");
        assert_true(file && fputs("what was left", file) > 0 && fclose(file) == 0);
    }
    write_sample(&sample, &place, 1000000);
    assert_true(count(&place, "SELECT count(*) FROM snippets") > 0 && count(&place, "SELECT count(*) FROM run") > 0);
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", place.path, ending[i]);
        assert_int_equal(access(name, F_OK), -1);
    }
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

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
    for (int threads = 1; threads < 3; threads++)           /* the digest that is being made is given up */
        assert_true(store_write(&sample.graph, capability_tables(), "/nonexistent-folder/graph.db", (char[33]){ "" },
                                1000000, threads, &err) < 0);
    assert_non_null(strstr(err.text, "/nonexistent-folder"));
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_dedup_tables), cmocka_unit_test(test_folders),
        cmocka_unit_test(test_beside),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
