/* tests/unit/similarity/edit.c -- edit distances against the published examples and the textbook's matrix. */
#include "similarity/edit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/resource.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

static void test_edits(void **unused)
{
    static const struct { const char *predicted, *reference; double edit; } pairs[] = {
        { " boys, how many students", " boys.  How many", 0.5 }, { " to 2 * ", " to 2 x ", 0.875 },
        { "16 beakers.\n", "16 Petri dishes", 1.0 / 3 }, { " He bought 12", " He bought 3 more", 0.647059 },
        { "", "", 1 }, { "a", "", 0 }, { "", "a", 0 }, { "abc", "abc", 1 },
        { "\xC3\xA4\xE2\x82\xAC", "\xC3\xA4x", 0.5 },    /* characters, not bytes */
        { "\xFFx", "\xFEx", 1 },                            /* a byte that is no UTF-8 is as any other */
    };
    struct err err = { 0 };
    double     value;

    (void)unused;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(edit_similarity(slice_of(pairs[i].predicted), slice_of(pairs[i].reference), &value, &err), 0);
        close_to(value, pairs[i].edit, 1e-6);
    }
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 33;
}

/* The textbook's matrix. */
static size_t distance_plain(const char *a, size_t m, const char *b, size_t n)
{
    size_t row[400];

    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);

            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[n];
}

static void test_edit_against_matrix(void **unused)
{
    struct err err = { 0 };
    uint64_t   state = 1;
    char       a[320], b[320];

    (void)unused;
    for (int round = 0; round < 3000; round++) {
        size_t m = draw(&state) % (round % 10 ? 70 : 320), n = draw(&state) % (round % 10 ? 70 : 320);
        size_t longer = m > n ? m : n;
        size_t letters = 1 + draw(&state) % 6;
        double value;

        for (size_t i = 0; i < m; i++) a[i] = (char)('a' + draw(&state) % letters);
        for (size_t i = 0; i < n; i++) {
            if (draw(&state) % 4 && i < m) b[i] = a[i];
            else b[i] = (char)('a' + draw(&state) % letters);
        }
        assert_int_equal(edit_similarity((struct slice){ a, m }, (struct slice){ b, n }, &value, &err), 0);
        close_to(value, longer ? 1 - (double)distance_plain(a, m, b, n) / (double)longer : 1, 1e-12);
    }
}

/* Over the borders of strips of rows, where letters come and go. */
static void test_long(void **unused)
{
    static uint32_t a[3000], b[3000];
    static size_t   row[3001];
    struct err      err = { 0 };
    uint64_t        state = 7;

    (void)unused;
    for (int round = 0; round < 12; round++) {
        const size_t m = 500 + draw(&state) % 1100, n = 500 + draw(&state) % 2500, letters = round % 2 ? 5 : 5000;
        size_t       distance;

        for (size_t i = 0; i < m; i++) a[i] = (uint32_t)(draw(&state) % letters);
        for (size_t j = 0; j < n; j++) b[j] = j < m && draw(&state) % 4 ? a[j] : (uint32_t)(draw(&state) % letters);
        for (size_t j = 0; j <= n; j++) row[j] = j;
        for (size_t i = 1; i <= m; i++) {
            size_t diagonal = row[0]++;

            for (size_t j = 1; j <= n; j++) {
                const size_t above = row[j], sideways = (above < row[j - 1] ? above : row[j - 1]) + 1;

                row[j] = diagonal + (a[i - 1] != b[j - 1]);
                if (sideways < row[j]) row[j] = sideways;
                diagonal = above;
            }
        }
        assert_int_equal(edit_distance(a, m, b, n, &distance, &err), 0);
        assert_int_equal(distance, row[n]);
    }
}

/* Memory goes with the lengths: letters by blocks would be 2 GB here. */
static void test_memory(void **unused)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    enum { MOST = 1 << 17 };
    static uint32_t text[MOST + 1];
    struct rlimit   limit, some;
    struct err      err = { 0 };
    size_t          distance = 0;
    int             rc;

    for (size_t i = 0; i <= MOST; i++) text[i] = (uint32_t)i;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    some = (struct rlimit){ 1u << 30, limit.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &some), 0);
    rc = edit_distance(text, MOST, text + 1, MOST, &distance, &err);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(rc, 0);
    assert_int_equal(distance, 2);
#endif
    (void)unused;
}

/* Numbers beyond those of characters, and texts of which one is empty. */
static void test_numbers(void **unused)
{
    const uint32_t a[] = { UINT32_MAX, 7, 0, 9 }, b[] = { UINT32_MAX, 0, 9, 9, 1 };
    struct err     err = { 0 };
    size_t         distance;

    (void)unused;
    assert_int_equal(edit_distance(a, 4, b, 5, &distance, &err), 0);
    assert_int_equal(distance, 3);
    assert_int_equal(edit_distance(a, 0, b, 5, &distance, &err), 0);
    assert_int_equal(distance, 5);
    assert_int_equal(edit_distance(a, 0, b, 0, &distance, &err), 0);
    assert_int_equal(distance, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_edit_against_matrix),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
