/* dedup/fetch.h -- features of documents by id, wherever they lie. */
#ifndef LEAKGRAPH_DEDUP_FETCH_H
#define LEAKGRAPH_DEDUP_FETCH_H

#include "dedup/state.h"

struct fetch {
    struct dedup_state *state;
    struct column_unit *unit;                               /* [own units] mapped as needed, and what was gathered: */
    struct features    *gathered;                           /* [own units] of a unit that has it, instead of columns */
    bool                direct;                             /* one rank, and its columns are small: nothing is copied */
    int                 threads;                            /* that may have a unit mapped at the same time */
    /* What was asked for: ids ascending, and of each its ordinal and features. */
    uint64_t           *id, *ordinal;
    struct column_features *features;
    size_t              count;
    struct bytes       *in;                                 /* [ranks] questions; features of the others' documents */
    struct bytes       *answer;                             /* [own units] what was asked of each, rank by rank, */
    size_t             *answer_at;                          /* [own units][ranks + 1] which begin there */
};

/* Threads that may have a unit of so many bytes mapped at a time. */
int  fetch_threads(const struct dedup_state *state, uint64_t largest);

/* Pairs of documents that a rank may fetch at a time. */
size_t fetch_pairs(const struct dedup_state *state);

int  fetch_open(struct fetch *fetch, struct dedup_state *state, struct err *err);               /* not collective */
void fetch_close(struct fetch *fetch);

/* Makes the documents of id[count] (any order, repeats allowed) available; what was there before is gone.  Collective.
 * 0, or <0 with err set. */
int  fetch_run(struct fetch *fetch, const uint64_t *id, size_t count, struct err *err);

/* A document that was asked for; any thread. */
struct fetched { uint64_t ordinal; struct column_features features; };
struct fetched fetch_get(const struct fetch *fetch, uint64_t id);

/* verify.c: is this a pair?  When it is, *link says all that is known of it.  worse may be inside better, not the other
 * way round: the better one stays. */
bool pair_decide(const struct dedup_options *options, struct fetched worse, struct fetched better,
                 struct dedup_link *link);

#endif
