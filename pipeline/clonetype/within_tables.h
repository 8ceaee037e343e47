/* clonetype/within_tables.h -- tables of graph.db: functions of corpora that have clones in the same corpus, and the
 * pairs of those of type 3. */
#ifndef LEAKGRAPH_CLONETYPE_WITHIN_TABLES_H
#define LEAKGRAPH_CLONETYPE_WITHIN_TABLES_H

#include "clonetype/within.h"
#include "graph/build.h"

/* by dataset, then in the contract's order; type1, type2c, type2: the number, from 1, of the first row of its class */
struct graph_clone_function {
    uint32_t     dataset, shard;
    uint64_t     record;
    struct slice source_id, path, repo, license, license_class, name, class_name;
    uint32_t     line, line_end, byte, byte_end, type1, type2c, type2;
};

/* by b, then the most alike; a < b: numbers, from 1, of rows of functions */
struct graph_clone_link {
    uint32_t a, b, common, whole, a_line, a_line_end, b_line, b_line_end;
    double   similarity;
};

extern const struct graph_table table_clone_functions, table_clone_links;

/* Adds the rows; the build points into the result.  0, or -ENOMEM with err set. */
int graph_add_within(struct graph_build *build, const struct within_result *result, struct err *err);

#endif
