/* dedup/verify.c -- candidates decided: features intersected, compared in integers; links committed by block of ids.
 *
 * What a pair is said to be does not depend on how it was found. */
#include "dedup/fetch.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

enum {
    /* pairs whose documents are fetched at a time, by what memory there is */
    VERIFY_LEAST = 1 << 10, VERIFY_MOST = 1 << 20,
    VERIFY_BLOCKS = 256,                                    /* blocks held at a time */
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

struct verified_block {                                     /* a block under way */
    uint32_t          number;
    struct sort_item *pair;                                 /* key: worse, value: better; each once */
    size_t            count, done;
    struct bytes      link, id;
};

struct verifier {
    struct dedup_state    *state;
    struct fetch           fetch;
    struct verified_block *block;                           /* [block_count]; those before `at` are committed */
    size_t                 block_count, at, chunk;          /* chunk: pairs at a time */
    uint64_t              *wanted;                          /* [2 * chunk] ids */
    struct dedup_link     *found;                           /* [chunk] */
};

static size_t pairs_unique(struct sort_item *pair, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!kept || pair[kept - 1].key != pair[i].key || pair[kept - 1].value != pair[i].value) pair[kept++] = pair[i];
    return kept;
}

struct unit_key links_key(const struct dedup_state *s, uint32_t block)
{
    const struct generation *g = s->generation + s->generations - 1;

    while (block < g->first_block) g--;
    return unit_key_add(unit_key_add(g->key, "links", 5), &block, sizeof block);
}

static int block_commit(struct verifier *v, struct verified_block *b, struct err *err)
{
    uint64_t     candidates = b->count;
    struct slice section[] = { bytes_slice(&b->link), bytes_slice(&b->id),
                               { (const char *)&candidates, sizeof candidates } };
    int          rc = stage_commit(v->state->job->run->stage, "links", links_key(v->state, b->number), section, 3, err);

    free(b->pair);
    bytes_free(&b->link);
    bytes_free(&b->id);
    *b = (struct verified_block){ 0 };
    return rc;
}

/* The next pairs of a block. */
static int chunk_verify(struct verifier *v, struct verified_block *b, size_t end, struct err *err)
{
    const struct dedup_options *o = v->state->job->options;
    const struct sort_item     *pair = b->pair + b->done;
    size_t                      count = end - b->done;

#pragma omp parallel for num_threads(v->state->threads) schedule(dynamic, VERIFY_STEP)
    for (size_t i = 0; i < count; i++)
        if (!pair_decide(o, fetch_get(&v->fetch, pair[i].key), fetch_get(&v->fetch, pair[i].value), &v->found[i]))
            v->found[i].marks = 0;
    for (size_t i = 0; i < count; i++) {
        struct link_ids ids = { pair[i].key, pair[i].value };

        if (!v->found[i].marks) continue;
        if (bytes_append(&b->link, &v->found[i], sizeof v->found[i]) < 0 || bytes_append(&b->id, &ids, sizeof ids) < 0)
            return err_memory(err, sizeof ids, "links");
    }
    b->done = end;
    return 0;
}

/* A pair meets in many buckets: what its repeats took is given back. */
static void pairs_shrink(struct verified_block *b)
{
    struct sort_item *less;

    b->count = pairs_unique(b->pair, b->count);
    less = realloc(b->pair, (b->count + 1) * sizeof *less);
    if (less) b->pair = less;
}

/* Takes blocks until they hold enough pairs for a fetch; their pairs are sorted side by side. */
static int blocks_take(struct verifier *v, struct shuffle *pairs, uint32_t *next, uint32_t end, const bool *block_done,
                       struct err *err)
{
    size_t threads = (size_t)v->state->threads, held = 0;
    int    rc = 0;

    v->block_count = v->at = 0;
    while (rc == 0 && *next < end && held < v->chunk && v->block_count < VERIFY_BLOCKS) {
        size_t from = v->block_count;

        for (; *next < end && v->block_count < from + threads; ++*next)
            if (!block_done[*next]) v->block[v->block_count++] = (struct verified_block){ .number = *next };
#pragma omp parallel for num_threads(v->state->threads) schedule(dynamic, 1)
        for (size_t b = from; b < v->block_count; b++) {
            struct err mine = { 0 };
            int        taken = shuffle_take(pairs, v->block[b].number, &v->block[b].pair, &v->block[b].count, &mine);

            if (taken == 0) pairs_shrink(&v->block[b]);
            else
#pragma omp critical(verify_failure)
            {
                *err = mine;
                rc = taken;
            }
        }
        for (size_t b = from; b < v->block_count; b++) held += v->block[b].count;
    }
    return rc;
}

/* The documents of the next pairs, over as many blocks as it takes. */
static size_t pairs_want(const struct verifier *v)
{
    size_t pairs = 0;

    for (size_t b = v->at; b < v->block_count && pairs < v->chunk; b++)
        for (size_t i = v->block[b].done; i < v->block[b].count && pairs < v->chunk; i++, pairs++) {
            v->wanted[2 * pairs] = v->block[b].pair[i].key;
            v->wanted[2 * pairs + 1] = v->block[b].pair[i].value;
        }
    return pairs;
}

/* Decides so many pairs and commits the blocks that are complete with them. */
static int pairs_settle(struct verifier *v, size_t pairs, struct err *err)
{
    int rc = 0;

    while (rc == 0 && v->at < v->block_count) {
        struct verified_block *b = &v->block[v->at];
        size_t                 part = b->count - b->done < pairs ? b->count - b->done : pairs;

        rc = chunk_verify(v, b, b->done + part, err);
        pairs -= part;
        if (rc < 0 || b->done < b->count) break;
        rc = block_commit(v, b, err);
        v->at++;
    }
    return rc;
}

/* All ranks fetch in the same rounds: whoever has nothing to verify answers the others. */
int links_make(struct dedup_state *s, struct shuffle *pairs, const bool *block_done, struct err *err)
{
    uint64_t        document = s->catalogue.documents ? 64 : 1, bytes = 0;
    uint32_t        next = shuffle_first(s->blocks, s->ranks, s->rank),
        end = shuffle_first(s->blocks, s->ranks, s->rank + 1);
    struct verifier v = { .state = s, .block = calloc(VERIFY_BLOCKS + (size_t)s->threads, sizeof *v.block) };
    int             rc;

    for (size_t u = 0; u < s->catalogue.count; u++) bytes += s->catalogue.unit[u].bytes;
    if (s->catalogue.documents) document += bytes / s->catalogue.documents;
    /* two documents a pair, none of them there twice */
    v.chunk = run_memory_share(s->job->run) / 8 / (2 * document);
    v.chunk = v.chunk < VERIFY_LEAST ? VERIFY_LEAST : v.chunk > VERIFY_MOST ? VERIFY_MOST : v.chunk;
    v.wanted = malloc(2 * v.chunk * sizeof *v.wanted);
    v.found = malloc(v.chunk * sizeof *v.found);
    rc = v.block && v.wanted && v.found ? fetch_open(&v.fetch, s, err)
        : err_memory(err, v.chunk * sizeof *v.found, "pairs");
    rc = comm_agree(s->job->run->comm, rc, err);
    while (rc == 0) {
        size_t   wanted = 0;
        uint64_t going;

        if (v.at == v.block_count && next < end) rc = blocks_take(&v, pairs, &next, end, block_done, err);
        if (rc == 0) wanted = pairs_want(&v);
        going = v.at < v.block_count || next < end;
        if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) break;
        comm_sum(s->job->run->comm, &going, 1);
        if (!going) break;
        rc = fetch_run(&v.fetch, v.wanted, 2 * wanted, err);
        if (rc == 0) rc = pairs_settle(&v, wanted, err);
        rc = comm_agree(s->job->run->comm, rc, err);
    }
    for (size_t b = 0; v.block && b < v.block_count; b++) {
        free(v.block[b].pair);
        bytes_free(&v.block[b].link);
        bytes_free(&v.block[b].id);
    }
    fetch_close(&v.fetch);
    free(v.block);
    free(v.wanted);
    free(v.found);
    return rc;
}

int links_load(const struct dedup_state *s, uint32_t block, struct links *out, struct err *err)
{
    uint64_t from = block_first(s, block), to = block_first(s, block + 1);
    int      rc;

    *out = (struct links){ 0 };
    rc = stage_load(s->job->run->stage, "links", links_key(s, block), &out->file, err);
    if (rc <= 0) return rc;
    if (out->file.count != 3 ||
        out->file.section[0].len / sizeof *out->link != out->file.section[1].len / sizeof *out->id ||
            out->file.section[2].len != 8) {
        unit_close(&out->file);
        return err_set(err, -EBADMSG, "%s: a unit of links does not have the expected layout; remove the work folder "
                                      "with --clean", stage_dir(s->job->run->stage));
    }
    out->link = (const struct dedup_link *)out->file.section[0].at;
    out->id = (const struct link_ids *)out->file.section[1].at;
    out->count = out->file.section[0].len / sizeof *out->link;
    memcpy(&out->candidates, out->file.section[2].at, sizeof out->candidates);
    for (size_t i = 0; i < out->count; i++) {               /* whoever damages a file can also mend its checksum */
        const struct link_ids *id = &out->id[i];

        if (id->worse >= from && id->worse < to && id->better < id->worse && (!i || id[-1].worse <= id->worse))
            continue;
        unit_close(&out->file);
        return err_set(err, -EBADMSG, "%s: a unit of links does not fit together; remove the work folder with --clean",
                       stage_dir(s->job->run->stage));
    }
    return 1;
}
