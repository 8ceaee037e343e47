/* corpus/source.h -- an open shard: codec and container, decoded into batches of whole records.
 *
 * What the shard is (JSON lines, lines, tar/zip/7z archive, tree, a single source file; which compression) is found from its first bytes,
 * its name decides only where bytes cannot: a file that is no archive and whose first non-blank byte is `{`, or whose name without its
 * compression's suffix ends in .jsonl or .ndjson, is JSON lines; any other text file is one document, whose path is its name
 * without that suffix.  A text has no NUL among its first 8 KB: files and members that have one are rejected as `binary`.
 *
 * JSON lines: blank lines are no records, CRLF line ends and a byte order mark at the start are accepted.  `format: lines`: every line,
 * empty ones too, is a document without its line end; no container is looked for.  Archives: each regular member is a document;
 * links and special members are not, and a compressed member is not decoded. */
#ifndef LEAKGRAPH_CORPUS_SOURCE_H
#define LEAKGRAPH_CORPUS_SOURCE_H

#include "corpus/dataset.h"
#include "corpus/record.h"

#define SOURCE_UNIT_BYTES  (256ull << 20)                   /* decoded text a unit holds; a record belongs to the unit it starts in */
#define SOURCE_BATCH_BYTES (1ull << 20)                     /* aimed at; one longer record makes a longer batch */

struct source;                                              /* opaque; one caller at a time */

/* Opens a shard.  0; -EIO, -ENOENT, -ENOMEM with err set.  dataset and shard are borrowed until close. */
int  source_open(struct source **out, const struct dataset *dataset, const struct shard *shard, struct err *err);

/* Fills the batch with the next records; a batch never crosses a unit's border.  1; 0 at the end; -EIO (the file cannot be read),
 * -ENOMEM with err set.  Damage in the data (corrupt or truncated stream, bomb) is no error: a reject is put into the batch, and the
 * shard ends there or goes on where the format allows it (a batch may hold rejects only). */
int  source_next(struct source *source, struct batch *batch, struct err *err);

uint64_t source_bytes_read(const struct source *source);    /* of the file as it lies on disk, so far */
uint64_t source_xxh3(struct source *source);                /* xxh3-64 of the file as it lies on disk; after source_next gave 0 (a tree: over sorted paths and contents) */
void source_close(struct source *source);                   /* accepts NULL */

/* Another unit size than SOURCE_UNIT_BYTES, before the first source_next: for tests of unit borders. */
void source_set_unit_bytes(struct source *source, uint64_t bytes);

#endif
