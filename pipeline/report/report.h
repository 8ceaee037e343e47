/* report/report.h -- the report of a run: the verdict, what was compared, what each capability says of it, what was
 * rejected, how to get it again.
 *
 * It is made from graph.db alone, so it can be made again at any time (page/report_write.h). */
#ifndef LEAKGRAPH_REPORT_REPORT_H
#define LEAKGRAPH_REPORT_REPORT_H

#include "base/err.h"
#include "report/advice.h"
#include "report/document.h"

#include <sqlite3.h>

struct graph_table;
struct query_table;

enum { REPORT_EXAMPLES = 3 };                               /* rejects of a kind */
enum { REPORT_SCHEMA = 1 };                                 /* the version of docs/report.schema.json */

/* What a capability says in the report of a run, which it may not have been part of: each looks at table run first.
 * Members may be NULL; all give 0 or <0 with err set. */
struct report_part {
    int (*open)(struct report_document *out, sqlite3 *db, struct err *err);         /* before anything is said */
    /* A table of verdicts, a row for each thing that is judged, in the first section. */
    int (*judge)(struct report_document *out, struct report_node *verdict, sqlite3 *db, struct err *err);
    /* Sentences of what it found, below the gates. */
    int (*summarise)(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
    int (*advise)(sqlite3 *db, const struct advice_listener *to, struct err *err);  /* see advice_give */
    int (*add)(struct report_document *out, sqlite3 *db, struct err *err);          /* its sections */
    int (*check)(sqlite3 *db, struct err *err);             /* -EBADMSG: the run was pointless, and why */
    /* Tables of its sections that take long, up to NULL, which may be asked ahead (report/ahead.h): not of views that
     * are settled, and nothing to ask where the section is not added.  Or NULL. */
    const struct query_table *const *ahead;
};

/* What a document that is open is to heed of a run, as what it masks: `open` of all parts, up to NULL.  0, or <0 with
 * err set. */
int report_parts_open(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err);
/* Opens the document of an open graph.db that has its views (see graph_define_views), with what the parts want before
 * anything is said.  0 or <0 with err set; *out is to be closed either way. */
int report_begin(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err);
/* Adds all sections to a document that was begun.  0 or <0 with err set. */
int report_build(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err);

#endif
