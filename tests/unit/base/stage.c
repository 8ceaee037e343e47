/* base/stage: units survive kills, damage is noticed, the folder has one owner. */
#include "base/bytes.h"
#include "base/log.h"
#include "base/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

struct world { char root[64], dir[96], work[112]; uint64_t random; int stderr_was; };

static uint64_t seed_of_run(void)
{
    const char *text = getenv("SEED");

    return text ? strtoull(text, NULL, 10) : 20;
}

static uint64_t draw(uint64_t *state)                       /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Reports of damaged units would clutter the output: stderr goes to a file that some tests read. */
static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    char          log[96];
    int           fd;

    if (!world) return -1;
    strcpy(world->root, "/tmp/test_stage.XXXXXX");
    if (!mkdtemp(world->root)) return -1;
    snprintf(world->dir, sizeof world->dir, "%s/a/b", world->root);
    snprintf(world->work, sizeof world->work, "%s/work", world->dir);
    snprintf(log, sizeof log, "%s/log", world->root);
    world->random = seed_of_run();
    world->stderr_was = dup(STDERR_FILENO);
    fd = open(log, O_RDWR | O_CREAT | O_APPEND, 0600);
    if (world->stderr_was < 0 || fd < 0 || dup2(fd, STDERR_FILENO) < 0) return -1;
    close(fd);
    *state = world;
    return 0;
}

static void remove_tree(const char *path)
{
    DIR           *folder = opendir(path);
    struct dirent *entry;
    char           inner[512];

    while (folder && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) < 0) remove_tree(inner);
    }
    if (folder) closedir(folder);
    rmdir(path);
}

static int tear_down(void **state)
{
    struct world *world = *state;

    dup2(world->stderr_was, STDERR_FILENO);
    close(world->stderr_was);
    remove_tree(world->root);
    free(world);
    return 0;
}

static struct stage *open_stage(const struct world *world, bool own)
{
    struct stage *stage = NULL;
    struct err    err = { 0 };

    if (stage_open(&stage, world->dir, own, &err) < 0) fail_msg("%s", err.text);
    return stage;
}

/* Files in dir/work whose name starts with `start` and ends with `end`; the last one's path in *path when it is not
 * NULL. */
static int count_files(const struct world *world, const char *start, const char *end, char *path, size_t room)
{
    DIR           *folder = opendir(world->work);
    struct dirent *entry;
    int            count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        size_t len = strlen(entry->d_name);

        if (strncmp(entry->d_name, start, strlen(start)) != 0 || len < strlen(end) ||
            strcmp(entry->d_name + len - strlen(end), end) != 0)
            continue;
        if (path) assert_true((size_t)snprintf(path, room, "%s/%s", world->work, entry->d_name) < room);
        count++;
    }
    closedir(folder);
    return count;
}

static struct unit_key key_of(uint64_t number)
{
    return unit_key_add((struct unit_key){ 0, 0 }, &number, sizeof number);
}

/* ---- keys ---- */

static void test_keys(void **state)
{
    struct unit_key none = { 0, 0 }, ab_c, a_bc, empty, again;

    (void)state;
    ab_c = unit_key_add(unit_key_add(none, "ab", 2), "c", 1);
    a_bc = unit_key_add(unit_key_add(none, "a", 1), "bc", 2);
    again = unit_key_add(unit_key_add(none, "ab", 2), "c", 1);
    empty = unit_key_add(none, NULL, 0);
    assert_memory_equal(&ab_c, &again, sizeof ab_c);
    assert_memory_not_equal(&ab_c, &a_bc, sizeof ab_c);
    assert_memory_not_equal(&empty, &none, sizeof empty);
    /* Part of the file format: a change would orphan every committed unit. */
    assert_true(key_of(1).low == 0x9723c3658e04f583u && key_of(1).high == 0xbde95024593ca5e2u);
}

/* ---- round trips ---- */

static void assert_unit(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section,
                        size_t count)
{
    struct unit unit;
    struct err  err = { 0 };

    assert_int_equal(stage_load(stage, kind, key, &unit, &err), 1);
    assert_int_equal(unit.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(slice_equal(unit.section[i], section[i]));
        assert_int_equal((unit.section[i].at - (const char *)unit.map) % 64, 0);
    }
    unit_close(&unit);
}

static void test_round_trip(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, true);
    char         *text = malloc(1 << 20);
    struct err    err = { 0 };

    assert_non_null(text);
    assert_string_equal(stage_dir(stage), world->dir);
    for (size_t i = 0; i < 1 << 20; i++) text[i] = (char)draw(&world->random);
    for (int round = 0; round < 60; round++) {
        struct slice    section[40];
        size_t          count = round == 0 ? 0 : draw(&world->random) % 40;
        struct unit_key key = key_of((uint64_t)round);

        for (size_t i = 0; i < count; i++) {                /* often empty, often around the alignment */
            size_t len = draw(&world->random) % 4 == 0 ? 0 : draw(&world->random) % 3 == 0
                ? draw(&world->random) % 200000 : 62 + draw(&world->random) % 5;

            section[i] = (struct slice){ len ? text + draw(&world->random) % 4096 : NULL, len };
        }
        assert_int_equal(stage_commit(stage, "round", key, section, count, &err), 0);
        assert_unit(stage, "round", key, section, count);
    }
    assert_int_equal(count_files(world, "round-", ".unit", NULL, 0), 60);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    free(text);
    stage_close(stage);
}

/* More pieces than one writev takes. */
static void test_many_sections(void **state)
{
    enum { COUNT = 5000 };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct slice *section = calloc(COUNT, sizeof *section);
    struct err    err = { 0 };

    assert_non_null(section);
    for (size_t i = 0; i < COUNT; i++) section[i] = (struct slice){ "abcdefgh", i % 9 };
    assert_int_equal(stage_commit(stage, "many", key_of(1), section, COUNT, &err), 0);
    assert_unit(stage, "many", key_of(1), section, COUNT);
    free(section);
    stage_close(stage);
}

static void test_absent_and_other(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct unit   unit;
    struct err    err = { 0 };

    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("text"), 1, &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(2), &unit, &err), 0);
    assert_int_equal(stage_load(stage, "edges", key_of(1), &unit, &err), 0);
    assert_null(unit.map);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("other text"), 1, &err), 0);     /* replaces */
    assert_unit(stage, "docs", key_of(1), &SLICE("other text"), 1);
    stage_close(stage);
    stage = open_stage(world, false);                       /* another process finds it */
    assert_unit(stage, "docs", key_of(1), &SLICE("other text"), 1);
    assert_int_equal(stage_clear(stage, &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    stage_close(stage);
}

/* ---- damage ---- */

static void read_file(const char *path, struct bytes *out)
{
    char    part[65536];
    int     fd = open(path, O_RDONLY);
    ssize_t got;

    out->len = 0;
    assert_true(fd >= 0);
    while ((got = read(fd, part, sizeof part)) > 0) assert_int_equal(bytes_append(out, part, (size_t)got), 0);
    close(fd);
}

static void write_file(const char *path, const char *at, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, at, len), (ssize_t)len);
    close(fd);
}

/* Whatever one byte or one cut does to a unit, it is refused with its path, removed, and can be made again. */
static void assert_damage_seen(struct stage *stage, const char *path, const char *at, size_t len)
{
    struct unit unit;
    struct err  err = { 0 };

    write_file(path, at, len);
    assert_int_equal(unit_verify(path, &err), -EBADMSG);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, ": byte "));
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    assert_null(unit.map);
    assert_int_equal(access(path, F_OK), -1);
}

static void test_damage(void **state)
{
    static const struct slice section[] = { { "first section", 13 }, { NULL, 0 },
                                            { "the second one is a little longer than sixty-four bytes, to be sure",
                                              67 } };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct bytes  good = { 0 }, bad = { 0 };
    struct err    err = { 0 };
    char          path[256];

    assert_int_equal(stage_commit(stage, "docs", key_of(1), section, 3, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(unit_verify(path, &err), 0);
    read_file(path, &good);
    for (size_t i = 0; i < good.len; i++) {                 /* every byte of the file, one bit each */
        bad.len = 0;
        assert_int_equal(bytes_append(&bad, good.at, good.len), 0);
        bad.at[i] = (char)(bad.at[i] ^ (1 << (i % 8)));
        assert_damage_seen(stage, path, bad.at, bad.len);
    }
    /* torn at every byte */
    for (size_t len = 0; len < good.len; len++) assert_damage_seen(stage, path, good.at, len);
    assert_int_equal(bytes_append(&bad, "x", 1), 0);
    assert_damage_seen(stage, path, bad.at, bad.len);       /* too long */
    memset(bad.at + 64, 0, bad.len - 64);
    assert_damage_seen(stage, path, bad.at, good.len);      /* pages that never reached the disk */
    write_file(path, good.at, good.len);
    assert_unit(stage, "docs", key_of(1), section, 3);
    bytes_free(&good);
    bytes_free(&bad);
    stage_close(stage);
}

/* A sound unit under another's name is not that other. */
static void test_misnamed(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct unit   unit;
    struct err    err = { 0 };
    char          path[256], other[256];

    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("one"), 1, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(stage_commit(stage, "edges", key_of(2), &SLICE("two"), 1, &err), 0);
    assert_int_equal(count_files(world, "edges-", ".unit", other, sizeof other), 1);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(unit_verify(other, &err), -EBADMSG);
    assert_int_equal(stage_load(stage, "edges", key_of(2), &unit, &err), 0);
    assert_int_equal(access(other, F_OK), -1);
    assert_int_equal(unit_verify(other, &err), -EIO);       /* gone: not damage */
    stage_close(stage);
}

/* ---- failures ---- */

/* A write that fails in the middle leaves neither a unit nor a temporary file. */
static void test_write_fails(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    char         *text = calloc(1, 300000);
    struct rlimit was, small;
    struct unit   unit;
    struct err    err = { 0 };

    assert_non_null(text);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = (struct rlimit){ 100000, was.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &(struct slice){ text, 300000 }, 1, &err), -EIO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    /* a short write first, then the error */
    assert_non_null(strstr(err.text, "byte 100000: cannot write"));
    assert_int_equal(count_files(world, "", ".unit", NULL, 0), 0);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    free(text);
    stage_close(stage);
}

static void test_bad_folders(void **state)
{
    struct world *world = *state;
    struct stage *stage;
    struct err    err = { 0 };
    char          path[160];

    snprintf(path, sizeof path, "%s/file", world->root);
    write_file(path, "x", 1);
    assert_int_equal(stage_open(&stage, path, false, &err), -EIO);
    assert_null(stage);
    snprintf(path, sizeof path, "%s/file/below", world->root);
    assert_true(stage_open(&stage, path, true, &err) < 0);
    assert_non_null(strstr(err.text, "/file"));
    assert_true(stage_open(&stage, "/proc/no/such/place", true, &err) < 0);
}

/* ---- temporaries ---- */

static void age(const char *path, time_t seconds)
{
    struct timespec times[2] = { { .tv_sec = time(NULL) - seconds }, { .tv_sec = time(NULL) - seconds } };

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_stale_temporaries(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct err    err = { 0 };
    char          old[160], fresh[160];

    snprintf(old, sizeof old, "%s/tmp-elsewhere-1-0", world->work);
    snprintf(fresh, sizeof fresh, "%s/tmp-elsewhere-2-0", world->work);
    write_file(old, "x", 1);
    write_file(fresh, "x", 1);
    age(old, 3700);
    age(fresh, 3000);
    stage_close(stage);
    stage = open_stage(world, true);
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(access(fresh, F_OK), 0);               /* may be another rank's, at this very moment */
    assert_int_equal(stage_clear(stage, &err), 0);          /* the owner knows better */
    assert_int_equal(access(fresh, F_OK), -1);
    stage_close(stage);
}

/* The names of temporaries of two stages in one process differ too. */
static void test_temporary_names_taken(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct err    err = { 0 };
    char          host[65] = "", path[300];

    gethostname(host, sizeof host - 1);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/tmp-%s-%ld-%d", world->work, host, (long)getpid(), i);
        write_file(path, "someone else's", 14);
    }
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("mine"), 1, &err), 0);
    assert_unit(stage, "docs", key_of(1), &SLICE("mine"), 1);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 3);
    stage_close(stage);
}

struct worker { struct stage *stage; uint64_t first; };

static void *commit_many(void *argument)
{
    struct worker *worker = argument;
    struct err     err = { 0 };
    char           text[32];
    uint64_t       failed = 0;

    for (uint64_t i = 0; i < 100; i++) {
        struct slice section =
            { text, (size_t)snprintf(text, sizeof text, "unit %llu", (unsigned long long)(worker->first + i % 50)) };

        failed += stage_commit(worker->stage, "docs", key_of(worker->first + i % 50), &section, 1, &err) < 0;
    }
    worker->first = failed;
    return NULL;
}

/* Threads that commit side by side, also the same units. */
static void test_threads(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, true);
    struct worker worker[4];
    pthread_t     thread[4];

    for (uint64_t i = 0; i < 4; i++) {
        worker[i] = (struct worker){ stage, i / 2 * 50 };
        assert_int_equal(pthread_create(&thread[i], NULL, commit_many, &worker[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(worker[i].first, 0);
    }
    for (uint64_t i = 0; i < 100; i++) {
        char         text[32];
        struct slice section = { text, (size_t)snprintf(text, sizeof text, "unit %llu", (unsigned long long)i) };

        assert_unit(stage, "docs", key_of(i), &section, 1);
    }
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    stage_close(stage);
}

/* ---- kill -9 and the lock ---- */

/* A child that owns the folder and commits without end, until it is killed. */
static pid_t start_committer(const struct world *world)
{
    pid_t child = fork();
    char  text[3000];

    if (child) return child;
    memset(text, 'u', sizeof text);
    for (uint64_t i = 0;; i = (i + 1) % 64) {
        static struct stage *stage;
        struct err           err;
        struct slice         section[2] = { { text, sizeof text }, { (const char *)&i, sizeof i } };

        if (!stage && stage_open(&stage, world->dir, true, &err) < 0) _exit(1);
        if (stage_commit(stage, "docs", key_of(i), section, 2, &err) < 0) _exit(1);
    }
}

static void test_kill(void **state)
{
    struct world *world = *state;
    uint64_t      found = 0;

    for (int round = 0; round < 10; round++) {
        pid_t         child = start_committer(world);
        struct stage *stage;
        int           status;

        nanosleep(&(struct timespec){ .tv_nsec = (long)(1000000 + draw(&world->random) % 9000000) }, NULL);
        kill(child, SIGKILL);
        stage = open_stage(world, true);                    /* waits for a child that is not quite dead */
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        for (uint64_t i = 0; i < 64; i++) {
            struct unit unit;
            struct err  err = { 0 };
            int         rc = stage_load(stage, "docs", key_of(i), &unit, &err);

            assert_true(rc >= 0);
            if (rc == 0) continue;
            assert_int_equal(unit.section[0].len, 3000);
            assert_memory_equal(unit.section[1].at, &i, sizeof i);
            unit_close(&unit);
            found++;
        }
        stage_close(stage);
    }
    assert_true(found > 0);
}

static void test_lock(void **state)
{
    struct world *world = *state;
    struct stage *stage, *second = NULL;
    struct err    err = { 0 };
    int           to_parent[2], status;
    char          byte = 0, pid[32];
    double        started;
    pid_t         child;

    assert_int_equal(pipe(to_parent), 0);
    child = fork();
    if (child == 0) {                                       /* holds the lock for 300 ms */
        struct err inner;

        if (stage_open(&stage, world->dir, true, &inner) < 0 || write(to_parent[1], "x", 1) != 1) _exit(1);
        nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
        _exit(0);
    }
    assert_int_equal(read(to_parent[0], &byte, 1), 1);
    assert_int_equal(setenv("LEAKGRAPH_PATIENCE", "0", 1), 0);
    assert_int_equal(stage_open(&second, world->dir, true, &err), -EBUSY);
    assert_null(second);
    snprintf(pid, sizeof pid, " %ld ", (long)child);
    assert_non_null(strstr(err.text, pid));                 /* names the holder */
    assert_int_equal(unsetenv("LEAKGRAPH_PATIENCE"), 0);
    stage_close(open_stage(world, false));                  /* other ranks need no lock */
    started = log_seconds();
    stage = open_stage(world, true);                        /* waits until the child has gone */
    assert_true(log_seconds() - started > 0.05);
    stage_close(stage);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(to_parent[0]);
    close(to_parent[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_sections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_absent_and_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_misnamed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stale_temporaries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_temporary_names_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kill, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lock, set_up, tear_down),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
