/* dedup/wanted.h -- the documents that are going to be compared: those of candidate pairs, the sampled ones and what
 * looks like them. */
#ifndef LEAKGRAPH_DEDUP_WANTED_H
#define LEAKGRAPH_DEDUP_WANTED_H

#include "dedup/state.h"

/* A bit a document, twice: by ids as they are told, by ordinals in the end. */
struct wanted { struct dedup_state *state; uint64_t *id, *ordinal; };

int  wanted_open(struct wanted *wanted, struct dedup_state *state, struct err *err);            /* not collective */
void wanted_close(struct wanted *wanted);                   /* accepts a zeroed one */

/* By an own ordinal; any thread. */
void wanted_mark(struct wanted *wanted, uint64_t ordinal);
bool is_wanted(const struct wanted *wanted, uint64_t ordinal);
/* The row of document i of an own unit, where it is wanted and admitted; NULL: it is not, and need not be looked at. */
const struct dedup_row *wanted_document(const struct wanted *wanted, const struct catalogue_unit *unit,
                                        const struct column_unit *columns, uint64_t i);

/* Both documents of all pairs of blocks that are not done, which stay in the shuffle (NULL: there are none), and, if
 * linked, of all links of those that are.  Collective.  0, or <0 with err set. */
int  wanted_pairs(struct wanted *wanted, struct shuffle *pairs, const bool *block_done, bool linked, struct err *err);

#endif
