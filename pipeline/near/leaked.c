/* near/leaked.c -- see leaked.h.
 *
 * Table overlap counts documents with a contained pair whether or not they have a direct one too; which have only the
 * former is asked of the edges, and only where there are any. */
#include "near/leaked.h"

#include "graph/read.h"

#include <stdlib.h>

static const char leaked_query[] =
    "SELECT o.source, o.target, t.role = 'corpus', o.documents, o.direct, o.contained, o.copies FROM overlap AS o "
    "JOIN datasets AS s ON s.id = o.source "
    "JOIN datasets AS t ON t.id = o.target WHERE s.role = 'benchmark' AND o.source <> o.target AND o.split = '' AND "
    "o.target_split = '' "
    "AND o.language = '' ORDER BY o.rowid";

static const char leaked_contained_query[] =
    "SELECT count(*) FROM (SELECT DISTINCT held.x AS x FROM "
    "(SELECT a AS x, b AS y FROM edges WHERE pass = 'near' AND kind = 'contained' UNION ALL SELECT b, a FROM edges "
    "WHERE pass = 'near' AND kind = 'contained') AS held "
    "JOIN snippets AS s ON s.id = held.x JOIN snippets AS t ON t.id = held.y WHERE s.dataset = ?1 AND t.dataset = ?2) "
    "AS item "
    "WHERE NOT EXISTS (SELECT 1 FROM edges AS e JOIN snippets AS t ON t.id = e.b WHERE e.pass = 'near' AND e.a = "
    "item.x AND e.kind IN ('exact', 'near') AND t.dataset = ?2) "
    "AND NOT EXISTS (SELECT 1 FROM edges AS e JOIN snippets AS t ON t.id = e.a WHERE e.b = item.x AND e.pass = 'near' "
    "AND e.kind IN ('exact', 'near') AND t.dataset = ?2)";

/* Turns row->contained from all documents with a contained pair into those without a direct one. */
static int leaked_separate(struct leaked *row, sqlite3_stmt *query, struct err *err)
{
    uint64_t all = row->contained, least = all > row->direct ? all - row->direct : 0;
    int      rc;

    if (all == 0 || row->direct == 0) return 0;
    rc = graph_bind_text(query, 1, row->source, err);
    if (rc == 0) rc = graph_bind_text(query, 2, row->target, err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) row->contained = graph_number(query, 0);
    if (row->contained < least) row->contained = least;     /* max_matches and stars leave out edges, never counts */
    if (row->contained > all) row->contained = all;
    sqlite3_reset(query);
    return rc < 0 ? rc : 0;
}

int leaked_read(struct leaked_list *out, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query = NULL, *contained = NULL;
    uint64_t      room = 0;
    int           rc = graph_count(db, "SELECT count(*) FROM overlap", &room, err);

    *out = (struct leaked_list){ 0 };
    if (rc < 0) return rc;
    out->at = calloc(room + 1, sizeof *out->at);
    if (!out->at) return err_memory(err, room * sizeof *out->at, "the summary");
    rc = graph_prepare(db, &query, leaked_query, err);
    if (rc == 0) rc = graph_prepare(db, &contained, leaked_contained_query, err);
    while (rc == 0 && out->count < room && (rc = graph_step(query, err)) == 1) {
        struct leaked *row = &out->at[out->count++];

        *row = (struct leaked){ .target_is_corpus = graph_number(query, 2) != 0, .documents = graph_number(query, 3),
                                .direct = graph_number(query, 4),
                                .contained = graph_number(query, 5), .copies = graph_number(query, 6) };
        rc = pool_copy(&out->pool, graph_text(query, 0), &row->source) < 0 ||
            pool_copy(&out->pool, graph_text(query, 1), &row->target) < 0
                 ? err_memory(err, 0, "the summary") : leaked_separate(row, contained, err);
    }
    graph_finish(query);
    graph_finish(contained);
    return rc < 0 ? rc : 0;
}

void leaked_free(struct leaked_list *list)
{
    free(list->at);
    pool_free(&list->pool);
    *list = (struct leaked_list){ 0 };
}
