/* dedup/report.h -- the part of the report that tells what pass dedup removed, what it was asked, and how far it
 * can be trusted. */
#ifndef LEAKGRAPH_DEDUP_REPORT_H
#define LEAKGRAPH_DEDUP_REPORT_H

#include "base/err.h"
#include "report/advice.h"
#include "report/document.h"

#include <sqlite3.h>

struct query_table;

/* Rows dedup.* of table run; what has no row is 0 or empty. */
struct duplication {
    bool     ran;
    char     method[16], write[16];                         /* as in the configuration */
    double   threshold, recall;
    /* pairs of which one has at most so many distinct features are found exactly */
    uint64_t bands, rows, exact_features;
    uint64_t documents, copies, apart, candidates, verified, removed, removed_bytes, text_bytes, clusters;
    uint64_t largest_cluster;
    uint64_t hot_buckets, hot_members, bucket_cap;
    uint64_t sample_documents, sample_pairs, sample_found, mutants, mutants_found;
};

/* 0 or <0 with err set. */
int duplication_read(struct duplication *out, sqlite3 *db, struct err *err);

/* Probability that a pair at the threshold is proposed; 1 where everything was compared exactly. */
double duplication_recall(const struct duplication *run);

/* Warns of each cluster of 1,000 documents that are more than 1 % of all, each split, or shard, of 100 documents of
 * which more than 90 % were removed, and when recall falls short: bands that miss more than 5 % at the threshold, a
 * measured recall below the wanted one, buckets above the cap.  0 or <0 with err set. */
int duplication_advise(sqlite3 *db, const struct advice_listener *to, struct err *err);

/* Tables of the section that take long (report/report.h). */
extern const struct query_table *const duplication_ahead[];

/* Add the sentences at the top of the report, and the section "dedup".  0 or <0 with err set. */
int duplication_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int duplication_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
