/* tests/unit/cmd/verdict.c -- gates that were made for it, of tasks that are on and off. */
#include "cmd/verdict.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/said.h"

#include <errno.h>

static int measure_some(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    (void)task;
    (void)err;
    assert_non_null(db);
    to->hear(to->context, 5, "five were found");
    to->hear(to->context, 2.5, "less was found");
    return 0;
}

static int measure_nothing(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    (void)task;
    (void)db;
    (void)to;
    return err_set(err, -EIO, "cannot be measured");
}

static const struct gate       gates[] = { { "some", "", measure_some }, { "broken", "", measure_nothing },
                                           { NULL, NULL, NULL } };
static const struct capability made = { .name = "made", .gates = gates }, without = { .name = "without" };

static const char usable[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected) VALUES "
    "('b', '', 's', 1, 1, '00000000000000aa', 1, 0);"
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, bytes) VALUES "
    "('b', '', 'c', 1, 1, 0, 9);";

/* The code, whether a gate was passed, and what was said. */
static void reaches(const struct made_graph *g, double some, double broken, bool on, int expected, bool passed,
                    const char *says)
{
    double              limit[] = { some, broken };
    struct task         task[] = { { .of = &without, .on = true }, { .of = &made, .limit = limit, .on = on } };
    const struct config config = { .task = task, .task_count = 2 };
    struct said         said;
    struct err          err = { 0 };
    bool                gate = !passed;
    int                 rc;

    said_begin(&said);
    rc = verdict_reach(&config, g->folder, &gate, &err);
    said_end(&said);
    assert_int_equal(rc, expected);
    assert_int_equal(rc, err.code);
    assert_int_equal(gate, passed);
    assert_string_equal(said.text.at, says);
    said_free(&said);
}

static void test_gates(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, usable);
    reaches(&g, -1, -1, true, 0, false, "");                /* nothing was bounded */
    reaches(&g, 5, -1, true, 0, false, "");                 /* so much is allowed */
    reaches(&g, 4.5, -1, true, 0, true, "warning: gate fail_on.some: five were found, more than 4.5 %\n");
    reaches(&g, 0, -1, true, 0, true, "warning: gate fail_on.some: five were found, more than 0 %\n"
                                      "warning: gate fail_on.some: less was found, more than 0 %\n");
    reaches(&g, 0, 0, false, 0, false, "");
    reaches(&g, -1, 3, true, -EIO, false, "");
    made_close(&g);
}

static void test_data(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, usable);
    made_run(&g, "UPDATE splits SET rejected = 1, documents = 1");
    reaches(&g, 9, -1, true, 0, false,
            "warning: b: 1 of 2 records (50.0 %) were rejected, for reasons that are not listed\n");
    made_run(&g, "UPDATE splits SET documents = 0, admitted = 0");
    reaches(&g, 0, -1, true, -EBADMSG, true,                /* gates all the same */
            "warning: b: 1 of 1 records (100.0 %) were rejected, for reasons that are not listed\n"
            "warning: gate fail_on.some: five were found, more than 0 %\n"
            "warning: gate fail_on.some: less was found, more than 0 %\n");
    unlink(g.path);
    reaches(&g, 0, -1, true, -ENOENT, false, "");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_gates), cmocka_unit_test(test_data) };

    return cmocka_run_group_tests_name("cmd/verdict", tests, NULL, NULL);
}
