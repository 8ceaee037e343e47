/* base/random.h -- random numbers that are the same everywhere: a stream of its own for each (seed, number).
 *
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
#ifndef LEAKGRAPH_BASE_RANDOM_H
#define LEAKGRAPH_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random { uint64_t state; };

struct random random_start(uint64_t seed, uint64_t number);

uint64_t random_next(struct random *r);
uint64_t random_below(struct random *r, uint64_t n);                  /* 0 .. n-1, all alike; n > 0 */
double   random_unit(struct random *r);                               /* 0 <= x < 1, a multiple of 2^-53 */
void     random_shuffle(struct random *r, size_t *item, size_t count);           /* every order alike */

#endif
