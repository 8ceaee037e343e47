/* view/sketch.c -- see sketch.h. */
#include "view/sketch.h"

/* A sketch of which fewer have to be shared would let pairs through that share a licence. */
enum { SKETCH_STEP = 8, SKETCH_SHARED = 4 };

/* The most hits that are reached in n draws, each a hit with probability p, but for a probability of SKETCH_MISSED:
 * products and sums alone, so that every machine has the same. */
static uint32_t hits_least(uint32_t n, double p)
{
    double   none = 1, exactly, fewer;
    uint32_t least = 0;

    if (p >= 1) return n;
    for (uint32_t i = 0; i < n; i++) none *= 1 - p;
    for (exactly = fewer = none; least < n && fewer <= SKETCH_MISSED; fewer += exactly) {
        least++;                                            /* fewer: the probability of fewer hits than this */
        exactly *= (double)(n - least + 1) / least * (p / (1 - p));
    }
    return least;
}

struct sketch_plan sketch_plan(struct ratio threshold)
{
    const double p = (double)threshold.num / threshold.den;

    for (uint32_t size = 2 * SKETCH_STEP; size <= SKETCH_MOST; size += SKETCH_STEP) {
        const uint32_t least = hits_least(size, p);

        if (least >= SKETCH_SHARED) return (struct sketch_plan){ size, least };
    }
    return (struct sketch_plan){ 0, 0 };
}

bool sketch_may_match(struct sketch_plan plan, const uint64_t *x, size_t nx, const uint64_t *y, size_t ny)
{
    uint32_t seen = 0, shared = 0;
    size_t   i = 0, j = 0;

    for (; seen < plan.size && (i < nx || j < ny); seen++) {
        const bool from_x = j == ny || (i < nx && x[i] <= y[j]), from_y = i == nx || (j < ny && y[j] <= x[i]);

        shared += from_x && from_y;
        i += from_x;
        j += from_y;
    }
    return seen < plan.size || shared >= plan.least;
}
