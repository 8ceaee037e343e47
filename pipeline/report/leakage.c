/* report/leakage.c -- see leakage.h. */
#include "report/leakage.h"

#include "base/file.h"
#include "graph/read.h"
#include "report/advice.h"
#include "clean/report.h"
#include "clone/report.h"
#include "dedup/report.h"
#include "near/report_items.h"
#include "near/leaked.h"
#include "near/matrix.h"
#include "probe/report_membership.h"
#include "generate/report.h"
#include "ngram/report.h"
#include "portrait/report.h"
#include "probe/report.h"
#include "report/query_table.h"
#include "sensitive/report.h"

#include <errno.h>
#include <stdlib.h>

static const struct report_column leakage_dataset_columns[] = {
    { "dataset", "dataset" }, { "role", "role" }, { "documents", "documents" }, { "admitted", "compared" },
    { "admitted_percent", "%" }, { "rejected", "rejected" },
    { "bytes", "text" }, { "self_join", "joined with itself" }, { "url", "source" },
};
static const enum query_column leakage_dataset_types[] = {
    COLUMN_NAME, COLUMN_TEXT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT, COLUMN_COUNT, COLUMN_BYTES, COLUMN_FLAG,
        COLUMN_NAME,
};
static const struct query_table leakage_datasets = {
    "datasets",
    "SELECT d.id, d.role, sum(s.documents), sum(s.admitted), sum(s.admitted), sum(s.documents), sum(s.rejected), "
    "sum(s.bytes), d.self_join OR d.role = 'benchmark' OR max(s.removed) IS NOT NULL, d.url "
    "FROM datasets AS d LEFT JOIN splits AS s ON s.dataset = d.id GROUP BY d.id ORDER BY d.rowid",
    leakage_dataset_columns, leakage_dataset_types, 9, false,
};

static const struct report_column leakage_overlap_columns[] = {
    { "source", "source" }, { "split", "split" }, { "target", "target" }, { "target_split", "target split" },
    { "language", "language" },
    { "documents", "documents" }, { "admitted", "compared" }, { "admitted_percent", "%" }, { "direct", "direct" },
    { "direct_percent", "%" },
    { "contained", "contained" }, { "contained_percent", "%" }, { "copies", "copies" }, { "transitive", "transitive" },
    { "transitive_percent", "%" },
    { "complete", "complete" },
};
static const enum query_column leakage_overlap_types[] = {
    COLUMN_NAME, COLUMN_PART, COLUMN_NAME, COLUMN_PART, COLUMN_PART, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT,
        COLUMN_COUNT, COLUMN_PERCENT,
    COLUMN_COUNT, COLUMN_PERCENT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT, COLUMN_FLAG,
};

#define OVERLAP_QUERY(condition) \
    "SELECT source, split, target, target_split, language, documents, admitted, admitted, documents, direct, " \
    "direct, documents, " \
    "contained, contained, documents, copies, transitive, transitive, documents, complete, " \
    "direct + transitive + copies + contained FROM overlap WHERE " condition " ORDER BY rowid"

static const struct query_table leakage_between = {
    "between", OVERLAP_QUERY("source <> target AND language = ''"), leakage_overlap_columns, leakage_overlap_types, 16,
        true,
};
static const struct query_table leakage_within = {
    "within", OVERLAP_QUERY("source = target AND language = ''"), leakage_overlap_columns, leakage_overlap_types, 16,
        true,
};
static const struct query_table leakage_by_language = {
    "by_language",
        OVERLAP_QUERY("language <> '' AND (SELECT count(DISTINCT language) FROM overlap WHERE language <> '') > 1"),
    leakage_overlap_columns, leakage_overlap_types, 16, true,
};

/* What each kind of pair is, beside how many there are. */
static const struct report_column leakage_kind_columns[] =
    { { "kind", "kind" }, { "pairs", "pairs" }, { "meaning", "two documents that" } };
static const enum query_column  leakage_kind_types[] = { COLUMN_TEXT, COLUMN_COUNT, COLUMN_TEXT };
static const struct query_table leakage_kinds = {
    "kinds",
    "SELECT k.column1, ifnull(n.pairs, 0), k.column2 FROM (VALUES ('exact', 'are equal byte by byte'), ('near', 'are "
    "alike: both similarities reach their thresholds'), "
    "('copy', 'are equal byte by byte and too short to be compared'), ('contained', 'are no near pair, but most of "
    "the one is in the other (containment_threshold)'), "
    "('below', 'are less alike than the thresholds ask; kept by report_floor, counted nowhere')) AS k LEFT JOIN "
    "(SELECT kind, count(*) AS pairs FROM edges WHERE pass = 'near' GROUP BY kind) AS n ON n.kind = k.column1",
    leakage_kind_columns, leakage_kind_types, 3, false,
};

static const struct report_column leakage_reason_columns[] =
    { { "dataset", "dataset" }, { "reason", "reason" }, { "records", "records" } };
static const enum query_column  leakage_reason_types[] = { COLUMN_NAME, COLUMN_TEXT, COLUMN_COUNT };
static const struct query_table leakage_reasons = {
    "reasons", "SELECT dataset, reason, sum(records) FROM rejects GROUP BY dataset, reason ORDER BY sum(records) "
               "DESC, dataset, reason",
    leakage_reason_columns, leakage_reason_types, 3, false,
};

static const struct report_column leakage_example_columns[] = {
    { "dataset", "dataset" }, { "reason", "reason" }, { "shard", "shard" }, { "record", "record" }, { "byte", "byte" },
    { "detail", "what was wrong" },
};
static const enum query_column  leakage_example_types[] =
    { COLUMN_NAME, COLUMN_TEXT, COLUMN_NAME, COLUMN_COUNT, COLUMN_COUNT, COLUMN_TEXT };
static const struct query_table leakage_examples = {
    "examples",
    "SELECT dataset, reason, shard, record, byte, detail FROM "
    "(SELECT *, rowid AS place, row_number() OVER (PARTITION BY dataset, reason ORDER BY rowid) AS n FROM rejects) "
    "WHERE n <= 3 ORDER BY place",
    leakage_example_columns, leakage_example_types, 6, false,
};
_Static_assert(LEAKAGE_EXAMPLES == 3, "the query above says so");

/* ---- sections ---- */

static double leakage_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t leakage_found(const struct leaked *row) { return row->direct + row->contained + row->copies; }

/* Highest share first; equal ones stay in their order (qsort alone promises none). */
static int leakage_worse(const void *a, const void *b)
{
    const struct leaked *x = *(const struct leaked *const *)a, *y = *(const struct leaked *const *)b;
    double               p = leakage_percent(leakage_found(x), x->documents),
        q = leakage_percent(leakage_found(y), y->documents);

    return p != q ? (p < q ? 1 : -1) : (x > y) - (x < y);
}

/* The worst benchmarks in a sentence each, so that the first lines of the report answer the question. */
static int leakage_add_summary(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct leaked_list    leaked = { 0 };
    const struct leaked **order = NULL;
    size_t                said = 0;
    int                   rc = leaked_read(&leaked, db, err);

    if (rc == 0) order = calloc(leaked.count + 1, sizeof *order);
    if (rc == 0 && !order) rc = err_memory(err, leaked.count * sizeof *order, "the summary");
    for (size_t i = 0; rc == 0 && i < leaked.count; i++) order[i] = &leaked.at[i];
    if (rc == 0) qsort(order, leaked.count, sizeof *order, leakage_worse);
    for (; rc == 0 && said < leaked.count && said < LEAKAGE_SENTENCES && leakage_found(order[said]); said++) {
        const struct leaked *row = order[said];

        report_paragraph(out, out->root, "%.2f %% of %.*s (%llu of %llu documents) are in %.*s: %llu have an exact or "
                                         "near duplicate there, %llu are contained in "
                         "a document of it, %llu are copies of documents too short to be compared.",
                         leakage_percent(leakage_found(row), row->documents), (int)row->source.len, row->source.at,
                             (unsigned long long)leakage_found(row),
                         (unsigned long long)row->documents, (int)row->target.len, row->target.at,
                             (unsigned long long)row->direct,
                         (unsigned long long)row->contained, (unsigned long long)row->copies);
    }
    if (rc == 0 && said == 0)
        report_paragraph(out, out->root, "No document of a benchmark has a pair in another dataset.");
    free(order);
    leaked_free(&leaked);
    return rc;
}

struct leakage_warnings { struct report_document *out; struct report_node *section; };

static void leakage_add_warning(void *context, const char *sentence)
{
    struct leakage_warnings *to = context;

    if (!to->section)
        to->section = report_section(to->out, to->out->root, "warnings", SLICE("Before you trust these numbers"));
    report_paragraph(to->out, to->section, "%s.", sentence);
}

static void leakage_add_words(struct report_document *out)
{
    struct report_node *section = report_section(out, out->root, "words", SLICE("What the words mean"));

    report_paragraph(out, section, "Compared (admitted in graph.db): documents with at least min_tokens features of "
                                   "the view; shorter ones are only looked up as "
                     "byte-equal copies. Percentages are of all readable documents of the source.");
    report_paragraph(out, section, "Direct: documents with an exact or near pair in the target. Contained: documents "
                                   "with a contained pair there; they may be direct too. "
                     "Copies: documents too short to be compared that are equal byte by byte to one there.");
    report_paragraph(out, section, "Transitive: documents whose cluster, connected through exact and near pairs, "
                                   "holds a document of the target; two documents of one "
                     "cluster need not be alike. Complete is no where pairs inside a corpus, or between two, were not "
                     "looked for: transitive is a lower bound there.");
}

static void leakage_say_hidden(struct report_document *out, struct report_node *section, const struct query_rows *rows)
{
    if (rows->hidden)
        report_paragraph(out, section, "%zu %s without a match %s left out here; report.json and graph.db have %s.",
                         rows->hidden, rows->hidden == 1 ? "row" : "rows",
                         rows->hidden == 1 ? "is" : "are", rows->hidden == 1 ? "it" : "them");
}

static int leakage_add_overlap(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "overlap", SLICE("What is shared")), *part;
    struct query_rows rows;
    uint64_t            aside = 0;
    int                 rc = query_table_add(out, section, db, &leakage_between, &rows, err);

    leakage_say_hidden(out, section, &rows);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'edges_file'", &aside, err);
    if (rc < 0) return rc;
    part = report_section(out, out->root, "pairs", SLICE("Pairs by kind"));
    if (aside)
        report_paragraph(out, part, "The pairs are too many for the database and lie in edges.tsv.zst beside it.");
    else if ((rc = query_table_add(out, part, db, &leakage_kinds, &rows, err)) < 0) return rc;
    part = report_section(out, out->root, "splits", SLICE("Between the splits of a dataset"));
    if ((rc = query_table_add(out, part, db, &leakage_within, &rows, err)) < 0) return rc;
    if (rows.all == 0) report_hide(part);
    leakage_say_hidden(out, part, &rows);
    if (rows.all) report_paragraph(out, part, "Direct, in percent of the documents of the row's split:");
    if ((rc = matrix_add(out, part, db, err)) < 0) return rc;
    part = report_section(out, out->root, "languages", SLICE("By language"));
    if ((rc = query_table_add(out, part, db, &leakage_by_language, &rows, err)) < 0) return rc;
    if (rows.all == 0) report_hide(part);                   /* one language: the table would repeat those above */
    leakage_say_hidden(out, part, &rows);
    return rc;
}

static int leakage_add_rejects(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "rejects", SLICE("Records that could not be used"));
    struct query_rows rows;
    int                 rc = query_table_add(out, section, db, &leakage_reasons, &rows, err);

    if (rc == 0 && rows.all) report_paragraph(out, section, "The first of each kind:");
    else if (rc == 0) report_paragraph(out, section, "Every record was used.");
    return rc < 0 ? rc : query_table_add(out, section, db, &leakage_examples, &rows, err);
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
    report_paragraph(out, section, "The same version with the same configuration and the same data gives the same "
                                   "digest, on any number of ranks and threads.");
    report_code(out, section, "commands", SLICE(""), SLICE("sh"),
                SLICE("leakgraph run config.resolved.yaml\nleakgraph fsck DIR\n"));
    rc = graph_prepare(db, &query, "SELECT key, value FROM run ORDER BY rowid", err);
    while (rc == 0 && n < room && (rc = graph_step(query, err)) == 1) {
        struct slice key, value = graph_text(query, 1), kept;

        rc = 0;
        if (pool_copy(&out->pool, graph_text(query, 0), &key) < 0 || pool_copy(&out->pool, value, &kept) < 0)
            rc = err_memory(err, value.len, "the report");
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

/* False after a run without the near-duplicate join: there is nothing to say of benchmarks and leaks then. */
static int leakage_near_ran(sqlite3 *db, bool *ran, struct err *err)
{
    uint64_t alone = 0;
    int      rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM run WHERE key GLOB 'dedup.*' OR key = 'clones.lines' "
                                  "OR key = 'ngrams.unit' OR key = 'probe.models' OR key = 'generate.outputs' OR key "
                                  "= 'repositories.share' OR key = 'portrait.name' OR key = 'sensitive.kinds') AND "
                                  "NOT EXISTS (SELECT 1 FROM run WHERE key GLOB 'near.*')", &alone, err);

    *ran = !alone;
    return rc;
}

int leakage_build(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct leakage_warnings warnings = { .out = out };
    struct report_node     *section;
    struct query_rows       rows;
    uint64_t                sensitive = 0;
    bool                    near = true;
    int                     rc;

    report_open(out, "What these datasets share");
    rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'sensitive.kinds'", &sensitive, err);
    out->masks = sensitive > 0;
    if (rc == 0) rc = leakage_near_ran(db, &near, err);
    if (rc == 0 && near) rc = leakage_add_summary(out, db, err);
    if (rc == 0) rc = duplication_add_summary(out, db, err);
    if (rc == 0) rc = clones_add_summary(out, db, err);
    if (rc == 0) rc = advice_give(db, &(struct advice_listener){ leakage_add_warning, &warnings }, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "compared", SLICE("What was compared"));
    rc = query_table_add(out, section, db, &leakage_datasets, &rows, err);
    if (rc == 0 && near) rc = leakage_add_overlap(out, db, err);
    if (near) leakage_add_words(out);
    if (rc == 0 && near) rc = leakage_add_items(out, db, err);
    if (rc == 0) rc = ngrams_add(out, db, err);
    if (rc == 0) rc = probes_add(out, db, err);
    if (rc == 0) rc = memorisation_add(out, db, err);
    if (rc == 0) rc = duplication_add(out, db, err);
    if (rc == 0) rc = clones_add(out, db, err);
    if (rc == 0) rc = membership_add(out, db, err);
    if (rc == 0) rc = sensitive_add(out, db, err);
    if (rc == 0) rc = portrait_add(out, db, err);
    if (rc == 0) rc = cleaned_add(out, db, err);
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
