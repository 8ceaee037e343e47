/* corpus/source_state.h -- what the files behind source.h share: an open shard and its decoded bytes.  Private to
 * corpus/source*.c. */
#ifndef LEAKGRAPH_CORPUS_SOURCE_STATE_H
#define LEAKGRAPH_CORPUS_SOURCE_STATE_H

#include "corpus/codec.h"
#include "corpus/source.h"
#include "corpus/tree.h"

struct archive;
struct parquet_source;

enum { SOURCE_HEAD_BYTES = 8192 };                          /* looked at to tell what the shard is */

/* Why a shard ends before its end; told once, as the reject of the record that it hits. */
/* byte: of the file, of Parquet alone */
struct damage { bool there; enum reject_reason reason; char detail[100]; uint64_t byte; };

/* One way to fill a batch: returns as source_next does.  It starts from an empty batch. */
typedef int source_fill(struct source *source, struct batch *batch, struct err *err);

struct source {
    const struct dataset *dataset;
    const struct shard   *shard;
    source_fill          *fill;
    enum batch_kind       kind;
    uint64_t              unit_bytes, max_record;
    uint64_t              record;                           /* number of the next record */
    /* decoded offset of the next record; items: sum of the lengths before it */
    uint64_t              at;

    struct input          input;
    struct codec          codec;
    char                  head[SOURCE_HEAD_BYTES];          /* decoded already, but not served */
    size_t                head_at, head_len;
    uint64_t              decoded;                          /* bytes that the codec has given */
    bool                  ended;                            /* and it has no more */
    struct damage         damage;

    struct bytes          carry;                            /* lines: decoded, but not in a batch yet */
    bool                  skipping;                         /* lines: inside a line that is too long */

    struct archive       *archive;
    char                 *window;                           /* archives: what libarchive is reading */
    struct bytes          paths;                            /* archives: of the batch being filled */
    bool                  hit_end;                          /* archives: libarchive asked for more than there is */
    /* archives: zero bytes at the end of what it was given, up to a block */
    size_t                zeros;
    /* archives: reading the file failed; libarchive could not open it */
    bool                  tar, io_failed, open_failed;
    /* archives: libarchive seeks in the file; and finds members by their directory */
    bool                  seekable, seekable_zip;
    uint64_t              unpacked;                         /* archives: bytes that members have given */
    /* archives: looking for a header behind a damaged one, which is told */
    bool                  resuming;
    bool                  skipping_member;                  /* archives: inside a member that is too long */
    /* archives: over, but the stream that it came from is not */
    bool                  draining;
    bool                  finished;                         /* nothing is left to fill a batch with */
    /* fill has said so: only the file's hash may be unfinished */
    bool                  exhausted;
    uint32_t              unit;                             /* of the last batch */
    uint64_t              worked;                           /* bytes taken in by this call of source_next */

    struct parquet_source *parquet;                         /* tables */

    struct tree           tree;
    size_t                next_file;
};

/* The next n decoded bytes at most: their number; 0 at the end, source->damage telling whether it is the right one;
 * -EIO, -ENOMEM. */
ssize_t source_read(struct source *source, void *out, size_t n, struct err *err);

/* Puts a reject in as the batch's last record and moves source->record past it.  0 or -ENOMEM. */
int  source_reject(struct source *source, struct batch *batch, uint64_t byte, enum reject_reason reason,
                   const char *detail, struct err *err);

/* Appends an item of len bytes.  0 or -ENOMEM; counts the record. */
int  source_add_item(struct source *source, struct batch *batch, uint64_t len, uint64_t path_at, uint64_t path_len,
                     struct err *err);

/* Whether another record that starts at source->at may go into the batch that has `count` records now. */
bool source_batch_has_room(const struct source *source, const struct batch *batch, uint64_t bytes);

/* Whether this call has done its share: without a record so far, it should return an empty batch. */
static inline bool source_is_tired(const struct source *source) { return source->worked >= SOURCE_STEP_BYTES; }

int  source_fill_lines(struct source *source, struct batch *batch, struct err *err);

int  source_open_archive(struct source *source, struct err *err);
bool source_is_archive(const char *head, size_t len);
int  source_fill_archive(struct source *source, struct batch *batch, struct err *err);
void source_close_archive(struct source *source);

int  source_open_parquet(struct source *source, struct err *err);
int  source_fill_parquet(struct source *source, struct batch *batch, struct err *err);
void source_close_parquet(struct source *source);

int  source_open_tree(struct source *source, struct err *err);
int  source_fill_tree(struct source *source, struct batch *batch, struct err *err);

#endif
