/* learn/score.h -- how good answers 0 and 1 are. */
#ifndef LEAKGRAPH_LEARN_SCORE_H
#define LEAKGRAPH_LEARN_SCORE_H

#include <stddef.h>
#include <stdint.h>

/* Shares are NaN where nothing is counted below the line. */
struct learn_scores {
    uint64_t tp, fp, tn, fn;                                /* said 1 rightly, wrongly; said 0 rightly, wrongly */
    double   precision, recall, accuracy, f1, specificity;  /* recall is also called sensitivity; f1 of class 1 */
};

struct learn_scores learn_scores_of(uint64_t tp, uint64_t fp, uint64_t tn, uint64_t fn);

/* The same of two lists of 0 and 1. */
struct learn_scores learn_score(const uint8_t *said, const uint8_t *truth, size_t count);

#endif
