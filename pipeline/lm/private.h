/* lm/private.h -- what the files of the n-gram model share: the file's head, and a model while it is made. */
#ifndef LEAKGRAPH_LM_PRIVATE_H
#define LEAKGRAPH_LM_PRIVATE_H

#include "lm/lm.h"

#include <stddef.h>

/* ---- the file ----
 *
 *   byte  0  head
 *        ..  sections: states (one more than there are, whose `first` ends the last one's arcs), arcs, piece_at,
 *            pieces; each at the next multiple of 64, zeros between; the file ends with the last one
 *
 * Numbers are little-endian, floats IEEE 754: the structs of lm.h as they lie in memory. */
enum { LM_VERSION = 1, LM_BYTE_ORDER = 0x01020304, LM_ALIGN = 64 };
enum lm_section { LM_STATES, LM_ARCS, LM_PIECE_AT, LM_PIECES, LM_SECTIONS };

struct lm_head {
    char     magic[8];
    uint32_t version, byte_order;                           /* 0x04030201 on a machine of the other byte order */
    uint32_t order, tokens, smoothing, states, begin, zero;
    uint32_t level[LM_ORDER_MAX + 1];
    uint64_t arcs, trained_tokens, trained_documents;
    struct { uint64_t at, len, xxh3; } section[LM_SECTIONS];
    uint64_t bytes;                                         /* of the whole file */
    uint64_t xxh3;                                          /* of the head before this field */
};
_Static_assert(sizeof(struct lm_head) == 208, "file format");

uint64_t lm_head_hash(const struct lm_head *head);

/* ---- a model that is made ---- */

#define LM_NONE UINT32_MAX                                  /* no state */

/* foreign weights may be above 1; no sum of these is infinite */
#define LM_BACKOFF_MOST 100.0F

enum { LM_TEAM = 1024 };                                    /* fewer states are not worth waking threads for */

/* The structure comes first: arcs by level with their token, `next` being the state of the n-gram itself or LM_NONE,
 * states with their first arc.  lm_link does the rest of it. */
struct lm_build {
    struct lm        lm;
    struct lm_state *state;                                 /* [states + 1] lm.state */
    struct lm_arc   *arc;                                   /* [arcs] lm.arc */
    /* [arcs] of an n-gram of order 2 and more: the arc of its suffix, one token shorter at its front */
    uint32_t        *below;
};

/* What an n-gram below the highest order has until it is two floats. */
struct lm_value { union { uint64_t count; double p; }; double log_p; };

/* Arcs of order k are [arcs_at(k), arcs_at(k + 1)), those of the states of level k - 1. */
static inline uint64_t lm_arcs_at(const struct lm *model, uint32_t k)
{
    return model->state[model->level[k - 1]].first;
}

/* Zeroed memory in huge pages, as it is walked at random; free() takes it.  count * size is what is in memory already,
 * or little more.  NULL when memory is out. */
void *lm_zeros(uint64_t count, size_t size);

/* Takes memory for all of it.  lm has order, tokens, states, level and arcs, those below the highest order no more than
 * LM_NONE.  0 or -ENOMEM with err set. */
int  lm_build_reserve(struct lm_build *b, struct err *err);
/* and the model with it; moved out before: *out = b->lm, b->lm zeroed */
void lm_build_free(struct lm_build *b);

/* Suffixes, next states, `below`, the state after <s>; when value is given, each n-gram is counted once for its suffix
 * there.  Gives the first arc whose suffix is missing, or `arcs`. */
uint64_t lm_link(struct lm_build *b, struct lm_value *value, int threads);

/* Sums over tokens of p, p log p and p log p log p.  The first is 1 but for rounding, of which it cleans the other two.
 */
struct lm_moment { double mass, first, second; };

static inline void lm_moment_add(struct lm_moment *m, double p, double log_p)
{
    if (!(p > 0)) return;
    m->mass += p;
    m->first += p * log_p;
    m->second += p * log_p * log_p;
}

/* What is no arc of a state has its probability in the suffix state, times a weight: what the arcs' tokens have there
 * (gone) is taken off the suffix state's moments, and the rest is moved by the logarithm of the weight.  Gives the
 * state's own, and keeps mean and deviation in it. */
struct lm_moment lm_moment_end(struct lm_state *state, struct lm_moment arcs, const struct lm_moment *gone,
                               const struct lm_moment *suffix, double weight);

/* Mean and deviation of every state, from the floats.  0 or -ENOMEM with err set. */
int  lm_moments(struct lm_build *b, int threads, struct err *err);

enum { LM_AHEAD = 16 };                                     /* states that are asked for before they are needed */

/* The arc of a token, or NULL.  The search has no branch but its end: how it goes cannot be foreseen. */
static inline const struct lm_arc *lm_find(const struct lm_arc *arc, uint64_t count, uint32_t token)
{
    if (!count) return NULL;
    for (uint64_t half; count > 1; count -= half) {
        half = count / 2;
        arc += arc[half].token <= token ? half : 0;
    }
    return arc->token == token ? arc : NULL;
}

#endif
