/* clone/line.h -- the significant lines of a text, normalised and hashed, for line clones.
 *
 * LF, CRLF and a lone CR end lines.  What a normalisation leaves empty is no line: it is passed over and breaks no
 * block.  Two lines are the same when the 128-bit hashes of their normal forms are. */
#ifndef LEAKGRAPH_CLONE_LINE_H
#define LEAKGRAPH_CLONE_LINE_H

#include "base/slice.h"

#include <stdint.h>

/* exact: bytes, without white space (anything up to U+0020) at the line's end.
 * simian: the tokens that Simian 2.5.10 sees in plain text.  Characters up to U+0020 and ! " ' , . : ; ? separate and
 * are otherwise ignored; a run of ASCII letters, digits and characters from U+0100 is a word, in lower case; any other
 * character is a token of its own.  A byte that is not UTF-8 is read as Latin-1. */
enum clone_normal { CLONE_EXACT, CLONE_SIMIAN };

/* number: from 1, all lines counted; byte: where it starts in the text */
struct clone_line { uint64_t low, high; uint32_t number, byte; };
_Static_assert(sizeof(struct clone_line) == 24, "unit format");

/* A line that is not hashed yet: [from, to) of the text, without white space (simian: what is ignored) at its end. */
struct clone_raw { uint32_t from, to, number; };

/* A zeroed struct is ready; at is replaced by each call, line by clone_lines_hash or whoever hashes some of them. */
struct clone_lines { struct clone_raw *at; struct clone_line *line; size_t count, room; };

/* The significant lines of a text of less than 4 GB.  0 or -ENOMEM. */
int  clone_lines_read(struct clone_lines *lines, struct slice text, enum clone_normal normal);
void clone_lines_free(struct clone_lines *lines);

/* Normalises and hashes all of them; one. */
void clone_lines_hash(struct clone_lines *lines, const char *text, enum clone_normal normal);
struct clone_line clone_line_of(const struct clone_raw *raw, const char *text, enum clone_normal normal);

/* The lower case of a character from U+0100. */
uint32_t clone_lower(uint32_t character);

#endif
