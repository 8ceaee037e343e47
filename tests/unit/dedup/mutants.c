/* tests/unit/dedup/mutants.c -- mutants of sampled documents: an exact comparison meets them all, bands do not. */
#include "tests/unit/dedup/world.h"

/* Documents of 60 words, none of them another's. */
static void measure(const char *settings, struct dedup_stats *stats)
{
    struct bytes    shard = { 0 };
    struct world    w;
    struct shuffle *pairs = NULL;

    for (int d = 0; d < 6; d++) {
        assert_int_equal(bytes_printf(&shard, "{\"text\": \""), 0);
        for (int i = 0; i < 60; i++) assert_int_equal(bytes_printf(&shard, "w%d_%d ", d, i), 0);
        assert_int_equal(bytes_printf(&shard, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    world_open(&w, settings, (const char *const[3]){ shard.at, NULL, NULL });
    bytes_free(&shard);
    world_classes(&w);
    WORLD_DO(candidates_make(&w.state, (const bool[]){ false }, &pairs, err));
    shuffle_close(pairs);
    *stats = w.job.stats;
    world_close(&w);
}

static void test_mutants(void **unused)
{
    struct dedup_stats exact, bands, none;

    (void)unused;
    measure(", datasets: a", &none);
    assert_true(none.mutants == 0 && none.mutants_found == 0);          /* measure: 0 */
    measure(", datasets: a, measure: 1000", &exact);
    assert_true(exact.mutants > 0);
    assert_int_equal(exact.mutants_found, exact.mutants);
    /* one band of many rows catches hardly anything that is not the same */
    measure(", datasets: a, measure: 1000, method: lsh, bands: 1, rows: 500", &bands);
    assert_int_equal(bands.mutants, exact.mutants);
    assert_true(bands.mutants_found < bands.mutants);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_mutants) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
