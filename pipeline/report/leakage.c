/* report/leakage.c -- see leakage.h. */
#include "report/leakage.h"

#include "graph/file.h"
#include "graph/read.h"
#include "report/leakage_items.h"

#include <errno.h>

/* A cell of a table made straight from a query: how its columns become cells. */
enum leakage_column { COLUMN_NAME, COLUMN_PART, COLUMN_TEXT, COLUMN_COUNT, COLUMN_BYTES, COLUMN_FLAG, COLUMN_PERCENT };

/* COLUMN_PERCENT takes two columns of the query: part and whole. */
struct leakage_table {
    const char                 *key, *sql;
    const struct report_column *columns;
    const enum leakage_column  *types;
    size_t                      count;
};

enum { LEAKAGE_COLUMNS_MAX = 16 };

/* Adds the table with the rows that its query gives; *rows is their number.  Without rows there is an empty table. */
static int leakage_add_table(struct report_document *out, struct report_node *parent, sqlite3 *db, const struct leakage_table *table, size_t *rows, struct err *err)
{
    struct report_node *node = report_table(out, parent, table->key, table->columns, table->count);
    sqlite3_stmt       *query;
    int                 rc = graph_prepare(db, &query, table->sql, err);

    *rows = 0;
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct report_cell cell[LEAKAGE_COLUMNS_MAX];
        int                at = 0;

        for (size_t i = 0; i < table->count; i++, at++) {
            switch (table->types[i]) {
            case COLUMN_NAME:    cell[i] = report_cell_name(graph_text(query, at)); break;
            case COLUMN_PART:    cell[i] = report_cell_part(graph_text(query, at)); break;
            case COLUMN_TEXT:    cell[i] = report_cell_text(graph_text(query, at)); break;
            case COLUMN_COUNT:   cell[i] = report_cell_count(graph_number(query, at)); break;
            case COLUMN_BYTES:   cell[i] = report_cell_bytes(graph_number(query, at)); break;
            case COLUMN_FLAG:    cell[i] = report_cell_flag(graph_number(query, at) != 0); break;
            case COLUMN_PERCENT: cell[i] = report_cell_percent(graph_number(query, at), graph_number(query, at + 1)); at++; break;
            }
        }
        report_row(out, node, cell);
        ++*rows;
        rc = 0;
    }
    graph_finish(query);
    return rc;
}

static const struct report_column leakage_dataset_columns[] = {
    { "dataset", "dataset" }, { "role", "role" }, { "documents", "documents" }, { "admitted", "compared" }, { "rejected", "rejected" },
    { "bytes", "text" }, { "self_join", "joined with itself" }, { "url", "source" },
};
static const enum leakage_column leakage_dataset_types[] = {
    COLUMN_NAME, COLUMN_TEXT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_BYTES, COLUMN_FLAG, COLUMN_NAME,
};
static const struct leakage_table leakage_datasets = {
    "datasets",
    "SELECT d.id, d.role, sum(s.documents), sum(s.admitted), sum(s.rejected), sum(s.bytes), d.self_join OR d.role = 'benchmark', d.url "
    "FROM datasets AS d LEFT JOIN splits AS s ON s.dataset = d.id GROUP BY d.id ORDER BY d.rowid",
    leakage_dataset_columns, leakage_dataset_types, 8,
};

static const struct report_column leakage_overlap_columns[] = {
    { "source", "source" }, { "split", "split" }, { "target", "target" }, { "target_split", "target split" }, { "language", "language" },
    { "documents", "documents" }, { "direct", "direct" }, { "direct_percent", "%" }, { "transitive", "transitive" },
    { "transitive_percent", "%" }, { "copies", "copies" }, { "contained", "contained" }, { "complete", "complete" },
};
static const enum leakage_column leakage_overlap_types[] = {
    COLUMN_NAME, COLUMN_PART, COLUMN_NAME, COLUMN_PART, COLUMN_PART, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT, COLUMN_COUNT,
    COLUMN_PERCENT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_FLAG,
};

#define OVERLAP_QUERY(condition)                                                                                                      \
    "SELECT source, split, target, target_split, language, documents, direct, direct, documents, transitive, transitive, documents, " \
    "copies, contained, complete FROM overlap WHERE " condition " ORDER BY rowid"

static const struct leakage_table leakage_between = {
    "between", OVERLAP_QUERY("source <> target AND language = ''"), leakage_overlap_columns, leakage_overlap_types, 13,
};
static const struct leakage_table leakage_within = {
    "within", OVERLAP_QUERY("source = target AND language = ''"), leakage_overlap_columns, leakage_overlap_types, 13,
};
static const struct leakage_table leakage_by_language = {
    "by_language", OVERLAP_QUERY("language <> '' AND (SELECT count(DISTINCT language) FROM overlap WHERE language <> '') > 1"),
    leakage_overlap_columns, leakage_overlap_types, 13,
};

static const struct report_column leakage_reason_columns[] = { { "dataset", "dataset" }, { "reason", "reason" }, { "records", "records" } };
static const enum leakage_column  leakage_reason_types[] = { COLUMN_NAME, COLUMN_TEXT, COLUMN_COUNT };
static const struct leakage_table leakage_reasons = {
    "reasons", "SELECT dataset, reason, count(*) FROM rejects GROUP BY dataset, reason ORDER BY count(*) DESC, dataset, reason",
    leakage_reason_columns, leakage_reason_types, 3,
};

static const struct report_column leakage_example_columns[] = {
    { "dataset", "dataset" }, { "reason", "reason" }, { "shard", "shard" }, { "record", "record" }, { "byte", "byte" }, { "detail", "what was wrong" },
};
static const enum leakage_column  leakage_example_types[] = { COLUMN_NAME, COLUMN_TEXT, COLUMN_NAME, COLUMN_COUNT, COLUMN_COUNT, COLUMN_TEXT };
static const struct leakage_table leakage_examples = {
    "examples",
    "SELECT dataset, reason, shard, record, byte, detail FROM "
    "(SELECT *, rowid AS place, row_number() OVER (PARTITION BY dataset, reason ORDER BY rowid) AS n FROM rejects) WHERE n <= 3 ORDER BY place",
    leakage_example_columns, leakage_example_types, 6,
};
_Static_assert(LEAKAGE_EXAMPLES == 3, "the query above says so");

/* Sections ------------------------------------------------------------------------------------------------------------------------ */

/* The worst benchmark in a sentence, so that the first lines of the report answer the question. */
static int leakage_add_summary(struct report_document *out, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    size_t        rows = 0;
    int rc = graph_prepare(db, &query, "SELECT o.source, o.target, o.direct, o.documents FROM overlap AS o JOIN datasets AS d ON d.id = o.source "
                           "WHERE d.role = 'benchmark' AND o.source <> o.target AND o.split = '' AND o.target_split = '' AND o.language = '' AND o.direct > 0 "
                           "ORDER BY 1.0 * o.direct / o.documents DESC, o.direct DESC, o.rowid LIMIT 5", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice source = graph_text(query, 0), target = graph_text(query, 1);
        uint64_t     direct = graph_number(query, 2), documents = graph_number(query, 3);

        report_paragraph(out, out->root, "%.2f %% of %.*s (%llu of %llu documents) have an exact or near duplicate in %.*s.",
                         documents ? 100.0 * (double)direct / (double)documents : 0.0, (int)source.len, source.at, (unsigned long long)direct,
                         (unsigned long long)documents, (int)target.len, target.at);
        rows++;
        rc = 0;
    }
    graph_finish(query);
    if (rc == 0 && rows == 0) report_paragraph(out, out->root, "No document of a benchmark has an exact or near duplicate in another dataset.");
    return rc;
}

static int leakage_add_overlap(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "overlap", SLICE("What is shared")), *part;
    uint64_t            incomplete;
    size_t              rows;
    int                 rc;

    report_paragraph(out, section, "Direct: documents of the source with an exact or near duplicate in the target. Transitive: documents whose cluster "
                     "(connected through such pairs) holds a document of the target. Copies: documents too short to be compared that are equal byte by byte. "
                     "Contained: documents of which the target holds a large part, without being near. Percentages are of all readable documents of the source.");
    rc = leakage_add_table(out, section, db, &leakage_between, &rows, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM overlap WHERE NOT complete", &incomplete, err);
    if (rc < 0) return rc;
    if (incomplete)
        report_paragraph(out, section, "Where complete is no, pairs inside a corpus were not looked for, and transitive is a lower bound.");
    part = report_section(out, out->root, "splits", SLICE("Between the splits of a dataset"));
    rc = leakage_add_table(out, part, db, &leakage_within, &rows, err);
    if (rc == 0 && rows == 0) report_paragraph(out, part, "No dataset has two splits that share something or were compared.");
    if (rc < 0) return rc;
    part = report_section(out, out->root, "languages", SLICE("By language"));
    rc = leakage_add_table(out, part, db, &leakage_by_language, &rows, err);
    if (rc == 0 && rows == 0) report_paragraph(out, part, "The datasets have no more than one language.");
    return rc;
}

static int leakage_add_rejects(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "rejects", SLICE("Records that could not be used"));
    size_t              rows;
    int                 rc = leakage_add_table(out, section, db, &leakage_reasons, &rows, err);

    if (rc == 0 && rows) report_paragraph(out, section, "The first of each kind:");
    else if (rc == 0) report_paragraph(out, section, "Every record was used.");
    return rc < 0 ? rc : leakage_add_table(out, section, db, &leakage_examples, &rows, err);
}

/* Table run: short values are facts, the configuration is shown as it is. */
static int leakage_add_run(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node   *section = report_section(out, out->root, "run", SLICE("How to get this again"));
    struct report_column *columns;
    struct report_cell   *cells;
    sqlite3_stmt         *query;
    uint64_t              room;
    size_t                n = 0;
    int                   rc = graph_count(db, "SELECT count(*) FROM run", &room, err);

    if (rc < 0) return rc;
    columns = pool_take(&out->pool, (room + 1) * sizeof *columns);
    cells = pool_take(&out->pool, (room + 1) * sizeof *cells);
    if (!columns || !cells) return err_memory(err, room * sizeof *cells, "the report");
    report_paragraph(out, section, "The same version with the same configuration and the same data gives the same digest, on any number of ranks and threads.");
    report_code(out, section, "commands", SLICE(""), SLICE("sh"), SLICE("leakgraph run config.resolved.yaml\nleakgraph fsck DIR\n"));
    rc = graph_prepare(db, &query, "SELECT key, value FROM run ORDER BY rowid", err);
    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct slice key, value = graph_text(query, 1), kept;

        rc = 0;
        if (pool_copy(&out->pool, graph_text(query, 0), &key) < 0 || pool_copy(&out->pool, value, &kept) < 0) rc = err_memory(err, value.len, "the report");
        else if (memchr(value.at, '\n', value.len)) report_code(out, section, key.at, key, SLICE("yaml"), value);
        else {
            columns[n] = (struct report_column){ key.at, key.at };
            cells[n++] = report_cell_name(kept);
        }
    }
    graph_finish(query);
    if (rc >= 0) report_row(out, report_facts(out, section, "settings", columns, n), cells);
    return rc < 0 ? rc : 0;
}

int leakage_build(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    size_t              rows;
    int                 rc;

    report_open(out, "What these datasets share");
    rc = leakage_add_summary(out, db, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "compared", SLICE("What was compared"));
    rc = leakage_add_table(out, section, db, &leakage_datasets, &rows, err);
    if (rc == 0) rc = leakage_add_overlap(out, db, err);
    if (rc == 0) rc = leakage_add_items(out, db, err);
    if (rc == 0) rc = leakage_add_rejects(out, db, err);
    if (rc == 0) rc = leakage_add_run(out, db, err);
    if (rc == 0 && out->failed) rc = err_memory(err, 0, "the report");
    return rc;
}

static int leakage_write_as(const struct report_document *document, const char *dir, const char *name,
                            int (*render)(const struct report_document *, struct bytes *), struct err *err)
{
    struct bytes text = { 0 };
    char         path[FILE_NAME_MAX];
    int          rc = render(document, &text) < 0 ? err_memory(err, text.len, name) : file_join(dir, name, path, err);

    if (rc == 0) rc = file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

int leakage_write(const char *dir, struct err *err)
{
    struct report_document document = { 0 };
    sqlite3               *db = NULL;
    char                   path[FILE_NAME_MAX];
    int                    rc = file_join(dir, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = leakage_build(&document, db, err);
    if (rc == 0) rc = leakage_write_as(&document, dir, "report.json", report_json, err);
    if (rc == 0) rc = leakage_write_as(&document, dir, "report.md", report_markdown, err);
    report_close(&document);
    graph_close(db);
    return rc;
}
