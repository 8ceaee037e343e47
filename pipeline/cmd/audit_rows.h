/* cmd/audit_rows.h -- rows of hits from what a run has asked models for (`inclusion`), and what of it gives
 * repositories away. */
#ifndef LEAKGRAPH_CMD_AUDIT_ROWS_H
#define LEAKGRAPH_CMD_AUDIT_ROWS_H

#include "audit/feature.h"
#include "report/document.h"

#include <stdbool.h>

/* A model's answers, counted at a threshold.  name: MODEL-THRESHOLD; models have names of up to 200 bytes. */
enum { AUDIT_ROWS_NAME = 216 };
struct audit_rows { char name[AUDIT_ROWS_NAME]; struct audit_features features; };

bool audit_rows_is_run(const char *path);                   /* a folder, or a graph.db: not a CSV */

/* Reads the rows of every model and threshold of the run's graph.db: *out and its rows are the caller's.  published:
 * they are made as audit_features_of has it.  0, or <0 with err set (-EINVAL: the run has asked no model). */
int audit_rows_read(const char *path, bool published, struct audit_rows **out, size_t *count, struct err *err);

/* Adds a section with a table `elements`: of each repository that is not known to be clean the longest elements that a
 * model gave back to the last character, and gave back of no clean file.  And one with a table `missed` of the names
 * that were not given back, of files of label 1 and 0 (audit/words.h).  0, or <0 with err set. */
int audit_rows_tell(const char *path, bool published, struct report_document *out, struct err *err);

#endif
