/* base/best.c -- see best.h. */
#include "base/best.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BEST_LEAST = 1 << 12 };                              /* rows before anything is cut */

static char *row_at(const struct best *best, size_t i) { return best->at + i * best->size; }

static uint64_t more_of(const struct best *best, size_t i)
{
    uint64_t more;

    memcpy(&more, row_at(best, i) + best->more, sizeof more);
    return more;
}

static void more_set(const struct best *best, size_t i, uint64_t more)
{
    memcpy(row_at(best, i) + best->more, &more, sizeof more);
}

void best_finish(struct best *best)
{
    size_t kept = 0;

    if (best->count) qsort_r(best->at, best->count, best->size, best->order, best->context);
    for (size_t i = 0, end; i < best->count; i = end) {
        const size_t first = kept;
        uint64_t     all = 0;

        for (end = i; end < best->count && best->same(row_at(best, i), row_at(best, end), best->context); end++)
            all += 1 + more_of(best, end);
        for (size_t k = i; k < end && k - i < best->most; k++, kept++) {
            if (kept != k) memcpy(row_at(best, kept), row_at(best, k), best->size);
            more_set(best, kept, 0);
        }
        more_set(best, first, all - (kept - first));
    }
    best->count = kept;
}

int best_add(struct best *best, const void *row)
{
    void *grown;

    if (best->count >= BEST_LEAST && best->count >= best->limit) {
        best_finish(best);
        best->limit = 2 * best->count;
    }
    grown = array_grown(best->at, &best->room, best->count, best->size);
    best->at = grown;
    if (best->count >= best->room) return -ENOMEM;
    memcpy(row_at(best, best->count), row, best->size);
    more_set(best, best->count++, 0);
    return 0;
}

void best_free(struct best *best)
{
    free(best->at);
    best->at = NULL;
    best->count = best->room = best->limit = 0;
}
