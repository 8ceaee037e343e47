/* history/match.h -- which item of a benchmark is which in another run of it.
 *
 * Items may have been inserted and taken out between the runs, so neither numbers nor places name them.  The same text
 * in the same split is the same item; of equal texts those with the same own id (or path) belong together, else they do
 * in their order.  What is left has another text, or is in one of the runs alone: an item with the same own id is the
 * same, edited; without ids, one with the same path; without either, as many items between the same neighbours.  Own
 * ids that name other texts more often than not are numbers of places, and are not believed. */
#ifndef LEAKGRAPH_HISTORY_MATCH_H
#define LEAKGRAPH_HISTORY_MATCH_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

#define MATCH_NONE UINT32_MAX

/* Of one benchmark, in their order.  id: snippets.id.  text: of its bytes, two words.  name, path: hashes, 0: has none;
 * both with the split, which never changes. */
struct match_item { uint64_t id, text[2], split, name, path; uint32_t peer; bool edited; };
struct match_list { struct match_item *at; size_t count, room; };

/* Adds an item; path may be empty, and own is false where source_id is but its place.  0, or -ENOMEM with err set. */
int  match_add(struct match_list *list, uint64_t id, const uint64_t text[2], struct slice split, struct slice source_id,
               bool own, struct slice path, struct err *err);
void match_free(struct match_list *list);

/* Sets peer (MATCH_NONE: only this run has it) and edited of both.  0, or -ENOMEM, -EOVERFLOW with err set. */
int  match_items(struct match_list *old, struct match_list *new, struct err *err);

#endif
