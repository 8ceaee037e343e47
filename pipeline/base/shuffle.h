/* base/shuffle.h -- many (key, value) items from every rank to the rank that owns their partition, there in order.
 *
 * Threads add items; the main threads of all ranks meet in rounds and exchange what was added; what arrives is kept by
 * partition, in memory while the budget lasts, then in one file a partition under the run folder's work/ (temporaries:
 * gone at close and with the next run).  Whoever takes a partition gets its items sorted by key, then by value: the
 * same whatever the ranks, the threads, the rounds and the budget were.
 *
 * Blocks in files are checksummed; a damaged one is an error that names file and byte, never data. */
#ifndef LEAKGRAPH_BASE_SHUFFLE_H
#define LEAKGRAPH_BASE_SHUFFLE_H

#include "base/comm.h"
#include "base/err.h"
#include "base/sort.h"
#include "base/stage.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHUFFLE_LEAST = 16000000 };                         /* bytes that are used whatever memory says */

struct shuffle_options {
    struct comm  *comm;
    struct stage *stage;
    const char   *name;                                     /* of its files and in messages: "bands" */
    /* 1 .. 65,536, of all ranks together: partition p belongs to the rank shuffle_owner says */
    uint32_t      partitions;
    /* neighbours that belong to one rank together, of which there is a whole number; 0: each by itself */
    uint32_t      group;
    int           threads;                                  /* that call shuffle_add */
    /* bytes this rank may hold in buffers and partitions; SHUFFLE_LEAST, and 256 KiB a thread and a rank, are anyway */
    uint64_t      memory;
};

struct shuffle;

int  shuffle_open(struct shuffle **out, const struct shuffle_options *options, struct err *err);        /* collective */
void shuffle_close(struct shuffle *shuffle);                /* not collective; removes its files; accepts NULL */

/* Partitions of rank r, or groups of them, are those from shuffle_first(partitions, ranks, r) up to, not with,
 * shuffle_first(partitions, ranks, r + 1). */
static inline uint32_t shuffle_first(uint32_t partitions, int ranks, int rank)
{
    return (uint32_t)((uint64_t)partitions * (uint64_t)rank / (uint64_t)ranks);
}
int shuffle_owner(const struct shuffle *shuffle, uint32_t partition);

/* The partition of a key that is a hash: its high bits. */
static inline uint32_t shuffle_partition_of_hash(uint64_t key, uint32_t partitions)
{
    return (uint32_t)((key >> 32) * partitions >> 32);
}

/* Thread `thread` (0 .. threads-1) adds an item.  0 or -ENOMEM. */
int  shuffle_add(struct shuffle *shuffle, int thread, uint32_t partition, uint64_t key, uint64_t value);

/* No thread may be adding.  True when enough was added that a round should be made before more is.  Not after the last
 * round, nor is shuffle_add. */
bool shuffle_is_full(const struct shuffle *shuffle);

/* Collective, main thread, no thread adding: delivers what was added.  `more`: this rank is going to add more.  Returns
 * 1 while any rank is going to, 0 after the last round (then everything is delivered), or <0 with err set, the same on
 * all ranks. */
int  shuffle_round(struct shuffle *shuffle, bool more, struct err *err);

/* After the last round: the items of a partition of this rank, sorted by key, then value.  Each partition once;
 * different partitions by different threads at the same time.  *item is owned by the caller (free).  0; -EIO, -EBADMSG
 * (a damaged file), -ENOMEM with err set. */
int  shuffle_take(struct shuffle *shuffle, uint32_t partition, struct sort_item **item, size_t *count, struct err *err);

/* The same items in any order, before the partition is taken: it stays as it is. */
int  shuffle_look(struct shuffle *shuffle, uint32_t partition, struct sort_item **item, size_t *count, struct err *err);

/* of this rank: delivered here, sent to other ranks, written to files */
struct shuffle_stats { uint64_t items, sent_bytes, spilled_bytes; };
struct shuffle_stats shuffle_stats(const struct shuffle *shuffle);

#endif
