/* inclusion/clones.h -- what models wrote in the place of second halves of functions, by clone types, and what that
 * says of repositories: a baseline beside elements (docs/definitions.md, "Inclusion").
 *
 *   exact      a function is given back where what was written is a clone of its second half; functions that another
 *              repository has a clone of do not count, as nobody knows from which of the two they are.  A repository
 *              was trained on where more than a share of those that count is given back.
 *   published  by classes of clones among functions of it and of others (classes.h). */
#ifndef LEAKGRAPH_INCLUSION_CLONES_H
#define LEAKGRAPH_INCLUSION_CLONES_H

#include "audit/permutation.h"
#include "clonetype/index.h"
#include "graph/build.h"
#include "inclusion/inclusion.h"
#include "inclusion/learned.h"
#include "inclusion/tables.h"

/* A function that a model was asked for; type empty: it is no clone, or the model was not asked. */
struct graph_inclusion_function {
    struct slice model, type, wanted, output;
    uint32_t     file, line;
    double       alike;                                     /* NaN: not asked */
    uint64_t     elsewhere, others;
    bool         counts;
};

struct graph_inclusion_clone {
    struct slice model, repo;
    int64_t      label;
    uint64_t     files, functions, back, type[CLONE_TYPES], clean_repositories;
    double       rate, clean_rate, p_files, p_spread;
    bool         clean, said;
};

extern const struct graph_table table_inclusion_functions, table_inclusion_clones, table_inclusion_clone_scores;

/* A zeroed struct is empty.  Rows point into it, and into the job. */
struct inclusion_clones {
    struct audit_features            files;                 /* of all, as many as the job's */
    struct audit_repositories        repositories;
    struct graph_inclusion_function *function;
    struct graph_inclusion_clone    *row;
    struct graph_inclusion_score    *score;                 /* classifier: the loosest type that counted */
    size_t functions, rows, scores;
};

/* Makes them of the functions that a job has asked for, none where it asked for none.  0, or -ENOMEM with err set; free
 * it either way. */
int  inclusion_clones_make(struct inclusion_clones *out, const struct inclusion_job *job,
                           const struct graph_inclusion_file *file, struct err *err);
void inclusion_clones_free(struct inclusion_clones *clones);

int graph_add_inclusion_clones(struct graph_build *build, const struct inclusion_clones *clones, struct err *err);

#endif
