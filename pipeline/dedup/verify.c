/* dedup/verify.c -- candidates decided: features intersected, compared in integers; links committed by block of ids.
 *
 * What a pair is said to be does not depend on how it was found. */
#include "dedup/fetch.h"

#include "base/aside.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

enum {
    VERIFY_PARTS = 1024,                                    /* parts held at a time */
    VERIFY_STEP = 64,                                       /* pairs a thread takes */
};

/* ---- one pair ---- */

/* Occurrences that two multisets share, when both have features that occur more than once. */
static uint64_t smaller_counts(struct column_features x, struct column_features y)
{
    uint64_t sum = 0;

    for (uint32_t i = 0, j = 0; i < x.distinct && j < y.distinct;) {
        if (x.hash[i] == y.hash[j]) {
            sum += x.count[i] < y.count[j] ? x.count[i] : y.count[j];
            i++, j++;
        } else if (x.hash[i] < y.hash[j]) i++;
        else j++;
    }
    return sum;
}

bool pair_decide(const struct dedup_options *o, struct fetched worse, struct fetched better, struct dedup_link *link)
{
    struct column_features x = worse.features, y = better.features;
    uint32_t               least = x.distinct < y.distinct ? x.distinct : y.distinct, most = x.distinct < y.distinct
        ? y.distinct : x.distinct;
    bool                   similar = ratio_reached(o->threshold, least, most), inside;
    bool                   first = worse.ordinal < better.ordinal;
    uint64_t               shared, min_sum;

    if (!similar && !(o->containment.den && ratio_reached(o->containment, least, x.distinct))) return false;
    shared = kernels->intersect_u64(x.hash, x.distinct, y.hash, y.distinct);
    similar = ratio_reached(o->threshold, shared, (uint64_t)x.distinct + y.distinct - shared);
    inside = o->containment.den && ratio_reached(o->containment, shared, x.distinct);
    if (!similar && !inside) return false;
    min_sum = x.count && y.count ? smaller_counts(x, y) : shared;
    if (o->multiset_threshold.den && !ratio_reached(o->multiset_threshold, min_sum,
                                                    (uint64_t)x.total + y.total - min_sum))
        similar = false;
    if (!similar && !inside) return false;
    *link = (struct dedup_link){
        .first = first ? worse.ordinal : better.ordinal, .second = first ? better.ordinal : worse.ordinal,
        .marks = (similar ? DEDUP_SIMILAR : 0u) | (inside ? first ? DEDUP_FIRST_INSIDE : DEDUP_SECOND_INSIDE : 0u),
        .shared = (uint32_t)shared, .union_size = (uint32_t)(x.distinct + y.distinct - shared),
            .min_sum = (uint32_t)min_sum,
        .max_sum = (uint32_t)((uint64_t)x.total + y.total - min_sum) };
    return true;
}

/* ---- blocks ---- */

struct verified_part {                                      /* pairs of a part of a block under way */
    uint32_t          number;
    struct sort_item *pair;                                 /* key: worse, value: better; each once */
    size_t            count, done;
};

/* What is known of the block at hand: its parts are settled one after the other. */
struct verified_block { struct bytes link, id; struct aside link_aside, id_aside; uint64_t candidates; };

struct verifier {
    struct dedup_state   *state;
    struct fetch          fetch;
    struct verified_part *part;                             /* [part_count]; those before `at` are settled */
    size_t                part_count, at, chunk;            /* chunk: pairs at a time */
    struct verified_block block;
    uint64_t             *wanted;                           /* [2 * chunk] ids */
    struct dedup_link    *found;                            /* [chunk] */
};

static size_t pairs_unique(struct sort_item *pair, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!kept || pair[kept - 1].key != pair[i].key || pair[kept - 1].value != pair[i].value) pair[kept++] = pair[i];
    return kept;
}

static void block_free(struct verified_block *b)
{
    aside_free(&b->link_aside, &b->link);
    aside_free(&b->id_aside, &b->id);
    b->candidates = 0;
}

static int block_commit(struct verifier *v, uint32_t number, struct err *err)
{
    struct verified_block *b = &v->block;
    struct slice           section[] = { bytes_slice(&b->link), bytes_slice(&b->id),
                                         { (const char *)&b->candidates, sizeof b->candidates } };
    const bool             mapped[] = { aside_is_mapped(&b->link_aside), aside_is_mapped(&b->id_aside), false };
    int                    rc = stage_commit_mapped(v->state->job->run->stage, "links", links_key(v->state, number),
                                                    section, mapped, 3, err);

    block_free(b);
    return rc;
}

/* Room for so many links more in the block at hand. */
static int block_reserve(struct verifier *v, size_t links, struct err *err)
{
    struct verified_block *b = &v->block;
    struct stage          *stage = v->state->job->run->stage;
    int                    rc = aside_reserve(&b->link_aside, stage, &b->link, links * sizeof(struct dedup_link), err);

    return rc < 0 ? rc : aside_reserve(&b->id_aside, stage, &b->id, links * sizeof(struct link_ids), err);
}

/* The next pairs of a part. */
static int chunk_verify(struct verifier *v, struct verified_part *p, size_t end, struct err *err)
{
    const struct dedup_options *o = v->state->job->options;
    const struct sort_item     *pair = p->pair + p->done;
    size_t                      count = end - p->done, links = 0, missing = 0;

#pragma omp parallel for num_threads(v->state->threads) schedule(dynamic, VERIFY_STEP) reduction(+ : links, missing)
    for (size_t i = 0; i < count; i++) {
        const struct fetched worse = fetch_get(&v->fetch, pair[i].key), better = fetch_get(&v->fetch, pair[i].value);

        missing += !worse.features.distinct || !better.features.distinct;
        if (pair_decide(o, worse, better, &v->found[i])) links++;
        else v->found[i].marks = 0;
    }
    if (missing)                                            /* it would be no pair, and nobody would know */
        return err_set(err, -EIO, "%s: features of documents that are compared are not there; remove the work folder "
                                  "with --clean", stage_dir(v->state->job->run->stage));
    if (links && block_reserve(v, links, err) < 0) return err->code;
    for (size_t i = 0; i < count; i++) {
        struct link_ids ids = { pair[i].key, pair[i].value };

        if (!v->found[i].marks) continue;
        if (bytes_append(&v->block.link, &v->found[i], sizeof v->found[i]) < 0 ||
            bytes_append(&v->block.id, &ids, sizeof ids) < 0)
            return err_memory(err, sizeof ids, "links");
    }
    p->done = end;
    return 0;
}

/* A pair meets in many buckets: what its repeats took is given back. */
static void pairs_shrink(struct verified_part *p)
{
    struct sort_item *less;

    p->count = pairs_unique(p->pair, p->count);
    less = realloc(p->pair, (p->count + 1) * sizeof *less);
    if (less) p->pair = less;
}

/* Takes parts until they hold enough pairs for a fetch; their pairs are sorted side by side. */
static int parts_take(struct verifier *v, struct shuffle *pairs, uint32_t *next, uint32_t end, const bool *block_done,
                      struct err *err)
{
    size_t threads = (size_t)v->state->threads, held = 0;
    int    rc = 0;

    v->part_count = v->at = 0;
    while (rc == 0 && *next < end && held < v->chunk && v->part_count < VERIFY_PARTS) {
        size_t from = v->part_count;

        for (; *next < end && v->part_count < from + threads; ++*next)
            if (!block_done[*next >> v->state->part_bits])
                v->part[v->part_count++] = (struct verified_part){ .number = *next };
#pragma omp parallel for num_threads(v->state->threads) schedule(dynamic, 1)
        for (size_t p = from; p < v->part_count; p++) {
            struct err mine = { 0 };
            int        taken = shuffle_take(pairs, v->part[p].number, &v->part[p].pair, &v->part[p].count, &mine);

            if (taken == 0) pairs_shrink(&v->part[p]);
            else
#pragma omp critical(verify_failure)
            {
                *err = mine;
                rc = taken;
            }
        }
        for (size_t p = from; p < v->part_count; p++) held += v->part[p].count;
    }
    return rc;
}

/* The documents of the next pairs, over as many parts as it takes. */
static size_t pairs_want(const struct verifier *v)
{
    size_t pairs = 0;

    for (size_t p = v->at; p < v->part_count && pairs < v->chunk; p++)
        for (size_t i = v->part[p].done; i < v->part[p].count && pairs < v->chunk; i++, pairs++) {
            v->wanted[2 * pairs] = v->part[p].pair[i].key;
            v->wanted[2 * pairs + 1] = v->part[p].pair[i].value;
        }
    return pairs;
}

/* Decides so many pairs and commits the blocks that are complete with them. */
static int pairs_settle(struct verifier *v, size_t pairs, struct err *err)
{
    const uint32_t last = (1u << v->state->part_bits) - 1;  /* of a block's parts */
    int            rc = 0;

    while (rc == 0 && v->at < v->part_count) {
        struct verified_part *p = &v->part[v->at];
        size_t                now = p->count - p->done < pairs ? p->count - p->done : pairs;

        rc = chunk_verify(v, p, p->done + now, err);
        pairs -= now;
        if (rc < 0 || p->done < p->count) break;
        v->block.candidates += p->count;
        free(p->pair);
        p->pair = NULL;
        if ((p->number & last) == last) rc = block_commit(v, p->number >> v->state->part_bits, err);
        v->at++;
    }
    return rc;
}

/* All ranks fetch in the same rounds: whoever has nothing to verify answers the others. */
int links_make(struct dedup_state *s, struct shuffle *pairs, const bool *block_done, struct err *err)
{
    uint32_t        next = shuffle_first(s->blocks, s->ranks, s->rank) << s->part_bits,
        end = shuffle_first(s->blocks, s->ranks, s->rank + 1) << s->part_bits;
    struct verifier v = { .state = s, .chunk = fetch_pairs(s),
                          .part = calloc(VERIFY_PARTS + (size_t)s->threads, sizeof *v.part) };
    int             rc;

    v.wanted = malloc(2 * v.chunk * sizeof *v.wanted);
    v.found = malloc(v.chunk * sizeof *v.found);
    rc = v.part && v.wanted && v.found ? fetch_open(&v.fetch, s, err)
        : err_memory(err, v.chunk * sizeof *v.found, "pairs");
    rc = comm_agree(s->job->run->comm, rc, err);
    while (rc == 0) {
        size_t   wanted = 0;
        uint64_t going;

        if (v.at == v.part_count && next < end) rc = parts_take(&v, pairs, &next, end, block_done, err);
        if (rc == 0) wanted = pairs_want(&v);
        going = v.at < v.part_count || next < end;
        if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) break;
        comm_sum(s->job->run->comm, &going, 1);
        if (!going) break;
        rc = fetch_run(&v.fetch, v.wanted, 2 * wanted, err);
        if (rc == 0) rc = pairs_settle(&v, wanted, err);
        rc = comm_agree(s->job->run->comm, rc, err);
    }
    for (size_t p = 0; v.part && p < v.part_count; p++) free(v.part[p].pair);
    block_free(&v.block);
    fetch_close(&v.fetch);
    free(v.part);
    free(v.wanted);
    free(v.found);
    return rc;
}
