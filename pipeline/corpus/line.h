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

/* A blank line is no record; but one that is longer than a record may be is one that is too long: whoever reads it in
 * pieces has to say so before its end. */
static inline bool line_is_record(struct slice line, uint64_t max_record)
{
    return line.len > max_record || !line_is_blank(line);
}

/* The line at raw.at[*place], without LF or CR LF; *place moves behind it.  False at the end.  The last line needs no
 * LF, and then a CR at its end belongs to it. */
static inline bool line_next(struct slice raw, size_t *place, struct slice *line)
{
    const size_t rest = raw.len - *place;
    const char  *at, *end;

    if (!rest) return false;                                /* also of no bytes at all, at NULL */
    at = raw.at + *place;
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

/* How many lines end in a document's bytes [from, to). */
static inline uint64_t line_ends(struct slice text, size_t from, size_t to)
{
    enum { AT_ONCE = 64 };                                  /* bytes, and the one behind each: a loop for vectors */
    uint64_t count = 0;

    for (; from + AT_ONCE <= to && from + AT_ONCE < text.len; from += AT_ONCE) {
        const char *at = text.at + from;
        uint8_t     ends = 0;

        for (size_t i = 0; i < AT_ONCE; i++)
            ends = (uint8_t)(ends + ((at[i] == '\n') | ((at[i] == '\r') & (at[i + 1] != '\n'))));
        count += ends;
    }
    for (; from < to; from++) count += line_ends_at(text, from);
    return count;
}

#endif
