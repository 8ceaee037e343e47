/* view/curve.c -- see curve.h.
 *
 * Logarithms, powers and exponentials differ in their last bits between libraries and machines, while bands and rows
 * become part of the result.  So they are never compared with each other directly: a recall counts as reached from a
 * billionth below it, and a setting replaces another one only when it is cheaper by more than a billionth.
 *
 * The cost of a setting, for one document, in records of a band (16 bytes that are sorted, exchanged, perhaps spilled):
 *
 *   bands                                     a record each
 *   + CURVE_LANE * bands * rows  a lane takes some nanoseconds for a document of a hundred features: a tenth of a
 *                                             record
 *   + sum over j below the threshold of       the candidates that verification will turn down
 *     CURVE_NEIGHBOUR / j^2 * curve_candidate(j)
 *
 * The last weight is how many other documents there are at each index j, and what one costs.  Among 95,000 pieces of
 * Java from Debian packages (5-grams of words) a document had about 0.6 / j^2 neighbours per unit of j, for j from 0.05
 * to 0.7; the weight is for a corpus a hundred times as large, where it has a hundred times as many.  To fetch a
 * neighbour's features and to intersect them is taken for eight records.  With half that weight or ten times as much,
 * 37 bands of 6 rows remain the choice for threshold 0.7 and recall 0.99. */
#include "view/curve.h"

#include "view/signature.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#define CURVE_LANE      0.1
#define CURVE_NEIGHBOUR (0.6 * 100 * 8)
#define CURVE_STEP      0.01                                /* of the sum over j */
#define CURVE_MARGIN    1e-9

enum { HASHES_DEFAULT = 256 };

/* j^rows and its complement both are needed with all their digits: the one for small j, the other for j near 1. */
double curve_candidate(double jaccard, uint32_t bands, uint32_t rows)
{
    /* of the probability that a band is equal, that it differs */
    double log_equal, log_differ;

    if (jaccard <= 0) return 0;
    if (jaccard >= 1) return 1;
    log_equal  = rows * log(jaccard);
    log_differ = log_equal < -0.7 ? log1p(-exp(log_equal)) : log(-expm1(log_equal));
    return -expm1(bands * log_differ);
}

double curve_knee(uint32_t bands, uint32_t rows)
{
    double equal = -expm1(log(0.5) / bands);                /* (1 - equal)^bands = 1/2 */

    return pow(equal, 1.0 / rows);
}

static bool curve_reaches(double threshold, double recall, uint32_t bands, uint32_t rows)
{
    return curve_candidate(threshold, bands, rows) >= recall - CURVE_MARGIN;
}

static double curve_cost(double threshold, uint32_t bands, uint32_t rows)
{
    double cost = bands + CURVE_LANE * bands * rows;

    for (uint32_t i = 0; (i + 0.5) * CURVE_STEP < threshold - CURVE_MARGIN; i++) {
        double j = (i + 0.5) * CURVE_STEP;

        cost += CURVE_STEP * CURVE_NEIGHBOUR / (j * j) * curve_candidate(j, bands, rows);
    }
    return cost;
}

/* The cheapest setting of at most `hashes` lanes; false when none reaches the recall.  More bands of equal rows cost
 * more in every respect, so the fewest that reach it are the only ones to look at. */
static bool curve_cheapest(double threshold, double recall, uint32_t hashes, uint32_t *bands, uint32_t *rows)
{
    double best = 0;
    bool   found = false;

    for (uint32_t r = 1; r <= hashes; r++) {
        uint32_t b = 1;
        double   cost;

        while (b <= hashes / r && !curve_reaches(threshold, recall, b, r)) b++;
        if (b > hashes / r) continue;
        cost = curve_cost(threshold, b, r);
        if (found && cost >= best * (1 - CURVE_MARGIN)) continue;
        best   = cost;
        *bands = b;
        *rows  = r;
        found  = true;
    }
    return found;
}

int curve_choose(double threshold, double recall, uint32_t hashes, uint32_t *bands, uint32_t *rows, struct err *err)
{
    uint32_t most = hashes ? hashes : SIGNATURE_LANES_MAX;

    if (!(threshold > 0 && threshold <= 1) || !(recall > 0 && recall < 1) || hashes > SIGNATURE_LANES_MAX)
        return err_set(err, -EINVAL, "no bands and rows for threshold %g, recall %g and %u hashes: threshold must be "
                                     "above 0 and at most 1, "
                       "recall between 0 and 1, hashes at most %d", threshold, recall, hashes, SIGNATURE_LANES_MAX);
    if (!hashes && curve_cheapest(threshold, recall, HASHES_DEFAULT, bands, rows)) return 0;
    if (curve_cheapest(threshold, recall, most, bands, rows)) return 0;
    return err_set(err, -ERANGE,
                   "%u hashes catch at most %.9g of the pairs at threshold %g (bands of one row), not the %g wanted: "
                   "raise hashes (up to %d) or the threshold, lower recall, or use method exact",
                   most, curve_candidate(threshold, most, 1), threshold, recall, SIGNATURE_LANES_MAX);
}

struct curve_verdict curve_judge(double threshold, uint32_t hashes, uint32_t bands, uint32_t rows)
{
    double recall = curve_candidate(threshold, bands, rows);
    struct curve_verdict verdict = { .recall = recall, .misses_much = recall < 0.95 - CURVE_MARGIN };

    if (hashes > bands * rows) verdict.wasted_hashes = hashes - bands * rows;
    return verdict;
}
