/* page/clusters.h -- clusters of items as small graphs, in JSON: members, and the pairs between them. */
#ifndef LEAKGRAPH_PAGE_CLUSTERS_H
#define LEAKGRAPH_PAGE_CLUSTERS_H

#include "base/table.h"
#include "page/items_json.h"

#include <sqlite3.h>

enum { CLUSTER_MEMBERS = 60, CLUSTER_PAIRS = 600 };         /* that are shown of one */

/* The clusters so far; zeroed but for db and mask: none. */
struct clusters { sqlite3 *db; items_mask *mask; struct table known; struct bytes json; };

/* The number of the item's cluster, which is added when it is new; -1: it is in none.  The item is among the members,
 * which are those with the smallest ids.  0, or <0 with err set. */
int  clusters_add(struct clusters *clusters, uint64_t item, int64_t *number, struct err *err);
void clusters_free(struct clusters *clusters);

#endif
