/* corpus/source.h -- an open shard: codec and container, decoded into batches of whole records.
 *
 * What the shard is (JSON lines, lines, other JSON, CSV, tar/cpio/zip/7z archive, tree, a single source file; which
 * compression) is found from its first bytes, its name decides only where bytes cannot: a file that is no archive and
 * whose first non-blank byte is `{`, or whose name without its compression's suffix ends in .jsonl or .ndjson, is
 * JSON lines, unless it is one of the other forms of JSON below; one whose name ends in .csv or .tsv is a table; any
 * other text file is one document, whose path is its name without that suffix.  A text has no NUL among its first 8
 * KB: a file that has one is rejected as `binary`; in a tree or an archive it is passed over and counted (skip.h).  A
 * file that is called packed, or an archive, and is neither that nor JSON lines is rejected as corrupt.
 *
 * JSON that is not lines, of any size: an array of objects as the whole file (its first byte is `[`, and the name
 * ends in .json or an object follows); objects printed over many lines, one after the other (the first line ends in
 * `{`, `[`, `,` or `:`); and an object that has the records as a list, {"version": 1, "data": [{...}, ...]}: the
 * first list of objects at its top that begins within the first 8 KB, where no text is at the top too, and the object
 * is either printed over many lines, or in a file called .json all there is.  A further list is a reject that says
 * so.  Each element is a record.  One that is no record is a reject, as with lines; where its brackets or quotes do
 * not close, reading goes on with the next place that looks like the end of one object and the beginning of the
 * next.  Commas are not insisted on.  A file that ends in an element or before its `]` has a reject `truncated`.
 *
 * CSV and TSV (csv.h; TSV differs by its separator alone): the first line names the columns, which are the fields;
 * blank lines are no rows, and a field other than the text that is empty without quotes is not there.  A row with
 * another number of columns is a reject.  That the text's column is not there is an error.  In a tree such files are
 * documents like others.
 *
 * Parquet: each row is a record; its columns are the fields by name, dots reach into groups.  Of a list only
 * `tokens` is made, and only of strings.  That the text's column is none to be read, or is not there, is an error,
 * and so is a column that the dataset names; of the default names such columns are passed over.  A batch is rows of
 * one row group.  A row group that is damaged costs its rows from there on: one reject stands for all of them, and the
 * records behind it keep their numbers.  Dates and timestamps are ISO 8601; other types whose bytes are neither text
 * nor number (DECIMAL, UUID, ...) are refused as such columns are.
 *
 * JSON lines: blank lines are no records, but one longer than a record may be is one that is too long; CRLF line ends
 * and a byte order mark at the start are accepted.  `format: lines`: every line, empty ones too, is a document without
 * its line end; no container is looked for.
 *
 * Archives: each regular member is a document, but for links and what its path is reason to pass over (skip.h), which
 * the batch counts; special members are none, and a compressed member is not decoded.  A member that is damaged, or of
 * which libarchive says anything but that all is well, is rejected, and the next one read where the format allows it.
 * Archives laid end to end in one tar are all read; anything else behind an archive's end is a reject.
 *
 * What is lost (struct reject): of a stream that is damaged or cut, what lies behind the bytes that its decoder has
 * used, and what the file lacks at its end, as a zstd frame's header, a 7z's or a tar's member tells, a byte else; of a
 * member of an archive what it takes of the file; of Parquet the share that the lost rows are of all.  A shard with
 * less in it than when it was listed is cut.  A cut between two lines, frames or members, where nothing says that there
 * should be more, cannot be seen. */
#ifndef LEAKGRAPH_CORPUS_SOURCE_H
#define LEAKGRAPH_CORPUS_SOURCE_H

#include "corpus/dataset.h"
#include "corpus/frames.h"
#include "corpus/record.h"

/* decoded text a unit holds; a record belongs to the unit it starts in */
#define SOURCE_UNIT_BYTES  (256ull << 20)
#define SOURCE_BATCH_BYTES (1ull << 20)                     /* aimed at; one longer record makes a longer batch */
/* passed over without a record in one call of source_next */
#define SOURCE_STEP_BYTES  (64ull << 20)

struct source;                                              /* opaque; one caller at a time */

/* Opens a shard.  0; -EIO, -ENOENT, -ENOMEM, -EINVAL (a format that is not read: how to convert it is said) with err
 * set. dataset and shard are borrowed until close. */
int  source_open(struct source **out, const struct dataset *dataset, const struct shard *shard, struct err *err);

/* Fills the batch with the next records; a batch never crosses a unit's border, and units never decrease.  1; 0 at the
 * end; -EIO (the file cannot be read), -ENOMEM with err set.  A batch may be empty (no records, no rejects, the unit of
 * the batch before): after SOURCE_STEP_BYTES without a record the caller is given a chance to do something else.
 * Damage in the data (corrupt or truncated stream, bomb) is no error: a reject is put into the batch, and the shard
 * ends there or goes on where the format allows it (a batch may hold rejects only, or only count what is
 * passed over). */
int  source_next(struct source *source, struct batch *batch, struct err *err);

/* of the file as it lies on disk, so far; what is passed over is among them */
uint64_t source_bytes_read(const struct source *source);
/* of those, the ones handed to the decoder: up to 1 MB less */
uint64_t source_bytes_taken(const struct source *source);

/* xxh3-64 of the file as it lies on disk, after source_next gave 0, where it is wanted.  A tree: its signature
 * (tree.h), as its files are not read twice. */
uint64_t source_xxh3(struct source *source);

/* Whether the file, by its name and as it is open, is the one that was listed: by size, time and inode; whole: and of a
 * folder's tree, which is listed again, each file by size and time.  What was read of another one is worth nothing.
 * 0; -EIO naming it, -ENOMEM with err set. */
int  source_check(const struct source *source, bool whole, struct err *err);
void source_close(struct source *source);                   /* accepts NULL */

/* Another unit size than SOURCE_UNIT_BYTES, another batch size of elements and rows than SOURCE_BATCH_BYTES, before the
 * first source_next. */
void source_set_unit_bytes(struct source *source, uint64_t bytes);
void source_set_batch_bytes(struct source *source, size_t bytes);

/* Records that can be passed over without being decoded, as a row group of Parquet or the lines of a unit, and the
 * units that they may be of.  What is not wanted takes its numbers all the same, and is told by an empty batch of its
 * first unit.  A stretch of no records asks whether the file's hash is wanted, for which all of it is read: at the end
 * with the last batch's unit, and once before with what that will probably be. */
struct stretch { uint64_t first_record, records; uint32_t first_unit, last_unit; };
typedef bool source_wants(void *context, const struct stretch *stretch);

/* Before the first source_next: who is asked.  A source that has no such stretches asks nobody, and gives everything.
 */
void source_set_wants(struct source *source, source_wants *wants, void *context);

/* Lines, JSON or not, have no directory that says which number a record in the middle has: they are counted first,
 * unit by unit, by whoever likes.
 * Whether such a file can be entered in the middle: 1: it is plain, and can be anywhere (*frame NULL, *frames 0), or it
 * is zstd of several frames, none of them very long, with max_ratio far from all of it; *frame to be freed.  0: no;
 * <0 as source_open. */
int  source_frames(struct frame **frame, size_t *frames, const struct dataset *dataset, const struct shard *shard,
                   struct err *err);
/* Measures frames of it (frames_measure).  1; 0: one is damaged; <0 as source_open. */
int  source_measure(struct frame *frame, size_t frames, const struct shard *shard, struct err *err);
/* A unit's number of its first record (or of the next there is), and where decoding may begin for it: a byte of the
 * file, with the decoded bytes before it. */
struct source_start { uint64_t record, file, text; };
/* *start: [*units + 1] of the file with measured frames, each record 0, the last one the end; to be freed.  file_bytes:
 * of the file.  0 or -ENOMEM. */
int  source_starts(struct source_start **start, uint64_t *units, const struct frame *frame, size_t frames,
                   uint64_t file_bytes, uint64_t unit_bytes, struct err *err);
/* *records: of such a file, those that start in the unit, which start is of.  1; 0: it is damaged, and can only be read
 * from its beginning; <0 as source_open and source_next; -EIO also of another file. */
int  source_count_unit(uint64_t *records, const struct dataset *dataset, const struct shard *shard,
                       uint64_t unit_bytes, uint64_t unit, const struct source_start *start, struct err *err);
/* Before the first source_next: the numbers are set, start[units] that of all, and no unit was damaged.  Borrowed until
 * close.  Then each unit with records is a stretch.  -EIO by source_next where it counts otherwise, or is damaged: the
 * file has changed.  Of another file it is ignored. */
void source_set_starts(struct source *source, const struct source_start *start, uint64_t units);

#endif
