/* similarity/twister.h -- the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), where published tools draw with
 * it; what is drawn here otherwise: base/random.h. */
#ifndef LEAKGRAPH_SIMILARITY_TWISTER_H
#define LEAKGRAPH_SIMILARITY_TWISTER_H

#include <stddef.h>
#include <stdint.h>

struct twister { uint32_t state[624]; size_t next; };

void     twister_start(struct twister *twister, uint32_t seed);             /* init_genrand of the authors' code */
uint32_t twister_next(struct twister *twister);                             /* genrand_int32 */
/* from [low, high) as NumPy's RandomState.randint draws 64 bits: two numbers under a mask, again where too large */
uint64_t twister_between(struct twister *twister, uint64_t low, uint64_t high);

#endif
