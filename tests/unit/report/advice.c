/* tests/unit/report/advice.c -- the sentences of graphs made for one warning each, the order of the parts, refusals. */
#include "report/advice.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

static const struct report_part *const nobody[] = { NULL };

static const char datasets[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0), ('c', '', 'corpus', 0);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, lost, missing, "
    "rejected_bytes) VALUES "
    "('b', '', 'b.jsonl', 1, 1, '00000000000000aa', 100, 0, 0, 1, 0, 0, 0), "
    "('c', '', 'c.jsonl', 1, 1, '00000000000000ab', 100, 0, 0, 1, 0, 0, 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
    "('b', '', 'java', 60, 60, 0, 0, 9), ('b', '', 'c', 40, 40, 0, 0, 9), ('c', '', 'java', 100, 100, 0, 0, 9);";

/* All sentences, each with a line's end, of `datasets` and what more was executed. */
static void advises(const char *sql, const char *expected)
{
    struct made_graph g;
    struct bytes      heard = { 0 };
    struct err        err = { 0 };
    sqlite3          *db;

    made_open(&g, datasets);
    made_run(&g, sql);
    db = made_read(&g);
    assert_int_equal(advice_give(db, nobody, &(struct advice_listener){ made_hear, &heard }, &err), 0);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, expected);
    graph_close(db);
    bytes_free(&heard);
    made_close(&g);
}

#define REJECT(dataset, shard, record, records, reason) \
    "INSERT INTO rejects (dataset, shard, record, byte, records, bytes, missing, reason, detail) VALUES ('" dataset \
    "', '" shard "', " #record ", 0, " #records ", 7, 0, '" reason "', 'what');"

static void test_rejected(void **unused)
{
    (void)unused;
    advises("", "");
    advises("UPDATE splits SET rejected = 1, documents = 59 WHERE language = 'java' AND dataset = 'b'", "");   /* 1 % */
    advises("UPDATE splits SET rejected = 2, documents = 58 WHERE language = 'java' AND dataset = 'b'",
            "b: 2 of 100 records (2.0 %) were rejected, for reasons that are not listed\n");
    /* most often: by records, not by rows */
    advises("UPDATE splits SET rejected = 25, documents = 75 WHERE dataset = 'c';"
            REJECT("c", "1.jsonl", 3, 1, "invalid-json") REJECT("c", "2.jsonl", 4, 1, "invalid-json")
            REJECT("c", "3.jsonl", 5, 23, "empty"),
            "c: 25 of 100 records (25.0 %) were rejected, most often empty, first in 3.jsonl, record 5: what\n");
    advises("UPDATE splits SET rejected = 7, documents = 0, admitted = 0 WHERE dataset = 'c'",
            "c: 7 of 7 records (100.0 %) were rejected, for reasons that are not listed\n");
}

static void test_damaged(void **unused)
{
    (void)unused;
    advises(REJECT("c", "1", 3, 1, "invalid-json") REJECT("c", "2", 4, 1, "corrupt") REJECT("c", "2", 9, 1, "corrupt")
            REJECT("c", "3", 1, 1, "truncated") REJECT("b", "4", 1, 1, "ratio") REJECT("b", "5", 1, 1, "unreadable"),
            "c: 2 of its shards could not be read to the end; the first is 2 (corrupt): what\n"
            "b: 2 of its shards could not be read to the end; the first is 4 (ratio): what\n");
}

/* Corpora that are smaller than half of a benchmark, all together, by documents and by text. */
static void test_swapped(void **unused)
{
#define SIZES(b_documents, b_bytes, c_documents, c_bytes) \
    "DELETE FROM splits WHERE dataset = 'b' AND language <> 'java'; " \
    "UPDATE splits SET documents = " #b_documents ", bytes = " #b_bytes " WHERE dataset = 'b'; " \
    "UPDATE splits SET documents = " #c_documents ", bytes = " #c_bytes " WHERE dataset = 'c'"
    (void)unused;
    advises(SIZES(100, 1000, 49, 499),
            "b is a benchmark of 100 documents (1000 bytes), c a corpus of 49 (499 bytes): are the roles swapped?  "
            "`role: benchmark` (--benchmark) is for what is looked for, small and kept in memory; `role: corpus` "
            "(--corpus) for what it is looked for in\n");
    advises(SIZES(100, 1000, 50, 499), "");
    advises(SIZES(100, 1000, 49, 500), "");                 /* few files, but large ones */
    advises(SIZES(100, 1000, 100, 1000), "");
    advises(SIZES(100, 1000, 10000, 100000), "");
    advises(SIZES(100, 1000, 30, 300) "; UPDATE datasets SET role = 'benchmark'", "");
}

static void test_nothing(void **unused)
{
    (void)unused;
    advises("DELETE FROM splits WHERE dataset = 'c'", "c has no documents\n");
    advises("DELETE FROM splits WHERE dataset = 'c'; UPDATE shards SET xxh3 = '0000000000000000' WHERE dataset = 'c'",
            "c was not read: no pass of this run asks for it\n");
    /* blocks that benchmarks repeat need no corpus, but benchmarks they do need */
    advises("DELETE FROM splits; INSERT INTO run VALUES ('clones.self', 'true')", "b has no documents\n");
    advises("UPDATE splits SET admitted = 0 WHERE dataset = 'c'", "");      /* nobody compared */
    advises("UPDATE splits SET admitted = 0 WHERE dataset = 'c'; INSERT INTO run VALUES ('dedup.view', 'tokens')",
            "no document of c has min_tokens features: only copies were looked for\n");
    advises("UPDATE splits SET admitted = 0 WHERE language = 'c'; INSERT INTO run VALUES ('near.view', 'tokens')", "");
}

static int part_advises(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    (void)db;
    (void)err;
    advice_say(to, "the part says %d", 7);
    return 0;
}

static int part_fails(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    (void)db;
    (void)to;
    return err_set(err, -EIO, "no");
}

static int part_refuses(sqlite3 *db, struct err *err)
{
    return advice_refuse(db, "SELECT column1 FROM (VALUES ('first'), ('last'))", err);
}

static void test_parts(void **unused)
{
    const struct report_part        says = { .advise = part_advises }, fails = { .advise = part_fails };
    const struct report_part        quiet = { 0 }, refuses = { .check = part_refuses };
    const struct report_part *const parts[] = { &quiet, &says, &refuses, NULL }, *const broken[] = { &fails, NULL };
    struct made_graph g;
    struct bytes      heard = { 0 };
    struct err        err = { 0 };
    sqlite3          *db;

    (void)unused;
    made_open(&g, datasets);
    made_run(&g, "DELETE FROM splits WHERE dataset = 'c'");
    db = made_read(&g);
    assert_int_equal(advice_give(db, parts, &(struct advice_listener){ made_hear, &heard }, &err), 0);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, "the part says 7\nc has no documents\n");
    assert_int_equal(advice_give(db, broken, &(struct advice_listener){ made_hear, &heard }, &err), -EIO);
    assert_int_equal(advice_check_usable(db, nobody, &err), 0);
    assert_int_equal(advice_check_usable(db, parts, &err), -EBADMSG);
    assert_string_equal(err.text, "last");
    assert_int_equal(advice_refuse(db, "SELECT 'x' WHERE 0", &err), 0);
    assert_true(advice_refuse(db, "SELECT * FROM nothing", &err) < 0);
    assert_non_null(strstr(err.text, "nothing"));
    graph_close(db);
    bytes_free(&heard);
    made_close(&g);
}

static void test_unusable(void **unused)
{
    struct made_graph g;
    struct err        err = { 0 };
    sqlite3          *db;

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        made_open(&g, datasets);
        made_run(&g, i ? "UPDATE splits SET documents = 0, rejected = 5 WHERE dataset = 'c'"
                       : "UPDATE splits SET documents = 0, rejected = 5 WHERE dataset = 'b'");
        db = made_read(&g);
        assert_int_equal(advice_check_usable(db, nobody, &err), -EBADMSG);
        assert_string_equal(err.text, i ? "c: none of its 5 records could be used"
                                        : "benchmark b: none of its 10 records could be used");
        graph_close(db);
        made_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejected), cmocka_unit_test(test_damaged), cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_unusable),
    };

    return cmocka_run_group_tests_name("report/advice", tests, NULL, NULL);
}
