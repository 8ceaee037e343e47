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

/* ---- whatever is added ---- */

enum { MADE = 24, ALL = 3 * MADE, TEXT = 8192 };

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random = *random * 6364136223846793005ull + 1442695040888963407ull;
    return (*random >> 33) % below;
}

/* Documents of few words, some of which many have. */
static void make_documents(uint64_t *random, char text[TEXT])
{
    size_t len = 0;

    for (int d = 0; d < MADE; d++) {
        const uint64_t words = 1 + draw(random, 14);

        len += (size_t)snprintf(text + len, TEXT - len, "{\"text\": \"u%llu",
                                (unsigned long long)draw(random, 1000000));
        for (uint64_t w = 0; w < words; w++) {
            const uint64_t of = draw(random, 3) ? 12 : 60;

            len += (size_t)snprintf(text + len, TEXT - len, " w%llu", (unsigned long long)draw(random, of));
        }
        len += (size_t)snprintf(text + len, TEXT - len, "\"}\n");
        assert_true(len < TEXT);
    }
}

/* pair[worse][better] of documents of a, b and c, of which the settings take some. */
static void propose_all(const char *settings, const char *const files[3], bool pair[ALL][ALL])
{
    struct world    w;
    struct shuffle *pairs = NULL;

    memset(pair, 0, ALL * sizeof *pair);
    world_open(&w, settings, files);
    world_classes(&w);
    WORLD_DO(candidates_make(&w.state, (const bool[8]){ false }, &pairs, err));
    for (uint32_t part = 0; part < w.state.blocks << w.state.part_bits; part++) {
        struct sort_item *item;
        size_t            count;

        WORLD_DO(shuffle_take(pairs, part, &item, &count, err));
        for (size_t i = 0; i < count; i++) {
            assert_true(item[i].value < item[i].key && item[i].key < ALL);
            pair[item[i].key][item[i].value] = true;
        }
        free(item);
    }
    shuffle_close(pairs);
    world_close(&w);
}

/* Between documents that were there the same are proposed: ids of earlier generations stay. */
static void test_whatever_is_added(void **unused)
{
    static bool       pair[3][ALL][ALL];
    static const char *const members[3] = { "datasets: a", "datasets: [a, b], added: b",
                                            "datasets: [a, b, c], added: [b, c]" };
    uint64_t          random = 7, late = 0;

    (void)unused;
    for (int round = 0; round < 60; round++) {
        static char       text[3][TEXT];
        const char *const files[3] = { text[0], text[1], text[2] };

        for (int f = 0; f < 3; f++) make_documents(&random, text[f]);
        for (int n = 0; n < 3; n++) {
            char settings[160];

            snprintf(settings, sizeof settings, ", method: %s, bucket_cap: %d, bands: 4, rows: 2, hashes: 8%s, %s",
                     round % 3 ? "auto" : "exact", 2 + round % 5, round % 2 ? ", containment: 0.9" : "", members[n]);
            propose_all(settings, files, pair[n]);
        }
        for (int n = 0; n < 2; n++)
            for (int worse = 0; worse < (n + 1) * MADE; worse++)
                for (int better = 0; better < worse; better++)
                    if (pair[n][worse][better] != pair[n + 1][worse][better])
                        fail_msg("round %d: %d and %d are%s proposed, and are%s when %s is added", round, worse, better,
                                 pair[n][worse][better] ? "" : " not", pair[n + 1][worse][better] ? "" : " not",
                                 n ? "c" : "b");
        for (int worse = MADE; worse < ALL; worse++)
            for (int better = 0; better < MADE; better++) late += pair[2][worse][better];
    }
    assert_true(late > 1000);                               /* what is added meets what was there */
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
                                        cmocka_unit_test(test_whatever_is_added),
                                        cmocka_unit_test(test_sizes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
