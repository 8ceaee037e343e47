/* base/scatter.h -- slots of hash tables that nobody outside can aim at.
 *
 * Hashes of features and of texts are fixed and known, so words can be made whose hashes want one slot, and a table in
 * which their bits choose slots is searched from end to end.  Here a random odd factor decides too (multiply-shift: M.
 * Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair problem, Journal of Algorithms 25, 1997),
 * twice, with the high half folded into the low one between, so that keys at equal distances part as others do.  No
 * result may depend on the factor: tables are never walked in the order of their slots where that shows. */
#ifndef LEAKGRAPH_BASE_SCATTER_H
#define LEAKGRAPH_BASE_SCATTER_H

#include <stdint.h>

/* Odd, drawn when the program begins.  A file that keeps slots keeps the factor that they were made with. */
extern uint64_t scatter_factor[2];

/* The slot of a key among 2^(64 - shift), shift in 1..63. */
static inline uint64_t scatter(uint64_t key, uint64_t factor, unsigned shift)
{
    key *= factor;
    return (key ^ key >> 32) * factor >> shift;
}

/* The same for a key of two words. */
static inline uint64_t scatter_pair(uint64_t low, uint64_t high, unsigned shift)
{
    const uint64_t key = low * scatter_factor[0] + high * scatter_factor[1];

    return (key ^ key >> 32) * scatter_factor[0] >> shift;
}

#endif
