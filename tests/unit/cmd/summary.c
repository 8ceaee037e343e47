/* tests/unit/cmd/summary.c -- the line of numbers of one rank. */
#include "cmd/summary.h"
#include "base/log.h"
#include "tests/unit/said.h"

#include <string.h>

static void test_line(void **unused)
{
    const struct pass_totals totals = { .documents = 10, .rejected = 3, .text_bytes = 77, .units = 4,
                                        .units_reused = 2 };
    const struct run_summary summary = { .started = log_seconds() - 12.5, .shard_bytes = 99 };
    struct comm *comm;
    struct said  said;
    struct err   err = { 0 };
    double       wall = 0, cpu = 0;
    unsigned     peak = 0;
    const char  *at;

    (void)unused;
    assert_int_equal(comm_open(&comm, &err), 0);
    said_begin(&said);
    summary_line(&summary, comm, &totals);
    said_end(&said);
    at = strstr(said.text.at, "done: records in=13 used=10 rejected=3 bytes=99 text=77 units=6 reused=2 wall=");
    assert_non_null(at);
    assert_int_equal(sscanf(strstr(at, "wall="), "wall=%lfs cpu=%lfs peak_rss=%uMB", &wall, &cpu, &peak), 3);
    assert_true(wall >= 12.5 && wall < 72.5);
    assert_non_null(strstr(at, "MB sent=0\n"));            /* to whom? */
    assert_true(cpu >= 0 && peak > 0 && peak < 1u << 20);
    assert_null(strchr(strchr(at, '\n') + 1, '\n'));        /* one line */
    said_free(&said);
    comm_close(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_line) };

    return cmocka_run_group_tests_name("cmd/summary", tests, NULL, NULL);
}
