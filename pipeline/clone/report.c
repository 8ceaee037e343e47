/* clone/report.c -- see report.h. */
#include "clone/report.h"

#include "graph/read.h"
#include "report/query_table.h"
#include "stats/correlation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { CLONES_ROWS = 20 };                                  /* of each table that a person sees */

static const struct query_column clones_document_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "documents", "documents", CELL_COUNT },
    { "with_blocks", "with a block", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "shared_lines", "lines in blocks", CELL_COUNT },
};
static const struct query_table clones_documents = {
    "documents", "clone_datasets", clones_document_columns, 5, 0, NULL,
};

static const struct query_column clones_length_columns[] = {
    { "length", "lines", CELL_COUNT }, { "blocks", "blocks", CELL_COUNT },
    { "small_count", "places in benchmarks", CELL_COUNT }, { "corpus_count", "places in corpora", CELL_COUNT },
};
static const struct query_table clones_lengths = {
    "lengths", "clone_lengths", clones_length_columns, 4, CLONES_ROWS, NULL,
};

static const struct query_column clones_block_columns[] = {
    { "clone", "block", CELL_ID }, { "length", "lines", CELL_COUNT },
    { "small_count", "in benchmarks", CELL_COUNT }, { "corpus_count", "in corpora", CELL_COUNT },
    { "begins", "begins", CELL_NAME }, { "small_places", "places (path:line), benchmarks", CELL_NAME },
    { "corpus_places", "corpora", CELL_NAME },
};
static const struct query_table clones_blocks = {
    "blocks", "clone_blocks LIMIT 20", clones_block_columns, 7, 0, NULL,
};
_Static_assert(CLONES_ROWS == 20, "the limit says so");

static const struct report_chart lengths_chart = {
    CHART_HISTOGRAM, "Blocks by their number of lines", { NULL }, "length", { "blocks" },
};

static int clones_ran(sqlite3 *db, bool *ran, struct err *err)
{
    return graph_run_says(db, "clones.lines", ran, err);
}

int clones_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    uint64_t blocks, documents;
    bool     ran;
    int      rc = clones_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(*) FROM clones", &blocks, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM clone_documents", &documents, err);
    if (rc == 0)
        report_paragraph(out, found, "Line clones: %llu different blocks of lines, in %llu documents of the "
                                         "benchmarks.", (unsigned long long)blocks,
                         (unsigned long long)documents);
    return rc;
}

/* Do blocks that are frequent in the corpora come more often in the benchmarks? */
static int clones_add_correlation(struct report_document *out, struct report_node *section, sqlite3 *db,
                                  struct err *err)
{
    static const struct report_column columns[] = {
        { "blocks", "blocks" }, { "spearman", "Spearman" }, { "spearman_p", "p" }, { "pearson", "Pearson" },
        { "pearson_p", "p" },
    };
    struct correlation ranks = { 0 }, plain;
    sqlite3_stmt      *query = NULL;
    uint64_t           room;
    size_t             n = 0;
    double            *small = NULL, *corpus = NULL;
    int                rc = graph_count(db, "SELECT count(*) FROM clones", &room, err);

    if (rc < 0) return rc;
    small = malloc((room + 1) * sizeof *small);
    corpus = malloc((room + 1) * sizeof *corpus);
    if (!small || !corpus) rc = err_memory(err, room * 2 * sizeof *small, "counts of blocks");
    if (rc == 0) rc = graph_prepare(db, &query, "SELECT small_count, corpus_count FROM clones ORDER BY id", err);
    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        small[n] = graph_real(query, 0);
        corpus[n++] = graph_real(query, 1);
        rc = 0;
    }
    graph_finish(query);
    if (rc == 0 && spearman(corpus, small, n, &ranks) < 0)
        rc = err_memory(err, n * 2 * sizeof *small, "ranks of blocks");
    if (rc == 0) {
        struct report_cell cells[] = {
            report_cell_count(n), report_cell_share(ranks.r), report_cell_share(ranks.p),
                report_cell_share((plain = pearson(corpus, small, n)).r), report_cell_share(plain.p),
        };

        for (size_t i = 1; i < 5; i++)
            if (isnan(cells[i].real)) cells[i] = (struct report_cell){ .kind = REPORT_NOTHING };
        report_paragraph(out, section,
                         "Correlation of a block's places in the corpora with its places in the benchmarks:");
        report_row(out, report_facts(out, section, "correlation", columns, 5), cells);
    }
    free(small);
    free(corpus);
    return rc;
}

int clones_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            self = 0;
    bool                ran;
    int                 rc = clones_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'clones.self' AND value = 'true'", &self, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "line_clones", SLICE("Blocks of lines"));
    report_paragraph(out, section, self ? "Runs of significant lines that the benchmarks repeat. A block within "
                                          "longer ones is a block of its own only if it also stands "
                     "where it cannot be made longer." : "Runs of significant lines that benchmarks and corpora have "
                                                         "in common. A block within longer ones is a block of "
                     "its own only if it also stands where it cannot be made longer and still be repeated. All places "
                     "are counted, those within longer blocks too.");
    rc = query_table_add(out, section, db, &clones_documents, &rows, err);
    if (rc == 0 && !self) rc = clones_add_correlation(out, section, db, err);
    if (rc == 0) rc = query_table_add(out, section, db, &clones_lengths, &rows, err);
    if (rc == 0) report_chart(rows.table, &lengths_chart);
    if (rc == 0 && rows.hidden)
        report_paragraph(out, section, "%zu greater lengths are left out here; report.json and graph.db have them.",
                         rows.hidden);
    if (rc == 0) report_paragraph(out, section, "The most frequent ones:");
    return rc < 0 ? rc : query_table_add(out, section, db, &clones_blocks, &rows, err);
}
