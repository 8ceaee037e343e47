/* graph/item_pairs.h -- SQL of the pairs that items of benchmarks have, which may be millions.
 *
 * Whose a document is its id tells (ids.h), so that no document is read for it.  Rows of edges are read in their order,
 * and of the pairs inside corpora nothing at all. */
#ifndef LEAKGRAPH_GRAPH_ITEM_PAIRS_H
#define LEAKGRAPH_GRAPH_ITEM_PAIRS_H

#include "graph/ids.h"
#include "graph/unions.h"

/* The row of table datasets of that name; the dataset of that id; is it an id of a dataset of that role? */
#define GRAPH_DATASET_ROW(name) "(SELECT rowid FROM datasets WHERE id = " name ")"
#define GRAPH_DATASET_OF(id) "(SELECT id FROM datasets WHERE rowid = " GRAPH_ID_SLOT(id) " + 1)"
#define GRAPH_OF_ROLE(id, role) GRAPH_ID_SLOT(id) " + 1 IN (SELECT rowid FROM datasets WHERE role = '" role "')"

/* Pairs of pass near, for SQL behind a SELECT of columns of e: those whose a is an item, and those whose b is (a pair
 * of two items is in both).  Each ends in a condition, to which more may be added.  The rows of edges stand in the
 * order of a: those that the index of b finds are sorted first, by groups (see below).  The `+` keeps the planner from
 * an index of its own over all pairs. */
#define GRAPH_NEAR_PAIR "+e.pass = 'near' AND e.kind <> 'below'"
#define GRAPH_OF_BENCHMARKS(id) \
    "datasets AS d CROSS JOIN edges AS e ON " GRAPH_ID_OF(id, "d.rowid") " WHERE d.role = 'benchmark'"
#define GRAPH_SORTED(pairs) \
    " FROM (SELECT e.rowid AS pair FROM " pairs " GROUP BY +e.rowid) AS p CROSS JOIN edges AS e ON e.rowid = p.pair " \
    "WHERE " GRAPH_NEAR_PAIR
#define GRAPH_ITEM_FIRST " FROM " GRAPH_OF_BENCHMARKS("e.a") " AND " GRAPH_NEAR_PAIR
#define GRAPH_ITEM_SECOND GRAPH_SORTED(GRAPH_OF_BENCHMARKS("e.b"))

/* Behind GRAPH_ITEM_FIRST, for who looks b up: documents in any order are pages of the file in any order.  Sorted are
 * groups of one pair, because an ORDER BY in a subquery is left out by SQLite, or with a LIMIT kept by a tree that
 * grows at random and is as slow. */
#define GRAPH_SORTED_BY_B " GROUP BY +e.b, +e.a"

/* Are the pairs not in the graph, but in a file beside it (edges.h)? */
#define GRAPH_PAIRS_ASIDE "EXISTS (SELECT 1 FROM run WHERE key = 'edges_file')"

/* Has an item such a pair with a document of the dataset at that row of table datasets? */
#define GRAPH_HAS_PAIR(item, row) \
    "EXISTS (SELECT 1 FROM snippet_pairs AS e WHERE e.snippet = " item " AND e.pass = 'near' AND e.kind <> 'below' " \
    "AND " GRAPH_ID_SLOT("e.other") " + 1 = " row ")"

/* May an item that was counted have none of its pairs in the graph, as max_matches and stars leave out pairs, never
 * counts?  A condition, where o is a row of overlap, s and t are those of its datasets; `within`: of two splits of one
 * dataset.  It may where fewer items have an exact pair, a near one or a copy than were counted; and where fewer have a
 * contained one, if an item that is not found there at all, inside of documents neither, has as many elsewhere as are
 * kept: others lost only what says the same of them. */
#define GRAPH_PAIRS_BETWEEN(item, other, kinds) \
    "SELECT e." item " AS item, e." other " AS other FROM edges AS e WHERE " GRAPH_ID_OF("e." item, "s.rowid") " AND " \
    GRAPH_ID_SLOT("e." other) " + 1 = t.rowid AND +e.pass = 'near' AND e.kind IN (" kinds ")"
#define GRAPH_ITEMS_PAIRED(kinds, within) \
    "FROM (" GRAPH_PAIRS_BETWEEN("a", "b", kinds) " UNION ALL " GRAPH_PAIRS_BETWEEN("b", "a", kinds) ") AS p" within
#define GRAPH_PAIRS_OF(item) \
    "SELECT e." item " AS item FROM edges AS e WHERE " GRAPH_ID_OF("e." item, "s.rowid") " AND +e.pass = 'near'"
#define GRAPH_ITEMS_FULL \
    "SELECT item FROM (" GRAPH_PAIRS_OF("a") " UNION ALL " GRAPH_PAIRS_OF("b") ") GROUP BY item HAVING count(*) >= " \
    "ifnull((SELECT CAST(value AS INTEGER) FROM run WHERE key = 'near.max_matches'), 1)"
#define GRAPH_ITEMS_LOST(within) \
    "(o.direct + o.copies > 0 AND o.direct + o.copies > (SELECT count(DISTINCT p.item) " \
    GRAPH_ITEMS_PAIRED("'exact', 'near', 'copy'", within) ") OR o.contained > 0 AND o.contained > (SELECT " \
    "count(DISTINCT p.item) " GRAPH_ITEMS_PAIRED("'contained'", within) ") AND EXISTS (" GRAPH_ITEMS_FULL \
    " AND item NOT IN (SELECT p.item " GRAPH_ITEMS_PAIRED("'exact', 'near', 'copy', 'contained'", within) \
    " UNION ALL SELECT i.item FROM " FOUND_INSIDE " AS i WHERE i.leak AND i.dataset = o.target)))"
#define GRAPH_BETWEEN_DATASETS ""
#define GRAPH_BETWEEN_SPLITS \
    " JOIN snippets AS x ON x.id = p.item AND x.split_within_dataset = o.split JOIN snippets AS y ON y.id = p.other " \
    "AND y.split_within_dataset = o.target_split"

#endif
