/* base/log: what reaches stderr, run.log and a terminal. */
#include "base/log.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* stderr is a file or a terminal of ours while a test runs. */
struct world { char folder[64], err[96], run[96]; int stderr_was; };

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);

    if (!world) return -1;
    strcpy(world->folder, "/tmp/test_log.XXXXXX");
    if (!mkdtemp(world->folder)) return -1;
    snprintf(world->err, sizeof world->err, "%s/err", world->folder);
    snprintf(world->run, sizeof world->run, "%s/run.log", world->folder);
    world->stderr_was = dup(STDERR_FILENO);
    *state = world;
    return world->stderr_was < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;

    log_close();
    dup2(world->stderr_was, STDERR_FILENO);
    close(world->stderr_was);
    unlink(world->err);
    unlink(world->run);
    rmdir(world->folder);
    free(world);
    return 0;
}

static void stderr_to(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_true(dup2(fd, STDERR_FILENO) >= 0);
    close(fd);
}

static void content(const char *path, char *out, size_t room)
{
    FILE  *file = fopen(path, "r");
    size_t got;

    assert_non_null(file);
    got = fread(out, 1, room - 1, file);
    out[got] = '\0';
    fclose(file);
}

/* A time stamp and a space, UTC, to the millisecond. */
static void assert_stamped(const char *line, const char *rest)
{
    struct tm utc = { 0 };

    assert_non_null(strptime(line, "%Y-%m-%dT%H:%M:%S", &utc));
    assert_int_equal(line[19], '.');
    assert_int_equal(line[23], 'Z');
    assert_int_equal(line[24], ' ');
    assert_true(labs((long)(timegm(&utc) - time(NULL))) < 60);
    assert_string_equal(line + 25, rest);
}

static void test_lines(void **state)
{
    struct world *world = *state;
    char          text[4096];

    stderr_to(world->err);
    log_open(&(struct log_options){ .path = world->run });
    log_info("index built items=%d", 12);
    log_warn("3 records rejected");
    log_rank_warn("slow disk");
    log_error("no space");
    content(world->err, text, sizeof text);
    assert_string_equal(text, "index built items=12\nwarning: 3 records rejected\nwarning: rank 0: slow disk\nerror: "
                              "no space\n");
    content(world->run, text, sizeof text);
    assert_int_equal(strcspn(text, "\n"), 25 + strlen("index built items=12"));
    text[strcspn(text, "\n")] = '\0';
    assert_stamped(text, "index built items=12");
    log_open(&(struct log_options){ .path = world->run });  /* appends */
    log_info("second run");
    content(world->run, text, sizeof text);
    assert_non_null(strstr(text, "index built"));
    assert_non_null(strstr(text, "second run"));
}

static void test_quiet_and_ranks(void **state)
{
    struct world *world = *state;
    char          text[4096];

    stderr_to(world->err);
    log_open(&(struct log_options){ .quiet = true, .path = world->run });
    log_info("not on the terminal");
    log_warn("but this");
    log_error("and this");
    content(world->err, text, sizeof text);
    assert_string_equal(text, "warning: but this\nerror: and this\n");
    content(world->run, text, sizeof text);
    assert_non_null(strstr(text, "not on the terminal"));

    stderr_to(world->err);
    log_open(&(struct log_options){ .rank = 3 });
    log_info("rank 0 says so");
    log_warn("and this");
    log_rank_warn("only here");
    content(world->err, text, sizeof text);
    assert_string_equal(text, "warning: rank 3: only here\n");
}

static void test_control_characters(void **state)
{
    static const struct { const char *said, *shown; } line[] = {
        { "a\x1b[31mred\a\n\t\x7f", "a\\x1B[31mred\\x07\\x0A\\x09\\x7F\n" },
        { "C1 \xC2\x9B" "31m", "C1 \\xC2\\x9B31m\n" },
        { "raw \x9B" "31m \xFF", "raw \\x9B31m \\xFF\n" },
        { "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80", "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80\n" },
        { "bidi \xE2\x80\xAE.c", "bidi \\xE2\\x80\\xAE.c\n" },
        { "overlong \xC0\x9B \xE0\x82\x9B", "overlong \\xC0\\x9B \\xE0\\x82\\x9B\n" },
        { "cut \xE6\x97", "cut \\xE6\\x97\n" },
    };
    struct world *world = *state;
    char          text[4096];

    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        stderr_to(world->err);
        log_open(&(struct log_options){ .path = NULL });
        log_info("%s", line[i].said);
        content(world->err, text, sizeof text);
        assert_string_equal(text, line[i].shown);
    }
}

static void test_long_line(void **state)
{
    struct world *world = *state;
    char          said[6000], text[16384];
    size_t        len;

    memset(said, '\x01', sizeof said - 1);                  /* each byte is shown as four */
    said[sizeof said - 1] = '\0';
    stderr_to(world->err);
    log_open(&(struct log_options){ .path = NULL });
    log_info("%s", said);
    content(world->err, text, sizeof text);
    len = strlen(text);
    assert_true(len > 4000 && len < 10000);
    assert_string_equal(text + len - 4, "...\n");
    assert_int_equal(strspn(text, "\\x01"), len - 4);
}

static void test_unwritable(void **state)
{
    struct world *world = *state;
    char          text[4096];

    stderr_to(world->err);
    log_open(&(struct log_options){ .path = "/nowhere/at/all/run.log" });
    log_info("still said");
    content(world->err, text, sizeof text);
    assert_string_equal(text, "warning: no run log: /nowhere/at/all/run.log: No such file or directory\nstill said\n");
}

static void *say_much(void *name)
{
    for (int i = 0; i < 500; i++) log_info("thread %s says %d and a few words more", (const char *)name, i);
    return NULL;
}

static void test_threads(void **state)
{
    static char  names[4][2] = { "a", "b", "c", "d" };
    struct world *world = *state;
    pthread_t    thread[4];
    char         line[256];
    int          count = 0, next[4] = { 0 };
    FILE        *file;

    stderr_to(world->err);
    log_open(&(struct log_options){ .path = world->run });
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, say_much, names[i]), 0);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    assert_non_null(file = fopen(world->run, "r"));
    while (fgets(line, sizeof line, file)) {
        char who, expected[128];
        int  number;

        assert_int_equal(sscanf(line + 25, "thread %c says %d", &who, &number), 2);
        assert_int_equal(number, next[who - 'a']++);
        snprintf(expected, sizeof expected, "thread %c says %d and a few words more\n", who, number);
        assert_stamped(line, expected);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 2000);
}

/* ---- progress ---- */

static int open_terminal(unsigned short columns)
{
    struct winsize size = { .ws_row = 24, .ws_col = columns };
    struct termios raw;
    int            master = posix_openpt(O_RDWR | O_NOCTTY), slave;

    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(tcgetattr(slave, &raw), 0);
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    assert_true(dup2(slave, STDERR_FILENO) >= 0);
    close(slave);
    assert_int_equal(fcntl(master, F_SETFL, O_NONBLOCK), 0);
    return master;
}

/* What the terminal shows, up to `last`.  A pseudo-terminal hands on what is written later, and one by one. */
static void terminal_read(int master, const char *last, char *out, size_t room)
{
    struct pollfd wait = { .fd = master, .events = POLLIN };
    size_t        length = 0, end = strlen(last);
    ssize_t       got;

    out[0] = '\0';
    while ((length < end || strcmp(out + length - end, last) != 0) && poll(&wait, 1, 10000) > 0
           && (got = read(master, out + length, room - 1 - length)) > 0) {
        length += (size_t)got;
        out[length] = '\0';
    }
}

static void terminal_says(int master, const char *expected)
{
    char text[4096];

    terminal_read(master, expected, text, sizeof text);
    assert_string_equal(text, expected);
}

static void terminal_is_still(int master)
{
    struct pollfd wait = { .fd = master, .events = POLLIN };

    assert_int_equal(poll(&wait, 1, 50), 0);
}

static void test_progress(void **state)
{
    struct world   *world = *state;
    char            text[4096];
    int             master = open_terminal(100);
    /* long ago, so that a pause of this test is nothing beside it */
    struct progress progress = { "scan", 12, 40, 997, 1000, 1300000000000, log_seconds() - 2500, NULL };
    double          began;
    bool            soon;

    log_open(&(struct log_options){ .path = world->run });
    began = log_seconds();
    log_progress(&progress);
    terminal_says(master, "\rscan  12/40 shards  1.3 TB  520 MB/s  ETA 0:07\x1b[K");
    log_progress(&progress);
    soon = log_seconds() < began + 0.1;
    log_info("a line");
    terminal_read(master, "\r\x1b[Ka line\n", text, sizeof text);
    if (soon)                                               /* too soon: not drawn again */
        assert_string_equal(text, "\r\x1b[Ka line\n");
    log_progress_end();                                     /* already erased */
    terminal_is_still(master);
    content(world->run, text, sizeof text);
    assert_null(strstr(text, "scan"));
    close(master);
}

/* Work without bytes goes by its own unit. */
static void test_progress_unit(void **state)
{
    int             master = open_terminal(100);
    struct progress progress = { .stage = "leaky", .shards = 30, .shard_total = 31, .started = log_seconds() - 945,
                                 .unit = "blocks" };

    (void)state;
    nanosleep(&(struct timespec){ .tv_nsec = 110000000 }, NULL);
    log_open(&(struct log_options){ .path = NULL });
    log_progress(&progress);
    terminal_says(master, "\rleaky  30/31 blocks  ETA 0:31\x1b[K");
    log_progress_end();
    close(master);
}

static void test_progress_forms(void **state)
{
    char            text[4096];
    int             master = open_terminal(30);
    struct progress progress = { "a\x1b[5m", 0, 1, 1, 100000, 999, log_seconds() - 1, NULL };

    (void)state;
    nanosleep(&(struct timespec){ .tv_nsec = 110000000 }, NULL);
    log_open(&(struct log_options){ .path = NULL });
    log_progress(&progress);
    terminal_read(master, "\x1b[K", text, sizeof text);      /* cut to the window, no escape from the stage's name */
    assert_int_equal(strncmp(text, "\ra\\x1B[5m  0/1 shards  999 B", 28), 0);
    assert_ptr_equal(strchr(text, 0x1b), strrchr(text, 0x1b));  /* the one that clears the rest of the line */
    log_progress_end();
    terminal_says(master, "\r\x1b[K");
    close(master);

    master = open_terminal(0);                              /* a window of unknown width */
    nanosleep(&(struct timespec){ .tv_nsec = 110000000 }, NULL);
    progress = (struct progress){ "scan", 0, 1, 1000, 1144, 999, log_seconds() - 100000, NULL };
    log_progress(&progress);
    terminal_read(master, "\x1b[K", text, sizeof text);
    assert_non_null(strstr(text, "  ETA 4:00:0"));          /* 144 bytes, 100 s for each before */
    close(master);
}

static void test_progress_elsewhere(void **state)
{
    struct world   *world = *state;
    struct progress progress = { "scan", 1, 2, 3, 4, 5, 0, NULL };
    char            text[4096];

    stderr_to(world->err);                                  /* a file is no terminal */
    log_open(&(struct log_options){ .path = NULL });
    nanosleep(&(struct timespec){ .tv_nsec = 110000000 }, NULL);
    log_progress(&progress);
    content(world->err, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quiet_and_ranks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_control_characters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress_forms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress_elsewhere, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
