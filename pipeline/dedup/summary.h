/* dedup/summary.h -- what a run says of pass dedup at its end. */
#ifndef LEAKGRAPH_DEDUP_SUMMARY_H
#define LEAKGRAPH_DEDUP_SUMMARY_H

#include "dedup/result.h"

/* On standard output: a table of the datasets of the pass and their splits, what was compared, the recall as measured,
 * and where the cleaned shards or lists are.  0, or -ENOMEM with err set. */
int summary_dedup(const struct dedup_job *job, const struct dedup_result *result, struct err *err);

#endif
