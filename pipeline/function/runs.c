/* function/runs.c -- see runs.h.
 *
 * Runs are kept by the hash of their first two features, those of one feature by that one and nothing.  A filter says
 * for nearly all places of a document that none begins there: the first feature chooses a word, the second a bit of it,
 * as features are hashes; of a run of one feature all bits are set. */
#include "function/runs.h"

#include <stdlib.h>

struct short_runs {
    struct short_run *run;                                  /* [count] by their key */
    size_t            count;
    uint32_t         *start;                                /* by the first bits of the key */
    uint64_t         *filter;
    unsigned          start_shift, filter_shift;
};

struct short_run short_run_of(struct feature_list features)
{
    struct short_run run = { .count = features.count < SHORT_RUN ? features.count : SHORT_RUN };

    for (size_t i = 0; i < run.count; i++) run.feature[i] = features.hash[i];
    return run;
}

/* Of a run that begins with these; second: 0 where there is none, as no feature is 0. */
static uint64_t run_key(uint64_t first, uint64_t second)
{
    const unsigned __int128 product = (unsigned __int128)(first ^ VIEW_HASH_K0) * (second ^ VIEW_HASH_K1);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t key_of(const struct short_run *run) { return run_key(run->feature[0], run->feature[1]); }

static int run_order(const void *a, const void *b)
{
    const struct short_run *x = a, *y = b;
    const uint64_t          p = key_of(x), q = key_of(y);

    if (p != q) return p < q ? -1 : 1;
    return memcmp(x, y, sizeof *x);
}

static int runs_order(struct short_runs *runs, struct err *err)
{
    unsigned buckets = 6, words = 6;

    while (2ull << buckets < runs->count) buckets++;
    while (1ull << words < runs->count) words++;
    runs->start_shift = 64 - buckets;
    runs->filter_shift = 64 - words;
    runs->start = calloc((1ull << buckets) + 1, sizeof *runs->start);
    runs->filter = calloc(1ull << words, sizeof *runs->filter);
    if (!runs->start || !runs->filter) return err_memory(err, runs->count * 8, "short items");
    for (size_t i = 0; i < runs->count; i++) {
        const struct short_run *run = &runs->run[i];

        runs->filter[run->feature[0] >> runs->filter_shift] |= run->count == 1 ? UINT64_MAX
            : 1ull << (run->feature[1] & 63);
        runs->start[(key_of(run) >> runs->start_shift) + 1]++;
    }
    for (uint64_t b = 0; b <= UINT64_MAX >> runs->start_shift; b++) runs->start[b + 1] += runs->start[b];
    return 0;
}

int short_runs_make(struct short_runs **out, const struct short_run *run, size_t count, size_t stride,
                    struct err *err)
{
    struct short_runs *runs = calloc(1, sizeof *runs);
    size_t             kept = 0;
    int                rc = 0;

    *out = runs;
    if (runs) runs->run = malloc((count + 1) * sizeof *runs->run);
    if (!runs || !runs->run) rc = err_memory(err, count * sizeof *run, "short items");
    else {
        for (size_t i = 0; i < count; i++, run = (const void *)((const char *)run + stride))
            if (run->count) runs->run[runs->count++] = *run;
        qsort(runs->run, runs->count, sizeof *runs->run, run_order);
        for (size_t i = 0; i < runs->count; i++)
            if (!kept || run_order(&runs->run[kept - 1], &runs->run[i])) runs->run[kept++] = runs->run[i];
        runs->count = kept;
        rc = runs_order(runs, err);
    }
    if (rc == 0) return 0;
    short_runs_free(runs);
    *out = NULL;
    return rc;
}

void short_runs_free(struct short_runs *runs)
{
    if (!runs) return;
    free(runs->run);
    free(runs->start);
    free(runs->filter);
    free(runs);
}

/* Does a run with this key stand at the first of so many features? */
static bool stands_at(const struct short_runs *runs, uint64_t key, const uint64_t *feature, size_t left)
{
    const uint64_t bucket = key >> runs->start_shift;

    for (uint32_t i = runs->start[bucket]; i < runs->start[bucket + 1]; i++) {
        const struct short_run *run = &runs->run[i];

        if (run->count <= left && memcmp(run->feature, feature, run->count * sizeof *feature) == 0) return true;
    }
    return false;
}

bool short_runs_in(const struct short_runs *runs, struct feature_list features)
{
    if (!runs->count) return false;
    for (size_t i = 0; i < features.count; i++) {
        const uint64_t *feature = &features.hash[i];
        const size_t    left = features.count - i;
        const uint64_t  second = left > 1 ? feature[1] : 0;

        if (runs->filter[feature[0] >> runs->filter_shift] >> (second & 63) & 1 &&
            (stands_at(runs, run_key(feature[0], second), feature, left) ||
             stands_at(runs, run_key(feature[0], 0), feature, left))) return true;
    }
    return false;
}
