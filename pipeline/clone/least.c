/* clone/least.c -- see least.h: a tree of minima; a range falls in two around each place taken. */
#include "clone/least.h"

#include <errno.h>
#include <stdlib.h>

int least_open(struct least *out, const uint32_t *key, size_t count)
{
    *out = (struct least){ key, malloc((2 * count + 2) * sizeof *out->tree), count };
    if (!out->tree) return -ENOMEM;
    for (size_t i = 0; i < count; i++) out->tree[count + i] = key[i];
    for (size_t i = count; i-- > 1;)
        out->tree[i] = out->tree[2 * i] < out->tree[2 * i + 1] ? out->tree[2 * i] : out->tree[2 * i + 1];
    return 0;
}

void least_close(struct least *least)
{
    free(least->tree);
    *least = (struct least){ 0 };
}

struct range { size_t from, to, at; };                      /* at: the place of its smallest key */

/* A range that is not empty. */
static struct range range_make(const struct least *least, size_t from, size_t to)
{
    size_t low = from + least->count, high = to + least->count, best = low;

    for (; low < high; low /= 2, high /= 2) {
        if (low & 1) {
            if (least->tree[low] < least->tree[best]) best = low;
            low++;
        }
        if (high & 1) {
            high--;
            if (least->tree[high] < least->tree[best]) best = high;
        }
    }
    while (best < least->count) best = 2 * best + (least->tree[2 * best] != least->tree[best]);
    return (struct range){ from, to, best - least->count };
}

size_t least_take(const struct least *least, size_t from, size_t to, size_t most, size_t *place)
{
    struct range range[LEAST_MAX + 1];
    size_t       ranges = 0, taken = 0;

    if (from < to) range[ranges++] = range_make(least, from, to);
    while (ranges && taken < most && taken < LEAST_MAX) {
        struct range *best = &range[0], whole;

        for (size_t i = 1; i < ranges; i++)
            if (least->key[range[i].at] < least->key[best->at]) best = &range[i];
        whole = *best;
        if (least->key[whole.at] == LEAST_NONE) break;
        place[taken++] = whole.at;
        *best = range[--ranges];
        if (whole.from < whole.at) range[ranges++] = range_make(least, whole.from, whole.at);
        if (whole.at + 1 < whole.to) range[ranges++] = range_make(least, whole.at + 1, whole.to);
    }
    return taken;
}
