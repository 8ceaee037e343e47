/* export/whole.h -- exports of a run as a whole, which have no rows to choose from.
 *
 * interduplication: the SQLite file of Hernandez Lopez et al., On Inter-dataset Code Duplication and Data Leakage in
 * Large Language Models (2025): its three tables, on which its notebooks run.  Ids are those of graph.db; documents are
 * those that graph.db stores, of corpora with a pair alone, so shares of a corpus are not to be counted there.
 *
 * datasette: metadata.json for datasette.io: what tables, views and columns are, and queries to begin with. */
#ifndef LEAKGRAPH_EXPORT_WHOLE_H
#define LEAKGRAPH_EXPORT_WHOLE_H

#include "export/sink.h"
#include "graph/table.h"

#include <sqlite3.h>

struct export_whole {
    const char *name, *doc;
    bool        file;                                       /* standard output cannot be it */
    /* tables: of capabilities, up to NULL; db: with its views.  0, or <0 with err set. */
    int       (*write)(sqlite3 *db, const struct graph_table *const *tables, struct export_sink *sink,
                       struct err *err);
};

extern const struct export_whole export_interduplication, export_datasette;
extern const struct export_whole *const export_wholes[];    /* up to NULL */

const struct export_whole *export_whole_find(const char *name);         /* NULL: there is none */

#endif
