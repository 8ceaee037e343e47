/* history/report.h -- what changed since the last run, and the trend, in the report of a run. */
#ifndef LEAKGRAPH_HISTORY_REPORT_H
#define LEAKGRAPH_HISTORY_REPORT_H

#include "report/report.h"

/* Pairs of datasets that are told, and runs of them for a person. */
enum { HISTORY_TREND_PAIRS = 50, HISTORY_TREND_RUNS = 14 };

/* Nothing where the run did not ask (run.history.runs is not there).  0 or <0 with err set. */
int history_summarise(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int history_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
