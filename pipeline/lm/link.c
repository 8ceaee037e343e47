/* lm/link.c -- what follows from the n-grams alone: suffixes and next states; and the moments of every state's
 * distribution. */
#include "lm/private.h"

#include <math.h>
#include <stdlib.h>

/* Arcs of one state, whose suffix state is known.  The suffix of context + token is that of the context, and the token
 * after it. */
static uint64_t link_state(struct lm_build *b, uint32_t s, uint32_t level, struct lm_value *value)
{
    uint32_t             t = b->state[s].suffix;
    uint64_t             from = b->state[t].first, count = b->state[t + 1].first - from;
    const struct lm_arc *at = b->arc + from, *end = at + count;

    if (t < b->lm.level[level - 1]) return b->state[s].first;               /* the context's suffix has no arc at all */
    for (uint64_t a = b->state[s].first; a < b->state[s + 1].first; a++) {
        at = t ? lm_find(at, (uint64_t)(end - at), b->arc[a].token) : &b->arc[b->arc[a].token];
        if (!at) return a;
        b->below[a] = (uint32_t)(at - b->arc);
        if (b->arc[a].next == LM_NONE) b->arc[a].next = at->next;
        else b->state[b->arc[a].next].suffix = at->next;
        if (!value) continue;
        #pragma omp atomic
        value[at - b->arc].count++;
    }
    return b->lm.arcs;
}

/* Suffixes lie anywhere: the state of one is asked for long before it is needed, then its arcs and their values. */
static void look_ahead(const struct lm_build *b, uint32_t s, uint32_t end, const struct lm_value *value)
{
    uint64_t first;

    if (s + 2 * LM_AHEAD < end) __builtin_prefetch(&b->state[b->state[s + 2 * LM_AHEAD].suffix]);
    if (s + LM_AHEAD >= end) return;
    first = b->state[b->state[s + LM_AHEAD].suffix].first;
    __builtin_prefetch(&b->arc[first]);
    if (value) __builtin_prefetch(&value[first], 1);
}

uint64_t lm_link(struct lm_build *b, struct lm_value *value, int threads)
{
    uint64_t bad = b->lm.arcs;

    (void)threads;                                          /* without OpenMP */
    /* the suffix of a unigram is state 0, which is there as 0 already */
    for (uint32_t t = 0; t < b->lm.tokens; t++)
        if (b->arc[t].next == LM_NONE) b->arc[t].next = 0;
    for (uint32_t level = 1; level < b->lm.order && bad == b->lm.arcs; level++) {
        uint32_t from = b->lm.level[level], end = b->lm.level[level + 1];

        #pragma omp parallel for num_threads(threads) schedule(dynamic, 256) \
            if (end - from > LM_TEAM) reduction(min : bad)
        for (uint32_t s = from; s < end; s++) {
            uint64_t here = b->lm.arcs;

            look_ahead(b, s, end, value);
            if (b->state[s].first < b->state[s + 1].first) here = link_state(b, s, level, value);
            if (here < bad) bad = here;
        }
    }
    b->lm.begin = b->arc[LM_BEGIN].next;
    return bad;
}

/* ---- moments ---- */

struct lm_moment lm_moment_end(struct lm_state *state, struct lm_moment arcs, const struct lm_moment *gone,
                               const struct lm_moment *suffix, double weight)
{
    double mean, variance;

    if (weight > 0) {
        double mass = suffix->mass - gone->mass, first = suffix->first - gone->first,
            second = suffix->second - gone->second, shift = (double)state->backoff;

        arcs.mass += weight * mass;
        arcs.first += weight * (first + shift * mass);
        arcs.second += weight * (second + 2 * shift * first + shift * shift * mass);
    }
    mean = arcs.first / arcs.mass;
    variance = arcs.second / arcs.mass - mean * mean;
    state->mean = (float)mean;
    state->deviation = variance > 0 ? (float)sqrt(variance) : 0;
    return arcs;
}

static void add_arc(struct lm_moment *m, const struct lm_arc *arc)
{
    lm_moment_add(m, exp((double)arc->logprob), (double)arc->logprob);
}

static struct lm_moment state_moment(struct lm_build *b, uint32_t s, const struct lm_moment *suffix)
{
    struct lm_moment arcs = { 0 }, gone = { 0 };

    for (uint64_t a = b->state[s].first; a < b->state[s + 1].first; a++) {
        add_arc(&arcs, &b->arc[a]);
        if (s) add_arc(&gone, &b->arc[b->below[a]]);
    }
    return lm_moment_end(&b->state[s], arcs, &gone, suffix, s ? exp((double)b->state[s].backoff) : 0);
}

int lm_moments(struct lm_build *b, int threads, struct err *err)
{
    struct lm_moment *moment = calloc(b->lm.states, sizeof *moment);

    (void)threads;
    if (!moment) return err_memory(err, (unsigned long long)b->lm.states * sizeof *moment, "moments");
    moment[0] = state_moment(b, 0, NULL);
    for (uint32_t level = 1; level < b->lm.order; level++) {
        uint32_t from = b->lm.level[level], end = b->lm.level[level + 1];

        #pragma omp parallel for num_threads(threads) schedule(dynamic, 256) if (end - from > LM_TEAM)
        for (uint32_t s = from; s < end; s++) moment[s] = state_moment(b, s, &moment[b->state[s].suffix]);
    }
    free(moment);
    return 0;
}
