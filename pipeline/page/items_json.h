/* page/items_json.h -- items as columns of JSON, as items.js reads them.
 *
 * A row an item, in their order; names are lists and numbers in them, -1 where there is none.  Texts that differ in
 * every row are a column of numbers and one of texts: so many UTF-16 units of the row before, and what follows. */
#ifndef LEAKGRAPH_PAGE_ITEMS_JSON_H
#define LEAKGRAPH_PAGE_ITEMS_JSON_H

#include "base/bytes.h"
#include "page/items.h"

/* What makes a text fit to be shown, as of struct report_document; may be NULL. */
typedef int items_mask(struct slice *text, bool program, struct bytes *masked);

/* Appends the members of an object, without its braces: as many of the first items as fit into `limit` bytes, roughly;
 * *shown counts them.  0 or -ENOMEM. */
int items_json(const struct items *items, items_mask *mask, size_t limit, size_t *shown, struct bytes *out);

/* Appends one text as a string of JSON, masked.  0 or -ENOMEM. */
int items_json_text(struct slice text, items_mask *mask, struct bytes *out);

#endif
