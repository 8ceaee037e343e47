/* tests/unit/cmd/verdict.c -- gates that passed, failed and can not be told, and data that is bad. */
#include "cmd/verdict.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/said.h"

#include <errno.h>

static const char usable[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, lost, missing, "
    "rejected_bytes) VALUES "
    "('b', '', 's', 1, 1, '00000000000000aa', 1, 0, 0, 1, 0, 0, 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
    "('b', '', 'c', 1, 1, 0, 0, 9);";

/* The code, whether a gate did not pass, and what was said on both streams. */
static void reaches(const struct made_graph *g, bool quiet, int expected, bool gated, const char *says)
{
    struct said said;
    struct err  err = { 0 };
    bool        gate = !gated;
    int         rc;

    said_begin(&said);
    rc = verdict_reach(g->folder, quiet, &gate, &err);
    said_end(&said);
    assert_int_equal(rc, expected);
    assert_int_equal(rc, err.code);
    assert_int_equal(gate, gated);
    assert_string_equal(said.text.at, says);
    said_free(&said);
}

static const char gate_row[] =
    "INSERT INTO gates VALUES ('leakage', '%s', 'b', 'c', 5, 4.5, 8, 9, 7, 60, 'so much', '%s')";

static void add_gate(const struct made_graph *g, const char *outcome, const char *doubt)
{
    char sql[300];

    snprintf(sql, sizeof sql, gate_row, outcome, doubt);
    made_run(g, sql);
}

#define LOOKED " (8 of 9 compared; 7 documents, 60 bytes looked through)\n"
#define FAILED "warning: gate fail_on.leakage failed: so much, more than 4.5 %" LOOKED
#define UNSURE "warning: gate fail_on.leakage is inconclusive: too little; so much, at most 4.5 %" LOOKED

static void test_gates(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, usable);
    reaches(&g, true, 0, false, "");                        /* nothing was bounded */
    add_gate(&g, "passed", "");
    reaches(&g, true, 0, false, "");
    add_gate(&g, "inconclusive", "too little");
    reaches(&g, true, 0, true, UNSURE);
    add_gate(&g, "failed", "");
    reaches(&g, true, 0, true, UNSURE FAILED);
    made_run(&g, "DELETE FROM gates WHERE outcome = 'inconclusive'");
    reaches(&g, true, 0, true, FAILED);
    made_run(&g, "UPDATE gates SET outcome = 'what'");      /* whoever wrote that: it did not pass */
    reaches(&g, true, 0, true, "warning: gate fail_on.leakage is inconclusive: ; so much, at most 4.5 %" LOOKED
                               "warning: gate fail_on.leakage is inconclusive: ; so much, at most 4.5 %" LOOKED);
    made_close(&g);
}

static void test_data(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, usable);
    made_run(&g, "UPDATE splits SET rejected = 1, documents = 1");
    reaches(&g, true, 0, false,
            "warning: b: 1 of 2 records (50.0 %) were rejected, for reasons that are not listed\n");
    made_run(&g, "UPDATE splits SET documents = 0, admitted = 0");
    add_gate(&g, "failed", "");
    reaches(&g, true, -EBADMSG, true,                       /* gates all the same */
            "warning: b: 1 of 1 records (100.0 %) were rejected, for reasons that are not listed\n" FAILED);
    unlink(g.path);
    reaches(&g, true, -ENOENT, false, "");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_gates), cmocka_unit_test(test_data) };

    return cmocka_run_group_tests_name("cmd/verdict", tests, NULL, NULL);
}
