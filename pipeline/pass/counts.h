/* pass/counts.h -- what was read: documents and rejects by dataset, split and language and by shard, and the numbers of
 * documents.
 *
 * Every scanner's units hold these counts, so whoever has read a shard can tell them. */
#ifndef LEAKGRAPH_PASS_COUNTS_H
#define LEAKGRAPH_PASS_COUNTS_H

#include "base/table.h"
#include "corpus/reject.h"
#include "pass/pass.h"

/* Documents of one dataset, split and language: the grain of every count.  Rejected records count under the language of
 * the configuration, or ''. */
struct scan_cell {
    uint32_t     dataset;
    struct slice split, language;
    uint64_t     documents, admitted, rejected, skipped, bytes;
};
/* first: number of its first document */
struct scan_shard  { uint64_t documents, rejected, xxh3, first; struct skips skipped; };
/* Or a binary file, which has a record's number (reject_is_skip).  path_at: of the reject's path in the counts' paths;
 * until: such numbers of the shard up to its last, once finished */
struct scan_reject { uint32_t shard; struct reject reject; size_t path_at; uint64_t until; };

struct scan_counts {
    const struct dataset    *datasets;
    const struct shard_list *shards;
    /* [cell_count] once finished, by dataset, then by split and language as bytes */
    struct scan_cell        *cell;
    size_t                   cell_count, cell_room;
    struct scan_shard       *shard;                         /* [shards->count] */
    struct scan_reject      *reject;                        /* [reject_count] by (shard, record) */
    size_t                   reject_count, reject_room;
    struct bytes             paths;
    size_t                  *shard_reject;                  /* [shards->count + 1] first reject of each shard */
    struct table             cells;
    char                   **name;                          /* [name_count] the strings of cells */
    size_t                   name_count, name_room;
};

/* datasets and shards are borrowed.  0 or -ENOMEM with err set; *out is to be freed either way. */
int  counts_open(struct scan_counts *out, const struct dataset *datasets, const struct shard_list *shards,
                 struct err *err);

/* Adds a unit's groups and rejects; units of a shard in order.  0 or -ENOMEM with err set. */
int  counts_add_unit(struct scan_counts *counts, const struct pass_unit *unit, struct err *err);

/* The cell of a dataset, split and language, made when new; the strings are copied.  Until counts_finish.  0 or -ENOMEM
 * with err set. */
int  counts_cell(struct scan_counts *counts, uint32_t dataset, struct slice split, struct slice language, uint32_t *out,
                 struct err *err);

/* Sorts everything and numbers the shards' documents.  *place, owned by the caller, tells where each cell went.  0 or
 * -ENOMEM with err set. */
int  counts_finish(struct scan_counts *counts, uint32_t **place, struct err *err);

/* All of it from the units of scanners: each shard is told by the first that takes it.  0; -EIO (a unit has
 * disappeared), -ENOMEM with err set. */
int  counts_read(struct scan_counts *out, const struct pass *pass, const struct shard_list *shards, struct err *err);

/* id_within_dataset of a record that is a document, once finished. */
uint64_t counts_number(const struct scan_counts *counts, uint32_t shard, uint64_t record);
void counts_free(struct scan_counts *counts);

#endif
