/* tests/unit/probe/metric.c -- numbers made of a model's answers, against the published worked examples. */
#include "probe/metric.h"
#include "stats/ranking.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

/* ---- strided NLL ---- */

static void chunks_are(size_t tokens, size_t window, const size_t wanted[][4], size_t count)
{
    struct nll_chunk chunk;

    for (size_t i = 0; i < count; i++) {
        assert_true(nll_chunk_at(tokens, window, 512, i, &chunk));
        assert_int_equal(chunk.begin, wanted[i][0]);
        assert_int_equal(chunk.end, wanted[i][1]);
        assert_int_equal(chunk.target, wanted[i][2]);
        assert_int_equal(chunk.from, wanted[i][3]);
    }
    assert_false(nll_chunk_at(tokens, window, 512, count, &chunk));
}

/* The lists of the guide's loop: begin, end, target; from is the first token that is scored. */
static void test_chunks(void **unused)
{
    const size_t a[][4] = { { 0, 1024, 1024, 1 }, { 512, 1300, 276, 1024 } };
    const size_t b[][4] = { { 0, 1024, 1024, 1 }, { 512, 1536, 512, 1024 }, { 1024, 2048, 512, 1536 },
                            { 1536, 2500, 452, 2048 } };
    const size_t one[][4] = { { 0, 1024, 1024, 1 } }, two[][4] = { { 0, 2, 2, 1 } },
        unlimited[][4] = { { 0, 5000, 5000, 1 } };
    const size_t over[][4] = { { 0, 1024, 1024, 1 }, { 512, 1025, 1, 1024 } };

    (void)unused;
    chunks_are(1300, 1024, a, 2);
    chunks_are(2500, 1024, b, 4);
    chunks_are(1024, 1024, one, 1);
    chunks_are(1025, 1024, over, 2);
    chunks_are(2, 1024, two, 1);
    chunks_are(5000, 0, unlimited, 1);
    chunks_are(1, 1024, NULL, 0);
    chunks_are(0, 1024, NULL, 0);
}

/* Every token but the first is scored once, whatever the window and the stride; windows that do not overlap each miss
 * their first token, and a stride that would leave gaps is as one that does not. */
static void test_chunks_cover(void **unused)
{
    (void)unused;
    for (size_t tokens = 2; tokens < 60; tokens++)
        for (size_t window = 2; window < 20; window++)
            for (size_t stride = 1; stride <= window + 2; stride++) {
                struct nll_chunk chunk;
                size_t           next = 1;

                for (size_t i = 0; nll_chunk_at(tokens, window, stride, i, &chunk); i++) {
                    assert_int_equal(chunk.from, stride < window || i == 0 ? next : next + 1);
                    assert_true(chunk.begin < chunk.from && chunk.from < chunk.end &&
                                chunk.end - chunk.begin <= window);
                    next = chunk.end;
                }
                assert_true(next == tokens || (stride >= window && next == tokens - 1));
            }
}

static void test_aggregations(void **unused)
{
    struct nll_sums    sums = { 0 };
    struct model_score score[1300];
    struct nll_chunk   chunk;

    (void)unused;
    assert_true(isnan(nll_mean(&sums)) && isnan(nll_weighted(&sums)) && isnan(nll_tokens(&sums)));
    for (size_t i = 0; i < 1300; i++) score[i] = (struct model_score){ i < 1024 ? -2 : -1, NAN, NAN };
    for (size_t i = 0; nll_chunk_at(1300, 1024, 512, i, &chunk); i++) nll_add(&sums, &chunk, score + chunk.from);
    close_to(nll_mean(&sums), 1.5, 1e-12);                  /* (2 + 1) / 2 */
    close_to(nll_weighted(&sums), (2.0 * 1023 + 1.0 * 275) / (1023 + 275), 1e-12);
    close_to(nll_tokens(&sums), (2.0 * 1023 + 1.0 * 276) / 1299, 1e-12);
}

/* ---- membership ---- */

static void test_min_k(void **unused)
{
    struct err               err = { 0 };
    const struct model_score score[] = { { -1, -2, 1 }, { -5, -2, 2 }, { -3, -3, 0.5 }, { -0.5, -1, 0.25 },
                                         { -4, -4.5, 1 } };
    const struct model_score flat[] = { { -1, -1, 0 }, { -1, NAN, NAN } };
    double                   value;

    (void)unused;
    assert_int_equal(min_k(score, 5, 20, false, &value, &err), 0);
    close_to(value, -5, 0);
    assert_int_equal(min_k(score, 5, 40, false, &value, &err), 0);
    close_to(value, -4.5, 1e-12);
    assert_int_equal(min_k(score, 5, 1, false, &value, &err), 0);       /* at least one */
    close_to(value, -5, 0);
    assert_int_equal(min_k(score, 5, 100, false, &value, &err), 0);
    close_to(value, -2.7, 1e-12);
    assert_int_equal(min_k(score, 5, 40, true, &value, &err), 0);       /* 1, -1.5, 0, 2, 0.5: the two smallest */
    close_to(value, -0.75, 1e-12);
    assert_int_equal(min_k(flat, 1, 20, true, &value, &err), 0);
    close_to(value, 0, 0);
    assert_int_equal(min_k(flat, 2, 20, true, &value, &err), 0);
    assert_true(isnan(value));
    assert_int_equal(min_k(flat, 2, 20, false, &value, &err), 0);
    close_to(value, -1, 0);
    assert_int_equal(min_k(score, 0, 20, false, &value, &err), 0);
    assert_true(isnan(value));
}

static void test_zlib(void **unused)
{
    struct err err = { 0 };
    char       many[600] = "";
    size_t     bytes;

    (void)unused;
    assert_int_equal(zlib_bytes(SLICE(""), &bytes, &err), 0);
    assert_int_equal(bytes, 8);
    assert_int_equal(zlib_bytes(SLICE("a"), &bytes, &err), 0);
    assert_int_equal(bytes, 9);
    assert_int_equal(zlib_bytes(SLICE("def f():\n    return 1\n"), &bytes, &err), 0);
    assert_int_equal(bytes, 28);
    memset(many, 'a', 100);
    assert_int_equal(zlib_bytes((struct slice){ many, 100 }, &bytes, &err), 0);
    assert_int_equal(bytes, 12);
    for (size_t i = 0; i < 50; i++) memcpy(many + i * 10, "import os\n", 10);
    assert_int_equal(zlib_bytes((struct slice){ many, 500 }, &bytes, &err), 0);
    assert_int_equal(bytes, 23);
}

static size_t windows_of(const char *text, bool published, struct slice *last)
{
    size_t at = 0, count = 0;

    while (window_next(slice_of(text), published, &at, last)) count++;
    return count;
}

static void test_windows(void **unused)
{
    static const struct { const char *text; size_t paper, published; } texts[] = {
        { "1\n2\n3\n4\n5", 1, 1 }, { "1\n2\n3\n4\n5\n6", 1, 1 }, { "1\n2\n3\n4\n5\n6\n7", 2, 1 },
        { "1\n2\n3\n4\n5\n6\n7\n8", 3, 2 },
        { "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13", 8, 7 }, { "1\n2\n3\n4\n5\n6\n", 2, 1 }, { "", 1, 1 },
    };
    struct slice last;

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(windows_of(texts[i].text, false, &last), texts[i].paper);
        assert_int_equal(windows_of(texts[i].text, true, &last), texts[i].published);
    }
    windows_of("1\n2\n3\n4\n5\n6\n7", false, &last);
    assert_true(slice_equal(last, SLICE("2\n3\n4\n5\n6\n7")));
    windows_of("1\n2\n3\n4\n5\n6\n7", true, &last);
    assert_true(slice_equal(last, SLICE("1\n2\n3\n4\n5\n6")));
}

/* A constant loss of 2 looks better the more windows there are. */
static void test_window_published(void **unused)
{
    double loss[70];

    (void)unused;
    for (size_t i = 0; i < 70; i++) loss[i] = 2;
    close_to(window_published(loss, 1), 7.389, 5e-4);
    close_to(window_published(loss, 5), 1.4918, 5e-5);
    close_to(window_published(loss, 32), 1.0645, 5e-5);
    close_to(window_published(loss, 33), 1.1289, 5e-5);
    close_to(window_published(loss, 70), 1.0895, 5e-5);
    assert_true(isnan(window_published(loss, 0)));
}

static void test_forms(void **unused)
{
    struct err   err = { 0 };
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(metric_collapse(SLICE("\n\na\n\n\nb\nc\n\n"), &out, &err), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("\na\nb\nc\n")));
    assert_int_equal(metric_lower(SLICE("AbZ[9 \xC3\x84\xC3\x97\xC3\x9E \xCE\xA9\xD0\x96 \xFF\xC3 \xF0\x90\x90\x80"),
                                  &out, &err), 0);
    assert_true(slice_equal(bytes_slice(&out),
                            SLICE("abz[9 \xC3\xA4\xC3\x97\xC3\xBE \xCF\x89\xD0\xB6 \xFF\xC3 \xF0\x90\x90\xA8")));
    bytes_free(&out);
}

/* ---- n-gram accuracy ---- */

static void test_starts(void **unused)
{
    static const struct { size_t tokens, start[5]; } texts[] = {
        { 7, { 2, 2, 2, 2, 2 } },       { 8, { 2, 2, 2, 2, 3 } },         { 9, { 2, 2, 3, 3, 4 } },
        { 20, { 2, 5, 8, 11, 15 } },    { 100, { 2, 25, 48, 71, 95 } },   { 1024, { 2, 256, 510, 764, 1019 } },
    };
    size_t start[5];

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(accuracy_starts(texts[i].tokens, 0, 5, 5, start));
        assert_memory_equal(start, texts[i].start, sizeof start);
        assert_true(accuracy_starts(texts[i].tokens, 1024, 5, 5, start));
        assert_memory_equal(start, texts[i].start, sizeof start);
    }
    assert_true(accuracy_starts(5000, 1024, 5, 5, start));  /* of a long text only what the model can look at */
    assert_memory_equal(start, texts[5].start, sizeof start);
    assert_false(accuracy_starts(6, 0, 5, 5, start));
    assert_false(accuracy_starts(0, 0, 5, 5, start));
    assert_false(accuracy_starts(100, 6, 5, 5, start));
}

static void test_similarities(void **unused)
{
    static const struct { const char *predicted, *reference; double edit, rouge; } pairs[] = {
        { " boys, how many students", " boys.  How many", 0.5, 0.857143 },
        { " to 2 * ", " to 2 x ", 0.875, 0.8 },
        { "16 beakers.\n", "16 Petri dishes", 1.0 / 3, 0.4 },
        { " He bought 12", " He bought 3 more", 0.647059, 0.571429 },
        { "", "", 1, 0 }, { "a", "", 0, 0 }, { "\xC3\xA4\xE2\x82\xAC", "\xC3\xA4x", 0.5, 0 },
        { "Running runs", "run", 0.25, 2.0 / 3 },
    };
    struct err err = { 0 };
    double     value;

    (void)unused;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(edit_similarity(slice_of(pairs[i].predicted), slice_of(pairs[i].reference), &value, &err), 0);
        close_to(value, pairs[i].edit, 1e-6);
        assert_int_equal(rouge_l(slice_of(pairs[i].predicted), slice_of(pairs[i].reference), &value, &err), 0);
        close_to(value, pairs[i].rouge, 1e-6);
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

/* ---- ranking ---- */

static void test_auc(void **unused)
{
    struct err    err = { 0 };
    const double  value[] = { 3, 1, 2, 2, NAN, 5 };
    const uint8_t truth[] = { 1, 0, 1, 0, 1, 0 }, ones[] = { 1, 1, 1, 1, 1, 1 };
    uint64_t      state = 7;
    double        out;

    (void)unused;
    /* 3: beats 1 and 2; 2: beats 1, half of 2; of 2 x 3 */
    assert_int_equal(roc_auc(value, truth, 6, &out, &err), 0);
    close_to(out, 3.5 / 6, 1e-12);
    assert_int_equal(roc_auc(value, ones, 6, &out, &err), 0);
    assert_true(isnan(out));
    for (int round = 0; round < 200; round++) {
        double  v[40], wins = 0, pairs = 0;
        uint8_t t[40];

        for (int i = 0; i < 40; i++) v[i] = (double)(draw(&state) % 12), t[i] = draw(&state) % 3 == 0;
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 40; j++)
                if (t[i] && !t[j]) pairs++, wins += v[i] > v[j] ? 1 : v[i] == v[j] ? 0.5 : 0;
        assert_int_equal(roc_auc(v, t, 40, &out, &err), 0);
        if (pairs > 0) close_to(out, wins / pairs, 1e-12);
        else assert_true(isnan(out));
    }
}

static void test_precision(void **unused)
{
    struct err    err = { 0 };
    const double  value[] = { 3, NAN, 2, 2, 5 };
    const uint8_t truth[] = { 1, 1, 0, 1, 0 };
    double        out;

    (void)unused;
    assert_int_equal(precision_at(value, truth, 5, 1, &out, &err), 0);
    close_to(out, 0, 0);
    assert_int_equal(precision_at(value, truth, 5, 3, &out, &err), 0);      /* 5, 3, and the first 2 */
    close_to(out, 1.0 / 3, 1e-12);
    assert_int_equal(precision_at(value, truth, 5, 4, &out, &err), 0);
    close_to(out, 0.5, 1e-12);
    assert_int_equal(precision_at(value, truth, 5, 100, &out, &err), 0);
    close_to(out, 0.6, 1e-12);
    assert_int_equal(precision_at(value, truth, 5, 0, &out, &err), 0);
    assert_true(isnan(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),        cmocka_unit_test(test_chunks_cover), cmocka_unit_test(test_aggregations),
        cmocka_unit_test(test_min_k),         cmocka_unit_test(test_zlib),         cmocka_unit_test(test_windows),
        cmocka_unit_test(test_window_published), cmocka_unit_test(test_forms),     cmocka_unit_test(test_starts),
        cmocka_unit_test(test_similarities),  cmocka_unit_test(test_edit_against_matrix), cmocka_unit_test(test_auc),
        cmocka_unit_test(test_precision),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
