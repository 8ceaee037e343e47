/* train/count.c -- the n-grams of the highest order, counted range by range.
 *
 * Rows are numbers, and samples say where the ranges lie that have about as many rows each.  A rank takes as many
 * ranges as its memory holds, goes through all tokens and puts the rows of these ranges in their bags; then every bag
 * is sorted and becomes a unit.  Ranges are dealt to ranks in turn.  So nothing is exchanged and nothing spilled: less
 * memory, or more ranks, is more walks through the tokens, at some ns a token.  A bag that is full before the walk's
 * end is sorted early, and keeps each of its rows once: a row that stands everywhere needs no more room than another
 * one. */
#include "train/private.h"

#include "base/log.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    ROWS_MOST = 1 << 18, ROWS_LEAST = 1 << 10,              /* of a range: more do not sort in the cache */
    /* that a thread holds back before it asks for a bag's lock */
    ROWS_POCKET = 64
};

struct rows { uint64_t *row, *count; size_t rows; };        /* sorted, each once */

struct bag {
    pthread_mutex_t lock;
    bool            done;                                   /* its unit is there already */
    uint64_t       *fresh;                                  /* [room * words] as they come, `count` of them */
    size_t          count, room;
    struct rows     settled;
};

struct counting {
    struct train           *t;
    struct train_row_shape  shape;
    struct unit            *unit;                           /* [t->unit_count] of tokens */
    struct slice           *part;                           /* [part_count] tokens of all parts */
    size_t                  part_count;
    /* [limits * words] a range begins there, but for the first one; ascending */
    uint64_t               *limit;
    size_t                  limits;
    /* [tokens + 1] the first range that has rows which begin with the token */
    uint32_t               *start;
    size_t                  range_rows;                     /* about so many in a range */
    size_t                  first, last;                    /* ranges of the walk */
    struct bag             *bag;                            /* [last - first] */
};

static void rows_free(struct rows *rows)
{
    free(rows->row);
    free(rows->count);
    *rows = (struct rows){ 0 };
}

/* ---- bags ---- */

/* Sorted rows of which some are equal; each once. */
static int rows_fold(const uint64_t *row, size_t rows, uint32_t words, struct rows *out, struct err *err)
{
    size_t distinct = rows > 0;

    for (size_t i = 1; i < rows; i++) distinct += train_row_compare(row + i * words, row + (i - 1) * words, words) != 0;
    *out = (struct rows){ malloc((distinct * words + 1) * sizeof *row), malloc((distinct + 1) * sizeof *row), 0 };
    if (!out->row || !out->count) {
        rows_free(out);
        return err_memory(err, distinct * (words + 1) * sizeof *row, "n-grams");
    }
    for (size_t i = 0; i < rows; i++) {
        if (out->rows && train_row_compare(row + i * words, out->row + (out->rows - 1) * words, words) == 0) {
            out->count[out->rows - 1]++;
            continue;
        }
        memcpy(out->row + out->rows * words, row + i * words, words * sizeof *row);
        out->count[out->rows++] = 1;
    }
    return 0;
}

static int rows_merge(const struct rows *a, const struct rows *b, uint32_t words, struct rows *out, struct err *err)
{
    size_t most = a->rows + b->rows, i = 0, j = 0;

    *out = (struct rows){ malloc((most * words + 1) * sizeof *out->row), malloc((most + 1) * sizeof *out->count), 0 };
    if (!out->row || !out->count) {
        rows_free(out);
        return err_memory(err, most * (words + 1) * sizeof *out->row, "n-grams");
    }
    while (i < a->rows || j < b->rows) {
        int order = i == a->rows ? 1 : j == b->rows ? -1
            : train_row_compare(a->row + i * words, b->row + j * words, words);

        memcpy(out->row + out->rows * words, order <= 0 ? a->row + i * words : b->row + j * words,
               words * sizeof *out->row);
        out->count[out->rows++] = (order <= 0 ? a->count[i] : 0) + (order >= 0 ? b->count[j] : 0);
        i += order <= 0;
        j += order >= 0;
    }
    return 0;
}

/* What is fresh joins what is settled. */
static int bag_settle(struct bag *bag, uint32_t words, struct err *err)
{
    uint64_t   *spare = malloc((bag->count * words + 1) * sizeof *spare);
    struct rows fresh = { 0 }, both = { 0 };
    int         rc;

    if (!spare) return err_memory(err, bag->count * words * sizeof *spare, "n-grams");
    train_rows_sort(bag->fresh, spare, bag->count, words);
    free(spare);
    rc = rows_fold(bag->fresh, bag->count, words, &fresh, err);
    if (rc < 0) return rc;
    bag->count = 0;
    if (bag->settled.rows == 0) {
        rows_free(&bag->settled);
        bag->settled = fresh;
        return 0;
    }
    rc = rows_merge(&bag->settled, &fresh, words, &both, err);
    rows_free(&fresh);
    if (rc < 0) return rc;
    rows_free(&bag->settled);
    bag->settled = both;
    return 0;
}

/* The first time room for what the samples promise.  A full bag is settled; when it is mostly different rows, the
 * samples were wrong about it, and it grows. */
static int bag_make_room(struct bag *bag, const struct counting *c, struct err *err)
{
    const uint32_t words = c->shape.words;
    size_t         room = bag->room ? 2 * bag->room : c->range_rows + c->range_rows / 4;
    uint64_t      *grown;
    int            rc = bag->room ? bag_settle(bag, words, err) : 0;

    if (rc < 0 || (bag->room && bag->settled.rows <= bag->room / 2)) return rc;
    grown = malloc(room * words * sizeof *grown);
    if (!grown) return err_memory(err, room * words * sizeof *grown, "n-grams");
    free(bag->fresh);
    bag->fresh = grown;
    bag->room = room;
    return 0;
}

static int bag_add(struct bag *bag, const uint64_t *row, size_t count, const struct counting *c, struct err *err)
{
    const uint32_t words = c->shape.words;
    int            rc = 0;

    pthread_mutex_lock(&bag->lock);
    while (count && rc == 0) {
        size_t some = bag->room - bag->count < count ? bag->room - bag->count : count;

        if (some) memcpy(bag->fresh + bag->count * words, row, some * words * sizeof *row);
        bag->count += some;
        row += some * words;
        count -= some;
        if (count) rc = bag_make_room(bag, c, err);
    }
    pthread_mutex_unlock(&bag->lock);
    return rc;
}

/* ---- a walk through the tokens ---- */

/* What one thread has not yet put in the bags. */
struct pockets { uint64_t *row; uint32_t *count; };         /* [ranges * ROWS_POCKET * words], [ranges] */

static void pockets_free(struct pockets *pockets)
{
    free(pockets->row);
    free(pockets->count);
}

static int pockets_open(struct pockets *out, size_t ranges, uint32_t words, struct err *err)
{
    *out = (struct pockets){ malloc(ranges * ROWS_POCKET * words * sizeof *out->row),
                             calloc(ranges, sizeof *out->count) };
    return out->row && out->count ? 0 : err_memory(err, ranges * ROWS_POCKET * words * sizeof *out->row, "n-grams");
}

static int pocket_empty(struct counting *c, struct pockets *pockets, size_t r, struct err *err)
{
    uint32_t words = c->shape.words, count = pockets->count[r];

    pockets->count[r] = 0;
    return count && !c->bag[r].done ? bag_add(&c->bag[r], pockets->row + r * ROWS_POCKET * words, count, c, err) : 0;
}

/* The range of a row, which is one of those from `from` to `to`: the number of limits that are not above it. */
static inline size_t range_of(const struct counting *c, const uint64_t *row, size_t from, size_t to, uint32_t words)
{
    while (from < to) {
        size_t middle = (from + to) / 2;

        if (train_row_compare(c->limit + middle * words, row, words) <= 0) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* All rows of a part; words is shape.words, known to the compiler. */
static inline __attribute__((always_inline)) int part_walk(struct counting *c, const uint32_t *token, size_t count,
                                                           struct pockets *pockets, uint32_t words,
                                                           struct err *err)
{
    const uint32_t order = c->shape.order, bits = c->shape.bits;
    uint64_t       empty[4], row[4];
    size_t         begin = 0;

    train_row_pack(&c->shape, (const uint32_t[LM_ORDER_MAX]){ LM_BEGIN, LM_BEGIN, LM_BEGIN, LM_BEGIN, LM_BEGIN,
                                                              LM_BEGIN, LM_BEGIN }, empty);
    memcpy(row, empty, sizeof row);
    for (size_t i = 0; i < count; i++) {
        uint32_t first = i + 1 >= begin + order ? token[i + 1 - order] : LM_BEGIN;
        size_t   from = c->start[first], to = c->start[first + 1], r;

        for (uint32_t w = 0; w + 1 < words; w++)
            row[w] = (row[w] << bits | row[w + 1] >> (64 - bits)) & c->shape.mask[w];
        row[words - 1] = (row[words - 1] << bits | token[i]) & c->shape.mask[words - 1];
        if (to >= c->first && from < c->last) {
            r = from == to ? from : range_of(c, row, from, to, words);
            if (r >= c->first && r < c->last) {
                uint32_t at = pockets->count[r -= c->first]++;

                memcpy(pockets->row + (r * ROWS_POCKET + at) * words, row, words * sizeof *row);
                if (at + 1 == ROWS_POCKET && pocket_empty(c, pockets, r, err) < 0) return err->code;
            }
        }
        if (token[i] == LM_END) {
            begin = i + 1;
            memcpy(row, empty, sizeof row);
        }
    }
    return 0;
}

static int walk(struct counting *c, struct err *err)
{
    size_t ranges = c->last - c->first;
    int    rc = 0;

#pragma omp parallel num_threads(c->t->job->run->threads)
    {
        struct pockets pockets;
        struct err     mine = { 0 };
        int            own = pockets_open(&pockets, ranges, c->shape.words, &mine);

#pragma omp for schedule(dynamic)
        for (size_t p = 0; p < c->part_count; p++) {
            const uint32_t *token = (const uint32_t *)(const void *)c->part[p].at;
            size_t          count = c->part[p].len / sizeof *token;

            if (own < 0) continue;
            own = c->shape.words == 2 ? part_walk(c, token, count, &pockets, 2, &mine)
                : part_walk(c, token, count, &pockets, 4, &mine);
        }
        for (size_t r = 0; r < ranges && own == 0; r++) own = pocket_empty(c, &pockets, r, &mine);
        pockets_free(&pockets);
        if (own < 0) {
#pragma omp critical(train_failure)
            {
                *err = mine;
                rc = own;
            }
        }
    }
    return rc;
}

/* ---- a bag becomes a unit ---- */

static int bag_commit(const struct counting *c, size_t r, struct bag *bag, struct err *err)
{
    const struct train_row_shape *shape = &c->shape;
    size_t                        rows = bag->settled.rows;
    uint32_t                     *token = malloc((rows * shape->order + 1) * sizeof *token);
    int                           rc;

    if (!token) return err_memory(err, rows * shape->order * sizeof *token, "n-grams");
    for (size_t i = 0; i < rows; i++)
        train_row_unpack(shape, bag->settled.row + i * shape->words, token + i * shape->order);
    rc = stage_commit(c->t->job->run->stage, TRAIN_ROWS, c->t->range[r],
                      (struct slice[]){ { (const char *)token, rows * shape->order * sizeof *token },
                      { (const char *)bag->settled.count, rows * sizeof *bag->settled.count } }, 2, err);
    free(token);
    return rc;
}

/* Which of the walk's ranges are there already; whether all are. */
static int bags_look(struct counting *c, bool *all, struct err *err)
{
    *all = true;
    for (size_t r = c->first; r < c->last; r++) {
        struct unit unit;
        int         rc = stage_load(c->t->job->run->stage, TRAIN_ROWS, c->t->range[r], &unit, err);

        if (rc < 0) return rc;
        if (rc > 0) unit_close(&unit);
        c->bag[r - c->first].done = rc > 0;
        *all &= rc > 0;
    }
    return 0;
}

static int bags_finish(struct counting *c, struct err *err)
{
    int rc = 0;

#pragma omp parallel for schedule(dynamic) num_threads(c->t->job->run->threads)
    for (size_t r = c->first; r < c->last; r++) {
        struct bag *bag = &c->bag[r - c->first];
        struct err  mine = { 0 };
        int         own = bag->done ? 0 : bag_settle(bag, c->shape.words, &mine);

        free(bag->fresh);
        bag->fresh = NULL;
        if (own == 0 && !bag->done) own = bag_commit(c, r, bag, &mine);
        rows_free(&bag->settled);
        if (own < 0) {
#pragma omp critical(train_failure)
            {
                *err = mine;
                rc = own;
            }
        }
    }
    return rc;
}

/* The ranges from first to last, in one walk. */
static int count_ranges(struct counting *c, size_t first, size_t last, struct err *err)
{
    bool all;
    int  rc;

    c->first = first;
    c->last = last;
    c->bag = calloc(last - first, sizeof *c->bag);
    if (!c->bag) return err_memory(err, (last - first) * sizeof *c->bag, "ranges of n-grams");
    for (size_t r = 0; r < last - first; r++) pthread_mutex_init(&c->bag[r].lock, NULL);
    rc = bags_look(c, &all, err);
    if (rc == 0 && !all) rc = walk(c, err);
    if (rc == 0 && !all) rc = bags_finish(c, err);
    for (size_t u = 0; u < c->t->unit_count; u++) unit_forget(&c->unit[u]);
    for (size_t r = 0; r < last - first; r++) {
        free(c->bag[r].fresh);
        rows_free(&c->bag[r].settled);
        pthread_mutex_destroy(&c->bag[r].lock);
    }
    free(c->bag);
    c->bag = NULL;
    return rc;
}

/* ---- ranges ---- */

static int tokens_open(struct counting *c, struct err *err)
{
    struct train *t = c->t;
    size_t        parts = 0;
    int           rc;

    c->unit = calloc(t->unit_count + 1, sizeof *c->unit);
    if (!c->unit) return err_memory(err, t->unit_count * sizeof *c->unit, "the list of units");
    for (size_t u = 0; u < t->unit_count; u++) {
        rc = stage_load(t->job->run->stage, TRAIN_TOKENS, t->unit[u].key, &c->unit[u], err);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: a unit of its tokens has disappeared; the same command again makes it anew",
                         t->job->run->shards->at[t->unit[u].shard].path);
        if (rc < 0) return rc;
        parts += c->unit[u].count - 1;
    }
    c->part = calloc(parts + 1, sizeof *c->part);
    if (!c->part) return err_memory(err, parts * sizeof *c->part, "the list of parts");
    for (size_t u = 0; u < t->unit_count; u++)
        for (size_t i = 1; i < c->unit[u].count; i++) {
            c->part[c->part_count++] = c->unit[u].section[i];
            t->tokens += c->unit[u].section[i].len / sizeof(uint32_t);
        }
    return 0;
}

/* All samples as sorted rows. */
static int samples_sort(const struct counting *c, uint64_t **out, size_t *count, struct err *err)
{
    const uint32_t words = c->shape.words;
    uint64_t      *row;
    size_t         all = 0;

    for (size_t u = 0; u < c->t->unit_count; u++) all += c->unit[u].section[0].len / sizeof(struct train_sample);
    *out = row = malloc((2 * all * words + 1) * sizeof *row);
    if (!row) return err_memory(err, 2 * all * words * sizeof *row, "samples");
    *count = 0;
    for (size_t u = 0; u < c->t->unit_count; u++) {
        const struct train_sample *sample = (const struct train_sample *)(const void *)c->unit[u].section[0].at;

        for (size_t i = 0; i < c->unit[u].section[0].len / sizeof *sample; i++)
            train_row_pack(&c->shape, sample[i].token + LM_ORDER_MAX - c->shape.order, row + (*count)++ * words);
    }
    train_rows_sort(row, row + all * words, all, words);
    return 0;
}

/* Where the ranges begin, from the samples, and for each token the range where its rows begin. */
static int ranges_choose(struct counting *c, struct err *err)
{
    const uint32_t words = c->shape.words;
    uint32_t       token = 0;
    size_t         samples = 0, every = c->range_rows / TRAIN_TOKENS_EVERY;
    int            rc = samples_sort(c, &c->limit, &samples, err);

    if (rc < 0) return rc;
    for (size_t s = every; s < samples; s += every) {
        const uint64_t *row = c->limit + s * words;

        if (c->limits && train_row_compare(c->limit + (c->limits - 1) * words, row, words) == 0) continue;
        memmove(c->limit + c->limits++ * words, row, words * sizeof *row);
    }
    c->start = malloc(((size_t)c->t->vocabulary.tokens + 1) * sizeof *c->start);
    if (!c->start) return err_memory(err, c->t->vocabulary.tokens * sizeof *c->start, "ranges of n-grams");
    for (size_t l = 0; l < c->limits; l++) {
        uint32_t limit[LM_ORDER_MAX];

        train_row_unpack(&c->shape, c->limit + l * words, limit);
        while (token <= limit[0]) c->start[token++] = (uint32_t)l;
    }
    while (token <= c->t->vocabulary.tokens) c->start[token++] = (uint32_t)c->limits;
    return 0;
}

static int ranges_name(struct counting *c, struct err *err)
{
    struct train *t = c->t;

    t->range_count = c->limits + 1;
    t->range = calloc(t->range_count, sizeof *t->range);
    if (!t->range) return err_memory(err, t->range_count * sizeof *t->range, "ranges of n-grams");
    for (size_t r = 0; r < t->range_count; r++) {
        struct unit_key key = unit_key_add(t->key, &c->shape.order, sizeof c->shape.order);
        size_t          limit = c->shape.words * sizeof *c->limit;

        key = unit_key_add(key, r ? c->limit + (r - 1) * c->shape.words : NULL, r ? limit : 0);
        t->range[r] = unit_key_add(key, r < c->limits ? c->limit + r * c->shape.words : NULL, r < c->limits ? limit
                                   : 0);
    }
    return 0;
}

/* How rank 0 divides the work, for all. */
struct division { uint64_t range_rows, many; /* ranges in a walk */ };

static int divide(struct counting *c, uint64_t *many, struct err *err)
{
    const struct train_job *job = c->t->job;
    const uint64_t          row_bytes = c->shape.words * sizeof(uint64_t), half = job->options->memory / 2,
        threads = (uint64_t)job->run->threads;
    struct division         division = { .range_rows = half / threads / (4 * row_bytes) };
    struct bytes            data = { 0 };
    int                     rc = 0;

    /* Half of the memory is for bags, each with a quarter more than it should need; the other half for what threads
     * sort and write. */
    if (division.range_rows < ROWS_LEAST) division.range_rows = ROWS_LEAST;
    if (division.range_rows > ROWS_MOST) division.range_rows = ROWS_MOST;
    division.many = half / (division.range_rows * row_bytes / 4 * 5 + threads * ROWS_POCKET * row_bytes);
    if (division.many == 0) division.many = 1;
    if (comm_rank(job->run->comm) == 0 && bytes_append(&data, &division, sizeof division) < 0)
        rc = err_memory(err, sizeof division, "ranges of n-grams");
    if ((rc = comm_agree(job->run->comm, rc, err)) == 0) rc = comm_broadcast(job->run->comm, &data, err);
    if (rc == 0) memcpy(&division, data.at, sizeof division);
    bytes_free(&data);
    c->range_rows = (size_t)division.range_rows;
    *many = division.many;
    return rc;
}

int train_count(struct train *t, struct err *err)
{
    const size_t    rank = (size_t)comm_rank(t->job->run->comm), ranks = (size_t)comm_size(t->job->run->comm);
    struct counting c = { .t = t, .shape = train_row_shape(t->job->options->order, t->vocabulary.tokens) };
    uint64_t        many;
    size_t          walks = 0;
    int             rc = divide(&c, &many, err);

    if (rc < 0) return rc;
    rc = tokens_open(&c, err);
    if (rc == 0) rc = ranges_choose(&c, err);
    if (rc == 0) rc = ranges_name(&c, err);
    /* something for every rank */
    if (rc == 0 && t->range_count < many * ranks) many = (t->range_count + ranks - 1) / ranks;
    for (size_t first = rank * (size_t)many; rc == 0 && first < t->range_count; first += (size_t)many * ranks, walks++)
        rc = count_ranges(&c, first, first + many < t->range_count ? first + (size_t)many : t->range_count, err);
    rc = comm_agree(t->job->run->comm, rc, err);
    if (rc == 0)
        log_info("counted: tokens=%llu vocabulary=%u order=%u bits=%u ranges=%zu walks=%zu",
                 (unsigned long long)t->tokens, t->vocabulary.tokens, c.shape.order,
                 64 * c.shape.words, t->range_count, walks);
    for (size_t u = 0; c.unit && u < t->unit_count; u++) unit_close(&c.unit[u]);
    free(c.unit);
    free(c.part);
    free(c.limit);
    free(c.start);
    return rc;
}
