/* score/metric.h -- what an answer to an item is worth, and how tries at it add up.
 *
 *   exact, bleu, edit         an answer beside its reference, 0 to 100: is it the same but for white space around it;
 *                             BLEU-4 (similarity/bleu.h) of its words; 1 - edit distance / length of the longer
 *   ngram, weighted_ngram     the parts of CodeBLEU that need no parser, 0 to 100
 *   mrr                       100 / rank
 *   pass@K                    the chance that one of K tries passes (Chen et al. 2021), 0 to 100, from n tries of which
 *                             c passed: 1 - C(n - c, K) / C(n, K)
 * and any column of numbers, as it is; of several tries their mean. */
#ifndef LEAKGRAPH_SCORE_METRIC_H
#define LEAKGRAPH_SCORE_METRIC_H

#include "score/item.h"

/* Of an answer and a reference of more bytes times bytes there is no edit: above two seconds. */
#define SCORE_EDIT_MOST (1ull << 36)

enum score_text { SCORE_EXACT, SCORE_BLEU, SCORE_EDIT, SCORE_NGRAM, SCORE_WEIGHTED, SCORE_TEXTS };
extern const char *const score_text_names[SCORE_TEXTS];

/* How BLEU cuts words: as prose, or on white space, case kept (similarity/words.h). */
enum score_words { SCORE_WORDS_PROSE, SCORE_WORDS_SPACE };

/* NaN where there are fewer than k tries. */
double score_pass_at(uint64_t tries, uint64_t passed, uint64_t k);

/* All five of an answer.  Reusable memory is the scratch's. */
struct score_scratch;
int  score_scratch_open(struct score_scratch **out, struct err *err);
void score_scratch_close(struct score_scratch *scratch);    /* accepts NULL */
/* wanted: bits 1 << SCORE_...; others are not computed, and are NaN, as edit is beyond SCORE_EDIT_MOST.  0, or -ENOMEM
 * with err set. */
int  score_text(struct score_scratch *scratch, struct slice prediction, struct slice reference, struct slice language,
                enum score_words how, unsigned wanted, double out[SCORE_TEXTS], struct err *err);

/* ---- all that is known, an item, metric and series each ---- */

enum { SCORE_METRICS_MOST = 64, SCORE_METRIC_NAME = 128 };

struct score_point { uint32_t series, metric, item, tries; double is; };

struct score_points {
    struct score_point *at;                                 /* by series, metric, item; one each */
    size_t              count, room;
    char                metric[SCORE_METRICS_MOST][SCORE_METRIC_NAME];
    size_t              metrics;
    uint64_t            too_long;                           /* answers that have no edit */
};

/* What is computed: names of metrics up to NULL, or NULL: pass@1, 10 and 100 of what passed or not, as far as there are
 * tries, the other columns as they are, or, where there are no columns, exact, bleu and edit. */
struct score_wish { const char *const *metric; enum score_words words; };

/* reference: [items] of those items whose sample has none, at NULL: none; or NULL.  *out is to be freed either way.
 * 0; -EINVAL naming a metric that the samples do not have, or -ENOMEM, with err set. */
int  score_points_make(const struct score_samples *samples, const struct score_items *items,
                       const struct score_matched *matched, const struct slice *reference,
                       const struct score_wish *wish, struct score_points *out, struct err *err);
void score_points_free(struct score_points *points);

#endif
