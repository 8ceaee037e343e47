/* corpus/parquet_column.h -- the values of a column, one after the other, read page by page.
 *
 * In memory are a row group's dictionary of the column and the page at hand, never the row group.  Both may be held
 * beyond that by who points into them; the column then goes on in other bytes. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_COLUMN_H
#define LEAKGRAPH_CORPUS_PARQUET_COLUMN_H

#include "corpus/parquet_codec.h"
#include "corpus/parquet_encoding.h"
#include "corpus/parquet_footer.h"
#include "corpus/shared.h"

enum { PARQUET_TEXT_BYTES = 48 };

enum parquet_encoding {
    PARQUET_ENCODING_PLAIN = 0, PARQUET_ENCODING_PLAIN_DICTIONARY = 2, PARQUET_ENCODING_RLE = 3,
        PARQUET_ENCODING_BIT_PACKED = 4,
    PARQUET_ENCODING_DELTA = 5, PARQUET_ENCODING_DELTA_LENGTH = 6, PARQUET_ENCODING_DELTA_STRINGS = 7,
    PARQUET_ENCODING_DICTIONARY = 8, PARQUET_ENCODING_SPLIT = 9
};

/* What a page holds behind its levels. */
struct parquet_values {
    enum parquet_encoding encoding;
    const unsigned char  *at, *end;
    /* with the first value: a page of nulls may have nothing here */
    bool                  opened;
    struct hybrid         index;                            /* dictionary indices, booleans */
    struct delta          delta, prefix;                    /* numbers or lengths; lengths of shared prefixes */
    uint64_t              next, count;                      /* PLAIN booleans: bit; SPLIT: value and number of values */
};

struct parquet_column {
    const struct parquet_node *node;                        /* borrowed, as are input and path */
    struct input              *input;
    struct slice               path;
    uint32_t                   max_ratio;

    struct parquet_chunk       chunk;
    /* of the chunk: bytes of pages begun, values in pages to come */
    uint64_t                   taken, values_left;
    struct bytes               window;                      /* bytes of the file from window_at on */
    uint64_t                   window_at;
    struct parquet_unpacker    unpacker;

    struct shared             *dictionary, *page;           /* unpacked */
    /* what was one of them, and may be again when nobody holds it */
    struct shared             *spare[2];
    struct slice              *entry;                       /* [entry_count]: values in dictionary */
    size_t                     entry_count, entry_room;
    uint64_t                   page_left;                   /* values, nulls counted */
    uint64_t                   page_byte;                   /* of the file: where the page begins */
    struct hybrid              repetition, definition;
    struct parquet_values      values;

    uint32_t                   next_repetition;             /* of the value to come */
    bool                       looked;                      /* next_repetition is known */
    struct bytes               built;                       /* DELTA_BYTE_ARRAY: the last value; SPLIT: its bytes */
    unsigned char              number[8];
    char                       text[PARQUET_TEXT_BYTES];    /* a number's */

    uint64_t                   bytes_read;                  /* in all row groups */
};

/* Begins with a row group's chunk.  node, input, path and max_ratio are set by the caller; the rest is zeros at first.
 */
void parquet_column_start(struct parquet_column *column, const struct parquet_chunk *chunk);
void parquet_column_close(struct parquet_column *column);   /* frees what the column owns */

/* The next value as text (parquet_text), at NULL: null; *definition: its level.  Valid until the next call
 * on the column.  1; 0 at the chunk's end; -EIO, -ENOMEM, PARQUET_* with err naming column and byte. */
int  parquet_column_next(struct parquet_column *column, struct slice *value, uint32_t *definition, struct err *err);

/* What has the bytes of a value that parquet_column_next has just given, NULL: they do not outlast the next call.
 * Borrowed: shared_hold keeps it. */
struct shared *parquet_column_owner(const struct parquet_column *column, struct slice value);

/* A value's bytes as text: numbers in decimal, the shortest that reads back, dates and timestamps in ISO 8601, strings
 * as they are.  It lies in out, or is raw. */
struct slice parquet_text(const struct parquet_node *node, struct slice raw, char out[PARQUET_TEXT_BYTES]);

/* Whether the next value belongs to the same row as the last one: 1, 0, or <0 as above.  For columns of lists. */
int  parquet_column_continues(struct parquet_column *column, struct err *err);

/* A decompression bomb, told by bytes that are made of few. */
enum { PARQUET_BOMB = -75 };
bool parquet_is_bomb(uint64_t made, uint64_t from, uint32_t max_ratio);

#endif
