/* tests/unit/pass/run.c -- the memory that work may take: as the user said, or three quarters of the machine's. */
#include "pass/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
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
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    struct run     run = { .memory = 0 };
    struct err     err = { 0 };
    uint64_t       memory;

    (void)unused;
    assert_int_equal(comm_open(&run.comm, &err), 0);
    memory = run_memory(&run);
    assert_in_range(memory, machine / 4 * 3 - (64 << 10), machine / 4 * 3);     /* but for a few pages */
    assert_int_equal(run_memory_share(&run), memory / (uint64_t)comm_size(run.comm));
    comm_close(run.comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_user_said), cmocka_unit_test(three_quarters_by_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
