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

static const struct query_column within_columns[] = {
    { "dataset", "corpus", CELL_NAME }, { "functions", "functions", CELL_COUNT }, { "type1", "type 1", CELL_COUNT },
    { "type2c", "type 2c", CELL_COUNT }, { "type2", "type 2", CELL_COUNT }, { "type3", "type 3", CELL_COUNT },
    { "cloned", "any", CELL_COUNT }, { "percent", "%", CELL_PERCENT }, { "classes", "classes", CELL_COUNT },
};
static const struct query_table within = { "within", "clone_within", within_columns, 9, 0, NULL };

static const struct query_column class_columns[] = {
    { "dataset", "corpus", CELL_NAME }, { "place", "first function", CELL_NAME }, { "functions", "functions",
    CELL_COUNT }, { "documents", "documents", CELL_COUNT }, { "repositories", "repositories", CELL_COUNT },
    { "exact", "different ones", CELL_COUNT }, { "consistent", "of type 2c", CELL_COUNT },
};
static const struct query_table classes = { "classes", "clone_classes", class_columns, 7, PLACES_ROWS, NULL };

static const struct query_column link_columns[] = {
    { "dataset", "corpus", CELL_NAME }, { "place", "function", CELL_NAME }, { "other", "other", CELL_NAME },
    { "similarity", "similarity", CELL_SHARE }, { "aligned", "aligned lines", CELL_NAME },
};
static const struct query_table links = { "similar", "clone_link_places", link_columns, 5, PLACES_ROWS, NULL };

static int clonetypes_ran(sqlite3 *db, bool *ran, struct err *err)
{
    return graph_run_says(db, "clone_types.types", ran, err);
}

/* Benchmarks against corpora, and inside corpora: which of them was asked? */
static int clonetypes_asked(sqlite3 *db, uint64_t *between, uint64_t *inside, struct err *err)
{
    int rc = graph_count(db, "SELECT count(*) FROM clone_type_leakage", between, err);

    return rc < 0 ? rc : graph_count(db, "SELECT count(*) FROM run WHERE key GLOB 'clone_types.functions.*'", inside,
                                     err);
}

int clonetypes_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    uint64_t items, between, inside;
    bool     ran;
    int      rc = clonetypes_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = clonetypes_asked(db, &between, &inside, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(DISTINCT item) FROM clone_items", &items, err);
    if (rc == 0 && between)
        report_paragraph(out, found, "Clones: %llu items of the benchmarks have a function that is cloned in a "
                         "corpus.", (unsigned long long)items);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM clone_functions", &items, err);
    if (rc == 0 && inside)
        report_paragraph(out, found, "Clones: %llu functions of corpora have a clone in the same corpus.",
                         (unsigned long long)items);
    return rc;
}

/* A table of which a person sees the first rows. */
static int first_add(struct report_document *out, struct report_node *section, sqlite3 *db,
                     const struct query_table *table, struct err *err)
{
    struct query_rows rows;
    int               rc = query_table_add(out, section, db, table, &rows, err);

    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu more are in report.json, and in graph.db: SELECT * FROM %s.", rows.hidden,
                         table->from);
    return rc;
}

static int inside_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    int               rc;

    report_paragraph(out, section, "Functions of corpora with a clone in the same corpus, by the strictest type:");
    rc = query_table_add(out, section, db, &within, &rows, err);
    if (rc == 0) report_paragraph(out, section, "Functions that are equal when names and literals are left out:");
    if (rc == 0) rc = first_add(out, section, db, &classes, err);
    if (rc == 0) report_paragraph(out, section, "Clones of type 3, of the first functions of such classes:");
    return rc < 0 ? rc : first_add(out, section, db, &links, err);
}

int clonetypes_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            between, inside;
    bool                ran;
    int                 rc = clonetypes_ran(db, &ran, err);

    if (rc == 0 && ran) rc = clonetypes_asked(db, &between, &inside, err);
    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "clone_types", SLICE("Clones by type"));
    report_paragraph(out, section,
                     "By the strictest type of functions' clones: 1 is equal but for layout and comments, 2c "
                                   "renamed one to one, 2 renamed in any way, 3 changed in statements.");
    if (between) {
        report_paragraph(out, section, "Items of the benchmarks with clones in the corpora:");
        rc = query_table_add_largest(out, section, db, &leakage, "items DESC, source, target", &rows, err);
        if (rc == 0) report_paragraph(out, section, "Functions of items and their clones:");
        if (rc == 0) rc = first_add(out, section, db, &places, err);
    }
    return rc < 0 || !inside ? rc : inside_add(out, section, db, err);
}
