/* tests/unit/graph/rows.c -- what becomes of every type of field in the database, of text that is not UTF-8, and of
 * documents and fates, which are not arrays of rows. */
#include "graph/rows.h"

#include "graph/ids.h"
#include "tests/unit/graph/things.h"

static uint64_t count(const struct stored *s, const char *condition)
{
    char       sql[256];
    uint64_t   n = 0;
    sqlite3   *db;
    struct err err = { 0 };

    snprintf(sql, sizeof sql, "SELECT count(*) FROM things WHERE %s", condition);
    if (graph_open(&db, s->path, &err) < 0 || graph_count(db, sql, &n, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
    return n;
}

/* Every type as it stands in the database, and what is NULL there. */
static void test_written(void **state)
{
    static const char *const first[] = {
        "hash = 'fedcba98765432100123456789abcdef'", "known = '00000000000000000000000000000001'",
        "word = '00000000000000ff'", "number = 1 << 40", "small = 4294967295", "maybe = 0", "real = -1.5", "share = 0",
        "value = -0.25", "text = 'same'", "optional = 'there'", "source = 'its own'", "tokens = '[\"a\"]'",
        "key = 'k1'", "dataset = 'two'", "shard = 'b.jsonl'", "record = 9", "maybe_shard = 'a.jsonl'",
        "snippet = 1000000000008", "kind = 'copy'", "flag = 1", "role = 'benchmark'", "id = 1",
    };
    static const char *const second[] = {
        "hash = '00000000000000000000000000000000'", "known IS NULL", "maybe IS NULL", "share IS NULL", "value IS NULL",
        "optional IS NULL", "source = 'a.jsonl:3'", "tokens = '[]'", "maybe_shard IS NULL", "snippet = 1", "flag = 0",
        "role = 'corpus'", "kind = 'exact'", "id = 2",
    };
    struct stored s;
    char          condition[128];

    (void)state;
    stored_open(&s);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        snprintf(condition, sizeof condition, "key = 'k1' AND %s", first[i]);
        if (count(&s, condition) != 1) fail_msg("not so: %s", condition);
    }
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        snprintf(condition, sizeof condition, "key = 'k2' AND %s", second[i]);
        if (count(&s, condition) != 1) fail_msg("not so: %s", condition);
    }
    remove_tree(s.folder);
}

/* Bad bytes and NUL are U+FFFD, also in the name of a shard that stands for an id. */
static void test_repaired(void **state)
{
    static const struct graph_shard bad[] = { { .name = { "a\0\xff", 3 } }, { .name = { "b", 1 } } };
    struct thing       row = { .text = { "x\xe2\x82", 3 }, .key = "k\x80", .tokens = { "a\0b", 3 } };
    struct graph_build build = { .graph = { .datasets = datasets, .dataset_count = 2, .shards = bad, .shard_count = 2,
                                            .documents = documents, .document_count = 2 } };
    struct stored      s;
    struct err         err = { 0 };

    (void)state;
    stored_open(&s);
    assert_int_equal(graph_add_rows(&build, &things, &row, 1, &err), 0);
    if (graph_write(&build.graph, tables, s.path, (char[33]){ "0" }, 1, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(count(&s, "hex(text) = '78EFBFBD' AND hex(key) = '6BEFBFBD' AND hex(tokens) = '61EFBFBD62'"), 1);
    assert_int_equal(count(&s, "hex(source) = '61EFBFBDEFBFBD3A30'"), 1);       /* and :0 */
    graph_build_free(&build);
    remove_tree(s.folder);
}

static void make(void *source, size_t i, struct graph_document *out)
{
    ++*(size_t *)source;
    *out = documents[i];
}

static uint64_t make_id(void *source, size_t i)
{
    (void)source;
    return graph_id(documents[i].dataset, documents[i].number);
}

/* Documents that are made one at a time are made once; fates of size 0 are no rows. */
static void test_made(void **state)
{
    static const struct graph_column fate_columns[] = {
        { "snippet", COLUMN_SNIPPET, 0, 0, "snippets", "" },
        { "kept", COLUMN_BIT31, offsetof(struct graph_fate, size_kept), 0, NULL, "" },
        { "size", COLUMN_U31, offsetof(struct graph_fate, size_kept), 0, NULL, "" },
    };
    static const struct graph_table  fates = { .name = "fates", .flags = TABLE_FATES | TABLE_DOCUMENTS,
                                               TABLE_COLUMNS(fate_columns), .row_size = sizeof(struct graph_fate) };
    const struct graph_table *const  of[] = { &things, &fates, NULL };
    const struct graph_fate          fate[] = { { .canonical = GRAPH_NO_DOCUMENT },
                                                    { .canonical = 1, .size = 2, .kept = true } };
    size_t                           made = 0;
    struct graph_build               build = { .graph = { .datasets = datasets, .dataset_count = 2, .shards = shards,
                                                          .shard_count = 2, .document_count = 2, .make_document = make,
                                                          .document_id = make_id,
                                                          .source = &made } };
    struct stored                    s;
    struct err                       err = { 0 };

    (void)state;
    stored_open(&s);
    assert_int_equal(graph_add_rows(&build, &fates, fate, 2, &err), 0);
    assert_ptr_equal(build.graph.fates, fate);
    if (graph_write(&build.graph, of, s.path, (char[33]){ "0" }, 1, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(made, 2);
    assert_int_equal(count(&s, "1"), 0);
    change(&s, "INSERT INTO things (number, hash, word, small, real, text, tokens, key, dataset, shard, record, "
               "snippet, kind, flag, role) SELECT count(*), '', '', min(snippet) - 1000000000000, "
               "max(10 * size + kept), '', '', '', '', '', 0, (SELECT count(*) FROM snippets), '', 0, '' FROM fates");
    assert_int_equal(count(&s, "number = 1 AND small = 8 AND real = 21 AND snippet = 2"), 1);
    graph_build_free(&build);
    remove_tree(s.folder);
}

/* A file that cannot be opened is a lack of room, which another place may have; what was asked is told either way. */
static void test_fail(void **state)
{
    sqlite3   *db;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(sqlite3_open_v2("/proc/nowhere/a.db", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_CANTOPEN);
    assert_int_equal(rows_fail(db, "a table", &err), -ENOSPC);
    assert_string_equal(err.text, "graph database: a table: unable to open database file: may another file be made?");
    sqlite3_close(db);
    assert_int_equal(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(db, "no SQL", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(rows_fail(db, "a table", &err), -EIO);
    assert_null(strstr(err.text, "may another"));
    sqlite3_close(db);
    assert_int_equal(rows_fail(NULL, "a table", &err), -ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_written), cmocka_unit_test(test_repaired),
                                        cmocka_unit_test(test_made), cmocka_unit_test(test_fail) };

    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
