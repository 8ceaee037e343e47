/* function/shorts.h -- finding the short items of benchmarks in a text.
 *
 * An item with too few features to be compared has a copy where a function has its text but for white space (kind
 * `copy`).  Such a function's document has the item's features in their order (runs.h), and the item's text, when
 * both are without their white space.  It has the item's bytes where it is equal byte by byte; these are looked for
 * whatever the features are, as they hang on what stands before a text.  For both searches of texts, pieces of each
 * item, of a fixed width and one at each of `step` places that follow each other, are kept by their hash; wherever the
 * item stands in a text, one of them begins at a multiple of the step, and only there is looked (as in S. Wu and U.
 * Manber, A fast algorithm for multi-pattern searching, 1994).  What is found is compared with the item. */
#ifndef LEAKGRAPH_FUNCTION_SHORTS_H
#define LEAKGRAPH_FUNCTION_SHORTS_H

#include "function/runs.h"

/* A text: its length, its first bytes, and half of the hash of all. */
enum { SHORT_HEAD = 64 };
struct short_text { uint64_t raw, len; char head[SHORT_HEAD]; };
_Static_assert(sizeof(struct short_text) == 80, "unit format");

struct short_item { struct short_text raw, squeezed; struct short_run run; };

/* 0, or -ENOMEM. */
int short_item_of(struct slice text, struct feature_list features, struct bytes *scratch, struct short_item *out);

struct shorts;

/* Of count items, which are copied.  0, or -ENOMEM with err set. */
int  shorts_make(struct shorts **out, const struct short_item *item, size_t count, struct err *err);
void shorts_free(struct shorts *shorts);                    /* accepts NULL */

/* May a function of the text be one of the items?  1 or 0, or -ENOMEM.  Never 0 where the text has an item's bytes, or
 * the features its run and the text what it is without white space; 1 without that only where items are too short to be
 * looked for, two texts have the same 64 bits, one item has the run and another one the text, or the text is made so
 * that looking for them would take long.  Threads may ask at once, each with a scratch of its own. */
int shorts_in(const struct shorts *shorts, struct slice text, struct feature_list features, struct bytes *scratch);

#endif
