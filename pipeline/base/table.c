/* base/table.c -- see table.h. */
#include "base/table.h"

#include "base/scatter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The slot that holds the key, or the free one where it belongs.  room is a power of two and never full. */
static struct table_slot *slot_of(struct table_slot *slot, size_t room, uint64_t low, uint64_t high)
{
    size_t at = (size_t)scatter_pair(low, high, 64 - (unsigned)__builtin_ctzll(room));

    while (slot[at].used && (slot[at].low != low || slot[at].high != high)) at = (at + 1) & (room - 1);
    return &slot[at];
}

int table_reserve(struct table *table, size_t count)
{
    struct table_slot *grown;
    size_t             room = table->room ? table->room : 64;

    while (room < 2 * count) room *= 2;
    if (table->slot && room == table->room) return 0;
    grown = calloc(room, sizeof *grown);
    if (!grown) return -ENOMEM;
    for (size_t i = 0; i < table->room; i++)
        if (table->slot[i].used) *slot_of(grown, room, table->slot[i].low, table->slot[i].high) = table->slot[i];
    free(table->slot);
    table->slot = grown;
    table->room = room;
    return 0;
}

uint32_t table_find(const struct table *table, uint64_t low, uint64_t high)
{
    const struct table_slot *slot;

    if (!table->slot) return TABLE_NONE;
    slot = slot_of(table->slot, table->room, low, high);
    return slot->used ? slot->value : TABLE_NONE;
}

uint32_t table_put(struct table *table, uint64_t low, uint64_t high, uint32_t value, bool *added)
{
    struct table_slot *slot;

    *added = false;
    if (table_reserve(table, table->count + 1) < 0) return TABLE_NONE;
    slot = slot_of(table->slot, table->room, low, high);
    if (slot->used) return slot->value;
    *slot = (struct table_slot){ low, high, value, 1 };
    table->count++;
    *added = true;
    return value;
}

void table_clear(struct table *table)
{
    if (table->count) memset(table->slot, 0, table->room * sizeof *table->slot);
    table->count = 0;
}

void table_free(struct table *table)
{
    free(table->slot);
    *table = (struct table){ 0 };
}
