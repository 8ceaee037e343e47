/* marked/report.c -- see report.h. */
#include "marked/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column report_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "with_line", "with the line", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
};
static const struct query_table marked_report = { "datasets", "marked_shares", report_columns, 4, 0, NULL };

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
