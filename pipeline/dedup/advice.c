/* dedup/advice.c -- what a reader should know before trusting the numbers of pass dedup; see report.h. */
#include "dedup/report.h"

#include "stats/interval.h"

#include <string.h>

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
    "removed FROM shard_snippets) "
    "SELECT printf('%s: %d of its shards lost more than 90 %% of their documents; the first is %s, %d of %d', "
        ADVICE_SPLIT("dataset", "split") ", "
    "count(*), shard, removed, documents), min(low) FROM part WHERE " ADVICE_GONE("removed",
            "documents") " AND (dataset, split) NOT IN gone "
    "GROUP BY dataset, split ORDER BY min(low)",

    /* what was added stands last */
    "WITH spoken AS MATERIALIZED (SELECT DISTINCT dataset, language FROM splits WHERE documents > 0 AND removed IS "
    "NOT NULL), "
    "member AS MATERIALIZED (SELECT id, rowid AS place, row_number() OVER (ORDER BY rowid DESC) AS behind FROM "
    "datasets WHERE id IN (SELECT dataset FROM splits WHERE removed IS NOT NULL)), "
    "before AS (SELECT m.id AS id, x.language AS language FROM member AS m JOIN member AS e ON e.place < m.place JOIN "
    "spoken AS x ON x.dataset = e.id) "
    "SELECT printf('%s was added as %s, and what was there before is %s: none of theirs were compared with each other; "
    "say `language:` of the datasets, in a new folder if it is that of the old ones', id, " ADVICE_LANGUAGES(
            "spoken WHERE dataset = member.id") ", " ADVICE_LANGUAGES("before WHERE before.id = member.id") ") "
    "FROM member WHERE behind <= (SELECT CAST(value AS INTEGER) FROM run WHERE key = 'dedup.added') AND id IN (SELECT "
    "dataset FROM spoken) AND EXISTS (SELECT 1 FROM run WHERE key = 'dedup.across_languages' AND value = 'false') "
    "AND EXISTS (SELECT 1 FROM before WHERE before.id = member.id) "
    "AND NOT EXISTS (SELECT 1 FROM before JOIN spoken USING (language) WHERE before.id = member.id AND "
    "spoken.dataset = member.id) ORDER BY place",
};

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

int duplication_advise(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    struct duplication run;
    double             recall, wanted;
    int                rc = duplication_read(&run, db, err);

    if (rc < 0 || !run.ran) return rc;
    for (size_t i = 0; i < sizeof advice_dedup_queries / sizeof advice_dedup_queries[0] && rc == 0; i++)
        rc = advice_query(db, advice_dedup_queries[i], to, err);
    if (rc < 0) return rc;
    if (run.apart)
        advice_say(to, "dedup met %llu document%s with the same bytes as one of another language: they are no copies "
                       "and stay; set `language:` of the datasets to what they are, or, with a view of words "
                       "(shingles, chars, lines), across_languages: true", (unsigned long long)run.apart,
                   run.apart == 1 ? "" : "s");
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
