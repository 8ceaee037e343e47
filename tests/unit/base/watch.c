/* base/watch: in a child process, which it ends or not: a connection that ends with and without a bye, one that is
 * silent, a call that takes too long, a parent that goes. */
#include "base/watch.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 4500 };                                    /* more than a watch leaves to a launcher */

struct story { struct watch *watch; int mine, other; };     /* mine: the watched end of a connection */

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL); }

/* Runs the story under a watch; 33 when it came to its end. */
static void tell(void (*story)(struct story *))
{
    struct story  s = { 0 };
    struct err    err;
    int           ends[2];
    struct pollfd *peer = calloc(2, sizeof *peer);

    if (!peer || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 || watch_open(&s.watch, &err) < 0) _exit(99);
    s.mine = peer[1].fd = ends[0];
    s.other = ends[1];
    watch_ranks(s.watch, peer, 1, 7);
    story(&s);
    watch_close(s.watch);
    close(s.other);
    _exit(33);
}

/* A story that goes on beside others, as most of it is waiting. */
struct child { pid_t process; int said; };

static struct child begin(void (*story)(struct story *))
{
    struct child child;
    int          ends[2];

    assert_int_equal(pipe(ends), 0);
    child = (struct child){ fork(), ends[0] };
    assert_true(child.process >= 0);
    if (child.process == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[1]);
        tell(story);
    }
    close(ends[1]);
    return child;
}

/* What it wrote to standard error. */
static void hear(struct child child, char said[512])
{
    ssize_t used = 0, got;

    while ((got = read(child.said, said + used, (size_t)(511 - used))) > 0) used += got;
    said[used] = '\0';
    close(child.said);
}

/* Its exit status and, in said, what it wrote. */
static int status_of(struct child child, char said[512])
{
    int status;

    hear(child, said);
    assert_int_equal(waitpid(child.process, &status, 0), child.process);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void silent(struct story *s)     { (void)s; sleep_ms(LONG_MS); }
static void silent_for_long(struct story *s) { (void)s; sleep_ms(LONG_MS + 5000); }
static void dead(struct story *s)       { close(s->other); sleep_ms(LONG_MS + 5000); }
static void says_bye(struct story *s)
{
    if (write(s->other, "b", 1) != 1) _exit(99);
    close(s->other);
    sleep_ms(LONG_MS);
}
static void leaves(struct story *s)
{
    char byte;

    watch_leave(s->watch);
    if (read(s->other, &byte, 1) != 1) _exit(99);           /* it was told */
    close(s->other);
    sleep_ms(LONG_MS);
}
static void in_time(struct story *s)
{
    watch_expect(s->watch, "a call", 1, 5);
    watch_expect(s->watch, NULL, 0, 0);
    sleep_ms(2000);
}
static void too_long(struct story *s)   { watch_expect(s->watch, "a call", 0.5, 5); sleep_ms(LONG_MS + 5000); }
static void closed_at_once(struct story *s)
{
    double        started = log_seconds();
    struct watch *watch;
    struct err    err;

    (void)s;
    for (int i = 0; i < 100; i++) {
        if (watch_open(&watch, &err) < 0) _exit(99);
        watch_close(watch);
    }
    if (log_seconds() - started > 15) _exit(98);            /* their ticks, had they been waited for, take 20 s */
}

static void test_ranks(void **state)
{
    const struct child is_silent = begin(silent), bye = begin(says_bye), left = begin(leaves), is_dead = begin(dead);
    char               said[512];

    (void)state;
    assert_int_equal(status_of(is_silent, said), 33);
    assert_string_equal(said, "");
    assert_int_equal(status_of(bye, said), 33);
    assert_int_equal(status_of(left, said), 33);
    assert_string_equal(said, "");
    assert_int_equal(status_of(is_dead, said), 1);
    assert_non_null(strstr(said, "rank 7 has ended before its time"));
}

static void test_calls(void **state)
{
    const struct child in_time_too = begin(in_time), late = begin(too_long);
    char               said[512];

    (void)state;
    assert_int_equal(status_of(in_time_too, said), 33);
    assert_string_equal(said, "");
    assert_int_equal(status_of(late, said), 5);
    assert_non_null(strstr(said, "a call takes longer than"));
    assert_int_equal(status_of(begin(closed_at_once), said), 33);          /* alone: it is measured */
    watch_expect(NULL, "a call", 1, 1);                     /* nobody watches */
    watch_leave(NULL);
    watch_close(NULL);
}

static int begun[2];

static void begins(struct story *s)
{
    if (write(begun[1], "b", 1) != 1) _exit(99);
    silent_for_long(s);
}

/* The middle process, which stands for the launcher, ends when the one below it is watched; that writes to the pipe how
 * it ends. */
static void launch_and_end(struct story *s)
{
    char byte;

    (void)s;
    if (pipe(begun) < 0) _exit(99);
    if (fork() == 0) tell(begins);
    close(begun[1]);
    _exit(read(begun[0], &byte, 1) == 1 ? 0 : 99);
}

static void test_launcher(void **state)
{
    char said[512];

    (void)state;
    assert_int_equal(status_of(begin(launch_and_end), said), 0);
    assert_non_null(strstr(said, "the launcher has ended before its ranks"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranks), cmocka_unit_test(test_calls),
                                        cmocka_unit_test(test_launcher) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
