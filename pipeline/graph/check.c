/* graph/check.c -- see check.h. */
#include "graph/check.h"

#include "graph/ids.h"
#include "graph/contents.h"
#include "graph/load.h"
#include "graph/read.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdlib.h>

struct check {
    const struct check_report *report;
    int                        failed;
};

/* Reports the outcome of one check: rc 0 and no text in found: passed.  Returns -ENOMEM only. */
static int check_say(struct check *check, const char *name, int rc, const struct err *found)
{
    check->report->line(check->report->context, name, rc < 0 ? found->text : NULL);
    if (rc < 0) check->failed++;
    return rc == -ENOMEM ? -ENOMEM : 0;
}

/* ---- sqlite's own ---- */

static int check_integrity(sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "PRAGMA integrity_check(1)", err);

    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        struct slice text = graph_text(query, 0);

        rc = slice_equal(text, SLICE("ok")) ? 0 : err_set(err, -EBADMSG, "%.*s", (int)(text.len < 300 ? text.len : 300),
                                                          text.at);
    }
    graph_finish(query);
    return rc;
}

static int check_foreign(sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "PRAGMA foreign_key_check", err);

    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        struct slice table = graph_text(query, 0), parent = graph_text(query, 2);

        rc = err_set(err, -EBADMSG, "a row of %.*s names a row of %.*s that does not exist", (int)table.len, table.at,
                     (int)parent.len, parent.at);
    }
    graph_finish(query);
    return rc;
}

/* ---- counts ---- */

static int check_run_query(sqlite3 *db, const struct graph_check *what, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, what->sql, err);

    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        struct slice name = graph_text(query, 0);

        rc = err_set(err, -EBADMSG, "%.*s: %llu %s, %llu %s", (int)(name.len < 300 ? name.len : 300), name.at,
                     (unsigned long long)graph_number(query, 1), what->there,
                     (unsigned long long)graph_number(query, 2), what->expected);
    }
    graph_finish(query);
    return rc;
}

/* What the descriptions of tables ask, each until it fails. */
static int check_tables(struct check *check, sqlite3 *db, const struct graph_table *const *tables)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++)
        for (const struct graph_check *what = (*tables)->checks; what && what->name && rc == 0; what++) {
            struct err found = { 0 };

            rc = check_say(check, what->name, check_run_query(db, what, &found), &found);
        }
    return rc;
}

/* ---- views ---- */

/* It is in the file and gives its columns. */
static int check_view(sqlite3 *db, const struct graph_view *view, struct bytes *sql, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = 0;

    sql->len = 0;
    if (bytes_printf(sql, "SELECT %s FROM main.%s", view->columns, view->name) < 0 || bytes_append(sql, "", 1) < 0)
        return err_memory(err, sql->len, view->name);
    if (sqlite3_prepare_v2(db, sql->at, -1, &query, NULL) != SQLITE_OK)
        rc = err_set(err, sqlite3_errcode(db) == SQLITE_NOMEM ? -ENOMEM : -EBADMSG, "view %s: %s", view->name,
                     sqlite3_errmsg(db));
    sqlite3_finalize(query);
    return rc;
}

static int check_views_of(sqlite3 *db, const struct graph_table *table, struct bytes *sql, struct err *err)
{
    int rc = 0;

    for (const struct graph_view *view = table->views; view && view->name && rc == 0; view++)
        rc = check_view(db, view, sql, err);
    return rc;
}

static int check_views(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc = 0;

    for (size_t i = 0; rc == 0 && graph_tables[i]; i++) rc = check_views_of(db, graph_tables[i], &sql, err);
    for (; rc == 0 && *tables; tables++) rc = check_views_of(db, *tables, &sql, err);
    for (size_t i = 0; rc == 0 && i < GRAPH_UNIONS; i++) rc = check_view(db, &graph_unions[i], &sql, err);
    bytes_free(&sql);
    return rc;
}

/* ---- clusters ---- */

/* What a message calls a document. */
static unsigned long long check_id(const struct graph *graph, uint32_t document)
{
    return graph_id_at(graph, document);
}

static uint32_t check_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];               /* halves the path on its way */
    return i;
}

/* Components over the exact and near pairs that are stored: parent[i] is i's smallest fellow.  degree[i]: its pairs. */
static void check_components(const struct graph *graph, uint32_t *parent, uint64_t *degree)
{
    const struct graph_pass *near = &graph->passes[PASS_NEAR];

    for (size_t i = 0; i < graph->document_count; i++) parent[i] = (uint32_t)i;
    for (size_t i = 0; i < near->edge_count; i++) {
        const struct graph_edge *edge = &near->edges[i];
        uint32_t                 a, b;

        if (edge->kind != EDGE_EXACT && edge->kind != EDGE_NEAR) continue;
        a = check_root(parent, edge->a);
        b = check_root(parent, edge->b);
        if (a < b) parent[b] = a;
        else parent[a] = b;
        degree[edge->a]++;
        degree[edge->b]++;
    }
    for (uint32_t i = 0; i < graph->document_count; i++) parent[i] = check_root(parent, i);
}

/* Pass near: documents that are paired are in one cluster, named after its smallest member.  Clusters are exactly the
 * components when every pair is stored; when pairs were dropped (max_matches, large classes of equal documents: matches
 * tells) a cluster may hold several components. */
static int check_clusters(const struct graph *graph, struct err *err)
{
    const struct graph_pass *near = &graph->passes[PASS_NEAR];
    size_t                   n = graph->document_count;
    uint32_t                *parent = malloc((n + 1) * sizeof *parent), *label = malloc((n + 1) * sizeof *label);
    uint64_t                *degree = calloc(n + 1, sizeof *degree);
    bool                     dropped = false;
    int                      rc = parent && label && degree ? 0 : err_memory(err, n * 16, "components");

    if (rc == 0) check_components(graph, parent, degree);
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        label[i] = i;
        if (graph->documents[i].matches > degree[i]) dropped = true;
        if (graph->documents[i].matches < degree[i])
            rc = err_set(err, -EBADMSG, "snippet %llu has %llu matches but %llu pairs", check_id(graph, i),
                         (unsigned long long)graph->documents[i].matches, (unsigned long long)degree[i]);
    }
    for (uint32_t i = 0; i < n && near->cluster && rc == 0; i++) {
        if (near->cluster[i] == GRAPH_NO_DOCUMENT) continue;
        label[i] = near->cluster[i];
        if (label[i] > i)
            rc = err_set(err, -EBADMSG, "snippet %llu: cluster %llu is larger than its member", check_id(graph, i),
                         check_id(graph, label[i]));
    }
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        if (label[label[i]] != label[i])
            rc = err_set(err, -EBADMSG, "snippet %llu: its cluster %llu is no member of itself", check_id(graph, i),
                         check_id(graph, label[i]));
        else if (label[i] != label[parent[i]])
            rc = err_set(err, -EBADMSG, "snippets %llu and %llu are connected but in different clusters",
                         check_id(graph, parent[i]), check_id(graph, i));
        else if (!dropped && label[i] != parent[i])
            rc = err_set(err, -EBADMSG, "snippet %llu is in cluster %llu but not connected with it", check_id(graph, i),
                         check_id(graph, label[i]));
    }
    free(parent);
    free(label);
    free(degree);
    return rc;
}

/* Pass dedup: the members of a cluster have one canonical, documents of two clusters never; a cluster is named after
 * its smallest member. */
static int check_groups(const struct graph *graph, struct err *err)
{
    const struct graph_pass *dedup = &graph->passes[PASS_DEDUP];
    /* by canonical: cluster + 1; 0: none yet */
    uint32_t                *label = malloc((graph->document_count + 1) * sizeof *label);
    int                      rc = label ? 0 : err_memory(err, graph->document_count * sizeof *label, "clusters");

    if (rc == 0) memset(label, 0, (graph->document_count + 1) * sizeof *label);
    for (uint32_t i = 0; i < graph->document_count && dedup->cluster && rc == 0; i++) {
        const struct graph_fate *fate = graph->fates ? &graph->fates[i] : NULL;
        const uint32_t           cluster = dedup->cluster[i];

        if (cluster == GRAPH_NO_DOCUMENT) continue;
        if (!fate || fate->canonical == GRAPH_NO_DOCUMENT || fate->size < 2)
            rc = err_set(err, -EBADMSG, "snippet %llu is in cluster %llu, but dedup has it alone", check_id(graph, i),
                         check_id(graph, cluster));
        else if (label[fate->canonical] == 0 && cluster != i)
            rc = err_set(err, -EBADMSG, "snippet %llu: cluster %llu is not its smallest member", check_id(graph, i),
                         check_id(graph, cluster));
        else if (label[fate->canonical] && label[fate->canonical] != cluster + 1)
            rc = err_set(err, -EBADMSG, "snippet %llu is in cluster %llu, others with its canonical are in %llu",
                         check_id(graph, i), check_id(graph, cluster), check_id(graph, label[fate->canonical] - 1));
        else label[fate->canonical] = cluster + 1;
    }
    free(label);
    return rc;
}

/* In stars every removed document was verified against its canonical, whatever other pairs were kept. */
static int check_stars(const struct graph *graph, struct err *err)
{
    const struct graph_pass *dedup = &graph->passes[PASS_DEDUP];
    bool                    *verified = calloc(graph->document_count + 1, sizeof *verified);
    int                      rc = verified ? 0 : err_memory(err, graph->document_count, "removed documents");

    for (size_t i = 0; i < dedup->edge_count && rc == 0 && graph->fates; i++) {
        const struct graph_edge *edge = &dedup->edges[i];

        if (graph->fates[edge->a].canonical == edge->b) verified[edge->a] = true;
        if (graph->fates[edge->b].canonical == edge->a) verified[edge->b] = true;
    }
    for (uint32_t i = 0; i < graph->document_count && rc == 0 && graph->fates; i++)
        if (graph->fates[i].canonical != GRAPH_NO_DOCUMENT && !graph->fates[i].kept && !verified[i])
            rc = err_set(err, -EBADMSG, "snippet %llu is removed, but has no pair with its canonical %llu",
                         check_id(graph, i), check_id(graph, graph->fates[i].canonical));
    free(verified);
    return rc;
}

/* ---- digest ---- */

static int check_digest(sqlite3 *db, const struct graph *graph, struct err *err)
{
    char          digest[33];
    sqlite3_stmt *query;
    int           rc = graph_digest(graph, digest, err);

    if (rc < 0) return rc;
    rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = 'digest'", err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        struct slice said = graph_text(query, 0);

        rc = slice_equal(said, slice_of(digest)) ? 0 : err_set(err, -EBADMSG, "table run says %.*s, the tables give %s",
                                                               (int)(said.len < 32 ? said.len : 32), said.at, digest);
    } else if (rc == 0) {
        rc = err_set(err, -EBADMSG, "run has no digest; the tables give %s", digest);
    }
    graph_finish(query);
    return rc;
}

int check_graph(const char *path, const struct graph_table *const *tables, const struct check_report *report,
                struct err *err)
{
    struct check      check = { report, 0 };
    struct graph_copy copy = { 0 };
    struct err        found = { 0 };
    sqlite3          *db;
    uint64_t          stars = 0;
    int               rc = graph_open(&db, path, &found), loaded;

    check_say(&check, "graph.db can be opened", rc, &found);
    if (rc < 0) goto done;
    rc = check_integrity(db, &found);
    check_say(&check, "SQLite's integrity check", rc, &found);
    if (rc < 0) goto done;
    /* names the table that was changed, whatever follows from that */
    rc = check_say(&check, "digests of all tables", contents_check(db, tables, &found), &found);
    if (rc == 0) rc = check_say(&check, "foreign keys", check_foreign(db, &found), &found);
    if (rc == 0) rc = check_tables(&check, db, graph_tables);
    if (rc == 0) rc = check_tables(&check, db, tables);
    if (rc == 0) rc = check_say(&check, "views", check_views(db, tables, &found), &found);
    if (rc < 0) goto done;
    loaded = graph_load(&copy, path, tables, &found);
    rc = check_say(&check, "pairs are two stored snippets, a < b", loaded, &found);
    if (loaded < 0) goto done;
    rc = check_say(&check, "clusters are the components of the pairs", check_clusters(&copy.graph, &found), &found);
    if (rc == 0)
        rc = check_say(&check, "clusters of dedup are the documents with one canonical",
                       check_groups(&copy.graph, &found), &found);
    loaded = rc == 0 ? graph_count(db, "SELECT count(*) FROM run WHERE key = 'dedup.cluster' AND value = 'star'",
                                   &stars, &found) : 0;
    if (loaded == 0 && stars) loaded = check_stars(&copy.graph, &found);
    if (rc == 0 && (loaded < 0 || stars))
        rc = check_say(&check, "what is removed has a pair with its canonical", loaded, &found);
    if (rc == 0) rc = check_say(&check, "digest", check_digest(db, &copy.graph, &found), &found);
done:
    graph_copy_free(&copy);
    graph_close(db);
    if (rc == -ENOMEM) *err = found;
    return rc == -ENOMEM ? rc : check.failed;
}
