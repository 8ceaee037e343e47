/* base/shuffle.c -- items to the rank and the partition where they belong; see shuffle.h.
 *
 *   logs      what a thread adds, as it comes: chunks of items and, apart, of their partitions
 *   scatter  a round counts the items of every partition and writes each to its final place in a group: one group for
 *             every rank, its items by partition behind the numbers with which the partitions begin
 *   groups    go to their ranks as they are, are kept as they are, and are what a partition is read from
 *   spill  when the kept groups leave no room for the next step, their items are appended to the files of their
 *             partitions, all of them
 *
 * memory is divided in steps of an eighth: one for the logs, one for what goes out, one for what comes in, five for
 * what is kept.  What comes in is bounded whatever the others have: a step ends before any rank would send more than
 * its share of a step to another one. */
#include "base/shuffle.h"

#include "base/spill.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHUFFLE_CHUNK  = 816,                                   /* items: 16 KiB with their partitions */
    /* bytes beside SHUFFLE_LEAST for every thread and every rank: two chunks a step, or a small message */
    SHUFFLE_EACH   = 256 << 10,
    SHUFFLE_EIGHTH = 128 << 20                              /* a step's most bytes: longer ones are no faster */
};

struct shuffle_chunk {
    struct shuffle_chunk *next;
    uint32_t              count;
    uint32_t              partition[SHUFFLE_CHUNK];
    struct sort_item      item[SHUFFLE_CHUNK];
};

/* What a thread has added; alone in its cache lines. */
struct shuffle_log {
    /* the one being filled, and behind it those that are full */
    struct shuffle_chunk *open;
    struct shuffle_chunk *spare;                            /* empty ones */
    uint64_t              chunks, spares;                   /* from open on; from spare on */
    char                  pad[96];
};
_Static_assert(sizeof(struct shuffle_log) == 128, "two cache lines");

/* Where a worker's items of a partition go: first how many there are, then the place of the next. */
union shuffle_place { size_t count; struct sort_item *next; };

struct shuffle {
    struct comm          *comm;
    int                   rank, size, threads, workers;
    uint32_t              partitions, group, first, own;    /* this rank's are [first, first + own) */
    uint64_t              memory, step;                     /* bytes: of logs and groups; an eighth of it */
    struct shuffle_log   *log;                              /* [threads] */
    /* of the round: not yet scattered are [pending_at, pending_count) */
    struct shuffle_chunk **pending;
    size_t                pending_at, pending_count, pending_room;
    int32_t              *owner;                            /* [partitions] rank; NULL with one rank */
    union shuffle_place **place;                            /* [workers][partitions] */
    struct bytes         *out, *in;                         /* [size] groups */
    uint64_t             *weight;                           /* [size] items that a step has for each rank */
    struct bytes         *held;                             /* groups that are kept */
    size_t                held_count, held_room;
    uint64_t              held_bytes;
    struct spill          spill;
    uint64_t             *spilled;                          /* [own] bytes in the partition's file */
    bool                  delivered;                        /* the last round is over */
    struct shuffle_stats  stats;
};

/* ---- groups: uint32_t start[partitions + 1], zeros up to a multiple of 16 bytes, items ---- */

static size_t group_head(uint32_t partitions) { return ((size_t)partitions + 1 + 3) / 4 * 4 * sizeof(uint32_t); }

static struct sort_item *group_items(const struct bytes *group, uint32_t partitions)
{
    return (struct sort_item *)(void *)(group->at + group_head(partitions));
}

static uint32_t shuffle_first_of(const struct shuffle *shuffle, int rank)
{
    return shuffle_first(shuffle->partitions / shuffle->group, shuffle->size, rank) * shuffle->group;
}

static uint32_t shuffle_count_of(const struct shuffle *shuffle, int rank)
{
    return shuffle_first_of(shuffle, rank + 1) - shuffle_first_of(shuffle, rank);
}

/* The items of own partition number i in kept group g. */
static const struct sort_item *shuffle_part(const struct shuffle *shuffle, size_t g, uint32_t i, size_t *count)
{
    const uint32_t *start = (const uint32_t *)(const void *)shuffle->held[g].at;

    *count = start[i + 1] - start[i];
    return group_items(&shuffle->held[g], shuffle->own) + start[i];
}

/* ---- life ---- */

int shuffle_owner(const struct shuffle *shuffle, uint32_t partition)
{
    const uint64_t group = partition / shuffle->group;

    return (int)(((group + 1) * (uint64_t)shuffle->size - 1) / (shuffle->partitions / shuffle->group));
}

static int shuffle_allocate(struct shuffle *shuffle, struct err *err)
{
    size_t size = (size_t)shuffle->size, all = (size_t)shuffle->threads * sizeof *shuffle->log;

    shuffle->log = aligned_alloc(128, all);
    if (shuffle->log) memset(shuffle->log, 0, all);
    shuffle->out = calloc(size, sizeof *shuffle->out);
    shuffle->in = calloc(size, sizeof *shuffle->in);
    shuffle->weight = calloc(size, sizeof *shuffle->weight);
    shuffle->spilled = calloc((size_t)shuffle->own + 1, sizeof *shuffle->spilled);
    shuffle->place = calloc((size_t)shuffle->workers, sizeof *shuffle->place);
    if (!shuffle->log || !shuffle->out || !shuffle->in || !shuffle->weight || !shuffle->spilled || !shuffle->place)
        return err_memory(err, all + (shuffle->own + 3 * size) * 24, "a shuffle");
    for (int w = 0; w < shuffle->workers; w++) {
        shuffle->place[w] = malloc(shuffle->partitions * sizeof **shuffle->place);
        if (!shuffle->place[w]) return err_memory(err, shuffle->partitions * sizeof **shuffle->place, "a shuffle");
    }
    if (shuffle->size == 1) return 0;
    shuffle->owner = malloc(shuffle->partitions * sizeof *shuffle->owner);
    if (!shuffle->owner) return err_memory(err, shuffle->partitions * sizeof *shuffle->owner, "a shuffle");
    for (uint32_t p = 0; p < shuffle->partitions; p++) shuffle->owner[p] = shuffle_owner(shuffle, p);
    return 0;
}

/* Divides the budget: tables first, then steps. */
static void shuffle_budget(struct shuffle *shuffle, uint64_t memory)
{
    uint64_t least = SHUFFLE_LEAST + (uint64_t)SHUFFLE_EACH * (uint64_t)(shuffle->threads + shuffle->size);
    uint64_t table = shuffle->partitions * (uint64_t)sizeof(union shuffle_place), workers;

    shuffle->memory = memory > least ? memory : least;
    workers = shuffle->memory / 16 / table;                 /* fewer workers where their tables would take much of it */
    shuffle->workers = workers < 1 ? 1 : workers < (uint64_t)shuffle->threads ? (int)workers : shuffle->threads;
    shuffle->memory -= (uint64_t)shuffle->workers * table;
    /* groups' heads */
    shuffle->memory -= shuffle->partitions * (uint64_t)(sizeof *shuffle->owner + sizeof *shuffle->spilled +
                                                        2 * sizeof(uint32_t));
    shuffle->step = shuffle->memory / 8 < SHUFFLE_EIGHTH ? shuffle->memory / 8 : SHUFFLE_EIGHTH;
}

int shuffle_open(struct shuffle **out, const struct shuffle_options *options, struct err *err)
{
    struct shuffle *shuffle = calloc(1, sizeof *shuffle);
    int             rc = shuffle ? 0 : err_memory(err, sizeof *shuffle, "a shuffle");

    assert(options->partitions >= 1 && options->partitions <= 65536 && options->threads >= 1);
    *out = NULL;
    if (rc == 0) {
        shuffle->comm = options->comm;
        shuffle->rank = comm_rank(options->comm);
        shuffle->size = comm_size(options->comm);
        shuffle->threads = options->threads;
        shuffle->partitions = options->partitions;
        shuffle->group = options->group ? options->group : 1;
        assert(options->partitions % shuffle->group == 0);
        shuffle->first = shuffle_first_of(shuffle, shuffle->rank);
        shuffle->own = shuffle_count_of(shuffle, shuffle->rank);
        shuffle_budget(shuffle, options->memory);
        rc = shuffle_allocate(shuffle, err);
        if (rc == 0) rc = spill_open(&shuffle->spill, options->stage, options->name, err);
    }
    if ((rc = comm_agree(options->comm, rc, err)) < 0) {
        shuffle_close(shuffle);
        return rc;
    }
    *out = shuffle;
    return 0;
}

static void shuffle_free_chunks(struct shuffle_chunk *chunk)
{
    while (chunk) {
        struct shuffle_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
}

/* Everything that only rounds need. */
static void shuffle_free_rounds(struct shuffle *shuffle)
{
    for (int t = 0; shuffle->log && t < shuffle->threads; t++) {
        shuffle_free_chunks(shuffle->log[t].open);
        shuffle_free_chunks(shuffle->log[t].spare);
    }
    while (shuffle->pending_at < shuffle->pending_count) free(shuffle->pending[shuffle->pending_at++]);
    for (int r = 0; r < shuffle->size; r++) {
        if (shuffle->out) bytes_free(&shuffle->out[r]);
        if (shuffle->in) bytes_free(&shuffle->in[r]);
    }
    for (int w = 0; shuffle->place && w < shuffle->workers; w++) free(shuffle->place[w]);
    free(shuffle->log);
    free(shuffle->pending);
    free(shuffle->out);
    free(shuffle->in);
    free(shuffle->weight);
    free(shuffle->place);
    free(shuffle->owner);
    shuffle->log = NULL;
    shuffle->pending = NULL;
    shuffle->out = shuffle->in = NULL;
    shuffle->weight = NULL;
    shuffle->place = NULL;
    shuffle->owner = NULL;
}

static void shuffle_free_held(struct shuffle *shuffle)
{
    for (size_t g = 0; g < shuffle->held_count; g++) bytes_free(&shuffle->held[g]);
    shuffle->held_count = 0;
    shuffle->held_bytes = 0;
}

void shuffle_close(struct shuffle *shuffle)
{
    if (!shuffle) return;
    shuffle_free_rounds(shuffle);
    shuffle_free_held(shuffle);
    for (uint32_t i = 0; shuffle->spilled && i < shuffle->own; i++)
        if (shuffle->spilled[i]) spill_remove(&shuffle->spill, shuffle->first + i);
    spill_close(&shuffle->spill);
    free(shuffle->held);
    free(shuffle->spilled);
    free(shuffle);
}

/* ---- adding ---- */

static struct shuffle_chunk *shuffle_next_chunk(struct shuffle_log *log)
{
    struct shuffle_chunk *chunk = log->spare;

    if (chunk) {
        log->spare = chunk->next;
        log->spares--;
    } else chunk = malloc(sizeof *chunk);
    if (!chunk) return NULL;
    chunk->next = log->open;
    chunk->count = 0;
    log->open = chunk;
    log->chunks++;
    return chunk;
}

int shuffle_add(struct shuffle *shuffle, int thread, uint32_t partition, uint64_t key, uint64_t value)
{
    struct shuffle_log   *log = &shuffle->log[thread];
    struct shuffle_chunk *chunk = log->open;

    assert(partition < shuffle->partitions);
    if (!chunk || chunk->count == SHUFFLE_CHUNK) {
        chunk = shuffle_next_chunk(log);
        if (!chunk) return -ENOMEM;
    }
    chunk->item[chunk->count] = (struct sort_item){ key, value };
    chunk->partition[chunk->count++] = partition;
    return 0;
}

bool shuffle_is_full(const struct shuffle *shuffle)
{
    uint64_t chunks = 0;

    for (int t = 0; t < shuffle->threads; t++) chunks += shuffle->log[t].chunks;
    return chunks * sizeof(struct shuffle_chunk) >= shuffle->step;
}

/* ---- a round ---- */

/* All logs' chunks become pending. */
static int shuffle_collect(struct shuffle *shuffle, struct err *err)
{
    size_t                 need = 0;
    struct shuffle_chunk **grown;

    for (int t = 0; t < shuffle->threads; t++) need += shuffle->log[t].chunks;
    if (need > shuffle->pending_room) {
        grown = realloc(shuffle->pending, need * sizeof *grown);
        if (!grown) return err_memory(err, need * sizeof *grown, "a round of a shuffle");
        shuffle->pending = grown;
        shuffle->pending_room = need;
    }
    shuffle->pending_at = shuffle->pending_count = 0;
    for (int t = 0; t < shuffle->threads; t++) {
        struct shuffle_log *log = &shuffle->log[t];

        for (; log->open; log->open = log->open->next) shuffle->pending[shuffle->pending_count++] = log->open;
        log->chunks = 0;
    }
    return 0;
}

/* Gives the chunks that a step has scattered back to the logs, or to the system what is more than a log's share of a
 * step: a thread that adds nothing would gather them otherwise. */
static void shuffle_recycle(struct shuffle *shuffle, size_t from, size_t to)
{
    uint64_t keep = shuffle->step / sizeof(struct shuffle_chunk) / (uint64_t)shuffle->threads + 1;

    for (size_t c = from; c < to; c++) {
        struct shuffle_log *log = &shuffle->log[c % (size_t)shuffle->threads];

        if (log->spares >= keep) {
            free(shuffle->pending[c]);
            continue;
        }
        shuffle->pending[c]->next = log->spare;
        log->spare = shuffle->pending[c];
        log->spares++;
    }
}

/* The end of the chunks that one step takes: a step's bytes in all, and to each other rank its share; at least one
 * chunk. */
static size_t shuffle_choose(struct shuffle *shuffle)
{
    uint64_t share = shuffle->step / (uint64_t)shuffle->size / sizeof(struct sort_item), most = 0;
    size_t   end = shuffle->pending_at, chunks = (size_t)(shuffle->step / sizeof(struct shuffle_chunk));

    if (shuffle->pending_count - end < chunks) chunks = shuffle->pending_count - end;
    if (shuffle->size == 1) return end + chunks;
    memset(shuffle->weight, 0, (size_t)shuffle->size * sizeof *shuffle->weight);
    for (; end < shuffle->pending_at + chunks && most + SHUFFLE_CHUNK <= share; end++) {
        const struct shuffle_chunk *chunk = shuffle->pending[end];

        for (uint32_t i = 0; i < chunk->count; i++) shuffle->weight[shuffle->owner[chunk->partition[i]]]++;
        for (int r = 0; r < shuffle->size; r++)
            if (r != shuffle->rank && shuffle->weight[r] > most) most = shuffle->weight[r];
    }
    return end;
}

static size_t shuffle_share(size_t count, int worker, int workers) { return count * (size_t)worker / (size_t)workers; }

/* Makes room for rank r's group and turns the counts of its partitions into places. */
static int shuffle_lay_out(struct shuffle *shuffle, int r, struct err *err)
{
    struct bytes     *group = &shuffle->out[r];
    uint32_t          first = shuffle_first_of(shuffle, r),
        parts = shuffle_count_of(shuffle, r), *start;
    size_t            items = 0, bytes;
    struct sort_item *next;

    for (uint32_t p = first; p < first + parts; p++)
        for (int w = 0; w < shuffle->workers; w++) items += shuffle->place[w][p].count;
    group->len = 0;
    if (items == 0) return 0;
    bytes = group_head(parts) + items * sizeof *next;
    if (bytes > group->room) bytes_free(group);             /* not to be copied, and no more room than needed */
    if (bytes_reserve(group, bytes) < 0) return err_memory(err, bytes, "a round of a shuffle");
    group->len = bytes;
    memset(group->at, 0, group_head(parts));
    start = (uint32_t *)(void *)group->at;
    next = group_items(group, parts);
    for (uint32_t i = 0; i < parts; i++) {
        for (int w = 0; w < shuffle->workers; w++) {
            size_t here = shuffle->place[w][first + i].count;

            shuffle->place[w][first + i].next = next;
            next += here;
        }
        start[i + 1] = (uint32_t)(next - group_items(group, parts));
    }
    return 0;
}

/* Pending chunks [from, to) into the groups. */
static int shuffle_scatter(struct shuffle *shuffle, size_t from, size_t to, struct err *err)
{
#pragma omp parallel for schedule(static, 1) num_threads(shuffle->workers)
    for (int w = 0; w < shuffle->workers; w++) {
        union shuffle_place *place = shuffle->place[w];

        memset(place, 0, shuffle->partitions * sizeof *place);
        for (size_t c = from + shuffle_share(to - from, w, shuffle->workers); c < from +
             shuffle_share(to - from, w + 1, shuffle->workers); c++)
            for (uint32_t i = 0; i < shuffle->pending[c]->count; i++) place[shuffle->pending[c]->partition[i]].count++;
    }
    for (int r = 0; r < shuffle->size; r++)
        if (shuffle_lay_out(shuffle, r, err) < 0) return err->code;
#pragma omp parallel for schedule(static, 1) num_threads(shuffle->workers)
    for (int w = 0; w < shuffle->workers; w++) {
        union shuffle_place *place = shuffle->place[w];

        for (size_t c = from + shuffle_share(to - from, w, shuffle->workers); c < from +
             shuffle_share(to - from, w + 1, shuffle->workers); c++) {
            const struct shuffle_chunk *chunk = shuffle->pending[c];

            for (uint32_t i = 0; i < chunk->count; i++) *place[chunk->partition[i]].next++ = chunk->item[i];
        }
    }
    return 0;
}

/* Writes what is kept to the files of its partitions. */
static int shuffle_spill(struct shuffle *shuffle, struct err *err)
{
    uint64_t bytes = 0;
    int      rc = 0;

#pragma omp parallel num_threads(shuffle->threads) reduction(+ : bytes)
    {
        struct iovec *piece = malloc((shuffle->held_count + 1) * sizeof *piece);
        struct err    mine = { 0 };

        if (!piece) err_memory(&mine, (shuffle->held_count + 1) * sizeof *piece, "spilling");
#pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i < shuffle->own; i++) {
            uint64_t was = shuffle->spilled[i];
            size_t   pieces = 1, count;

            for (size_t g = 0; mine.code == 0 && g < shuffle->held_count; g++) {
                const struct sort_item *item = shuffle_part(shuffle, g, i, &count);

                if (count) piece[pieces++] = (struct iovec){ (void *)(uintptr_t)item, count * sizeof *item };
            }
            if (mine.code == 0 && pieces > 1)
                spill_append(&shuffle->spill, shuffle->first + i, &shuffle->spilled[i], piece, pieces, &mine);
            bytes += shuffle->spilled[i] - was;
        }
        free(piece);
        if (mine.code < 0) {
#pragma omp critical(shuffle_failure)
            {
                *err = mine;
                rc = mine.code;
            }
        }
    }
    shuffle->stats.spilled_bytes += bytes;
    if (rc == 0) shuffle_free_held(shuffle);
    return rc;
}

/* What a rank does alone before an exchange: room, and the groups of the pending chunks up to `to`. */
static int shuffle_prepare(struct shuffle *shuffle, size_t *to, struct err *err)
{
    uint64_t      logs = (shuffle->pending_count - shuffle->pending_at) * (uint64_t)sizeof(struct shuffle_chunk);
    size_t        need;
    struct bytes *grown;
    int           rc = 0;

    if (logs < shuffle->step) logs = shuffle->step;
    if (shuffle->held_count && shuffle->held_bytes + logs + 2 * shuffle->step > shuffle->memory)
        rc = shuffle_spill(shuffle, err);
    if (rc < 0) return rc;
    need = shuffle->held_count + (size_t)shuffle->size;     /* keeping what has come must not fail */
    if (need > shuffle->held_room) {
        grown = realloc(shuffle->held, 2 * need * sizeof *grown);
        if (!grown) return err_memory(err, 2 * need * sizeof *grown, "a round of a shuffle");
        shuffle->held = grown;
        shuffle->held_room = 2 * need;
    }
    *to = shuffle_choose(shuffle);
    return shuffle_scatter(shuffle, shuffle->pending_at, *to, err);
}

static void shuffle_keep(struct shuffle *shuffle)
{
    for (int r = 0; r < shuffle->size; r++) {
        struct bytes *group = &shuffle->in[r];

        if (group->len) {
            uint32_t items = ((const uint32_t *)(const void *)group->at)[shuffle->own];

            assert(group->len == group_head(shuffle->own) + items * sizeof(struct sort_item));
            shuffle->stats.items += items;
            shuffle->held_bytes += group->room;
            shuffle->held[shuffle->held_count++] = *group;
        } else bytes_free(group);
        *group = (struct bytes){ 0 };
    }
}

int shuffle_round(struct shuffle *shuffle, bool more, struct err *err)
{
    int rc = shuffle_collect(shuffle, err);

    for (;;) {
        size_t   to = 0;
        uint64_t left[2];

        if (rc == 0) rc = shuffle_prepare(shuffle, &to, err);
        if ((rc = comm_agree(shuffle->comm, rc, err)) < 0) return rc;
        for (int r = 0; r < shuffle->size; r++)
            if (r != shuffle->rank) shuffle->stats.sent_bytes += shuffle->out[r].len;
        if ((rc = comm_exchange(shuffle->comm, shuffle->out, shuffle->in, err)) < 0) return rc;
        shuffle_keep(shuffle);
        shuffle_recycle(shuffle, shuffle->pending_at, to);
        shuffle->pending_at = to;
        left[0] = shuffle->pending_at < shuffle->pending_count;
        left[1] = more;
        comm_sum(shuffle->comm, left, 2);
        if (left[0]) continue;
        if (left[1]) return 1;
        shuffle_free_rounds(shuffle);
        shuffle->delivered = true;
        return 0;
    }
}

/* ---- taking ---- */

/* What there is of own partition number i, in the order in which it came; *spare: as much room. */
static int partition_read(struct shuffle *shuffle, uint32_t i, struct sort_item **item, struct sort_item **spare,
                          size_t *count, struct err *err)
{
    size_t room, here, n = 0;
    int    rc = 0;

    assert(shuffle->delivered && i < shuffle->own);
    room = (size_t)(shuffle->spilled[i] / sizeof **item);   /* a little more than is in the file: it has headers too */
    for (size_t g = 0; g < shuffle->held_count; g++) {
        shuffle_part(shuffle, g, i, &here);
        room += here;
    }
    *item = malloc((room + 1) * sizeof **item);
    if (spare) *spare = malloc((room + 1) * sizeof **spare);
    if (!*item || (spare && !*spare)) rc = err_memory(err, 2 * (room + 1) * sizeof **item, "a partition");
    if (rc == 0 && shuffle->spilled[i])
        rc = spill_read(&shuffle->spill, shuffle->first + i, shuffle->spilled[i], *item, &n, err);
    for (size_t g = 0; rc == 0 && g < shuffle->held_count; g++) {
        const struct sort_item *part = shuffle_part(shuffle, g, i, &here);

        if (here) memcpy(*item + n, part, here * sizeof *part);
        n += here;
    }
    *count = n;
    if (rc == 0) return 0;
    free(*item);
    *item = NULL;
    *count = 0;
    return rc;
}

int shuffle_take(struct shuffle *shuffle, uint32_t partition, struct sort_item **item, size_t *count, struct err *err)
{
    const uint32_t    i = partition - shuffle->first;
    struct sort_item *spare = NULL;
    int               rc = partition_read(shuffle, i, item, &spare, count, err);

    if (rc == 0) {
        sort_pairs(*item, spare, *count);
        if (shuffle->spilled[i]) spill_remove(&shuffle->spill, partition);
        shuffle->spilled[i] = 0;
    }
    free(spare);
    return rc;
}

int shuffle_look(struct shuffle *shuffle, uint32_t partition, struct sort_item **item, size_t *count, struct err *err)
{
    return partition_read(shuffle, partition - shuffle->first, item, NULL, count, err);
}

struct shuffle_stats shuffle_stats(const struct shuffle *shuffle) { return shuffle->stats; }
