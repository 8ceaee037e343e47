/* history/items.h -- items of benchmarks that leak in one run and not in the other, or otherwise. */
#ifndef LEAKGRAPH_HISTORY_ITEMS_H
#define LEAKGRAPH_HISTORY_ITEMS_H

#include "history/changes.h"

/* What is measured in rows of part HISTORY_ITEMS, beside item_change_names: of a benchmark the items that are the same
 * or not, of all together (no label) those that leak now and did not: newly leaked, added, and edited ones that were
 * clean, an item once however many datasets it is found in. */
#define ITEMS_NEW_LEAKS    "new leaks"
#define ITEMS_NOT_COMPARED "not compared"                   /* of a benchmark: why */

/* Of each benchmark that both runs have, dataset by dataset in the new run's order.  Needs the pairs in graph.db; where
 * they are not, or not of each item that was counted, or not both runs looked for them (pass near, or clones where
 * neither has that), a row ITEMS_NOT_COMPARED says so.  0, or <0 with err set. */
int items_changed(struct changes *changes, sqlite3 *old, sqlite3 *new, struct err *err);

#endif
