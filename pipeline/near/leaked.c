/* near/leaked.c -- see leaked.h. */
#include "near/leaked.h"

#include "graph/read.h"

#include <stdlib.h>

int leaked_read(struct leaked_list *out, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query = NULL;
    uint64_t      room = 0;
    int           rc = graph_count(db, "SELECT count(*) FROM overlap", &room, err);

    *out = (struct leaked_list){ 0 };
    if (rc < 0) return rc;
    out->at = calloc(room + 1, sizeof *out->at);
    if (!out->at) return err_memory(err, room * sizeof *out->at, "the summary");
    rc = graph_prepare(db, &query, "SELECT source, target, target_role = 'corpus', documents, direct, contained, "
                                   "copies, in_functions FROM benchmark_leakage", err);
    while (rc == 0 && out->count < room && (rc = graph_step(query, err)) == 1) {
        struct leaked *row = &out->at[out->count++];

        *row = (struct leaked){ .target_is_corpus = graph_number(query, 2) != 0, .documents = graph_number(query, 3),
                                .direct = graph_number(query, 4),
                                .contained = graph_number(query, 5), .copies = graph_number(query, 6),
                                .in_functions = graph_number(query, 7) };
        rc = pool_copy(&out->pool, graph_text(query, 0), &row->source) < 0 ||
            pool_copy(&out->pool, graph_text(query, 1), &row->target) < 0
                 ? err_memory(err, 0, "the summary") : 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

void leaked_free(struct leaked_list *list)
{
    free(list->at);
    pool_free(&list->pool);
    *list = (struct leaked_list){ 0 };
}
