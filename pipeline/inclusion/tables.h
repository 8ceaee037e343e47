/* inclusion/tables.h -- files, elements and answers, put into the graph of a run. */
#ifndef LEAKGRAPH_INCLUSION_TABLES_H
#define LEAKGRAPH_INCLUSION_TABLES_H

#include "graph/build.h"
#include "inclusion/inclusion.h"

struct graph_inclusion_file   { struct slice path, repo; uint32_t dataset, shard; uint64_t record; int64_t trained; };
struct graph_inclusion_answer {
    struct slice model, role, wanted, output;
    uint32_t     file, line;
    int64_t      score;
    bool         inside;
};

/* A repository at a threshold, as one model's answers have it. */
struct graph_inclusion_verdict {
    struct slice model, repo;
    int64_t      label;
    uint64_t     files, clean_files, clean_repositories;
    double       rate, clean_rate, excess, p_files, p_repositories, p_spread, p_adjusted, by[AUDIT_CATEGORIES];
    const char  *verdict;
    uint32_t     threshold;
    bool         decides, clean, decidable;
};

extern const struct graph_table *const inclusion_tables[];
extern const struct graph_table        table_inclusion_verdicts;

struct inclusion_verdicts;
struct inclusion_clones;

/* Adds all when the job is done; what is said of repositories goes to *verdicts and *clones too.  The graph points into
 * all three, which must outlive it.  0, or -ENOMEM with err set. */
int graph_add_inclusion(struct graph_build *build, const struct inclusion_job *job,
                        struct inclusion_verdicts *verdicts, struct inclusion_clones *clones, struct err *err);

#endif
