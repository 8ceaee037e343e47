/* tests/unit/dedup/fates.c -- what is committed of each document, by ordinals, and what is counted. */
#include "dedup/fetch.h"
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

static void assert_fates(const char *settings, const struct dedup_fate *wanted, uint64_t removed, uint64_t bytes)
{
    /* ordinals 0, 1: a; 2: b; 3, 4: c.  Preferred is the shortest path: 2, then 1, 0, 3, 4. */
    static const char *const files[3] = { DOCUMENT("r s t", "123") DOCUMENT("q r s", "12"), DOCUMENT("p q r", "1"),
                                          DOCUMENT("t s r", "1234") DOCUMENT("alone", "12345") };
    struct world             w;
    uint64_t                 ordinal = 0;

    world_open(&w, settings, files);
    world_clusters(&w);
    w.job.fate_key = (struct unit_key){ 1, 2 };
    WORLD_DO(fates_make(&w.state, err));
    for (size_t u = 0; u < 3; u++) {
        struct fate_unit fates;

        WORLD_DO(fate_load(&w.job, &w.state.catalogue, u, &fates, err));
        for (size_t i = 0; i < fates.count; i++, ordinal++)
            if (memcmp(&fates.fate[i], &wanted[ordinal], sizeof *wanted) != 0)
                fail_msg("%s: %llu: class %llu, canonical %llu, size %u, removed %u, kin %u",
                         settings,
                         (unsigned long long)ordinal, (unsigned long long)fates.fate[i].representative,
                         (unsigned long long)fates.fate[i].canonical, fates.fate[i].size, fates.fate[i].removed,
                         fates.fate[i].kin);
        unit_close(&fates.file);
    }
    assert_int_equal(ordinal, 5);
    assert_true(w.job.stats.documents == 5 && w.job.stats.admitted == 5);
    assert_int_equal(w.job.stats.removed, removed);
    assert_int_equal(w.job.stats.removed_bytes, bytes);
    assert_int_equal(w.job.stats.text_bytes, 4 * 5 + 5);
    world_close(&w);
}

static void test_fates(void **unused)
{
    (void)unused;
    /* what 0 and 2 share is too little for a link: 1 lies between them */
    assert_fates(", keep: [path], cluster: component",
                 (const struct dedup_fate[]){ { 0, 2, 4, 1, 3, 1, 5 }, { 1, 2, 4, 1, 1, 2, 4 }, { 2, 2, 4, 0, 0, 0, 0 },
                                              { 0, 2, 4, 1, 3, 1, 5 }, { 4, 4, 1, 0, 0, 0, 0 } }, 3, 15);
    assert_fates(", keep: [path], cluster: star",
                 (const struct dedup_fate[]){ { 0, 0, 2, 0, 0, 0, 0 }, { 1, 2, 2, 1, 1, 2, 4 }, { 2, 2, 2, 0, 0, 0, 0 },
                                              { 0, 0, 2, 1, 0, 0, 0 }, { 4, 4, 1, 0, 0, 0, 0 } }, 2, 10);
    /* those of a are never removed, though others are preferred by now: protection comes first */
    assert_fates(", keep: [path], cluster: component, protect: a",
                 (const struct dedup_fate[]){ { 0, 1, 4, 0, 1, 2, 4 }, { 1, 1, 4, 0, 0, 0, 0 }, { 2, 1, 4, 1, 1, 2, 4 },
                                              { 0, 1, 4, 1, 1, 2, 4 }, { 4, 4, 1, 0, 0, 0, 0 } }, 2, 10);
}

/* A chain of which each document is like the next three, in more rounds than one: ten words, of which the first is left
 * and another comes. */
static void test_chain(void **unused)
{
    enum { DOCUMENTS = 3000, WORDS = 10 };
    struct bytes     shard = { 0 };
    struct world     w;
    struct fate_unit fates;

    (void)unused;
    for (int d = 0; d < DOCUMENTS; d++) {
        assert_int_equal(bytes_printf(&shard, "{\"text\": \""), 0);
        for (int i = 0; i < WORDS; i++) assert_int_equal(bytes_printf(&shard, "w%d ", d + i), 0);
        assert_int_equal(bytes_printf(&shard, "\", \"path\": \"%*d\"}\n", 10 + d / 2, d), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    world_open(&w, ", datasets: a, keep: [path], cluster: component", (const char *const[3]){ shard.at, NULL, NULL });
    bytes_free(&shard);
    w.r.run.memory = 1;                                     /* as few pairs at a time as there may be */
    world_clusters(&w);
    assert_true(fetch_pairs(&w.state) < DOCUMENTS / 2);
    w.job.fate_key = (struct unit_key){ 1, 2 };
    WORLD_DO(fates_make(&w.state, err));
    WORLD_DO(fate_load(&w.job, &w.state.catalogue, 0, &fates, err));
    assert_int_equal(fates.count, DOCUMENTS);
    for (uint64_t d = 0; d < DOCUMENTS; d++) {
        const struct dedup_fate *fate = &fates.fate[d];
        const uint64_t           apart = d > fate->canonical ? d - fate->canonical : fate->canonical - d,
            shared = apart < WORDS ? WORDS - apart : 0;

        assert_int_equal(fate->size, DOCUMENTS);
        assert_int_equal(fate->kin, apart == 0 ? DEDUP_SAME : apart <= 3 ? DEDUP_NEAR : DEDUP_INDIRECT);
        assert_true(apart == 0 || (fate->shared == shared && fate->union_size == 2 * WORDS - shared));
    }
    unit_close(&fates.file);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fates), cmocka_unit_test(test_chain) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
