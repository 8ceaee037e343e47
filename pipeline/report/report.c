/* report/report.c -- see report.h. */
#include "report/report.h"

#include "graph/read.h"
#include "report/query_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct query_column dataset_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "role", "role", CELL_TEXT }, { "documents", "documents", CELL_COUNT },
    { "admitted", "compared", CELL_COUNT }, { "admitted_percent", "%", CELL_PERCENT },
    { "rejected", "rejected", CELL_COUNT }, { "bytes", "text", CELL_BYTES },
    { "self_join", "joined with itself", CELL_FLAG }, { "url", "source", CELL_NAME },
};
static const struct query_table datasets = { "datasets", "dataset_summary", dataset_columns, 9, 0, NULL };

static const struct query_column skip_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "reason", "reason", CELL_TEXT }, { "files", "files", CELL_COUNT },
};
static const struct query_table skipped = { "skipped", "skipped_files", skip_columns, 3, 0, NULL };

static const struct query_column reason_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "reason", "reason", CELL_TEXT }, { "records", "records", CELL_COUNT },
};
static const struct query_table reasons = { "reasons", "reject_reasons", reason_columns, 3, 0, NULL };

static const struct query_column damage_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "shard", "shard", CELL_NAME }, { "lost", "bytes lost", CELL_COUNT },
    { "bytes", "size of the file", CELL_COUNT },
};
static const struct query_table damage = { "damage", "damaged_shards", damage_columns, 4, 0, NULL };

static const struct query_column loss_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "shards", "shards not whole", CELL_COUNT },
    { "lost", "bytes lost", CELL_COUNT }, { "lost_percent", "%", CELL_PERCENT },
    { "rejected_bytes", "in rejected records", CELL_COUNT },
};
static const struct query_table losses = { "losses", "lost_bytes", loss_columns, 5, 0, NULL };

static const struct query_column example_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "reason", "reason", CELL_TEXT }, { "shard", "shard", CELL_NAME },
    { "record", "record", CELL_ID }, { "byte", "byte", CELL_ID }, { "detail", "what was wrong", CELL_TEXT },
    { "path", "path", CELL_NAME },
};
static const struct query_table examples = {
    "examples", "reject_examples WHERE place <= 3", example_columns, 7, 0, NULL,
};
_Static_assert(REPORT_EXAMPLES == 3, "the condition above says so");

static const struct query_column gate_columns[] = {
    { "gate", "gate", CELL_NAME }, { "outcome", "outcome", CELL_OUTCOME }, { "percent", "%", CELL_SHARE },
    { "allowed", "at most %", CELL_SHARE }, { "source", "of", CELL_NAME }, { "target", "in", CELL_NAME },
    { "doubt", "in doubt because", CELL_TEXT }, { "compared", "compared", CELL_COUNT }, { "whole", "of", CELL_COUNT },
    { "documents", "documents looked through", CELL_COUNT }, { "bytes", "text", CELL_BYTES },
    { "clause", "found", CELL_TEXT },
};
static const struct query_table gates = { "outcomes", "gates ORDER BY rowid", gate_columns, 12, 0, NULL };

/* ---- sections ---- */

struct warnings { struct report_document *out; struct report_node *section; };

static void add_warning(void *context, const char *sentence)
{
    struct warnings *to = context;

    if (!to->section)
        to->section = report_section(to->out, to->out->root, "warnings", SLICE("Before you trust these numbers"));
    report_paragraph(to->out, to->section, "%s.", sentence);
}

/* What the parts say in a section of its own, which a person sees where they say anything. */
static int add_verdict(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "verdict", SLICE("In short"));
    int                 rc = 0;

    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->judge) rc = part[i]->judge(out, section, db, err);
    if (section && !section->child) report_hide(section);
    return rc;
}

static int add_found(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "found", SLICE("What was found"));
    int                 rc = 0;

    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->summarise) rc = part[i]->summarise(out, section, db, err);
    if (section && !section->child) report_hide(section);
    return rc;
}

/* Nothing where nothing was bounded. */
static int add_gates(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    uint64_t          count = 0;
    int               rc = graph_count(db, "SELECT count(*) FROM gates", &count, err);

    if (rc < 0 || count == 0) return rc;
    return query_table_add(out, report_section(out, out->root, "gates", SLICE("Gates")), db, &gates, &rows, err);
}

static int add_compared(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "compared", SLICE("What was compared"));
    struct query_rows   rows;
    uint64_t            count = 0;
    int                 rc = query_table_add(out, section, db, &datasets, &rows, err);

    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM skipped", &count, err);
    if (rc < 0 || count == 0) return rc;
    report_paragraph(out, section, "Files in folders and archives that were passed over; they are no records:");
    return query_table_add(out, section, db, &skipped, &rows, err);
}

static int add_rejects(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "rejects", SLICE("Records that could not be used"));
    struct query_rows rows;
    int                 rc = query_table_add(out, section, db, &reasons, &rows, err);

    if (rc == 0 && rows.all) report_paragraph(out, section, "The first of each kind:");
    else if (rc == 0) report_paragraph(out, section, "Every record was used.");
    if (rc == 0) rc = query_table_add(out, section, db, &examples, &rows, err);
    if (rc == 0) rc = query_table_add(out, section, db, &losses, &rows, err);
    if (rc == 0 && rows.all)
        report_paragraph(out, section, "Lost are bytes of the files that could not be read because they are cut or "
                                       "damaged: at least so many, where the format does not tell how many there were. "
                                       "Records that are whole and were rejected are counted decoded.");
    return rc == 0 ? query_table_add(out, section, db, &damage, &rows, err) : rc;
}

/* Table run: short values are facts, the configuration is shown as it is. */
static int add_run(struct report_document *out, sqlite3 *db, struct err *err)
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
    report_paragraph(out, section, "The same version with the same configuration and the same data gives the same "
                                   "digest, on any number of ranks and threads. In the folder of this report:");
    report_code(out, section, "commands", SLICE(""), SLICE("sh"),
                SLICE("leakgraph run config.resolved.yaml --output ../again\nleakgraph fsck ../again\n"));
    rc = graph_prepare(db, &query, "SELECT key, value FROM run WHERE key NOT GLOB 'contents.*' ORDER BY rowid", err);
    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct slice key, value = graph_text(query, 1), kept;

        rc = 0;
        if (memchr(value.at, '\n', value.len)) {           /* names in it are masked as names, not as in a program */
            key = report_copy(out, graph_text(query, 0));
            report_code(out, section, key.at, key, SLICE("yaml"), report_copy(out, value));
        } else if (pool_copy(&out->pool, value, &kept) < 0) rc = err_memory(err, value.len, "the report");
        else {
            columns[n] = report_column_named(out, columns, n, graph_text(query, 0));
            cells[n++] = report_cell_name(kept);
        }
    }
    graph_finish(query);
    if (rc >= 0) report_row(out, report_facts(out, section, "settings", columns, n), cells);
    return rc < 0 ? rc : 0;
}

int report_parts_open(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->open) rc = part[i]->open(out, db, err);
    return rc;
}

int report_begin(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    report_open(out, "What these datasets share");
    out->schema = REPORT_SCHEMA;
    return report_parts_open(out, db, part, err);
}

int report_build(struct report_document *out, sqlite3 *db, const struct report_part *const *part, struct err *err)
{
    struct warnings warnings = { .out = out };
    int             rc = add_verdict(out, db, part, err);

    if (rc == 0) rc = add_gates(out, db, err);
    if (rc == 0) rc = advice_give(db, part, &(struct advice_listener){ add_warning, &warnings }, err);
    if (rc == 0) rc = add_found(out, db, part, err);
    if (rc == 0) rc = add_compared(out, db, err);
    for (size_t i = 0; part[i] && rc == 0; i++)
        if (part[i]->add) rc = part[i]->add(out, db, err);
    if (rc == 0) rc = add_rejects(out, db, err);
    if (rc == 0) rc = add_run(out, db, err);
    if (rc == 0 && out->failed) rc = err_memory(err, 0, "the report");
    return rc;
}
