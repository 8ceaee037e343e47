/* clone/nodes.h -- how often, and where first, the blocks of an index (index.h) begin in other texts.
 *
 * A node is the longest block of the index that begins at some line; a line has one at most.  Nodes stand in the order
 * of state and length: those that begin with a given block are then one range, so counts are differences of running
 * sums, and its first places are the smallest of a range. */
#ifndef LEAKGRAPH_CLONE_NODES_H
#define LEAKGRAPH_CLONE_NODES_H

#include "base/table.h"
#include "clone/least.h"

#include <stdbool.h>

/* spots: that were kept; leading: at one line at least, by what the caller said */
struct clone_node { uint64_t key, count; uint32_t spots; bool leading; };
/* a line where a node begins, as the caller names it */
struct clone_spot { uint64_t record; uint32_t shard, line, node; };

/* A zeroed struct is empty. */
struct clone_nodes {
    struct clone_node *node;                                /* [count] */
    size_t             count, room;
    struct clone_spot *spot;                                /* [spots] in the order in which they came */
    size_t             spots, spot_room;
    struct table       table;                               /* places in node, until they are sorted */
    uint64_t          *before;                              /* [count + 1] lines of the nodes before */
    size_t            *spot_at;                             /* [count + 1] */
    uint32_t          *by_node;                             /* [spots] places in spot */
    struct least       first;                               /* of by_node */
};

static inline uint64_t clone_node_key(uint32_t state, uint32_t length) { return (uint64_t)state << 32 | length; }

/* One more line with this node; of a node the first `most` lines are kept.  0, -ENOMEM, -EOVERFLOW (2^32 nodes or lines
 * kept). */
int  clone_nodes_add(struct clone_nodes *nodes, uint64_t key, bool leading, struct clone_spot spot, uint32_t most);
/* after the last one, before the functions below; 0 or -ENOMEM */
int  clone_nodes_sort(struct clone_nodes *nodes);
void clone_nodes_free(struct clone_nodes *nodes);

/* Lines of the nodes from key `from` to below key `to`. */
uint64_t clone_nodes_count(const struct clone_nodes *nodes, uint64_t from, uint64_t to);

/* Puts the first of them, at most `most`, into place, as places in spot.  Returns how many. */
size_t clone_nodes_first(const struct clone_nodes *nodes, uint64_t from, uint64_t to, size_t most,
                         size_t place[LEAST_MAX]);

#endif
