/* dedup/buckets.c -- from records to pairs: documents that meet in a bucket are candidates, each pair once or more
 * often.
 *
 * A bucket above the cap becomes a star: its members are compared with the most preferred of them, which is its
 * smallest id.  That is the document that stays if it is similar to the others at all, so a million copies of a
 * template cost a million comparisons.  Whether a bucket is above the cap is asked for each generation with those
 * before it: what is added later changes nothing between earlier documents.
 *
 * Documents cut from one template meet in all bands, in buckets that may be just below the cap.  Where buckets hold
 * many pairs, a pair is written in the first bucket of its partition that proposes it, and looked up in the others:
 * 20,000 such documents would write each pair in every band. */
#include "dedup/candidates.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

#define NOT_MET UINT32_MAX

enum {
    /* pairs remembered, and written between two looks at the memory, by a thread */
    PAIRS_SEEN = 1 << 15, PAIRS_STEP = 1 << 19,
    PAIRS_MANY = 4                                          /* to a record: more of them are looked up */
};

struct joiner {                                             /* one a thread */
    struct sort_item *item;                                 /* of the partition at hand; NULL: none */
    /* at: the bucket at hand; inner: the member at which it was left, of those before until */
    size_t            count, at, inner, until;
    bool              begun;
    /* NULL: there are few pairs.  met: of each document in turn, its buckets (places where they begin) in which all
     * pairs of similar size are proposed, ascending; met_from: [count] where the list of a record's document begins.
     * Records of other buckets: NOT_MET. */
    uint32_t         *met, *met_from;
    /* [PAIRS_SEEN] pairs written lately: a pair of equal-looking documents meets in every band */
    struct { uint64_t worse, better; } *seen;
    uint64_t          written, buckets, largest, hot, hot_members;
    int               rc;
    struct err        err;
};

struct joining {
    struct dedup_state *state;
    struct shuffle *records, *pairs;
    const bool *block_done;
    struct joiner *joiner;
    uint32_t next, end;
};

static int pair_add(const struct joining *all, struct joiner *j, int thread, uint64_t a, uint64_t b)
{
    uint64_t worse, better, place;
    uint32_t part;

    a &= DEDUP_ID_MASK;
    b &= DEDUP_ID_MASK;
    worse = a > b ? a : b;
    better = a > b ? b : a;
    if (worse == better) return 0;
    part = part_of(all->state, worse);
    if (all->block_done[part >> all->state->part_bits]) return 0;
    place = (worse * 0x9e3779b97f4a7c15ull ^ better * 0xc2b2ae3d27d4eb4full) >> 49;
    if (j->seen[place].worse == worse && j->seen[place].better == better) return 0;
    j->seen[place].worse = worse;
    j->seen[place].better = better;
    j->written++;
    return shuffle_add(all->pairs, thread, part, worse, better);
}

/* ---- pairs that an earlier bucket has ---- */

static size_t bucket_end(const struct joiner *j, size_t from)
{
    size_t to = from + 1;

    while (to < j->count && j->item[to].key == j->item[from].key) to++;
    return to;
}

/* Does the bucket propose all pairs that their sizes allow?  A star does not, nor does a bucket of a prefix, where the
 * places of the feature count, or one of which some are there later. */
static bool bucket_is_plain(const struct joining *all, const struct joiner *j, size_t from, size_t to)
{
    if (to - from < 2 || to - from > all->state->job->options->bucket_cap) return false;
    for (size_t i = from; i < to; i++)
        if (record_place(j->item[i].value) != CODE_NONE) return false;
    return true;
}

/* Lists the plain buckets of every document of the partition, when there are many pairs in them. */
static int joiner_list(const struct joining *all, struct joiner *j)
{
    struct sort_item *record, *spare;
    uint64_t          pairs = 0;
    size_t            records = 0, n = 0;
    uint32_t          first = 0;

    for (size_t from = 0, to; from < j->count; from = to) {
        to = bucket_end(j, from);
        if (!bucket_is_plain(all, j, from, to)) continue;
        pairs += (uint64_t)(to - from) * (to - from - 1) / 2;
        records += to - from;
    }
    if (pairs <= PAIRS_MANY * (uint64_t)records || j->count >= NOT_MET) return 0;
    record = malloc(records * sizeof *record);
    spare = malloc(records * sizeof *spare);
    j->met = malloc(records * sizeof *j->met);
    j->met_from = malloc(j->count * sizeof *j->met_from);
    if (!record || !spare || !j->met || !j->met_from) {
        free(record);
        free(spare);
        return err_memory(&j->err, records * (2 * sizeof *record + sizeof *j->met), "the buckets of documents");
    }
    for (size_t from = 0, to; from < j->count; from = to) {
        bool plain;

        to = bucket_end(j, from);
        plain = bucket_is_plain(all, j, from, to);
        for (size_t i = from; i < to; i++) {
            j->met_from[i] = plain ? (uint32_t)from : NOT_MET;
            if (plain) record[n++] = (struct sort_item){ j->item[i].value & DEDUP_ID_MASK, i };
        }
    }
    sort_pairs(record, spare, n);
    for (uint32_t i = 0; i < n; i++) {
        if (i && record[i].key != record[i - 1].key) first = i;
        j->met[i] = j->met_from[record[i].value];
        j->met_from[record[i].value] = first;
    }
    free(record);
    free(spare);
    return 0;
}

/* Has an earlier bucket the documents of records a and b, both of the bucket that begins at from?  Their lists have
 * that one in common at least. */
static bool met_before(const struct joiner *j, size_t from, size_t a, size_t b)
{
    const uint32_t *x, *y;

    if (!j->met || j->met_from[a] == NOT_MET) return false;
    for (x = j->met + j->met_from[a], y = j->met + j->met_from[b]; *x != *y;) {
        const bool behind = *x < *y;

        x += behind;
        y += !behind;
    }
    return *x != from;
}

static void joiner_release(struct joiner *j)
{
    free(j->item);
    free(j->met);
    free(j->met_from);
    j->item = NULL;
    j->met = j->met_from = NULL;
}

/* ---- buckets ---- */

/* The first id of the generation from which on a record is in its bucket; 0 of one that is there with its document. */
static uint64_t there_from(const struct dedup_state *s, uint64_t value)
{
    const uint32_t late = record_late(value);

    return late ? s->generation[late].first_id : 0;
}

/* Is one of the two documents of a generation in which both records are there? */
static bool are_there(const struct dedup_state *s, uint64_t a, uint64_t b)
{
    if (s->generations == 1) return true;
    const uint64_t x = a & DEDUP_ID_MASK, y = b & DEDUP_ID_MASK, later = x > y ? x : y;

    return there_from(s, a) <= later && there_from(s, b) <= later;
}

/* The generation with which a bucket above the cap gets there. */
static uint32_t hot_from(const struct dedup_state *s, const struct sort_item *item, size_t members)
{
    uint32_t n = 0;

    for (; n + 1 < s->generations; n++) {
        size_t there = 0;

        for (size_t i = 0; i < members; i++)
            there += (item[i].value & DEDUP_ID_MASK) < s->generation[n + 1].first_id && record_late(item[i].value) <= n;
        if (there > s->job->options->bucket_cap) break;
    }
    return n;
}

/* The most preferred of the records that are there in generation n. */
static uint64_t best_of(const struct sort_item *item, size_t members, uint32_t n)
{
    uint64_t best = UINT64_MAX;

    for (size_t i = 0; i < members; i++)
        if (record_late(item[i].value) <= n && (item[i].value & DEDUP_ID_MASK) < best)
            best = item[i].value & DEDUP_ID_MASK;
    return best;
}

/* Pairs the members of each generation from the first hot one on with the best that is there, which a late one can only
 * be; those before it move to the front, in their order, and are left. */
static int bucket_thin(const struct joining *all, struct joiner *j, int thread, size_t from, size_t to)
{
    const struct dedup_state *s = all->state;
    struct sort_item         *item = j->item;
    const uint32_t            hot = hot_from(s, item + from, to - from);
    bool                      late = false;

    j->hot++;
    j->hot_members += to - from;
    for (size_t i = from; i < to; i++) late |= record_late(item[i].value) > 0;
    for (uint32_t n = hot, next; n < s->generations; n = next) {
        next = late ? n + 1 : s->generations;               /* else the best of all is there for all */
        const uint64_t first = s->generation[n].first_id, best = best_of(item + from, to - from, n),
                       end = next < s->generations ? s->generation[next].first_id : UINT64_MAX;

        for (size_t i = from; i < to; i++) {
            const uint64_t id = item[i].value & DEDUP_ID_MASK;

            if (id >= first && id < end && !record_late(item[i].value) &&
                pair_add(all, j, thread, best, item[i].value) < 0)
                return -ENOMEM;
        }
    }
    j->until = from;
    for (size_t i = from; i < to; i++)
        if ((item[i].value & DEDUP_ID_MASK) < s->generation[hot].first_id) item[j->until++] = item[i];
    return 0;
}

/* Members [from, to) share a key; sorted by size.  Goes on where it was left; stops when enough was written.  1: the
 * bucket is done. */
static int bucket_join(const struct joining *all, struct joiner *j, int thread, size_t from, size_t to)
{
    const struct dedup_options *o = all->state->job->options;
    const struct sort_item     *item = j->item;
    size_t                      members = to - from;

    if (!j->begun) {
        j->begun = true;
        j->buckets++;
        if (members > j->largest) j->largest = members;
        j->inner = from;
        j->until = to;
        if (members > o->bucket_cap && bucket_thin(all, j, thread, from, to) < 0) return -ENOMEM;
    }
    for (; j->inner < j->until; j->inner++) {
        uint64_t mine = item[j->inner].value;

        if (j->written >= PAIRS_STEP) return 0;
        for (size_t i = j->inner + 1; i < j->until; i++) {
            if (!o->containment.den && !ratio_reached(o->threshold, code_high((uint32_t)(mine >> 52)),
                                                      code_low((uint32_t)(item[i].value >> 52))))
                break;
            if (!are_there(all->state, mine, item[i].value) || !records_may_match(o, mine, item[i].value) ||
                met_before(j, from, j->inner, i))
                continue;
            if (pair_add(all, j, thread, mine, item[i].value) < 0) return -ENOMEM;
        }
    }
    return 1;
}

/* Works until enough was written or nothing is left. */
static int joiner_work(struct joining *all, struct joiner *j, int thread)
{
    j->written = 0;
    while (j->written < PAIRS_STEP) {
        size_t to;
        int    rc;

        if (!j->item) {
            uint32_t partition = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED);

            if (partition >= all->end) return 0;
            rc = shuffle_take(all->records, partition, &j->item, &j->count, &j->err);
            if (rc == 0) rc = joiner_list(all, j);
            if (rc < 0) return rc;
            j->at = 0;
            j->begun = false;
        }
        if (j->at >= j->count) {
            joiner_release(j);
            continue;
        }
        to = bucket_end(j, j->at);
        if (to - j->at > 1) {
            rc = bucket_join(all, j, thread, j->at, to);
            if (rc < 0) return err_memory(&j->err, sizeof(struct sort_item), "pairs");
            if (rc == 0) return 0;
        }
        j->at = to;
        j->begun = false;
    }
    return 0;
}

static bool joining_ended(const struct joining *all)
{
    for (int t = 0; t < all->state->threads; t++)
        if (all->joiner[t].item) return false;
    return all->next >= all->end;
}

static int joining_step(struct joining *all, struct err *err)
{
    int rc = 0;

#pragma omp parallel num_threads(all->state->threads)
    {
        struct joiner *j = &all->joiner[omp_get_thread_num()];

        j->rc = joiner_work(all, j, omp_get_thread_num());
    }
    for (int t = 0; t < all->state->threads && rc == 0; t++)
        if (all->joiner[t].rc < 0) {
            *err = all->joiner[t].err;
            rc = all->joiner[t].rc;
        }
    return rc;
}

int buckets_join(struct dedup_state *s, struct shuffle *records, struct shuffle *pairs, const bool *block_done,
                 struct err *err)
{
    uint32_t       partitions = record_partitions(s);
    struct joining all = { .state = s, .records = records, .pairs = pairs, .block_done = block_done,
                           .joiner = calloc((size_t)s->threads, sizeof *all.joiner),
                           .next = shuffle_first(partitions, s->ranks, s->rank),
                               .end = shuffle_first(partitions, s->ranks, s->rank + 1) };
    int            rc = all.joiner ? 0 : err_memory(err, (size_t)s->threads * sizeof *all.joiner, "joiners");

    for (int t = 0; rc == 0 && t < s->threads; t++)
        if (!(all.joiner[t].seen = calloc(PAIRS_SEEN, sizeof *all.joiner[t].seen)))
            rc = err_memory(err, PAIRS_SEEN * 16, "pairs");
    rc = comm_agree(s->job->run->comm, rc, err);
    while (rc == 0) {
        while (rc == 0 && !joining_ended(&all) && !shuffle_is_full(pairs)) rc = joining_step(&all, err);
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = shuffle_round(pairs, !joining_ended(&all), err);
        if (rc <= 0) break;
        rc = 0;
    }
    for (int t = 0; all.joiner && t < s->threads; t++) {
        struct joiner *j = &all.joiner[t];

        s->job->stats.buckets += j->buckets;
        s->job->stats.hot_buckets += j->hot;
        s->job->stats.hot_members += j->hot_members;
        if (j->largest > s->job->stats.largest_bucket) s->job->stats.largest_bucket = j->largest;
        joiner_release(j);
        free(j->seen);
    }
    free(all.joiner);
    return rc;
}
