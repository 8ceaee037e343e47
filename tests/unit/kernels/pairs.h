/* tests/unit/kernels/pairs.h -- two ascending arrays with values in common.
 *
 * Apart from levels.h, as tests/bench/kernels.c, which is linked without cmocka, draws such pairs too. */
#ifndef LEAKGRAPH_TESTS_UNIT_KERNELS_PAIRS_H
#define LEAKGRAPH_TESTS_UNIT_KERNELS_PAIRS_H

#include "tests/unit/draw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two ascending arrays of these sizes, steps up to `span`; returns how many values are common.  top 1: the largest
 * value of the type comes after them in a; 2: in both. */
static inline size_t pair_draw(uint64_t *a, size_t *na, uint64_t *b, size_t *nb, uint64_t span, unsigned top,
                               uint64_t *random)
{
    size_t want_a = *na, want_b = *nb, common = 0;
    size_t in_common = draw_below(random, 3), min = want_a < want_b ? want_a : want_b;
    uint64_t value = draw_below(random, 2) ? 0 : draw(random) % span;

    *na = *nb = 0;
    while (want_a + want_b > 0) {
        bool both = min > 0 && want_a > 0 && want_b > 0 && draw_below(random, 4) < in_common * 2;
        bool to_a = both || draw_below(random, want_a + want_b) < want_a, to_b = both || !to_a;

        if (to_a) { a[(*na)++] = value; want_a--; }
        if (to_b) { b[(*nb)++] = value; want_b--; }
        common += both;
        value += 1 + draw(random) % span;
    }
    if (top > 0)
        a[(*na)++] = UINT64_MAX;
    if (top > 1)
        b[(*nb)++] = UINT64_MAX;
    return common + (top > 1);
}

#endif
