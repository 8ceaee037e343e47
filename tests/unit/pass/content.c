/* tests/unit/pass/content.c -- a shard that has another content, though its size and time are the same; one that
 * changes while it is read. */
#include "pass/content.h"
#include "tests/unit/small_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char yaml[] = "datasets:\n  - {name: a, role: benchmark, files: [a.jsonl]}\n"
                           "  - {name: c, role: corpus, files: [c.jsonl, tree]}\nngrams: {n: [8]}\n";

static void start(struct small_run *r)
{
    char path[160];

    small_open(r);
    snprintf(path, sizeof path, "%s/tree", r->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    small_write(r, "a.jsonl", "{\"text\": \"one two\"}\n");
    small_write(r, "c.jsonl", "{\"text\": \"two six\"}\n");
    small_write(r, "tree/one.c", "int one;\n");
    small_start(r, yaml);
}

/* Another text under the same name, with the size and the time of the old one, and in its file: a new file may get
 * another inode, and then the shard has changed for everybody to see. */
static void replace(const struct small_run *r, const char *name, const char *text)
{
    char            path[160];
    struct stat     is;
    struct timespec times[2];
    int             fd;

    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(is.st_size, strlen(text));
    fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
    times[0] = is.st_atim;
    times[1] = is.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void verify(const struct run *run, const bool anew[3], uint64_t changed)
{
    bool       told[3] = { 0 };
    uint64_t   found;
    struct err err = { 0 };

    if (content_verify(run, told, &found, &err) < 0) fail_msg("%s", err.text);
    assert_memory_equal(told, anew, sizeof told);
    assert_int_equal(found, changed);
}

static void test_verify(void **unused)
{
    struct small_run r;
    struct err       err = { 0 };

    (void)unused;
    start(&r);
    verify(&r.run, (const bool[]){ true, true, true }, 0);          /* nothing was read yet */
    small_pass(&r);
    verify(&r.run, (const bool[]){ false, false, true }, 0);        /* a folder has no content of its own */
    replace(&r, "c.jsonl", "{\"text\": \"two ten\"}\n");
    verify(&r.run, (const bool[]){ false, false, true }, 1);
    assert_int_equal(content_settle(&r.run, &r.shards.at[0], 1, &err), -EIO);
    assert_non_null(strstr(err.text, "a.jsonl: has another content than before"));
    assert_int_equal(content_settle(&r.run, &r.shards.at[2], 1, &err), 0);
    small_close(&r);
}

/* Whoever reads the shard again, as its units are lost, sees it without being asked to. */
static void test_read_again(void **unused)
{
    struct small_run r;
    struct err       err = { 0 };
    char             command[160];

    (void)unused;
    start(&r);
    small_pass(&r);
    replace(&r, "c.jsonl", "{\"text\": \"two ten\"}\n");
    small_pass(&r);                                                 /* what is there is believed */
    snprintf(command, sizeof command, "cd %s/work && rm content-*", r.output);
    assert_int_equal(system(command), 0);
    small_pass(&r);                                                 /* and knows the content that it was made of */
    snprintf(command, sizeof command, "cd %s/work && ls | grep -v -e content -e lock | xargs rm", r.output);
    assert_int_equal(system(command), 0);
    assert_int_equal(harness_pass(&r.config, &r.run, 0, &err), -EIO);
    if (!strstr(err.text, "c.jsonl: has another content than before")) fail_msg("%s", err.text);
    small_close(&r);
}

/* What is not the listed one any more is not committed. */
static void test_changed(void **unused)
{
    static const char *const change[] = { "truncate -s 0 c.jsonl", "echo >>c.jsonl", "touch c.jsonl", "rm c.jsonl",
                                          "cp -p c.jsonl d && mv d c.jsonl", "touch tree/one.c", "rm tree/one.c",
                                          "echo >tree/two.c" };

    (void)unused;
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        struct small_run r;
        struct err       err = { 0 };
        char             command[160];

        start(&r);
        snprintf(command, sizeof command, "cd %s && %s", r.folder, change[i]);
        assert_int_equal(system(command), 0);
        assert_true(harness_pass(&r.config, &r.run, 0, &err) < 0);
        if (!strstr(err.text, i < 5 ? "c.jsonl" : "tree: has changed while the run was going on"))
            fail_msg("%s: %s", change[i], err.text);
        small_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_verify), cmocka_unit_test(test_read_again),
                                        cmocka_unit_test(test_changed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
