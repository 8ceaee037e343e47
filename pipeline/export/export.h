/* export/export.h -- rows of a run's graph.db, in a format of others: streamed, so that memory does not grow with them.
 *
 * The bytes depend on graph.db and what is asked alone. */
#ifndef LEAKGRAPH_EXPORT_EXPORT_H
#define LEAKGRAPH_EXPORT_EXPORT_H

#include "export/format.h"

#include <sqlite3.h>

struct export_request {
    const struct export_thing  *thing;
    const struct export_format *format;
    const char                 *filter[EXPORT_FILTERS];     /* values, NULL: not asked; EXPORT_LEAKED: "" */
    const char                 *columns;                    /* a,b,...; NULL: all */
    bool                        header;                     /* with a line of names */
};

/* Writes the rows to the sink, which is left to the caller.  db: with its views.  -EINVAL with what can be had where
 * the thing, the format, the columns and the filters do not fit each other or the run has no such dataset; or <0
 * with err set.  Once a connection. */
int export_rows(const struct export_request *request, sqlite3 *db, struct export_sink *sink, uint64_t *rows,
                struct err *err);

#endif
