/* base/utf8.c -- see utf8.h. */
#include "base/utf8.h"

#include <errno.h>
#include <stdint.h>

enum { ASCII_BLOCK = 64 };

/* Length of the longest ASCII run at the start, rounded down to whole blocks: source code is nearly all ASCII, and the
 * inner loop becomes a few vector ORs. */
static size_t ascii_blocks(const unsigned char *at, size_t n)
{
    size_t done = 0;

    for (; n - done >= ASCII_BLOCK; done += ASCII_BLOCK) {
        unsigned char any = 0;

        for (size_t i = 0; i < ASCII_BLOCK; i++) any |= at[done + i];
        if (any & 0x80) break;
    }
    return done;
}

/* Looks at the sequence at `at` (n > 0 bytes are left).  Returns true and its length when it is well-formed, else false
 * and the length of its maximal subpart. */
static bool read_sequence(const unsigned char *at, size_t n, size_t *len)
{
    unsigned char lead = at[0], low = 0x80, high = 0xBF;
    size_t        need;

    *len = 1;
    if (lead < 0x80) return true;
    if (lead < 0xC2 || lead > 0xF4) return false;
    need = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (lead == 0xE0) low = 0xA0;                           /* no overlong form */
    if (lead == 0xED) high = 0x9F;                          /* no surrogate */
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;                          /* nothing past U+10FFFF */
    for (size_t i = 1; i <= need; i++, low = 0x80, high = 0xBF) {
        if (i >= n || at[i] < low || at[i] > high) return false;
        *len = i + 1;
    }
    return true;
}

size_t utf8_valid_length(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t               i = 0, len;

    while (i < text.len) {
        size_t end;

        i += ascii_blocks(at + i, text.len - i);
        /* Past a block with something else in it, then the fast way again. */
        end = text.len - i > ASCII_BLOCK ? i + ASCII_BLOCK : text.len;
        while (i < end) {
            if (!read_sequence(at + i, text.len - i, &len)) return i;
            i += len;
        }
    }
    return i;
}

int utf8_repair(struct bytes *out, struct slice text)
{
    while (text.len) {
        size_t good = utf8_valid_length(text), bad = 0;

        if (bytes_append(out, text.at, good) < 0) return -ENOMEM;
        if (good < text.len) {
            read_sequence((const unsigned char *)text.at + good, text.len - good, &bad);
            if (bytes_append(out, "\xEF\xBF\xBD", 3) < 0) return -ENOMEM;
        }
        text.at += good + bad;
        text.len -= good + bad;
    }
    return 0;
}
