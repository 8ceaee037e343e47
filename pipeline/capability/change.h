/* capability/change.h -- what of a capability's results is compared between two runs.
 *
 * Counts and scores under names that stay the same from run to run: datasets, splits, corpora, models, metrics; never
 * ids.  history/changes.h merges the rows of both runs. */
#ifndef LEAKGRAPH_CAPABILITY_CHANGE_H
#define LEAKGRAPH_CAPABILITY_CHANGE_H

#include <stdbool.h>

/* What names a row: a dataset and its split, another one (a corpus, a model) and its split, and whatever else. */
enum change_label { CHANGE_DATASET, CHANGE_SPLIT, CHANGE_OTHER, CHANGE_OTHER_SPLIT, CHANGE_NAME, CHANGE_LABELS };

struct change_part {
    const char *key;                                        /* in JSON, and for people; NULL: the last of a list */
    /* From graph.db, over views too: the five labels ('': none), what is measured, its value, and the count that the
     * value is a part of (NULL: none); in any order.  Labels and a measure stand there once. */
    const char *sql;
    bool        whole;                                      /* what only one run has is one row, of its first measure */
};

/* The rows of one measure, for a query that is a UNION ALL of such. */
#define CHANGE_ROWS(labels, measure, value, whole, from) \
    "SELECT " labels ", '" measure "', " value ", " whole " FROM " from

/* Before such rows: a view that they are all from, as `once`, which is asked once. */
#define CHANGE_ONCE(view) "WITH once AS MATERIALIZED (SELECT * FROM " view ") "

/* A number that is no count, as far as it is sure not to depend on the order in which it was summed. */
#define CHANGE_REAL(value) "round(" value ", 9)"

#endif
