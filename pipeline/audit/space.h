/* audit/space.h -- white space as Python's str and re have it: U+0009 to 000D, 001C to 0020, 0085, 00A0, 1680, 2000 to
 * 200A, 2028, 2029, 202F, 205F, 3000. */
#ifndef LEAKGRAPH_AUDIT_SPACE_H
#define LEAKGRAPH_AUDIT_SPACE_H

#include "base/slice.h"

/* Bytes of the white space at a byte of a text in UTF-8; 0: there is none. */
static inline size_t audit_space_len(struct slice text, size_t at)
{
    const unsigned char *c = (const unsigned char *)text.at + at;
    const size_t         left = text.len - at;

    if (left == 0) return 0;
    if (*c < 0x80) return (*c >= 9 && *c <= 13) || (*c >= 28 && *c <= 32);
    if (left >= 2 && c[0] == 0xc2) return c[1] == 0x85 || c[1] == 0xa0 ? 2 : 0;
    if (left < 3) return 0;
    if (c[0] == 0xe1) return c[1] == 0x9a && c[2] == 0x80 ? 3 : 0;
    if (c[0] == 0xe3) return c[1] == 0x80 && c[2] == 0x80 ? 3 : 0;
    if (c[0] != 0xe2) return 0;
    if (c[1] == 0x81) return c[2] == 0x9f ? 3 : 0;
    return c[1] == 0x80 && (c[2] <= 0x8a || c[2] == 0xa8 || c[2] == 0xa9 || c[2] == 0xaf) ? 3 : 0;
}

#endif
