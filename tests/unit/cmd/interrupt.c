/* tests/unit/cmd/interrupt.c -- a child process that is told to stop: what it says, and what its parent sees. */
#include "cmd/interrupt.h"
#include "tests/unit/folder.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* The child's status, and in said what it wrote to standard error. */
static int interrupted(int number, bool goes_on, bool ignored, char *said, size_t room)
{
    ssize_t got, len = 0;
    int     ends[2], status = 0;
    pid_t   child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(number, ignored ? SIG_IGN : SIG_DFL);
        interrupt_explain(goes_on);
        raise(number);
        _exit(7);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + len, room - 1 - (size_t)len)) > 0) len += got;
    said[len] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_signals(void **unused)
{
    static const int numbers[] = { SIGINT, SIGTERM };
    char             said[256];
    int              status;

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        status = interrupted(numbers[i], true, false, said, sizeof said);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
        assert_string_equal(said, "interrupted; the same command goes on where it was\n");
        status = interrupted(numbers[i], false, false, said, sizeof said);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
        assert_string_equal(said, "interrupted\n");
        status = interrupted(numbers[i], true, true, said, sizeof said);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        assert_string_equal(said, "");
    }
    status = interrupted(SIGHUP, true, false, said, sizeof said); /* none of its business */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_signals) };

    return cmocka_run_group_tests_name("cmd/interrupt", tests, NULL, NULL);
}
