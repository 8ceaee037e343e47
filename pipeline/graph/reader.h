/* graph/reader.h -- rows of graph.db back in the structs that they were made from, as the tables' descriptions say.
 *
 * The file may have been made by anybody: a number that is an index is checked before it becomes one. */
#ifndef LEAKGRAPH_GRAPH_READER_H
#define LEAKGRAPH_GRAPH_READER_H

#include "graph/graph.h"
#include "graph/pool.h"

#include <sqlite3.h>

struct reader {
    const struct graph_table *table;
    const struct graph       *graph;                        /* whose datasets and documents rows may name */
    struct pool              *pool;                         /* where texts go */
    sqlite3_stmt             *query;
    uint64_t                  number;                       /* of the row read last: its own, its id, or the count */
    uint32_t                  pass;                         /* its COLUMN_PASS */
    uint32_t                  dataset, document;            /* those that were named last */
    uint64_t                  rows;                         /* read until now */
    unsigned                  flags;
};

/* Starts the rows of a table, in the order of `rest` (SQL); their columns that have one of the flags are read.  *reader
 * is to be closed either way.  0, -EIO, -EBADMSG, -ENOMEM with err set. */
int  reader_open(struct reader *reader, sqlite3 *db, const struct graph_table *table, unsigned flags, const char *rest,
                 const struct graph *graph, struct pool *pool, struct err *err);
/* The next row into a zeroed struct; before: the row before it, or NULL, whose texts are taken where they are the same.
 * 1, 0 at the end, or <0 with err set. */
int  reader_next(struct reader *reader, void *row, const void *before, struct err *err);
void reader_close(struct reader *reader);

/* All of them, as an array of the table's structs, which is the caller's also after a failure.  0, or <0 with err set.
 */
int  reader_all(sqlite3 *db, const struct graph_table *table, const struct graph *graph, struct pool *pool, void **rows,
                size_t *count, struct err *err);

#endif
