/* base/lcs.h -- the length of the longest common subsequence, 64 cells of the table at a time, and where one is.
 *
 * Source: Crochemore et al. 2001, A fast and practical bit-vector algorithm for the LCS problem; Hyyro 2004. */
#ifndef LEAKGRAPH_BASE_LCS_H
#define LEAKGRAPH_BASE_LCS_H

#include <stddef.h>
#include <stdint.h>

/* Of a[na] and b[nb], hashes that are not 0, in either order; UINT32_MAX where it would take too long: more than
 * LCS_MASK_WORDS words of masks (the shorter one's different hashes, each with a bit a place), or than LCS_STEPS
 * additions of 64 bits, a tenth of a second or so.  0 or -ENOMEM. */
enum { LCS_MASK_WORDS = 1 << 22, LCS_STEPS = 1 << 27 };
int lcs_length(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *out);

/* The part of either that such a subsequence is in: a[a, a_end) and b[b, b_end) have a common subsequence of the same
 * length, the first and the last elements of both are in it.  Of all such parts: the one that ends first in the longer
 * sequence (b, of equal ones), then in the other, then begins last in the longer, then in the other.  Time as above,
 * twice; all 0 of a length of 0 or UINT32_MAX.  0 or -ENOMEM. */
struct lcs_span { uint32_t length, a, a_end, b, b_end; };
int lcs_align(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, struct lcs_span *out);

#endif
