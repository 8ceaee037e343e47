/* pass/run.h -- the run that all capabilities take part in: what every one of them is told, once. */
#ifndef LEAKGRAPH_PASS_RUN_H
#define LEAKGRAPH_PASS_RUN_H

#include "base/comm.h"
#include "base/stage.h"
#include "corpus/dataset.h"

/* Borrowed, and the same on all ranks but for what belongs to a process. */
struct run {
    struct comm             *comm;
    struct stage            *stage;
    const char              *version;                       /* of the program: units of another one are not used */
    const char              *output;                        /* run folder */
    /* graph.db before it is complete, for `finish` to ask; NULL: nobody does */
    const char              *draft;
    const struct dataset    *datasets;                      /* all of the configuration, in its order */
    size_t                   dataset_count;
    const struct shard_list *shards;                        /* of all datasets, in the contract's order */
    bool                     store_text, store_tokens;      /* what graph.db keeps of documents */
    int                      threads;
    /* [anew_count] of the first shards: none of its units is used; NULL: all may be */
    const bool              *anew;
    size_t                   anew_count;
    uint64_t                 memory;                        /* bytes, as the user said; 0: nothing was said */
};

/* Bytes that work on one rank alone may take, by default three quarters of what base/memory.h finds; and that every
 * rank may take at once, where the default is divided by their number. */
uint64_t run_memory(const struct run *run);
uint64_t run_memory_share(const struct run *run);

/* 0, or -ENOMEM with err set where work on rank 0, or of every rank, needs more bytes than that.  what: begins the
 * sentence, "ngrams: n-grams of the benchmarks"; advice: what makes it less. */
int run_memory_check(const struct run *run, bool every_rank, uint64_t need, const char *what, const char *advice,
                     struct err *err);

/* Warns where a pass may come to more on each rank, if documents have all that is looked for, and says whether it did.
 * What they have is seen only when they are read, so that this ends no run. */
bool run_memory_warn(const struct run *run, uint64_t most, const char *what);

/* What one of the sorts of rank 0 takes of the former while results are put together, of which a few are there at a
 * time: an eighth. */
uint64_t run_memory_sorting(const struct run *run);

/* The default within a limit of so many bytes: three quarters, less where what a process takes besides would not fit;
 * 0 if there is no limit. */
uint64_t run_memory_within(uint64_t limit);

/* The second for a run that is yet to be: what the user said, or 0, and so many ranks on this host. */
uint64_t run_memory_of(uint64_t said, int ranks);

#endif
