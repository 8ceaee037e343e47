/* stats/interval.h -- what a counted share is worth. */
#ifndef LEAKGRAPH_STATS_INTERVAL_H
#define LEAKGRAPH_STATS_INTERVAL_H

#include <stdint.h>

/* The 95 % interval of Wilson for a share of which hits of trials were seen: 0 <= *low <= hits/trials <= *high <= 1;
 * without a trial 0 and 1. hits above trials count as trials.  Source: Wilson 1927, Probable Inference, the Law of
 * Succession, and Statistical Inference. */
void wilson_interval(uint64_t hits, uint64_t trials, double *low, double *high);

#endif
