/* repository/report.h -- the part of a run's report that tells of repositories: how many of a benchmark's are in which
 * version of a corpus. */
#ifndef LEAKGRAPH_REPOSITORY_REPORT_H
#define LEAKGRAPH_REPOSITORY_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Adds the section `repositories`, if that pass ran.  0 or <0 with err set. */
int membership_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
