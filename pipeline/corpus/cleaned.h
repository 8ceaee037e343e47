/* corpus/cleaned.h -- cleaned shards, and lists of what is not in them: what they are called, what a record and a value
 * look like in them, and what goes before they are made anew.  For every capability that writes datasets again;
 * writer.h has the files themselves. */
#ifndef LEAKGRAPH_CORPUS_CLEANED_H
#define LEAKGRAPH_CORPUS_CLEANED_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/record.h"

#define CLEANED_SHARD ".jsonl.zst"
#define CLEANED_LIST  ".tsv.zst"

/* Names for the shards of the datasets that take part (takes_part[d] of datasets[d]), DATASET/SHARD.jsonl.zst:
 * name[shards->count], each owned by the caller, NULL elsewhere.  They differ from each other and stay inside the
 * folder whatever the shards are called.  0, -EEXIST, -ENOMEM with err set; then all are NULL. */
int  cleaned_names(const struct shard_list *shards, const struct dataset *datasets, const bool *takes_part, char **name,
                   struct err *err);

/* Appends a record: its line as it stands or, when it was no JSON, an object of its text and fields; with
 * duplicate_count when cluster is above 1.  0 or -ENOMEM. */
int  cleaned_record(struct bytes *out, const struct record *record, uint32_t cluster);

/* Makes one line of an object that was printed over several: its line ends, which in JSON stand between values alone,
 * become blanks. */
void cleaned_join(char *at, size_t len);

/* Appends a value of a list: control characters, backslashes and bytes that are not UTF-8 as \xNN, so that it has
 * neither TAB nor line feed, and can be read back.  0 or -ENOMEM. */
int  cleaned_value(struct bytes *out, struct slice value);

/* Removes the files below folder that end in suffix and are not among keep[count] (whole paths, sorted by strcmp), and
 * files that a killed run has left unfinished.  Nothing else is touched, and no link below the folder is followed.  0,
 * or <0 with err set. */
int  cleaned_sweep(char *folder, char *const *keep, size_t count, const char *suffix, struct err *err);

#endif
