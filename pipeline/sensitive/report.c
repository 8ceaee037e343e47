/* sensitive/report.c -- see sensitive.h. */
#include "sensitive/report.h"

#include "graph/read.h"
#include "report/query_table.h"
#include "sensitive/mask.h"
#include "sensitive/sensitive.h"

static const struct query_column sensitive_kind_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "kind", "kind", CELL_NAME }, { "pattern", "pattern", CELL_NAME },
    { "distinct", "different values", CELL_COUNT }, { "occurrences", "occurrences", CELL_COUNT },
    { "in_corpus", "of the values, in a corpus", CELL_COUNT }, { "in_corpus_percent", "%", CELL_PERCENT },
    { "corpus_occurrences", "occurrences there", CELL_COUNT },
};
static const struct query_table sensitive_kinds = {
    "kinds", "sensitive_kinds", sensitive_kind_columns, 8, 0, NULL,
};
static const struct query_table sensitive_alone = {
    "alone", "sensitive_alone", sensitive_kind_columns, 5, 0, NULL,
};

static const struct query_column sensitive_value_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "kind", "kind", CELL_NAME }, { "pattern", "pattern", CELL_NAME },
    { "masked", "masked value", CELL_NAME }, { "occurrences", "occurrences", CELL_COUNT },
    { "documents", "documents", CELL_COUNT }, { "corpus_occurrences", "occurrences in corpora", CELL_COUNT },
    { "corpus_documents", "documents there", CELL_COUNT },
};
static const struct query_table sensitive_values = {
    "found", "sensitive_found LIMIT 1000", sensitive_value_columns, 8, 20, NULL,
};

static const struct report_chart kinds_chart = {
    CHART_BARS, "Different values that a corpus has too", { "dataset", "pattern" }, NULL, { "in_corpus" },
};

int sensitive_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            alone = 0, searched = 0;
    bool                ran;
    int                 rc = graph_run_says(db, "sensitive.kinds", &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(*) FROM sensitive WHERE corpus_occurrences IS NULL", &alone, err);
    if (rc == 0)
        rc = graph_count(db, "SELECT count(*) FROM sensitive WHERE corpus_occurrences IS NOT NULL", &searched, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "sensitive", SLICE("Sensitive strings"));
    report_paragraph(out, section, "E-mail addresses, IP addresses and keys. A value of a benchmark is in a corpus "
                                   "when it stands there verbatim, anywhere in a text. "
                     "Values are shown by their first and last character and their length.");
    if (!alone && !searched) report_paragraph(out, section, "There are none.");
    if (searched) rc = query_table_add(out, section, db, &sensitive_kinds, &rows, err);
    if (rc == 0 && searched) report_chart(rows.table, &kinds_chart);
    if (rc == 0 && searched) rc = query_table_add(out, section, db, &sensitive_values, &rows, err);
    if (rc == 0 && searched)
        report_paragraph(out, section, "The first twenty that a corpus has too; all values are in table sensitive of "
                                       "graph.db, with their first places.");
    if (rc == 0 && alone)
        report_paragraph(out, section,
                         "Not looked for in corpora: values of corpora themselves, and of a run without corpora.");
    if (rc == 0 && alone) rc = query_table_add(out, section, db, &sensitive_alone, &rows, err);
    return rc;
}

int sensitive_report_open(struct report_document *out, sqlite3 *db, struct err *err)
{
    bool     ran;
    int      rc = graph_run_says(db, "sensitive.kinds", &ran, err);

    if (ran) out->mask = sensitive_mask_text;
    return rc;
}
