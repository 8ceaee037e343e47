/* ngram/report.h -- the part of the report about n-grams: how many items each published rule flags, where the rules
 * agree, the longest runs. */
#ifndef LEAKGRAPH_NGRAM_REPORT_H
#define LEAKGRAPH_NGRAM_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

enum { NGRAMS_RUNS = 20, NGRAMS_PATTERNS = 40 };            /* rows in the report */

/* Adds the section when pass ngrams ran.  0 or <0 with err set. */
int ngrams_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
