/* tests/property/test_lm_estimate.c -- the n-gram model against Chen and Goodman's formulas written down as they are
 * printed.
 *
 * Random corpora of few tokens, with copies, so that every order has n-grams that were seen once, twice, three times
 * and more.  The obvious program keeps a list of all n-grams and asks it for every number.  Compared are discounts,
 * every probability after every context (seen or not), their sum, both moments, and the model after it was written and
 * read as ARPA and as a file, with one thread and with three. */
#include "lm/private.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TOKENS = 12, MOST_TEXT = 4000, MOST_GRAMS = 30000 };

static uint64_t state;
static uint32_t order, tokens;
static uint32_t text[MOST_TEXT];                            /* documents, each <s> ... </s> */
static size_t   text_len, documents;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static void make_text(void)
{
    size_t wanted = draw(8) ? 200 + draw(MOST_TEXT - 400) : draw(20);

    tokens = LM_FIRST + 1 + draw(MOST_TOKENS - LM_FIRST);
    text_len = documents = 0;
    while (text_len < wanted) {
        unsigned len = draw(4) ? draw(60) : draw(3);

        text[text_len++] = LM_BEGIN;
        while (len) {
            if (text_len > 30 && draw(3) == 0) {            /* a piece again */
                size_t from = draw((unsigned)text_len - 20);

                for (unsigned n = 1 + draw(12); n && len; n--, from++)
                    if (text[from] != LM_BEGIN && text[from] != LM_END) {
                        text[text_len++] = text[from];
                        len--;
                    }
            } else {
                unsigned t = draw(tokens - 2), u = draw(tokens - 2);

                t = t < u ? t : u;                          /* the smaller ones are the frequent ones */
                text[text_len++] = t == 0 ? LM_UNK : t + 2;
                len--;
            }
        }
        text[text_len++] = LM_END;
        documents++;
    }
}

/* ---- rows, as the training gives them ---- */

static uint32_t row[MOST_TEXT * LM_ORDER_MAX];
static uint64_t row_count[MOST_TEXT];
static size_t   rows;

static int compare_rows(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    for (uint32_t i = 0; i < order; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

static void make_counts(struct lm_counts *counts)
{
    static uint32_t piece_at[MOST_TOKENS + 2];
    static char     piece[256];
    size_t          all = 0, begin = 0;

    for (size_t i = 0; i < text_len; i++) {
        if (text[i] == LM_BEGIN) {
            begin = i;
            continue;
        }
        for (uint32_t k = 0; k < order; k++)
            row[all * order + k] = i + k + 1 < begin + order ? LM_BEGIN : text[i + k + 1 - order];
        all++;
    }
    qsort(row, all, order * sizeof *row, compare_rows);
    rows = 0;
    for (size_t i = 0; i < all; i++) {
        if (rows && compare_rows(row + (rows - 1) * order, row + i * order) == 0) {
            row_count[rows - 1]++;
            continue;
        }
        memmove(row + rows * order, row + i * order, order * sizeof *row);
        row_count[rows++] = 1;
    }
    piece_at[0] = 0;
    for (uint32_t t = 0; t < tokens; t++) {
        static const char *const names[] = { "<unk>", "<s>", "</s>", "\n  ", " a b\\x", "\377\200" };

        piece_at[t + 1] = piece_at[t] + (uint32_t)(t < 6 ? sprintf(piece + piece_at[t], "%s", names[t])
                                                   : sprintf(piece + piece_at[t], " w%u", t));
    }
    *counts = (struct lm_counts){ order, tokens, rows, all, documents, row, row_count, piece_at, piece };
}

/* ---- the obvious program ---- */

struct gram { uint32_t len, token[LM_ORDER_MAX]; uint64_t seen, count; };
static struct gram gram[MOST_GRAMS];
static size_t      grams;
static double      discount[LM_ORDER_MAX + 1][4];
static bool        estimated[LM_ORDER_MAX + 1];

static int compare_grams(const void *a, const void *b)
{
    const struct gram *left = a, *right = b;

    if (left->len != right->len) return left->len < right->len ? -1 : 1;
    return memcmp(left->token, right->token, left->len * sizeof *left->token);
}

static struct gram *find(const uint32_t *token, uint32_t len)
{
    struct gram wanted = { .len = len };

    memcpy(wanted.token, token, len * sizeof *token);
    return bsearch(&wanted, gram, grams, sizeof *gram, compare_grams);
}

static void list_grams(void)
{
    size_t begin = 0, all = 0;

    grams = 0;
    for (size_t i = 0; i < text_len; i++) {
        if (text[i] == LM_BEGIN) begin = i;
        else for (uint32_t len = 1; len <= order && len <= i - begin + 1; len++) {
            assert_true(all < MOST_GRAMS);
            gram[all] = (struct gram){ .len = len, .seen = 1 };
            memcpy(gram[all++].token, text + i + 1 - len, len * sizeof *text);
        }
    }
    qsort(gram, all, sizeof *gram, compare_grams);
    for (size_t i = 0; i < all; i++) {
        if (grams && compare_grams(&gram[grams - 1], &gram[i]) == 0) gram[grams - 1].seen++;
        else gram[grams++] = gram[i];
    }
}

static void brute_counts(enum lm_smoothing smoothing)
{
    list_grams();
    for (size_t i = 0; i < grams; i++)
        gram[i].count = smoothing == SMOOTH_WITTEN_BELL || gram[i].len == order || gram[i].token[0] == LM_BEGIN
            ? gram[i].seen : 0;
    for (size_t i = 0; i < grams && smoothing == SMOOTH_KNESER_NEY; i++)
        if (gram[i].len > 1) {
            struct gram *suffix = find(gram[i].token + 1, gram[i].len - 1);

            assert_non_null(suffix);
            suffix->count += suffix->len < order && suffix->token[0] != LM_BEGIN;
        }
    for (uint32_t k = 1; k <= order; k++) {
        double n[5] = { 0 }, y;

        for (size_t i = 0; i < grams; i++)
            if (gram[i].len == k && gram[i].count <= 4) n[gram[i].count]++;
        y = n[1] / (n[1] + 2 * n[2]);
        discount[k][1] = 1 - 2 * y * n[2] / n[1];
        discount[k][2] = 2 - 3 * y * n[3] / n[2];
        discount[k][3] = 3 - 4 * y * n[4] / n[3];
        estimated[k] = n[1] > 0 && n[2] > 0 && n[3] > 0 && n[4] > 0 && discount[k][1] > 0 && discount[k][2] > 0 &&
            discount[k][3] > 0;
        if (!estimated[k]) memcpy(discount[k], (double[]){ 0, .5, 1, 1.5 }, sizeof discount[k]);
    }
}

/* p(w | h), h being the len tokens before w. */
static double brute(const uint32_t *h, uint32_t len, uint32_t w, enum lm_smoothing smoothing)
{
    double   lower, sum = 0, p = 0, n[4] = { 0 }, distinct = 0;
    uint32_t whole[LM_ORDER_MAX];

    if (len + 1 > order) return brute(h + 1, len - 1, w, smoothing);
    lower = len ? brute(h + 1, len - 1, w, smoothing) : 1.0 / (tokens - 1);
    memcpy(whole, h, len * sizeof *h);
    for (uint32_t v = 0; v < tokens; v++) {
        struct gram *g;

        whole[len] = v;
        if (!(g = find(whole, len + 1))) continue;
        sum += (double)g->count;
        distinct++;
        n[g->count < 3 ? g->count : 3]++;
        if (v == w)
            p = (double)g->count - (smoothing == SMOOTH_KNESER_NEY ? discount[len + 1][g->count < 3 ? g->count : 3]
                                    : 0);
    }
    if (!(sum > 0)) return lower;
    if (smoothing == SMOOTH_WITTEN_BELL) return (p + distinct * lower) / (sum + distinct);
    return p / sum + (discount[len + 1][1] * n[1] + discount[len + 1][2] * n[2] +
                      discount[len + 1][3] * n[3]) / sum * lower;
}

/* ---- comparing ---- */

static void check_context(const struct lm *lm, const uint32_t *h, uint32_t len)
{
    uint32_t at = 0;
    double   sum = 0, mean = 0, square = 0, deviation;

    for (uint32_t i = 0; i < len; i++) lm_step(lm, &at, h[i]);
    for (uint32_t w = 0; w < tokens; w++) {
        uint32_t next = at;
        double   log_p = lm_step(lm, &next, w), wanted = brute(h, len, w, lm->smoothing);

        assert_true(next < lm->states);
        if (w == LM_BEGIN) {
            assert_true(exp(log_p) == 0);
            continue;
        }
        if (!(fabs(exp(log_p) - wanted) < 1e-6 && fabs(log_p - log(wanted)) < 1e-5))
            fail_msg("order %u, context of %u, token %u: %.9g, not %.9g", order, len, w, exp(log_p), wanted);
        sum += wanted;
        mean += wanted * log(wanted);
        square += wanted * log(wanted) * log(wanted);
    }
    assert_true(fabs(sum - 1) < 1e-9);
    deviation = sqrt(fmax(square - mean * mean, 0));
    if (!(fabs((double)lm->state[at].mean - mean) < 1e-5 &&
          fabs(pow((double)lm->state[at].deviation, 2) - deviation * deviation) < 1e-5))
        fail_msg("order %u, context of %u: mean %.9g, not %.9g; deviation %.9g, not %.9g", order, len,
                 (double)lm->state[at].mean, mean,
                 (double)lm->state[at].deviation, deviation);
}

static void check_model(const struct lm *lm)
{
    /* the contexts of the text, and tokens at random, most of which nothing has seen */
    for (uint32_t len = 0; len < order; len++)
        for (unsigned i = 0; i < 24; i++) {
            uint32_t h[LM_ORDER_MAX], from = draw((unsigned)text_len);
            bool     random = i % 3 == 0 || from + len > text_len;

            for (uint32_t j = 0; j < len; j++) {
                h[j] = random ? draw(tokens) : text[from + j];
                if ((j && h[j] == LM_BEGIN) || h[j] == LM_END) h[j] = LM_UNK;
            }
            check_context(lm, h, len);
        }
    if (order > 1) {
        uint32_t begin = 0;

        lm_step(lm, &begin, LM_BEGIN);
        assert_int_equal(begin, lm->begin);
    }
}

static char dir[] = "/tmp/leakgraph-lm.XXXXXX";

static const char *path(const char *name)
{
    static char whole[2][64];
    static int  turn;

    turn = !turn;
    snprintf(whole[turn], sizeof whole[turn], "%s/%s", dir, name);
    return whole[turn];
}

static struct bytes content(const char *name)
{
    struct bytes b = { 0 };
    FILE        *file = fopen(path(name), "rb");
    char         part[4096];

    assert_non_null(file);
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) assert_int_equal(bytes_append(&b, part, got), 0);
    fclose(file);
    return b;
}

static void assert_same_files(const char *a, const char *b)
{
    struct bytes left = content(a), right = content(b);

    if (!slice_equal(bytes_slice(&left), bytes_slice(&right)))
        fail_msg("%s and %s differ (%zu and %zu bytes)", a, b, left.len, right.len);
    bytes_free(&left);
    bytes_free(&right);
}

/* Both ways out and back. */
static void check_files(const struct lm *lm, const struct lm *threads)
{
    struct err err = { 0 };
    struct lm  mapped, read, again;

    assert_int_equal(lm_write(lm, path("a.lm"), &err), 0);
    assert_int_equal(lm_write(threads, path("b.lm"), &err), 0);
    assert_same_files("a.lm", "b.lm");
    if (lm_open(&mapped, path("a.lm"), &err) < 0) fail_msg("%s", err.text);
    assert_true(mapped.states == lm->states && mapped.arcs == lm->arcs && mapped.begin == lm->begin &&
                mapped.trained_tokens == lm->trained_tokens);
    assert_memory_equal(mapped.state, lm->state, (lm->states + 1) * sizeof *lm->state);
    assert_memory_equal(mapped.arc, lm->arc, lm->arcs * sizeof *lm->arc);

    assert_int_equal(lm_arpa_write(&mapped, path("a.arpa"), &err), 0);
    if (lm_arpa_read(&read, path("a.arpa"), &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(lm_arpa_write(&read, path("b.arpa"), &err), 0);
    if (lm_arpa_read(&again, path("b.arpa"), &err) < 0) fail_msg("%s", err.text);
    assert_true(read.states == lm->states && read.arcs == lm->arcs && read.begin == lm->begin &&
                read.tokens == lm->tokens && read.order == lm->order);
    assert_true(read.smoothing == lm->smoothing && read.trained_tokens == lm->trained_tokens &&
                read.trained_documents == lm->trained_documents);
    assert_memory_equal(read.level, lm->level, sizeof lm->level);
    assert_memory_equal(read.piece_at, lm->piece_at, (lm->tokens + 1) * sizeof *lm->piece_at);
    assert_memory_equal(read.piece, lm->piece, lm->piece_at[lm->tokens]);
    for (uint32_t s = 0; s < lm->states; s++) {
        const struct lm_state *a = &lm->state[s], *b = &read.state[s];

        assert_true(a->first == b->first && a->suffix == b->suffix &&
                    fabsf(a->backoff - b->backoff) <= 1e-6F * fabsf(a->backoff));
        assert_true(fabsf(a->mean - b->mean) < 1e-5F &&
                    fabsf(a->deviation * a->deviation - b->deviation * b->deviation) < 1e-4F);
    }
    for (uint64_t i = 0; i < lm->arcs; i++) {
        const struct lm_arc *a = &lm->arc[i], *b = &read.arc[i];

        assert_true(a->token == b->token && a->next == b->next);
        assert_true(i == LM_BEGIN ? isinf(a->logprob) && isinf(b->logprob)
                    : fabsf(a->logprob - b->logprob) <= 1e-6F * fabsf(a->logprob));
    }
    lm_free(&read);
    lm_free(&again);
    lm_close(&mapped);
}

static void check_discounts(const struct lm_discounts *found, enum lm_smoothing smoothing)
{
    for (uint32_t k = 1; k <= order; k++) {
        assert_int_equal(found[k].estimated, smoothing == SMOOTH_KNESER_NEY && estimated[k]);
        for (uint32_t r = 1; r <= 3; r++)
            assert_true(fabs(found[k].of[r] - (smoothing == SMOOTH_KNESER_NEY ? discount[k][r] : 0)) < 1e-12);
    }
}

static void models(void **unused)
{
    const char *rounds_wanted = getenv("LONG");
    int         rounds = rounds_wanted && *rounds_wanted ? 1000 : 24, estimates = 0;

    (void)unused;
    for (int round = 0; round < rounds; round++) {
        enum lm_smoothing   smoothing = draw(3) == 0 ? SMOOTH_WITTEN_BELL : SMOOTH_KNESER_NEY;
        struct lm_discounts found[LM_ORDER_MAX + 1], other[LM_ORDER_MAX + 1];
        struct lm_counts    counts;
        struct lm           lm, threads;
        struct err          err = { 0 };

        order = 1 + draw(LM_ORDER_MAX);
        make_text();
        if (!text_len) continue;
        make_counts(&counts);
        brute_counts(smoothing);
        if (lm_estimate(&lm, &counts, smoothing, 1, found, &err) < 0) fail_msg("%s", err.text);
        if (lm_estimate(&threads, &counts, smoothing, 3, other, &err) < 0) fail_msg("%s", err.text);
        assert_memory_equal(found, other, (order + 1) * sizeof *found);
        check_discounts(found, smoothing);
        for (uint32_t k = 1; k <= order; k++) estimates += found[k].estimated;
        check_model(&lm);
        if (round % 3 == 0) check_files(&lm, &threads);
        lm_free(&lm);
        lm_free(&threads);
    }
    printf("estimates=%d\n", estimates);
    assert_true(estimates > rounds / 8);                    /* usually `rounds` and more; fewer of short texts */
}

/* A file of which any byte is another, or which is cut off anywhere, is refused; zeros between sections are nobody's.
 */
static void damage(void **unused)
{
    struct lm_counts counts;
    struct lm        lm;
    struct bytes     whole;
    struct err       err = { 0 };
    size_t           taken = 0, owned = sizeof(struct lm_head);
    FILE            *file;

    (void)unused;
    order = 3;
    do make_text();
    while (text_len < 50 || text_len > 400);
    make_counts(&counts);
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_int_equal(lm_write(&lm, path("c.lm"), &err), 0);
    owned += (lm.states + 1) * sizeof *lm.state + lm.arcs * sizeof *lm.arc + (lm.tokens + 1) * sizeof *lm.piece_at +
        lm.piece_at[lm.tokens];
    lm_free(&lm);
    whole = content("c.lm");
    for (size_t i = 0; i < whole.len; i++) {
        char kept = whole.at[i];

        whole.at[i] ^= (char)(1 << draw(8));
        file = fopen(path("d.lm"), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(whole.at, 1, whole.len, file), whole.len);
        assert_int_equal(fclose(file), 0);
        whole.at[i] = kept;
        if (lm_open(&lm, path("d.lm"), &err) == 0) {
            taken++;
            lm_close(&lm);
        } else assert_int_equal(err.code, -EBADMSG);
    }
    assert_int_equal(taken, whole.len - owned);
    for (size_t len = 0; len < whole.len; len += 1 + draw(20)) {
        file = fopen(path("d.lm"), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(whole.at, 1, len, file), len);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(lm_open(&lm, path("d.lm"), &err), -EBADMSG);
    }
    bytes_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(models), cmocka_unit_test(damage) };
    const char             *seed = getenv("SEED");
    char                    command[64];
    int                     failed;

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    if (!mkdtemp(dir)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 ? 1 : failed;
}
