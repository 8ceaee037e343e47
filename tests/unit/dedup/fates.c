/* tests/unit/dedup/fates.c -- what is committed of each document, by ordinals, and what is counted. */
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fates) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
