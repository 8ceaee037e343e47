/* clonetype/report.c -- see report.h. */
#include "clonetype/report.h"

#include "graph/read.h"
#include "report/query_table.h"

enum { PLACES_ROWS = 20 };                                  /* that a person sees */

static const struct query_column leakage_columns[] = {
    { "source", "benchmark", CELL_NAME }, { "target", "corpus", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "type1", "type 1", CELL_COUNT }, { "type2c", "type 2c", CELL_COUNT }, { "type2", "type 2", CELL_COUNT },
    { "type3", "type 3", CELL_COUNT }, { "items", "any", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "pairs", "pairs of functions", CELL_COUNT },
};
static const struct query_table leakage = { "leakage", "clone_type_leakage", leakage_columns, 10, 0, NULL };

static const struct query_column place_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "source_id", "item", CELL_NAME },
    { "item_function", "its function", CELL_NAME }, { "dataset", "corpus", CELL_NAME },
    { "place", "function", CELL_NAME }, { "type", "type", CELL_NAME }, { "similarity", "similarity", CELL_SHARE },
    { "aligned", "aligned lines", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "license", "licence", CELL_NAME },
};
static const struct query_table places = { "places", "clone_pair_places", place_columns, 10, PLACES_ROWS, NULL };

static int clonetypes_ran(sqlite3 *db, uint64_t *ran, struct err *err)
{
    return graph_count(db, "SELECT count(*) FROM run WHERE key = 'clone_types.types'", ran, err);
}

int clonetypes_add_summary(struct report_document *out, sqlite3 *db, struct err *err)
{
    uint64_t ran, items;
    int      rc = clonetypes_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(DISTINCT item) FROM clone_items", &items, err);
    if (rc == 0)
        report_paragraph(out, out->root, "Clones: %llu items of the benchmarks have a function that is cloned in a "
                         "corpus.", (unsigned long long)items);
    return rc;
}

int clonetypes_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            ran;
    int                 rc = clonetypes_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "clone_types", SLICE("Clones by type"));
    report_paragraph(out, section, "Items by the strictest type of their functions' clones: 1 is equal but for layout "
                                   "and comments, 2c renamed one to one, 2 renamed in any way, 3 changed in "
                                   "statements.");
    rc = query_table_add_largest(out, section, db, &leakage, "items DESC, source, target", &rows, err);
    if (rc == 0) report_paragraph(out, section, "Functions of items and their clones:");
    if (rc == 0) rc = query_table_add(out, section, db, &places, &rows, err);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu more are in report.json, and in graph.db: SELECT * FROM clone_pair_places.",
                         rows.hidden);
    return rc;
}
