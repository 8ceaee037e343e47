/* lm/lm.c -- steps of the automaton, and its memory while it is made. */
#include "lm/private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

double lm_step(const struct lm *model, uint32_t *state, uint32_t token)
{
    const struct lm_arc *arc;
    double               sum = 0;
    uint32_t             at = *state;

    for (; at; at = model->state[at].suffix) {
        const struct lm_state *here = &model->state[at];

        __builtin_prefetch(&model->state[here->suffix]);
        arc = lm_find(model->arc + here->first, here[1].first - here->first, token);
        if (arc) goto found;
        sum += (double)here->backoff;
    }
    arc = &model->arc[token];
found:
    *state = arc->next;
    __builtin_prefetch(&model->state[arc->next]);
    return sum + (double)arc->logprob;
}

void *lm_zeros(uint64_t count, size_t size)
{
    const uint64_t page = 2 << 20;
    uint64_t       bytes = (count * size + page - 1) / page * page;
    void          *at;

    if (count * size < 2 * page) return calloc((size_t)count, size);
    at = aligned_alloc((size_t)page, (size_t)bytes);
    if (!at) return NULL;
    madvise(at, (size_t)bytes, MADV_HUGEPAGE);              /* where there are none, it is merely slower */
    return memset(at, 0, (size_t)bytes);
}

int lm_build_reserve(struct lm_build *b, struct err *err)
{
    uint64_t arcs = b->lm.arcs + !b->lm.arcs;

    b->state = lm_zeros((uint64_t)b->lm.states + 1, sizeof *b->state);
    b->arc = lm_zeros(arcs, sizeof *b->arc);
    b->below = lm_zeros(arcs, sizeof *b->below);
    b->lm.state = b->state;
    b->lm.arc = b->arc;
    if (b->state && b->arc && b->below) return 0;
    return err_memory(err, ((uint64_t)b->lm.states + 1) * sizeof *b->state + arcs * (sizeof *b->arc + sizeof *b->below),
                      "the n-grams of a model");
}

void lm_build_free(struct lm_build *b)
{
    free(b->below);
    lm_free(&b->lm);
    *b = (struct lm_build){ 0 };
}

void lm_free(struct lm *model)
{
    free((void *)(uintptr_t)model->state);
    free((void *)(uintptr_t)model->arc);
    free((void *)(uintptr_t)model->piece_at);
    free((void *)(uintptr_t)model->piece);
    *model = (struct lm){ 0 };
}
