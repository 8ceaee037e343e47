/* report/advice.h -- what a reader should know before trusting the numbers of a run: data that was not read, or not
 * compared. */
#ifndef LEAKGRAPH_REPORT_ADVICE_H
#define LEAKGRAPH_REPORT_ADVICE_H

#include "base/err.h"

#include <sqlite3.h>

struct report_part;

/* Who hears the sentences.  They quote the data: whoever shows them makes them harmless. */
struct advice_listener { void (*say)(void *context, const char *sentence); void *context; };

/* Says what the parts, which end with NULL, warn of; then one sentence for each dataset of which more than 1 % of the
 * records or everything was rejected, each with a shard that could not be read to its end, each without a document to
 * compare, and each benchmark that is more than twice as large as all corpora together.  0 or <0 with err set. */
int advice_give(sqlite3 *db, const struct report_part *const *part, const struct advice_listener *to, struct err *err);

/* A dataset that has records of which none could be used makes a run pointless, and so may what a part checks: -EBADMSG
 * that says which, else 0 (or another error). */
int advice_check_usable(sqlite3 *db, const struct report_part *const *part, struct err *err);

/* ---- for the parts ---- */

/* Says each row of a query that gives finished sentences.  0 or <0 with err set. */
int  advice_query(sqlite3 *db, const char *sql, const struct advice_listener *to, struct err *err);
void advice_say(const struct advice_listener *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In such a query: the languages of rows that have one, joined by "and"; rows: what stands behind FROM. */
#define ADVICE_LANGUAGES(rows) \
    "(SELECT group_concat(name, ' and ') FROM (SELECT DISTINCT iif(language = '', 'of no known language', language) " \
    "AS name FROM " rows " ORDER BY name LIMIT 5))"

/* -EBADMSG with the last row of a query that gives finished sentences; 0 without one, or another error. */
int  advice_refuse(sqlite3 *db, const char *sql, struct err *err);

#endif
