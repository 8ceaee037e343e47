/* tests/unit/dedup/neighbours.c -- of the pairs that sampled documents have, how many the run found. */
#include "dedup/gather.h"
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

/* 0 and 1, 1 and 2 are similar; 3 is a copy of 2; 4 is alone. */
static const char *const files[3] = { DOCUMENT("p q r", "1") DOCUMENT("q r s", "12"), DOCUMENT("r s t", "123"),
                                      DOCUMENT("t s r", "1234") DOCUMENT("alone", "12345") };

/* Links of no pair at all, as if candidates had missed every one. */
static void no_links(struct world *w)
{
    struct shuffle_options options = { .comm = w->r.comm, .stage = w->r.stage, .name = "pairs",
                                       .partitions = 1u << w->state.part_bits, .threads = w->state.threads,
                                       .memory = 1 << 20 };
    struct shuffle        *pairs;
    int                    rc;

    WORLD_DO(shuffle_open(&pairs, &options, err));
    WORLD_DO(rc = shuffle_round(pairs, false, err));
    (void)rc;
    WORLD_DO(links_make(&w->state, pairs, (const bool[]){ false }, err));
    shuffle_close(pairs);
}

/* gathers: what may be similar to the sampled is gathered before, as where there is little memory. */
static void measure(struct world *w, bool gathers)
{
    struct neighbours *neighbours;
    struct wanted      wanted;

    WORLD_DO(neighbours_open(&neighbours, &w->state, err));
    if (gathers) {
        w->r.run.memory = 1;
        WORLD_DO(wanted_open(&wanted, &w->state, err));
        WORLD_DO(neighbours_want(neighbours, &wanted, err));
        WORLD_DO(gather_make(&w->state, &wanted, err));
        wanted_close(&wanted);
        assert_true(w->state.gathered[0].bytes && w->state.gathered[1].bytes);
    }
    WORLD_DO(neighbours_measure(neighbours, err));
    neighbours_close(neighbours);
}

static void test_found(void **unused)
{
    struct world         w;
    struct dedup_options options;

    (void)unused;
    for (int gathers = 0; gathers < 2; gathers++) {
        world_open(&w, ", keep: [path]", files);
        world_links(&w);
        options = *w.job.options;
        options.measure = 1000;
        w.job.options = &options;
        measure(&w, gathers);
        assert_int_equal(w.job.stats.sample_documents, 4);  /* a copy is not asked */
        assert_int_equal(w.job.stats.sample_pairs, 2);
        assert_int_equal(w.job.stats.sample_found, 2);
        world_close(&w);
    }
}

static void test_missed(void **unused)
{
    struct world         w;
    struct dedup_options options;

    (void)unused;
    for (int gathers = 0; gathers < 2; gathers++) {
        world_open(&w, ", keep: [path]", files);
        world_classes(&w);
        no_links(&w);
        options = *w.job.options;
        options.measure = 1000;
        w.job.options = &options;
        measure(&w, gathers);
        assert_int_equal(w.job.stats.sample_pairs, 2);
        assert_int_equal(w.job.stats.sample_found, 0);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_found), cmocka_unit_test(test_missed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
