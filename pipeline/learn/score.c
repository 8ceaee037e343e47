/* learn/score.c -- see score.h. */
#include "learn/score.h"

#include <math.h>

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

struct learn_scores learn_scores_of(uint64_t tp, uint64_t fp, uint64_t tn, uint64_t fn)
{
    return (struct learn_scores){
        .tp = tp, .fp = fp, .tn = tn, .fn = fn,
        .precision = share(tp, tp + fp),
        .recall = share(tp, tp + fn),
        .accuracy = share(tp + tn, tp + tn + fp + fn),
        .f1 = share(2 * tp, 2 * tp + fp + fn),
        .specificity = share(tn, tn + fp),
    };
}

struct learn_scores learn_score(const uint8_t *said, const uint8_t *truth, size_t count)
{
    uint64_t seen[2][2] = { { 0 } };

    for (size_t i = 0; i < count; i++) seen[said[i] != 0][truth[i] != 0]++;
    return learn_scores_of(seen[1][1], seen[1][0], seen[0][0], seen[0][1]);
}
