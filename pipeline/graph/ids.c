/* graph/ids.c -- see ids.h. */
#include "graph/ids.h"

#include <errno.h>

int graph_ids_fit(const struct graph *graph, struct err *err)
{
    uint64_t documents = 0;

    for (size_t s = 0; s < graph->split_count; s++) {       /* those of a dataset follow each other */
        const struct graph_split *split = &graph->splits[s];

        if (s == 0 || split->dataset != split[-1].dataset) documents = 0;
        documents += split->documents;
        if (documents > GRAPH_ID_STEP)
            return err_set(err, -EOVERFLOW, "%.*s: more than %llu documents cannot be numbered in graph.db",
                           (int)graph->datasets[split->dataset].name.len, graph->datasets[split->dataset].name.at,
                           GRAPH_ID_STEP);
    }
    return 0;
}

bool graph_id_find(const struct graph *graph, uint64_t id, uint32_t *index)
{
    size_t low = 0, high = graph->document_count;

    if (*index < high && graph_id_at(graph, *index) == id) return true;
    while (low < high) {
        const size_t   middle = low + (high - low) / 2;
        const uint64_t at = graph_id_at(graph, middle);

        if (at == id) {
            *index = (uint32_t)middle;
            return true;
        }
        if (at < id) low = middle + 1;
        else high = middle;
    }
    return false;
}
