/* compliance/tables.h -- functions, answers and groups of them, put into the graph of a run. */
#ifndef LEAKGRAPH_COMPLIANCE_TABLES_H
#define LEAKGRAPH_COMPLIANCE_TABLES_H

#include "compliance/compliance.h"
#include "graph/build.h"

struct graph_compliance_function {
    struct slice name, signature, license, license_class, reference;
    uint32_t     dataset, shard;
    uint64_t     record;
    uint32_t     lines, complexity, comments, words, characters, prompt_lines;
};

struct graph_compliance_answer {
    struct slice answers_of, named, answer, reply;
    uint32_t     function, shared;
    double       bleu, jaccard, edit, most;
    int64_t      right;
    bool         striking, refused;
};

struct graph_compliance_group {
    struct slice answers_of;
    uint32_t     dataset;
    uint64_t     answers, refused, benchmark, striking, permissive, permissive_right, copyleft, copyleft_right;
    double       lico;
    bool         by_model;
};

extern const struct graph_table *const compliance_tables[];

/* Adds all when the job is done.  The graph points into it.  0, or -ENOMEM with err set. */
int graph_add_compliance(struct graph_build *build, const struct compliance_job *job, struct err *err);

#endif
