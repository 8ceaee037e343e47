/* tests/unit/dedup/gather.c -- what is compared, gathered from columns: the same features, of what is wanted alone, and
 * an error where the file is not what it was. */
#include "dedup/gather.h"

#include "dedup/fetch.h"
#include "tests/unit/dedup/world.h"

#include <dirent.h>

enum { DOCUMENTS = 12, WORDS = 100, LONG_ONES = 8, LONG = 400, WANTED = 6 };

/* Documents of 100 words, of which every third has each of them twice; behind them those of 400, if any. */
static void open_many(struct world *w, bool with_long)
{
    struct bytes shard = { 0 };

    for (int d = 0; d < DOCUMENTS + (with_long ? LONG_ONES : 0); d++) {
        assert_int_equal(bytes_printf(&shard, "{\"text\": \""), 0);
        for (int i = 0; i < (d < DOCUMENTS ? WORDS : LONG); i++)
            assert_int_equal(bytes_printf(&shard, d % 3 || d >= DOCUMENTS ? "w%d " : "w%d w%d ", d * 1000 + i,
                                          d * 1000 + i), 0);
        assert_int_equal(bytes_printf(&shard, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    world_open(w, ", method: auto", (const char *const[3]){ shard.at, NULL, NULL });
    bytes_free(&shard);
    world_classes(w);
    w->r.run.memory = 1;                                    /* no columns are small */
}

static void gather(struct world *w, const uint64_t *ordinal, size_t count)
{
    struct wanted wanted;

    WORLD_DO(wanted_open(&wanted, &w->state, err));
    for (size_t i = 0; i < count; i++) wanted_mark(&wanted, ordinal[i]);
    WORLD_DO(features_make(&w->state, &wanted, err));
    if (gather_pays(&w->state)) WORLD_DO(gather_make(&w->state, &wanted, err));
    wanted_close(&wanted);
}

static size_t files_of(const struct world *w, const char *prefix)
{
    char           path[300];
    DIR           *folder;
    struct dirent *entry;
    size_t         count = 0;

    snprintf(path, sizeof path, "%s/work", stage_dir(w->r.stage));
    folder = opendir(path);
    assert_non_null(folder);
    while ((entry = readdir(folder))) count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(folder);
    return count;
}

/* Short ones with and without counts, and a brief one, twice: the second time other documents are wanted. */
static void test_same(void **unused)
{
    static const uint64_t wanted[2][WANTED] = { { 1, 3, 5, 7, 9, 13 }, { 1, 4, 6, 8, 10, 14 } };
    struct world          w;

    (void)unused;
    open_many(&w, true);
    for (int round = 0; round < 2; round++) {
        struct column_unit columns;
        struct features    gathered;
        size_t             found = 0;

        gather(&w, wanted[round], WANTED);
        assert_true(w.state.gathered[0].bytes && !w.state.gathered[1].bytes && !w.state.gathered[2].bytes);
        for (int times = 0; times < 2; times++) {           /* the first time it is verified */
            WORLD_DO(gather_load(&w.state, 0, &gathered, err));
            assert_true(w.state.gathered[0].verified);
            if (times == 0) features_close(&gathered);
        }
        WORLD_DO(state_unit(&w.state, 0, &columns, err));
        for (uint64_t i = 0; i < DOCUMENTS + LONG_ONES; i++) {
            const struct column_features is = features_find(&gathered, i);
            uint64_t                     index;

            if (!is.distinct) continue;
            assert_int_equal(i, wanted[round][found]);
            assert_same_features(is, columns_features(&columns, i));
            assert_same_features(is, features_at(&gathered, found++, &index));
            assert_int_equal(index, i);
        }
        assert_int_equal(found, WANTED);
        assert_int_equal(features_count(&gathered), WANTED);
        assert_int_equal(columns_row(&columns, 13, NULL)->brief, 1);
        columns_close(&columns);
        features_close(&gathered);
    }
    assert_int_equal(files_of(&w, "gathered-"), 1);
    WORLD_DO(features_remove(&w.state, err));
    assert_int_equal(files_of(&w, "gathered-"), 0);
    world_close(&w);
}

/* Nothing where columns are small, or most of a unit is wanted, or most of that was made again; what is fetched is the
 * same. */
static void test_fetched(void **unused)
{
    static const uint64_t few[] = { 1, 3 }, most[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, again[] = { 1, 3, 12, 15 };
    static const struct { const uint64_t *wanted; size_t count; uint64_t memory; bool with_long, gathers; } times[] = {
        { few, 2, 1, false, true }, { few, 2, 1 << 30, false, false }, { most, 11, 1, false, false },
        { few, 2, 1, true, true }, { again, 4, 1, true, false },
    };

    (void)unused;
    for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
        struct world       w;
        struct fetch       fetch;
        struct column_unit columns;
        const uint64_t     ordinal[] = { 1, 3 };
        uint64_t           id[2];

        open_many(&w, times[t].with_long);
        w.r.run.memory = times[t].memory;
        gather(&w, times[t].wanted, times[t].count);
        assert_int_equal(w.state.gathered[0].bytes > 0, times[t].gathers);
        for (int i = 0; i < 2; i++) id[i] = own_id_of(&w.state, ordinal[i]) & ~ID_COPY;
        WORLD_DO(fetch_open(&fetch, &w.state, err));
        WORLD_DO(fetch_run(&fetch, id, 2, err));
        WORLD_DO(state_unit(&w.state, 0, &columns, err));
        for (int i = 0; i < 2; i++) {
            const struct fetched is = fetch_get(&fetch, id[i]);

            assert_int_equal(is.ordinal, ordinal[i]);
            assert_same_features(is.features, columns_features(&columns, ordinal[i]));
        }
        columns_close(&columns);
        fetch_close(&fetch);
        world_close(&w);
    }
}

/* One that was not gathered is not taken for one without features, of which there would be no pair. */
static void test_missing(void **unused)
{
    struct world           w;
    struct shuffle        *pairs;
    struct shuffle_options options = { .name = "pairs", .threads = 1, .memory = 1 << 20 };
    struct err             failure = { 0 };
    uint64_t               id[2];

    (void)unused;
    open_many(&w, false);
    gather(&w, (const uint64_t[]){ 1, 3 }, 2);
    for (int i = 0; i < 2; i++) id[i] = own_id_of(&w.state, 3 + (uint64_t)i) & ~ID_COPY;
    assert_int_equal(w.state.blocks, 1);
    options.comm = w.r.comm;
    options.stage = w.r.stage;
    options.partitions = 1u << w.state.part_bits;
    WORLD_DO(shuffle_open(&pairs, &options, err));
    assert_int_equal(shuffle_add(pairs, 0, 0, id[1], id[0]), 0);
    assert_int_equal(shuffle_round(pairs, false, &failure), 0);
    assert_int_equal(links_make(&w.state, pairs, (const bool[]){ false }, &failure), -EIO);
    assert_non_null(strstr(failure.text, "features of documents that are compared are not there"));
    shuffle_close(pairs);
    world_close(&w);
}

/* Tiny units are no file of their own, where memory is not. */
static void test_tiny(void **unused)
{
    struct world w;

    (void)unused;
    open_many(&w, false);
    w.r.run.memory = 100u << 20;                            /* of which a thousandth is more than the unit */
    {
        struct wanted wanted;

        WORLD_DO(wanted_open(&wanted, &w.state, err));
        wanted_mark(&wanted, 1);
        WORLD_DO(gather_make(&w.state, &wanted, err));
        wanted_close(&wanted);
    }
    assert_int_equal(w.state.gathered[0].bytes, 0);
    assert_int_equal(files_of(&w, "gathered-"), 0);
    world_close(&w);
}

/* A file that is gone, or damaged, which is removed, is no empty one. */
static void test_gone(void **unused)
{
    (void)unused;
    for (int damaged = 0; damaged < 2; damaged++) {
        struct world    w;
        struct features gathered;
        struct err      err = { 0 };
        char            command[400];

        open_many(&w, false);
        gather(&w, (const uint64_t[]){ 2 }, 1);
        snprintf(command, sizeof command, damaged
                 ? "cd %s/work && printf x | dd status=none conv=notrunc bs=1 seek=1200 of=$(echo gathered-*)"
                 : "rm %s/work/gathered-*", stage_dir(w.r.stage));
        assert_int_equal(system(command), 0);
        assert_int_equal(gather_load(&w.state, 0, &gathered, &err), -EIO);
        assert_non_null(strstr(err.text, "features that were gathered were damaged or have disappeared"));
        features_close(&gathered);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same), cmocka_unit_test(test_fetched),
                                        cmocka_unit_test(test_missing), cmocka_unit_test(test_tiny),
                                        cmocka_unit_test(test_gone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
