/* stats/order.h -- is the order in which a benchmark stands one that a model knows?
 *
 * Where items could as well stand in any other order, a model that has not seen them finds the given one neither more
 * nor less probable than others.  The benchmark is cut into shards, and each is scored as it stands and shuffled.
 * Source: Oren, Meister, Chatterji, Ladhak, Hashimoto 2024, Proving Test Set Contamination in Black-Box Language Models
 * (ICLR; arXiv 2310.17623), section 3 and algorithm 1. */
#ifndef LEAKGRAPH_STATS_ORDER_H
#define LEAKGRAPH_STATS_ORDER_H

#include <stddef.h>

/* gain: mean over shards of the log-probability as it stands less the mean of the shuffled ones.  t, p: the test by
 * shards, one-sided, of a mean gain of 0 or less, with shards - 1 degrees of freedom; NaN with fewer than two shards,
 * or where no gain differs from another.  p_orders: the permutation test over the sums of all shards, (1 + number of
 * shuffles that are at least as probable) / (1 + shuffles), which is exact however the gains are distributed. */
struct order_test { size_t shards, shuffles; double gain, t, p, p_orders; };

/* logprob [shards][1 + shuffles]: of each shard as it stands, then shuffled. Without any of either all is NaN. */
void order_test(const double *logprob, size_t shards, size_t shuffles, struct order_test *out);

#endif
