/* near/report_licences.c -- see report_licences.h. */
#include "near/report_licences.h"

#include "graph/read.h"
#include "report/query_table.h"

enum { SHOWN = 40 };

static const struct query_column class_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "class", "class", CELL_TEXT }, { "items", "items", CELL_COUNT },
    { "percent", "% of those that leak", CELL_PERCENT }, { "only", "from no other class", CELL_COUNT },
};
static const struct query_table classes = { "classes", "leak_classes", class_columns, 5, 0, NULL };

static const struct query_column licence_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "license", "licence", CELL_NAME }, { "class", "class", CELL_TEXT },
    { "items", "items", CELL_COUNT }, { "percent", "% of those that leak", CELL_PERCENT },
};
static const struct query_table licences = { "each", "leak_licences", licence_columns, 5, SHOWN, NULL };

static const struct report_chart chart = {
    CHART_BARS, "Items that leak, by the licence of what they leak from", { "benchmark", "license" }, NULL, { "items" },
};

int licences_report_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "licences", SLICE("Licences of the leaked documents"));
    struct query_rows   rows = { 0 };
    bool                aside;
    int                 rc = graph_run_says(db, "edges_file", &aside, err);

    if (rc == 0) rc = query_table_add(out, section, db, &classes, &rows, err);
    if (rc < 0) return rc;
    if (rows.all == 0) {
        report_hide(section);
        return 0;
    }
    if (aside)
        report_paragraph(out, section, "The pairs are in edges.tsv.zst: only items inside documents are counted here.");
    report_paragraph(out, section, "Items that leak from documents of the corpora, by the licence that a document's "
                                   "record names, else its text (snippets.license_from says which); none: neither "
                                   "does. An item that leaks from several documents counts for each licence.");
    rc = query_table_add(out, section, db, &licences, &rows, err);
    report_chart(rows.table, &chart);
    return rc;
}
