/* base/shuffle: in one process every partition holds exactly its items, in order, whatever the threads, the rounds and
 * the files were; base/spill tests the files, tests/mpi the ranks. */
#include "base/shuffle.h"
#include "tests/unit/base/stage_folder.h"

struct trial { uint32_t partitions; int threads; size_t items, round; uint64_t keys; };

static struct comm *open_comm(void)
{
    struct comm *comm;
    struct err   err = { 0 };

    if (comm_open(&comm, &err) < 0) fail_msg("%s", err.text);
    return comm;
}

static struct shuffle *open_shuffle(struct comm *comm, struct stage *stage, uint32_t partitions, int threads)
{
    struct shuffle *shuffle;
    struct err      err = { 0 };

    if (shuffle_open(&shuffle, &(struct shuffle_options){ .comm = comm, .stage = stage, .name = "items",
                                                          .partitions = partitions, .threads = threads }, &err) < 0)
        fail_msg("%s", err.text);
    return shuffle;
}

static int by_key_and_value(const void *left, const void *right)
{
    const struct sort_item *a = left, *b = right;

    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->value > b->value) - (a->value < b->value);
}

/* Adds random items and looks for each partition's among all of them. */
static void assert_trial(const struct world *world, const struct trial *trial)
{
    struct comm      *comm = open_comm();
    struct stage     *stage = open_stage(world, false);
    struct shuffle   *shuffle = open_shuffle(comm, stage, trial->partitions, trial->threads);
    struct sort_item *all = malloc((trial->items + 1) * sizeof *all), *want = malloc((trial->items + 1) * sizeof *want);
    uint32_t         *partition = malloc((trial->items + 1) * sizeof *partition);
    uint64_t          random = world->random;
    struct err        err = { 0 };

    assert_true(all && want && partition);
    for (size_t i = 0; i < trial->items; i++) {
        all[i] = (struct sort_item){ draw(&random) % trial->keys, draw(&random) % 5 };
        partition[i] = (uint32_t)(draw(&random) % trial->partitions);
        if (partition[i] % 3 == 2) partition[i]--;          /* every third one stays empty */
        assert_int_equal(shuffle_add(shuffle, (int)(draw(&random) % (uint64_t)trial->threads), partition[i], all[i].key,
                                     all[i].value), 0);
        if (trial->round && i % trial->round == 0) assert_int_equal(shuffle_round(shuffle, true, &err), 1);
    }
    assert_int_equal(shuffle_round(shuffle, false, &err), 0);
    assert_int_equal(shuffle_stats(shuffle).items, trial->items);
    assert_int_equal(shuffle_stats(shuffle).sent_bytes, 0);
    assert_int_equal(shuffle_stats(shuffle).spilled_bytes, 0);
    for (uint32_t p = 0; p < trial->partitions; p++) {
        struct sort_item *item;
        size_t            count, n = 0;

        assert_int_equal(shuffle_owner(shuffle, p), 0);
        for (size_t i = 0; i < trial->items; i++)
            if (partition[i] == p) want[n++] = all[i];
        qsort(want, n, sizeof *want, by_key_and_value);
        assert_int_equal(shuffle_look(shuffle, p, &item, &count, &err), 0);
        assert_int_equal(count, n);
        qsort(item, count, sizeof *item, by_key_and_value);
        if (n) assert_memory_equal(item, want, n * sizeof *want);
        free(item);
        assert_int_equal(shuffle_take(shuffle, p, &item, &count, &err), 0);
        assert_int_equal(count, n);
        if (n) assert_memory_equal(item, want, n * sizeof *want);
        free(item);
    }
    shuffle_close(shuffle);
    stage_close(stage);
    comm_close(comm);
    free(all);
    free(want);
    free(partition);
}

static void test_partitions(void **state)
{
    static const struct trial trials[] = {
        { 1, 1, 0, 0, 1 },         { 1, 1, 1, 0, 1 },         { 1, 1, 5000, 0, UINT64_MAX }, { 7, 1, 5000, 0, 3 },
        { 7, 3, 5000, 100, 1000 }, { 100, 2, 5000, 1, 10 },   { 4, 8, 815, 0, 1 },          { 4, 1, 816, 0, 50 },
        { 4, 1, 817, 0, 50 },      { 40, 2, 9000, 3000, 1 },  { 300, 8, 3000, 0, UINT64_MAX },
    };

    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) assert_trial(*state, &trials[i]);
}

/* More than may be kept in memory: it goes through files, and nothing is lost, changed or in another place. */
static void test_spilled(void **state)
{
    enum { ITEMS = 1500000, PARTITIONS = 3 };
    const struct world *world = *state;
    struct comm        *comm = open_comm();
    struct stage       *stage = open_stage(world, false);
    struct shuffle     *shuffle = open_shuffle(comm, stage, PARTITIONS, 2);
    uint64_t            random = world->random, sum = 0, rounds = 0;
    size_t              total = 0;
    struct err          err = { 0 };

    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t key = draw(&random), mark = key ^ i * 0x9E3779B97F4A7C15u;

        sum += draw(&mark);
        assert_int_equal(shuffle_add(shuffle, (int)(i & 1), shuffle_partition_of_hash(key, PARTITIONS), key, i), 0);
        if (!shuffle_is_full(shuffle)) continue;
        assert_int_equal(shuffle_round(shuffle, true, &err), 1);
        assert_false(shuffle_is_full(shuffle));
        rounds++;
    }
    assert_true(rounds > 0);
    assert_int_equal(shuffle_round(shuffle, false, &err), 0);
    assert_true(shuffle_stats(shuffle).spilled_bytes > ITEMS / 4 * sizeof(struct sort_item));
    assert_int_equal(count_files(world, "tmp-", ".spill", NULL, 0), PARTITIONS);
    for (uint32_t p = 0; p < PARTITIONS - 1; p++) {         /* the last one is not asked for */
        struct sort_item *item;
        size_t            count;

        assert_int_equal(shuffle_take(shuffle, p, &item, &count, &err), 0);
        for (size_t i = 0; i < count; i++) {
            uint64_t mark = item[i].key ^ item[i].value * 0x9E3779B97F4A7C15u;

            assert_int_equal(shuffle_partition_of_hash(item[i].key, PARTITIONS), p);
            if (i) assert_true(by_key_and_value(&item[i - 1], &item[i]) < 0);
            sum -= draw(&mark);
        }
        total += count;
        free(item);
    }
    assert_int_equal(count_files(world, "tmp-", ".spill", NULL, 0), 1);
    random = world->random;
    for (uint64_t i = 0; i < ITEMS; i++) {                  /* what the last one holds is what the others do not */
        uint64_t key = draw(&random), mark = key ^ i * 0x9E3779B97F4A7C15u;

        if (shuffle_partition_of_hash(key, PARTITIONS) != PARTITIONS - 1) continue;
        sum -= draw(&mark);
        total++;
    }
    assert_int_equal(total, ITEMS);
    assert_int_equal(sum, 0);
    shuffle_close(shuffle);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    stage_close(stage);
    comm_close(comm);
}

/* Closed at any time, it leaves nothing behind. */
static void test_close(void **state)
{
    const struct world *world = *state;
    struct comm        *comm = open_comm();
    struct stage       *stage = open_stage(world, false);
    struct err          err = { 0 };

    for (int when = 0; when < 4; when++) {
        struct shuffle *shuffle = open_shuffle(comm, stage, 65536, 1);

        if (when > 0) assert_int_equal(shuffle_add(shuffle, 0, 65535, 1, 2), 0);
        if (when > 1) assert_int_equal(shuffle_round(shuffle, true, &err), 1);
        if (when > 2) assert_int_equal(shuffle_round(shuffle, false, &err), 0);
        shuffle_close(shuffle);
    }
    shuffle_close(NULL);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    stage_close(stage);
    comm_close(comm);
}

static void test_arithmetic(void **state)
{
    static const uint32_t partitions[] = { 1, 2, 3, 7, 64, 1000, 65536 };

    (void)state;
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        uint32_t count = partitions[i];

        for (int ranks = 1; ranks < 20; ranks++) {
            assert_int_equal(shuffle_first(count, ranks, 0), 0);
            assert_int_equal(shuffle_first(count, ranks, ranks), count);
            for (int rank = 0; rank < ranks; rank++) {
                uint32_t own = shuffle_first(count, ranks, rank + 1) - shuffle_first(count, ranks, rank);

                assert_true(own == count / (uint32_t)ranks || own == count / (uint32_t)ranks + 1);
            }
        }
        assert_int_equal(shuffle_partition_of_hash(0, count), 0);
        assert_int_equal(shuffle_partition_of_hash(UINT64_MAX, count), count - 1);
        for (uint32_t p = 1; p < count; p += 1 + count / 50) {                  /* the first hash of a partition */
            uint64_t first = (((uint64_t)p << 32) + count - 1) / count << 32;

            assert_int_equal(shuffle_partition_of_hash(first, count), p);
            assert_int_equal(shuffle_partition_of_hash(first - 1, count), p - 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_partitions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spilled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_close, set_up, tear_down),
        cmocka_unit_test(test_arithmetic),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
