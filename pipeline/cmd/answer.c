/* cmd/answer.c -- what a run prints when it is done. */
#include "cmd/answer.h"

#include "base/file.h"
#include "config/capabilities.h"
#include "graph/read.h"

#include <stdio.h>
#include <string.h>

static int tables_print(sqlite3 *db, const struct terminal_table *table, struct err *err)
{
    int rc = 0;

    for (; table && table->title && rc == 0; table++) rc = terminal_print(stdout, db, table, err);
    return rc;
}

/* Does the run's digest say nothing of the whole capability that has this table? */
static bool untold(const struct config *config, struct slice name)
{
    FOR_EACH_TASK(task, config) {
        const struct graph_table *const *table = task->of->tables;
        bool told = (task->of->traits & CAPABILITY_DOCUMENTS) != 0, its = false;

        for (size_t t = 0; table && table[t]; t++) {
            told |= table[t]->digest != NULL;
            its |= slice_equal(name, slice_of(table[t]->name));
        }
        if (its) return !told;
    }
    return false;
}

/* Digests of such tables: in full, or their names. */
static int digests_print(const struct config *config, sqlite3 *db, bool full, struct err *err)
{
    sqlite3_stmt *query = NULL;
    size_t        named = 0;
    int           rc = graph_prepare(db, &query, "SELECT substr(key, 8), value FROM run WHERE key GLOB 'digest.*'"
                                                 " ORDER BY key", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice name = graph_text(query, 0);

        rc = 0;
        if (!untold(config, name)) continue;
        if (full) printf("digest  %.32s  of table %.*s\n", graph_text(query, 1).at, (int)name.len, name.at);
        else printf("%s%.*s", named++ ? ", " : "        not of tables ", (int)name.len, name.at);
    }
    graph_finish(query);
    if (named) printf(", which have digests of their own in table run\n");
    return rc;
}

/* Runs of which nothing enters the digest share one. */
static int places_print(const struct config *config, const char *digest, sqlite3 *db, struct err *err)
{
    const struct graph empty = { 0 };
    char               of_empty[33];
    bool               nothing;
    int                rc = graph_digest(&empty, of_empty, err);

    if (rc < 0) return rc;
    nothing = strcmp(of_empty, digest) == 0;
    printf("graph   %s/graph.db\nreport  %s/report.html\ndigest  %s%s\n", config->output, config->output, digest,
           nothing ? "  of nothing: no pair, block or value was found that it is of" : "");
    return digests_print(config, db, nothing, err);
}

int answer_print(const struct config *config, const struct graph *graph, const char *digest, struct err *err)
{
    sqlite3 *db = NULL;
    char     path[FILE_NAME_MAX];
    int      rc = file_join(config->output, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    FOR_EACH_TASK(task, config) {
        if (rc < 0 || (!task->of->say && !task->of->answer)) continue;
        if (task->of->say) rc = task->of->say(task, graph, err);
        if (rc == 0 && task->of->say) printf("\n");
        if (rc == 0) rc = tables_print(db, task->of->answer, err);
    }
    if (rc == 0) rc = places_print(config, digest, db, err);
    graph_close(db);
    return rc;
}
