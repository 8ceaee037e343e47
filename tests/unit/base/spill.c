/* base/spill by way of the shuffle: damage between writing and reading is told with file and byte, what a killed run
 * leaves is swept. */
#include "base/comm.h"
#include "base/shuffle.h"
#include "base/sort.h"
#include "base/stage.h"
#include "tests/unit/draw.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ITEMS = 1000000, PARTITIONS = 5, PATH = 512 };

struct world { char root[64]; struct comm *comm; struct stage *stage; struct shuffle *shuffle; uint64_t random; };

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    struct err    err = { 0 };

    if (!world) return -1;
    world->random = seed_of_run();
    strcpy(world->root, "/tmp/test_spill.XXXXXX");
    if (!mkdtemp(world->root) || comm_open(&world->comm, &err) < 0 ||
        stage_open(&world->stage, world->root, true, &err) < 0)
        return -1;
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    char          path[PATH];

    shuffle_close(world->shuffle);
    stage_close(world->stage);
    comm_close(world->comm);
    snprintf(path, sizeof path, "%s/work/lock", world->root);
    unlink(path);
    snprintf(path, sizeof path, "%s/work", world->root);
    if (rmdir(path) < 0 || rmdir(world->root) < 0) return -1;   /* a file was left */
    free(world);
    return 0;
}

/* A shuffle whose partitions are in files, in more than one block, and in memory. */
static void fill(struct world *world)
{
    struct err err = { 0 };
    int        rc;

    if (shuffle_open(&world->shuffle, &(struct shuffle_options){ .comm = world->comm, .stage = world->stage,
                                                                 .name = "pairs", .partitions = PARTITIONS,
                                                                 .threads = 1 }, &err) < 0)
        fail_msg("%s", err.text);
    for (uint64_t i = 0; i < 2 * ITEMS; i++) {
        uint64_t key = draw(&world->random);

        assert_int_equal(shuffle_add(world->shuffle, 0, shuffle_partition_of_hash(key, PARTITIONS), key, i), 0);
        if (shuffle_is_full(world->shuffle) && (rc = shuffle_round(world->shuffle, true, &err)) != 1)
            fail_msg("%d %s", rc, err.text);
    }
    if ((rc = shuffle_round(world->shuffle, false, &err)) != 0) fail_msg("%d %s", rc, err.text);
    assert_true(shuffle_stats(world->shuffle).spilled_bytes > ITEMS * sizeof(struct sort_item));
}

/* The path of a partition's file. */
static void file_of(const struct world *world, int partition, char path[PATH])
{
    char           work[PATH / 2], end[32];
    DIR           *folder;
    struct dirent *entry;

    snprintf(work, sizeof work, "%s/work", world->root);
    snprintf(end, sizeof end, "-pairs-%d.spill", partition);
    folder = opendir(work);
    assert_non_null(folder);
    *path = '\0';
    while ((entry = readdir(folder)))
        if (strstr(entry->d_name, end)) snprintf(path, PATH, "%s/%s", work, entry->d_name);
    closedir(folder);
    assert_true(*path);
}

static void flip(const char *path, off_t at)
{
    int           fd = open(path, O_RDWR);
    unsigned char byte = 0;

    assert_true(fd >= 0 && pread(fd, &byte, 1, at) == 1);
    byte ^= 16;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* Taking the partition fails with `code`, names its file, and gives nothing. */
static void refused(struct world *world, int partition, int code, const char *what)
{
    struct sort_item *item;
    struct err        err = { 0 };
    char              path[PATH];
    size_t            count;

    file_of(world, 0, path);                                /* the last digits differ */
    *strrchr(path, '-') = '\0';
    assert_int_equal(shuffle_take(world->shuffle, (uint32_t)partition, &item, &count, &err), code);
    assert_null(item);
    if (strncmp(err.text, path, strlen(path)) != 0 || !strstr(err.text, what) ||
        !strstr(err.text, "the same command again"))
        fail_msg("%s", err.text);
}

static void test_damage(void **state)
{
    struct world     *world = *state;
    struct sort_item *item;
    struct stat       is;
    struct err        err = { 0 };
    char              path[PATH], other[PATH];
    size_t            count;
    int               fd;

    fill(world);
    file_of(world, 1, path);
    assert_int_equal(stat(path, &is), 0);
    /* Any byte: of the first header, of the items, the last one. */
    for (off_t at = 0; at < 80; at++) {
        flip(path, at);
        refused(world, 1, -EBADMSG, "byte ");
        flip(path, at);
    }
    for (int i = 0; i < 20; i++) {
        off_t at = i ? (off_t)(draw(&world->random) % (uint64_t)is.st_size) : is.st_size - 1;

        flip(path, at);
        refused(world, 1, -EBADMSG, "byte ");
        flip(path, at);
    }
    assert_int_equal(shuffle_take(world->shuffle, 1, &item, &count, &err), 0);     /* as it was: sound */
    assert_true(count > 2 * ITEMS / PARTITIONS - ITEMS / 50 && count < 2 * ITEMS / PARTITIONS + ITEMS / 50);
    free(item);

    file_of(world, 2, path);
    assert_int_equal(stat(path, &is), 0);
    fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
    refused(world, 2, -EBADMSG, "has grown");
    assert_int_equal(truncate(path, is.st_size - 1), 0);
    refused(world, 2, -EBADMSG, "is cut off");
    assert_int_equal(truncate(path, 0), 0);
    refused(world, 2, -EBADMSG, "byte 0: the spill file is cut off");

    /* One partition's file in another's place. */
    file_of(world, 3, path);
    file_of(world, 4, other);
    assert_int_equal(rename(path, other), 0);
    refused(world, 4, -EBADMSG, "byte 0");
    refused(world, 3, -EIO, "has vanished");
}

/* A killed run's spill files go when the next owner comes, and no sooner: the age says nothing. */
static void test_sweep(void **state)
{
    struct world *world = *state;
    struct stage *other;
    struct err    err = { 0 };
    char          path[PATH];

    snprintf(path, sizeof path, "%s/work/tmp-host-1-0-bands-7.spill", world->root);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){ { 1000, 0 }, { 1000, 0 } }, 0), 0);
    assert_int_equal(stage_open(&other, world->root, false, &err), 0);
    stage_close(other);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0);
    stage_close(world->stage);
    assert_int_equal(stage_open(&world->stage, world->root, true, &err), 0);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sweep, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
