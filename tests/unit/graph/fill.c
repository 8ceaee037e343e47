/* tests/unit/graph/fill.c -- halves of graph.db that two threads fill: the same tables, also where the disk is full. */
#include "graph/fill.h"

#include "graph/rows.h"
#include "graph/tables.h"
#include "tests/unit/graph/spot.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>

static uint64_t seed;

/* ---- a full disk ---- */

static pthread_t        test_thread;
static int              full;                               /* for which thread: */
enum { FULL_NEVER, FULL_ASIDE, FULL_MAIN };
static _Atomic unsigned refused;
static unsigned         refuse;                             /* so many calls */
static int              refuse_as;                          /* errno */

/* In the place of the system's, for SQLite alone. */
static ssize_t full_pwrite(int file, const void *at, size_t len, off_t to)
{
    const bool is_main = pthread_equal(pthread_self(), test_thread) != 0;

    if (full == (is_main ? FULL_MAIN : FULL_ASIDE) && refused < refuse) {
        refused++;
        errno = refuse_as;
        return -1;
    }
    return pwrite(file, at, len, to);
}

static void full_install(bool on)
{
    sqlite3_vfs *const vfs = sqlite3_vfs_find("unix-none");

    assert_int_equal(sqlite3_initialize(), SQLITE_OK);
    assert_non_null(vfs);
    for (int i = 0; i < 2; i++)                             /* the one that it was built with */
        vfs->xSetSystemCall(vfs, i ? "pwrite" : "pwrite64", on ? (sqlite3_syscall_ptr)full_pwrite : NULL);
}

/* ---- what is in the file ---- */

static void same_table(sqlite3 *db, struct contents *given, const struct graph_table *table, sqlite3 *other)
{
    char       text[2][33], told[33];
    uint64_t   rows[2];
    struct err err = { 0 };

    if (!table->column_count) return;
    assert_int_equal(contents_digest(db, table, text[0], &rows[0], &err), 0);
    assert_int_equal(contents_digest(other, table, text[1], &rows[1], &err), 0);
    if (strcmp(text[0], text[1]) != 0) fail_msg("table %s: %s, and %s of two threads", table->name, text[1], text[0]);
    assert_int_equal(contents_of(given, table)->rows, rows[0]);
    value_hash_end(contents_of(given, table)->hash, told);
    assert_string_equal(told, text[0]);
}

/* Rows that are found by an index: of an index that lacks some, fewer. */
static void whole(sqlite3 *db)
{
    sqlite3_stmt *query;
    struct err    err = { 0 };

    assert_int_equal(graph_prepare(db, &query, "PRAGMA integrity_check", &err), 0);
    assert_int_equal(graph_step(query, &err), 1);
    assert_true(slice_equal(graph_text(query, 0), SLICE("ok")));
    graph_finish(query);
}

static size_t files_in(const char *folder)
{
    struct dirent *entry;
    size_t         count = 0;
    DIR           *list = opendir(folder);

    assert_non_null(list);
    while ((entry = readdir(list))) count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(list);
    return count;
}

/* Whichever half is the smaller one. */
static void compare(struct sample *sample, const struct spot *place, const char *folder)
{
    struct fill     fill[2] = { { &sample->graph, capability_tables(), false, 0 },
                                { &sample->graph, capability_tables(), false, UINT64_MAX } };
    struct contents given[2] = { { .count = 0 } };
    sqlite3        *db[2] = { 0 };
    char            path[2][96];
    struct err      err = { 0 };

    for (int i = 0; i < 2; i++) {
        FILE *file;

        snprintf(path[i], sizeof path[i], "%s/%d.db", place->folder, i);
        file = fopen(path[i], "w");
        assert_true(file && fclose(file) == 0);
        if (fill_database(&fill[i], folder, path[i], &given[i], &db[i], &err) < 0) fail_msg("%s", err.text);
        whole(db[i]);
    }
    for (int own = 0; own < 2; own++)
        for (const struct graph_table *const *table = own ? graph_tables : capability_tables(); *table; table++)
            same_table(db[0], &given[0], *table, db[1]);
    for (int i = 0; i < 2; i++) {
        uint64_t      indices = 0;
        sqlite3_stmt *attached;

        assert_int_equal(graph_count(db[i], "SELECT count(*) FROM main.sqlite_schema WHERE type = 'index'", &indices,
                                     &err), 0);
        assert_true(indices > 20);
        assert_int_equal(graph_prepare(db[i], &attached, "SELECT 1 FROM pragma_database_list WHERE name = 'aside'",
                                       &err), 0);
        assert_int_equal(graph_step(attached, &err), 0);
        graph_finish(attached);
        contents_free(&given[i]);
        assert_int_equal(fill_execute(db[i], "COMMIT", &err), 0);
        assert_int_equal(sqlite3_close(db[i]), SQLITE_OK);
        assert_int_equal(unlink(path[i]), 0);
    }
    assert_int_equal(files_in(place->folder), 0);
}

/* Of 40 documents each pair, or of 600 few. */
static void test_halves(void **state)
{
    enum { FEW = 40, MANY = 600 };
    struct graph_edge every[FEW * (FEW - 1) / 2];
    size_t            edges = 0;

    (void)state;
    for (uint32_t a = 0; a < FEW; a++)
        for (uint32_t b = a + 1; b < FEW; b++)
            every[edges++] = (struct graph_edge){ a, b, EDGE_NEAR, a % 20, 20, 30, 40 };
    for (int many = 0; many < 2; many++) {
        struct spot   place;
        struct sample sample;

        place_open(&place);
        sample_open(&sample, seed, many ? MANY : FEW, FEW);
        if (many) sample_add_dedup(&sample);
        else {
            sample.graph.passes[PASS_NEAR].edges = every;
            sample.graph.passes[PASS_NEAR].edge_count = edges;
        }
        assert_int_equal(rows_values(&sample.graph, ROWS_PAIRS, false) <
                         rows_values(&sample.graph, ROWS_DOCUMENTS, false), many);
        compare(&sample, &place, place.folder);
        compare(&sample, &place, "/nonexistent-folder");    /* no room for a second file */
        sample_close(&sample);
        sample_folder_remove(place.folder);
    }
}

/* What does not fit as two files may fit as one, and is made again so; what does not fit either is told. */
static void test_full(void **state)
{
    struct spot   place;
    struct sample sample;
    struct err    err = { 0 };

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 200, 100);
    full_install(true);
    for (int round = 0; round < 4; round++) {
        full = round % 2 ? FULL_MAIN : FULL_ASIDE;
        refuse_as = round / 2 ? EDQUOT : ENOSPC;
        refuse = 1;
        refused = 0;
        write_sample(&sample, &place, 1000000);
        assert_int_equal(refused, 1);
        assert_int_equal(count(&place, "SELECT count(*) FROM edges"), sample.graph.passes[PASS_NEAR].edge_count);
        assert_int_equal(count(&place, "SELECT count(*) FROM snippets"), sample.graph.document_count);
        assert_int_equal(files_in(place.folder), 1);
        assert_int_equal(unlink(place.path), 0);
    }
    refuse = UINT32_MAX;
    assert_int_equal(store_write(&sample.graph, capability_tables(), place.path, (char[33]){ "" }, 1000000, 2, &err),
                     -ENOSPC);
    full = FULL_NEVER;
    full_install(false);
    assert_int_equal(files_in(place.folder), 0);
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_halves), cmocka_unit_test(test_full) };

    seed = sample_seed();
    test_thread = pthread_self();
    return cmocka_run_group_tests_name("fill", tests, NULL, NULL);
}
