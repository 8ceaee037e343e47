/* tests/unit/dedup/buckets.c -- who meets in a bucket, and buckets above the cap: compared with their best alone. */
#include "tests/unit/dedup/world.h"

/* pair[worse][better]: proposed. */
static void propose(const char *settings, const char *const files[3], bool pair[8][8], struct dedup_stats *stats)
{
    struct world      w;
    struct shuffle   *pairs = NULL;
    struct sort_item *item;
    size_t            count;

    memset(pair, 0, 8 * sizeof *pair);
    world_open(&w, settings, files);
    world_classes(&w);
    WORLD_DO(candidates_make(&w.state, (const bool[]){ false }, &pairs, err));
    WORLD_DO(shuffle_take(pairs, 0, &item, &count, err));
    for (size_t i = 0; i < count; i++) {
        assert_true(item[i].value < item[i].key && item[i].key < 8);
        pair[item[i].key][item[i].value] = true;
    }
    *stats = w.job.stats;
    free(item);
    shuffle_close(pairs);
    world_close(&w);
}

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

/* Four documents with two words of three in common: each pair is similar. */
static void test_cap(void **unused)
{
    static const char *const files[3] = { DOCUMENT("x y a", "1") DOCUMENT("x y b", "12") DOCUMENT("x y c", "123")
                                          DOCUMENT("x y d", "1234"), NULL, NULL };
    struct dedup_stats       stats;
    bool                     pair[8][8];

    (void)unused;
    propose(", keep: [path], datasets: a, bucket_cap: 4", files, pair, &stats);
    for (int worse = 1; worse < 4; worse++)
        for (int better = 0; better < worse; better++) assert_true(pair[worse][better]);
    assert_true(stats.hot_buckets == 0 && stats.hot_members == 0 && stats.largest_bucket == 4);
    propose(", keep: [path], datasets: a, bucket_cap: 3", files, pair, &stats);
    for (int worse = 1; worse < 4; worse++) assert_true(pair[worse][0]);
    assert_true(stats.hot_buckets >= 1 && stats.hot_members == 4 * stats.hot_buckets);
}

/* What was added later fills a bucket up: between those that were there before nothing changes. */
static void test_added(void **unused)
{
    static const char *const files[3] = { DOCUMENT("x y a", "1") DOCUMENT("x y b", "12") DOCUMENT("x y c", "123"),
                                          NULL, DOCUMENT("x y d", "1") DOCUMENT("x y e", "12") };
    struct world             w;
    struct shuffle          *pairs = NULL;
    struct sort_item        *item;
    size_t                   count, between = 0, late = 0;

    (void)unused;
    world_open(&w, ", keep: [path], datasets: [a, c], added: c, bucket_cap: 3", files);
    world_classes(&w);
    assert_int_equal(w.state.blocks, 2);
    WORLD_DO(candidates_make(&w.state, (const bool[]){ false, false }, &pairs, err));
    WORLD_DO(shuffle_take(pairs, 0, &item, &count, err));
    for (size_t i = 0; i < count; i++) between |= (size_t)1 << (item[i].key * 3 + item[i].value);
    assert_int_equal(between, 1u << (1 * 3) | 1u << (2 * 3) | 1u << (2 * 3 + 1));
    free(item);
    WORLD_DO(shuffle_take(pairs, 1u << w.state.part_bits, &item, &count, err));
    for (size_t i = 0; i < count; i++) late += item[i].value == 0;
    assert_true(late >= 2);                                 /* each with the best of all */
    free(item);
    shuffle_close(pairs);
    world_close(&w);
}

/* Sizes that cannot reach the threshold do not meet. */
static void test_sizes(void **unused)
{
    static const char *const files[3] = { DOCUMENT("a b c d e f", "1") DOCUMENT("a", "12"), NULL, NULL };
    struct dedup_stats       stats;
    bool                     pair[8][8];

    (void)unused;
    propose(", keep: [path], datasets: a", files, pair, &stats);
    assert_false(pair[1][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cap), cmocka_unit_test(test_added),
                                        cmocka_unit_test(test_sizes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
