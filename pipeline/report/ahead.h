/* report/ahead.h -- tables of a report that are asked ahead, on another connection, while the report is made.
 *
 * Who makes the report takes from here what is there, waits for the one that is being asked, and asks the others itself
 * (report/query_table.h), so that nothing depends on whether there is another thread, or how far it came. */
#ifndef LEAKGRAPH_REPORT_AHEAD_H
#define LEAKGRAPH_REPORT_AHEAD_H

#include "report/query_table.h"
#include "report/report.h"

#include <sqlite3.h>

struct ahead;

/* For the tables that the parts, up to NULL, say (borrowed, and known by their addresses), in a document that was
 * begun, whose mask their texts have: sets out->ahead.  0 or -ENOMEM with err set. */
int  ahead_open(struct report_document *out, const struct report_part *const *part, struct err *err);
/* Frees what the document's nodes stand in: when it is rendered.  Sets out->ahead to NULL, which may be so already. */
void ahead_close(struct report_document *out);

/* On the other thread: asks the tables in their order, on a connection whose views are defined, until all are asked or
 * taken, or it is enough.  One that fails is left to who takes it. */
void ahead_ask(struct ahead *ahead, sqlite3 *db);
/* The report is made: the one that is being asked is the last. */
void ahead_enough(struct ahead *ahead);

/* Whether the table was asked: it then is the last child of parent, as query_table_add would have added it.  False: the
 * caller is to ask it; nobody else will.  ahead may be NULL. */
bool ahead_take(struct ahead *ahead, struct report_node *parent, const struct query_table *table,
                struct query_rows *rows);

#endif
