/* function/report.c -- see report.h. */
#include "function/report.h"

#include "graph/read.h"
#include "report/query_table.h"

enum { FUNCTIONS_ROWS = 20 };                               /* that a person sees */

static const struct query_column leakage_columns[] = {
    { "source", "benchmark", CELL_NAME }, { "target", "corpus", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "items", "like a function", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "only_in_functions", "no pair with a file", CELL_COUNT }, { "functions", "functions", CELL_COUNT },
};
static const struct query_table leakage = { "leakage", "function_leakage", leakage_columns, 7, 0, NULL };

static const struct query_column place_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "source_id", "item", CELL_NAME }, { "dataset", "corpus", CELL_NAME },
    { "place", "function", CELL_NAME }, { "kind", "kind", CELL_NAME }, { "set_similarity", "set", CELL_SHARE },
    { "multiset_similarity", "multiset", CELL_SHARE }, { "repo", "repository", CELL_NAME },
    { "license", "licence", CELL_NAME },
};
static const struct query_table places = { "places", "function_places", place_columns, 9, FUNCTIONS_ROWS, NULL };

/* Was anything compared in functions?  A graph of an older program says nothing of it. */
static int functions_ran(sqlite3 *db, bool *ran, struct err *err)
{
    return graph_run_says(db, "functions.datasets", ran, err);
}

int functions_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    uint64_t items, functions;
    bool     ran;
    int      rc = functions_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(DISTINCT item) FROM function_items", &items, err);
    if (rc == 0) rc = graph_count(db, "SELECT ifnull(sum(functions), 0) FROM function_items", &functions, err);
    if (rc == 0)
        report_paragraph(out, found, "Functions inside files: %llu items of the benchmarks are like a function of "
                         "a corpus, in %llu pairs.", (unsigned long long)items, (unsigned long long)functions);
    return rc;
}

int functions_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    bool                ran;
    int                 rc = functions_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "functions", SLICE("Functions inside files"));
    report_paragraph(out, section, "Files of the corpora were compared in their functions too, at the same thresholds: "
                                   "an item may be like one of many functions in a file that it is not like.");
    rc = query_table_add_largest(out, section, db, &leakage, "items DESC, source, target", &rows, err);
    if (rc == 0) report_paragraph(out, section, "Items and the functions that they are like:");
    if (rc == 0) rc = query_table_add(out, section, db, &places, &rows, err);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu more are in report.json, and in graph.db: SELECT * FROM function_places.",
                         rows.hidden);
    return rc;
}
