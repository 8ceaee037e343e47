/* dedup/state.h -- what a rank knows of its documents while the pass runs; for the files of dedup/ alone.
 *
 * A rank owns documents twice.  By ordinal: those of its units of columns, neighbours in the contract's order, so that
 * features are read where they lie.  By id: blocks of the order of preference, where candidates, links and clusters are
 * decided.  Both are contiguous shares.
 * 20 bytes a document at a time, where ranks have as many of both; links between ranks aside, everything larger passes
 * through shuffles or files. */
#ifndef LEAKGRAPH_DEDUP_STATE_H
#define LEAKGRAPH_DEDUP_STATE_H

#include "base/bytes.h"
#include "base/packed.h"
#include "base/shuffle.h"
#include "dedup/columns.h"

/* ids and ordinals in shuffles; 24 bits beside them are used */
enum { DEDUP_ID_BITS = PACKED_BITS };
#define DEDUP_ID_MASK ((1ull << DEDUP_ID_BITS) - 1)

/* in id_of: another document stands for this one's class; what there are of documents is below it */
#define ID_COPY (1ull << (DEDUP_ID_BITS - 1))

/* key: of everything that the links of its blocks depend on, which is nothing of later generations. */
struct generation { uint64_t first_id, documents; uint32_t first_block; unsigned block_bits; struct unit_key key; };

struct dedup_state {
    struct dedup_job *job;
    struct catalogue  catalogue;
    int               rank, ranks, threads;
    /* [catalogue.count] this process has checked the unit's file */
    bool             *verified;
    size_t           *unit_first;                           /* [ranks + 1] units of each rank */
    uint64_t         *ordinal_first;                        /* [ranks + 1] their documents */
    /* [generations] ids of each are neighbours, and cut into blocks of their own */
    struct generation *generation;
    uint32_t          generations, blocks;
    /* a block's ids are cut in 2^part_bits parts, by which pairs are exchanged and sorted */
    unsigned          part_bits;
    uint64_t         *id_first;                             /* [ranks + 1] ids of each rank: whole blocks */
    /* Each from the stage that makes it on. */
    /* [own ordinals] id, with ID_COPY; until clusters are made */
    struct packed     id_of;
    struct packed     place;                                /* [own ids] ordinal */
    struct packed     representative;                       /* [own ids] smallest id of the class */
    struct packed     canonical;                            /* [own ids] best of the cluster; of clusters.c */
    /* [own ids] documents in the cluster of which this is the canonical */
    uint32_t         *size;
    struct unit_key   key;                                  /* of everything that fates depend on */
    /* of features.c: documents that are compared, of all ranks, and bytes of their features, 0 where all are kept; of
     * those that were made again the bytes of this rank's units, and of the largest */
    uint64_t          compared, compared_bytes, own_again_bytes, largest_again;
    /* [catalogue.count] of gather.c: bytes 0: none; verified: this process has checked the file */
    struct gathered { uint64_t bytes; bool verified; } *gathered;
};

/* The generation of a dataset: 0 of the store's first, n of what was added to it as the n-th.  Documents of an earlier
 * one are preferred before all criteria, so adding changes none of their ids.  Below, the block of an id, and the first
 * id of a block (of block `blocks`: the number of documents). */
static inline uint32_t generation_of(const struct dedup_job *job, uint32_t dataset)
{
    return job->run->datasets[dataset].added;
}

static inline uint32_t block_of(const struct dedup_state *s, uint64_t id)
{
    const struct generation *g = s->generation + s->generations - 1;

    while (id < g->first_id) g--;
    return g->first_block + (uint32_t)((id - g->first_id) >> g->block_bits);
}

/* The part of an id: those of block b are from b << part_bits on. */
static inline uint32_t part_of(const struct dedup_state *s, uint64_t id)
{
    const struct generation *g = s->generation + s->generations - 1;

    while (id < g->first_id) g--;
    return (g->first_block << s->part_bits) + (uint32_t)((id - g->first_id) >> (g->block_bits - s->part_bits));
}

uint64_t block_first(const struct dedup_state *state, uint32_t block);

static inline uint64_t own_ordinals(const struct dedup_state *s)
{
    return s->ordinal_first[s->rank + 1] - s->ordinal_first[s->rank];
}
static inline uint64_t own_ids(const struct dedup_state *s) { return s->id_first[s->rank + 1] - s->id_first[s->rank]; }

/* Of an own ordinal; of an own id. */
static inline uint64_t own_id_of(const struct dedup_state *s, uint64_t ordinal)
{
    return packed_get(&s->id_of, ordinal - s->ordinal_first[s->rank]);
}
static inline uint64_t own_place(const struct dedup_state *s, uint64_t id)
{
    return packed_get(&s->place, id - s->id_first[s->rank]);
}
static inline uint64_t own_representative(const struct dedup_state *s, uint64_t id)
{
    return packed_get(&s->representative, id - s->id_first[s->rank]);
}
static inline uint64_t own_canonical(const struct dedup_state *s, uint64_t id)
{
    return packed_get(&s->canonical, id - s->id_first[s->rank]);
}
static inline void own_canonical_set(struct dedup_state *s, uint64_t id, uint64_t canonical)
{
    packed_set(&s->canonical, id - s->id_first[s->rank], canonical);
}

/* The rank in whose share a value lies: first[r] <= value < first[r + 1]. */
static inline int share_owner(const uint64_t *first, int ranks, uint64_t value)
{
    int low = 0, high = ranks;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (first[middle] <= value) low = middle;
        else high = middle;
    }
    return low;
}

/* ---- mail.c: small messages between owners.  All collective. ---- */

/* Fixed-size messages by destination.  A zeroed struct and mail_open; deliver in rounds: whatever was posted reaches
 * its rank, where `take` is called with messages in the order of the sending ranks.  more: this rank will post again.
 * 1 while any rank will, 0 after the last round, <0 with err set. */
struct mail { struct comm *comm; struct bytes *out, *in; size_t size; uint64_t posted; };
int  mail_open(struct mail *mail, struct comm *comm, size_t size, struct err *err);
int  mail_post(struct mail *mail, int rank, const void *message);           /* one thread at a time; 0 or -ENOMEM */
int  mail_deliver(struct mail *mail, bool more, int (*take)(void *context, const void *message, size_t count,
                                                            struct err *err), void *context, struct err *err);
void mail_close(struct mail *mail);

/* value[i] becomes what the owner of key[i] answers.  first: the shares that own keys.  Any count, also 0 on some
 * ranks. */
int  ask(struct comm *comm, const uint64_t *first, const uint64_t *key, uint64_t *value, size_t count,
         uint64_t (*answer)(void *context, uint64_t key), void *context, struct err *err);

uint64_t answer_place(void *state, uint64_t id);            /* for ask: the ordinal of an own id */
bool     is_protected(const struct dedup_state *state, uint64_t ordinal);

/* ---- the stages, in order; each collective, 0 or <0 with err set, the same on all ranks ---- */

/* after the columns are committed */
int  state_open(struct dedup_state *out, struct dedup_job *job, struct err *err);
/* not collective: catalogue, blocks and key, to read what is committed */
int  state_read(struct dedup_state *out, struct dedup_job *job, struct err *err);
void state_close(struct dedup_state *state);
/* columns_load, checked once a process */
int  state_unit(struct dedup_state *state, size_t unit, struct column_unit *out, struct err *err);

/* order.c: id_of, place */
int  order_make(struct dedup_state *state, struct err *err);
/* classes.c: representative, ID_COPY */
int  classes_make(struct dedup_state *state, struct err *err);
/* apart.c: counts in the job's stats */
int  apart_count(struct dedup_state *state, struct err *err);

struct shuffle;
/* candidates.c: pairs (key: worse id, value: better id) by part of the worse */
int  candidates_make(struct dedup_state *state, const bool *block_done, struct shuffle **pairs, struct err *err);
/* verify.c: commits the links of every block */
int  links_make(struct dedup_state *state, struct shuffle *pairs, const bool *block_done, struct err *err);

/* neighbours.c: the sample by which recall is measured, drawn when classes are known; which documents are wanted for
 * it; and, after the links, of its pairs those that were found, counted in the job's stats.  All collective; to be
 * closed (also after an error; accepts NULL). */
struct neighbours;
struct wanted;
int  neighbours_open(struct neighbours **out, struct dedup_state *state, struct err *err);
void neighbours_close(struct neighbours *neighbours);
int  neighbours_want(struct neighbours *neighbours, struct wanted *wanted, struct err *err);
int  neighbours_measure(struct neighbours *neighbours, struct err *err);

/* links.c.  The links of a block: as dedup_link by ordinals (section 0), and the ids of each (section 1), in the order
 * of (worse, better). */
struct link_ids { uint64_t worse, better; };
struct links {
    struct unit file;
    const struct dedup_link *link;
    const struct link_ids *id;
    size_t count;
    uint64_t candidates;
};
struct unit_key links_key(const struct dedup_state *state, uint32_t block);
/* 1; 0 when not there */
int  links_load(const struct dedup_state *state, uint32_t block, struct links *out, struct err *err);

/* Those of all own blocks, which must be there; mapped, and left to the system's cache until they are looked at.  0, or
 * <0 with err set; to be closed either way. */
struct own_links { struct links *block; uint32_t first_block, blocks; };
int  own_links_open(const struct dedup_state *state, struct own_links *out, struct err *err);
void own_links_close(struct own_links *links);              /* accepts a zeroed one */
void own_links_forget(const struct own_links *links);
/* The link of a pair whose worse id is an own one; NULL: they are no pair.  Any thread. */
const struct dedup_link *own_links_find(const struct dedup_state *state, const struct own_links *links,
                                        struct link_ids ids);

/* clusters.c: canonical, size */
int  clusters_make(struct dedup_state *state, struct err *err);
/* fates.c: commits fates; counts what is removed */
int  fates_make(struct dedup_state *state, struct err *err);

#endif
