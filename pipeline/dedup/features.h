/* dedup/features.h -- features of brief documents, made again from the shards for those that are compared.
 *
 * What is wanted of each unit of columns is committed as a unit "wanted", by the owner of its rows; a second pass reads
 * the shards that have any, and commits a unit "features" beside each of columns.  Both are named after what candidates
 * follow from, so a run that goes on finds them; they are removed when nothing is compared any more. */
#ifndef LEAKGRAPH_DEDUP_FEATURES_H
#define LEAKGRAPH_DEDUP_FEATURES_H

#include "dedup/columns.h"

struct dedup_state;
struct wanted;

/* Makes the features of what is wanted and brief; from then on columns_features has them.  Says in the state how
 * much is compared.  Collective.  0, or <0 with err set: -EIO where a shard is another one by now. */
int  features_make(struct dedup_state *state, const struct wanted *wanted, struct err *err);

/* Removes what features_make and gather_make have left, in this run or an earlier one that was of other settings.
 * Collective.  0, or <0 with err set. */
int  features_remove(struct dedup_state *state, struct err *err);

/* The key of what is made for the documents that are compared. */
struct unit_key features_key(const struct dedup_state *state);

/* A file of features (kind: "features", those made again; "gathered", see gather.h) lies beside a unit of columns and
 * is a unit of the pass: of its parts' sections the values are hashes, the counts occurrences, and the rows these.
 * count_at: UINT64_MAX where every feature occurs once. */
struct features_row { uint64_t index, feature_at, count_at; uint32_t distinct, total; };
_Static_assert(sizeof(struct features_row) == 32, "unit format");

/* Bytes of a document's features. */
static inline uint64_t features_bytes(const struct dedup_row *row)
{
    return row->distinct * (sizeof(uint64_t) + (row->distinct < row->total ? sizeof(uint32_t) : 0));
}

/* Adds those of document `index` to the part's sections.  0 or -ENOMEM. */
int  features_append(struct bytes section[PART_SECTIONS], uint64_t index, struct column_features features);

/* Its key; and what lies beside a unit, which is nothing where the key is zero or there is no file.  verified: this
 * process has loaded it before.  0, or <0 with err set. */
struct unit_key features_unit_key(const struct dedup_job *job, struct unit_key key, const struct catalogue_unit *unit);
int  features_load(const struct dedup_job *job, const char *kind, struct unit_key key,
                   const struct catalogue_unit *unit, bool verified, struct features *out, struct err *err);
void features_close(struct features *features);             /* accepts a zeroed one */

/* Of document `index` of the unit; distinct 0: it has none here. */
struct column_features features_find(const struct features *features, uint64_t index);

/* How many a file of one part has, and the n-th of them, with its index. */
size_t features_count(const struct features *features);
struct column_features features_at(const struct features *features, size_t n, uint64_t *index);

#endif
