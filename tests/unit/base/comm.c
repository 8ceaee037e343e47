/* base/comm: one process without a launcher, where every call has its one-rank meaning; tests/mpi has the others. */
#include "base/comm.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct comm *open_comm(void)
{
    struct comm *comm;
    struct err   err = { 0 };

    if (comm_open(&comm, &err) < 0) fail_msg("%s", err.text);
    return comm;
}

static void test_library(void **state)
{
    char name[100], cut[4];

    (void)state;
    comm_library(name, sizeof name);
    assert_true(*name && strcspn(name, ",\n\r") == strlen(name));
    comm_library(cut, sizeof cut);
    assert_memory_equal(cut, name, 3);
    assert_int_equal(cut[3], '\0');
}

static void test_alone(void **state)
{
    struct comm *comm = open_comm();
    struct err   err = { 0 };

    (void)state;
    assert_int_equal(comm_rank(comm), 0);
    assert_int_equal(comm_size(comm), 1);
    assert_int_equal(comm_agree(comm, 0, &err), 0);
    assert_int_equal(comm_agree(comm, 3, &err), 3);
    assert_int_equal(err.code, 0);
    err_set(&err, -EIO, "shard 7: byte 9");
    assert_int_equal(comm_agree(comm, err.code, &err), -EIO);
    assert_int_equal(err.code, -EIO);
    assert_string_equal(err.text, "shard 7: byte 9");
    comm_close(comm);
    comm_close(NULL);
    comm_close(open_comm());                                /* again, after the first has ended */
}

static void test_bytes(void **state)
{
    struct comm *comm = open_comm();
    struct bytes mine = { 0 }, all = { 0 };
    uint64_t     size[2] = { 77, 77 }, sum[3] = { 0, 5, UINT64_MAX };
    struct err   err = { 0 };

    (void)state;
    assert_int_equal(comm_broadcast(comm, &mine, &err), 0);
    assert_int_equal(mine.len, 0);
    assert_int_equal(comm_gather(comm, &mine, &all, size, &err), 0);
    assert_true(all.len == 0 && size[0] == 0 && size[1] == 77);
    assert_int_equal(bytes_append(&mine, "mine", 4), 0);
    assert_int_equal(comm_broadcast(comm, &mine, &err), 0);
    assert_true(slice_equal(bytes_slice(&mine), SLICE("mine")));
    assert_int_equal(bytes_append(&all, "what was there before", 21), 0);
    assert_int_equal(comm_gather(comm, &mine, &all, size, &err), 0);
    assert_true(slice_equal(bytes_slice(&all), SLICE("mine")));
    assert_true(slice_equal(bytes_slice(&mine), SLICE("mine")) && all.at != mine.at);
    assert_true(size[0] == 4 && size[1] == 77);
    comm_sum(comm, sum, 3);
    assert_true(sum[0] == 0 && sum[1] == 5 && sum[2] == UINT64_MAX);
    comm_sum(comm, NULL, 0);
    bytes_free(&mine);
    bytes_free(&all);
    comm_close(comm);
}

static void test_patience(void **state)
{
    static const struct { const char *text; int code; } values[] = {
        { "", 0 }, { "1", 0 }, { "2.5", 0 }, { "1e3", 0 },
        { "0", -EINVAL }, { "0.5", -EINVAL }, { "-3", -EINVAL }, { "soon", -EINVAL }, { "5s", -EINVAL },
        { "nan", -EINVAL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct comm *comm = (struct comm *)&i;
        struct err   err = { 0 };
        char         want[64];

        assert_int_equal(setenv("LEAKGRAPH_PATIENCE", values[i].text, 1), 0);
        if (comm_open(&comm, &err) != values[i].code) fail_msg("%s: %s", values[i].text, err.text);
        assert_int_equal(err.code, values[i].code);
        assert_int_equal(comm != NULL, values[i].code == 0);
        snprintf(want, sizeof want, "LEAKGRAPH_PATIENCE=%s: ", values[i].text);
        if (!comm) assert_int_equal(strncmp(err.text, want, strlen(want)), 0);
        comm_close(comm);
    }
    assert_int_equal(unsetenv("LEAKGRAPH_PATIENCE"), 0);
}

/* Ends this process with the status, with and without an open comm. */
static void test_abort(void **state)
{
    (void)state;
    for (int opened = 0; opened < 2; opened++) {
        pid_t child = fork();
        int   status;

        assert_true(child >= 0);
        if (child == 0) comm_abort(opened ? open_comm() : NULL, 7);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_library), cmocka_unit_test(test_alone),
                                        cmocka_unit_test(test_bytes),
                                        cmocka_unit_test(test_patience), cmocka_unit_test(test_abort) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
