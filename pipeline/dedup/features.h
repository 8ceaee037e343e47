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

/* Removes what features_make has left, in this run or an earlier one that was of other settings.  Collective.  0, or <0
 * with err set. */
int  features_remove(struct dedup_state *state, struct err *err);

/* Those of a unit of columns, in the order of their records; none before features_make.  0, or <0 with err set. */
int  features_load(const struct dedup_job *job, uint32_t shard, uint64_t number, bool verified, struct features *out,
                   struct err *err);
void features_close(struct features *features);             /* accepts a zeroed one */

/* Of a record; distinct 0: none were made. */
struct column_features features_find(const struct features *features, uint64_t record);

#endif
