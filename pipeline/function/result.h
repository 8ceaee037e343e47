/* function/result.h -- the functions that are like items, read back from the units by rank 0. */
#ifndef LEAKGRAPH_FUNCTION_RESULT_H
#define LEAKGRAPH_FUNCTION_RESULT_H

#include "function/function.h"

/* An item and a function of a document of a corpus that is like it. */
struct function_pair {
    uint32_t                     item;                      /* of near's residents */
    uint32_t                     shard;
    uint32_t                     shared, union_size, min_sum, max_sum;
    uint32_t                     kind;                      /* EDGE_EXACT, EDGE_NEAR, EDGE_COPY */
    uint64_t                     order;                     /* of the functions found, in the contract's order */
    const struct near_row       *row;
    const struct function_place *place;
    const char                  *heap;                      /* of the strings of both */
    uint64_t                     more;                      /* of the item's first pair with a dataset (base/best.h) */
};

/* How many functions of a dataset an item was found in; all, of which the best are among the pairs. */
struct function_count { uint32_t item, dataset; uint64_t functions; };

struct function_result {
    struct function_pair  *pair;                            /* [pair_count] by item, dataset, then the best first */
    size_t                 pair_count;
    struct function_count *count;                           /* [count_count] by item, dataset */
    size_t                 count_count;
    struct functions_told  told;                            /* how those of the corpora's documents were */
    struct pass_units      units;                           /* owns what pairs point into */
};

/* residents: of near's result.  At most `most` pairs of an item with a dataset are kept: exact ones first, then by set
 * similarity, multiset similarity, order.  0, or <0 with err set; *out is to be freed either way. */
int  function_result_read(const struct function_job *job, const struct near_residents *residents, uint64_t most,
                          struct function_result *out, struct err *err);
void function_result_free(struct function_result *result);

#endif
