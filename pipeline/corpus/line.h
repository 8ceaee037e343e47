/* corpus/line.h -- cutting lines, the same way where records are counted and where they are parsed. */
#ifndef LEAKGRAPH_CORPUS_LINE_H
#define LEAKGRAPH_CORPUS_LINE_H

#include "base/slice.h"

#include <stdint.h>

/* White space of JSON other than the line feed. */
static inline bool line_is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* White space of JSON. */
static inline bool line_is_space(char c) { return line_is_blank_byte(c) || c == '\n'; }

static inline bool line_is_blank(struct slice line)
{
    size_t i = 0;

    while (i < line.len && line_is_blank_byte(line.at[i])) i++;
    return i == line.len;
}

/* The line at raw.at[*place], without LF or CR LF; *place moves behind it.  False at the end.  The last line needs no
 * LF, and then a CR at its end belongs to it. */
static inline bool line_next(struct slice raw, size_t *place, struct slice *line)
{
    const char *at = raw.at + *place, *end;
    size_t      rest = raw.len - *place;

    if (!rest) return false;
    end = memchr(at, '\n', rest);
    *line = (struct slice){ at, end ? (size_t)(end - at) : rest };
    *place += line->len + (end != NULL);
    if (end && line->len && end[-1] == '\r') line->len--;
    return true;
}

/* Whether a line of a document ends with its byte i: LF, CR LF and a lone CR end lines. */
static inline bool line_ends_at(struct slice text, size_t i)
{
    return text.at[i] == '\n' || (text.at[i] == '\r' && !(i + 1 < text.len && text.at[i + 1] == '\n'));
}

/* The highest bit of each of 8 bytes that is `byte`, which is below 0x80. */
static inline uint64_t line_bytes_equal(uint64_t bytes, unsigned char byte)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7full, other = bytes ^ byte * 0x0101010101010101ull;

    return ~(((other & low) + low) | other | low);
}

/* How many lines end in a document's bytes [from, to). */
static inline uint64_t line_ends(struct slice text, size_t from, size_t to)
{
    uint64_t count = 0;

    for (; from + 8 <= to && from + 9 <= text.len; from += 8) {         /* 8 bytes, and those behind each */
        uint64_t bytes, next, ends;

        memcpy(&bytes, text.at + from, 8);
        memcpy(&next, text.at + from + 1, 8);
        ends = line_bytes_equal(bytes, '\n') | (line_bytes_equal(bytes, '\r') & ~line_bytes_equal(next, '\n'));
        count += (ends >> 7) * 0x0101010101010101ull >> 56;
    }
    for (; from < to; from++) count += line_ends_at(text, from);
    return count;
}

#endif
