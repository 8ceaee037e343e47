/* base/utf8.h -- is a text UTF-8, and if not, what is the nearest text that is. */
#ifndef LEAKGRAPH_BASE_UTF8_H
#define LEAKGRAPH_BASE_UTF8_H

#include "base/bytes.h"

/* Offset of the first byte of the first ill-formed sequence (Unicode, table 3-7), or text.len when there is none. */
size_t utf8_valid_length(struct slice text);

/* The text without the byte-order mark that it may begin with, as some editors write one. */
static inline struct slice utf8_without_mark(struct slice text)
{
    const size_t mark = text.len >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    return (struct slice){ text.at + mark, text.len - mark };
}

/* Appends text with each maximal ill-formed subpart (Unicode, section 3.9) replaced by U+FFFD.  0 or -ENOMEM.  text
 * lies outside *out. */
int    utf8_repair(struct bytes *out, struct slice text);

#endif
