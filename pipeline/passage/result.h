/* passage/result.h -- the documents that items are passages of, read back from the units by rank 0. */
#ifndef LEAKGRAPH_PASSAGE_RESULT_H
#define LEAKGRAPH_PASSAGE_RESULT_H

#include "passage/index.h"

/* An item and a document of a corpus that it is a passage of. */
struct passage_pair {
    uint32_t                  item, shard;                  /* of the index; of the document */
    uint64_t                  order;                        /* of the rows, in the contract's order */
    uint64_t                  more;                         /* of the item's first pair with a dataset (base/best.h) */
    const struct passage_row *row;
    const char               *heap;                         /* of its strings */
};

/* How many documents of a dataset an item is a passage of; all, of which the best are among the pairs. */
struct passage_count { uint32_t item, dataset; uint64_t documents; };

struct passage_result {
    struct passage_index  index;
    struct passage_pair  *pair;                             /* [pair_count] by item, dataset, then the best first */
    size_t                pair_count;
    struct passage_count *count;                            /* [count_count] by item, dataset */
    size_t                count_count;
    struct passage_chance chance;                           /* of all documents */
    uint64_t              decoys_reached;                   /* of the index's decoys, those with such a pair */
    struct pass_units     units;                            /* owns what pairs point into */
};

/* At most `most` pairs of an item with a dataset are kept: those with most of its runs first, then by order.  0, or <0
 * with err set; *out is to be freed either way. */
int  passage_result_read(const struct passage_job *job, uint64_t most, struct passage_result *out, struct err *err);
void passage_result_free(struct passage_result *result);

#endif
