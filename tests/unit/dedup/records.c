/* tests/unit/dedup/records.c -- who is compared by prefixes and who by bands, and which records may be a pair's. */
#include "dedup/candidates.h"
#include "tests/unit/dedup/world.h"

static void test_border(void **unused)
{
    struct dedup_options o = { .threshold = { 4, 5 }, .bands = 20, .rows = 5, .method = DEDUP_EXACT };
    struct border        border = border_of(&o);

    (void)unused;
    assert_true(border.prefix_most == UINT32_MAX && border.bands_from == UINT32_MAX);
    o.method = DEDUP_LSH;                                   /* an estimate says nothing of up to 8 features */
    border = border_of(&o);
    assert_true(border.bands_from == 9 && border.prefix_most == 10);
    o.method = DEDUP_AUTO;                                  /* a prefix of 95 features has 20 records: 0.8 of that */
    border = border_of(&o);
    assert_true(border.bands_from == 77 && border.prefix_most == 95);
    assert_int_equal(prefix_length(o.threshold, 95), 20);
    /* between the borders everybody does both: nothing falls between */
    for (uint32_t small = 1; small < border.bands_from; small++)
        assert_true((uint64_t)small * 5 / 4 <= border.prefix_most);
    o.threshold = (struct ratio){ 1, 1 };                   /* a prefix is one feature */
    border = border_of(&o);
    assert_true(border.prefix_most >= UINT32_MAX - 1);
}

/* Never false for a pair that reaches the threshold, whatever its sizes and where in the prefixes it meets first. */
static void test_may_match(void **unused)
{
    struct dedup_options o = { .threshold = { 7, 10 } };

    (void)unused;
    for (uint32_t small = 1; small < 700; small += 1 + small / 16)
        for (uint32_t large = small; large < 1100; large += 1 + large / 16) {
            const uint64_t a = record_value(1, code_of(small), CODE_NONE),
                b = record_value(2, code_of(large), CODE_NONE);

            if ((uint64_t)small * 10 >= (uint64_t)large * 7) assert_true(records_may_match(&o, a, b));
            /* both sizes are known to 1/128 */
            if ((uint64_t)small * 10 * 130 < (uint64_t)large * 7 * 127) assert_false(records_may_match(&o, a, b));
            for (uint32_t place = 0; place < small && place < 20; place++) {
                /* behind the shared features there is room for this many */
                const uint32_t most = small - place;
                const uint64_t at = record_value(1, code_of(small), code_of(place)),
                    other = record_value(2, code_of(large), code_of(place));

                if ((uint64_t)most * 10 >= 7 * ((uint64_t)small + large - most))
                    assert_true(records_may_match(&o, at, other));
            }
        }
    /* 10 and 10 features: 9 must be shared at 0.7, so the first shared one is at 1 or before */
    assert_true(records_may_match(&o, record_value(1, 10, 1), record_value(2, 10, 1)));
    assert_false(records_may_match(&o, record_value(1, 10, 2), record_value(2, 10, 0)));
    assert_false(records_may_match(&o, record_value(1, 10, 0), record_value(2, 10, 2)));
    o.containment = (struct ratio){ 1, 2 };
    assert_true(records_may_match(&o, record_value(1, 1, 0), record_value(2, 4000, 9)));
}

/* Rare features first: what all have stands last in every prefix. */
static void test_frequency(void **unused)
{
    struct world     w;
    struct frequency frequency;
    uint32_t         most = 0, least = UINT32_MAX;
    uint64_t         common = 0;

    (void)unused;
    world_open(&w, "", (const char *const[3]){ "{\"text\": \"all x\"}\n{\"text\": \"all y\"}\n"
                                               "{\"text\": \"all z all\"}\n",
                                               "{\"text\": \"all x y\"}\n", "{\"text\": \"all x\"}\n" });
    world_classes(&w);
    WORLD_DO(frequency_make(&w.state, &frequency, err));
    for (size_t u = 0; u < w.state.catalogue.count; u++) {
        struct column_unit columns;

        WORLD_DO(state_unit(&w.state, u, &columns, err));
        for (uint64_t i = 0; i < columns.documents; i++)
            for (uint32_t f = 0; f < columns_features(&columns, i).distinct; f++) {
                const uint64_t feature = columns_features(&columns, i).hash[f];
                const uint32_t times = frequency_rank(&frequency, feature);

                if (times > most) most = times, common = feature;
                if (times < least) least = times;
            }
        columns_close(&columns);
    }
    assert_int_equal(most, 4);                              /* `all`, in four classes: the copy in c is none */
    assert_int_equal(least, 1);
    assert_null(frequency.crowd);
    for (frequency.cap = 3; frequency.cap < 5; frequency.cap++)
        assert_int_equal(frequency_crowd(&frequency, common), frequency.cap == 3 ? 0 : NOT_CROWDED);
    frequency_free(&frequency);
    assert_int_equal(frequency_rank(&frequency, 5), 0);
    assert_int_equal(frequency_crowd(&frequency, 5), NOT_CROWDED);
    world_close(&w);
}

/* With which generation a feature becomes crowded: of documents that were there before nothing changes. */
static void test_crowd(void **unused)
{
    struct world     w;
    struct frequency frequency;
    size_t           seen[4] = { 0 };

    (void)unused;
    world_open(&w, ", bucket_cap: 2, datasets: [a, b, c], added: [b, c]", (const char *const[3]){
        "{\"text\": \"once\"}\n{\"text\": \"many once\"}\n{\"text\": \"many a\"}\n{\"text\": \"many b\"}\n",
        "{\"text\": \"once more\"}\n", "{\"text\": \"more\"}\n{\"text\": \"more c\"}\n" });
    world_classes(&w);
    WORLD_DO(frequency_make(&w.state, &frequency, err));
    for (size_t i = 0; i <= frequency.mask; i++)            /* many: from the start; once: by b; more: by c */
        if (frequency.rank[i]) seen[frequency.crowd[i] == NOT_CROWDED ? 3 : frequency.crowd[i]]++;
    assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[3] == 3);
    frequency_free(&frequency);
    world_close(&w);
}

/* A band's record that is there later says since when, and no place of a prefix does. */
static void test_late(void **unused)
{
    (void)unused;
    assert_true(code_of(UINT32_MAX) < CODE_LATE && CODE_LATE + LATE_MOST < CODE_NONE);
    for (uint32_t n = 1; n <= LATE_MOST; n++) {
        assert_int_equal(record_late(record_value(7, 9, CODE_LATE + n)), n);
        assert_true(record_is_band(record_value(7, 9, CODE_LATE + n)));
    }
    assert_true(record_is_band(record_value(7, 9, CODE_NONE)));
    assert_int_equal(record_late(record_value(DEDUP_ID_MASK, 9, CODE_NONE)), 0);
    assert_false(record_is_band(record_value(DEDUP_ID_MASK, 9, code_of(UINT32_MAX))));
    assert_int_equal(record_late(record_value(7, 9, 12)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_border), cmocka_unit_test(test_may_match),
                                        cmocka_unit_test(test_frequency), cmocka_unit_test(test_crowd),
                                        cmocka_unit_test(test_late) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
