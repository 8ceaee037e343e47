/* report/locate.h -- a document as a person names it: any that the graph tells of, stored there or not. */
#ifndef LEAKGRAPH_REPORT_LOCATE_H
#define LEAKGRAPH_REPORT_LOCATE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"

#include <sqlite3.h>
#include <stdint.h>

/* A record of a shard.  id: its snippets.id, 0: not stored; path: empty when no table says it.  A zeroed struct is
 * ready; located_free releases it. */
struct located { uint64_t id, record; struct bytes dataset, shard, path; };

/* The document that name stands for: what show_find takes (show.h), or else
 *     DATASET:NUMBER        its id_within_dataset
 *     SHARD:RECORD          also DATASET:SHARD:RECORD
 *     PATH                  as any table of the graph has it
 * each but the first also with :LINE behind it, as reports print places.  0; -ENOENT; -EEXIST when several have the
 * name (the text lists the first ones as DATASET:SHARD:RECORD); other errors of the database. */
int  locate_document(sqlite3 *db, struct slice name, struct located *out, struct err *err);
void located_free(struct located *place);

#endif
