/* scan/scan.h -- all questions that are asked of the corpora, answered while they stream by once.
 *
 * First every question prepares its small side (the join collects and indexes the benchmarks); then one pass shows each
 * record of the corpora to all of them.  What they found is read from their units afterwards. */
#ifndef LEAKGRAPH_SCAN_SCAN_H
#define LEAKGRAPH_SCAN_SCAN_H

#include "clone/clone.h"
#include "pass/counts.h"
#include "pass/item.h"
#include "near/near.h"
#include "ngram/ngram.h"
#include "pass/pass.h"
#include "portrait/portrait.h"
#include "repository/repository.h"
#include "sensitive/sensitive.h"

struct scan_job {
    /* comm to threads filled in, without items; scanners, totals and seconds are out, summed over ranks */
    struct pass         pass;
    size_t              shard_count;
    struct near_job    *near;                               /* NULL: not asked */
    struct ngram_job   *ngram;                              /* likewise */
    struct clone_job   *clones;                             /* likewise */
    struct portrait_job *portrait;                          /* likewise */
    struct repository_job *repositories;                    /* likewise; its index stays until repository_release */
    struct sensitive_job *sensitive;                        /* likewise, until sensitive_release */
    struct item_job    *items;                              /* not NULL: the benchmarks are stored without the join */
};

/* Collective.  0, or <0 with err set. */
int scan_run(struct scan_job *job, struct err *err);

/* Counts of what was read, for a run without joins; after scan_run, on rank 0.  0, or <0 with err set; *out is to be
 * freed either way. */
int scan_read_counts(const struct scan_job *job, const struct shard_list *shards, struct scan_counts *out,
                     struct err *err);

#endif
