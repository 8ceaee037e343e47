/* graph/load.c -- see load.h. */
#include "graph/load.h"

#include "base/file.h"
#include "graph/ids.h"
#include "graph/read.h"
#include "graph/reader.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdlib.h>

static int load_datasets(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    struct graph *graph = &copy->graph;
    void         *rows;
    int           rc = reader_all(db, &table_datasets, graph, &copy->pool, &rows, &graph->dataset_count, err);

    graph->datasets = rows;
    return rc;
}

static int load_overlaps(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    struct graph *graph = &copy->graph;
    void         *rows;
    int           rc = reader_all(db, &table_overlap, graph, &copy->pool, &rows, &graph->overlap_count, err);

    graph->overlaps = rows;
    return rc;
}

/* Their ids are those of their dataset and number. */
static int load_documents(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    struct graph_document *document;
    struct reader          reader = { 0 };
    uint64_t               room;
    size_t                 n = 0;
    int                    rc = graph_count(db, "SELECT count(*) FROM snippets", &room, err);

    if (rc < 0) return rc;
    document = room >= UINT32_MAX ? NULL : calloc(room + 1, sizeof *document);
    if (!document) return err_memory(err, room * sizeof *document, "snippets");
    copy->graph.documents = document;
    rc = reader_open(&reader, db, &table_snippets, COLUMN_LOAD, "ORDER BY id", &copy->graph, &copy->pool, err);
    while (rc == 0 && n < room && (rc = reader_next(&reader, &document[n], n ? &document[n - 1] : NULL, err)) == 1) {
        const uint64_t id = graph_id(document[n].dataset, document[n].number);

        n++;
        rc = reader.number == id ? 0
            : err_set(err, -EBADMSG, "snippets: id %llu where %llu should be", (unsigned long long)reader.number,
                      (unsigned long long)id);
    }
    reader_close(&reader);
    copy->graph.document_count = n;
    return rc;
}

static unsigned long long load_id(const struct graph_copy *copy, uint32_t document)
{
    return graph_id_at(&copy->graph, document);
}

static int load_edges(struct graph_copy *copy, sqlite3 *db, const char *path, struct err *err)
{
    struct reader     reader;
    struct graph_edge edge = { 0 };
    bool              aside;
    char              folder[FILE_NAME_MAX], list[FILE_NAME_MAX];
    int               rc = reader_open(&reader, db, &table_edges, COLUMN_LINE, "ORDER BY a, b, pass", &copy->graph,
                                       &copy->pool, err);

    while (rc == 0 && (rc = reader_next(&reader, &edge, NULL, err)) == 1) {
        struct edge_list *to = &copy->edges[reader.pass];

        rc = 0;
        if (edge.a >= edge.b)
            rc = err_set(err, -EBADMSG, "edges: pair %llu, %llu: not two snippets in order", load_id(copy, edge.a),
                         load_id(copy, edge.b));
        else if (edge_list_add(to, &edge) < 0) rc = err_memory(err, to->count * sizeof edge, "edges");
    }
    reader_close(&reader);
    if (rc == 0) rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc == 0 && aside) {
        for (int pass = 0; pass < GRAPH_PASSES && rc == 0; pass++)
            if (copy->edges[pass].count)
                rc = err_set(err, -EBADMSG, "edges: has rows, though run names a list of edges");
        if (rc == 0) rc = file_folder(path, folder, err);
        if (rc == 0) rc = file_join(folder, EDGES_FILE, list, err);
        if (rc == 0) rc = edges_read(list, &copy->graph, copy->edges, err);
    }
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        copy->graph.passes[pass].edges = copy->edges[pass].at;
        copy->graph.passes[pass].edge_count = copy->edges[pass].count;
    }
    return rc;
}

/* A document is in one cluster of a pass at most. */
static int load_clusters(struct graph_copy *copy, sqlite3 *db, struct err *err)
{
    struct graph *graph = &copy->graph;
    const size_t  bytes = graph->document_count * sizeof *copy->cluster[0];
    struct reader reader = { 0 };
    uint32_t      cluster, document = 0;
    int           rc = 0;

    for (int pass = 0; pass < GRAPH_PASSES && rc == 0; pass++) {
        copy->cluster[pass] = malloc(bytes + 1);
        graph->passes[pass].cluster = copy->cluster[pass];
        if (!copy->cluster[pass]) rc = err_memory(err, bytes, "clusters");
        else memset(copy->cluster[pass], 0xFF, bytes);      /* GRAPH_NO_DOCUMENT */
    }
    if (rc == 0)
        rc = reader_open(&reader, db, &table_clusters, COLUMN_LINE, "ORDER BY snippet", graph, &copy->pool, err);
    while (rc == 0 && (rc = reader_next(&reader, &cluster, NULL, err)) == 1) {
        uint32_t *of = copy->cluster[reader.pass];

        rc = 0;
        if (!graph_id_find(graph, reader.number, &document))
            rc = err_set(err, -EBADMSG, "clusters: snippet %llu: not in snippets", (unsigned long long)reader.number);
        else if (of[document] != GRAPH_NO_DOCUMENT)
            rc = err_set(err, -EBADMSG, "clusters: snippet %llu is in two", load_id(copy, document));
        else {
            of[document] = cluster;
            graph->passes[reader.pass].clustered++;
        }
    }
    reader_close(&reader);
    return rc;
}

/* Of the capabilities, those that are in the digest. */
static int load_rows(struct graph_copy *copy, sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    struct graph *graph = &copy->graph;
    size_t        room = 0;
    int           rc = 0;

    for (; *tables && rc == 0; tables++) {
        void  *rows;
        size_t count;

        if (!(*tables)->digest) continue;
        if (ARRAY_GROW(copy->rows, room, graph->row_count) < 0)
            return err_memory(err, sizeof *copy->rows, (*tables)->name);
        rc = reader_all(db, *tables, graph, &copy->pool, &rows, &count, err);
        copy->rows[graph->row_count++] = (struct graph_rows){ .table = *tables, .rows = rows, .count = count };
        graph->rows = copy->rows;
        if ((*tables)->flags & TABLE_FATES) graph->fates = rows;
    }
    return rc;
}

int graph_load(struct graph_copy *out, const char *path, const struct graph_table *const *tables, struct err *err)
{
    sqlite3 *db;
    int      rc;

    *out = (struct graph_copy){ 0 };
    rc = graph_open(&db, path, err);
    if (rc < 0) return rc;
    rc = load_datasets(out, db, err);
    if (rc == 0) rc = load_documents(out, db, err);
    if (rc == 0) rc = load_edges(out, db, path, err);
    if (rc == 0) rc = load_clusters(out, db, err);
    if (rc == 0) rc = load_overlaps(out, db, err);
    if (rc == 0) rc = load_rows(out, db, tables, err);
    if (rc < 0 && !strstr(err->text, path)) err_add(err, "%s", path);
    graph_close(db);
    return rc;
}

void graph_copy_free(struct graph_copy *copy)
{
    struct graph *graph = &copy->graph;

    free((void *)graph->datasets);
    free((void *)graph->documents);
    free((void *)graph->overlaps);
    for (size_t i = 0; i < graph->row_count; i++) free((void *)graph->rows[i].rows);
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        edge_list_free(&copy->edges[pass]);
        free(copy->cluster[pass]);
    }
    free(copy->rows);
    pool_free(&copy->pool);
    *copy = (struct graph_copy){ 0 };
}
