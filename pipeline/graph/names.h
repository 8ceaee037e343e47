/* graph/names.h -- the documents of a graph by name, dataset/split/id_within_dataset, in the order of the names' bytes.
 *
 * In datasets and splits, as they stand in the database (valid UTF-8), control characters, DEL, backslash and `/` are
 * written \xNN, so that a name has exactly two slashes and no two documents share one.  There may be many millions: of
 * each 8 bytes are held, and its name is made whenever it is asked for. */
#ifndef LEAKGRAPH_GRAPH_NAMES_H
#define LEAKGRAPH_GRAPH_NAMES_H

#include "base/bytes.h"
#include "graph/graph.h"

struct name_group { size_t at, len; uint32_t rank; };       /* "dataset/split/" in text */

struct graph_names {
    const struct graph *graph;
    struct bytes        text;                               /* names of groups */
    struct name_group  *group;
    size_t              group_count, group_room;
    size_t              group_most;                         /* bytes of the longest one's name */
    uint32_t           *in_order;                           /* [groups] in the order of their names */
    uint32_t           *start;                              /* [groups + 1] the rank with which each of these begins */
    uint32_t           *document;                           /* [documents] by rank: their place in that order */
    uint32_t           *rank;                               /* [documents] */
};

/* Makes every document of the graph once.  0 or -ENOMEM; free it either way. */
int  graph_names_open(struct graph_names *out, const struct graph *graph);
void graph_names_free(struct graph_names *names);

/* Bytes of the longest name, at most. */
static inline size_t graph_names_most(const struct graph_names *names) { return names->group_most + 20; }

/* The name of a rank, or a number in decimal (at most 20 bytes), at `at`; returns its end. */
char *graph_names_put(const struct graph_names *names, char *at, uint32_t rank);
char *graph_names_put_number(char *at, uint64_t value);

/* Appends a text as it is in names.  0 or -ENOMEM. */
int graph_names_escape(struct bytes *out, struct slice text);

#endif
