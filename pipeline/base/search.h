/* base/search.h -- binary searches: the first of an ascending sequence that is not before a key.
 *
 * Inline, as the places that search are often inside of a loop over documents. */
#ifndef LEAKGRAPH_BASE_SEARCH_H
#define LEAKGRAPH_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first i in [low, high) for which before(context, i) is false, which it is for all after it; high when there is
 * none. */
static inline size_t search_first(size_t low, size_t high, bool (*before)(const void *context, size_t i),
                                  const void *context)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (before(context, middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The first element in [low, high) whose number is key or more; high when there is none.  size: bytes of an element;
 * offset: of the number in it. */
static inline size_t search_u64(const void *array, size_t size, size_t offset, size_t low, size_t high,
                                uint64_t key)
{
    while (low < high) {
        size_t   middle = low + (high - low) / 2;
        uint64_t value;

        memcpy(&value, (const char *)array + middle * size + offset, sizeof value);
        if (value < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

static inline size_t search_u32(const void *array, size_t size, size_t offset, size_t low, size_t high,
                                uint32_t key)
{
    while (low < high) {
        size_t   middle = low + (high - low) / 2;
        uint32_t value;

        memcpy(&value, (const char *)array + middle * size + offset, sizeof value);
        if (value < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

#endif
