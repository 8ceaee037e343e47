/* tests/unit/view/dictionary.c -- what is known of a document's features, against looking for each in a list. */
#include "view/dictionary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

enum { FEATURES = 300, BITS_ALONE = 40, SLOT_BITS = 10, FILTER_BITS = 12, MOST = 700 };

static uint64_t          state = 1, key[1 << SLOT_BITS], filter[1 << (FILTER_BITS - 6)];
static uint32_t          rank[1 << SLOT_BITS];
static uint64_t          feature_of[FEATURES + BITS_ALONE];
static struct dictionary dictionary;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
}

/* Features with ranks, and some that the bitmap has alone. */
static void dictionary_make(void)
{
    dictionary = (struct dictionary){ .features = FEATURES, .key = key, .rank = rank, .filter = filter,
                                      .slot_mask = (1 << SLOT_BITS) - 1, .factor = scatter_factor[0] | 1,
                                      .slot_shift = 64 - SLOT_BITS, .filter_shift = 64 - FILTER_BITS };
    for (uint32_t f = 0; f < FEATURES + BITS_ALONE; f++) {
        const uint64_t feature = draw(UINT32_MAX) << 32 | (draw(UINT32_MAX) + 1), bit = feature >> (64 - FILTER_BITS);
        uint64_t       at = scatter(feature, dictionary.factor, dictionary.slot_shift);

        feature_of[f] = feature;
        filter[bit >> 6] |= 1ull << (bit & 63);
        if (f >= FEATURES) continue;
        while (key[at]) at = (at + 1) & dictionary.slot_mask;
        key[at] = feature;
        rank[at] = f;
    }
}

static uint32_t rank_of(uint64_t feature)
{
    for (uint32_t f = 0; f < FEATURES; f++)
        if (feature_of[f] == feature) return f;
    return DICTIONARY_NONE;
}

/* The ranks of count features, once each, as they come, and no bit but theirs. */
static void check_ranks(const struct known *known, const uint64_t *feature, size_t count)
{
    size_t distinct = 0, bits = 0;
    bool   met[FEATURES] = { false };

    assert_int_equal(known->count, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t expected = rank_of(feature[i]);

        assert_int_equal(known->rank[i], expected);
        if (expected == DICTIONARY_NONE || met[expected]) continue;
        met[expected] = true;
        assert_int_equal(known->different[distinct++], expected);
    }
    assert_int_equal(known->distinct, distinct);
    for (uint32_t r = 0; r < FEATURES; r++) {
        assert_int_equal(known_has(known, r), met[r]);
        bits += met[r];
    }
    for (size_t w = 0; w <= FEATURES / 64; w++) bits -= (size_t)__builtin_popcountll(known->present[w]);
    assert_int_equal(bits, 0);
}

static void check_places(const struct known *known, const uint64_t *feature, size_t count)
{
    size_t placed = 0;

    for (size_t i = 0; i < count; i++) {
        assert_int_equal(known->likely[i / 64] >> i % 64 & 1, dictionary_maybe(&dictionary, feature[i]));
        if (rank_of(feature[i]) != DICTIONARY_NONE) assert_int_equal(known->place[placed++], i);
    }
    assert_int_equal(known->placed, placed);
    assert_int_equal(known->likely[count / 64] >> count % 64, 0);
}

static void test_all(void **unused)
{
    static uint64_t feature[MOST];
    struct knower  *knower, *other;
    struct err      err = { 0 };

    (void)unused;
    assert_int_equal(knower_open(&knower, &dictionary, &err), 0);
    assert_int_equal(knower_open(&other, &dictionary, &err), 0);
    for (unsigned round = 0; round < 300; round++) {
        const size_t count = round % 3 ? draw(MOST) : 64 * draw(MOST / 64), from = draw(count + 1),
                     part = draw(count - from + 1);
        struct known known, of;

        for (size_t i = 0; i < count; i++)
            feature[i] = draw(3) ? feature_of[draw(1 + draw(FEATURES + BITS_ALONE))] : draw(UINT32_MAX) << 32 | 1;
        assert_int_equal(knower_ask(knower, (struct feature_list){ feature, count }, &known, &err), 0);
        if (round % 2) known_rank(&known);
        of = knower_part(other, &known, from, part);
        for (size_t i = 0; i < part; i++)
            assert_int_equal(known_unlikely(&of, i) & 1, !dictionary_maybe(&dictionary, feature[from + i]));
        if (part) assert_int_equal(known_unlikely(&of, part - 1) >> 1, 0);
        if (part > 70)
            assert_int_equal(known_unlikely(&of, 3) >> 63, !dictionary_maybe(&dictionary, feature[from + 66]));
        check_ranks(&of, feature + from, part);
        check_ranks(&known, feature, count);
        check_places(&known, feature, count);
    }
    knower_close(knower);
    knower_close(other);
    knower_close(NULL);
}

/* What the bitmap has and the table has not is likely, and has no rank. */
static void test_bits(void **unused)
{
    (void)unused;
    for (size_t f = FEATURES; f < FEATURES + BITS_ALONE; f++) {
        assert_true(dictionary_maybe(&dictionary, feature_of[f]));
        assert_int_equal(dictionary_rank(&dictionary, feature_of[f]), DICTIONARY_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_bits) };

    dictionary_make();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
