/* tests/unit/dedup/clusters.c -- a chain of three: one cluster by components, two by stars; protected documents. */
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

/* 0 and 1 share two of four words, and so do 1 and 2; 3 is a copy of 2; 4 is alone. */
static const char *const chain[3] = { DOCUMENT("p q r", "1") DOCUMENT("q r s", "12"), DOCUMENT("r s t", "123"),
                                      DOCUMENT("t s r", "1234") DOCUMENT("alone", "12345") };

/* memory: 0, or so little that labels are asked for two at a time. */
static void assert_clusters_within(uint64_t memory, const char *settings, const char *canonicals, const char *sizes,
                                   uint64_t clusters, uint64_t largest)
{
    struct world w;

    world_open(&w, settings, chain);
    world_links(&w);
    w.r.run.memory = memory;
    WORLD_DO(clusters_make(&w.state, err));
    for (uint64_t id = 0; id < 5; id++)
        /* sizes are those of clusters, kept at the document that stays */
        if (own_canonical(&w.state, id) != (uint64_t)(canonicals[id] - '0') ||
            (own_canonical(&w.state, id) == id && w.state.size[id] != (uint32_t)(sizes[id] - '0')))
            fail_msg("%s: id %llu: canonical %llu, size %u", settings, (unsigned long long)id,
                     (unsigned long long)own_canonical(&w.state, id), w.state.size[id]);
    assert_int_equal(w.job.stats.clusters, clusters);
    assert_int_equal(w.job.stats.largest_cluster, largest);
    assert_int_equal(w.job.stats.state_bytes, 5 * 20);
    world_close(&w);
}

static void assert_clusters(const char *settings, const char *canonicals, const char *sizes, uint64_t clusters,
                            uint64_t largest)
{
    assert_clusters_within(0, settings, canonicals, sizes, clusters, largest);
    assert_clusters_within(1, settings, canonicals, sizes, clusters, largest);
}

static void test_chain(void **unused)
{
    (void)unused;
    assert_clusters(", keep: [path], cluster: component", "00004", "40001", 1, 4);
    /* 2 is similar to 1, which does not stay: so it stays itself, with its copy */
    assert_clusters(", keep: [path], cluster: star", "00224", "20201", 2, 2);
}

/* Protected documents come first, and none of them is another's. */
static void test_protected(void **unused)
{
    (void)unused;
    /* ids: a has p q r and q r s, then come r s t, t s r, alone */
    assert_clusters(", keep: [path], cluster: star, protect: a", "01114", "13001", 1, 3);
    assert_clusters(", keep: [path], cluster: component, protect: a", "00004", "40001", 1, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_chain), cmocka_unit_test(test_protected) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
