/* history/tell.h -- what changed, for people and scripts: a part of a report's tree. */
#ifndef LEAKGRAPH_HISTORY_TELL_H
#define LEAKGRAPH_HISTORY_TELL_H

#include "history/tables.h"
#include "report/document.h"

enum { HISTORY_SENTENCES = 8, HISTORY_LINES = 20 };

/* How it is told: so many rows of a table for a person, and where the others are, for "... rows more: REST.". */
struct history_wish { size_t lines; const char *rest; };

/* Everything, as children of parent: what happened to the items in sentences, facts `summary`, a table a kind of change
 * under `items`, a table a part under `changes`.  Texts are copied. */
void changes_tell(const struct changes *changes, const struct history_wish *wish, struct report_document *out,
                  struct report_node *parent);

/* Items that leak now and did not; and whether there are benchmarks of which that is not known. */
uint64_t changes_new_leaks(const struct changes *changes);
bool     changes_lack_items(const struct changes *changes);
/* Is there anything beside items that could not be compared? */
bool     changes_any(const struct changes *changes);

/* The two runs in a table. */
void history_tell_runs(const struct history_run *old, const struct history_run *new, struct report_document *out,
                       struct report_node *parent);

#endif
