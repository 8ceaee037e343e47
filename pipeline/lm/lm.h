/* lm/lm.h -- a token n-gram language model: pieces, counts, estimates, one file that is mapped.
 *
 * A text is cut into pieces without loss: a word (a run of letters, digits, `_` and bytes above 0x7F, at most 64 bytes)
 * with at most one space before it, a line feed with the white space after it, any other byte alone with at most one
 * space before it; a space before a space or a line feed is alone.  No piece is longer than LM_PIECE_MAX.  A piece is a
 * token of the model; what the training did not see, or less than `least` times, is <unk>.  A document begins with <s>
 * and ends with </s>.
 *
 * Estimates are interpolated modified Kneser-Ney (Chen and Goodman 1998, section 3; discounts of eq. 17 for each order)
 * or interpolated Witten-Bell (section 2.6 there), and below unigrams the uniform distribution over all tokens but <s>.
 * The model is a backoff automaton: a state is a context that was seen, its arcs are the tokens seen after it, and
 * every arc knows the state that it leads to, so that scoring a text is about one search a token. */
#ifndef LEAKGRAPH_LM_LM_H
#define LEAKGRAPH_LM_LM_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { LM_ORDER_MAX = 7, LM_PIECE_MAX = 1 + 64 };
enum { LM_UNK = 0, LM_BEGIN = 1, LM_END = 2, LM_FIRST = 3 };    /* <unk>, <s>, </s>, the first piece */
enum lm_smoothing { SMOOTH_KNESER_NEY, SMOOTH_WITTEN_BELL };

/* Length of the piece at the beginning of a text that is not empty. */
size_t lm_piece(const char *at, size_t len);

/* A state is a context; its arcs, sorted by token, reach from its first to the first of the next state.  Logarithms are
 * natural. */
struct lm_state {
    uint64_t first;
    float    backoff;                                       /* log of the weight of the suffix state; 0 for state 0 */
    /* the state of its longest proper suffix, always a smaller number; state 0: 0 */
    uint32_t suffix;
    /* of log p over all tokens but <s>, each weighing p (Min-K%++, Zhang et al. 2024, eq. 3) */
    float    mean, deviation;
};
struct lm_arc {
    uint32_t token;
    /* interpolated already: no lower order is added; -infinity for <s> */
    float    logprob;
    uint32_t next;                                          /* the state after it */
};
_Static_assert(sizeof(struct lm_state) == 24 && sizeof(struct lm_arc) == 12, "file format");

/* All n-grams of one training, of all orders, as the automaton.  State 0 has no context (its arcs are the unigrams, one
 * for each token by id); states are sorted by the length of their context, those of length k are level[k] to level[k +
 * 1] - 1.  Every n-gram of order k is an arc of one of them with k - 1: there are state[level[k]].first - state[level[k
 * - 1]].first. */
struct lm {
    uint32_t               order, tokens, smoothing, states, begin;         /* begin: the state after <s> */
    uint32_t               level[LM_ORDER_MAX + 1];         /* [order + 1] and the rest: states */
    uint64_t               arcs;
    uint64_t               trained_tokens, trained_documents;               /* </s> counted, <s> not */
    const struct lm_state *state;                           /* [states + 1] */
    const struct lm_arc   *arc;                             /* [arcs] */
    const uint32_t        *piece_at;                        /* [tokens + 1] */
    /* bytes of all tokens, by id; the first three are their names */
    const char            *piece;
    void                  *map;                             /* what lm_close undoes */
    uint64_t               bytes;                           /* of the file */
    /* of the file's head, which has those of all sections: equal for equal models; 0 before it is written */
    uint64_t               xxh3;
};

/* Maps a model file (head, sections, xxh3 of each; all verified, and every index in range).  0, -ENOENT, -EBADMSG,
 * -EIO, -ENOMEM with err set. */
int  lm_open(struct lm *out, const char *path, struct err *err);
void lm_close(struct lm *model);                            /* accepts a zeroed one */
/* Does a file with this beginning claim to be one?  To be an ARPA text? */
bool lm_begins(struct slice head);
bool lm_arpa_begins(struct slice head);
/* Writes one whole, by rename.  0, or <0 with err set. */
int  lm_write(const struct lm *model, const char *path, struct err *err);

/* The log probability of a token in a state, and the state after it. */
double lm_step(const struct lm *model, uint32_t *state, uint32_t token);

/* ---- training ---- */

/* Counts of all distinct n-grams of the highest order, which the estimator works from: rows of `order` tokens, sorted
 * as numbers from the first token on, each with its count.  An n-gram that is cut off by the document's beginning is
 * filled up in front with <s>: a document of n tokens has n + 1 rows (</s> is its last), none of which ends in <s>.
 * `</s>` stands only at the end of a row. */
struct lm_counts {
    uint32_t        order, tokens;
    uint64_t        rows, trained_tokens, trained_documents;
    const uint32_t *row;                                    /* [rows * order] */
    const uint64_t *count;                                  /* [rows] */
    const uint32_t *piece_at;                               /* [tokens + 1] as in the model */
    const char     *piece;
};

/* Discounts of one order: D1, D2, D3+ are of[1] to of[3]; and whether they come from its counts of counts, or are .5,
 * 1, 1.5 because these would make no sense (a zero among n1..n4, or a discount that is not above 0 or is above its
 * count).  All 0 for Witten-Bell. */
struct lm_discounts { double of[4]; bool estimated; };

/* Makes the model, in memory (lm_free); says in the log what memory it took: 16 bytes for each n-gram of any order, 16
 * more for each below the highest and 48 for each context, beside the counts.  discounts[order + 1], by order, may be
 * NULL.  The same for any number of threads. 0, or -ENOMEM, -EOVERFLOW (2^32 contexts and more: a lower order, or a
 * larger `least`), with err set. */
int  lm_estimate(struct lm *out, const struct lm_counts *counts, enum lm_smoothing smoothing, int threads,
                 struct lm_discounts *discounts,
                    struct err *err);
/* what lm_estimate and lm_arpa_read made; accepts a zeroed one */
void lm_free(struct lm *model);

/* ARPA: base-10 logarithms; tokens are written with \xHH for bytes that are no printable ASCII, for the space and the
 * backslash, and read back likewise.  <s>, which is never predicted, has -99.  0, or <0 with err set.  A model that is
 * read needs not be ours, but an n-gram of which a prefix or a suffix is missing, or which is there twice, is refused
 * with its line (-EBADMSG); <unk>, <s> and </s> are added with -99 where they are missing.  Smoothing and counts of the
 * training are as told in a comment of ours, else Kneser-Ney and 0.  lm_free. */
int  lm_arpa_write(const struct lm *model, const char *path, struct err *err);
int  lm_arpa_read(struct lm *out, const char *path, struct err *err);

#endif
