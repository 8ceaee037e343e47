/* kernels/classify.c -- byte classes as bitmaps: the specification. */
#include "kernels/parts.h"

void classify_scalar(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n)
{
    for (size_t at = 0; at < n; at += 64) {
        size_t   end = n - at < 64 ? n - at : 64;
        uint64_t in_a = 0, in_b = 0;

        for (size_t i = 0; i < end; i++) {
            unsigned char c = (unsigned char)text[at + i];

            in_a |= (uint64_t)byteset_has(set_a, c) << i;
            in_b |= (uint64_t)byteset_has(set_b, c) << i;
        }
        a[at / 64] = in_a;
        b[at / 64] = in_b;
    }
}
