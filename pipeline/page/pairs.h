/* page/pairs.h -- items beside their best matches, side by side and word by word, as items.js draws them.
 *
 * So many of the worst items of each benchmark, within bounds; of every one that is left out, and of every text that
 * cannot be had, it is said why. */
#ifndef LEAKGRAPH_PAGE_PAIRS_H
#define LEAKGRAPH_PAGE_PAIRS_H

#include "page/items.h"
#include "page/items_json.h"
#include "report/show.h"

/* PAIRS_MOST: in all, dealt over the benchmarks; of one, PAIR_LINES lines are shown, PAIR_LINE_BYTES of each.
 * PAIRS_BYTES: of JSON, after which no more are added. */
enum { PAIRS_MOST = 200, PAIR_LINES = 160, PAIR_LINE_BYTES = 400, PAIR_TEXT_BYTES = 1 << 20, PAIRS_BYTES = 3 << 20 };

/* Appends the members "pairs" and "clusters" of an object.  rows: the first so many items are meant.  reader gives
 * texts that graph.db does not store; NULL: they are not to be had.  0, or <0 with err set. */
int pairs_json(const struct items *items, size_t rows, sqlite3 *db, const struct show_reader *reader, items_mask *mask,
               struct bytes *out, struct err *err);

#endif
