/* export/format.h -- a format of exports: how rows of whatever columns become bytes.
 *
 * Text is valid UTF-8 before it comes here (export.c).  A format appends to sink->buffer, or has a way of its own to
 * export_sink_write. */
#ifndef LEAKGRAPH_EXPORT_FORMAT_H
#define LEAKGRAPH_EXPORT_FORMAT_H

#include "export/sink.h"
#include "export/thing.h"

#include <stdint.h>

/* A cell, by its column's type. */
struct export_value { bool null; int64_t number; double real; struct slice text; };

struct export_format;

/* What a format is told.  column[count]: the places in thing->columns of those that are exported; rows have them in
 * this order. */
struct export_writer {
    const struct export_format *format;
    const struct export_thing  *thing;
    const size_t               *column;
    size_t                      count;
    bool                        header;                     /* a line of names where the format has one */
    struct slice                version, digest;            /* of the program, of the run */
    struct export_sink         *sink;
    uint64_t                    rows;                       /* given until now */
    void                       *state;                      /* of the format, zeroed at first */
};

enum export_flag {
    EXPORT_BINARY = 1,                                      /* not for a terminal */
    EXPORT_SIDES  = 2,                                      /* of things with two sides alone, all their columns */
    EXPORT_NODES  = 4,                                      /* wants the documents first, each once */
    EXPORT_LEAKS  = 8,                                      /* of things that tell of leaks, and of those rows alone */
};

/* A document, as formats with nodes are given it before all rows; text at NULL: none. */
enum export_node_field { NODE_DATASET, NODE_SHARD, NODE_RECORD, NODE_SPLIT, NODE_SOURCE_ID, NODE_PATH, NODE_REPO,
                         NODE_LICENSE, NODE_FIELDS };
extern const char *const export_node_fields[NODE_FIELDS];   /* "dataset", "shard", ... */
struct export_node { struct slice field[NODE_FIELDS]; };

/* Each returns 0 or <0 with err set.  node: NULL where nodes are not wanted. */
struct export_format {
    const char *name, *doc;
    unsigned    flags;                                      /* of enum export_flag */
    size_t      state_size;
    int       (*begin)(struct export_writer *writer, struct err *err);
    int       (*node)(struct export_writer *writer, const struct export_node *node, struct err *err);
    int       (*row)(struct export_writer *writer, const struct export_value *value, struct err *err);
    int       (*end)(struct export_writer *writer, struct err *err);
    void      (*close)(struct export_writer *writer);       /* lets go of what state holds; may be NULL */
};

extern const struct export_format export_tsv, export_csv, export_jsonl, export_parquet, export_graphml, export_gexf,
    export_sarif;
extern const struct export_format *const export_formats[];  /* up to NULL */

const struct export_format *export_format_find(const char *name);       /* NULL: there is none */
bool export_format_takes(const struct export_format *format, const struct export_thing *thing);

static inline const struct export_column *export_column_at(const struct export_writer *writer, size_t c)
{
    return &writer->thing->columns[writer->column[c]];
}

/* The cell of a side's column, NULL: the thing has no such column, or it is null.  Of rows with all columns. */
const struct export_value *export_side(const struct export_writer *writer, const struct export_value *value,
                                       const char *prefix, const char *name);

/* Append what leakgraph show calls a document, `dataset:shard:record`; a number; the shortest digits that are the
 * number again.  0 or -ENOMEM. */
int export_append_place(struct bytes *out, struct slice dataset, struct slice shard, int64_t record);
int export_append_integer(struct bytes *out, int64_t number);
int export_append_real(struct bytes *out, double real);

#endif
