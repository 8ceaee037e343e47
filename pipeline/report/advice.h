/* report/advice.h -- what a reader should know before trusting the numbers of a run: data that was not read, or not
 * compared. */
#ifndef LEAKGRAPH_REPORT_ADVICE_H
#define LEAKGRAPH_REPORT_ADVICE_H

#include "base/err.h"

#include <sqlite3.h>

/* Says one sentence for each pair of datasets without a language in common, each dataset of which more than 1 % of the
 * records or everything was rejected, each with a shard that could not be read to its end, and each without a document
 * to compare.  After pass dedup also for each cluster of 1,000 documents that are more than 1 % of all, each split, or
 * shard, of 100 documents of which more than 90 % were removed, and when recall falls short: bands that miss more than
 * 5 % at the threshold, a measured recall below the wanted one, buckets above the cap.  The sentences quote the data:
 * whoever shows them makes them harmless.  0 or <0 with err set. */
struct advice_listener { void (*say)(void *context, const char *sentence); void *context; };
int advice_give(sqlite3 *db, const struct advice_listener *to, struct err *err);

/* A dataset that has records of which none could be used makes a run pointless, and so does a model that gave no value:
 * -EBADMSG that says which, else 0 (or another error). */
int advice_check_usable(sqlite3 *db, struct err *err);

#endif
