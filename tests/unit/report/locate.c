/* tests/unit/report/locate.c -- documents by number, shard and path, whichever table tells of them. */
#include "report/locate.h"
#include "tests/unit/cmd/finished.h"

#include <errno.h>

static struct made_graph g;

/* Five records of t.tar, of which 1 is a reject, and three of u.tar: the documents 0 .. 3 and 4 .. 6 of c. */
static const char more[] =
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, lost, missing, "
    "rejected_bytes) VALUES ('b', '', 's', 1, 1, '1', 1, 0, 0, 0, 0, 0), ('c', '', 't.tar', 1, 1, '1', 5, 1, 0, 0, 0, "
    "0), ('c', '', 'u.tar', 1, 1, '1', 3, 0, 0, 0, 0, 0), ('d', '', 'u.tar', 1, 1, '1', 3, 0, 1, 0, 0, 0);"
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('d', '', 'corpus', 0);"
    "INSERT INTO skipped VALUES ('d', 'u.tar', 'binary', 1);"
    "INSERT INTO rejects (dataset, shard, record, byte, records, reason, detail, bytes, missing, path) VALUES "
    "('c', 't.tar', 1, 0, 1, 'too-long', '', 1, 0, 'bad.py');"
    "INSERT INTO clone_places (clone, dataset, shard, record, line, path) VALUES (1, 'c', 'u.tar', 2, 9, 'a/b.py'), "
    "(2, 'c', 'u.tar', 2, 19, 'a/b.py'), (2, 'c', 't.tar', 0, 1, 'many.py'), (2, 'c', 't.tar', 2, 1, 'many.py');"
    "INSERT INTO ngrams (snippet, field, n, corpus, short, words, ngrams, distinct_ngrams, found_distinct, found, "
    "rare, covered, covered_rare, covered_once, longest_run, run_shard, run_record, run_at, run_path, run_line, "
    "documents, occurrences, max_frequency, folded) VALUES (1, 'text', 8, 'c', 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
    "'t.tar', 4, 0, 'run.py', 3, 1, 1, 1, 0);";

static void is(const char *name, const char *dataset, const char *shard, uint64_t record, uint64_t id)
{
    struct located at = { 0 };
    struct err     err = { 0 };
    sqlite3       *db = made_read(&g);

    if (locate_document(db, slice_of(name), &at, &err) < 0) fail_msg("%s: %s", name, err.text);
    if (!slice_equal(bytes_slice(&at.dataset), slice_of(dataset)) ||
        !slice_equal(bytes_slice(&at.shard), slice_of(shard)) || at.record != record || at.id != id)
        fail_msg("%s: %.*s:%.*s:%llu, %llu", name, (int)at.dataset.len, at.dataset.at, (int)at.shard.len, at.shard.at,
                 (unsigned long long)at.record, (unsigned long long)at.id);
    located_free(&at);
    graph_close(db);
}

static void is_not(const char *name, int code, const char *says)
{
    struct located at = { 0 };
    struct err     err = { 0 };
    sqlite3       *db = made_read(&g);

    assert_int_equal(locate_document(db, slice_of(name), &at, &err), code);
    if (!strstr(err.text, says)) fail_msg("%s: %s", name, err.text);
    located_free(&at);
    graph_close(db);
}

static void test_names(void **unused)
{
    (void)unused;
    finished_open(&g);
    made_run(&g, more);
    is("1", "b", "s", 0, 1);
    is("b:first", "b", "s", 0, 1);
    is("b:0", "b", "s", 0, 1);
    is("s:0", "b", "s", 0, 1);
    is("c:7", "c", "t", 7, 1000000000008);                  /* stored */
    is("c:0", "c", "t.tar", 0, 0);
    is("c:1", "c", "t.tar", 2, 0);                          /* behind the reject */
    is("c:3", "c", "t.tar", 4, 0);
    is("c:4", "c", "u.tar", 0, 0);
    is("c:6", "c", "u.tar", 2, 0);
    is("t.tar:4", "c", "t.tar", 4, 0);
    is("t.tar:4:20", "c", "t.tar", 4, 0);
    is("d:u.tar:3", "d", "u.tar", 3, 0);                    /* a binary file has taken a number */
    is("a/b.py", "c", "u.tar", 2, 0);                       /* of two places in one document */
    is("a/b.py:9", "c", "u.tar", 2, 0);
    is("run.py:3", "c", "t.tar", 4, 0);
    is("bad.py", "c", "t.tar", 1, 0);
    is_not("u.tar:1", -EEXIST, "c:u.tar:1, d:u.tar:1");
    is_not("many.py", -EEXIST, "c:t.tar:0, c:t.tar:2");
    is_not("d:0", -ENOENT, "binary files");
    is_not("c:8", -ENOENT, "no document of this graph");
    is_not("t.tar:5", -ENOENT, "no document of this graph");
    is_not("t.tar:", -ENOENT, "no document of this graph");
    is_not(":1", -ENOENT, "no document of this graph");
    is_not("", -ENOENT, "no document of this graph");
    is_not("none.py", -ENOENT, "no document of this graph");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
