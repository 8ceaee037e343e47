/* clean/match.c -- see match.h. */
#include "clean/match.h"

#include "corpus/cleaned.h"
#include "graph/read.h"

#include <errno.h>
#include <stdlib.h>

enum { MATCH_KIND, MATCH_SIMILARITY, MATCH_DATASET, MATCH_SHARD, MATCH_RECORD, MATCH_PATH };

struct asked { const char *sql; sqlite3_stmt *query; };

struct matcher {
    const struct clean_job *job;
    sqlite3                *db;
    struct asked            asked[CLEAN_COLUMNS_MAX];
    size_t                  count;
    uint32_t               *by_name;                        /* [shards->count] */
};

int match_print(struct bytes *out, const struct match *match, const struct scan_counts *counts)
{
    int rc;

    if (!match) return bytes_append_slice(out, MATCH_NONE);
    rc = cleaned_value(out, match->dataset);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0 && match->of_shard != MATCH_NO_SHARD)
        rc = bytes_printf(out, "%llu", (unsigned long long)counts_number(counts, match->of_shard, match->record));
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = cleaned_value(out, match->shard);
    if (rc == 0) rc = bytes_printf(out, "\t%llu\t", (unsigned long long)match->record);
    if (rc == 0) rc = cleaned_value(out, match->path);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = cleaned_value(out, match->kind);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    return rc < 0 || match->similarity < 0 ? rc : bytes_printf(out, "%.6f", match->similarity);
}

/* ---- shards by their names ---- */

static int by_name(const void *a, const void *b, void *of)
{
    const struct run   *run = of;
    const struct shard *x = &run->shards->at[*(const uint32_t *)a], *y = &run->shards->at[*(const uint32_t *)b];
    const int           c = strcmp(run->datasets[x->dataset].name, run->datasets[y->dataset].name);

    return c ? c : strcmp(x->name, y->name);
}

static uint32_t shard_of(const struct matcher *m, struct slice dataset, struct slice name)
{
    const struct run *run = m->job->run;
    size_t            low = 0, high = run->shards->count;

    while (low < high) {
        const size_t        middle = low + (high - low) / 2;
        const struct shard *at = &run->shards->at[m->by_name[middle]];
        int                 c = slice_compare(slice_of(run->datasets[at->dataset].name), dataset);

        if (c == 0) c = slice_compare(slice_of(at->name), name);
        if (c == 0) return m->by_name[middle];
        if (c < 0) low = middle + 1;
        else high = middle;
    }
    return MATCH_NO_SHARD;
}

int matcher_open(struct matcher **out, const struct clean_job *job, sqlite3 *db, struct err *err)
{
    const size_t    count = job->run->shards->count;
    struct matcher *m = calloc(1, sizeof *m);

    *out = m;
    if (m) m->by_name = malloc((count + 1) * sizeof *m->by_name);
    if (!m || !m->by_name) return err_memory(err, count * sizeof *m->by_name, "names of shards");
    m->job = job;
    m->db = db;
    for (size_t s = 0; s < count; s++) m->by_name[s] = (uint32_t)s;
    qsort_r(m->by_name, count, sizeof *m->by_name, by_name, (void *)(uintptr_t)job->run);
    return 0;
}

void matcher_close(struct matcher *m)
{
    if (!m) return;
    for (size_t i = 0; i < m->count; i++) graph_finish(m->asked[i].query);
    free(m->by_name);
    free(m);
}

/* ---- asking ---- */

static int query_of(struct matcher *m, const char *sql, sqlite3_stmt **out, struct err *err)
{
    int rc;

    for (size_t i = 0; i < m->count; i++)
        if (m->asked[i].sql == sql) {
            *out = m->asked[i].query;
            return 0;
        }
    rc = graph_prepare(m->db, out, sql, err);
    if (rc == 0) m->asked[m->count++] = (struct asked){ sql, *out };                /* a rule has no more columns */
    return rc;
}

int matcher_find(struct matcher *m, const char *sql, uint64_t id, const char *against, struct bytes *out,
                 struct err *err)
{
    sqlite3_stmt *row;
    struct match  match;
    int           rc = query_of(m, sql, &row, err);

    if (rc == 0) rc = graph_bind_number(row, 1, (int64_t)id, err);
    if (rc == 0 && against) rc = graph_bind_text(row, 2, slice_of(against), err);
    if (rc == 0) rc = graph_step(row, err);
    if (rc <= 0) return rc;
    match = (struct match){ .kind = graph_text(row, MATCH_KIND), .dataset = graph_text(row, MATCH_DATASET),
                            .shard = graph_text(row, MATCH_SHARD), .path = graph_text(row, MATCH_PATH),
                            .record = graph_number(row, MATCH_RECORD), .similarity = -1 };
    if (sqlite3_column_type(row, MATCH_SIMILARITY) != SQLITE_NULL)
        match.similarity = graph_real(row, MATCH_SIMILARITY);
    match.of_shard = shard_of(m, match.dataset, match.shard);
    if (match_print(out, &match, m->job->counts) < 0) rc = err_memory(err, out->len, "a match");
    while (rc > 0 && (rc = graph_step(row, err)) > 0) continue;                     /* ready for the next */
    return rc < 0 ? rc : 1;
}

int matcher_find_columns(struct matcher *m, uint64_t columns, uint64_t id, struct bytes *out, struct err *err)
{
    int rc = 0;

    for (size_t c = 0; c < m->job->columns->count && rc == 0; c++)
        if (columns >> c & 1 && m->job->columns->at[c]->match)
            rc = matcher_find(m, m->job->columns->at[c]->match, id, NULL, out, err);
    return rc;
}
