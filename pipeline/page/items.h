/* page/items.h -- every item of a benchmark that a rule found, beside its best match, from graph.db.
 *
 * What found it is view item_rules, what it is like the pairs of pass near and view found_inside; of all these the best
 * match is kept: in a corpus before another benchmark before its own, equal before near before contained before inside
 * a document. */
#ifndef LEAKGRAPH_PAGE_ITEMS_H
#define LEAKGRAPH_PAGE_ITEMS_H

#include "base/err.h"
#include "base/slice.h"
#include "base/table.h"
#include "graph/pool.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Different texts by number; zeroed: none. */
struct item_names { struct slice *at; size_t count, room; struct table known; struct pool pool; };

enum { ITEM_RULES_MOST = 30, ITEM_NO_NAME = -1 };

/* What an item is like.  id: its snippets.id, 0: it is none of graph.db's.  place: path or source_id, or as
 * found_inside has it.  line 0: not known.  Names are numbers in the lists of struct items, or ITEM_NO_NAME. */
struct item_match {
    uint64_t     id, record, line, line_end;
    double       alike;
    struct slice place, shard;
    int32_t      dataset, kind, repo, licence, rank;        /* rank: the lower the better; INT32_MAX: no match */
};

/* An item.  dataset: row of table datasets, from 0; number: id_within_dataset; rules: bits of items.rules; copies:
 * documents that it has a pair with, or places inside documents, whichever are more. */
struct item {
    uint64_t          id, number, copies;
    struct slice      source, path;
    int32_t           dataset, split, language, repo, licence;
    uint32_t          rules;
    struct item_match best;
};

/* items, those that leak most first: like a document of another dataset before those that only a rule found and those
 * that repeat their own; then by copies, by how alike, by id. */
struct items {
    struct item      *at;
    size_t            count, room;
    struct item_names datasets, splits, languages, rules, kinds, repos, licences;
    struct pool       pool;
    bool              aside;                                /* the pairs are in a file */
};

/* 0, or <0 with err set; free with items_free either way. */
int  items_read(struct items *out, sqlite3 *db, struct err *err);
void items_free(struct items *items);                       /* accepts zeroed ones */

#endif
