/* graph/table.h -- a table of graph.db, described once: one row a column.
 *
 * The description makes CREATE TABLE, the INSERT from an array of structs (rows.h), the reader that gets the structs
 * back (reader.h), the table's lines in the run's digest (digest.c), what fsck asks of it (check.c), and its part of
 * the reference (reference.h).  The tables that every graph has are in tables.c; a capability describes its own in
 * tables.c of its folder and names them in its descriptor. */
#ifndef LEAKGRAPH_GRAPH_TABLE_H
#define LEAKGRAPH_GRAPH_TABLE_H

#include "base/bytes.h"
#include "graph/unions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the field in the row's struct is, and what becomes of it. */
enum column_type {
    COLUMN_NUMBER,                                          /* no field: the row's number from 1, the primary key */
    COLUMN_SNIPPET,                                         /* no field: rows are documents; its id, the primary key */
    COLUMN_MEMBER,                                          /* the same, and no primary key */
    COLUMN_FLAG, COLUMN_U32, COLUMN_U64,                    /* bool, uint32_t, uint64_t */
    COLUMN_U31, COLUMN_BIT31,                               /* of one uint32_t the bits but the highest; the highest */
    COLUMN_RECORD,                                          /* uint64_t, a record of the row's shard */
    COLUMN_ID,                                              /* uint32_t, an index of rows: their number - 1 */
    COLUMN_DOCUMENT,                                        /* uint32_t, an index of documents; its id (ids.h) */
    COLUMN_MAYBE,                                           /* int64_t; negative is NULL */
    COLUMN_REAL,                                            /* double */
    COLUMN_MAYBE_SHARE, COLUMN_MAYBE_REAL,                  /* double; negative is NULL; NaN is NULL */
    COLUMN_TEXT,                                            /* struct slice */
    COLUMN_OPTIONAL,                                        /* the same; empty is NULL */
    COLUMN_TOKENS,                                          /* the same; empty is '[]' */
    COLUMN_SOURCE,                                          /* the same; at NULL: shard:record; empty is NULL */
    COLUMN_KEY,                                             /* const char * */
    COLUMN_HEX64, COLUMN_HEX128,                            /* uint64_t; two, the low word first: digits */
    COLUMN_KNOWN128,                                        /* the same; 0 is NULL */
    COLUMN_DATASET, COLUMN_SHARD,                           /* uint32_t, an index; its name */
    COLUMN_MAYBE_SHARD,                                     /* the same; UINT32_MAX is NULL */
    COLUMN_ROLE,                                            /* bool: benchmark */
    COLUMN_KIND,                                            /* uint32_t, enum edge_kind; its name */
    COLUMN_PASS,                                            /* no field: the name of the rows' pass */
    COLUMN_SET, COLUMN_MULTISET, COLUMN_CONTAINMENT_A, COLUMN_CONTAINMENT_B,    /* no field: of a struct graph_edge */
    COLUMN_TYPES
};

#define GRAPH_BIT31 (1u << 31)

enum column_flag {
    COLUMN_PRIMARY = 1,                                     /* the primary key */
    COLUMN_UNIQUE  = 2,
    COLUMN_QUOTED  = 4,                                     /* the name is a word of SQL */
    COLUMN_LOAD    = 8,                                     /* graph_load reads it back */
    COLUMN_LINE    = 16,                                    /* a field of the digest's lines; read back too */
    COLUMN_GROUP   = 32,                                    /* names a group after a row of `of`: no foreign key, for
                                                               the group is there without that row */
};

struct graph_column {
    const char      *name;
    enum column_type type;
    size_t           offset;                                /* of the field in the row's struct */
    unsigned         flags;                                 /* of enum column_flag */
    const char      *of;                                    /* it is an id of that table, or NULL */
    const char      *doc;                                   /* one line */
};

/* In a view: so many percent, NULL of nothing. */
#define VIEW_PERCENT(part, whole) "100.0 * (" part ") / (" whole ")"

/* A query that gives one row for each thing that is wrong: its name, what is there, what should be. */
struct graph_check { const char *name, *sql, *there, *expected; };

enum table_flag {
    TABLE_FATES  = 1,                                       /* rows are struct graph_fate */
    TABLE_SORTED = 2,                                       /* rows stand in the order of their first digest column */
    TABLE_ASIDE  = 4,                                       /* it is about other runs: this one has no digest of it */
    /* a row for each document, which begins with the index of another one; GRAPH_NO_DOCUMENT: it has no row */
    TABLE_DOCUMENTS = 8,
};

struct graph_table {
    const char                *name, *doc;
    const char                *digest;                      /* how its lines in the digest begin; NULL: has none */
    const struct graph_column *columns;                     /* none: there is no table, but views of others' */
    size_t                     column_count, row_size;
    unsigned                   flags;                       /* of enum table_flag */
    /* SQL of its indices: of those that grow at their end as rows come, or nearly so, which is less than sorting them;
     * of the others, made when all rows are in; or NULL */
    const char                *before, *after;
    const struct graph_view   *views;                       /* up to one without a name; or NULL */
    /* of its views the one that several others of a report ask, and that reads all of a table; or NULL */
    const char                *often;
    const struct graph_check  *checks;                      /* up to one without a name; or NULL */
    /* Its rows as those of the views in which all tables say something: SELECTs with their columns; NULL: none. */
    const char                *part[GRAPH_UNIONS];
};

/* No index of a document. */
#define GRAPH_NO_DOCUMENT UINT32_MAX

/* The columns of a description. */
#define TABLE_COLUMNS(array) .columns = array, .column_count = sizeof array / sizeof *array

/* COLUMN_HEX128 and COLUMN_KNOWN128 of struct ROW read both words. */
#define TABLE_PAIR(low, high) \
    _Static_assert(offsetof(struct ROW, high) == offsetof(struct ROW, low) + 8, #high " follows " #low)

/* Rows of a table; pass: that of edges and clusters. */
struct graph_rows { const struct graph_table *table; const void *rows; size_t count; uint32_t pass; };

static inline const void *graph_row(const struct graph_rows *of, size_t i)
{
    return (const char *)of->rows + i * of->table->row_size;
}

/* Has document i a row, in a table with a row for each? */
static inline bool graph_row_is_there(const struct graph_rows *of, size_t i)
{
    return *(const uint32_t *)graph_row(of, i) != GRAPH_NO_DOCUMENT;
}

/* "INTEGER NOT NULL", ...: the column's type and constraint. */
const char *graph_column_type(const struct graph_column *column);

/* Each appends to out: 0 or -ENOMEM.
 * create: CREATE TABLE with a comment a column.
 * views: CREATE VIEW of each of its views; temporary: for the connection alone, where it hides one of the file.
 * select: the query for the columns that have one of the flags, followed by `rest` (its end). */
int graph_table_create(const struct graph_table *table, struct bytes *out);
int graph_table_views(const struct graph_table *table, bool temporary, struct bytes *out);
int graph_table_select(const struct graph_table *table, unsigned flags, const char *rest, struct bytes *out);

/* The first column of the type, NULL when there is none. */
const struct graph_column *graph_table_column(const struct graph_table *table, enum column_type type);

#endif
