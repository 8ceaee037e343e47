/* generate/report.c -- see report.h. */
#include "generate/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column output_columns[] = {
    { "model", "model", CELL_NAME }, { "outputs", "outputs", CELL_COUNT }, { "tokens", "tokens", CELL_COUNT },
    { "stopped", "ended by the model", CELL_COUNT }, { "stopped_percent", "%", CELL_PERCENT },
};
static const struct query_table outputs = { "outputs", "generation_outputs", output_columns, 5, 0, NULL };

/* The shape of Table 3 of Yang et al.: another output length is another run. */
static const struct query_column part_columns[] = {
    { "model", "model", CELL_NAME }, { "outputs", "outputs", CELL_COUNT }, { "tokens", "tokens each", CELL_COUNT },
    { "blocks", "different blocks", CELL_COUNT }, { "occurrences", "their places", CELL_COUNT },
    { "outputs_with_any", "outputs with any", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "spearman", "Spearman", CELL_SHARE }, { "pearson", "Pearson", CELL_SHARE },
};
static const struct query_table parts = { "memorised", "memorisation_shares", part_columns, 9, 0, NULL };

static const struct query_column length_columns[] = {
    { "model", "model", CELL_NAME }, { "length", "lines", CELL_COUNT }, { "blocks", "different blocks", CELL_COUNT },
    { "occurrences", "their places", CELL_COUNT },
};
static const struct query_table lengths = {
    "lengths", "memorised_lengths", length_columns, 4, 0, "place <= 20",
};

static const struct query_column block_columns[] = {
    { "model", "model", CELL_NAME }, { "clone", "block", CELL_ID }, { "length", "lines", CELL_COUNT },
    { "occurrences", "in its outputs", CELL_COUNT }, { "corpus_count", "in corpora", CELL_COUNT },
    { "begins", "begins", CELL_NAME },
};
static const struct query_table blocks = {
    "blocks", "memorised_blocks WHERE place <= 10", block_columns, 6, 0, NULL,
};

static const struct report_chart lengths_chart = {
    CHART_BARS, "Memorised blocks, by model and number of lines", { "model", "length" }, NULL, { "blocks" },
};

int memorisation_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            wrote, counted;
    int                 rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM generations)", &wrote, err);

    if (rc == 0) rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM memorisation)", &counted, err);
    if (rc < 0 || !wrote) return rc;
    section = report_section(out, out->root, "memorisation", SLICE("What models have by heart"));
    report_paragraph(out, section, "What the models wrote is in the folder generations, and a benchmark "
                                   "generations-MODEL of this run each.");
    rc = query_table_add(out, section, db, &outputs, &rows, err);
    if (rc < 0 || !counted) return rc;
    report_paragraph(out, section, "Blocks of lines that they share with the corpora, for the first outputs of each "
                                   "model and for all of them; and the correlation of a block's "
                     "places in these outputs with its places in the corpora:");
    rc = query_table_add(out, section, db, &parts, &rows, err);
    if (rc == 0) report_paragraph(out, section, "By length:");
    if (rc == 0) rc = query_table_add(out, section, db, &lengths, &rows, err);
    if (rc == 0) report_chart(rows.table, &lengths_chart);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu greater lengths are left out here; report.json and graph.db have them.",
                         rows.hidden);
    if (rc == 0) report_paragraph(out, section, "The most frequent ones:");
    return rc < 0 ? rc : query_table_add(out, section, db, &blocks, &rows, err);
}
