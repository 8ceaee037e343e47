/* near/report_items.h -- the benchmark items that leaked most, each beside its best match. */
#ifndef LEAKGRAPH_NEAR_REPORT_ITEMS_H
#define LEAKGRAPH_NEAR_REPORT_ITEMS_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Adds the section "leaked".  0 or <0 with err set. */
int leakage_add_items(struct report_document *out, sqlite3 *db, struct err *err);

#endif
