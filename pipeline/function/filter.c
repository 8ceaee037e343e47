/* function/filter.c -- see filter.h.
 *
 * 1. Opening   2. A document's features   3. Classes in a document   4. Classes around a place */
#include "function/filter.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

/* Steps for each feature of a document, after which it is told in functions whatever is in it: a text may be made so
 * that a large class is looked for around each of its places. */
enum { LOOK_AHEAD = 8, STEPS_MOST = 256 };

/* A rank in the document: the last one that had it.  In the class under way: which one, how often it has the feature;
 * and how often the window does. */
struct mark { uint32_t document, class_place, wanted, found; };

struct function_filter {
    const struct near_index   *index;
    const struct near_options *options;
    struct ratio               set, multiset;               /* that a pair must reach at least */
    uint64_t                  *prefix;                      /* bitmap of the features of prefixes */
    unsigned                   prefix_shift;
    struct mark               *mark;                        /* [features] by rank */
    /* 2 document + whether the class may be in it; whether one of those with the feature in their prefix may */
    uint32_t                  *fits, *any;                  /* [classes]; [features] by rank */
    uint32_t                   document, class_place;
    uint32_t                  *rank;                        /* [room] of the document's features */
    uint32_t                  *likely, *known;              /* [room] places that may be of a prefix, may be known */
    size_t                     room, count;
    uint64_t                   steps;
};

/* ---- 1. Opening ---- */

static bool has_prefix(const struct near_index *index, uint32_t rank)
{
    return index->posting_start[rank + 1] > index->posting_start[rank] ||
        index->contain_start[rank + 1] > index->contain_start[rank];
}

static int prefix_fill(struct function_filter *f, struct err *err)
{
    const struct near_index *index = f->index;
    uint64_t                 count = 0;
    unsigned                 bits = 6;

    for (uint32_t r = 0; r < index->features; r++) count += has_prefix(index, r);
    while (1ull << bits < 16 * count) bits++;
    f->prefix_shift = 64 - bits;
    f->prefix = calloc(1ull << (bits - 6), sizeof *f->prefix);
    if (!f->prefix) return err_memory(err, 1ull << (bits - 3), "a scanner");
    for (uint64_t s = 0; index->features && s <= index->slot_mask; s++) {
        const uint64_t bit = index->key[s] >> f->prefix_shift;

        if (index->key[s] && has_prefix(index, index->rank[s])) f->prefix[bit >> 6] |= 1ull << (bit & 63);
    }
    return 0;
}

/* The smaller one; what is off is none. */
static struct ratio lower(struct ratio a, struct ratio b)
{
    return !b.den || (uint64_t)a.num * b.den <= (uint64_t)b.num * a.den ? a : b;
}

int function_filter_open(struct function_filter **out, const struct near_index *index,
                         const struct near_options *options, struct err *err)
{
    struct function_filter *f = calloc(1, sizeof *f);
    int                     rc;

    *out = NULL;
    if (!f) return err_memory(err, sizeof *f, "a scanner");
    f->index = index;
    f->options = options;
    f->set = lower(options->set_threshold, options->report_floor);
    f->multiset = lower(options->multiset_threshold, options->report_floor);
    f->mark = calloc(index->features + 1ull, sizeof *f->mark);
    f->fits = calloc(index->classes + 1ull, sizeof *f->fits);
    f->any = calloc(index->features + 1ull, sizeof *f->any);
    rc = f->mark && f->fits && f->any ? prefix_fill(f, err)
        : err_memory(err, index->features * sizeof *f->mark, "a scanner");
    if (rc < 0) {
        function_filter_close(f);
        return rc;
    }
    *out = f;
    return 0;
}

void function_filter_close(struct function_filter *f)
{
    if (!f) return;
    free(f->prefix);
    free(f->mark);
    free(f->fits);
    free(f->any);
    free(f->rank);
    free(f->likely);
    free(f->known);
    free(f);
}

/* ---- 2. A document's features ---- */

static int reserve(struct function_filter *f, size_t count, struct err *err)
{
    if (count <= f->room) return 0;
    f->room = count + count / 2;
    free(f->rank);
    free(f->likely);
    free(f->known);
    f->rank = malloc(f->room * sizeof *f->rank);
    f->likely = malloc(f->room * sizeof *f->likely);
    f->known = malloc(f->room * sizeof *f->known);
    if (f->rank && f->likely && f->known) return 0;
    f->room = 0;
    return err_memory(err, count * 3 * sizeof *f->rank, "a document's features");
}

static void document_begin(struct function_filter *f)
{
    f->steps = 0;
    if (++f->document < UINT32_MAX / 2) return;
    memset(f->fits, 0, f->index->classes * sizeof *f->fits);
    memset(f->any, 0, f->index->features * sizeof *f->any);
    for (uint32_t r = 0; r < f->index->features; r++) f->mark[r].document = 0;
    f->document = 1;
}

/* The places of features whose bit is set in a bitmap; their number.  No branch on the answer: it is a coin's. */
static size_t places_find(struct feature_list features, const uint64_t *bitmap, unsigned shift, uint32_t *place)
{
    size_t count = 0;

    for (size_t i = 0; i < features.count; i++) {
        const uint64_t bit = features.hash[i] >> shift;

        place[count] = (uint32_t)i;
        count += bitmap[bit >> 6] >> (bit & 63) & 1;
    }
    return count;
}

static void ranks_fill(struct function_filter *f, struct feature_list features)
{
    const struct near_index *index = f->index;
    const size_t             known = places_find(features, index->filter, index->filter_shift, f->known);

    f->count = features.count;
    memset(f->rank, 0xff, features.count * sizeof *f->rank);
    for (size_t i = 0; i < known; i++) {
        uint32_t rank;

        if (i + LOOK_AHEAD < known) near_index_prefetch(index, features.hash[f->known[i + LOOK_AHEAD]]);
        rank = near_index_rank(index, features.hash[f->known[i]]);
        f->rank[f->known[i]] = rank;
        if (rank != TABLE_NONE) f->mark[rank].document = f->document;
    }
}

/* ---- 3. Classes in a document ---- */

static uint32_t class_size(const struct near_index *index, uint32_t c)
{
    return (uint32_t)(index->class_start[c + 1] - index->class_start[c]);
}

/* Of `size` features those that must be shared for the ratio. */
static uint64_t needed(struct ratio t, uint32_t size)
{
    const uint64_t need = ratio_ceil(t, size);

    return need ? need : 1;
}

/* Has the document so many of the class's different features? */
static bool class_fits(struct function_filter *f, uint32_t c, struct ratio t)
{
    const uint32_t *rank = f->index->class_rank + f->index->class_start[c];
    const uint32_t  size = class_size(f->index, c);
    uint64_t        spare = size - needed(t, size);

    for (uint32_t i = 0; i < size; i++)
        if (f->mark[rank[i]].document != f->document && spare-- == 0) {
            f->steps += i + 1;
            return false;
        }
    f->steps += size;
    return true;
}

/* May a function contain a class whose prefix has the feature? */
static bool may_contain(struct function_filter *f, uint32_t rank)
{
    const struct near_index *index = f->index;

    for (uint64_t p = index->contain_start[rank]; p < index->contain_start[rank + 1]; p++)
        if (class_fits(f, index->contain[p].class_id, f->options->containment_threshold)) return true;
    return false;
}

/* ---- 4. Classes around a place ---- */

static void class_begin(struct function_filter *f, uint32_t c)
{
    const uint64_t start = f->index->class_start[c];

    if (++f->class_place == 0) {
        for (uint32_t r = 0; r < f->index->features; r++) f->mark[r].class_place = 0;
        f->class_place = 1;
    }
    for (uint32_t i = 0; i < class_size(f->index, c); i++) {
        struct mark *mark = &f->mark[f->index->class_rank[start + i]];

        *mark = (struct mark){ mark->document, f->class_place, f->index->class_times[start + i], 0 };
    }
    f->steps += class_size(f->index, c);
}

/* The class's features, different ones and occurrences, that a window has. */
struct held { uint64_t different, occurrences; };

static struct mark *wanted_at(struct function_filter *f, size_t at)
{
    struct mark *mark = f->rank[at] == TABLE_NONE ? NULL : &f->mark[f->rank[at]];

    return mark && mark->class_place == f->class_place ? mark : NULL;
}

static void window_take(struct function_filter *f, size_t at, struct held *held)
{
    struct mark *mark = wanted_at(f, at);

    if (!mark) return;
    held->different += mark->found == 0;
    held->occurrences += mark->found++ < mark->wanted;
}

static void window_leave(struct function_filter *f, size_t at, struct held *held)
{
    struct mark *mark = wanted_at(f, at);

    if (!mark) return;
    held->different -= --mark->found == 0;
    held->occurrences -= mark->found < mark->wanted;
}

/* Has one of the windows of so many features with the place in it what the class needs? */
static bool class_is_around(struct function_filter *f, uint32_t c, size_t at)
{
    const uint32_t total = f->index->class_total[c];
    const uint64_t most = f->multiset.num ? ratio_share(total, f->multiset.den, f->multiset.num) : f->count;
    const size_t   width = most < f->count ? (size_t)most : f->count;
    const size_t   from = at + 1 > width ? at + 1 - width : 0, to = f->count - at > width ? at + width : f->count;
    const uint64_t different = needed(f->set, class_size(f->index, c));
    const uint64_t occurrences = ratio_ceil(f->multiset, total);
    struct held    held = { 0, 0 };

    class_begin(f, c);
    for (size_t i = from; i < to; i++) {
        if (i >= from + width) window_leave(f, i - width, &held);
        window_take(f, i, &held);
        if (held.different >= different && held.occurrences >= occurrences) {
            f->steps += i + 1 - from;
            return true;
        }
    }
    f->steps += to - from;
    return false;
}

/* May a class whose prefix has the feature be in the document? */
static bool any_fits(struct function_filter *f, uint32_t rank)
{
    const struct near_index *index = f->index;
    bool                     any = false;

    for (uint64_t p = index->posting_start[rank]; p < index->posting_start[rank + 1]; p++) {
        const uint32_t c = index->posting[p].class_id;

        if (f->fits[c] >> 1 != f->document) f->fits[c] = 2 * f->document + class_fits(f, c, f->set);
        any |= f->fits[c] & 1;
    }
    f->steps += index->posting_start[rank + 1] - index->posting_start[rank];
    return any;
}

/* May a function around the place be like a class whose prefix has the feature there? */
static bool may_be_like(struct function_filter *f, size_t at)
{
    const struct near_index *index = f->index;
    const uint32_t           rank = f->rank[at];

    for (uint64_t p = index->posting_start[rank]; p < index->posting_start[rank + 1]; p++) {
        const uint32_t c = index->posting[p].class_id;

        if (f->fits[c] & 1 && class_is_around(f, c, at)) return true;
    }
    f->steps += index->posting_start[rank + 1] - index->posting_start[rank];
    return false;
}

int function_filter_may(struct function_filter *f, struct feature_list features, struct err *err)
{
    size_t likely;

    if (reserve(f, features.count + 1, err) < 0) return err->code;
    likely = f->index->features ? places_find(features, f->prefix, f->prefix_shift, f->likely) : 0;
    if (!likely) return 0;
    document_begin(f);
    ranks_fill(f, features);
    for (size_t i = 0; i < likely; i++) {
        const size_t   at = f->likely[i];
        const uint32_t rank = f->rank[at];

        if (rank == TABLE_NONE) continue;
        if (f->any[rank] >> 1 != f->document) {
            if (may_contain(f, rank)) return 1;
            f->any[rank] = 2 * f->document + any_fits(f, rank);
        }
        if (f->any[rank] & 1 && may_be_like(f, at)) return 1;
        if (f->steps / STEPS_MOST > features.count) return 1;
    }
    return 0;
}
