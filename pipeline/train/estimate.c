/* train/estimate.c -- from counts of the highest order to probabilities of all.
 *
 * Kneser-Ney: an n-gram below the highest order counts for the different tokens it was seen after, not for how often it
 * was seen; one that begins with <s> is seen after nothing, and keeps its count (Chen and Goodman 1998, sections 2.7
 * and 3.2; Heafield et al. 2013, section 3).  With c such a count, D its discount, N_r the tokens that were seen r
 * times after the context:
 *   p(w | h) = (c(hw) - D(c(hw))) / c(h) + (D1 N1 + D2 N2 + D3 N3+) / c(h) * p(w | h')
 * Witten-Bell, with c what was seen at every order, and N tokens after the context:
 *   p(w | h) = (c(hw) + N * p(w | h')) / (c(h) + N)
 * Below the unigrams p is 1 / (tokens but <s>). */
#include "lm/grams.h"
#include "lm/private.h"

#include "base/log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct estimate {
    struct lm_build     build;
    struct lm_grams     grams;
    enum lm_smoothing   smoothing;
    int                 threads;
    uint64_t            arcs[LM_ORDER_MAX + 1];             /* of each order */
    uint64_t            highest;                            /* the first arc of the highest order */
    /* [highest], of order 1 [arcs]: counts, then probabilities */
    struct lm_value    *value;
    struct lm_moment   *moment;                             /* [states] */
    struct lm_discounts discounts[LM_ORDER_MAX + 1];
};

/* ---- structure ---- */

static int measure(struct estimate *e, struct err *err)
{
    struct lm *lm = &e->build.lm;
    uint64_t   states[LM_ORDER_MAX + 1] = { 1 }, total = 0;
    /* whether the n-gram of that order at hand has one after it */
    bool       parent[LM_ORDER_MAX + 1] = { false };

    e->arcs[1] = lm->tokens;
    lm_grams_rewind(&e->grams);
    while (lm_grams_next(&e->grams))
        for (uint32_t k = e->grams.same + 1; k <= e->grams.at.depth; k++) {
            parent[k] = false;
            if (k == 1) continue;
            e->arcs[k]++;
            states[k - 1] += !parent[k - 1];
            parent[k - 1] = true;
        }
    for (uint32_t k = 0; k <= LM_ORDER_MAX; k++) {
        lm->level[k] = (uint32_t)total;
        if (k < lm->order) total += states[k];
        lm->arcs += e->arcs[k];
        if (total >= LM_NONE)
            return err_set(err, -EOVERFLOW, "a model of order %u has more than 2^32 contexts: take a lower order, or "
                                            "count fewer tokens", lm->order);
    }
    lm->states = (uint32_t)total;
    e->highest = lm->order == 1 ? 0 : lm->arcs - e->arcs[lm->order];
    if (e->highest > LM_NONE)
        return err_set(err, -EOVERFLOW, "a model of order %u has more than 2^32 n-grams below it", lm->order);
    return 0;
}

static void fill(struct estimate *e)
{
    struct lm_build *b = &e->build;
    uint32_t         state[LM_ORDER_MAX + 1];               /* [k] the next one of level k */
    /* [k] the next one of order k; the one at hand */
    uint64_t         arc[LM_ORDER_MAX + 1], path[LM_ORDER_MAX + 1];

    memcpy(state, b->lm.level, sizeof state);
    for (uint32_t t = 0; t < b->lm.tokens; t++) b->arc[t] = (struct lm_arc){ .token = t, .next = LM_NONE };
    for (uint32_t s = b->lm.states; s; s--) b->state[s].first = b->lm.arcs;
    arc[0] = arc[1] = 0;
    for (uint32_t k = 2; k <= b->lm.order; k++) arc[k] = arc[k - 1] + e->arcs[k - 1];
    lm_grams_rewind(&e->grams);
    while (lm_grams_next(&e->grams)) {
        const struct lm_gram *gram = &e->grams.at;

        for (uint32_t k = e->grams.same + 1; k <= gram->depth; k++) {
            struct lm_arc *parent;

            if (k == 1) {
                path[1] = gram->token[0];
                continue;
            }
            path[k] = arc[k]++;
            b->arc[path[k]] = (struct lm_arc){ .token = gram->token[k - 1], .next = LM_NONE };
            parent = &b->arc[path[k - 1]];
            if (parent->next != LM_NONE) continue;
            parent->next = state[k - 1]++;
            b->state[parent->next].first = path[k];
        }
        if (gram->count && gram->depth > 1) e->value[path[gram->depth]].count += gram->count;
    }
}

/* ---- counts ---- */

static inline uint64_t count_of(const struct estimate *e, uint64_t arc)
{
    return arc < e->highest || e->build.lm.order == 1 ? e->value[arc].count
        : lm_grams_count(&e->grams, arc - e->highest);
}

/* What Kneser-Ney counts, lm_link has counted.  Witten-Bell: from the longest down, each n-gram counts for its suffix
 * as often as it was seen; integers, so that the order of threads is nothing. */
static void count_suffixes(struct estimate *e)
{
    const struct lm_build *b = &e->build;

    if (b->lm.order == 1)
        for (uint64_t i = 0; i < e->grams.counts->rows; i++)
            e->value[e->grams.counts->row[i]].count += e->grams.counts->count[i];
    for (uint32_t k = b->lm.order; k > 1 && e->smoothing == SMOOTH_WITTEN_BELL; k--) {
        uint32_t from = b->lm.level[k - 1], end = b->lm.level[k];

        #pragma omp parallel for num_threads(e->threads) schedule(dynamic, 256) if (end - from > LM_TEAM)
        for (uint32_t s = from; s < end; s++)
            for (uint64_t a = b->state[s].first; a < b->state[s + 1].first; a++) {
                uint64_t more = count_of(e, a);

                #pragma omp atomic
                e->value[b->below[a]].count += more;
            }
    }
}

/* Chen and Goodman 1998, eq. 17, of the counts of counts n1 to n4. */
static struct lm_discounts discounts_of(const uint64_t n[5])
{
    struct lm_discounts fixed = { { 0, .5, 1, 1.5 }, false }, d = { .estimated = true };
    double              y;

    if (!n[1] || !n[2] || !n[3] || !n[4]) return fixed;
    y = (double)n[1] / ((double)n[1] + 2 * (double)n[2]);
    for (uint32_t r = 1; r <= 3; r++) {
        d.of[r] = r - (r + 1) * y * (double)n[r + 1] / (double)n[r];
        if (!(d.of[r] > 0 && d.of[r] <= r)) return fixed;
    }
    return d;
}

static void find_discounts(struct estimate *e)
{
    const struct lm *lm = &e->build.lm;

    for (uint32_t k = 1; k <= lm->order && e->smoothing == SMOOTH_KNESER_NEY; k++) {
        uint64_t n1 = 0, n2 = 0, n3 = 0, n4 = 0, from = lm_arcs_at(lm, k), end = lm_arcs_at(lm, k + 1);

        #pragma omp parallel for num_threads(e->threads) schedule(static) if (end - from > LM_TEAM) \
            reduction(+ : n1, n2, n3, n4)
        for (uint64_t a = from; a < end; a++) {
            uint64_t count = count_of(e, a);

            n1 += count == 1;
            n2 += count == 2;
            n3 += count == 3;
            n4 += count == 4;
        }
        e->discounts[k] = discounts_of((const uint64_t[5]){ 0, n1, n2, n3, n4 });
    }
}

/* ---- probabilities ---- */

/* The arcs of one state of level k - 1.  Tokens without a count are in state 0 alone. */
static void estimate_state(struct estimate *e, uint32_t s, uint32_t k)
{
    struct lm_build *b = &e->build;
    struct lm_state *state = &b->state[s];
    const double    *discount = e->discounts[k].of;
    double           uniform = 1.0 / (b->lm.tokens - 1), held = 0, total, weight = 1;
    uint64_t         seen = 0, n[4] = { 0 };
    bool             kept = k < b->lm.order || k == 1;
    struct lm_moment arcs = { 0 }, gone = { 0 };

    for (uint64_t a = state->first; a < state[1].first; a++) {
        uint64_t count = count_of(e, a);

        seen += count;
        n[count < 3 ? count : 3]++;
    }
    total = (double)seen;
    if (e->smoothing == SMOOTH_WITTEN_BELL) {
        held = (double)(n[1] + n[2] + n[3]);
        total += held;
    } else for (uint32_t r = 1; r <= 3; r++) held += discount[r] * (double)n[r];
    if (seen) weight = held / total;
    state->backoff = s ? (float)log(weight) : 0;
    for (uint64_t a = state->first; a < state[1].first; a++) {
        const struct lm_value *lower = s ? &e->value[b->below[a]] : NULL;
        uint64_t               count = count_of(e, a);
        double                 p = weight * (s ? lower->p : uniform), log_p;

        if (count) p += ((double)count - discount[count < 3 ? count : 3]) / total;
        if (s == 0 && a == LM_BEGIN) p = 0;
        log_p = log(p);
        if (log_p > 0) log_p = 0;
        b->arc[a].logprob = (float)log_p;
        lm_moment_add(&arcs, p, log_p);
        if (lower) lm_moment_add(&gone, lower->p, lower->log_p);
        if (kept) e->value[a] = (struct lm_value){ .p = p, .log_p = log_p };
    }
    e->moment[s] = lm_moment_end(state, arcs, &gone, &e->moment[state->suffix], s ? weight : 0);
}

static void look_ahead(const struct estimate *e, uint32_t s, uint32_t end)
{
    const struct lm_build *b = &e->build;

    if (s + LM_AHEAD >= end) return;
    s += LM_AHEAD;
    __builtin_prefetch(&e->moment[b->state[s].suffix]);
    __builtin_prefetch(&e->value[b->below[b->state[s].first]]);
}

static void estimate_all(struct estimate *e)
{
    const struct lm *lm = &e->build.lm;

    estimate_state(e, 0, 1);
    for (uint32_t k = 2; k <= lm->order; k++) {
        uint32_t from = lm->level[k - 1], end = lm->level[k];

        #pragma omp parallel for num_threads(e->threads) schedule(dynamic, 256) if (end - from > LM_TEAM)
        for (uint32_t s = from; s < end; s++) {
            look_ahead(e, s, end);
            estimate_state(e, s, k);
        }
    }
}

/* ---- all of it ---- */

static int copy_pieces(struct lm *lm, const struct lm_counts *counts, struct err *err)
{
    size_t    at_bytes = ((size_t)counts->tokens + 1) * sizeof *counts->piece_at,
        bytes = counts->piece_at[counts->tokens];
    uint32_t *at = malloc(at_bytes);
    char     *piece = malloc(bytes + !bytes);

    lm->piece_at = at;
    lm->piece = piece;
    if (!at || !piece) return err_memory(err, at_bytes + bytes, "the tokens of a model");
    memcpy(at, counts->piece_at, at_bytes);
    memcpy(piece, counts->piece, bytes);
    return 0;
}

static void say_memory(const struct estimate *e)
{
    const struct lm *lm = &e->build.lm;
    double           bytes = (double)lm->arcs * (sizeof(struct lm_arc) + sizeof(uint32_t)) +
        (double)e->highest * sizeof *e->value +
                             (double)lm->states * (sizeof(struct lm_state) + sizeof *e->moment) +
                                 (double)e->grams.extras * sizeof(struct lm_gram);

    log_info("estimate order=%u tokens=%u n-grams=%llu contexts=%u memory=%.1f MB", lm->order, lm->tokens,
             (unsigned long long)lm->arcs, lm->states, bytes / 1e6);
}

int lm_estimate(struct lm *out, const struct lm_counts *counts, enum lm_smoothing smoothing, int threads,
                struct lm_discounts *discounts,
                struct err *err)
{
    struct estimate e = { .smoothing = smoothing, .threads = threads };
    uint64_t        values;
    int             rc;

    *out = (struct lm){ 0 };
    e.build.lm = (struct lm){ .order = counts->order, .tokens = counts->tokens, .smoothing = smoothing,
                              .trained_tokens = counts->trained_tokens,
                              .trained_documents = counts->trained_documents };
    if ((rc = lm_grams_open(&e.grams, counts, err)) < 0) return rc;
    if ((rc = measure(&e, err)) < 0) goto done;
    values = e.highest ? e.highest : e.build.lm.arcs;
    e.value = lm_zeros(values, sizeof *e.value);
    e.moment = lm_zeros(e.build.lm.states, sizeof *e.moment);
    if (!e.value || !e.moment) {
        rc = err_memory(err, values * sizeof *e.value + e.build.lm.states * sizeof *e.moment, "counts of n-grams");
        goto done;
    }
    if ((rc = lm_build_reserve(&e.build, err)) < 0 || (rc = copy_pieces(&e.build.lm, counts, err)) < 0) goto done;
    say_memory(&e);
    fill(&e);
    if (lm_link(&e.build, smoothing == SMOOTH_KNESER_NEY ? e.value : NULL, threads) != e.build.lm.arcs) {
        rc = err_set(err, -EBADMSG,
                     "the counts of n-grams contradict themselves: an n-gram was seen, and its suffix was not");
        goto done;
    }
    count_suffixes(&e);
    find_discounts(&e);
    estimate_all(&e);
    if (discounts) memcpy(discounts, e.discounts, (counts->order + 1) * sizeof *discounts);
    *out = e.build.lm;
    e.build.lm = (struct lm){ 0 };
done:
    free(e.value);
    free(e.moment);
    lm_build_free(&e.build);
    lm_grams_close(&e.grams);
    return rc;
}
