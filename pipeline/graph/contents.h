/* graph/contents.h -- digests of all tables: the run's digest leaves out what differs between machines, and what
 * are no integers, but fsck is to know of every value whether it is the one that was written. */
#ifndef LEAKGRAPH_GRAPH_CONTENTS_H
#define LEAKGRAPH_GRAPH_CONTENTS_H

#include "base/err.h"
#include "graph/table.h"
#include "graph/value_hash.h"

#include <sqlite3.h>

/* What tables are given while they are filled, so that nothing has to be read back.  Zeroed at first. */
enum { CONTENTS_TABLES = 128 };
struct contents_table { const struct graph_table *table; struct value_hash *hash; uint64_t rows; };
struct contents { struct contents_table table[CONTENTS_TABLES]; size_t count; };

/* That of the table, which goes on with every value that is given to it; NULL: no memory. */
struct contents_table *contents_of(struct contents *contents, const struct graph_table *table);
void contents_free(struct contents *contents);

/* Adds those of other tables, which are empty then.  False: there is no room. */
bool contents_move(struct contents *to, struct contents *from);

/* xxh3-128 over the values of a table's rows in their order (value_hash.h), as 32 hex digits and NUL.  *rows may be
 * NULL.  0, or <0 with err set. */
int contents_digest(sqlite3 *db, const struct graph_table *table, char out[33], uint64_t *rows, struct err *err);

/* Adds a row `contents.TABLE` to table run for each of its own tables and of `tables`, which end with NULL, for the
 * schema, and at last for run itself; `digest.TABLE` for each of `tables` that has rows and no lines in the run's
 * digest, and is not TABLE_ASIDE.  given: of all rows of all these tables but run, whose hashes end here; NULL: they
 * are read.  0, or <0 with err set. */
int contents_tell(sqlite3 *db, const struct graph_table *const *tables, struct contents *given, struct err *err);

/* Do these rows tell what the tables hold?  -EBADMSG that names the first that does not, 0, or <0 with err set.  Where
 * run does not say what is in run, as versions before did not, only what it says is checked. */
int contents_check(sqlite3 *db, const struct graph_table *const *tables, struct err *err);

#endif
