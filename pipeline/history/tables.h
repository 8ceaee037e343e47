/* history/tables.h -- what a run's graph.db keeps of the runs before it. */
#ifndef LEAKGRAPH_HISTORY_TABLES_H
#define LEAKGRAPH_HISTORY_TABLES_H

#include "graph/table.h"
#include "history/changes.h"

/* A run; the last is this one.  folder: empty where only a later run's graph.db remembers it. */
struct history_run {
    struct slice folder, started, finished, version, commit, digest, configuration_hash, gates;
    bool         compared;
};

/* How much of a benchmark, or of one split of it ('': all), leaked in that run into another dataset. */
struct history_leak {
    uint32_t     run;
    struct slice source, split, target;
    uint64_t     documents, direct, contained, copies, transitive;
};

extern const struct graph_table table_history_runs, table_history_leakage, table_changes, table_changed_items;
extern const struct graph_table *const history_tables[];    /* for the descriptor */

#endif
