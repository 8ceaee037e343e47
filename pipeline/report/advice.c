/* report/advice.c -- see advice.h.  Each query gives finished sentences. */
#include "report/advice.h"

#include "graph/read.h"

#include <errno.h>
#include <stdlib.h>

/* "most often for REASON, first in SHARD, record N: DETAIL" of dataset d.id. */
#define ADVICE_REASON                                                                                                                  \
    "(SELECT printf('most often %s, first in %s, record %d: %s', r.reason, r.shard, r.record, r.detail) FROM rejects AS r WHERE r.dataset = d.id AND r.reason = " \
    "(SELECT reason FROM rejects WHERE dataset = d.id GROUP BY reason ORDER BY count(*) DESC, reason LIMIT 1) ORDER BY r.rowid LIMIT 1)"

#define ADVICE_SUMS                                                                                                                    \
    "(SELECT dataset, sum(documents) AS documents, sum(admitted) AS admitted, sum(rejected) AS rejected FROM splits GROUP BY dataset)"

#define ADVICE_LANGUAGES(dataset_id)                                                                                                   \
    "(SELECT group_concat(name, ' and ') FROM (SELECT DISTINCT iif(language = '', 'of no known language', language) AS name FROM splits " \
    "WHERE dataset = " dataset_id " AND documents > 0 ORDER BY name LIMIT 5))"

static const char *const advice_queries[] = {
    /* Both orders of a pair have a row; the one in the order of the datasets speaks. */
    "SELECT printf('%s is %s, %s is %s: no pair of theirs was compared; set `language:` of one of them, or across_languages: true', "
    "o.source, " ADVICE_LANGUAGES("o.source") ", o.target, " ADVICE_LANGUAGES("o.target") ") "
    "FROM overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = o.target "
    "WHERE s.rowid < t.rowid AND o.split = '' AND o.target_split = '' AND o.language = '' AND o.documents > 0 "
    "AND EXISTS (SELECT 1 FROM splits WHERE dataset = o.target AND documents > 0) "
    "AND EXISTS (SELECT 1 FROM run WHERE key = 'near.across_languages' AND value = 'false') "
    "AND NOT EXISTS (SELECT 1 FROM splits AS x JOIN splits AS y ON y.language = x.language "
    "WHERE x.dataset = o.source AND y.dataset = o.target AND x.documents > 0 AND y.documents > 0) ORDER BY o.rowid",

    "SELECT printf('%s: %d of %d records (%.1f %%) were rejected, %s', d.id, n.rejected, n.documents + n.rejected, "
    "100.0 * n.rejected / (n.documents + n.rejected), ifnull(" ADVICE_REASON ", 'for reasons that are not listed')) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE n.rejected > 0 AND (n.documents = 0 OR 100 * n.rejected > n.documents + n.rejected) ORDER BY d.rowid",

    "SELECT printf('%s: %d of its shards could not be read to the end; the first is %s (%s): %s', r.dataset, count(DISTINCT r.shard), r.shard, r.reason, r.detail) "
    "FROM (SELECT *, min(rowid) FROM rejects WHERE reason IN ('truncated', 'corrupt', 'ratio', 'unreadable') GROUP BY dataset, shard ORDER BY rowid) AS r "
    "GROUP BY r.dataset ORDER BY min(r.rowid)",

    "SELECT iif(ifnull(n.documents, 0) = 0, printf('%s has no documents', d.id), "
    "printf('no document of %s has min_tokens features: only byte-equal copies were looked for', d.id)) "
    "FROM datasets AS d LEFT JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE (ifnull(n.documents, 0) = 0 AND ifnull(n.rejected, 0) = 0) OR (n.documents > 0 AND n.admitted = 0) ORDER BY d.rowid",
};

/* Why is in the warning above. */
static const char advice_benchmark_query[] =
    "SELECT printf('benchmark %s: none of its %d records could be used', d.id, n.rejected) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id WHERE d.role = 'benchmark' AND n.documents = 0 AND n.rejected > 0 ORDER BY d.rowid LIMIT 1";

static int advice_run(sqlite3 *db, const char *sql, const struct advice_listener *to, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice text = graph_text(query, 0);
        char        *copy = strndup(text.at, text.len);

        rc = copy ? 0 : err_memory(err, text.len, "a warning");
        if (copy) to->say(to->context, copy);
        free(copy);
    }
    graph_finish(query);
    return rc;
}

int advice_give(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < sizeof advice_queries / sizeof advice_queries[0] && rc == 0; i++) rc = advice_run(db, advice_queries[i], to, err);
    return rc;
}

static void advice_refuse(void *context, const char *sentence) { err_set(context, -EBADMSG, "%s", sentence); }

int advice_check_benchmarks(sqlite3 *db, struct err *err)
{
    struct err refusal = { 0 };
    int        rc = advice_run(db, advice_benchmark_query, &(struct advice_listener){ advice_refuse, &refusal }, err);

    if (rc == 0 && refusal.code) *err = refusal;
    return rc < 0 ? rc : refusal.code;
}
