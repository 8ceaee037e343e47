/* lm/grams.h -- all n-grams of order 2 and more of a training, in the order of the automaton, from the rows of
 * the highest order alone.
 *
 * A walk gives rows, each standing for itself and for its beginnings.  That is every n-gram there is but those that end
 * a document and those that only a document's first tokens have; they are added where they belong.  So a row has
 * `depth` tokens, the first `same` of which the row before had too: new are the n-grams of same + 1 to depth tokens. */
#ifndef LEAKGRAPH_LM_GRAMS_H
#define LEAKGRAPH_LM_GRAMS_H

#include "lm/lm.h"

struct lm_gram { uint32_t token[LM_ORDER_MAX], depth; uint64_t count; };

struct lm_grams {
    const struct lm_counts *counts;
    /* rows [filled, filled_end) begin with <s> twice; they are not walked as they are */
    uint64_t                filled, filled_end;
    /* [extras] sorted as the rows are, one that begins another before it; owned */
    struct lm_gram         *extra;
    size_t                  extras, extra_room;
    uint64_t                row;                            /* the next of both; a walk begins with 0, 0, and no gram */
    size_t                  next;
    /* count: how often it was seen, when that cannot be told from longer ones; else 0 */
    struct lm_gram          at;
    uint32_t                same;
};

/* Collects what the walk adds.  0 or -ENOMEM with err set. */
int  lm_grams_open(struct lm_grams *out, const struct lm_counts *counts, struct err *err);
void lm_grams_close(struct lm_grams *grams);
void lm_grams_rewind(struct lm_grams *grams);
bool lm_grams_next(struct lm_grams *grams);                 /* false at the end */

/* Count of the n-gram of the highest order that is number i of them in the walk. */
static inline uint64_t lm_grams_count(const struct lm_grams *g, uint64_t i)
{
    return g->counts->count[i < g->filled ? i : i + (g->filled_end - g->filled)];
}

#endif
