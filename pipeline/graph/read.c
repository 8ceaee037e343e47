/* graph/read.c -- see read.h. */
#include "graph/read.h"

#include "base/file.h"
#include "graph/edges.h"
#include "graph/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int graph_fail(sqlite3 *db, struct err *err)
{
    int rc = db ? sqlite3_errcode(db) & 0xFF : SQLITE_NOMEM;
    int code = rc == SQLITE_NOMEM ? -ENOMEM : rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB || rc == SQLITE_ERROR
        ? -EBADMSG : -EIO;

    return err_set(err, code, "%s: %s", db && sqlite3_db_filename(db, "main") ? sqlite3_db_filename(db, "main")
                   : "graph.db", db ? sqlite3_errmsg(db) : "out of memory");
}

int graph_count(sqlite3 *db, const char *sql, uint64_t *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, sql, err);

    *out = 0;
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) *out = graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

int graph_open(sqlite3 **db, const char *path, struct err *err)
{
    uint64_t application, version;
    int      rc = 0;

    *db = NULL;
    if (access(path, R_OK) < 0) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
        rc = graph_fail(*db, err);
    /* The file may come from anywhere: its schema must not call functions with side effects, and a view is expanded no
     * further than needed. */
    if (rc == 0) sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (rc == 0) rc = graph_count(*db, "PRAGMA application_id", &application, err);
    if (rc == 0) rc = graph_count(*db, "PRAGMA user_version", &version, err);
    if (rc == 0 && application != STORE_APPLICATION)
        rc = err_set(err, -EBADMSG, "%s: not a graph database of leakgraph", path);
    else if (rc == 0 && version != STORE_VERSION)
        rc = err_set(err, -EBADMSG, "%s: has version %llu of the format, this program reads version %d", path,
                     (unsigned long long)version, STORE_VERSION);
    /* Queries go to and fro between tables, and the default cache holds 60 pages.  A file that says otherwise is not
     * asked. */
    if (rc == 0 && sqlite3_exec(*db, "PRAGMA cache_size=-65536", NULL, NULL, NULL) != SQLITE_OK)
        rc = graph_fail(*db, err);
    if (rc == 0) return 0;
    sqlite3_close(*db);
    *db = NULL;
    return rc;
}

void graph_close(sqlite3 *db) { sqlite3_close(db); }

int graph_prepare(sqlite3 *db, sqlite3_stmt **query, const char *sql, struct err *err)
{
    return sqlite3_prepare_v2(db, sql, -1, query, NULL) == SQLITE_OK ? 0 : graph_fail(db, err);
}

int graph_bind_text(sqlite3_stmt *query, int parameter, struct slice text, struct err *err)
{
    int rc = sqlite3_bind_text64(query, parameter, text.len ? text.at : "", text.len, SQLITE_STATIC, SQLITE_UTF8);

    return rc == SQLITE_OK ? 0 : graph_fail(sqlite3_db_handle(query), err);
}

int graph_bind_number(sqlite3_stmt *query, int parameter, int64_t value, struct err *err)
{
    return sqlite3_bind_int64(query, parameter, value) == SQLITE_OK ? 0 : graph_fail(sqlite3_db_handle(query), err);
}

int graph_step(sqlite3_stmt *query, struct err *err)
{
    int rc = sqlite3_step(query);

    if (rc == SQLITE_ROW) return 1;
    if (rc != SQLITE_DONE) return graph_fail(sqlite3_db_handle(query), err);
    sqlite3_reset(query);
    return 0;
}

void graph_finish(sqlite3_stmt *query) { sqlite3_finalize(query); }

struct slice graph_text(sqlite3_stmt *query, int column)
{
    const char *at = (const char *)sqlite3_column_text(query, column);

    return (struct slice){ at ? at : "", at ? (size_t)sqlite3_column_bytes(query, column) : 0 };
}

uint64_t graph_number(sqlite3_stmt *query, int column)
{
    sqlite3_int64 value = sqlite3_column_int64(query, column);

    return value > 0 ? (uint64_t)value : 0;
}

double graph_real(sqlite3_stmt *query, int column) { return sqlite3_column_double(query, column); }

/* ---- the whole graph ---- */

/* The index of a dataset's name; -1 when there is none.  Rows of one dataset follow each other: *last is tried first.
 */
static int64_t load_find_dataset(const struct graph *graph, struct slice name, uint32_t *last)
{
    if (*last < graph->dataset_count && slice_equal(graph->datasets[*last].name, name)) return *last;
    for (uint32_t i = 0; i < graph->dataset_count; i++)
        if (slice_equal(graph->datasets[i].name, name)) return *last = i;
    return -1;
}

/* Starts a table: its rows are counted, room for them is made in *rows, *query gives them. */
static int load_start(sqlite3 *db, const char *table, const char *sql, size_t row_size, void *rows,
                      sqlite3_stmt **query, size_t *room, struct err *err)
{
    char     count_sql[64];
    uint64_t count;
    void    *at;
    int      rc;

    *query = NULL;
    snprintf(count_sql, sizeof count_sql, "SELECT count(*) FROM %s", table);
    rc = graph_count(db, count_sql, &count, err);
    if (rc < 0) return rc;
    at = count >= UINT32_MAX ? NULL : calloc(count + 1, row_size);
    if (!at) return err_memory(err, count * row_size, table);
    memcpy(rows, &at, sizeof at);
    *room = count;
    return graph_prepare(db, query, sql, err);
}

static int load_datasets(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    int rc = load_start(db, "datasets", "SELECT id, role, self_join FROM datasets ORDER BY rowid",
                        sizeof *copy->datasets, &copy->datasets, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_dataset *dataset = &copy->datasets[n++];

        dataset->benchmark = slice_equal(graph_text(query, 1), SLICE("benchmark"));
        dataset->self_join = graph_number(query, 2) != 0;
        rc = pool_copy(&copy->pool, graph_text(query, 0), &dataset->name) < 0 ? err_memory(err, 0, "datasets") : 0;
    }
    graph_finish(query);
    copy->graph.datasets = copy->datasets;
    copy->graph.dataset_count = n;
    return rc;
}

static int load_documents(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "snippets", "SELECT id, dataset, id_within_dataset, split_within_dataset, record, "
                                        "matches, features, distinct_features, admitted "
                        "FROM snippets ORDER BY id", sizeof *copy->documents, &copy->documents, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_document *document = &copy->documents[n];
        struct slice           split = graph_text(query, 3);
        int64_t                dataset = load_find_dataset(&copy->graph, graph_text(query, 1), &last);

        rc = 0;
        if (graph_number(query, 0) != n + 1)
            rc = err_set(err, -EBADMSG, "snippets: id %llu where %zu should be",
                         (unsigned long long)graph_number(query, 0), n + 1);
        else if (dataset < 0) rc = err_set(err, -EBADMSG, "snippets: id %zu is of a dataset that is not listed", n + 1);
        else if (n && slice_equal(split, copy->documents[n - 1].split)) document->split = copy->documents[n - 1].split;
        else if (pool_copy(&copy->pool, split, &document->split) < 0) rc = err_memory(err, split.len, "snippets");
        if (rc < 0) break;
        document->dataset = (uint32_t)dataset;
        document->number = graph_number(query, 2);
        document->record = graph_number(query, 4);
        document->matches = graph_number(query, 5);
        document->features = (uint32_t)graph_number(query, 6);
        document->distinct = (uint32_t)graph_number(query, 7);
        document->admitted = graph_number(query, 8) != 0;
        n++;
    }
    graph_finish(query);
    copy->graph.documents = copy->documents;
    copy->graph.document_count = n;
    return rc;
}

/* The pass of a row. */
static int load_pass(struct slice name, const char *table, uint32_t *pass, struct err *err)
{
    *pass = edge_pass_of(name);
    if (*pass < GRAPH_PASSES) return 0;
    return err_set(err, -EBADMSG, "%s: pass \"%.*s\" is not known here", table, (int)(name.len < 32 ? name.len : 32),
                   name.at);
}

static int load_edge(struct graph_copy *copy, sqlite3_stmt *query, struct err *err)
{
    uint64_t          a = graph_number(query, 1), b = graph_number(query, 2);
    struct graph_edge edge;
    uint32_t          pass;
    int               rc = load_pass(graph_text(query, 0), "edges", &pass, err);

    if (rc < 0) return rc;
    if (a == 0 || a >= b || b > copy->graph.document_count)
        return err_set(err, -EBADMSG, "edges: pair %llu, %llu: not two snippets in order", (unsigned long long)a,
                       (unsigned long long)b);
    edge = (struct graph_edge){ (uint32_t)a - 1, (uint32_t)b - 1, edge_kind_of(graph_text(query, 3)),
                                (uint32_t)graph_number(query, 4), (uint32_t)graph_number(query, 5),
                                (uint32_t)graph_number(query, 6), (uint32_t)graph_number(query, 7) };
    if (edge.kind == EDGE_KIND_COUNT)
        return err_set(err, -EBADMSG, "edges: pair %llu, %llu: unknown kind", (unsigned long long)a,
                       (unsigned long long)b);
    return edge_list_add(&copy->edges[pass], &edge) < 0
        ? err_memory(err, copy->edges[pass].count * sizeof edge, "edges") : 0;
}

static int load_edges(struct graph_copy *copy, sqlite3 *db, const char *path, struct err *err)
{
    sqlite3_stmt *query;
    uint64_t      aside;
    char          folder[FILE_NAME_MAX], list[FILE_NAME_MAX];
    int rc = graph_prepare(db, &query, "SELECT pass, a, b, kind, shared, \"union\", min_sum, max_sum FROM edges ORDER "
                                       "BY a, b, pass", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) rc = load_edge(copy, query, err);
    graph_finish(query);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'edges_file'", &aside, err);
    if (rc == 0 && aside) {
        if (copy->edges[PASS_NEAR].count || copy->edges[PASS_DEDUP].count)
            rc = err_set(err, -EBADMSG, "edges: has rows, though run names a list of edges");
        if (rc == 0) rc = file_folder(path, folder, err);
        if (rc == 0) rc = file_join(folder, EDGES_FILE, list, err);
        if (rc == 0) rc = edges_read(list, copy->graph.document_count, copy->edges, err);
    }
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        copy->graph.passes[pass].edges = copy->edges[pass].at;
        copy->graph.passes[pass].edge_count = copy->edges[pass].count;
    }
    return rc;
}

/* The clusters of one pass: a document has one at most. */
static int load_clusters(struct graph_copy *copy, sqlite3 *db, enum graph_pass_name pass, struct err *err)
{
    struct graph_cluster *cluster = calloc(copy->graph.document_count + 1, sizeof *cluster);
    sqlite3_stmt         *query = NULL;
    size_t                n = 0;
    int rc = cluster
        ? graph_prepare(db, &query, "SELECT snippet, cluster FROM clusters WHERE pass = ?1 ORDER BY snippet", err)
                     : err_memory(err, copy->graph.document_count * sizeof *cluster, "clusters");

    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(graph_pass_names[pass]), err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        uint64_t snippet = graph_number(query, 0), label = graph_number(query, 1);

        rc = 0;
        if (snippet == 0 || label == 0 || snippet > copy->graph.document_count || label > copy->graph.document_count)
            rc = err_set(err, -EBADMSG, "clusters: snippet %llu in cluster %llu: not in snippets",
                         (unsigned long long)snippet, (unsigned long long)label);
        else if (n && cluster[n - 1].document + 1 == snippet)
            rc = err_set(err, -EBADMSG, "clusters: snippet %llu is in two", (unsigned long long)snippet);
        else cluster[n++] = (struct graph_cluster){ (uint32_t)snippet - 1, (uint32_t)label - 1 };
    }
    graph_finish(query);
    copy->clusters[pass] = cluster;
    copy->graph.passes[pass].clusters = cluster;
    copy->graph.passes[pass].cluster_count = n;
    return rc;
}

/* A row of a pass that is not known would be passed over by load_clusters. */
static int load_check_passes(sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    uint32_t      pass;
    int           rc =
        graph_prepare(db, &query, "SELECT pass FROM clusters WHERE pass NOT IN ('near', 'dedup') LIMIT 1", err);

    if (rc == 0 && (rc = graph_step(query, err)) == 1) rc = load_pass(graph_text(query, 0), "clusters", &pass, err);
    graph_finish(query);
    return rc;
}

static int load_fates(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    uint64_t      rows;
    int           rc = graph_count(db, "SELECT count(*) FROM dedup", &rows, err);

    if (rc < 0 || rows == 0) return rc;
    copy->fates = calloc(copy->graph.document_count + 1, sizeof *copy->fates);
    if (!copy->fates) return err_memory(err, copy->graph.document_count * sizeof *copy->fates, "dedup");
    rc = graph_prepare(db, &query,
                       "SELECT snippet, canonical, cluster_size, kept, features, distinct_features FROM dedup", err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        uint64_t snippet = graph_number(query, 0), canonical = graph_number(query, 1), size = graph_number(query, 2);

        rc = 0;
        if (snippet == 0 || canonical == 0 || snippet > copy->graph.document_count ||
            canonical > copy->graph.document_count)
            rc = err_set(err, -EBADMSG, "dedup: snippet %llu of canonical %llu: not in snippets",
                         (unsigned long long)snippet, (unsigned long long)canonical);
        else if (size == 0 || size > UINT32_MAX)
            rc = err_set(err, -EBADMSG, "dedup: snippet %llu: a cluster of %llu documents", (unsigned long long)snippet,
                         (unsigned long long)size);
        else
            copy->fates[snippet - 1] = (struct graph_fate){ (uint32_t)canonical - 1, (uint32_t)size,
                                                            (uint32_t)graph_number(query, 4),
                                                             (uint32_t)graph_number(query, 5),
                                                                 graph_number(query, 3) != 0 };
    }
    graph_finish(query);
    copy->graph.fates = copy->fates;
    return rc;
}

static int load_overlaps(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "overlap", "SELECT source, split, target, target_split, language, documents, admitted, "
                                       "direct, transitive, copies, contained, complete "
                        "FROM overlap ORDER BY rowid", sizeof *copy->overlaps, &copy->overlaps, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_overlap *overlap = &copy->overlaps[n++];
        int64_t               source = load_find_dataset(&copy->graph, graph_text(query, 0), &last);
        int64_t               target = load_find_dataset(&copy->graph, graph_text(query, 2), &last);

        rc = 0;
        if (source < 0 || target < 0)
            rc = err_set(err, -EBADMSG, "overlap: row %zu is of a dataset that is not listed", n);
        else if (pool_copy(&copy->pool, graph_text(query, 1), &overlap->split) < 0 ||
                 pool_copy(&copy->pool, graph_text(query, 3), &overlap->target_split) < 0 ||
                 pool_copy(&copy->pool, graph_text(query, 4), &overlap->language) < 0)
            rc = err_memory(err, 0, "overlap");
        overlap->source = (uint32_t)source;
        overlap->target = (uint32_t)target;
        overlap->documents = graph_number(query, 5);
        overlap->admitted = graph_number(query, 6);
        overlap->direct = graph_number(query, 7);
        overlap->transitive = graph_number(query, 8);
        overlap->copies = graph_number(query, 9);
        overlap->contained = graph_number(query, 10);
        overlap->complete = graph_number(query, 11) != 0;
    }
    graph_finish(query);
    copy->graph.overlaps = copy->overlaps;
    copy->graph.overlap_count = n;
    return rc;
}

/* A fingerprint as the table has it.  False when it is none. */
static bool load_hex(struct slice text, uint64_t *high, uint64_t *low)
{
    uint64_t word[2] = { 0, 0 };

    for (size_t i = 0; i < text.len && text.len == 32; i++) {
        char digit = text.at[i];

        if (!((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'))) return false;
        word[i / 16] = word[i / 16] << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    *high = word[0];
    *low = word[1];
    return text.len == 32;
}

static int load_clones(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    int rc = load_start(db, "clones", "SELECT fingerprint, length, small_count, corpus_count FROM clones ORDER BY "
                                      "fingerprint", sizeof *copy->clones,
                        &copy->clones, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_clone *clone = &copy->clones[n++];

        rc = load_hex(graph_text(query, 0), &clone->fingerprint_high, &clone->fingerprint_low) ? 0
            : err_set(err, -EBADMSG, "clones: row %zu has no fingerprint", n);
        clone->length = (uint32_t)graph_number(query, 1);
        clone->small_count = graph_number(query, 2);
        clone->corpus_count = graph_number(query, 3);
    }
    graph_finish(query);
    copy->graph.clones = copy->clones;
    copy->graph.clone_count = n;
    return rc;
}

/* A column that may be NULL. */
static int64_t load_maybe(sqlite3_stmt *query, int column)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL ? -1 : (int64_t)graph_number(query, column);
}

/* Document and corpus of a row of ngrams or ngram_rules, and its field: rows of one document stand together, so most
 * fields are those of the row before. */
static int load_item(struct graph_copy *copy, sqlite3_stmt *query, const char *table, uint32_t *document,
                     uint32_t *corpus, uint32_t *last, struct slice before,
                     struct slice *field, struct err *err)
{
    uint64_t snippet = graph_number(query, 0);
    int64_t  dataset = load_find_dataset(&copy->graph, graph_text(query, 2), last);

    if (snippet == 0 || snippet > copy->graph.document_count || dataset < 0)
        return err_set(err, -EBADMSG, "%s: snippet %llu or its corpus is not listed", table,
                       (unsigned long long)snippet);
    *document = (uint32_t)snippet - 1;
    *corpus = (uint32_t)dataset;
    *field = before;
    if (slice_equal(before, graph_text(query, 1))) return 0;
    return pool_copy(&copy->pool, graph_text(query, 1), field) < 0 ? err_memory(err, 0, table) : 0;
}

static int load_ngrams(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "ngrams", "SELECT snippet, field, corpus, n, short, words, ngrams, distinct_ngrams, "
                                      "found_distinct, found, rare, covered, covered_rare, "
                        "covered_once, longest_run, documents, occurrences, max_frequency, lcs, lcs_of FROM ngrams "
                        "ORDER BY rowid",
                        sizeof *copy->ngrams, &copy->ngrams, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_ngram *row = &copy->ngrams[n];
        uint32_t           *number[] = { &row->words, &row->ngrams, &row->distinct, &row->found_distinct, &row->found,
                                         &row->rare, &row->covered,
                                         &row->covered_rare, &row->covered_once, &row->longest_run };

        rc = load_item(copy, query, "ngrams", &row->document, &row->corpus, &last, n ? row[-1].field
                       : (struct slice){ 0 }, &row->field, err);
        row->n = (uint32_t)graph_number(query, 3);
        row->is_short = graph_number(query, 4) != 0;
        for (int i = 0; i < 10; i++) *number[i] = (uint32_t)graph_number(query, 5 + i);
        row->documents = graph_number(query, 15);
        row->occurrences = graph_number(query, 16);
        row->max_frequency = graph_number(query, 17);
        row->lcs = load_maybe(query, 18);
        row->lcs_of = load_maybe(query, 19);
        n++;
    }
    graph_finish(query);
    copy->graph.ngrams = copy->ngrams;
    copy->graph.ngram_count = n;
    return rc;
}

static int load_ngram_rules(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "ngram_rules", "SELECT snippet, field, corpus, gpt3_13gram, palm_8gram, tulu3_8gram, "
                                           "exact_substring, windows50, qwen_lcs, windows, "
                        "windows_found FROM ngram_rules ORDER BY rowid", sizeof *copy->ngram_rules, &copy->ngram_rules,
                            &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_ngram_rule *row = &copy->ngram_rules[n];
        int64_t                 *number[] = { &row->gpt3_13gram, &row->palm_8gram, &row->tulu3_8gram,
                                              &row->exact_substring, &row->windows50, &row->qwen_lcs,
                                              &row->windows, &row->windows_found };

        rc = load_item(copy, query, "ngram_rules", &row->document, &row->corpus, &last, n ? row[-1].field
                       : (struct slice){ 0 }, &row->field, err);
        for (int i = 0; i < 8; i++) *number[i] = load_maybe(query, 3 + i);
        n++;
    }
    graph_finish(query);
    copy->graph.ngram_rules = copy->ngram_rules;
    copy->graph.ngram_rule_count = n;
    return rc;
}

static int load_repositories(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "repositories", "SELECT benchmark, repo, corpus, by_name, by_content, documents, files, "
                                            "exact, near, elsewhere FROM repositories ORDER BY rowid",
                        sizeof *copy->repositories, &copy->repositories, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_repository *repository = &copy->repositories[n++];
        int64_t                  benchmark = load_find_dataset(&copy->graph, graph_text(query, 0), &last);
        int64_t                  corpus = load_find_dataset(&copy->graph, graph_text(query, 2), &last);

        rc = 0;
        if (benchmark < 0 || corpus < 0)
            rc = err_set(err, -EBADMSG, "repositories: row %zu is of a dataset that is not listed", n);
        else if (pool_copy(&copy->pool, graph_text(query, 1), &repository->repo) < 0)
            rc = err_memory(err, 0, "repositories");
        repository->benchmark = (uint32_t)benchmark;
        repository->corpus = (uint32_t)corpus;
        repository->by_name = graph_number(query, 3) != 0;
        repository->by_content = graph_number(query, 4) != 0;
        repository->documents = graph_number(query, 5);
        repository->files = graph_number(query, 6);
        repository->exact = graph_number(query, 7);
        repository->near = graph_number(query, 8);
        repository->elsewhere = graph_number(query, 9);
    }
    graph_finish(query);
    copy->graph.repositories = copy->repositories;
    copy->graph.repository_count = n;
    return rc;
}

static int load_sensitive(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        room, n = 0;
    uint32_t      last = 0;
    int rc = load_start(db, "sensitive", "SELECT dataset, kind, pattern, xxh128, occurrences, documents, "
                                         "corpus_occurrences, corpus_documents FROM sensitive ORDER BY rowid",
                        sizeof *copy->sensitive, &copy->sensitive, &query, &room, err);

    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct graph_sensitive *row = &copy->sensitive[n++];
        const struct slice      hash = graph_text(query, 3);
        int64_t                 dataset = load_find_dataset(&copy->graph, graph_text(query, 0), &last);

        rc = 0;
        if (dataset < 0) rc = err_set(err, -EBADMSG, "sensitive: row %zu is of a dataset that is not listed", n);
        else if (hash.len != 32 || sscanf(hash.at, "%16" SCNx64 "%16" SCNx64, &row->hash_high, &row->hash_low) != 2)
            rc = err_set(err, -EBADMSG, "sensitive: row %zu has no hash of 32 hexadecimal digits", n);
        else if (pool_copy(&copy->pool, graph_text(query, 1), &row->kind) < 0 ||
                 pool_copy(&copy->pool, graph_text(query, 2), &row->pattern) < 0)
            rc = err_memory(err, 0, "sensitive");
        row->dataset = (uint32_t)dataset;
        row->occurrences = graph_number(query, 4);
        row->documents = graph_number(query, 5);
        row->corpus_occurrences = load_maybe(query, 6);
        row->corpus_documents = load_maybe(query, 7);
    }
    graph_finish(query);
    copy->graph.sensitive = copy->sensitive;
    copy->graph.sensitive_count = n;
    return rc;
}

int graph_load(struct graph_copy *out, const char *path, struct err *err)
{
    sqlite3 *db;
    int      rc;

    *out = (struct graph_copy){ 0 };
    rc = graph_open(&db, path, err);
    if (rc < 0) return rc;
    rc = load_datasets(out, db, err);
    if (rc == 0) rc = load_documents(out, db, err);
    if (rc == 0) rc = load_edges(out, db, path, err);
    if (rc == 0) rc = load_check_passes(db, err);
    for (enum graph_pass_name pass = 0; pass < GRAPH_PASSES && rc == 0; pass++) rc = load_clusters(out, db, pass, err);
    if (rc == 0) rc = load_fates(out, db, err);
    if (rc == 0) rc = load_overlaps(out, db, err);
    if (rc == 0) rc = load_repositories(out, db, err);
    if (rc == 0) rc = load_ngrams(out, db, err);
    if (rc == 0) rc = load_ngram_rules(out, db, err);
    if (rc == 0) rc = load_clones(out, db, err);
    if (rc == 0) rc = load_sensitive(out, db, err);
    if (rc < 0 && !strstr(err->text, path)) err_add(err, "%s", path);
    graph_close(db);
    return rc;
}

void graph_copy_free(struct graph_copy *copy)
{
    free(copy->datasets);
    free(copy->documents);
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        edge_list_free(&copy->edges[pass]);
        free(copy->clusters[pass]);
    }
    free(copy->fates);
    free(copy->overlaps);
    free(copy->repositories);
    free(copy->ngrams);
    free(copy->ngram_rules);
    free(copy->clones);
    free(copy->sensitive);
    pool_free(&copy->pool);
    *copy = (struct graph_copy){ 0 };
}
