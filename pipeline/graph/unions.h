/* graph/unions.h -- views in which every table may say the same kind of thing, so that who counts, shows or exports it
 * need not know who found it: each table adds a SELECT of its own rows (struct graph_table, part). */
#ifndef LEAKGRAPH_GRAPH_UNIONS_H
#define LEAKGRAPH_GRAPH_UNIONS_H

#include "base/bytes.h"

#include <stdbool.h>

/* A view, made with the table that it is first of all about: a query that has a name, so that a report and whoever asks
 * graph.db by hand read the same figures.  columns: as in CREATE VIEW. */
struct graph_view { const char *name, *columns, *select, *doc; };

struct graph_table;

enum graph_union {
    /* which items of benchmarks are inside documents of corpora:
     *     item                     of a benchmark, snippets.id
     *     dataset, shard, record   the document of a corpus
     *     kind                     what is alike: function, ...; `contained` for the item as it stands
     *     alike                    from 0 to 1
     *     place                    in that document, as a person reads it
     *     line, line_end           of its text, from 1
     *     leak                     1: it is the item that is there, which fail_on: {leakage} counts; 0: not most of it,
     *                              or an edited one
     *     license, license_class   of the document, as in snippets; so are source_id, path and repo
     *     item_line, item_line_end what of the item is there; NULL: all of it */
    UNION_INSIDE,
    /* which documents were removed from what was written, or shortened, and why */
    UNION_REMOVED,
    /* which rules flag which items */
    UNION_ITEM_RULES,
    /* what each rule and gate found, in numbers */
    UNION_NUMBERS,
    GRAPH_UNIONS
};

#define FOUND_INSIDE "found_inside"
#define FOUND_INSIDE_COLUMNS \
    "item, dataset, shard, record, kind, alike, place, line, line_end, leak, license, license_class, source_id, " \
    "path, repo, item_line, item_line_end"

/* Name, columns and sentence; select: what they begin with, most of them with a row that is not there, so that there is
 * the view without any table too. */
extern const struct graph_view graph_unions[GRAPH_UNIONS];

/* Appends CREATE VIEW of each over two lists of tables, up to NULL.  0 or -ENOMEM. */
int graph_unions_create(const struct graph_table *const *base, const struct graph_table *const *tables, bool temporary,
                        struct bytes *out);

#endif
