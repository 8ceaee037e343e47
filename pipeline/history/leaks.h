/* history/leaks.h -- where the items of one benchmark are found, in one run: of each item and dataset the best match.
 *
 * Found is an item with a pair of pass near (kind `below` apart) in another dataset, or in another split of its own, or
 * with a leak in view found_inside.  Pairs are read once, in the order of their index. */
#ifndef LEAKGRAPH_HISTORY_LEAKS_H
#define LEAKGRAPH_HISTORY_LEAKS_H

#include "base/bytes.h"
#include "history/match.h"

#include <sqlite3.h>

/* Datasets of both runs by one number: those of the new run in their order, then those that only the old one has. */
struct leak_names { const char *const *at; size_t count; };

/* kind: as in edges, or number LEAK_INSIDE: in found_inside.  other: snippets.id of the document; of LEAK_INSIDE 0. */
enum { LEAK_INSIDE = 16 };
struct leak { uint32_t item, target, kind; double alike; uint64_t other; };

/* Sorted by (item, target), one of each; those of item i from first[i] to first[i + 1]. */
struct leaks { struct leak *at; size_t count, room; uint32_t *first; };

/* number: the dataset's row in table datasets, from 1; of[slot]: the number in names of the run's datasets, of which it
 * has `slots`.  0, or <0 with err set; *out is to be freed either way. */
int  leaks_read(struct leaks *out, sqlite3 *db, uint64_t number, const struct match_list *items, const uint32_t *of,
                size_t slots, const struct leak_names *names, struct err *err);
void leaks_free(struct leaks *leaks);

/* What a person is told of a leak: its kind, and the document, as `corpus/shard:record path`.  0, or <0 with err set.
 */
int  leak_kind(sqlite3 *db, uint64_t item, const struct leak *leak, const struct leak_names *names, struct bytes *kind,
               struct bytes *match, struct err *err);

#endif
