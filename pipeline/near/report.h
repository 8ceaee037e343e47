/* near/report.h -- the part of the report about pass near: what is shared, between datasets and between splits, pairs
 * by kind, the items that leaked most. */
#ifndef LEAKGRAPH_NEAR_REPORT_H
#define LEAKGRAPH_NEAR_REPORT_H

#include "report/report.h"

/* Of LEAKAGE_ITEMS items in report.json, report.md shows the first LEAKAGE_SHOWN. */
enum { LEAKAGE_ITEMS = 50, LEAKAGE_SHOWN = 10, LEAKAGE_MATCHES = 5, LEAKAGE_EXCERPT = 5, LEAKAGE_SENTENCES = 5 };

/* See struct report_part.  Warned of is each pair of datasets without a language in common. */
int near_report_judge(struct report_document *out, struct report_node *verdict, sqlite3 *db, struct err *err);
int near_report_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int near_report_advise(sqlite3 *db, const struct advice_listener *to, struct err *err);
int near_report_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
