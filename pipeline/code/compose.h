/* code/compose.h -- a text in canonical composition, Unicode's normalization form C (Unicode 16.0, section 3.11).
 *
 * Characters are taken apart, combining ones put in order, and what can be one character becomes it: e and U+0301 are
 * U+00E9.  Bytes that are no UTF-8 stay as they are. */
#ifndef LEAKGRAPH_CODE_COMPOSE_H
#define LEAKGRAPH_CODE_COMPOSE_H

#include "base/bytes.h"
#include "base/sort.h"

#include <stdint.h>

/* Reusable.  A zeroed struct is ready; composer_free releases its memory. */
struct composer {
    struct bytes      text;
    uint32_t         *origin;                               /* [text.len + 1] byte of the given text of each byte */
    struct composing *character;
    struct sort_item *order;
    size_t            origin_room, room, order_room, count;
};

/* 1: composer->text is the text composed; 0: the text is composed as it stands, and not copied; -ENOMEM.  The text has
 * less than 4 GB. */
int  compose_text(struct composer *composer, struct slice text);
void composer_free(struct composer *composer);

/* ---- the table ---- */

/* Three numbers each: a character, and the two that it is made of; the second 0: it is another one.  Ascending. */
extern const uint32_t compose_splits[];
extern const size_t   compose_splits_count;
/* Places of those that are put together again, ascending by the two. */
extern const uint16_t compose_pairs[];
extern const size_t   compose_pairs_count;
/* Of each run of characters the first one times 64, and the place of their combining class; 0: they do not combine. */
extern const uint32_t compose_classes[];
extern const size_t   compose_classes_count;

#endif
