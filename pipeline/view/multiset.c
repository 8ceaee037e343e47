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

/* A bucket is large because one word or few stand in it many times, or a text is made to collide: what equals the
 * middle one is in its place after one look, and whatever does not settle so is qsort's. */
static void sort_bucket(uint64_t *hash, size_t n)
{
    enum { FEW = 24, DEEPEST = 16 };

    for (int depth = 0; n > FEW; depth++) {
        const uint64_t middle = hash[n / 2];
        size_t         less = 0, more = n;

        if (depth == DEEPEST) {
            qsort(hash, n, sizeof *hash, feature_order);
            return;
        }
        for (size_t i = 0; i < more;) {
            const uint64_t value = hash[i];

            if (value < middle) hash[i++] = hash[less], hash[less++] = value;
            else if (value > middle) hash[i] = hash[--more], hash[more] = value;
            else i++;
        }
        if (less > n - more) {                              /* the smaller side now, so that the stack stays flat */
            sort_bucket(hash + more, n - more);
            n = less;
        } else {
            sort_bucket(hash, less);
            hash += more;
            n -= more;
        }
    }
    insertion_sort(hash, n);
}

/* Sorts from[n] into to[n].  Features are hashes, so their top bits spread them evenly: one pass into buckets brings
 * nearly all to their places.  What is left is between neighbours: one insertion over all, which looks into no bucket,
 * once the large ones are sorted by themselves. */
static void sort_features(const uint64_t *from, size_t n, uint64_t *to)
{
    enum { MOST_BITS = 13, FEW = 20, SMALL = 32 };
    uint32_t start[(1 << MOST_BITS) + 1], largest = 0;
    unsigned bits = 4;

    if (n <= FEW || n > UINT32_MAX) {
        if (n) memcpy(to, from, n * sizeof *to);
        if (n <= FEW) insertion_sort(to, n);
        else qsort(to, n, sizeof *to, feature_order);
        return;
    }
    while (bits < MOST_BITS && (size_t)1 << bits < n) bits++;
    memset(start, 0, ((1u << bits) + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) start[(from[i] >> (64 - bits)) + 1]++;
    for (size_t i = 1; i <= 1u << bits; i++) {
        if (start[i] > largest) largest = start[i];
        start[i] += start[i - 1];
    }
    /* start[b] becomes the end of bucket b */
    for (size_t i = 0; i < n; i++) to[start[from[i] >> (64 - bits)]++] = from[i];
    for (size_t b = 0, at = 0; largest > SMALL && b < 1u << bits; at = start[b++])
        if (start[b] - at > SMALL) sort_bucket(to + at, start[b] - at);
    insertion_sort(to, n);
}

/* sorted[total], each once into hash, with its occurrences. */
static size_t features_count(const uint64_t *sorted, size_t total, uint64_t *hash, uint32_t *count)
{
    size_t n = 0;

    if (!total) return 0;
    hash[0] = sorted[0];
    count[0] = 0;
    for (size_t i = 1; i < total; i++) {                    /* count: first where it begins; no branch to be guessed */
        const bool other = sorted[i] != sorted[i - 1];

        n += other;
        hash[n] = sorted[i];
        count[n] = other ? (uint32_t)i : count[n];
    }
    for (size_t i = 0; i < n; i++) count[i] = count[i + 1] - count[i];
    count[n] = (uint32_t)total - count[n];
    return n + 1;
}

size_t view_multiset(uint64_t *hash, uint32_t *count, size_t total, uint64_t *scratch)
{
    sort_features(hash, total, scratch);
    return features_count(scratch, total, hash, count);
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
    sort_features(features.hash, features.count, m->spare);
    m->distinct = features_count(m->spare, features.count, m->hash, m->count);
    return 0;
}

void multiset_free(struct multiset *m)
{
    free(m->hash);
    free(m->spare);
    free(m->count);
    *m = (struct multiset){ 0 };
}
