/* clean/report.c -- see report.h. */
#include "clean/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column cleaned_output_columns[] = {
    { "output", "output", CELL_NAME }, { "kind", "what", CELL_TEXT }, { "dataset", "dataset", CELL_NAME },
    { "split", "split", CELL_PART }, { "documents", "documents", CELL_COUNT }, { "removed", "removed", CELL_COUNT },
    { "removed_percent", "%", CELL_PERCENT }, { "cut", "cut", CELL_COUNT }, { "spans", "spans", CELL_COUNT },
    { "left", "left", CELL_COUNT }, { "bytes", "text", CELL_BYTES }, { "removed_bytes", "text removed", CELL_BYTES },
    { "left_bytes", "text left", CELL_BYTES },
};
static const struct query_table cleaned_outputs = {
    "outputs", "cleaned_outputs", cleaned_output_columns, 13, 0, NULL,
};

static const struct query_column cleaned_reason_columns[] = {
    { "output", "output", CELL_NAME }, { "dataset", "dataset", CELL_NAME }, { "split", "split", CELL_PART },
    { "what", "what was done", CELL_TEXT }, { "why", "because", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "bytes", "text", CELL_BYTES },
};
static const struct query_table cleaned_reasons = {
    "reasons", "cleaned_reasons", cleaned_reason_columns, 7, CLEANED_REASONS, NULL,
};

static const struct query_column cleaned_place_columns[] = {
    { "output", "output", CELL_NAME }, { "kind", "what", CELL_TEXT }, { "shards", "shards", CELL_NAME },
    { "list", "list", CELL_NAME },
};
static const struct query_table cleaned_places = {
    "places", "cleaned_places", cleaned_place_columns, 4, 0, NULL,
};

int cleaned_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            some;
    int                 rc = graph_count(db, "SELECT count(*) FROM cleaned", &some, err);

    if (rc < 0 || !some) return rc;
    section = report_section(out, out->root, "cleaned", SLICE("Cleaned datasets"));
    report_paragraph(out, section, "Removed: documents that are not written. Cut: documents that are written without "
                                   "the lines of some blocks, each run of them a span. "
                     "Of subsets: what was not drawn counts as removed; leaky and nonleaky have as many documents of "
                     "each language.");
    rc = query_table_add(out, section, db, &cleaned_outputs, &rows, err);
    if (rc == 0) report_paragraph(out, section, "By the parts of the rules that were true:");
    if (rc == 0) rc = query_table_add(out, section, db, &cleaned_reasons, &rows, err);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu more are in report.json, all documents in table cleaned_documents of "
                                       "graph.db.", rows.hidden);
    if (rc == 0) report_paragraph(out, section, "In the run folder:");
    return rc < 0 ? rc : query_table_add(out, section, db, &cleaned_places, &rows, err);
}

static const char all_removed_query[] =
    "SELECT printf('clean: %s removed all %d documents of %s', output, sum(documents), dataset) "
    "FROM cleaned WHERE kind = 'removed' "
    "GROUP BY output, dataset HAVING sum(documents) > 0 AND sum(removed) = sum(documents) ORDER BY min(rowid)";

int cleaned_advise(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    return advice_query(db, all_removed_query, to, err);
}
