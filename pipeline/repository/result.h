/* repository/result.h -- what was found of the benchmarks' repositories, put together by rank 0. */
#ifndef LEAKGRAPH_REPOSITORY_RESULT_H
#define LEAKGRAPH_REPOSITORY_RESULT_H

#include "repository/index.h"
#include "near/result.h"

/* One repository of a benchmark in one corpus.  A file is found under every repository that has it. */
struct membership {
    uint32_t benchmark, corpus, name;
    uint64_t documents;                                     /* of the corpus that say they come from it */
    uint64_t files, exact, near;                            /* near: not exact */
    uint64_t elsewhere;                                     /* found under other names, of exact + near */
    bool     by_content;                                    /* exact + near reach `share` of files */
};

/* The same, for one other repository of the corpus; name of `other` '': documents without one. */
struct membership_copy { uint32_t benchmark, corpus, name, other; uint64_t exact, near; };

struct repository_result {
    /* [count] by (benchmark, name as bytes, corpus): each repository in each corpus */
    struct membership       *row;
    /* [copy_count] in the same order, then most files first; `top` of them at most */
    struct membership_copy  *copy;
    size_t                   count, copy_count;
    struct repository_index *index;                         /* has the names */
};

/* near: the result of pass near when it ran, else NULL.  The job has its index.  0, or <0 with err set. */
int  repository_result_read(struct repository_job *job, const struct near_result *near, struct repository_result *out,
                            struct err *err);
void repository_result_free(struct repository_result *result);

#endif
