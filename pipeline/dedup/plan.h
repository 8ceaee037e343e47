/* dedup/plan.h -- what a deduplication will take: a forecast from a sample. */
#ifndef LEAKGRAPH_DEDUP_PLAN_H
#define LEAKGRAPH_DEDUP_PLAN_H

#include "capability/forecast.h"
#include "dedup/sample_keys.h"

/* What the forecast takes for granted, besides what the sample has measured. */
#define PLAN_RECORD_BYTES    16.0                           /* a (key, id) */
#define PLAN_STATE_BYTES     32.0                           /* of a document in memory: 20, and what ranks differ in */
#define PLAN_MATCHED_BYTES   36.0                           /* of one that is not alone, on rank 0 (result.h) */
#define PLAN_FEATURE_BYTES   8.0                            /* in the column files */
#define PLAN_ROW_BYTES       200.0                          /* of a document there, strings included */
#define PLAN_AGAIN_SHARE     0.5                            /* of the time to read, to read again for features */
#define PLAN_RECORDS_SECOND  10e6                           /* a thread partitions, hands over and sorts */
#define PLAN_PAIRS_SECOND    1e6                            /* a thread fetches and intersects */


/* In seconds[]: shards to columns and keys; keys to buckets; pairs decided; cleaned shards compressed. */
enum plan_stage { PLAN_READ, PLAN_EXCHANGE, PLAN_VERIFY, PLAN_WRITE, PLAN_STAGES };

/* Sums over the datasets of the pass, as scaled from the sample. */
struct dedup_plan {
    /* everything was read: counts of documents and records are exact */
    bool   whole;
    double bytes, sampled_bytes;
    double documents, text_bytes, admitted, empty, copies, repeats;
    double prefix_documents, band_documents, records_prefix, records_lsh;
    double pairs_least, pairs_most;                         /* similar documents lie together, or anywhere */
    double exchanged_bytes;                                 /* that leave their rank */
    double state_bytes;                                     /* of a rank */
    double matched_least, matched_most;                     /* of rank 0: if only repeats have pairs, or all */
    double column_bytes, spilled_bytes, written_bytes;
    double brief, again_bytes;                              /* documents without features in columns; their features */
    double seconds[PLAN_STAGES];
    double recall;                                          /* of bands, at the threshold */
    double knee;
};

void plan_dedup(const struct sample_keys *keys, size_t dataset_count, const struct forecast_machine *machine,
                struct dedup_plan *out);

/* Warning i of the options, in a sentence: its length, 0 past the last. */
size_t plan_warning(const struct dedup_plan *plan, const struct dedup_options *options,
                    const struct forecast_machine *machine, size_t i,
                    char out[FORECAST_WARNING]);

#endif
