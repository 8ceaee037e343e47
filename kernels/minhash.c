/* kernels/minhash.c -- the least values of many affine maps over the features of a document: the specification.
 *
 * Arithmetic is modulo 2^32 throughout, so every order and width of computing gives the same bits.  Lanes are taken a
 * block at a time: their minima, multipliers and summands stay in the first cache (in registers, where the compiler
 * finds a way) while the features pass. */
#include "kernels/parts.h"

enum { MINHASH_TILE = 16 };                                 /* lanes is a multiple of it */

void minhash_scalar(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count)
{
    for (size_t tile = 0; tile < lanes; tile += MINHASH_TILE) {
        uint32_t least[MINHASH_TILE];

        for (size_t k = 0; k < MINHASH_TILE; k++)
            least[k] = lane[tile + k];
        for (size_t i = 0; i < count; i++) {
            uint32_t x = (uint32_t)feature[i];

            for (size_t k = 0; k < MINHASH_TILE; k++) {
                uint32_t value = multiplier[tile + k] * x + summand[tile + k];

                least[k] = value < least[k] ? value : least[k];
            }
        }
        for (size_t k = 0; k < MINHASH_TILE; k++)
            lane[tile + k] = least[k];
    }
}
