/* near/lookup.c -- candidates by prefix, length and position; then exact intersection.
 *
 * Notation: the query has n distinct features, u of them unknown to the index.  Unknown ones are rarer than all others,
 * so they come first in the order and the query's prefix starts with them.  A class has m features.  Jaccard >= t
 * needs an intersection of at least a(n, m) = ceil(t (n + m) / (1 + t)). */
#include "near/lookup.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <stdlib.h>

struct tally { uint32_t query, count; };                    /* count is of the query numbered `query` only */

struct lookup {
    const struct near_index   *index;
    const struct near_options *options;
    struct ratio               lowest;                      /* the set threshold that candidates must reach */
    struct tally              *tally;                       /* [classes] */
    uint32_t                   query;
    uint32_t                  *candidate;                   /* [classes], so that no query can overflow it */
    struct near_link          *link;                        /* of the last query */
    size_t                     link_count, link_room;
};

enum { DEAD = UINT32_MAX };                                 /* a candidate that the position filter has ruled out */

int lookup_open(struct lookup **out, const struct near_index *index, const struct near_options *options,
                struct err *err)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    size_t         classes = index->classes ? index->classes : 1;

    *out = NULL;
    if (!lookup) return err_memory(err, sizeof *lookup, "a lookup");
    lookup->index = index;
    lookup->options = options;
    lookup->lowest = options->report_floor.den ? options->report_floor : options->set_threshold;
    lookup->tally = calloc(classes, sizeof *lookup->tally);
    lookup->candidate = malloc(classes * sizeof *lookup->candidate);
    if (!lookup->tally || !lookup->candidate) {
        lookup_close(lookup);
        return err_memory(err, classes * 12, "a lookup");
    }
    *out = lookup;
    return 0;
}

uint64_t lookup_need(const struct near_index *index) { return 12ull * index->classes; }

void lookup_close(struct lookup *lookup)
{
    if (!lookup) return;
    free(lookup->tally);
    free(lookup->candidate);
    free(lookup->link);
    free(lookup);
}

void near_sort_ranks(uint32_t *rank, uint32_t *times, size_t n)
{
    enum { SHORT = 64 };
    uint64_t both[SHORT];
    size_t   gap = 1;

    if (n <= SHORT) {                                       /* nearly all: insertion of rank and times in one word */
        for (size_t i = 0; i < n; i++) {
            uint64_t value = (uint64_t)rank[i] << 32 | times[i];
            size_t   at = i;

            for (; at && both[at - 1] > value; at--) both[at] = both[at - 1];
            both[at] = value;
        }
        for (size_t i = 0; i < n; i++) {
            rank[i] = (uint32_t)(both[i] >> 32);
            times[i] = (uint32_t)both[i];
        }
        return;
    }
    while (gap < n / 3) gap = 3 * gap + 1;                  /* Shell's sort, Knuth's gaps: needs no scratch */
    for (; gap; gap /= 3) {
        for (size_t i = gap; i < n; i++) {
            uint32_t r = rank[i], t = times[i];
            size_t   at = i;

            for (; at >= gap && rank[at - gap] > r; at -= gap) {
                rank[at] = rank[at - gap];
                times[at] = times[at - gap];
            }
            rank[at] = r;
            times[at] = t;
        }
    }
}

static uint64_t overlap_needed(struct ratio t, uint64_t n, uint64_t m)
{
    return (t.num * (n + m) + t.num + t.den - 1) / (t.num + t.den);
}

/* The first posting of a class with at least `size` features. */
static const struct posting *posting_from(const struct posting *low, const struct posting *end, uint64_t size)
{
    while (low < end) {
        const struct posting *middle = low + (end - low) / 2;

        if (middle->size < size) low = middle + 1;
        else end = middle;
    }
    return low;
}

static void tally_renew(struct lookup *lookup)
{
    if (++lookup->query == 0) {
        memset(lookup->tally, 0, (lookup->index->classes ? lookup->index->classes : 1) * sizeof *lookup->tally);
        lookup->query = 1;
    }
}

/* Classes that share enough of their prefix to reach the set threshold.  Returns their number; some are DEAD. */
static size_t candidates_by_prefix(struct lookup *lookup, const struct lookup_query *q)
{
    const struct near_index *index = lookup->index;
    struct ratio t = lookup->lowest;
    uint64_t     n = q->distinct, unknown = n - q->known, least = ratio_ceil(t, n), prefix = n - least + 1;
    uint64_t     most = t.num ? n * t.den / t.num : UINT32_MAX;     /* floor(n / t) */
    size_t       count = 0;

    for (uint64_t i = 0; i < q->known && unknown + i < prefix; i++) {
        const struct posting *end = index->posting + index->posting_start[q->rank[i] + 1];
        const struct posting *p = posting_from(index->posting + index->posting_start[q->rank[i]], end, least);
        uint64_t left = n - (unknown + i) - 1, needed = 0;
        uint32_t size = 0;

        for (; p < end && p->size <= most && p->class_id < q->below; p++) {
            struct tally *tally = &lookup->tally[p->class_id];
            uint64_t      right = p->size - p->at - 1;

            if (p->size != size) {
                size = p->size;
                needed = overlap_needed(t, n, size);
            }
            if (tally->query != lookup->query) {
                *tally = (struct tally){ lookup->query, 0 };
                lookup->candidate[count++] = p->class_id;
            } else if (tally->count == DEAD) continue;
            if (tally->count + 1 + (left < right ? left : right) >= needed) tally->count++;
            else tally->count = DEAD;
        }
    }
    return count;
}

/* Benchmark classes of which the query has a prefix feature: the containment threshold has no other filter.  Joining an
 * index with itself, a class may be inside a smaller or a larger one, so `below` does not hold here; lookup_run sorts
 * that out. */
static size_t candidates_by_containment(struct lookup *lookup, const struct lookup_query *q, size_t count)
{
    const struct near_index *index = lookup->index;

    for (size_t i = 0; i < q->known; i++) {
        for (uint64_t p = index->contain_start[q->rank[i]]; p < index->contain_start[q->rank[i] + 1]; p++) {
            struct tally *tally = &lookup->tally[index->contain[p].class_id];

            if (tally->query != lookup->query) lookup->candidate[count++] = index->contain[p].class_id;
            *tally = (struct tally){ lookup->query, 1 };    /* also one that was DEAD for the set threshold */
        }
    }
    return count;
}

/* Sum over common features of the smaller number of occurrences. */
static uint64_t multiset_shared(const struct near_index *index, const struct lookup_query *q, uint32_t c)
{
    const uint32_t *rank = index->class_rank + index->class_start[c],
        *times = index->class_times + index->class_start[c];
    size_t          m = (size_t)(index->class_start[c + 1] - index->class_start[c]), i = 0, j = 0;
    uint64_t        sum = 0;

    while (i < q->known && j < m) {
        if (q->rank[i] == rank[j]) {
            sum += q->times[i] < times[j] ? q->times[i] : times[j];
            i++, j++;
        } else if (q->rank[i] < rank[j]) i++;
        else j++;
    }
    return sum;
}

/* Have both enough features for a pair of theirs? */
static bool long_enough(const struct near_index *index, const struct lookup_query *q, uint32_t c)
{
    uint32_t least = q->total < index->class_total[c] ? q->total : index->class_total[c];

    if (!q->benchmark && !index->class_benchmark[c] && least < index->corpora) return false;
    return least >= index->least && least >= q->level && least >= index->class_level[c];
}

/* Decides a candidate: the link's marks, 0 for none. */
static uint32_t decide(const struct lookup *lookup, const struct lookup_query *q, uint32_t c, struct near_link *link)
{
    const struct near_options *o = lookup->options;
    const struct near_index   *index = lookup->index;
    size_t   m = (size_t)(index->class_start[c + 1] - index->class_start[c]);
    uint64_t shared = kernels->intersect_u32(q->rank, q->known, index->class_rank + index->class_start[c], m);
    uint64_t whole = q->distinct + m - shared, sum;
    const bool first = q->benchmark && o->containment_threshold.den &&
        ratio_reached(o->containment_threshold, shared, q->distinct);
    const bool second = index->class_benchmark[c] && o->containment_threshold.den &&
        ratio_reached(o->containment_threshold, shared, m);
    uint32_t marks = 0;

    if (!long_enough(index, q, c)) return 0;
    if (!first && !second && !ratio_reached(lookup->lowest, shared, whole)) return 0;
    sum = multiset_shared(index, q, c);
    if (first && near_is_inside(o, shared, q->distinct, sum, q->total)) marks |= NEAR_FIRST_INSIDE;
    if (second && near_is_inside(o, shared, m, sum, index->class_total[c])) marks |= NEAR_SECOND_INSIDE;
    *link = (struct near_link){ .second = c, .shared = (uint32_t)shared, .union_size = (uint32_t)whole,
                                .min_sum = (uint32_t)sum,
                                    .max_sum = (uint32_t)((uint64_t)q->total + index->class_total[c] - sum) };
    if (ratio_reached(o->set_threshold, shared, whole) &&
        ratio_reached(o->multiset_threshold, link->min_sum, link->max_sum))
        marks = NEAR_SIMILAR;
    else if (o->report_floor.den && ratio_reached(o->report_floor, shared, whole) &&
             ratio_reached(o->report_floor, link->min_sum, link->max_sum))
        marks |= NEAR_ABOVE_FLOOR;
    link->marks = marks;
    return marks;
}

static int link_order(const void *a, const void *b)
{
    const struct near_link *x = a, *y = b;

    return (x->second > y->second) - (x->second < y->second);
}

int lookup_run(struct lookup *lookup, const struct lookup_query *query, const struct near_link **link, size_t *count,
               struct err *err)
{
    size_t candidates;

    tally_renew(lookup);
    candidates = candidates_by_prefix(lookup, query);
    if (lookup->options->containment_threshold.den) candidates = candidates_by_containment(lookup, query, candidates);
    lookup->link_count = 0;
    for (size_t i = 0; i < candidates; i++) {
        uint32_t c = lookup->candidate[i], marks;

        if (lookup->tally[c].count == DEAD) continue;
        if (lookup->link_count == lookup->link_room) {
            size_t            room = lookup->link_room ? 2 * lookup->link_room : 64;
            struct near_link *grown = realloc(lookup->link, room * sizeof *grown);

            if (!grown) return err_memory(err, room * sizeof *grown, "links");
            lookup->link = grown;
            lookup->link_room = room;
        }
        marks = decide(lookup, query, c, &lookup->link[lookup->link_count]);
        lookup->link_count += c < query->below ? marks != 0 : (marks & NEAR_INSIDE) != 0;
    }
    if (lookup->link_count) qsort(lookup->link, lookup->link_count, sizeof *lookup->link, link_order);
    *link = lookup->link;
    *count = lookup->link_count;
    return 0;
}
