/* corpus/parquet_footer.h -- what a Parquet file says of itself at its end: the schema's columns, and where each row
 * group has them.
 *
 * The footer is believed in nothing that can be checked: lengths and offsets lie inside the file, counts agree with
 * each other.  Row groups are parsed one at a time, so a footer costs little more than its bytes. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_FOOTER_H
#define LEAKGRAPH_CORPUS_PARQUET_FOOTER_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/input.h"
#include "corpus/parquet_thrift.h"

/* Besides -EIO and -ENOMEM, what the parquet_* functions return: damage in the data (asserted to be CODEC_CORRUPT and
 * CODEC_TRUNCATED), and something that is written as it should be but is not read here. */
enum { PARQUET_CORRUPT = -74, PARQUET_TRUNCATED = -61, PARQUET_UNKNOWN = -95 };

enum parquet_type {
    PARQUET_BOOLEAN, PARQUET_INT32, PARQUET_INT64, PARQUET_INT96, PARQUET_FLOAT, PARQUET_DOUBLE, PARQUET_BYTE_ARRAY,
    PARQUET_FIXED, PARQUET_TYPE_COUNT
};

/* What a column of whole numbers counts: DATE days since 1970, the others parts of a second since then. */
enum parquet_time { PARQUET_NO_TIME, PARQUET_DATE, PARQUET_MILLIS, PARQUET_MICROS, PARQUET_NANOS };

#define PARQUET_NO_COLUMN UINT32_MAX

/* A node of the schema, in its own order: a group before what is in it. */
struct parquet_node {
    /* names from the root joined by dots, in footer.paths; 0 bytes: too long to be asked for */
    uint32_t          path_at, path_len;
    /* bytes of the path that name the list it lies in, 0: in none */
    uint32_t          list_len;
    uint32_t          column;                               /* place in each row group; PARQUET_NO_COLUMN: a group */
    enum parquet_type type;
    uint32_t          type_bytes;                           /* PARQUET_FIXED: of each value */
    uint8_t           max_definition, max_repetition;
    uint8_t           list_definition;                      /* from this level on there is an element */
    /* in a list: the list's element itself, not a part of one */
    bool              element;
    bool              unsigned_number;
    bool              utc;                                  /* timestamps: of that zone, else of none */
    enum parquet_time time;
    /* name of a logical type whose bytes are no text and no number, NULL: none */
    const char       *foreign;
};

struct parquet_footer {
    struct bytes         raw, paths;
    struct parquet_node *node;                              /* [node_count] */
    size_t               node_count, node_room;
    uint32_t             columns;
    uint64_t             rows;                              /* the file's, as the footer says */
    uint64_t             data_end;                          /* offset of the footer: pages lie before it */
    struct thrift        groups;                            /* at the next row group */
    uint32_t             group_count, groups_left;
    uint32_t             slack;                             /* bytes that columns may be longer than they say */
};

/* One column of a row group.  unpacked: its bytes without compression, as the footer says, or `bytes` where it says
 * less.  codec: Parquet's number. */
struct parquet_chunk { bool there; uint64_t at, bytes, unpacked, values; int codec; };

/* Reads the footer of a file that begins with PAR1.  0; -EIO, -ENOMEM, PARQUET_*; parquet_footer_close in any case. */
int  parquet_footer_open(struct parquet_footer *out, struct input *input, struct err *err);
void parquet_footer_close(struct parquet_footer *footer);

static inline struct slice parquet_node_path(const struct parquet_footer *footer, const struct parquet_node *node)
{
    return (struct slice){ footer->paths.at + node->path_at, node->path_len };
}

/* The next row group: its rows, and its chunks of the columns node[count], which do not descend; of a group without
 * rows those that can be used.  1; 0 when there is none; PARQUET_* when it cannot be used: then the one behind it may
 * be, unless groups_left is 0. */
int  parquet_next_group(struct parquet_footer *footer, const struct parquet_node *const *node, size_t count,
                        struct parquet_chunk *chunk,
                        uint64_t *rows, struct err *err);

#endif
