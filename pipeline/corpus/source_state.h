/* corpus/source_state.h -- what the files behind source.h share: an open shard and its decoded bytes.  Private to
 * corpus/source*.c. */
#ifndef LEAKGRAPH_CORPUS_SOURCE_STATE_H
#define LEAKGRAPH_CORPUS_SOURCE_STATE_H

#include "corpus/codec.h"
#include "corpus/source.h"
#include "corpus/tree.h"

struct archive;
struct archive_entry;
struct parquet_source;
struct json_source;
struct csv_source;

enum { SOURCE_HEAD_BYTES = 8192 };                          /* looked at to tell what the shard is */

/* Below so many bytes no ratio is looked at: small files of repeated text pack beyond any sensible limit and harm
 * nobody. */
#define SOURCE_RATIO_FREE (64ull << 20)

/* What a reject costs, as struct reject has it. */
struct loss { uint64_t bytes, missing; };

/* Why a shard ends before its end; told once, as the reject of the record that it hits. */
/* byte: of the file, of Parquet alone */
struct damage { bool there; enum reject_reason reason; char detail[84]; uint64_t byte; struct loss loss; };

/* from: decoded offset of the first byte that it costs; byte: of what is wrong. */
struct late_reject { bool there; uint64_t from, byte; enum reject_reason reason; char why[84]; };

/* One way to fill a batch: returns as source_next does.  It starts from an empty batch. */
typedef int source_fill(struct source *source, struct batch *batch, struct err *err);

struct source {
    const struct dataset *dataset;
    const struct shard   *shard;
    source_fill          *fill;
    enum batch_kind       kind;
    uint64_t              unit_bytes, max_record;
    size_t                batch_bytes;                      /* decoded text that a batch of pieces aims at */
    source_wants         *wants;                            /* NULL: everything is wanted */
    void                 *wants_context;
    bool                  asked, unfollowed;                /* see source_is_followed */
    uint64_t              behind;                           /* bytes of the file that need not be met any more */
    uint32_t              piece;                            /* of the unit, of the last batch */
    uint64_t              record;                           /* number of the next record */
    /* decoded offset of the next record; items: sum of the lengths before it, rows: in their row group */
    uint64_t              at;

    struct input          input;
    struct codec          codec;
    char                  head[SOURCE_HEAD_BYTES];          /* decoded already, but not served */
    size_t                head_at, head_len;
    uint64_t              decoded;                          /* bytes that the codec has given */
    bool                  ended;                            /* and it has no more */
    struct damage         damage;
    uint64_t              lost;                             /* bytes of the file that rejects have told */
    bool                  cut;                              /* and one that it ends too early */

    struct bytes          carry;                            /* lines, pieces: decoded, but not in a batch yet */
    /* lines: inside a line that is passed over; which is too long, and not told yet; where it began; whether the last
     * byte before its line feed is a carriage return */
    bool                  skipping, skips, skipped_cr;
    uint64_t              skipped_from;
    /* lines: [units + 1] see source_set_starts; the unit that was asked for; on the way to the end of one that nobody
     * wants */
    const struct source_start *starts;
    uint64_t              units, entered;
    bool                  passing;
    /* pieces: a reject that is told when it is known where reading goes on */
    struct late_reject    late;

    struct archive       *archive;
    char                 *window;                           /* archives: what libarchive is reading */
    struct bytes          paths;                            /* archives: of the batch being filled */
    bool                  hit_end;                          /* archives: libarchive asked for more than there is */
    /* archives: zero bytes at the end of what it was given, up to a block */
    size_t                zeros;
    /* archives: reading the file failed; libarchive could not open it */
    bool                  tar, cpio, io_failed, open_failed;
    /* archives: libarchive seeks in the file; and finds members by their directory */
    bool                  seekable, seekable_zip;
    uint64_t              unpacked;                         /* archives: bytes that members have given */
    /* archives: looking for a header behind a damaged one, which is told when the next one is found: where it lay, and
     * what was found */
    struct damage         broken;
    uint64_t              broken_at;
    bool                  found, resumed;                   /* resumed: it was the archive's end */
    bool                  hole_told;                        /* archives: of the zeros before what was found */
    int                   found_rc;
    struct archive_entry *found_entry;
    bool                  skipping_member;                  /* archives: inside a member that is too long */
    /* archives: over, but the stream that it came from is not */
    bool                  draining;
    bool                  finished;                         /* nothing is left to fill a batch with */
    /* fill has said so: only the file's hash may be unfinished */
    bool                  exhausted;
    uint32_t              unit;                             /* of the last batch */
    uint64_t              worked;                           /* bytes taken in by this call of source_next */

    struct parquet_source *parquet;                         /* tables */
    struct csv_source     *csv;
    struct json_source    *json;                            /* arrays of JSON */

    struct tree           tree;
    size_t                next_file;
};

/* The next n decoded bytes at most: their number; 0 at the end, source->damage telling whether it is the right one;
 * -EIO, -ENOMEM. */
ssize_t source_read(struct source *source, void *out, size_t n, struct err *err);

/* Whether source_read has given everything. */
static inline bool source_is_drained(const struct source *source)
{
    return source->ended && source->head_at == source->head_len;
}

/* Sets err: the file is not the one it was, which is told by what the format says.  -EIO. */
int  source_changed(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of the file, as it was listed or is now, whichever is more. */
uint64_t source_size(const struct source *source);

/* n decoded bytes in bytes of the file, by what all that is decoded has taken. */
uint64_t source_in_file(const struct source *source, uint64_t n);

/* What is lost when nothing behind byte `at` of the file can be used. */
struct loss source_rest(const struct source *source, uint64_t at, uint64_t missing);

/* Puts a reject in as the batch's last record and moves source->record past it.  Damage never costs more of the file
 * than there is, whatever the loss says, and never nothing.  0 or -ENOMEM. */
int  source_reject(struct source *source, struct batch *batch, uint64_t byte, struct loss loss,
                   enum reject_reason reason, const char *detail, struct err *err);

/* Appends an item of len bytes.  0 or -ENOMEM; counts the record. */
int  source_add_item(struct source *source, struct batch *batch, uint64_t len, uint64_t path_at, uint64_t path_len,
                     struct err *err);

/* Whether another record that starts at source->at may go into the batch that has `count` records now. */
bool source_batch_has_room(const struct source *source, const struct batch *batch, uint64_t bytes);

/* Whether this call has done its share: without a record so far, it should return an empty batch. */
static inline bool source_is_tired(const struct source *source) { return source->worked >= SOURCE_STEP_BYTES; }

/* Whether the file's hash will be wanted, where stretches may be passed over: a guess by what will be the last unit, as
 * who hashes what he has just read need not read it twice.  At the end it is asked again. */
bool source_is_followed(struct source *source, uint32_t (*last_unit)(const struct source *source));

int  source_fill_lines(struct source *source, struct batch *batch, struct err *err);

/* Whether the open shard is such as source_starts tells of, but for what its frames say. */
bool source_has_starts(const struct source *source);

/* Goes on, without looking at what lies before it, with the decoded byte `target`, which may be the first one's of a
 * line, or inside one: from there it is passed over.  start: where decoding may begin, not behind it; follow: all is
 * read on the way, for the hash.  1 when it is there, 0 when this call has done enough, <0.  scratch: empty. */
int  source_go_to(struct source *source, const struct source_start *start, uint64_t target, bool follow,
                  struct bytes *scratch, struct err *err);

int  source_open_archive(struct source *source, struct err *err);
bool source_is_archive(const char *head, size_t len);
int  source_fill_archive(struct source *source, struct batch *batch, struct err *err);
void source_close_archive(struct source *source);

int  source_open_parquet(struct source *source, struct err *err);
int  source_fill_parquet(struct source *source, struct batch *batch, struct err *err);
void source_close_parquet(struct source *source);

/* ---- records that are pieces of the decoded text ---- */

/* What a splitter met at raw.at[*at], which it has moved past: something that is dealt with; more text is needed to
 * tell; the batch is to end before it (or with it, where it is a reject); the end of everything. */
enum { PIECE_TAKEN = 1, PIECE_MORE, PIECE_FULL, PIECE_END };    /* or <0 with err set */
typedef int source_step(struct source *source, struct batch *batch, size_t *at, struct err *err);

/* A reject of a piece that is passed over, and it is not known yet how far: told, before any other record, by
 * source_reject_late with where reading goes on.  PIECE_TAKEN; PIECE_FULL or -ENOMEM. */
int  source_reject_later(struct source *source, uint64_t from, uint64_t byte, enum reject_reason reason,
                         const char *why);
int  source_reject_late(struct source *source, struct batch *batch, size_t at, struct err *err);

/* Fills the batch with what `step` adds.  A reject has a batch of its own, as those that parsing adds would else come
 * behind it. */
int  source_fill_pieces(struct source *source, struct batch *batch, source_step *step, struct err *err);
/* Whether a record that starts at raw.at[at] may go into the batch, whose first one gives it its unit. */
bool source_batch_takes(const struct source *source, struct batch *batch, size_t at);
/* Adds the record raw.at[at .. at + len).  0 or -ENOMEM with err set. */
int  source_add_piece(struct source *source, struct batch *batch, size_t at, size_t len, struct err *err);

/* 1: it is records in JSON other than lines, and opened; 0: it is not; -ENOMEM.  first: place of the head's first byte
 * that is not blank. */
int  source_open_json(struct source *source, size_t first, struct err *err);
int  source_fill_json(struct source *source, struct batch *batch, struct err *err);
void source_close_json(struct source *source);

/* Reads the line of names.  0; -EINVAL: it has no column for the text; -EIO, -ENOMEM. */
int  source_open_csv(struct source *source, char separator, struct err *err);
int  source_fill_csv(struct source *source, struct batch *batch, struct err *err);
void source_close_csv(struct source *source);

/* Whether the shard's name, its compression's suffix left off, ends so. */
bool source_ends_in(const struct source *source, const char *ending);

int  source_open_tree(struct source *source, struct err *err);
int  source_fill_tree(struct source *source, struct batch *batch, struct err *err);

#endif
