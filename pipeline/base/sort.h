/* base/sort.h -- sorting many records by a 64-bit key. */
#ifndef LEAKGRAPH_BASE_SORT_H
#define LEAKGRAPH_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_item { uint64_t key, value; };                  /* value: usually the record's place */

/* Sorts item[count] by key; equal keys keep their order.  spare has room for count items.  Radix, least byte first;
 * bytes that all keys share cost nothing. */
void sort_items(struct sort_item *item, struct sort_item *spare, size_t count);

/* Sorts item[count] by key, then by value.  spare has room for count items.  Radix, highest differing bits first, so
 * that hashes, small dense numbers and long runs of one key are all fast; at worst some 40 passes. */
void sort_pairs(struct sort_item *item, struct sort_item *spare, size_t count);

#endif
