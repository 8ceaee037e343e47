/* dedup/gather.h -- features of the documents that are compared, side by side.
 *
 * Of a corpus of short documents one in six is compared, and each several times, in rounds that go through all units
 * (fetch.h).  Where columns are more than is kept mapped, what is wanted of a unit is copied out of it once, in order,
 * into a unit "gathered" (features.h), brief documents' features among it: a seventh of the bytes, which the system's
 * cache has room for where it has none for all columns. */
#ifndef LEAKGRAPH_DEDUP_GATHER_H
#define LEAKGRAPH_DEDUP_GATHER_H

#include "dedup/features.h"
#include "dedup/state.h"

/* What may be mapped at once, so that what the process is seen to use stays small: the kernel maps what lies around a
 * page as well, and soon all.  Beyond it copies take half a second of seven more (1 GB of columns). */
enum { GATHER_SMALL = 256 << 20 };

/* Are so many bytes few enough to be mapped as long as documents are compared?  Are the columns of all ranks more? */
bool gather_is_small(const struct dedup_state *state, uint64_t bytes);
bool gather_pays(const struct dedup_state *state);

/* Gathers what is wanted of this rank's units, if that is less than half of a unit and not mostly made again, and says
 * in state->gathered of which it did: not of tiny ones, nor where the disk is full.  After features_make.  Collective.
 * 0, or <0 with err set. */
int  gather_make(struct dedup_state *state, const struct wanted *wanted, struct err *err);

/* What was gathered of an own unit, which is something; to be closed by features_close.  0, or <0 with err set: -EIO
 * where the file is gone. */
int  gather_load(struct dedup_state *state, size_t unit, struct features *out, struct err *err);

/* Of document i of a unit: from what was gathered, where it was (a zeroed one: it was not), or from its columns. */
struct column_features gather_features(const struct features *gathered, const struct column_unit *columns, uint64_t i);

#endif
