/* probe/seen.h -- was a benchmark seen as a whole, in the order in which it stands?  What stats/order.h makes of table
 * probe_orders, for the report, for `leakgraph membership` and for the gate. */
#ifndef LEAKGRAPH_PROBE_SEEN_H
#define LEAKGRAPH_PROBE_SEEN_H

#include "base/err.h"
#include "graph/pool.h"
#include "report/document.h"
#include "stats/order.h"

#include <sqlite3.h>

/* One benchmark and model, in their orders; holm: p adjusted over all of them. */
struct seen { struct slice benchmark, model; uint64_t items; struct order_test test; double holm; };
struct seen_list { struct seen *at; size_t count, room; struct pool pool; };

/* From graph.db that has its views.  0 or <0 with err set; to be freed either way. */
int  seen_read(struct seen_list *out, sqlite3 *db, struct err *err);
void seen_free(struct seen_list *list);

/* Adds the table `orders` to a section where there are any; *count of its rows.  0 or <0 with err set. */
int seen_add(struct report_document *out, struct report_node *section, sqlite3 *db, size_t *count, struct err *err);

#endif
