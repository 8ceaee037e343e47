/* clonetype/result.h -- the clones, read back from the units by rank 0. */
#ifndef LEAKGRAPH_CLONETYPE_RESULT_H
#define LEAKGRAPH_CLONETYPE_RESULT_H

#include "clonetype/clonetype.h"

/* A function of an item and one of a document of a corpus. */
struct clonetype_pair {
    uint32_t                    item, dataset, shard;       /* item: numbered as the index's documents */
    uint32_t                    fragment;                   /* the item's function */
    enum clone_type             type;
    uint32_t                    common, whole;              /* items: see clonetype_row */
    bool                        main;                       /* the item's function is most of it */
    uint64_t                    order;                      /* of the clones, in the contract's order */
    const struct clonetype_row *row;                        /* of the fragment's class */
    const char                 *heap;
    uint64_t                    more;                       /* of the first pair of a group (base/best.h) */
};

/* An item and a corpus: the strictest type, and how many pairs there are. */
struct clonetype_item { uint32_t item, dataset, type; uint64_t pairs; };

struct clonetype_result {
    /* [pair_count] by item, dataset; main ones, then the best */
    struct clonetype_pair *pair;
    size_t                 pair_count;
    struct clonetype_item *item;                            /* [item_count] by item, dataset */
    size_t                 item_count;
    uint64_t              *compared;                        /* [datasets] items with a function that is compared */
    struct pass_units      units;                           /* owns what pairs point into */
};

/* 0, or <0 with err set; *out is to be freed either way.  Needs the job's index. */
int  clonetype_result_read(const struct clonetype_job *job, struct clonetype_result *out, struct err *err);
void clonetype_result_free(struct clonetype_result *result);

#endif
