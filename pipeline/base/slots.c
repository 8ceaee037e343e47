/* base/slots.c -- see slots.h. */
#include "base/slots.h"

#include <errno.h>
#include <stdlib.h>

/* What grows keeps its order, which goes through both with memory's. */
int slots_reserve(struct slots *slots, uint64_t keys, unsigned least)
{
    struct slots grown = { .bits = slots->key ? slots->bits : least };

    while ((1ull << grown.bits) / 4 * 3 < keys + 1) grown.bits++;
    if (slots->key && grown.bits == slots->bits) return 0;
    grown.key = calloc(1ull << grown.bits, sizeof *grown.key);
    grown.id = calloc(1ull << grown.bits, sizeof *grown.id);
    if (!grown.key || !grown.id) {
        slots_free(&grown);
        return -ENOMEM;
    }
    for (uint64_t i = 0; slots->key && i < 1ull << slots->bits; i++) {
        uint64_t at;

        if (!slots->key[i]) continue;
        at = slots_find(&grown, slots->key[i]);
        grown.key[at] = slots->key[i];
        grown.id[at] = slots->id[i];
    }
    slots_free(slots);
    *slots = grown;
    return 0;
}

void slots_free(struct slots *slots)
{
    free(slots->key);
    free(slots->id);
    *slots = (struct slots){ 0 };
}
