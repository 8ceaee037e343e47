/* probe/report.h -- the part of the report about language models: how well each knows each benchmark, and how well
 * that tells what was in the corpus. */
#ifndef LEAKGRAPH_PROBE_REPORT_H
#define LEAKGRAPH_PROBE_REPORT_H

#include "base/err.h"
#include "report/document.h"
#include "report/advice.h"

#include <sqlite3.h>

/* items in the report; benchmarks that a matrix has room for */
enum { PROBES_SHOWN = 20, PROBES_BENCHMARKS = 30 };

/* Adds the section when models were asked.  0 or <0 with err set. */
int probes_add(struct report_document *out, sqlite3 *db, struct err *err);

/* Warns when probe.truth knows nothing of any item. */
int probes_advise(sqlite3 *db, const struct advice_listener *to, struct err *err);

/* -EBADMSG for a model that gave no value, which makes a run pointless. */
int probes_check(sqlite3 *db, struct err *err);

#endif
