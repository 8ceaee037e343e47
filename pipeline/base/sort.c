/* base/sort.c -- see sort.h. */
#include "base/sort.h"

#include <stdbool.h>
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

/* ---- by key and value ---- */

enum {
    PAIRS_FEW  = 24,                                        /* items that are sorted by insertion */
    /* of a digit at most: as many runs as the TLB and the caches bear */
    PAIRS_BITS = 11
};

static inline bool pairs_less(const struct sort_item *a, const struct sort_item *b)
{
    return (a->key < b->key) | ((a->key == b->key) & (a->value < b->value));
}

/* Sorts from[count] into to, which may be the same; fast when no item is far from its place. */
static void pairs_insert(const struct sort_item *from, struct sort_item *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sort_item item = from[i];
        size_t           at = i;

        for (; at && pairs_less(&item, &to[at - 1]); at--) to[at] = to[at - 1];
        to[at] = item;
    }
}

/* Where the digit lies that a range is split by: the highest bits that differ, of the keys or, when these are equal, of
 * the values. */
struct pairs_digit { bool by_value; unsigned shift, bits; };

static struct pairs_digit pairs_choose(const struct sort_item *item, size_t count)
{
    uint64_t           keys = 0, values = 0, differing;
    struct pairs_digit digit;
    unsigned           top;

    for (size_t i = 1; i < count; i++) {
        keys |= item[i].key ^ item[0].key;
        values |= item[i].value ^ item[0].value;
    }
    digit.by_value = keys == 0;
    differing = digit.by_value ? values : keys;
    /* bits from the highest differing one down */
    top = differing ? 64 - (unsigned)__builtin_clzll(differing) : 0;
    /* runs of two to four items when they are spread evenly */
    digit.bits = 62 - (unsigned)__builtin_clzll((unsigned long long)count);
    if (digit.bits > PAIRS_BITS) digit.bits = PAIRS_BITS;
    if (digit.bits > top) digit.bits = top;
    digit.shift = top - digit.bits;
    return digit;
}

static inline size_t pairs_value(const struct sort_item *item, struct pairs_digit digit)
{
    return (size_t)((digit.by_value ? item->value : item->key) >> digit.shift) & (((size_t)1 << digit.bits) - 1);
}

/* Sorts item[count]; the result is left in item, or with `move` in spare. */
static void pairs_sort(struct sort_item *item, struct sort_item *spare, size_t count, bool move)
{
    size_t             end[1 << PAIRS_BITS], sum = 0, most = 0, first = 0;
    struct pairs_digit digit;

    if (count <= PAIRS_FEW) {
        pairs_insert(item, move ? spare : item, count);
        return;
    }
    digit = pairs_choose(item, count);
    if (digit.bits == 0) {                                  /* all equal */
        if (move) memcpy(spare, item, count * sizeof *item);
        return;
    }
    memset(end, 0, sizeof *end << digit.bits);
    for (size_t i = 0; i < count; i++) end[pairs_value(&item[i], digit)]++;
    for (size_t v = 0; v < (size_t)1 << digit.bits; v++) {
        size_t here = end[v];

        end[v] = sum;
        sum += here;
        if (here > most) most = here;
    }
    for (size_t i = 0; i < count; i++) spare[end[pairs_value(&item[i], digit)]++] = item[i];
    if (most <= PAIRS_FEW) {
        pairs_insert(spare, move ? spare : item, count);
        return;
    }
    for (size_t v = 0; v < (size_t)1 << digit.bits; v++) {  /* now end[v] is the end of run v */
        pairs_sort(spare + first, item + first, end[v] - first, !move);
        first = end[v];
    }
}

void sort_pairs(struct sort_item *item, struct sort_item *spare, size_t count)
{
    pairs_sort(item, spare, count, false);
}
