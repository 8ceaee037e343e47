/* tests/unit/capability/gate.c -- outcomes of made gates over made counts: what is found, what was looked at, and what
 * is stored and read back of it. */
#include "capability/gate.h"

#include "capability/capability.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

static struct gate_finding findings[4];
static size_t              finding_count;

static int measure_made(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    (void)task, (void)err;
    assert_non_null(db);
    for (size_t i = 0; i < finding_count; i++) to->hear(to->context, &findings[i]);
    return 0;
}

static int measure_broken(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    (void)task, (void)db, (void)to;
    return err_set(err, -EIO, "cannot be measured");
}

static const struct gate gates[] = {
    { "made", "", measure_made, NULL, 0 }, { "broken", "", measure_broken, NULL, 0 }, { .key = NULL },
};
static const struct capability without = { .name = "without" };
static struct capability       made = { .name = "made", .gates = gates };

static const char counts_sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0), ('c', '', 'corpus', 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
    "('b', '', 'c', 10, 8, 0, 0, 90), ('c', '', 'c', 30, 8, 1, 0, 900);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, lost, missing, "
    "rejected_bytes) VALUES ('b', '', 's', 10, 1, '00000000000000aa', 10, 0, 0, 1, 0, 0, 0), "
    "('c', '', 'one', 75, 1, '00000000000000aa', 30, 0, 0, 1, 0, 0, 0), "
    "('c', '', 'two', 25, 1, '00000000000000aa', 1, 1, 0, 1, 0, 0, 0);";

static void hear(void *context, enum gate_outcome outcome, const char *sentence)
{
    assert_int_equal(bytes_printf(context, "%s|%s\n", gate_outcome_names[outcome], sentence), 0);
}

/* Measures with a limit of 5 % and reads back; then all is taken out again. */
static void check(const struct made_graph *g, double limit, double coverage, double lost, enum gate_outcome expected,
                  const char *run, const char *says)
{
    double              limits[] = { limit, -1 };
    struct task         task[] = { { .of = &without, .on = true }, { .of = &made, .limit = limits, .on = true } };
    const struct config config = { .task = task, .task_count = 2, .coverage = coverage, .lost = lost };
    struct bytes        heard = { 0 };
    enum gate_outcome   worst = GATE_OUTCOMES;
    sqlite3            *db;
    sqlite3_stmt       *query;
    struct err          err = { 0 };

    assert_int_equal(sqlite3_open(g->path, &db), SQLITE_OK);
    if (gates_measure(&config, db, NULL, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(gates_read_back(db, &(struct gate_reader){ hear, &heard }, &worst, &err), 0);
    assert_int_equal(worst, expected);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, says);
    heard.len = 0;
    assert_int_equal(graph_prepare(db, &query, "SELECT key || '=' || value FROM run WHERE key GLOB 'gate*'", &err), 0);
    while (graph_step(query, &err) == 1) {
        const struct slice row = graph_text(query, 0);

        assert_int_equal(bytes_printf(&heard, "%.*s\n", (int)row.len, row.at), 0);
    }
    graph_finish(query);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, run);
    bytes_free(&heard);
    sqlite3_close(db);
    made_run(g, "DELETE FROM gates; DELETE FROM run WHERE key GLOB 'gate*'");
}

static void found(double percent, uint64_t compared, uint64_t whole, const char *target)
{
    findings[0] = (struct gate_finding){ .source = SLICE("b"), .target = slice_of(target), .percent = percent,
                                         .compared = compared, .whole = whole, .clause = "so much" };
    finding_count = 1;
}

#define TAIL(n) " (" n " of 10 compared; 30 documents, 900 bytes looked through)\n"

static void test_outcomes(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, counts_sql);
    found(5, 10, 10, "c");
    check(&g, -1, 50, 0, GATE_PASSED, "gates=none\n", "");
    check(&g, 5, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 %" TAIL("10"));
    check(&g, 4.5, 50, 0, GATE_FAILED, "gate.made=failed: so much; at most 4.5 %\ngates=failed\n",
          "failed|gate fail_on.made failed: so much, more than 4.5 %" TAIL("10"));
    found(5, 5, 10, "c");                                   /* just enough */
    check(&g, 5, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 %" TAIL("5"));
    found(0, 4, 10, "c");
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: 4 of 10 were compared (40.0 %), less than fail_on.coverage, "
          "50 %; so much, at most 5 %" TAIL("4"));
    check(&g, 5, 40, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 %" TAIL("4"));
    found(0, 0, 10, "c");                                   /* whatever is asked */
    check(&g, 5, 0, 100, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: nothing was compared; so much, at most 5 %" TAIL("0"));
    finding_count = 0;
    check(&g, 100, 0, 100, GATE_INCONCLUSIVE,
          "gate.made=inconclusive: nothing was measured; at most 100 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: this run has nothing of which it could be said; nothing was "
          "measured, at most 100 % (0 of 0 compared; 0 documents, 0 bytes looked through)\n");
    made.unmeasured = "no record names its field";
    check(&g, 100, 0, 100, GATE_INCONCLUSIVE,
          "gate.made=inconclusive: nothing was measured; at most 100 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: no record names its field; nothing was measured, at most "
          "100 % (0 of 0 compared; 0 documents, 0 bytes looked through)\n");
    made.unmeasured = NULL;
    made_close(&g);
}

/* What the capability says against its finding, what may be more than was found, and files that are no text. */
static void test_doubts(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, counts_sql);
    found(0, 10, 10, "c");
    findings[0].doubt = "b is of another language";
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: b is of another language; so much, at most 5 %" TAIL("10"));
    check(&g, 5, 0, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 %" TAIL("10"));
    found(20, 10, 10, "c");
    findings[0].missed = 3;
    findings[0].why = "may have it";
    check(&g, 50, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 50 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 50 %" TAIL("10"));
    check(&g, 49, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 49 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: 3 may have it; so much, at most 49 %" TAIL("10"));
    made_run(&g, "INSERT INTO skipped (dataset, shard, reason, files) VALUES ('c', 'one', 'binary', 31), ('c', 'one', "
                 "'vcs', 900)");
    found(0, 10, 10, "c");
    check(&g, 5, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 % (10 of 10 compared; 30 documents, 900 bytes looked "
          "through; 31 binary files passed over)\n");
    made_run(&g, "UPDATE skipped SET files = 32 WHERE reason = 'binary'");
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: c: 32 of 63 files and records were passed over as binary, "
          "which UTF-16 is, too: 49.2 % is left, less than fail_on.coverage, 50 %; so much, at most 5 % (10 of 10 "
          "compared; 30 documents, 900 bytes looked through; 32 binary files passed over)\n");
    made_close(&g);
}

static void test_cut(void **unused)
{
    static const char unsure[] =
        "inconclusive|gate fail_on.made is inconclusive: c: shards not read to their end: 1 of 2, with 25.0 % of the "
        "bytes, more than fail_on.lost, 0 %; so much, at most 5 %" TAIL("10");
    struct made_graph g;

    (void)unused;
    made_open(&g, counts_sql);
    made_run(&g, "UPDATE shards SET rejected_bytes = 9 WHERE shard = 'one';"
                 "UPDATE shards SET whole = 0, lost = 1, missing = 1 WHERE shard = 'two'");
    found(1, 10, 10, "c");
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          unsure);
    check(&g, 5, 50, 26, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 %" TAIL("10"));
    check(&g, 0.5, 50, 0, GATE_FAILED, "gate.made=failed: so much; at most 0.5 %\ngates=failed\n",
          "failed|gate fail_on.made failed: so much, more than 0.5 %" TAIL("10"));
    found(1, 10, 10, "");                                   /* the benchmark alone, which is whole */
    check(&g, 5, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 % (10 of 10 compared; 10 documents, 90 bytes looked "
          "through)\n");
    made_run(&g, "UPDATE splits SET documents = 0, bytes = 0 WHERE dataset = 'c'");
    found(0, 10, 10, "c");
    check(&g, 5, 50, 100, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: c: no document could be read; so much, at most 5 % (10 of "
          "10 compared; 0 documents, 0 bytes looked through)\n");
    /* too few of the corpus's records could be used; one of several corpora has none */
    made_run(&g, "UPDATE splits SET documents = 3, bytes = 30, rejected = 4 WHERE dataset = 'c'; "
                 "UPDATE shards SET whole = 1");
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: c: 3 of 7 records could be used (42.9 %), less than "
          "fail_on.coverage, 50 %; so much, at most 5 % (10 of 10 compared; 3 documents, 30 bytes looked through)\n");
    made_run(&g, "UPDATE splits SET rejected = 3 WHERE dataset = 'c'");
    findings[0].documents = 3;                              /* of the benchmark's language; one is long enough */
    findings[0].met = 1;
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: c: 1 of 3 documents are long enough to be compared "
          "(33.3 %), less than fail_on.coverage, 50 %; so much, at most 5 % (10 of 10 compared; 3 documents, 0 bytes "
          "looked through)\n");
    found(0, 10, 10, "*");
    check(&g, 5, 50, 0, GATE_PASSED, "gate.made=passed: so much; at most 5 %\ngates=passed\n",
          "passed|gate fail_on.made passed: so much, at most 5 % (10 of 10 compared; 3 documents, 30 bytes looked "
          "through)\n");
    made_run(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('none', '', 'corpus', 0)");
    check(&g, 5, 50, 0, GATE_INCONCLUSIVE, "gate.made=inconclusive: so much; at most 5 %\ngates=inconclusive\n",
          "inconclusive|gate fail_on.made is inconclusive: 1 of the corpora: no document could be read; so much, at "
          "most 5 % (10 of 10 compared; 3 documents, 30 bytes looked through)\n");
    made_close(&g);
}

/* The worst of several stands in table run: the highest of those that failed. */
static void test_worst(void **unused)
{
    struct made_graph g;
    double            limit[] = { 5, 0 };
    struct task       task = { .of = &made, .limit = limit, .on = true };
    const struct config config = { .task = &task, .task_count = 1 };
    sqlite3          *db;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, counts_sql);
    found(7, 10, 10, "c");
    findings[1] = (struct gate_finding){ SLICE("b"), SLICE("c"), 9, 10, 10, "most", 0, 0, 0, NULL, 0, NULL };
    findings[2] = (struct gate_finding){ SLICE("b"), SLICE("c"), 0, 0, 10, "nothing", 0, 0, 0, NULL, 0, NULL };
    findings[3] = (struct gate_finding){ SLICE("b"), SLICE("c"), 1, 10, 10, "little", 0, 0, 0, NULL, 0, NULL };
    finding_count = 4;
    limit[1] = -1;
    assert_int_equal(sqlite3_open(g.path, &db), SQLITE_OK);
    assert_int_equal(gates_measure(&config, db, NULL, &err), 0);
    for (int i = 0; i < 2; i++) {
        static const char *const sql[] = { "SELECT value = 'failed' FROM run WHERE key = 'gates'",
                                           "SELECT value = 'failed: most; at most 5 %' FROM run WHERE key = "
                                           "'gate.made'" };
        uint64_t right = 0;

        assert_int_equal(graph_count(db, sql[i], &right, &err), 0);
        assert_int_equal(right, 1);
    }
    limit[1] = 3;
    assert_int_equal(gates_measure(&config, db, NULL, &err), -EIO);
    assert_string_equal(err.text, "cannot be measured");
    task.on = false;
    made_run(&g, "DELETE FROM gates; DELETE FROM run WHERE key GLOB 'gate*'");
    assert_int_equal(gates_measure(&config, db, NULL, &err), 0);
    sqlite3_close(db);
    made_close(&g);
}

static void test_percent(void **unused)
{
    (void)unused;
    assert_true(gate_percent(1, 4) == 25);
    assert_true(gate_percent(0, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_outcomes), cmocka_unit_test(test_doubts),
        cmocka_unit_test(test_cut),
                                        cmocka_unit_test(test_worst), cmocka_unit_test(test_percent) };

    return cmocka_run_group_tests_name("capability/gate", tests, NULL, NULL);
}
