/* clean/decide.c -- what graph.db says of records: those for which a rule holds, and those that have duplicates. */
#include "clean/clean_private.h"

#include "base/file.h"
#include "base/log.h"
#include "graph/read.h"
#include "graph/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- places of records ---- */

/* The shard of a row, at or behind *at, since rows come in the order of shards. */
static int shard_find(const struct clean_job *job, size_t dataset, struct slice name, size_t *at, struct err *err)
{
    struct bytes scratch = { 0 };
    struct slice valid;
    bool         found = false;

    for (; *at < job->run->shards->count && !found; *at += !found) {
        if (job->run->shards->at[*at].dataset != dataset) continue;
        if (text_make_valid(slice_of(job->run->shards->at[*at].name), &scratch, &valid) < 0) {
            bytes_free(&scratch);
            return err_memory(err, name.len, "a shard's name");
        }
        found = slice_equal(valid, name);
    }
    bytes_free(&scratch);
    if (found) return 0;
    return err_set(err, -EBADMSG, "graph.db: shard %.*s of %s is not among the run's",
                   (int)(name.len < 200 ? name.len : 200), name.at,
                   job->run->datasets[dataset].name);
}

static int hash_read(struct slice hex, struct content_hash *out)
{
    unsigned long long high, low;
    char               text[33];

    if (hex.len != 32) return -EBADMSG;
    memcpy(text, hex.at, 32);
    text[32] = '\0';
    if (sscanf(text, "%16llx%16llx", &high, &low) != 2) return -EBADMSG;
    *out = (struct content_hash){ .low = low, .high = high };
    return 0;
}

/* Every query gives these first, ordered by snippets.id. */
enum { ROW_SHARD, ROW_RECORD, ROW_HASH, ROW_ID, ROW_COLUMNS };

static int place_read(const struct clean_job *job, size_t dataset, sqlite3_stmt *row, size_t *shard,
                      struct clean_choice *out, struct err *err)
{
    int rc = shard_find(job, dataset, graph_text(row, ROW_SHARD), shard, err);

    *out = (struct clean_choice){ .shard = *shard, .record = graph_number(row, ROW_RECORD) };
    if (rc == 0 && hash_read(graph_text(row, ROW_HASH), &out->hash) < 0)
        rc = err_set(err, -EBADMSG, "graph.db: a snippet of %s has no xxh128", job->run->datasets[dataset].name);
    return rc;
}

/* ---- for which the rule holds ---- */

/* Why the rule holds of a document, and what it was matched with. */
static int reasons_find(const struct rule *rule, const double *value, struct matcher *matcher, uint64_t id,
                        struct bytes *why, struct bytes *match, struct err *err)
{
    uint64_t columns;
    int      rc;

    why->len = match->len = 0;
    if (rule_reasons(rule, value, why, &columns) < 0) return err_memory(err, why->len, "a reason");
    rc = matcher_find_columns(matcher, columns, id, match, err);
    if (rc == 0 && match_print(match, NULL, NULL) < 0) rc = err_memory(err, match->len, "a match");
    return rc < 0 ? rc : 0;
}

static int decide_dataset(struct clean_shards *shards, sqlite3 *db, struct matcher *matcher, size_t dataset,
                          struct err *err)
{
    const struct rule *rule = shards->output->rule;
    struct bytes       why = { 0 }, match = { 0 };
    sqlite3_stmt      *row = NULL;
    size_t             shard = 0;
    struct bytes       sql = { 0 };
    int                rc = clean_columns_query(shards->job->columns, rule_columns(rule), "s.shard, s.record, "
                                                "s.xxh128, s.id", &sql, err);

    if (rc == 0) rc = graph_prepare(db, &row, sql.at, err);
    if (rc == 0) rc = graph_bind_text(row, 1, slice_of(shards->job->run->datasets[dataset].name), err);
    while (rc == 0 && (rc = graph_step(row, err)) == 1) {
        struct clean_choice choice;
        double              value[CLEAN_COLUMNS_MAX];

        rc = 0;
        for (size_t c = 0; c < shards->job->columns->count; c++) value[c] = graph_real(row, ROW_COLUMNS + (int)c);
        if (!rule_holds(rule, value)) continue;
        rc = place_read(shards->job, dataset, row, &shard, &choice, err);
        if (rc < 0) break;
        rc = reasons_find(rule, value, matcher, graph_number(row, ROW_ID), &why, &match, err);
        if (rc == 0 && choices_add(&shards->choices, &choice, bytes_slice(&why), bytes_slice(&match)) < 0)
            rc = err_memory(err, shards->choices.choice.len, "what is removed");
    }
    bytes_free(&sql);
    bytes_free(&why);
    bytes_free(&match);
    graph_finish(row);
    return rc;
}

/* ---- their spans ---- */

static const char spans_sql[] =
    "SELECT shard, record, first_line, last_line FROM clone_spans WHERE dataset = ?1 ORDER BY rowid";

/* Spans come in the order of the choices; those of records that are not chosen are passed over, choices without one are
 * left out. */
static int spans_add(struct clean_shards *shards, sqlite3 *db, size_t dataset, struct err *err)
{
    struct clean_choices      *choices = &shards->choices, kept = { 0 };
    const struct clean_choice *choice = (const void *)choices->choice.at;
    const size_t               count = choices->choice.len / sizeof *choice;
    sqlite3_stmt              *row;
    size_t                     shard = 0, c = 0;
    int                        rc = graph_prepare(db, &row, spans_sql, err);

    if (rc == 0) rc = graph_bind_text(row, 1, slice_of(shards->job->run->datasets[dataset].name), err);
    while (rc == 0 && (rc = graph_step(row, err)) == 1) {
        const struct clean_span span = { (uint32_t)graph_number(row, 2), (uint32_t)graph_number(row, 3) };
        const uint64_t          record = graph_number(row, 1);
        struct clean_choice    *last;

        rc = shard_find(shards->job, dataset, graph_text(row, 0), &shard, err);
        while (c < count && (choice[c].shard < shard || (choice[c].shard == shard && choice[c].record < record))) c++;
        if (rc < 0 || c == count || choice[c].shard != shard || choice[c].record != record) continue;
        last = kept.choice.len ? (struct clean_choice *)(void *)(kept.choice.at + kept.choice.len) - 1 : NULL;
        if (!last || last->shard != shard || last->record != record) {
            struct clean_choice fresh = choice[c];

            fresh.span_at = kept.span.len / sizeof span;
            if (choices_add(&kept, &fresh, choices_why(choices, c), choices_match(choices, c)) < 0)
                rc = err_memory(err, kept.choice.len, "what is cut");
            last = (struct clean_choice *)(void *)(kept.choice.at + kept.choice.len) - 1;
        }
        if (rc == 0 && bytes_append(&kept.span, &span, sizeof span) < 0)
            rc = err_memory(err, kept.span.len, "what is cut");
        if (rc == 0) last->span_count++;
    }
    graph_finish(row);
    if (rc == 0 && kept.choice.len < choices->choice.len)
        log_warn("clean: %s: the rule is true of %zu documents that share no block of lines; they stay as they are",
                 shards->output->name,
                 count - kept.choice.len / sizeof *choice);
    choices_free(choices);
    *choices = kept;
    return rc;
}

static int database_open(const struct clean_job *job, sqlite3 **db, struct err *err)
{
    *db = NULL;
    return graph_open(db, job->run->draft, err);
}

int decide_output(struct clean_shards *shards, struct err *err)
{
    const struct clean_job *job = shards->job;
    struct matcher         *matcher = NULL;
    sqlite3                *db;
    int                     rc = database_open(job, &db, err);

    if (rc == 0) rc = clean_columns_check(job->columns, shards->output->rule, db, err);
    if (rc == 0) rc = matcher_open(&matcher, job, db, err);
    for (size_t d = 0; d < job->run->dataset_count && rc == 0; d++) {
        if (!shards->output->member[d]) continue;
        rc = decide_dataset(shards, db, matcher, d, err);
        if (rc == 0 && shards->action == CLEAN_CUT) rc = spans_add(shards, db, d, err);
    }
    matcher_close(matcher);
    graph_close(db);
    return rc;
}

/* ---- duplicates ---- */

/* ?1: the dataset; ?2: a benchmark, '' all others. */
#define AGAINST \
    "side AS (SELECT min(s.id) AS first, max(s.id) AS last FROM snippets AS s JOIN datasets AS d ON d.id = s.dataset " \
    "WHERE d.role = 'benchmark' AND d.id <> ?1 AND (?2 = '' OR d.id = ?2) GROUP BY d.id)"

static const char direct_sql[] =
    "WITH " AGAINST ", met AS (SELECT e.a AS id FROM edges AS e JOIN side AS x ON e.b BETWEEN x.first AND x.last "
                    "WHERE e.pass = 'near' AND e.kind IN ('exact', 'near') "
    "UNION SELECT e.b FROM edges AS e JOIN side AS x ON e.a BETWEEN x.first AND x.last WHERE e.pass = 'near' AND "
    "e.kind IN ('exact', 'near'))"
    "SELECT shard, record, xxh128, id FROM snippets WHERE dataset = ?1 AND id IN met ORDER BY id";

static const char transitive_sql[] =
    "WITH " AGAINST ", met AS (SELECT DISTINCT c.cluster FROM clusters AS c JOIN side AS x ON c.snippet BETWEEN "
                    "x.first AND x.last WHERE c.pass = 'near')"
    "SELECT shard, record, xxh128, id FROM snippets WHERE dataset = ?1 AND id IN (SELECT snippet FROM clusters WHERE "
    "pass = 'near' AND cluster IN met) ORDER BY id";

/* A document and its most similar duplicate (?2 as above); or the first document of its cluster there. */
#define OTHERS \
    " JOIN datasets AS d ON d.id = o.dataset WHERE d.role = 'benchmark' AND (?2 = '' OR d.id = ?2) AND " \
    "d.id <> (SELECT dataset FROM snippets WHERE id = ?1) AND "

static const char pair_sql[] =
    "SELECT e.kind, e.set_similarity, o.dataset, o.shard, o.record, o.path FROM snippet_pairs AS e JOIN snippets "
    "AS o ON o.id = e.other" OTHERS "e.pass = 'near' AND e.snippet = ?1 AND e.kind IN ('exact', 'near') ORDER BY "
    "e.set_similarity DESC, e.multiset_similarity DESC, o.id";

static const char member_sql[] =
    "SELECT 'indirect', NULL, o.dataset, o.shard, o.record, o.path FROM clusters AS c JOIN clusters AS m ON m.pass = "
    "'near' AND m.cluster = c.cluster JOIN snippets AS o ON o.id = m.snippet" OTHERS "c.pass = 'near' AND c.snippet = "
    "?1 ORDER BY o.id";

static int duplicate_add(struct clean_shards *shards, struct matcher *matcher, const struct clean_choice *choice,
                         uint64_t id, struct bytes *match, struct err *err)
{
    int rc;

    match->len = 0;
    rc = matcher_find(matcher, pair_sql, id, shards->output->against, match, err);
    if (rc == 0 && shards->output->transitive)
        rc = matcher_find(matcher, member_sql, id, shards->output->against, match, err);
    if (rc == 0 && match_print(match, NULL, NULL) < 0) rc = err_memory(err, match->len, "a match");
    if (rc >= 0 && choices_add(&shards->choices, choice, SLICE("duplicate"), bytes_slice(match)) < 0)
        rc = err_memory(err, shards->choices.choice.len, "duplicates");
    return rc < 0 ? rc : 0;
}

int decide_duplicates(struct clean_shards *shards, struct err *err)
{
    const struct clean_job    *job = shards->job;
    const struct clean_output *output = shards->output;
    sqlite3_stmt              *row = NULL;
    struct matcher            *matcher = NULL;
    struct bytes               match = { 0 };
    sqlite3                   *db;
    size_t                     dataset = 0, shard = 0;
    int                        rc = database_open(job, &db, err);

    while (!output->member[dataset]) dataset++;
    if (rc == 0) rc = clean_columns_check(job->columns, NULL, db, err);
    if (rc == 0) rc = matcher_open(&matcher, job, db, err);
    if (rc == 0) rc = graph_prepare(db, &row, output->transitive ? transitive_sql : direct_sql, err);
    if (rc == 0) rc = graph_bind_text(row, 1, slice_of(job->run->datasets[dataset].name), err);
    if (rc == 0) rc = graph_bind_text(row, 2, slice_of(output->against), err);
    while (rc == 0 && (rc = graph_step(row, err)) == 1) {
        struct clean_choice choice;

        rc = place_read(job, dataset, row, &shard, &choice, err);
        if (rc == 0) rc = duplicate_add(shards, matcher, &choice, graph_number(row, ROW_ID), &match, err);
    }
    bytes_free(&match);
    matcher_close(matcher);
    graph_finish(row);
    graph_close(db);
    return rc;
}
