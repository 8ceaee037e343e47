/* probe/order.h -- a benchmark put to a model as it stands, and shuffled.
 *
 * The items of a dataset, in their order, are cut into shards of as many items each; of a shard the first that together
 * fit into the model's context, or so many as the options say, are joined to one text, and scored in the benchmark's
 * order and in so many others.  What is made of the log-probabilities: stats/order.h.  A shard and ORDER_BLOCK of its
 * orders are a unit. */
#ifndef LEAKGRAPH_PROBE_ORDER_H
#define LEAKGRAPH_PROBE_ORDER_H

#include "probe/item.h"

enum { ORDER_BLOCK = 16 };

/* Items [first, first + count), at least two, of shard `number` of a dataset, in orders [from, to). */
struct order_block { size_t first, count; uint32_t dataset, number, from, to; };

/* Of all items, which are in order: by dataset, shard, order.  None where the options ask for none.  Owned by the
 * caller.  0 or -ENOMEM with err set. */
int order_blocks(const struct probe_job *job, const struct probe_items *items, struct order_block **out, size_t *count,
                 struct err *err);

/* 1 when the model was asked, 0 when the answers were there, <0 with err set. */
int order_block_do(const struct probe_job *job, const struct model_info *info, const struct probe_items *items,
                   const struct order_block *block, struct model_session *session, struct err *err);

/* Which items stand where: order [count] of order `permutation` of shard `number`, 0 being as they stand; each as
 * likely as any other by the seed, the same for any model and machine. */
void order_permute(uint64_t seed, uint32_t number, uint32_t permutation, size_t *order, size_t count);

/* Reads the units of all blocks back: appends rows, and a gap where a shard is missing, which then has no rows.  0;
 * -EIO when one is not there, -ENOMEM, with err set. */
int order_read(const struct probe_job *job, const struct probe_items *items, struct probe_result *out,
               struct err *err);

#endif
