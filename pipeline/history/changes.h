/* history/changes.h -- what changed between two runs: values that differ, and items that leak otherwise.
 *
 * Each part is a query (capability/change.h) whose rows, in the order of their names, are merged: the time is that of
 * reading both, and what is kept is what differs.  A graph.db alone suffices, of either run. */
#ifndef LEAKGRAPH_HISTORY_CHANGES_H
#define LEAKGRAPH_HISTORY_CHANGES_H

#include "base/err.h"
#include "base/slice.h"
#include "capability/change.h"
#include "graph/pool.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* A value that differs; old or new is empty where only the other run has it.  Whole: what a count is a part of, -1
 * where it is of none. */
struct change {
    struct slice part, label[CHANGE_LABELS], measure, old, new;
    int64_t      old_whole, new_whole;
};

/* What happened to an item of a benchmark and one dataset that it was or is found in. */
enum item_change {
    ITEM_LEAKED,                                            /* the same text, and not found there before */
    ITEM_CLEAN,                                             /* the same text, found there before */
    ITEM_ADDED, ITEM_REMOVED,                               /* only one run has the item, and it is found there */
    ITEM_EDITED,                                            /* another text, and found there in one of the runs */
    ITEM_MOVED,                                             /* its best match is of another kind, or as alike no more */
    ITEM_CHANGES
};
extern const char *const item_change_names[ITEM_CHANGES];   /* "newly leaked", ... */

/* kind: of the best match, as in edges and found_inside; empty: not found in that run.  alike: of it, negative with it.
 * match: the document, as a person reads it. */
struct item_match { struct slice kind; double alike; struct slice match; };
struct changed_item {
    struct slice      change, dataset, split, source_id, path, target;
    struct item_match old, new;
};

/* Zeroed but for `most` at first.  So many rows of a part, and items of each kind of change, are kept, the first in
 * order; how many there are is counted, in a row HISTORY_MORE of the part, and in the rows of part HISTORY_ITEMS. */
struct changes {
    struct change       *at;
    size_t               count, room;
    struct changed_item *item;
    size_t               item_count, item_room, most;
    struct pool          pool;                              /* of all texts */
};

/* Parts of every graph.db, which no capability has. */
#define HISTORY_SETTINGS "settings"                         /* history/settings_changed.h */
#define HISTORY_ITEMS    "items"                            /* history/items.h */
extern const struct change_part history_parts[];

/* Adds a row, whose texts are copied; values are texts, numbers as SQLite prints them.  0, or -ENOMEM with err set. */
int changes_add(struct changes *changes, const struct change *row, struct err *err);

/* Merges the rows of the part's query in both.  Where one has none, as a capability that did not run, the other's are
 * one row, HISTORY_ROWS: how many.  0, or <0 with err set. */
#define HISTORY_ROWS "rows"
#define HISTORY_MORE "more rows"
int changes_merge(struct changes *changes, const struct change_part *part, sqlite3 *old, sqlite3 *new,
                  struct err *err);

/* Everything: the parts of every graph.db, those of the lists of parts (up to NULL), settings, and items.  Both have
 * their views (graph_define_views).  0, or <0 with err set. */
int changes_find(struct changes *changes, const struct change_part *const *parts, sqlite3 *old, sqlite3 *new,
                 struct err *err);

void changes_free(struct changes *changes);

#endif
