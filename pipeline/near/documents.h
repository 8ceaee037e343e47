/* near/documents.h -- the list of documents of a result while it is put together. */
#ifndef LEAKGRAPH_NEAR_DOCUMENTS_H
#define LEAKGRAPH_NEAR_DOCUMENTS_H

#include "near/result.h"

/* Appends documents, whose rows stay where they are.  0; -ENOMEM, -ENOSPC, -EIO with err set. */
int near_documents_add(struct near_result *result, const struct run *run, const struct near_document *document,
                       size_t count, struct err *err);

/* Copies rows of documents and their strings to where they stay: the rows, with the strings behind them; NULL with err
 * set. */
const struct near_row *near_rows_keep(struct near_result *result, const struct run *run, struct slice rows,
                                      struct slice heap, struct err *err);

/* No more are added, and no rows are kept.  Residents came first, and both they and the others in the order of shards
 * and records: all are put in the order of the result, with their numbers, and their cells as place[] (counts_finish)
 * has them; classes are numbered, each by its first document.  0, or <0 as runs_add says. */
int near_documents_end(struct near_result *result, const struct near_job *job, const uint32_t *place, struct err *err);

/* Key of the class of a document that is admitted; 0, 0: it is in none. */
struct content_hash near_class_of(const struct near_job *job, const struct near_document *document,
                                  const struct near_row *row);

#endif
