/* base/sort.c -- see sort.h. */
#include "base/sort.h"

#include <string.h>

void sort_items(struct sort_item *item, struct sort_item *spare, size_t count)
{
    size_t            start[8][256];
    struct sort_item *from = item, *to = spare;

    memset(start, 0, sizeof start);
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < 8; b++) start[b][item[i].key >> (8 * b) & 255]++;
    for (unsigned b = 0; b < 8 && count; b++) {
        struct sort_item *swapped;
        size_t            sum = 0;

        if (start[b][item[0].key >> (8 * b) & 255] == count) continue;
        for (size_t v = 0; v < 256; v++) {
            size_t here = start[b][v];

            start[b][v] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) to[start[b][from[i].key >> (8 * b) & 255]++] = from[i];
        swapped = from;
        from = to;
        to = swapped;
    }
    if (from != item && count) memcpy(item, from, count * sizeof *item);
}
