/* corpus/cleaned.h -- cleaned shards, and lists of what is not in them: what they are called, and what a record and a
 * value look like in them.  For every capability that writes datasets again; writer.h has the files themselves. */
#ifndef LEAKGRAPH_CORPUS_CLEANED_H
#define LEAKGRAPH_CORPUS_CLEANED_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/record.h"

#define CLEANED_SHARD ".jsonl.zst"
#define CLEANED_LIST  ".tsv.zst"

/* What small shards are written together to, as they lie on disk, unless the user says otherwise. */
#define CLEANED_SIZE "64MiB"

/* A file that is written: what stays of the shards [first, first + count) of a list, one after the other.  name:
 * DATASET/SHARD.jsonl.zst, owned; SHARD is the first one's name, and +N behind it tells of N more. */
struct cleaned_file { char *name; size_t first, count; };

/* of: [shards->count] which file each shard goes to, CLEANED_NONE where its dataset takes no part.  waits: [count]
 * shards of each that are not done. */
#define CLEANED_NONE UINT32_MAX
struct cleaned_files { struct cleaned_file *at; size_t count; uint32_t *of, *waits; };

/* The files for the shards of the datasets that take part (takes_part[d] of datasets[d]).  Shards of one split that
 * stand side by side in the list share one while they have no more than `size` bytes together; one of so many bytes is
 * alone, and all are when size is 0.  It depends on the list alone.  0, -EEXIST, -ENOMEM with err set; either way
 * cleaned_files_free ends it, which accepts zeros. */
int  cleaned_files_make(struct cleaned_files *out, const struct shard_list *shards, const struct dataset *datasets,
                        const bool *takes_part, uint64_t size, struct err *err);
void cleaned_files_free(struct cleaned_files *files);

/* A shard is done: true for the last of its file.  Any thread. */
bool cleaned_files_done(struct cleaned_files *files, size_t shard);

/* Names the files, whose shards are known.  They differ from each other and stay inside the folder whatever the shards
 * are called.  0, -EEXIST, -ENOMEM with err set; then all are NULL. */
int  cleaned_names(const struct shard_list *shards, const struct dataset *datasets, struct cleaned_file *file,
                   size_t count, struct err *err);

/* Appends a record: its line as it stands or, when it was no JSON, an object of its text and fields; with
 * duplicate_count when cluster is above 1.  0 or -ENOMEM. */
int  cleaned_record(struct bytes *out, const struct record *record, uint32_t cluster);

/* Makes one line of an object that was printed over several: its line ends, which in JSON stand between values alone,
 * become blanks. */
void cleaned_join(char *at, size_t len);

/* Appends a value of a list: control characters, backslashes and bytes that are not UTF-8 as \xNN, so that it has
 * neither TAB nor line feed, and can be read back.  0 or -ENOMEM. */
int  cleaned_value(struct bytes *out, struct slice value);

#endif
