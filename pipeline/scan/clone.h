/* scan/clone.h -- line clones: the blocks of lines that a small side (benchmarks, outputs of a model) shares with corpora.
 *
 * All benchmarks together are the small side, all corpora the other.  A block is a run of significant lines of one document (clone_line.h);
 * it is repeated when it occurs on the small side, and there or in the corpora at least once more; places may overlap.  M(i) is the length
 * of the longest repeated block that begins at line i.  Reported are the distinct blocks [i, i + M(i)) with M(i) >= lines where i is the first line of its
 * document or M(i - 1) <= M(i), on either side, if they occur on both: near-supermaximal repeats, which is what Simian reports of a run.
 * With `self` the corpora are not read, and the blocks are those repeated on the small side. */
#ifndef LEAKGRAPH_SCAN_CLONE_H
#define LEAKGRAPH_SCAN_CLONE_H

#include "base/comm.h"
#include "base/stage.h"
#include "scan/clone_line.h"
#include "scan/pass.h"

struct clone_options {
    uint32_t lines;                                         /* of the shortest block */
    int      normal;                                        /* enum clone_normal */
    bool     self;
    uint32_t places;                                        /* of a block that are kept on either side; counts are of all */
};

struct clone_index;

enum clone_stage { CLONE_COLLECT, CLONE_INDEX, CLONE_SCAN, CLONE_STAGES };

struct clone_job {
    struct comm                *comm;
    struct stage               *stage;
    const char                 *version;                    /* of the program: units of another one are not used */
    const struct dataset       *datasets;
    size_t                      dataset_count;
    const struct shard_list    *shards;
    const struct clone_options *options;
    bool                        store_text;                 /* keep the texts of the small side for graph.db */
    int                         threads;
    uint64_t                    memory;                     /* bytes that the small side and its index may take; 0: no limit */
    struct clone_index         *index;                      /* from clone_prepare to clone_release */
    struct pass_totals          totals;                     /* out, of the small side, summed over ranks; clone_totals_add adds the corpora */
    double                      seconds[CLONE_STAGES];      /* out, wall time of each stage on this rank */
};

/* Reads the small side and maps its index, resuming what is committed.  Collective.  Whatever it returns, clone_release ends it. */
int  clone_prepare(struct clone_job *job, struct err *err);
void clone_release(struct clone_job *job);

/* The scanner of corpora, not to be used with `self`: needs clone_prepare to run, not to find its units. */
struct pass_scanner clone_scanner(const struct clone_job *job);
void clone_totals_add(struct clone_job *job, const struct pass *pass);

#endif
