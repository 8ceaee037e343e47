/* tests/unit/base/lcs.c -- the length of the longest common subsequence, against the table that every book has. */
#include "base/lcs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t state = 5;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
}

static uint32_t obvious(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    uint32_t row[400] = { 0 };

    for (size_t i = 0; i < na; i++) {
        uint32_t corner = 0;

        for (size_t k = 0; k < nb; k++) {
            uint32_t above = row[k + 1];

            row[k + 1] = a[i] == b[k] ? corner + 1 : above > row[k] ? above : row[k];
            corner = above;
        }
    }
    return row[nb];
}

static uint32_t lcs(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    uint32_t found = 7, turned = 8;

    assert_int_equal(lcs_length(a, na, b, nb, &found), 0);
    assert_int_equal(lcs_length(b, nb, a, na, &turned), 0);
    assert_int_equal(found, turned);
    return found;
}

/* The place, end by end: first the longer sequence's end, then the other's, then the beginnings. */
static void check_align(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    struct lcs_span span, turned;
    const uint32_t  length = obvious(a, na, b, nb);
    uint32_t        a_end = 0, b_end = 0, a_at, b_at;

    assert_int_equal(lcs_align(a, na, b, nb, &span), 0);
    assert_int_equal(span.length, length);
    if (na > nb) {
        assert_int_equal(lcs_align(b, nb, a, na, &turned), 0);
        assert_true(turned.a == span.b && turned.a_end == span.b_end && turned.b == span.a &&
                    turned.b_end == span.a_end);
        return;
    }
    if (!length) {
        assert_true(span.a_end == 0 && span.b_end == 0);
        return;
    }
    while (obvious(a, na, b, b_end) < length) b_end++;
    while (obvious(a, a_end, b, b_end) < length) a_end++;
    for (b_at = b_end; obvious(a, a_end, b + b_at, b_end - b_at) < length;) b_at--;
    for (a_at = a_end; obvious(a + a_at, a_end - a_at, b + b_at, b_end - b_at) < length;) a_at--;
    assert_true(span.b_end == b_end && span.a_end == a_end && span.b == b_at && span.a == a_at);
    assert_true(a[a_at] == b[b_at] && a[a_end - 1] == b[b_end - 1]);
}

static void test_small(void **unused)
{
    static const uint64_t abc[] = { 1, 2, 3 }, cab[] = { 3, 1, 2 }, other[] = { 4, 5 }, once[] = { 2 };

    (void)unused;
    assert_int_equal(lcs(abc, 0, abc, 0), 0);
    assert_int_equal(lcs(abc, 0, abc, 3), 0);
    assert_int_equal(lcs(abc, 3, abc, 3), 3);
    assert_int_equal(lcs(abc, 3, cab, 3), 2);
    assert_int_equal(lcs(abc, 3, other, 2), 0);
    assert_int_equal(lcs(abc, 3, once, 1), 1);
    assert_int_equal(lcs(once, 1, once, 1), 1);
    check_align(abc, 3, cab, 3);
    check_align(abc, 3, other, 2);
    check_align(abc, 3, once, 1);
    check_align(abc, 0, abc, 3);
}

/* A carry that goes through a whole block without a match; the text with the fewer words is the one in blocks. */
static void test_carry(void **unused)
{
    uint64_t a[192], b[200] = { 151, 1, 2 };

    (void)unused;
    for (uint64_t i = 0; i < 192; i++) a[i] = i + 1;
    for (uint64_t i = 2; i < 200; i++) b[i] = 1000 + i;
    assert_int_equal(lcs(a, 192, b, 200), 1);
    b[2] = 2;
    assert_int_equal(lcs(a, 192, b, 200), 2);
}

/* Around the ends of the blocks of 64, few words and many, hashes that differ in their high bits and in their low. */
static void test_random(void **unused)
{
    static const size_t length[] = { 1, 2, 63, 64, 65, 127, 128, 129, 200, 300 };
    enum { LENGTHS = sizeof length / sizeof *length };
    uint64_t            a[300], b[300];

    (void)unused;
    for (int round = 0; round < 3 * LENGTHS * LENGTHS; round++) {
        size_t   na = length[round % LENGTHS], nb = length[round / LENGTHS % LENGTHS];
        uint64_t words = round < LENGTHS * LENGTHS ? 2 : 1 + draw(100);
        unsigned shift = round & 1 ? 56 : 0;

        for (size_t i = 0; i < na; i++) a[i] = (1 + draw(words)) << shift;
        for (size_t i = 0; i < nb; i++) b[i] = draw(3) && i < na ? a[i] : (1 + draw(words)) << shift;
        assert_int_equal(lcs(a, na, b, nb), obvious(a, na, b, nb));
        if (round % 4 == 0) check_align(a, na, b, nb);
    }
}

/* Where it would take too long there is no answer: 2^22 words of masks are allowed, and 2^27 steps. */
static void test_limits(void **unused)
{
    enum { MOST = 16384, STEPS = 92700 };
    uint64_t *word = malloc(STEPS * sizeof *word);
    uint32_t  found = 0;

    (void)unused;
    assert_non_null(word);
    for (size_t i = 0; i < STEPS; i++) word[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
    assert_int_equal(lcs_length(word, MOST, word, MOST, &found), 0);
    assert_int_equal(found, MOST);
    assert_int_equal(lcs_length(word, MOST + 1, word, MOST + 1, &found), 0);
    assert_int_equal(found, UINT32_MAX);
    for (size_t i = 0; i < STEPS; i++) word[i] = 1;         /* one mask, but too many steps */
    assert_int_equal(lcs_length(word, STEPS, word, STEPS, &found), 0);
    assert_int_equal(found, UINT32_MAX);
    free(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_small), cmocka_unit_test(test_carry),
                                        cmocka_unit_test(test_random), cmocka_unit_test(test_limits) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
