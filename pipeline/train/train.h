/* train/train.h -- training of an n-gram model in one pass over shards, with all threads and ranks.
 *
 * A unit of the pass holds a part of a shard as numbers into vocabularies of its own; these are merged (most frequent
 * first, of equals by bytes); the n-grams of the highest order are counted in ranges, each by one rank, as many at a
 * time as `memory` holds; and rank 0 estimates.  The model depends on the corpus and the options alone, `memory` not
 * among them.
 *
 * Memory: of every rank `memory` and the vocabulary (some 70 bytes a different piece, and the piece); of rank 0 while
 * it estimates 4 bytes a token and 8 more for each different n-gram of the highest order, and what lm_estimate says. */
#ifndef LEAKGRAPH_TRAIN_TRAIN_H
#define LEAKGRAPH_TRAIN_TRAIN_H

#include "base/comm.h"
#include "base/stage.h"
#include "corpus/dataset.h"
#include "lm/lm.h"
#include "pass/run.h"

struct train_options {
    uint32_t order;                                         /* 2 to LM_ORDER_MAX */
    uint32_t least;                                         /* a piece that stands less often in the corpus is <unk> */
    int      smoothing;
    /* bytes of this rank for counting; with less than some MB it takes these all the same */
    uint64_t memory;
};

struct train_job {
    const struct run *run;
    const struct train_options *options;
    /* Out, on rank 0: */
    uint64_t                    documents, rejected, text_bytes, pieces;
    uint64_t                    grams[LM_ORDER_MAX + 1];    /* different ones by order; of 1 they are the vocabulary */
    double                      seconds[3];                 /* of the pass, of counting, of estimating */
};

/* Collective.  Leaves the model at path, and where records were not used path.rejects.tsv, which lists them (rank 0
 * writes).  Without a document there is no model, and what is at path stays.  Resumes.  0, or <0 with err set. */
int train_run(struct train_job *job, const char *path, struct err *err);

#endif
