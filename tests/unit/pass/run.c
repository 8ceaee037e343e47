/* tests/unit/pass/run.c -- the memory that work may take: as the user said, or three quarters of the limit. */
#include "pass/run.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void what_the_user_said(void **unused)
{
    struct run run = { .memory = 12345 };
    struct err err = { 0 };

    (void)unused;
    assert_int_equal(comm_open(&run.comm, &err), 0);
    assert_int_equal(run_memory(&run), 12345);
    assert_int_equal(run_memory_share(&run), 12345);        /* every rank may take it: it is not divided */
    comm_close(run.comm);
}

static void three_quarters_by_default(void **unused)
{
    struct run     run = { .memory = 0 };
    struct err     err = { 0 };
    uint64_t       memory;

    (void)unused;
    assert_int_equal(comm_open(&run.comm, &err), 0);
    memory = run_memory(&run);
    assert_int_equal(memory, run_memory_within(memory_limit()));
    assert_int_equal(run_memory_share(&run), memory / (uint64_t)comm_size(run.comm));
    comm_close(run.comm);
}

static void room_is_left_within_small_limits(void **unused)
{
    const uint64_t mb = 1 << 20;

    (void)unused;
    assert_int_equal(run_memory_within(16384 * mb), 12288 * mb);
    assert_int_equal(run_memory_within(800 * mb), 600 * mb);
    assert_int_equal(run_memory_within(260 * mb), 60 * mb);
    assert_int_equal(run_memory_within(64 * mb), 8 * mb);
    assert_int_equal(run_memory_within(MEMORY_UNLIMITED), 0);
}

/* What the user said is each rank's; the machine's is divided, but for what rank 0 does alone. */
static void what_is_too_much(void **unused)
{
    struct run run = { .memory = 3 << 20 };
    struct err err = { 0 };

    (void)unused;
    assert_int_equal(comm_open(&run.comm, &err), 0);
    for (int every = 0; every < 2; every++) {
        assert_int_equal(run_memory_check(&run, every, 3 << 20, "runs", "fewer", &err), 0);
        assert_int_equal(run_memory_check(&run, every, (3 << 20) + 1, "runs", "fewer", &err), -ENOMEM);
        assert_string_equal(err.text, every
                            ? "runs need about 4 MB in memory, more than `memory` (3 MB a rank): raise `memory`, fewer"
                            : "runs need about 4 MB in memory, more than `memory` (3 MB): raise `memory`, fewer");
    }
    for (uint64_t need = 999999; need < 5ull << 30; need += need / 3) {     /* what is said is enough, and no less */
        unsigned long long said;

        run.memory = 1;
        assert_int_equal(run_memory_check(&run, false, need, "runs", "fewer", &err), -ENOMEM);
        assert_int_equal(sscanf(err.text, "runs need about %llu MB", &said), 1);
        run.memory = said * 1000000;
        assert_int_equal(run_memory_check(&run, false, need, "runs", "fewer", &err), 0);
        run.memory -= 1000000;
        assert_int_equal(run_memory_check(&run, false, need + !run.memory, "runs", "fewer", &err),
                         run.memory ? -ENOMEM : 0);
    }
    run.memory = 0;
    assert_int_equal(run_memory_check(&run, true, 1, "runs", "fewer", &err), 0);
    if (run_memory(&run)) {
        assert_int_equal(run_memory_check(&run, false, run_memory(&run), "runs", "fewer", &err), 0);
        assert_int_equal(run_memory_check(&run, true, run_memory_share(&run) + 1, "runs", "fewer", &err), -ENOMEM);
        assert_true(!run_memory_warn(&run, run_memory(&run), "a") && run_memory_warn(&run, run_memory(&run) + 1, "a"));
    }
    comm_close(run.comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_user_said), cmocka_unit_test(three_quarters_by_default),
        cmocka_unit_test(room_is_left_within_small_limits), cmocka_unit_test(what_is_too_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
