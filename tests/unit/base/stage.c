/* base/stage: the run folder is made, has one owner, and what a killed run left in it is swept.  base/stage_unit writes
 * the files. */
#include "base/log.h"
#include "tests/unit/base/stage_folder.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

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

/* Spill files may be read hours after they were written: they go when the folder has a new owner, whatever their
 * age. */
static void test_spill_files(void **state)
{
    struct world *world = *state;
    char          old[160], fresh[160];

    stage_close(open_stage(world, false));
    snprintf(old, sizeof old, "%s/tmp-elsewhere-1-0-bands-7.spill", world->work);
    snprintf(fresh, sizeof fresh, "%s/tmp-elsewhere-2-0-bands-7.spill", world->work);
    write_file(old, "x", 1);
    write_file(fresh, "x", 1);
    age(old, 100000);
    stage_close(open_stage(world, false));
    assert_int_equal(access(old, F_OK) | access(fresh, F_OK), 0);
    stage_close(open_stage(world, true));
    assert_true(access(old, F_OK) < 0 && access(fresh, F_OK) < 0);
}

/* Without the lock, clearing takes the units, and temporaries only when they are old. */
static void test_clear(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct err    err = { 0 };
    char          path[160];

    assert_string_equal(stage_dir(stage), world->dir);
    snprintf(path, sizeof path, "%s/docs-1.unit", world->work);
    write_file(path, "x", 1);
    snprintf(path, sizeof path, "%s/tmp-elsewhere-1-0", world->work);
    write_file(path, "x", 1);
    snprintf(path, sizeof path, "%s/unit", world->work);    /* not one of ours */
    write_file(path, "x", 1);
    assert_int_equal(stage_clear(stage, &err), 0);
    assert_int_equal(count_files(world, "docs-", "", NULL, 0), 0);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 1);
    assert_int_equal(count_files(world, "unit", "", NULL, 0), 1);
    stage_close(stage);
    stage_close(NULL);
}

/* The lock file says who holds it, and nothing of who held it before. */
static void test_holder(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct bytes  said = { 0 };
    char          path[160], host[65] = "", want[128];

    snprintf(path, sizeof path, "%s/lock", world->work);
    write_file(path, "a-host-with-a-very-long-name-that-held-the-lock-before.example.org 123456789\n", 77);
    stage_close(stage);
    stage = open_stage(world, true);
    gethostname(host, sizeof host - 1);
    snprintf(want, sizeof want, "%s %ld\n", host, (long)getpid());
    read_file(path, &said);
    assert_string_equal(said.at, want);
    bytes_free(&said);
    stage_close(stage);
}

static void test_lock(void **state)
{
    struct world *world = *state;
    struct stage *stage, *second = NULL;
    struct err    err = { 0 };
    int           to_parent[2], to_child[2], status;
    char          byte = 0, pid[32];
    double        started;
    pid_t         child;

    assert_int_equal(pipe(to_parent), 0);
    assert_int_equal(pipe(to_child), 0);
    child = fork();
    if (child == 0) {                                       /* holds the lock until it is told, and 100 ms more */
        struct err inner;

        close(to_child[1]);                                 /* it ends when nobody can tell it */
        if (stage_open(&stage, world->dir, true, &inner) < 0 || write(to_parent[1], "x", 1) != 1 ||
            read(to_child[0], &byte, 1) != 1) _exit(1);
        nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
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
    assert_int_equal(write(to_child[1], "x", 1), 1);
    stage = open_stage(world, true);                        /* waits until the child has gone */
    assert_true(log_seconds() - started > 0.05);
    stage_close(stage);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(to_parent[0]);
    close(to_parent[1]);
    close(to_child[0]);
    close(to_child[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bad_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stale_temporaries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spill_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_holder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lock, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
