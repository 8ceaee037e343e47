/* corpus/record.h -- one record of a shard, and the batch that carries it.
 *
 * A shard is read in two steps.  source_next (source.h) decodes: it fills a batch with whole undecoded records, one
 * caller at a time. batch_next (here) parses the batch record by record; any number of batches can be parsed side by
 * side.  So one shard keeps every thread busy, and a thread parses what it has just decoded while it is in its cache.
 * */
#ifndef LEAKGRAPH_CORPUS_RECORD_H
#define LEAKGRAPH_CORPUS_RECORD_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "corpus/dataset.h"
#include "corpus/reject.h"
#include "corpus/skip.h"

#include <stdint.h>

struct shared;

/* Valid until the next batch_next on the same batch. */
struct record {
    struct slice text;                                      /* decoded; BYTES_PAD bytes past its end are readable */
    /* raw JSON value of each field, at NULL when absent; archives and tables: plain bytes.  BYTES_PAD bytes past the
     * end of the tokens are readable too. */
    struct slice raw[FIELD_COUNT];
    /* JSON: the object as it stands, without its line end; else empty */
    struct slice line;
    /* tables: [DATASET_EXTRA] values of the dataset's extra columns, at NULL when null; else NULL */
    const struct slice *extra;
    uint64_t     number;                                    /* of the record in its shard, from 0, rejects counted */
    /* where it starts in the decoded shard; Parquet: in the texts of its row group */
    uint64_t     byte;
    bool         json;                                      /* raw[] holds JSON */
};

/* The value of a field as text, appended to *out: a JSON string decoded, any other JSON value as it is written.  Absent
 * or JSON null: nothing is appended and false is returned.  -ENOMEM is told by out->at staying NULL with true returned.
 * */
bool record_field(const struct record *record, enum field field, struct bytes *out);

/* The strings of FIELD_TOKENS one by one.  *at starts at 0 and is the call's own position; *token is valid until the
 * next call (scratch is used for escaped strings).  A null among them is no token, and passed over.  Returns 1, 0 at
 * the end, -EBADMSG when the value is not an array of strings, -ENOMEM. */
int  record_next_token(const struct record *record, size_t *at, struct bytes *scratch, struct slice *token);
/* The same, several at once: how many, 0 at the end, or an error.  Tokens without an escape, a comma and a blank
 * between them as programs write lists, come from byte classes; what is written otherwise, by record_next_token. */
enum { RECORD_TOKENS = 64 };
int  record_next_tokens(const struct record *record, size_t *at, struct bytes *scratch,
                        struct slice token[RECORD_TOKENS]);
/* FIELD_TOKENS is there and is an array (of a table too: written as JSON) */
bool record_has_tokens(const struct record *record);

/* The record fields that are looked for, by name.  Filled by source_next. */
enum { FIELD_NAMES_MAX = FIELD_COUNT + 2 };                 /* the text has three default names */
/* Of two names of one field the lower rank wins.  fields: bits of all that have the name, the first being field. */
struct field_name { struct slice name; enum field field; unsigned rank; uint32_t fields; };
struct field_map {
    struct field_name at[FIELD_NAMES_MAX];                  /* names are borrowed from the dataset */
    size_t            count;
    /* bit i of [n%64]: a key of n bytes may be at[i], or the part of it before a dot */
    uint16_t          by_length[64];
};

enum batch_kind {
    BATCH_JSON_LINES, BATCH_LINES, BATCH_MEMBERS, BATCH_FILES, BATCH_ROWS, BATCH_ELEMENTS, BATCH_CSV
};

/* at: offset from batch->byte in the shard's documents laid end to end; len: bytes of the document (BATCH_FILES: when
 * it was listed). BATCH_MEMBERS: raw holds the documents one after the other, so at is also the place in raw, and
 * behind them their paths. BATCH_FILES: raw holds the tree's folder with its closing slash, up to the first path_at,
 * then the relative paths. BATCH_ROWS: raw holds at path_at the row's values: of each that is no null a struct
 * row_value and its bytes, or, ROW_HELD being added to the field, a pointer to them into what the batch holds.  Fields
 * from FIELD_COUNT on are the dataset's extra columns. BATCH_ELEMENTS, BATCH_CSV: raw is the decoded text, at the place
 * of a JSON value or of a row with its line end in it. */
struct batch_item { uint64_t at, len, path_at, path_len; };
struct row_value  { uint32_t field, len; };
enum { ROW_HELD = 1 << 16 };

/* Whole records of one unit, not yet parsed.  A zeroed struct is ready for source_next; batch_free releases its
 * buffers. Reuse keeps the buffers.  The fields are set by source_next and read by whoever processes it. */
struct batch {
    const struct dataset *dataset;
    struct field_map   fields;
    enum batch_kind    kind;
    /* which 256 MB of the shard's decoded text this belongs to; BATCH_ROWS: see corpus/row_group.h */
    uint32_t           unit;
    uint32_t           piece;                               /* BATCH_ROWS: of its unit, see there; else 0 */
    uint64_t           first_record;                        /* number of its first record */
    uint64_t           record_count;                        /* numbers taken: used, rejected, binary */
    uint64_t           byte;                                /* decoded offset of raw[0]; BATCH_ROWS: in the row group */
    struct bytes       raw;
    struct batch_item *item;                                /* [item_count] */
    size_t             item_count, item_room;
    /* BATCH_JSON_LINES: raw ends with the shard, and not with a line feed: the last line may be cut */
    bool               open_end;
    uint64_t           stored, decoded;                     /* open_end: bytes of the file, and what they gave */
    /* BATCH_ROWS: what values may point into, NULL: nothing; BATCH_CSV: uint32_t: the separator, then of each column
     * the bits of its fields, 1 << FIELD_COUNT + n standing for the dataset's n-th extra one */
    struct shared     *held;
    /* added to by source_next and batch_next; of a binary file or member, which has a number, there is a reject too */
    struct reject_list rejects;
    struct skips       skipped;
    bool               alone;                               /* the shard is one text: binary, it is rejected */
    struct bytes       text, scratch;                       /* decoded text of the current record */
    struct slice       extra[DATASET_EXTRA];                /* tables: of the current record */
    size_t             next_at;                             /* batch_next's place: byte or item */
    uint64_t           next_record;
    /* set by the caller before batch_next: bits 1 << FIELD_TOKENS, FIELD_STARS, FIELD_DATE, if looked for */
    uint32_t           want_fields;
    /* set by the caller before batch_next, or NULL: JSON that is not wanted is passed over unread, whatever it is */
    bool             (*wants)(void *context, uint64_t number);
    void              *wants_context;
};

/* The next usable record; unusable ones are appended to batch->rejects and passed over.  1, 0 at the end, -ENOMEM with
 * err set. */
int  batch_next(struct batch *batch, struct record *record, struct err *err);
void batch_free(struct batch *batch);

#endif
