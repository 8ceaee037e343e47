/* learn/random.h -- random numbers that are the same everywhere: a stream of its own for each (seed, number).
 *
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
#ifndef LEAKGRAPH_LEARN_RANDOM_H
#define LEAKGRAPH_LEARN_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct learn_random { uint64_t state; };

struct learn_random learn_random_start(uint64_t seed, uint64_t number);

uint64_t learn_random_next(struct learn_random *r);
uint64_t learn_random_below(struct learn_random *r, uint64_t n);            /* 0 .. n-1, all alike; n > 0 */
double   learn_random_unit(struct learn_random *r);                         /* 0 <= x < 1, a multiple of 2^-53 */
void     learn_random_shuffle(struct learn_random *r, size_t *item, size_t count);     /* every order alike */

#endif
