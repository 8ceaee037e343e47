/* view/multiset.c -- features in order, each once with its count; see view.h. */
#include "view/view.h"

#include <errno.h>
#include <stdlib.h>

static int feature_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void insertion_sort(uint64_t *hash, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t value = hash[i];
        size_t   at = i;

        for (; at && hash[at - 1] > value; at--) hash[at] = hash[at - 1];
        hash[at] = value;
    }
}

/* Features are hashes, so their top bits spread them evenly: one pass into buckets brings nearly all to their places,
 * and each bucket is ordered by insertion.  A bucket that is large all the same (one word many times, or a text made to
 * collide) is not. */
static void sort_features(uint64_t *hash, size_t n, uint64_t *scratch)
{
    enum { MOST_BITS = 12, FEW = 20, SMALL = 64 };
    uint32_t start[(1 << MOST_BITS) + 1];
    unsigned bits = 4;

    if (n <= FEW || n > UINT32_MAX) {
        if (n <= FEW) insertion_sort(hash, n);
        else qsort(hash, n, sizeof *hash, feature_order);
        return;
    }
    while (bits < MOST_BITS && (size_t)1 << bits < n) bits++;
    memset(start, 0, ((1u << bits) + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) start[(hash[i] >> (64 - bits)) + 1]++;
    for (size_t i = 0; i < 1u << bits; i++) start[i + 1] += start[i];
    /* start[b] becomes the end of bucket b */
    for (size_t i = 0; i < n; i++) scratch[start[hash[i] >> (64 - bits)]++] = hash[i];
    memcpy(hash, scratch, n * sizeof *hash);
    for (size_t b = 0, from = 0; b < 1u << bits; from = start[b++]) {
        if (start[b] - from <= SMALL) insertion_sort(hash + from, start[b] - from);
        else qsort(hash + from, start[b] - from, sizeof *hash, feature_order);
    }
}

size_t view_multiset(uint64_t *hash, uint32_t *count, size_t total, uint64_t *scratch)
{
    size_t n = 0;

    sort_features(hash, total, scratch);
    for (size_t i = 0; i < total; ) {
        uint64_t value = hash[i];
        uint32_t times = 0;

        for (; i < total && hash[i] == value; i++) times++;
        hash[n] = value;
        count[n++] = times;
    }
    return n;
}

int multiset_make(struct multiset *m, struct feature_list features, struct err *err)
{
    if (features.count > m->room) {
        size_t room = features.count + features.count / 2;

        multiset_free(m);
        m->hash = malloc(room * sizeof *m->hash);
        m->spare = malloc(room * sizeof *m->spare);
        m->count = malloc(room * sizeof *m->count);
        if (!m->hash || !m->spare || !m->count) {
            multiset_free(m);
            return err_memory(err, room * 20, "a document's features");
        }
        m->room = room;
    }
    if (features.count) memcpy(m->hash, features.hash, features.count * sizeof *m->hash);
    m->distinct = view_multiset(m->hash, m->count, features.count, m->spare);
    return 0;
}

void multiset_free(struct multiset *m)
{
    free(m->hash);
    free(m->spare);
    free(m->count);
    *m = (struct multiset){ 0 };
}
