/* pass/private.h -- what the files of the pass share: pass.c (the rank's loop), batch.c (one batch),
 * open_unit.c (units under way), starts.c (lines counted beforehand), part.c (committing them).
 *
 * Locks: run->lock guards the slots, the stock, the sums and the first error; shard->lock guards a shard's source and
 * its units. A thread never holds both. */
#ifndef LEAKGRAPH_PASS_PRIVATE_H
#define LEAKGRAPH_PASS_PRIVATE_H

#include "base/comm.h"
#include "corpus/source.h"
#include "pass/pass.h"

#include <pthread.h>

/* Sets of scanners are bits 1 << s. */
struct unit_output { struct unit_header header; struct part **part; };      /* what a scanner makes of a unit */

struct open_unit {                                          /* a unit whose batches are being worked on */
    struct open_unit  *next;
    uint64_t           number;
    struct unit_output output[PASS_SCANNERS];
    /* scanners that take the shard; those of them whose unit does not lie in the work folder already */
    uint32_t           taken, todo;
    size_t             part_count, part_room, handed;       /* of every scanner in todo */
    bool               complete;                            /* no further batch will be handed out */
};

/* Which of a shard's units a reader makes, when `others` of the ranks read it too: those whose number leaves `rest`
 * when it is divided by how many read it; and, when `more` threads of the rank read it by themselves, each so-many-th
 * of those.  Zeroed: all. */
struct share { uint32_t rest, others, part, more; };

static inline uint64_t share_readers(struct share share) { return (share.others + 1ull) * (share.more + 1ull); }

/* Whether it has one of units first .. last. */
static inline bool share_has_any(struct share share, uint64_t first, uint64_t last)
{
    const uint64_t readers = share_readers(share), own = share.rest + (share.others + 1ull) * share.part;

    return (own + readers - first % readers) % readers <= last - first;
}

/* A unit's number is the source's, and above 32 bits that of the piece: the pieces of a unit are one reader's. */
static inline uint64_t unit_number(const struct batch *batch) { return (uint64_t)batch->piece << 32 | batch->unit; }

/* Whether the one comes after the other in its shard. */
static inline bool unit_follows(uint64_t number, uint64_t other)
{
    return (uint32_t)number != (uint32_t)other ? (uint32_t)number > (uint32_t)other : number > other;
}

static inline bool share_has(struct share share, uint64_t number)
{
    return share_has_any(share, (uint32_t)number, (uint32_t)number);
}

/* The i-th of n equal parts of `bytes`; all of them are so many. */
static inline uint64_t share_slice(uint64_t bytes, uint64_t i, uint64_t n)
{
    return bytes * (i + 1) / n - bytes * i / n;
}

/* So many of the file's bytes a reader tells as read: what all tell is n. */
static inline uint64_t share_of(struct share share, uint64_t n)
{
    return share_slice(share_slice(n, share.rest, share.others + 1ull), share.part, share.more + 1ull);
}

/* The reader that tells of the shard as a whole. */
static inline bool share_is_first(struct share share) { return share.rest == 0 && share.part == 0; }

struct open_shard {
    const struct shard   *shard;
    struct share          share;
    uint64_t              reading;                          /* number of it among the rank's */
    const struct dataset *dataset;
    struct source        *source;
    pthread_mutex_t       lock;
    struct open_unit     *units;                            /* newest first */
    uint64_t              sequence, bytes_told;
    bool                  started, ended, reused;           /* reused: a unit of the share was there already */
    uint64_t              first_unit;                       /* the first that has anything: to us it is unit 0 */
    int                   users;                            /* the slot and every thread inside; under run->lock */
};

/* Of an item that is a large file of lines: as source_set_starts wants it, [units + 1], owned; else NULL, and units 0.
 */
struct starts { struct source_start *at; uint64_t units; };

/* Items dealt together, not yet opened; of one that others read too, the share. */
struct dealt { uint64_t next, end; struct share share; };

struct pass_run {
    struct pass        *pass;
    /* the first items, each read by several ranks, of which every one makes its share of the units.  The others are
     * dealt */
    size_t              shared;
    bool                whole;                              /* no shard may be divided */
    /* [starts_count] of the first items, those that many may divide */
    struct starts      *starts;
    size_t              starts_count;
    uint64_t            readings;
    uint64_t           *deal_first;                         /* [deals + 1] the first item of each deal */
    size_t              deals;
    pthread_mutex_t     lock;
    /* told, under the lock, of a new item, a shard put in its slot or taken out, the last item dealt, and the end */
    pthread_cond_t      changed;
    struct open_shard **slot;                               /* [threads] */
    /* [threads] what was dealt to this rank, none empty */
    struct dealt       *stock;
    size_t              stock_count;
    /* threads that took an item and have not put it in their slot */
    int                 opening;
    bool                dealt_all, stopped;
    struct err          err;
    struct deal        *deal;
    struct deal_progress progress;
    uint64_t            byte_total, found;                  /* found: bytes of shards whose units were all there */
    double              started;
};

/* The shard of an item. */
static inline const struct shard *pass_shard(const struct pass_run *run, uint64_t item)
{
    return &run->pass->run->shards->at[run->pass->item[item]];
}

static inline uint64_t pass_unit_bytes(const struct pass_run *run)
{
    return run->pass->unit_bytes ? run->pass->unit_bytes : SOURCE_UNIT_BYTES;
}

/* ---- open_unit.c ---- */

/* The scanners that take the shard's documents. */
uint32_t pass_takers(const struct pass *pass, const struct shard *shard);

/* 1 when all units of the shard are there, of all that take it; only then do those of the share join the totals, as
 * they are met again when it is read. */
int  pass_shard_is_done(struct pass_run *run, const struct shard *shard, struct share share, struct err *err);

/* The same, nothing joins anything, and the units' heads will do. */
int  pass_shard_is_there(struct pass_run *run, const struct shard *shard, struct err *err);

/* Under the shard's lock: blank lines may fill whole units before the first record; the first unit that has a record or
 * a reject is unit 0, whoever reads it and however much at a time. */
void pass_shard_start(struct open_shard *shard, uint64_t number);

/* The unit of a new batch, under the shard's lock.  The unit before it is complete now. */
int  pass_unit_for_batch(struct pass_run *run, struct open_shard *shard, uint64_t number, struct open_unit **out,
                         struct err *err);

/* Takes over a batch's parts, part[s] for s in unit->todo, under the shard's lock.  0 or -ENOMEM. */
int  pass_unit_deliver(struct open_unit *unit, struct part *const part[PASS_SCANNERS],
                       const struct unit_header sums[PASS_SCANNERS]);

/* Takes the units that are complete and delivered out of the shard and commits them, outside its lock; scanner: the
 * thread's, which merge their parts, in seconds that are added to theirs. */
int  pass_units_commit(struct pass_run *run, struct open_shard *shard, struct scanner *const scanner[PASS_SCANNERS],
                       double seconds[PASS_SCANNERS], struct err *err);
void pass_unit_free(struct open_unit *unit);
void part_free(struct part *part);                          /* accepts NULL */

/* ---- batch.c ---- */

struct worker;                                              /* one a thread */
int  worker_open(struct worker **out, struct pass_run *run, struct err *err);
void worker_close(struct worker *worker);                   /* accepts NULL; its seconds join the pass's */

/* Decodes a batch under the shard's lock and works on it outside.  Returns 0 also when the shard has ended. */
int  worker_do(struct worker *worker, struct open_shard *shard, struct err *err);

static inline bool shard_has_ended(const struct open_shard *shard)
{
    return __atomic_load_n(&shard->ended, __ATOMIC_RELAXED);
}

/* ---- starts.c ---- */

/* Counts the lines of those of the first starts_count items of which that is worth it.  Collective.  0, or <0 with err
 * set. */
int  pass_starts_make(struct pass_run *run, struct err *err);
void pass_starts_free(struct pass_run *run);

/* ---- part.c ---- */

/* part[header->parts], in order.  0, or <0 with err set. */
int pass_unit_commit(const struct pass *pass, const struct pass_scanner *scanner, const struct shard *shard,
                     uint64_t unit,
                     const struct unit_header *header, struct part *const *part, struct err *err);

#endif
