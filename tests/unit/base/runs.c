/* base/runs: records come back in their order, in memory and from files, whatever the memory was; what is joined, what
 * is damaged, what is left. */
#include "base/runs.h"
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
#include <unistd.h>

#include <cmocka.h>

/* The smallest memory takes 5,957 of them. */
struct made { uint64_t key; uint32_t number, spare; };
enum { SOME = 40000, MANY = 300 * 5957, PATH = 512 };

struct world { char root[64]; struct stage *stage; struct runs *runs; uint64_t random; };

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    struct err    err = { 0 };

    if (!world) return -1;
    world->random = seed_of_run();
    strcpy(world->root, "/tmp/test_runs.XXXXXX");
    if (!mkdtemp(world->root) || stage_open(&world->stage, world->root, true, &err) < 0) return -1;
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    char          path[PATH];

    runs_close(world->runs);
    stage_close(world->stage);
    snprintf(path, sizeof path, "%s/work/lock", world->root);
    unlink(path);
    snprintf(path, sizeof path, "%s/work", world->root);
    if (rmdir(path) < 0 || rmdir(world->root) < 0) return -1;   /* a file was left */
    free(world);
    return 0;
}

static uint64_t made_key(const void *record) { return ((const struct made *)record)->key; }
static void made_join(void *into, const void *record)
{
    ((struct made *)into)->number += ((const struct made *)record)->number;
}

/* keys: how many there are of them. */
static struct made made_record(struct world *world, uint32_t i, uint64_t keys)
{
    return (struct made){ draw(&world->random) % keys * 0x9E3779B97F4A7C15u, i, 0 };
}

static void open_runs(struct world *world, bool joined, bool spills)
{
    const struct runs_options options = { .stage = spills ? world->stage : NULL, .name = "made", .memory = 1,
                                          .size = sizeof(struct made), .key = made_key,
                                          .join = joined ? made_join : NULL };
    struct err err = { 0 };

    runs_close(world->runs);
    assert_int_equal(runs_open(&world->runs, &options, &err), 0);
}

/* Adds `count` records and what a plain sort of them says. */
static struct made *fill(struct world *world, uint32_t count, uint64_t keys)
{
    struct made *all = calloc(count + 1, sizeof *all);
    struct err   err = { 0 };

    assert_non_null(all);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = made_record(world, i, keys);
        assert_int_equal(runs_add(world->runs, &all[i], &err), 0);
    }
    assert_int_equal(runs_end(world->runs, &err), 0);
    return all;
}

static int made_order(const void *a, const void *b)
{
    const struct made *x = a, *y = b;

    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static uint32_t join_all(struct made *all, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        if (kept && all[kept - 1].key == all[i].key) made_join(&all[kept - 1], &all[i]);
        else all[kept++] = all[i];
    return kept;
}

static void assert_same(const struct world *world, const struct made *all, uint32_t count)
{
    struct runs_reader *reader;
    const void         *record;
    struct err          err = { 0 };

    assert_int_equal(runs_read(world->runs, &reader, &err), 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(runs_next(reader, &record, &err), 1);
        assert_true(made_order(record, &all[i]) == 0);
    }
    assert_int_equal(runs_next(reader, &record, &err), 0);
    runs_reader_close(reader);
}

static void test_order(void **state)
{
    struct world *world = *state;

    for (int way = 0; way < 8; way++) {                     /* joined or not, in files or not, many keys or few */
        const uint32_t count = way & 4 ? SOME : 1000;
        struct made   *all;
        uint32_t       kept = count;
        size_t         in_memory;

        open_runs(world, way & 1, way & 2);
        all = fill(world, count, way & 1 ? count / 10 : 1u << 30);
        qsort(all, count, sizeof *all, made_order);
        if (way & 1) kept = join_all(all, count);
        assert_int_equal(runs_spilled(world->runs) > 0, (way & 2) && count == SOME);
        assert_int_equal(runs_records(world->runs, &in_memory) == NULL, (way & 2) && count == SOME);
        assert_int_equal(in_memory, (way & 2) && count == SOME ? 0 : kept);
        assert_same(world, all, kept);
        assert_same(world, all, kept);
        free(all);
    }
}

/* Of one key the last one added comes first. */
static int made_backwards(const void *a, const void *b)
{
    const struct made *x = a, *y = b;

    return x->key == y->key ? made_order(b, a) : made_order(a, b);
}

static int backwards(const void *a, const void *b, void *context)
{
    assert_non_null(((const struct world *)context)->stage);
    assert_true(((const struct made *)a)->key == ((const struct made *)b)->key);
    return made_backwards(a, b);
}

/* Few keys, one, and very many runs of few; records that come in their order and such that do not. */
static void test_compare(void **state)
{
    struct world *world = *state;
    const struct { uint32_t count, keys; } cases[] = { { 1000, 3 }, { SOME, 7 }, { SOME, 1 }, { MANY, 1000 } };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct runs_options options = { .stage = world->stage, .name = "made", .size = sizeof(struct made),
                                              .key = made_key, .memory = 1, .compare = backwards,
                                              .context = world };
        struct err   err = { 0 };
        struct made *all;

        runs_close(world->runs);
        assert_int_equal(runs_open(&world->runs, &options, &err), 0);
        all = fill(world, cases[c].count, cases[c].keys);
        qsort(all, cases[c].count, sizeof *all, made_backwards);
        assert_int_equal(runs_spilled(world->runs) > 0, cases[c].count > 1000);
        assert_same(world, all, cases[c].count);
        free(all);
    }
}

static void test_nothing(void **state)
{
    struct world *world = *state;

    open_runs(world, true, true);
    free(fill(world, 0, 1));
    assert_same(world, NULL, 0);
}

static void test_more_runs_than_are_merged_at_once(void **state)
{
    struct world *world = *state;
    struct made  *all;

    open_runs(world, false, true);
    all = fill(world, MANY, 1000);
    qsort(all, MANY, sizeof *all, made_order);
    assert_same(world, all, MANY);
    free(all);
}

/* The one file of the runs. */
static void spilled_path(const struct world *world, char path[PATH])
{
    char           folder[PATH / 2];
    struct dirent *entry;
    DIR           *open;

    snprintf(folder, sizeof folder, "%s/work", world->root);
    open = opendir(folder);
    assert_non_null(open);
    *path = '\0';
    while ((entry = readdir(open)))
        if (strstr(entry->d_name, "-made.spill")) snprintf(path, PATH, "%s/%s", folder, entry->d_name);
    closedir(open);
    assert_true(*path);
}

/* What reading says in the end. */
static int read_all(const struct world *world, struct err *err)
{
    struct runs_reader *reader;
    const void         *record;
    int                 rc = runs_read(world->runs, &reader, err);

    while (rc >= 0 && (rc = runs_next(reader, &record, err)) > 0) {}
    runs_reader_close(reader);
    return rc;
}

static void test_damage(void **state)
{
    struct world *world = *state;
    char          path[PATH], byte;
    struct err    err = { 0 };
    int           file;

    open_runs(world, false, true);
    free(fill(world, SOME, 1u << 30));
    spilled_path(world, path);
    assert_int_equal(read_all(world, &err), 0);
    file = open(path, O_RDWR);
    assert_true(file >= 0);
    for (uint64_t at = 0; at < runs_spilled(world->runs); at += runs_spilled(world->runs) / 50) {
        assert_int_equal(pread(file, &byte, 1, (off_t)at), 1);
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, (off_t)at), 1);
        assert_int_equal(read_all(world, &err), -EBADMSG);
        assert_non_null(strstr(err.text, path));
        byte ^= 4;
        assert_int_equal(pwrite(file, &byte, 1, (off_t)at), 1);
    }
    assert_int_equal(read_all(world, &err), 0);
    assert_int_equal(ftruncate(file, (off_t)runs_spilled(world->runs) - 1), 0);
    assert_int_equal(read_all(world, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "cut off"));
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compare, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_more_runs_than_are_merged_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
