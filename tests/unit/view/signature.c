/* tests/unit/view/signature.c -- signatures against what theory says of their estimates, band keys against the lanes
 * they stand for. */
#include "view/signature.h"

#include "kernels/kernels.h"
#include "view/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_next(uint64_t *state)                /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* Two sets of n features, one after the other with what they share in the middle: a = at[0 .. n), b = at[n - shared ..
 * 2n - shared). */
struct sets { uint64_t at[10000]; size_t n, shared; };

static double sets_draw(struct sets *sets, size_t n, double jaccard, uint64_t *random)
{
    sets->n = n;
    sets->shared = (size_t)lround(2 * (double)n * jaccard / (1 + jaccard));
    for (size_t i = 0; i < 2 * n - sets->shared; i++) sets->at[i] = random_next(random);
    return (double)sets->shared / (double)(2 * n - sets->shared);
}

static void sets_sign(const struct signature_scheme *scheme, const struct sets *sets, uint32_t *a, uint32_t *b)
{
    signature_make(scheme, sets->at, sets->n, a);
    signature_make(scheme, sets->at + sets->n - sets->shared, sets->n, b);
}

/* The mean of many estimates is the index, their spread that of k independent coins: the random sets are other ones in
 * each trial, the lanes' numbers stay. */
static void estimates_are_unbiased_and_as_sharp_as_theory(void **state)
{
    static const size_t size[] = { 30, 200, 1000, 5000 };
    static const double index[] = { 0.3, 0.5, 0.7, 0.8, 0.9 };
    static struct sets      sets;
    struct signature_scheme scheme;
    uint64_t                random = 1;

    (void)state;
    signature_scheme_make(&scheme, 32, 8, 1);
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
        for (size_t j = 0; j < sizeof index / sizeof *index; j++) {
            double jaccard = 0, sum = 0, squares = 0, spread, bias, rmse;
            int    trials = size[s] < 5000 ? 1000 : 400;

            for (int trial = 0; trial < trials; trial++) {
                uint32_t a[SIGNATURE_LANES_MAX], b[SIGNATURE_LANES_MAX];
                double   off;

                jaccard = sets_draw(&sets, size[s], index[j], &random);
                sets_sign(&scheme, &sets, a, b);
                off = signature_estimate(&scheme, a, b) - jaccard;
                sum += off;
                squares += off * off;
            }
            spread = sqrt(jaccard * (1 - jaccard) / 256);
            bias = sum / trials / (spread / sqrt(trials));
            rmse = sqrt(squares / trials) / spread;
            if (fabs(bias) > 4 || rmse < 0.9 || rmse > 1.12)
                fail_msg("%zu features, index %.3f: bias %.2f sigma, RMSE %.3f of theory", size[s], jaccard, bias,
                         rmse);
        }
}

/* Documents share a band as often as the curve says, and a key where and only where they share the band's lanes. */
static void bands_meet_as_the_curve_says(void **state)
{
    static const struct { uint32_t bands, rows; double index; } setting[] = {
        { 37, 6, 0.5 }, { 37, 6, 0.6 }, { 14, 8, 0.7 }, { 9, 13, 0.8 }, { 20, 5, 0.5 }, { 25, 10, 0.7 }, { 32, 8, 0.6 },
        { 60, 1, 0.02 }, { 31, 16, 0.8 },
    };
    enum { TRIALS = 3000 };
    static struct sets sets;
    uint64_t           random = 2;

    (void)state;
    for (size_t s = 0; s < sizeof setting / sizeof *setting; s++) {
        struct signature_scheme scheme;
        double                  theory = 0, sigma;
        int                     hits = 0;

        signature_scheme_make(&scheme, setting[s].bands, setting[s].rows, s);
        for (int trial = 0; trial < TRIALS; trial++) {
            uint32_t a[SIGNATURE_LANES_MAX], b[SIGNATURE_LANES_MAX];
            uint64_t key_a[SIGNATURE_LANES_MAX], key_b[SIGNATURE_LANES_MAX];
            bool     hit = false;
            double   jaccard = sets_draw(&sets, 200, setting[s].index, &random);

            theory = curve_candidate(jaccard, scheme.bands, scheme.rows);
            sets_sign(&scheme, &sets, a, b);
            signature_bands(&scheme, a, key_a);
            signature_bands(&scheme, b, key_b);
            for (uint32_t band = 0; band < scheme.bands; band++) {
                bool equal = memcmp(a + band * scheme.rows, b + band * scheme.rows, scheme.rows * sizeof *a) == 0;

                assert_int_equal(key_a[band] == key_b[band], equal);
                hit |= equal;
            }
            hits += hit;
        }
        sigma = sqrt(theory * (1 - theory) / TRIALS);
        if (fabs((double)hits / TRIALS - theory) > 4 * sigma)
            fail_msg("%u bands of %u rows at %.2f: %d of %d met, the curve says %.4f", scheme.bands, scheme.rows,
                     setting[s].index, hits, TRIALS, theory);
    }
}

static int value_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void assert_distinct(uint64_t *key, size_t count)
{
    qsort(key, count, sizeof *key, value_order);
    assert_true(key[0] != 0);
    for (size_t i = 1; i < count; i++) assert_true(key[i] != key[i - 1]);
}

/* Equal lanes in every band, as documents of one feature nearly have: no key twice, over few values of the lanes and
 * all bands. */
static void bands_do_not_share_keys(void **state)
{
    static const uint32_t value[] = { 0, 1, 2, 3, 0x10000, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
    enum { VALUES = sizeof value / sizeof *value };
    static uint64_t key[VALUES * SIGNATURE_LANES_MAX];

    (void)state;
    for (uint32_t rows = 1; rows <= 20; rows++) {
        struct signature_scheme scheme;
        uint32_t                lane[SIGNATURE_LANES_MAX];

        signature_scheme_make(&scheme, SIGNATURE_LANES_MAX / rows, rows, 7);
        for (size_t v = 0; v < VALUES; v++) {
            for (size_t i = 0; i < SIGNATURE_LANES_MAX; i++) lane[i] = value[v];
            signature_bands(&scheme, lane, key + v * scheme.bands);
        }
        assert_distinct(key, VALUES * scheme.bands);
    }
}

/* A lane moves the key of its band and no other; lanes that only fill up to a multiple of 16 move nothing.  About half
 * of a key's bits turn with any one bit of a lane, and each of them in about half of the cases: ranks and sorts take a
 * few bits as they are. */
static void every_lane_moves_its_key_only(void **state)
{
    static const uint32_t shape[][2] = { { 37, 6 }, { 9, 13 }, { 15, 1 }, { 1, 500 }, { 3, 7 } };
    uint64_t              random = 3;

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        struct signature_scheme scheme;
        uint32_t                lane[SIGNATURE_LANES_MAX];
        uint64_t                before[SIGNATURE_LANES_MAX], after[SIGNATURE_LANES_MAX];
        unsigned                turned[64] = { 0 }, flips = 0;

        signature_scheme_make(&scheme, shape[s][0], shape[s][1], 9);
        for (uint32_t i = 0; i < scheme.lanes; i++) lane[i] = (uint32_t)random_next(&random);
        signature_bands(&scheme, lane, before);
        for (uint32_t i = 0; i < scheme.lanes; i++)
            for (unsigned bit = 0; bit < 32; bit++) {
                lane[i] ^= 1u << bit;
                signature_bands(&scheme, lane, after);
                lane[i] ^= 1u << bit;
                for (uint32_t band = 0; band < scheme.bands; band++) {
                    uint64_t changed = before[band] ^ after[band];

                    assert_int_equal(changed != 0, i / scheme.rows == band);
                    if (!changed) continue;
                    for (int b = 0; b < 64; b++) turned[b] += (unsigned)(changed >> b & 1);
                    flips++;
                }
            }
        assert_int_equal(flips, 32 * scheme.bands * scheme.rows);
        for (int b = 0; b < 64; b++)
            if (fabs(turned[b] - flips / 2.0) > 5 * sqrt(flips / 4.0))
                fail_msg("%u x %u: bit %d of a key turned in %u of %u cases", scheme.bands, scheme.rows, b, turned[b],
                         flips);
    }
}

static void signatures_are_of_sets(void **state)
{
    struct signature_scheme scheme;
    uint64_t                feature[90], random = 4;
    uint32_t                lane[SIGNATURE_LANES_MAX + 1], other[SIGNATURE_LANES_MAX + 1];

    (void)state;
    signature_scheme_make(&scheme, 37, 6, 5);
    assert_int_equal(scheme.lanes, 224);
    for (size_t i = 0; i < 90; i++) feature[i] = random_next(&random);
    lane[scheme.lanes] = other[scheme.lanes] = 77;
    signature_make(&scheme, feature, 45, lane);
    for (size_t i = 0; i < 45; i++) feature[89 - i] = feature[i];           /* backwards, each twice */
    signature_make(&scheme, feature, 90, other);
    assert_memory_equal(lane, other, sizeof *lane * (scheme.lanes + 1));    /* and nothing written behind them */
    assert_true(signature_estimate(&scheme, lane, other) == 1);
    for (uint32_t i = 222; i < 224; i++) other[i]++;                        /* filling lanes do not count */
    assert_true(signature_estimate(&scheme, lane, other) == 1);
    other[221]++;
    other[0]++;
    assert_true(fabs(signature_estimate(&scheme, lane, other) - 220.0 / 222) < 1e-15);
    signature_make(&scheme, NULL, 0, lane);
    for (uint32_t i = 0; i < scheme.lanes; i++) assert_int_equal(lane[i], UINT32_MAX);
}

/* Numbers in files: made outside this program from the definitions in signature.c. */
static void numbers_stay(void **state)
{
    static const uint64_t fourth[] = {                      /* key of band 3, for 1 to 8 rows */
        0xc3d44f0abb9207c4, 0xf8b6ac8febd4612e, 0xcb5c4c18b7cfe21f, 0xdd94dc90827ef3fa,
        0xc110f5ed50513cdc, 0x1c3fb951d8c272ec, 0xf68c1b000146156d, 0xae6cc16c4850f05,
    };
    struct signature_scheme scheme, wide;
    uint32_t                lane[SIGNATURE_LANES_MAX];
    uint64_t                key[SIGNATURE_LANES_MAX], feature = 0x0123456789abcdef;

    (void)state;
    signature_scheme_make(&scheme, 5, 3, 42);
    signature_scheme_make(&wide, 64, 8, 42);
    assert_memory_equal(scheme.multiplier, wide.multiplier, sizeof wide.multiplier);
    assert_memory_equal(scheme.summand, wide.summand, sizeof wide.summand);
    for (size_t i = 0; i < SIGNATURE_LANES_MAX; i++) assert_true(wide.multiplier[i] & 1);
    assert_int_equal(scheme.lanes, 16);
    assert_true(wide.multiplier[0] == 0x2feb6e95u && wide.summand[0] == 0xbdd73226u);
    assert_true(wide.multiplier[511] == 0x51d3cdbfu && wide.summand[511] == 0x7135f21cu);
    signature_make(&wide, &feature, 1, lane);
    assert_true(lane[0] == 0x9cb7c041u && lane[31] == 0x70e59643u);
    for (uint32_t rows = 1; rows <= 8; rows++) {
        signature_scheme_make(&scheme, 4, rows, 42);
        signature_bands(&scheme, lane, key);
        assert_true(key[3] == fourth[rows - 1]);
    }
}

static int group_open(void **state)
{
    (void)state;
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    return kernels ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_unbiased_and_as_sharp_as_theory),
        cmocka_unit_test(bands_meet_as_the_curve_says),
        cmocka_unit_test(bands_do_not_share_keys),
        cmocka_unit_test(every_lane_moves_its_key_only),
        cmocka_unit_test(signatures_are_of_sets),
        cmocka_unit_test(numbers_stay),
    };

    return cmocka_run_group_tests(tests, group_open, NULL);
}
