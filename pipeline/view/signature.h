/* view/signature.h -- MinHash signatures and the band keys by which similar documents meet.
 *
 * A lane is the minimum of a*x + b modulo 2^32 over the features x of a document, a odd: two documents have equal lanes
 * with a probability close to the Jaccard index of their sets (Broder 1997; multiply-shift: Dietzfelbinger et al.
 * 1997).  x is the low half of a finalised 64-bit feature hash.  `rows` lanes make a band; its key is a 64-bit hash of
 * its lanes and its number, so that keys of different bands never meet by design and those of one band by chance only
 * N^2 / 2^65 times.  Signatures are not kept. */
#ifndef LEAKGRAPH_VIEW_SIGNATURE_H
#define LEAKGRAPH_VIEW_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

enum { SIGNATURE_LANES_MAX = 512 };

/* bands * rows <= SIGNATURE_LANES_MAX; lanes: that, rounded up to a multiple of 16.  The numbers follow from the seed
 * alone and are part of the file formats: they never change silently. */
struct signature_scheme {
    uint32_t bands, rows, lanes;
    uint64_t seed;
    uint32_t multiplier[SIGNATURE_LANES_MAX], summand[SIGNATURE_LANES_MAX];
};

void signature_scheme_make(struct signature_scheme *out, uint32_t bands, uint32_t rows, uint64_t seed);

/* lane[scheme->lanes] of a document with feature[count] distinct features (repeats change nothing).  Without features:
 * all UINT32_MAX. */
void signature_make(const struct signature_scheme *scheme, const uint64_t *feature, size_t count, uint32_t *lane);

/* key[scheme->bands], never 0. */
void signature_bands(const struct signature_scheme *scheme, const uint32_t *lane, uint64_t *key);

/* Share of equal lanes among the first bands * rows: the unbiased estimate of the Jaccard index. */
double signature_estimate(const struct signature_scheme *scheme, const uint32_t *a, const uint32_t *b);

#endif
