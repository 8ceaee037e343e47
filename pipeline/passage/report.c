/* passage/report.c -- see report.h. */
#include "passage/report.h"

#include "graph/read.h"
#include "report/query_table.h"

#include <stdio.h>

enum { PASSAGES_ROWS = 20 };                                /* that a person sees */

static const struct query_column leakage_columns[] = {
    { "source", "benchmark", CELL_NAME }, { "target", "corpus", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "compared", "long enough", CELL_COUNT }, { "items", "found", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "only_passages", "found no other way", CELL_COUNT }, { "pairs", "pairs", CELL_COUNT },
};
static const struct query_table leakage = { "leakage", "passage_leakage", leakage_columns, 8, 0, NULL };

static const struct query_column chance_columns[] = {
    { "decoys", "decoys", CELL_COUNT }, { "tested", "pairs tested", CELL_COUNT },
    { "reached", "reached the threshold", CELL_COUNT }, { "decoys_reached", "decoys with such a pair", CELL_COUNT },
    { "percent", "% of decoys", CELL_PERCENT },
};
static const struct query_table chance = { "chance", "passage_chance", chance_columns, 5, 0, NULL };

static const struct query_column place_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "source_id", "item", CELL_NAME }, { "dataset", "corpus", CELL_NAME },
    { "place", "place", CELL_NAME }, { "line_end", "to line", CELL_ID }, { "share", "of the item", CELL_SHARE },
    { "found", "runs found", CELL_COUNT }, { "runs", "runs", CELL_COUNT }, { "repo", "repository", CELL_NAME },
    { "license", "licence", CELL_NAME },
};
static const struct query_table places = { "places", "passage_places", place_columns, 10, PASSAGES_ROWS, NULL };

/* Was anything looked for?  A graph of an older program says nothing of it. */
static int passages_ran(sqlite3 *db, bool *ran, struct err *err)
{
    return graph_run_says(db, "passages.decoys", ran, err);
}

static int number(sqlite3 *db, const char *key, uint64_t *out, struct err *err)
{
    char query[160];

    snprintf(query, sizeof query, "SELECT ifnull((SELECT CAST(value AS INTEGER) FROM run WHERE key = 'passages.%s'), "
                                  "0)",
             key);
    return graph_count(db, query, out, err);
}

int passages_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    bool     ran;
    uint64_t items = 0, tested = 0, reached = 0, below = 0;
    int      rc = passages_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(DISTINCT item) FROM passage_items", &items, err);
    if (rc == 0) rc = number(db, "tested", &tested, err);
    if (rc == 0) rc = number(db, "reached", &reached, err);
    if (rc == 0) rc = number(db, "below", &below, err);
    if (rc == 0)
        report_paragraph(out, found, "Passages: %llu items of the benchmarks stand in documents of the corpora. Of "
                         "%llu unrelated pairs of an item and a document that were tested beside them %llu reached the "
                         "threshold. %llu items are too short to be looked for so.", (unsigned long long)items,
                         (unsigned long long)tested, (unsigned long long)reached, (unsigned long long)below);
    return rc;
}

int passages_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            run = 0, least = 0;
    bool                ran;
    int                 rc = passages_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = number(db, "run", &run, err);
    if (rc == 0) rc = number(db, "least", &least, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "passages", SLICE("Passages of documents"));
    report_paragraph(out, section, "Items that stand in a document of a corpus: most of their runs of %llu features "
                                   "are "
                     "there. Items with fewer than %llu different runs are not looked for.", (unsigned long long)run,
                     (unsigned long long)least);
    rc = query_table_add_largest(out, section, db, &leakage, "items DESC, source, target", &rows, err);
    if (rc == 0)
        report_paragraph(out, section, "How often that is by chance: decoys, each of pieces of many items and as long "
                         "as one of them, were looked for in the same documents, but those that hold an item that the "
                         "decoy is made of:");
    if (rc == 0) rc = query_table_add(out, section, db, &chance, &rows, err);
    if (rc == 0) report_paragraph(out, section, "Items and where they are:");
    if (rc == 0) rc = query_table_add(out, section, db, &places, &rows, err);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu more are in report.json, and in graph.db: SELECT * FROM passage_places.",
                         rows.hidden);
    return rc;
}
