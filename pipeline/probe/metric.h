/* probe/metric.h -- what is made of a model's answers: numbers of one text, without a model in sight.
 * Formulas, and where papers and their code differ: docs/definitions.md, "Negative log-likelihood" and what follows.
 *
 * Sources: strided NLL, Hugging Face perplexity guide (before and after 2024-10); n-gram accuracy, benbench (Xu et al.
 * 2024); perplexity family, Yang et al. (ICSE 2024) after Carlini et al. (2021); Min-K%, Shi et al. (2024); Min-K%++,
 * Zhang et al. (2024).  NaN: not defined for this text. */
#ifndef LEAKGRAPH_PROBE_METRIC_H
#define LEAKGRAPH_PROBE_METRIC_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "model/model.h"
#include "similarity/edit.h"

/* ---- strided negative log-likelihood ---- */

/* Windows of `window` tokens (0: no limit) every `stride` (0: half the window; above the window: the window). */
struct nll_plan { size_t window, stride; };

/* Chunk `number` (from 0) of a text of `tokens` tokens: tokens [from, end) are scored in the window [begin, end).  The
 * first token of a window is never scored.  tail: the last window ends with the text and is as long as the others, so
 * that what it scores has all the context there is; else, as in the guide, it begins a stride behind the one before.
 * False: there is no such chunk (a text of fewer than two tokens has none). */
/* target: end less the chunk's before: what the guide weighs a chunk with, less one */
struct nll_chunk { size_t begin, end, from, target; };
bool nll_chunk_at(const struct nll_plan *plan, size_t tokens, bool tail, size_t number, struct nll_chunk *out);

/* Zeroed before the first chunk; a chunk's scores are added in order. */
struct nll_sums { double means, weighted, total; uint64_t chunks, weight, tokens; };
void   nll_add(struct nll_sums *sums, const struct nll_chunk *chunk, const struct model_score *score);
double nll_mean(const struct nll_sums *sums);               /* mean of the chunks' means: the guide before 2024-10 */
double nll_weighted(const struct nll_sums *sums);           /* chunks weigh target - 1: the guide since */
double nll_tokens(const struct nll_sums *sums);             /* mean over scored tokens: what ln PPL is elsewhere */

/* ---- membership scores of one text's tokens ---- */

/* Mean of the smallest `percent` of the log-probabilities, at least one of them; plus_plus: of (logprob - mean) /
 * deviation.  NaN where count is 0 or a moment is not known.  -ENOMEM with err set. */
int min_k(const struct model_score *score, size_t count, double percent, bool plus_plus, double *out, struct err *err);

/* Bytes of the zlib stream of a text, default level (Python's zlib.compress).  0 or -ENOMEM. */
int zlib_bytes(struct slice text, size_t *out, struct err *err);

/* The text as the perplexity family reads it: runs of line feeds are one. */
int metric_collapse(struct slice text, struct bytes *out, struct err *err);
/* In lower case, Unicode's simple mapping; bytes that are no UTF-8 stay. */
int metric_lower(struct slice text, struct bytes *out, struct err *err);

/* Windows of 6 lines every line (split on line feeds: one at the end is followed by an empty line); a text of at most 6
 * lines is one window.  published: those of the released code, which misses the last.  *at is 0 before the first;
 * false: there is no other. */
bool window_next(struct slice text, bool published, size_t *at, struct slice *out);
/* A window as the released code scores it.  sum: of the losses of its tokens but the first; pad, first: losses of a
 * padding token, of its first token behind padding (used where other windows are longer). */
struct window_loss { double sum, pad, first; size_t tokens; };
/* What the released code calls their average perplexity: all windows are padded in front to the longest one's tokens;
 * in batches of 32, exp(sum of the batches' mean losses / windows), padding being tokens as others are.  NaN: no window
 * has two tokens. */
double window_published(const struct window_loss *window, size_t count);

/* ---- n-gram accuracy ---- */

enum { ACCURACY_STARTS = 64, ACCURACY_N = 64 };
/* Where n-grams of n tokens are asked for, k of them (2 <= k <= ACCURACY_STARTS), in a text of `tokens` tokens of which
 * `most` are looked at (0: all).  False: too short. */
bool accuracy_starts(size_t tokens, size_t most, uint32_t n, uint32_t k, size_t *start);

/* ROUGE-L F with stemming as in rouge_score (NLTK's extended Porter stemmer). */
int rouge_l(struct slice predicted, struct slice reference, double *out, struct err *err);

/* A word of lower-case ASCII letters and digits, stemmed in place (NLTK_EXTENSIONS of nltk.stem.porter after Porter
 * 1980).  Returns the new length. */
size_t porter_stem(char *word, size_t len);

#endif
