/* passage/index.h -- the committed index of the items' runs, for the scanner and the result.
 *
 * One file (a unit of kind "passages") that every rank maps.  An entry is a set of runs: of all items that have the
 * same ones in the same order, or of a decoy; decoys are the last entries.  All arrays point into the mapping. */
#ifndef LEAKGRAPH_PASSAGE_INDEX_H
#define LEAKGRAPH_PASSAGE_INDEX_H

#include "base/slots.h"
#include "base/table.h"
#include "passage/passage.h"

struct passage_entry {
    uint64_t run_at, language;                              /* first of its runs; see view_language.seed */
    uint32_t runs, need;                                    /* so many of them make a passage, */
    uint32_t longer, spare;                                 /* of a document with so many features; 0 */
    uint32_t donor_at, donors;                              /* of a decoy: the entries that it is made of */
};
_Static_assert(sizeof(struct passage_entry) == 40, "unit format");

/* An item that is looked for, in the contract's order. */
struct passage_of { uint64_t record; uint32_t shard, entry; };
_Static_assert(sizeof(struct passage_of) == 16, "unit format");

/* Features of documents that are long enough for the decoys of one language, ascending: need[first .. first + count)
 * are they. */
struct passage_needs { uint64_t language; uint32_t first, count; };
_Static_assert(sizeof(struct passage_needs) == 16, "unit format");

struct passage_index {
    struct unit                 file;
    uint32_t                    entries, decoys, runs, items, languages;    /* decoys: of entries, the last ones */
    const struct passage_entry *entry;
    const struct passage_of    *item;                       /* [items] */
    const uint64_t             *below;                      /* [datasets] items with too few runs */
    const uint64_t             *all;                        /* [datasets] items */
    const uint32_t             *run;                        /* of entries: ids, the rarest first */
    const uint32_t             *donor;
    const uint64_t             *posting_start;              /* [runs + 1] */
    const uint32_t             *posting;                    /* entries that have the run in their prefix */
    const struct passage_needs *language;                   /* [languages] */
    const uint32_t             *need;
    const uint64_t             *key;                        /* base/slots.h; 0: free */
    const uint32_t             *id;
    const uint64_t             *filter, *prefix_filter;     /* bits of all keys, of those in prefixes */
    uint64_t                    slot_mask, factor;          /* base/scatter.h */
    unsigned                    slot_shift, filter_shift, prefix_shift;
};

/* By rank 0, from the collected units.  0, or <0 with err set. */
int  passage_index_build(const struct passage_job *job, struct unit_key key, struct err *err);
/* Maps it: 1; 0 when there is none; <0 with err set. */
int  passage_index_open(struct stage *stage, struct unit_key key, struct passage_index *out, struct err *err);
void passage_index_close(struct passage_index *index);

static inline bool passage_is_decoy(const struct passage_index *index, uint32_t entry)
{
    return entry >= index->entries - index->decoys;
}

/* False: no run of the filter's has the key. */
static inline bool passage_maybe(const uint64_t *filter, unsigned shift, uint64_t key)
{
    const uint64_t bit = key >> shift;

    return filter[bit >> 6] >> (bit & 63) & 1;
}

/* The id of a run, or UINT32_MAX. */
static inline uint32_t passage_find(const struct passage_index *index, uint64_t key)
{
    for (uint64_t at = scatter(key, index->factor, index->slot_shift); index->key[at]; at = (at + 1) & index->slot_mask)
        if (index->key[at] == key) return index->id[at];
    return UINT32_MAX;
}

/* Bytes that the scanner takes of each thread, what documents need aside. */
uint64_t passage_scan_need(const struct passage_index *index);

/* ---- while it is built ---- */

struct passage_builder {
    const struct passage_job *job;
    struct bytes              entry, item, below, all, run, donor, posting_start, posting, language, need, filter,
                              prefix_filter;
    struct bytes              key_of, count_of;             /* by run: uint64_t, uint32_t: items that have it */
    struct table              sets;                         /* of entries: by their runs */
    uint32_t                  decoys;
    struct slots              slots;                        /* of runs, as the file has them */
    unsigned                  filter_bits, prefix_bits;
};

/* Adds the decoys: when all items are entries, and before their runs are put in order.  0 or -ENOMEM. */
int passage_add_decoys(struct passage_builder *b);

#endif
