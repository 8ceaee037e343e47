/* report/advice.c -- see advice.h.  Each query gives finished sentences. */
#include "report/advice.h"

#include "graph/read.h"
#include "report/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* "most often for REASON, first in SHARD, record N: DETAIL" of dataset d.id. */
#define ADVICE_REASON \
    "(SELECT printf('most often %s, first in %s, record %d: %s', r.reason, r.shard, r.record, r.detail) FROM " \
    "rejects AS r WHERE r.dataset = d.id AND r.reason = " \
    "(SELECT reason FROM rejects WHERE dataset = d.id GROUP BY reason ORDER BY sum(records) DESC, reason LIMIT 1) " \
    "ORDER BY r.rowid LIMIT 1)"

#define ADVICE_SUMS \
    "(SELECT dataset, sum(documents) AS documents, sum(admitted) AS admitted, " \
    "sum(rejected) AS rejected, sum(bytes) AS bytes FROM splits GROUP BY dataset)"

/* A shard that was read has the hash of its bytes, which is not 0 even of none. */
#define ADVICE_READ "iif(EXISTS (SELECT 1 FROM shards WHERE dataset = d.id AND xxh3 <> '0000000000000000'),"

static const char *const advice_queries[] = {
    "SELECT printf('%s: %d of %d records (%.1f %%) were rejected, %s', d.id, n.rejected, n.documents + n.rejected, "
    "100.0 * n.rejected / (n.documents + n.rejected), ifnull(" ADVICE_REASON ", 'for reasons that are not listed')) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE n.rejected > 0 AND (n.documents = 0 OR 100 * n.rejected > n.documents + n.rejected) ORDER BY d.rowid",

    "SELECT printf('%s: %d of its shards could not be read to the end; the first is %s (%s): %s', r.dataset, "
    "count(DISTINCT r.shard), r.shard, r.reason, r.detail) "
    "FROM (SELECT *, min(rowid) AS place FROM rejects WHERE reason IN ('truncated', 'corrupt', 'ratio', 'unreadable') "
    "GROUP BY dataset, shard) AS r GROUP BY r.dataset ORDER BY min(r.place)",

    "SELECT iif(ifnull(n.documents, 0) = 0, printf(" ADVICE_READ " '%s has no documents' || ifnull((SELECT ': all '"
    " || sum(files) || ' files were passed over' FROM skipped WHERE dataset = d.id HAVING sum(files) > 0), ''), "
    "'%s was not read: no pass of this run asks for it'), d.id), "
    "printf('no document of %s has min_tokens features: only copies were looked for', d.id)) "
    "FROM datasets AS d LEFT JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE (ifnull(n.documents, 0) = 0 AND ifnull(n.rejected, 0) = 0 "
    "AND (d.role = 'benchmark' OR NOT EXISTS (SELECT 1 FROM run WHERE key = 'clones.self' AND value = 'true'))) OR "
    "(n.documents > 0 AND n.admitted = 0 "
    "AND EXISTS (SELECT 1 FROM run WHERE key GLOB 'near.*' OR key GLOB 'dedup.*')) ORDER BY d.rowid",

    /* Roles the wrong way around: all corpora together are less than half of a benchmark, in documents and in text.
     * Halves of one dataset are not that; the splits that are usual, 70:30 and more, are when they are swapped. */
    "SELECT printf('%s is a benchmark of %d documents (%d bytes), %s %s of %d (%d bytes): are the roles swapped?  "
    "`role: benchmark` (--benchmark) is for what is looked for, small and kept in memory; `role: corpus` (--corpus) "
    "for what it is looked for in', d.id, n.documents, n.bytes, c.names, iif(c.count = 1, 'a corpus', 'corpora'), "
    "c.documents, c.bytes) FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id JOIN "
    "(SELECT group_concat(id, ' and ') AS names, count(*) AS count, sum(documents) AS documents, sum(bytes) AS bytes "
    "FROM (SELECT * FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id WHERE d.role = 'corpus' AND "
    "n.documents > 0 ORDER BY d.rowid)) AS c "
    "WHERE d.role = 'benchmark' AND 2 * c.documents < n.documents AND 2 * c.bytes < n.bytes ORDER BY d.rowid",
};

/* Why is in the warning above. */
static const char advice_unusable_query[] =
    "SELECT printf('%s%s: none of its %d records could be used', iif(d.role = 'benchmark', 'benchmark ', ''), d.id, "
    "n.rejected) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id WHERE n.documents = 0 AND n.rejected > 0 ORDER "
                                           "BY d.rowid LIMIT 1";

int advice_query(sqlite3 *db, const char *sql, const struct advice_listener *to, struct err *err)
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

void advice_say(const struct advice_listener *to, const char *format, ...)
{
    char    sentence[512];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    to->say(to->context, sentence);
}

int advice_give(sqlite3 *db, const struct report_part *const *part, const struct advice_listener *to, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->advise) rc = part[i]->advise(db, to, err);
    for (size_t i = 0; i < sizeof advice_queries / sizeof advice_queries[0] && rc == 0; i++)
        rc = advice_query(db, advice_queries[i], to, err);
    return rc;
}

static void refuse(void *context, const char *sentence) { err_set(context, -EBADMSG, "%s", sentence); }

int advice_refuse(sqlite3 *db, const char *sql, struct err *err)
{
    struct err refusal = { 0 };
    int        rc = advice_query(db, sql, &(struct advice_listener){ refuse, &refusal }, err);

    if (rc == 0 && refusal.code) *err = refusal;
    return rc < 0 ? rc : refusal.code;
}

int advice_check_usable(sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    int rc = advice_refuse(db, advice_unusable_query, err);

    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->check) rc = part[i]->check(db, err);
    return rc;
}
