/* near/matrix.h -- what the splits of a dataset share with each other, a matrix for each dataset. */
#ifndef LEAKGRAPH_NEAR_MATRIX_H
#define LEAKGRAPH_NEAR_MATRIX_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

enum { MATRIX_SPLITS = 16 };                                /* columns; of more splits there is no matrix */

/* Adds a list `matrix` to the section.  0 or <0 with err set. */
int matrix_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err);

#endif
