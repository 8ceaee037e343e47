/* base/host: the processors that a thread is given, and gives back.  tests/mpi/test_comm.c has several ranks. */
#include "base/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static cpu_set_t cpus_now(void)
{
    cpu_set_t set;

    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

/* The n-th processor of a set. */
static cpu_set_t one_of(const cpu_set_t *set, int n)
{
    cpu_set_t one;
    size_t    at = 0;

    CPU_ZERO(&one);
    for (; !CPU_ISSET(at, set) || n-- > 0; at++) continue;
    CPU_SET(at, &one);
    return one;
}

static void test_alone(void **state)
{
    const cpu_set_t before = cpus_now();
    cpu_set_t       now;
    struct comm    *comm;
    struct host     host;
    struct err      err = { 0 };

    (void)state;
    assert_int_equal(comm_open(&comm, &err), 0);
    assert_int_equal(host_find(&host, comm, 3, &err), 0);
    assert_int_equal(host.threads, 3);
    assert_int_equal(host_take(&host, 3), 3);
    host_give(&host);
    now = cpus_now();
    assert_true(CPU_EQUAL(&before, &now));
    comm_close(comm);
}

/* A rank that is bound to one of the processors, beside another one. */
static void test_bound(void **state)
{
    const cpu_set_t all = cpus_now(), own = one_of(&all, 0);
    const int       count = CPU_COUNT(&all);
    struct host     host = { .threads = 2, .own = own, .all = all };
    cpu_set_t       now;

    (void)state;
    assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
    assert_int_equal(host_take(&host, 1), count < 2 ? 1 : 2);
    now = cpus_now();
    assert_true(CPU_EQUAL(&now, &all));
    host_give(&host);
    now = cpus_now();
    assert_true(CPU_EQUAL(&now, &own));

    /* more threads than processors are worth no more than these, but never less than were asked for */
    host.threads = count + 7;
    assert_int_equal(host_take(&host, 1), count);
    assert_int_equal(host_take(&host, count + 1), count + 1);
    /* what the system refuses is not taken */
    CPU_ZERO(&host.all);
    assert_int_equal(host_take(&host, 1), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_alone), cmocka_unit_test(test_bound) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
