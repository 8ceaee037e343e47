/* base/table.h -- the hash table: 128-bit keys to 32-bit values, open addressing, grows at half full.
 *
 * Keys may be chosen by somebody who wants them to meet: slots are base/scatter.h's.  A zeroed struct is an empty
 * table. */
#ifndef LEAKGRAPH_BASE_TABLE_H
#define LEAKGRAPH_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_NONE UINT32_MAX                               /* never a value */

struct table_slot { uint64_t low, high; uint32_t value, used; };
struct table { struct table_slot *slot; size_t room, count; };

int      table_reserve(struct table *table, size_t count);  /* room for count keys in all; 0 or -ENOMEM */
uint32_t table_find(const struct table *table, uint64_t low, uint64_t high);            /* TABLE_NONE when absent */

/* The value under the key; when it is absent, `value` is put there and *added is set.  TABLE_NONE when memory is out.
 */
uint32_t table_put(struct table *table, uint64_t low, uint64_t high, uint32_t value, bool *added);
void     table_clear(struct table *table);                  /* keeps the room */
void     table_free(struct table *table);

#endif
