/* scan/clone_line.h -- the significant lines of a text, normalised and hashed, for line clones.
 *
 * LF, CRLF and a lone CR end lines.  What a normalisation leaves empty is no line: it is passed over and breaks no block.  Two lines are the
 * same when the 128-bit hashes of their normal forms are. */
#ifndef LEAKGRAPH_SCAN_CLONE_LINE_H
#define LEAKGRAPH_SCAN_CLONE_LINE_H

#include "base/bytes.h"
#include "base/slice.h"

#include <stdint.h>

/* exact: bytes, without white space (anything up to U+0020) at the line's end.
 * simian: the tokens that Simian 2.5.10 sees in plain text.  Characters up to U+0020 and ! " ' , . : ; ? separate and are otherwise ignored; a
 * run of ASCII letters, digits and characters from U+0100 is a word, in lower case; any other character is a token of its own.  A byte that
 * is not UTF-8 is read as Latin-1. */
enum clone_normal { CLONE_EXACT, CLONE_SIMIAN };

struct clone_line { uint64_t low, high; uint32_t number, byte; };           /* number: from 1, all lines counted; byte: where it starts in the text */
_Static_assert(sizeof(struct clone_line) == 24, "unit format");

/* A zeroed struct is ready; at is replaced by each call. */
struct clone_lines { struct clone_line *at; size_t count, room; struct bytes normal; };

/* 0 or -ENOMEM. */
int  clone_lines_read(struct clone_lines *lines, struct slice text, enum clone_normal normal);
void clone_lines_free(struct clone_lines *lines);

/* The lower case of a character from U+0100. */
uint32_t clone_lower(uint32_t character);

#endif
