/* function/shorts.h -- finding the short items of benchmarks byte by byte in a text.
 *
 * An item with too few features to be compared has a copy where a function has its bytes (kind `copy` of near).  Its
 * features say nothing of that, as they hang on what stands before a text: only bytes are sure.  So pieces of each
 * item, of a fixed width and one at each of `step` places that follow each other, are kept by their hash; wherever the
 * item stands in a text, one of them begins at a multiple of the step, and only there is looked (as in S. Wu and U.
 * Manber, A fast algorithm for multi-pattern searching, 1994).  What is found is compared with the item. */
#ifndef LEAKGRAPH_FUNCTION_SHORTS_H
#define LEAKGRAPH_FUNCTION_SHORTS_H

#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* An item: its length, its beginning, and half of the hash of its bytes. */
enum { SHORT_HEAD = 64 };
struct short_text { uint64_t raw, len; char head[SHORT_HEAD]; };
_Static_assert(sizeof(struct short_text) == 80, "unit format");

struct short_text short_text_of(struct slice text);

struct shorts;

/* Of count items, which are copied.  0, or -ENOMEM with err set. */
int  shorts_make(struct shorts **out, const struct short_text *text, size_t count, struct err *err);
void shorts_free(struct shorts *shorts);                    /* accepts NULL */

/* May one of the items stand in the text?  Never false where one does; true without one only where items are too short
 * to be looked for, or two texts have the same 64 bits.  Threads may ask at once. */
bool shorts_in(const struct shorts *shorts, struct slice text);

#endif
