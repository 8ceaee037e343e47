/* report/advice.c -- see advice.h.  Each query gives finished sentences. */
#include "report/advice.h"

#include "base/ratio.h"
#include "graph/read.h"
#include "dedup/report.h"

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
    "sum(rejected) AS rejected FROM splits GROUP BY dataset)"

/* A shard that was read has the hash of its bytes, which is not 0 even of none. */
#define ADVICE_READ "iif(EXISTS (SELECT 1 FROM shards WHERE dataset = d.id AND xxh3 <> '0000000000000000'),"

#define ADVICE_LANGUAGES(dataset_id) \
    "(SELECT group_concat(name, ' and ') FROM (SELECT DISTINCT iif(language = '', 'of no known language', language) " \
    "AS name FROM splits " \
    "WHERE dataset = " dataset_id " AND documents > 0 ORDER BY name LIMIT 5))"

static const char *const advice_queries[] = {
    /* Both orders of a pair have a row; the one in the order of the datasets speaks. */
    "SELECT printf('%s is %s, %s is %s: no pair of theirs was compared; set `language:` of one of them, or "
    "across_languages: true', "
    "o.source, " ADVICE_LANGUAGES("o.source") ", o.target, " ADVICE_LANGUAGES("o.target") ") "
    "FROM overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = o.target "
    "WHERE s.rowid < t.rowid AND o.split = '' AND o.target_split = '' AND o.language = '' AND o.documents > 0 "
    "AND EXISTS (SELECT 1 FROM splits WHERE dataset = o.target AND documents > 0) "
    "AND EXISTS (SELECT 1 FROM run WHERE key = 'near.across_languages' AND value = 'false') "
    "AND NOT EXISTS (SELECT 1 FROM splits AS x JOIN splits AS y ON y.language = x.language "
    "WHERE x.dataset = o.source AND y.dataset = o.target AND x.documents > 0 AND y.documents > 0) ORDER BY o.rowid",

    "SELECT printf('probe.truth: none of %d items says whether it was in the training data: the metrics are not "
    "ranked', count(*)) FROM probe_items "
    "WHERE EXISTS (SELECT 1 FROM run WHERE key = 'probe.truth' AND value <> 'none') HAVING count(*) > 0 AND "
    "count(truth) = 0",

    "SELECT printf('%s: %d of %d records (%.1f %%) were rejected, %s', d.id, n.rejected, n.documents + n.rejected, "
    "100.0 * n.rejected / (n.documents + n.rejected), ifnull(" ADVICE_REASON ", 'for reasons that are not listed')) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE n.rejected > 0 AND (n.documents = 0 OR 100 * n.rejected > n.documents + n.rejected) ORDER BY d.rowid",

    "SELECT printf('%s: %d of its shards could not be read to the end; the first is %s (%s): %s', r.dataset, "
    "count(DISTINCT r.shard), r.shard, r.reason, r.detail) "
    "FROM (SELECT *, min(rowid) FROM rejects WHERE reason IN ('truncated', 'corrupt', 'ratio', 'unreadable') GROUP BY "
    "dataset, shard ORDER BY rowid) AS r "
    "GROUP BY r.dataset ORDER BY min(r.rowid)",

    "SELECT iif(ifnull(n.documents, 0) = 0, printf(" ADVICE_READ " '%s has no documents', '%s was not read: no pass "
                                                                 "of this run asks for it'), d.id), "
    "printf('no document of %s has min_tokens features: only byte-equal copies were looked for', d.id)) "
    "FROM datasets AS d LEFT JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id "
    "WHERE (ifnull(n.documents, 0) = 0 AND ifnull(n.rejected, 0) = 0 "
    "AND (d.role = 'benchmark' OR NOT EXISTS (SELECT 1 FROM run WHERE key = 'clones.self' AND value = 'true'))) OR "
    "(n.documents > 0 AND n.admitted = 0 "
    "AND EXISTS (SELECT 1 FROM run WHERE key GLOB 'near.*' OR key GLOB 'dedup.*')) ORDER BY d.rowid",

    "SELECT printf('clean: %s removed all %d documents of %s', output, sum(documents), dataset) "
    "FROM cleaned WHERE kind = 'removed' "
    "GROUP BY output, dataset HAVING sum(documents) > 0 AND sum(removed) = sum(documents) ORDER BY min(rowid)",
};

/* After pass dedup.  Of a split that is gone as a whole the shards are not named too. */
#define ADVICE_GONE(part, whole) whole " >= 100 AND 10 * " part " > 9 * " whole
#define ADVICE_SPLIT(dataset, split) dataset " || iif(" split " = '', '', ', split ' || " split ")"

static const char *const advice_dedup_queries[] = {
    "SELECT printf('one cluster holds %d of %d documents (%.1f %%): look at it before you trust what was removed "
    "(leakgraph show DIR %d)', "
    "c.cluster_size, n.documents, 100.0 * c.cluster_size / n.documents, c.snippet) "
    "FROM dedup AS c, (SELECT sum(documents) AS documents FROM splits WHERE removed IS NOT NULL) AS n "
    "WHERE c.snippet = c.canonical AND c.cluster_size >= 1000 AND 100 * c.cluster_size > n.documents ORDER BY "
    "c.cluster_size DESC, c.snippet LIMIT 5",

    "SELECT printf('%s: %d of %d documents (%.1f %%) were removed, hardly anything is left of it', " ADVICE_SPLIT(
            "dataset", "split") ", removed, documents, "
    "100.0 * removed / documents) FROM (SELECT dataset, split, sum(removed) AS removed, sum(documents) AS documents, "
    "min(rowid) AS place FROM splits "
    "WHERE removed IS NOT NULL GROUP BY dataset, split) WHERE " ADVICE_GONE("removed", "documents") " ORDER BY place",

    "WITH gone AS (SELECT dataset, split FROM splits WHERE removed IS NOT NULL GROUP BY dataset, split HAVING "
        ADVICE_GONE("sum(removed)", "sum(documents)") "), "
    "part AS MATERIALIZED (SELECT *, (SELECT count(*) FROM dedup WHERE snippet BETWEEN low AND high AND kept = 0) AS "
    "removed FROM dedup_shards) "
    "SELECT printf('%s: %d of its shards lost more than 90 %% of their documents; the first is %s, %d of %d', "
        ADVICE_SPLIT("dataset", "split") ", "
    "count(*), shard, removed, documents), min(low) FROM part WHERE " ADVICE_GONE("removed",
            "documents") " AND (dataset, split) NOT IN gone "
    "GROUP BY dataset, split ORDER BY min(low)",
};

/* Why is in the warning above. */
static const char advice_unusable_query[] =
    "SELECT printf('%s%s: none of its %d records could be used', iif(d.role = 'benchmark', 'benchmark ', ''), d.id, "
    "n.rejected) "
    "FROM datasets AS d JOIN " ADVICE_SUMS " AS n ON n.dataset = d.id WHERE n.documents = 0 AND n.rejected > 0 ORDER "
                                           "BY d.rowid LIMIT 1";

static const char advice_mute_query[] =
    "SELECT printf('model %s gave no value of any of %d items: %s', m.name, (SELECT count(*) FROM probe_items), "
    "(SELECT reason FROM probe_gaps WHERE model = m.id ORDER BY items DESC LIMIT 1)) FROM models AS m "
    "WHERE EXISTS (SELECT 1 FROM probe_gaps WHERE model = m.id) AND NOT EXISTS (SELECT 1 FROM probes WHERE model = "
    "m.id AND metric <> 'tokens') ORDER BY m.id LIMIT 1";

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

static void advice_say(const struct advice_listener *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advice_say(const struct advice_listener *to, const char *format, ...)
{
    char    sentence[512];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    to->say(to->context, sentence);
}

/* Says so when chance alone hardly explains that so little was found of what an exact comparison finds. */
static void advice_measured(const struct advice_listener *to, const char *what, uint64_t found, uint64_t pairs,
                            double wanted)
{
    double low, high;

    wilson_interval(found, pairs, &low, &high);
    if (high < wanted)
        advice_say(to, "dedup found %llu of %llu %s: its recall is below %.4f, not the %.4g that was asked for",
                   (unsigned long long)found, (unsigned long long)pairs, what,
                   high, wanted);
}

static int advice_dedup(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    struct duplication run;
    double             recall, wanted;
    int                rc = duplication_read(&run, db, err);

    if (rc < 0 || !run.ran) return rc;
    rc = duplication_find_shards(db, err);
    for (size_t i = 0; i < sizeof advice_dedup_queries / sizeof advice_dedup_queries[0] && rc == 0; i++)
        rc = advice_run(db, advice_dedup_queries[i], to, err);
    if (rc < 0) return rc;
    recall = duplication_recall(&run);
    if (recall < 0.95)
        advice_say(to, "%llu bands of %llu rows miss %.1f %% of the pairs at the threshold %.9g: leave bands and rows "
                       "out and say recall, or choose smaller rows",
                   (unsigned long long)run.bands, (unsigned long long)run.rows, 100 * (1 - recall), run.threshold);
    wanted = strcmp(run.method, "exact") == 0 ? 1 : run.recall;
    advice_measured(to, "pairs of sampled documents", run.sample_found, run.sample_pairs, wanted);
    advice_measured(to, "pairs with mutants of sampled documents", run.mutants_found, run.mutants, wanted);
    if (run.hot_buckets)
        advice_say(to, "dedup met %llu buckets of more than bucket_cap documents; what is in them (%llu, a document "
                       "in several counted in each) was compared with the preferred one of each bucket only; "
                   "a larger bucket_cap compares all", (unsigned long long)run.hot_buckets,
                       (unsigned long long)run.hot_members);
    return 0;
}

int advice_give(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < sizeof advice_queries / sizeof advice_queries[0] && rc == 0; i++)
        rc = advice_run(db, advice_queries[i], to, err);
    return rc < 0 ? rc : advice_dedup(db, to, err);
}

static void advice_refuse(void *context, const char *sentence) { err_set(context, -EBADMSG, "%s", sentence); }

int advice_check_usable(sqlite3 *db, struct err *err)
{
    struct err refusal = { 0 };
    int        rc = advice_run(db, advice_unusable_query, &(struct advice_listener){ advice_refuse, &refusal }, err);

    if (rc == 0 && !refusal.code)
        rc = advice_run(db, advice_mute_query, &(struct advice_listener){ advice_refuse, &refusal }, err);
    if (rc == 0 && refusal.code) *err = refusal;
    return rc < 0 ? rc : refusal.code;
}
