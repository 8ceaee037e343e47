/* marked/report.c -- see report.h. */
#include "marked/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct report_column report_columns[] = {
    { "dataset", "dataset" }, { "documents", "documents" }, { "with_line", "with the line" }, { "percent", "%" },
};
static const enum query_column report_types[] = { COLUMN_NAME, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT };
static const struct query_table marked_report = {
    "datasets", "SELECT dataset, documents, with_line, with_line, documents FROM marked ORDER BY rowid",
    report_columns, report_types, 4, false,
};

int marked_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            ran = 0;
    int                 rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'marked.line'", &ran, err);

    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "marked", SLICE("Documents with the line"));
    return query_table_add(out, section, db, &marked_report, &rows, err);
}
