/* repository/tables.h -- what was found of the benchmarks' repositories, put into the graph of a run. */
#ifndef LEAKGRAPH_REPOSITORY_TABLES_H
#define LEAKGRAPH_REPOSITORY_TABLES_H

#include "graph/build.h"
#include "repository/result.h"

/* One repository of a benchmark in one corpus; and in the same, under another name.  Both by (benchmark, repository,
 * corpus). */
struct graph_repository {
    uint32_t benchmark, corpus;
    struct slice repo;
    uint64_t documents, files, exact, near, elsewhere;
    bool by_name, by_content;
};
struct graph_repository_copy { uint32_t benchmark, corpus; struct slice repo, other; uint64_t exact, near; };

extern const struct graph_table table_repositories, table_repository_copies;
extern const struct graph_table *const repository_tables[];     /* for the descriptor */

/* Adds the repositories and their copies.  The graph points into result and its index, which must outlive it.  0, or
 * -ENOMEM with err set. */
int graph_add_repositories(struct graph_build *build, const struct repository_result *result, struct err *err);

#endif
