/* export/thing.h -- what of a run can be exported: a view of graph.db, its columns with their types, and what may be
 * asked of its rows.
 *
 * Things and formats know nothing of each other: a format is given the columns, and which of them tell the two sides of
 * a row where it has two. */
#ifndef LEAKGRAPH_EXPORT_THING_H
#define LEAKGRAPH_EXPORT_THING_H

#include <stdbool.h>
#include <stddef.h>

enum export_type { EXPORT_TEXT, EXPORT_INTEGER, EXPORT_REAL, EXPORT_FLAG };

/* A column of the view.  doc: one line, "" where the name says it. */
struct export_column { const char *name; enum export_type type; bool never_null; const char *doc; };

/* What may be asked of rows: a condition of SQL in which ?1 is the value; NULL: not of these. */
enum export_filter { EXPORT_BENCHMARK, EXPORT_DATASET, EXPORT_KIND, EXPORT_SIMILARITY, EXPORT_LEAKED, EXPORT_FILTERS };
extern const char *const export_filter_names[EXPORT_FILTERS];           /* "--benchmark", ... */

struct export_thing {
    const char                 *name, *view, *doc;
    const char                 *order;                      /* ORDER BY ..., or "": as the view has them */
    const struct export_column *columns;
    size_t                      column_count;
    const char                 *filter[EXPORT_FILTERS];
    /* Names of a side's columns begin so: dataset, split, source_id, path, repo, license, shard, record, line,
     * line_end. NULL: rows have no two sides.  `to` may be missing of a row: then its dataset is NULL. */
    const char                 *from, *to;
    /* the columns that say what ties the two, and how alike they are; NULL: a row says of no leak */
    const char                 *kind, *similarity;
};

/* Up to one without a name. */
extern const struct export_thing export_things[];

const struct export_thing *export_thing_find(const char *name);         /* NULL: there is none */

/* The place of the column prefix + name, or -1. */
int export_column_find(const struct export_thing *thing, const char *prefix, const char *name);

#endif
