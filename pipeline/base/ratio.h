/* base/ratio.h -- a threshold written as a decimal fraction and compared in integers: 0.8 is 4/5, exactly. */
#ifndef LEAKGRAPH_BASE_RATIO_H
#define LEAKGRAPH_BASE_RATIO_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* lowest terms, 0 <= num <= den, den <= 10^9; den 0: switched off */
struct ratio { uint32_t num, den; };

/* "0.8", "1", ".75", at most 9 decimals, 0..1; "80%" and "80 %" are 0.8; "off" gives {0, 0}.  0, or -EINVAL with err
 * set. */
int ratio_parse(struct ratio *out, const char *text, struct err *err);

/* A percentage: "5", "0.1", "12.5%", "80 %", from 0 to 100 with at most 6 decimals, so that it prints as it was
 * written; digits and one point only, neither hexadecimal nor nan.  false when it is none. */
bool percent_parse(double *out, const char *text);

/* part/whole >= ratio, without rounding. */
static inline bool ratio_reached(struct ratio r, uint64_t part, uint64_t whole)
{
    return (unsigned __int128)part * r.den >= (unsigned __int128)whole * r.num;
}

/* The smallest part with part/whole >= ratio. */
static inline uint64_t ratio_ceil(struct ratio r, uint64_t whole)
{
    return (uint64_t)(((unsigned __int128)whole * r.num + r.den - 1) / r.den);
}

/* n part/whole, rounded down, UINT64_MAX where it would be more.  whole > 0. */
static inline uint64_t ratio_share(uint64_t n, uint64_t part, uint64_t whole)
{
    const unsigned __int128 share = (unsigned __int128)n * part / whole;

    return share < UINT64_MAX ? (uint64_t)share : UINT64_MAX;
}

/* Elements of a prefix: n - ceil(ratio n) + 1.  Two sets with that Jaccard index, or that share of n in common, share
 * one among the first so many of each, in any common order (Bayardo et al., WWW 2007; Chaudhuri et al., ICDE 2006). */
static inline uint64_t ratio_prefix(struct ratio r, uint64_t n) { return n ? n - ratio_ceil(r, n) + 1 : 0; }

#endif
