/* dedup/report.c -- see report.h. */
#include "dedup/report.h"

#include "base/ratio.h"
#include "graph/read.h"
#include "report/query_table.h"
#include "view/curve.h"
#include "stats/interval.h"

#include <stddef.h>
#include <stdio.h>

/* ---- what the run says of itself ---- */

enum duplication_kind { DUPLICATION_NUMBER, DUPLICATION_REAL, DUPLICATION_WORD };

#define DUPLICATION_FIELD(name, kind) { "dedup." #name, kind, offsetof(struct duplication, name) }

static const struct { const char *key; enum duplication_kind kind; size_t at; } duplication_fields[] = {
    DUPLICATION_FIELD(method, DUPLICATION_WORD),            DUPLICATION_FIELD(write, DUPLICATION_WORD),
    DUPLICATION_FIELD(threshold, DUPLICATION_REAL),         DUPLICATION_FIELD(recall, DUPLICATION_REAL),
    DUPLICATION_FIELD(bands, DUPLICATION_NUMBER),           DUPLICATION_FIELD(rows, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(exact_features, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(documents, DUPLICATION_NUMBER),       DUPLICATION_FIELD(copies, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(apart, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(candidates, DUPLICATION_NUMBER),      DUPLICATION_FIELD(verified, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(removed, DUPLICATION_NUMBER),         DUPLICATION_FIELD(removed_bytes, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(text_bytes, DUPLICATION_NUMBER),      DUPLICATION_FIELD(clusters, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(largest_cluster, DUPLICATION_NUMBER), DUPLICATION_FIELD(hot_buckets, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(hot_members, DUPLICATION_NUMBER),     DUPLICATION_FIELD(bucket_cap, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(sample_documents, DUPLICATION_NUMBER), DUPLICATION_FIELD(sample_pairs, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(sample_found, DUPLICATION_NUMBER),    DUPLICATION_FIELD(mutants, DUPLICATION_NUMBER),
    DUPLICATION_FIELD(mutants_found, DUPLICATION_NUMBER),
};

int duplication_read(struct duplication *out, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT key, value, CAST(value AS INTEGER), CAST(value AS REAL) FROM "
                                                 "run WHERE key GLOB 'dedup.*'", err);

    *out = (struct duplication){ 0 };
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice key = graph_text(query, 0), value = graph_text(query, 1);

        rc = 0;
        out->ran = true;
        for (size_t i = 0; i < sizeof duplication_fields / sizeof duplication_fields[0]; i++) {
            char *at = (char *)out + duplication_fields[i].at;

            if (!slice_equal(key, slice_of(duplication_fields[i].key))) continue;
            switch (duplication_fields[i].kind) {
            case DUPLICATION_NUMBER: *(uint64_t *)(void *)at = graph_number(query, 2); break;
            case DUPLICATION_REAL:   *(double *)(void *)at = graph_real(query, 3); break;
            case DUPLICATION_WORD:   snprintf(at, sizeof out->method, "%.*s", (int)value.len, value.at); break;
            }
        }
    }
    graph_finish(query);
    return rc;
}
_Static_assert(sizeof((struct duplication *)0)->method == sizeof((struct duplication *)0)->write,
               "words have one size");

static bool duplication_is_exact(const struct duplication *run) { return strcmp(run->method, "exact") == 0; }

/* A file from elsewhere may say anything. */
static bool duplication_has_bands(const struct duplication *run)
{
    enum { BANDS_MOST = 1 << 20 };

    return !duplication_is_exact(run) && run->bands && run->rows && run->bands <= BANDS_MOST && run->rows <= BANDS_MOST;
}

double duplication_recall(const struct duplication *run)
{
    return duplication_has_bands(run) ? curve_candidate(run->threshold, (uint32_t)run->bands, (uint32_t)run->rows) : 1;
}

/* ---- tables ---- */

static const struct query_column duplication_split_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "split", "split", CELL_PART }, { "language", "language", CELL_PART },
    { "documents", "documents", CELL_COUNT }, { "removed", "removed", CELL_COUNT },
    { "removed_percent", "%", CELL_PERCENT }, { "bytes", "text", CELL_BYTES },
    { "removed_bytes", "text removed", CELL_BYTES }, { "removed_bytes_percent", "%", CELL_PERCENT },
};

static const struct query_table duplication_splits = {
    "splits", "dedup_splits", duplication_split_columns, 9, 0, NULL,
};
static const struct query_table duplication_languages = {
    "languages",
    "dedup_languages WHERE (SELECT count(DISTINCT language) FROM splits WHERE removed IS NOT NULL AND documents > 0) > "
    "1",
    duplication_split_columns, 9, 0, NULL,
};

/* What a removed document has to do with the one that stays. */
static const struct query_column duplication_kind_columns[] = {
    { "kind", "kind", CELL_TEXT }, { "documents", "removed", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
    { "meaning", "documents that", CELL_TEXT },
};
static const struct query_table duplication_kinds = {
    "kinds", "dedup_kinds", duplication_kind_columns, 4, 0, NULL,
};

static const struct query_column duplication_cluster_columns[] = {
    { "id", "snippet that stays", CELL_ID }, { "size", "documents", CELL_COUNT },
    { "removed", "removed", CELL_COUNT }, { "smallest_similarity", "least alike", CELL_SHARE },
    { "repositories", "repositories", CELL_COUNT }, { "dataset", "dataset", CELL_NAME },
    { "split", "split", CELL_NAME }, { "source_id", "id", CELL_NAME }, { "path", "path", CELL_NAME },
};

static const struct query_table duplication_clusters = {
    "largest", "dedup_clusters LIMIT 20", duplication_cluster_columns, 9, 0, NULL,
};

static const struct query_column duplication_size_columns[] = {
    { "size", "documents in a cluster", CELL_TEXT }, { "clusters", "clusters", CELL_COUNT },
    { "documents", "documents", CELL_COUNT }, { "documents_percent", "% of all documents", CELL_PERCENT },
};
static const struct query_table duplication_sizes = {
    "sizes", "dedup_sizes", duplication_size_columns, 4, 0, NULL,
};

static const struct query_column duplication_flow_columns[] = {
    { "dataset", "removed from", CELL_NAME }, { "split", "split", CELL_PART },
    { "kept_dataset", "in favour of", CELL_NAME }, { "kept_split", "its split", CELL_PART },
    { "documents", "documents", CELL_COUNT }, { "percent", "%", CELL_PERCENT },
};
static const struct query_table duplication_flows = {
    "between", "dedup_between", duplication_flow_columns, 6, 0, NULL,
};
static const struct query_table duplication_split_flows = {
    "between_splits", "dedup_between_splits", duplication_flow_columns, 6, 0, NULL,
};

const struct query_table *const duplication_ahead[] = {
    &duplication_kinds, &duplication_sizes, &duplication_clusters, NULL,
};

static const struct report_chart curve_chart = {
    CHART_CURVES, "The chance that a pair is proposed", { NULL }, "similarity", { "caught" },
};
static const struct report_chart recall_chart = {
    CHART_BARS, "Recall, measured", { "measure" }, NULL, { "recall_percent" },
};
static const struct report_chart sizes_chart = { CHART_BARS, "Clusters by size", { "size" }, NULL, { "clusters" } };

/* ---- sections ---- */

static double duplication_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

int duplication_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    struct duplication run;
    int                rc = duplication_read(&run, db, err);

    if (rc < 0 || !run.ran) return rc;
    report_paragraph(out, found, "%.2f %% of the documents (%llu of %llu), with %.2f %% of the text (%.2f of %.2f "
                                     "MB), repeat a document that stays and are removed.",
                     duplication_percent(run.removed, run.documents), (unsigned long long)run.removed,
                         (unsigned long long)run.documents,
                     duplication_percent(run.removed_bytes, run.text_bytes), (double)run.removed_bytes / 1e6,
                         (double)run.text_bytes / 1e6);
    return 0;
}

static const struct report_column duplication_fact_columns[] = {
    { "documents", "documents" }, { "removed", "removed" }, { "removed_percent", "share of the documents" },
    { "bytes", "text" }, { "removed_bytes", "text removed" },
    { "removed_bytes_percent", "share of the text" },
    { "copies", "documents whose features another one has, each as often (exact copies among them)" },
    { "clusters", "clusters of two or more" }, { "largest_cluster", "documents in the largest" },
    { "protected", "kept by protect, though a duplicate" },
    { "candidates", "pairs intersected" }, { "verified", "pairs that passed" },
};

static int duplication_add_removed(struct report_document *out, struct report_node *section, sqlite3 *db,
                                   const struct duplication *run, struct err *err)
{
    struct report_node *part;
    struct query_rows   rows;
    bool                aside = false;
    uint64_t            spared;
    int                 rc = graph_count(db, "SELECT count(*) FROM dedup WHERE kept = 1 AND canonical <> snippet",
                                         &spared, err);

    if (rc == 0) rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc < 0) return rc;
    if (strcmp(run->write, "shards") == 0)
        report_paragraph(out, section, "The datasets without what was removed are in clean/, lists of it in lists/.");
    else if (strcmp(run->write, "lists") == 0) report_paragraph(out, section, "What to remove is listed in lists/.");
    report_row(out, report_facts(out, section, "summary", duplication_fact_columns,
                                 sizeof duplication_fact_columns / sizeof duplication_fact_columns[0]),
               (const struct report_cell[]){
                   report_cell_count(run->documents), report_cell_count(run->removed),
                       report_cell_percent(run->removed, run->documents),
                   report_cell_bytes(run->text_bytes), report_cell_bytes(run->removed_bytes),
                       report_cell_percent(run->removed_bytes, run->text_bytes),
                   report_cell_count(run->copies), report_cell_count(run->clusters),
                       report_cell_count(run->largest_cluster), report_cell_count(spared),
                   report_cell_count(run->candidates), report_cell_count(run->verified),
               });
    rc = query_table_add(out, section, db, &duplication_splits, &rows, err);
    part = report_section(out, section, "by_language", SLICE("By language"));
    if (rc == 0) rc = query_table_add(out, part, db, &duplication_languages, &rows, err);
    if (rc == 0 && rows.all == 0) report_hide(part);
    part = report_section(out, section, "why", SLICE("What the removed documents share with the one that stays"));
    if (aside)
        report_paragraph(out, part, "The pairs are too many for the database and lie in edges.tsv.zst beside it.");
    else if (rc == 0) rc = query_table_add(out, part, db, &duplication_kinds, &rows, err);
    return rc;
}

/* Rows of table run as they are. */
static int duplication_add_settings(struct report_document *out, struct report_node *section, sqlite3 *db,
                                    struct err *err)
{
    static const struct report_column columns[] = {
        { "view", "view" }, { "min_tokens", "min_tokens" }, { "threshold", "threshold (Jaccard, of sets)" },
        { "multiset_threshold", "multiset_threshold" },
        { "containment", "containment" }, { "method", "method" }, { "recall", "recall wanted at the threshold" },
        { "bands", "bands" }, { "rows", "rows of a band" },
        { "cluster", "cluster" }, { "keep", "keep" }, { "bucket_cap", "bucket_cap" },
    };
    enum { COUNT = sizeof columns / sizeof columns[0] };
    struct report_cell  cell[COUNT];
    sqlite3_stmt       *query;
    int                 rc = graph_prepare(db, &query, "SELECT iif(?1 IN ('recall', 'bands', 'rows') AND "
                                                    "(SELECT value FROM run WHERE key = 'dedup.method') = 'exact', "
                                                    "'none', value) FROM run WHERE key = 'dedup.' || ?1", err);

    for (size_t i = 0; i < COUNT && rc == 0; i++) {
        struct slice kept = { "", 0 };

        rc = graph_bind_text(query, 1, slice_of(columns[i].key), err);
        if (rc == 0) rc = graph_step(query, err);
        if (rc == 1 && pool_copy(&out->pool, graph_text(query, 0), &kept) < 0)
            rc = err_memory(err, kept.len, "the report");
        cell[i] = report_cell_name(kept);
        sqlite3_reset(query);
        if (rc > 0) rc = 0;
    }
    graph_finish(query);
    if (rc == 0) report_row(out, report_facts(out, section, "settings", columns, COUNT), cell);
    return rc;
}

static int duplication_add_asked(struct report_document *out, struct report_node *parent, sqlite3 *db,
                                 const struct duplication *run, struct err *err)
{
    static const struct report_column columns[] = { { "similarity", "Jaccard index of a pair" },
                                                    { "caught", "chance to be proposed" } };
    enum { STEPS = 20, SHOWN_FROM = 10, SHOWN_EACH = 2 };   /* report.md has 0.5 to 0.9 by tenths, the page the curve */
    const char         *hot = run->hot_buckets ? ", but in buckets of more than bucket_cap documents" : "";
    struct report_node *section = report_section(out, parent, "asked", SLICE("What was asked, and what that catches")),
        *table;
    int                 rc = duplication_add_settings(out, section, db, err);

    if (duplication_is_exact(run))
        report_paragraph(out, section, "All documents were compared exactly, through their rarest features: of what "
                                       "the threshold asks, nothing is missed%s.", hot);
    if (rc < 0 || !duplication_has_bands(run)) return rc;
    if (run->exact_features)
        report_paragraph(out, section, "Documents of up to %llu distinct features were compared exactly, through "
                                       "their rarest features: of their pairs none "
                         "is missed%s. What follows is of longer ones.", (unsigned long long)run->exact_features, hot);
    report_paragraph(out, section, "A pair is proposed when one of %llu bands of %llu minima agrees: %.2f %% of the "
                                   "pairs exactly at the threshold are, "
                     "and half of those at %.3f. What is not proposed is missed.", (unsigned long long)run->bands,
                         (unsigned long long)run->rows, 100 * duplication_recall(run),
                     curve_knee((uint32_t)run->bands, (uint32_t)run->rows));
    table = report_table(out, section, "curve", columns, 2);
    report_chart(table, &curve_chart);
    for (int i = 0; i <= STEPS; i++) {
        const double similarity = (double)i / STEPS,
                     caught = curve_candidate(similarity, (uint32_t)run->bands, (uint32_t)run->rows);

        report_row(out, table, (const struct report_cell[]){ report_cell_share(similarity),
                                                             report_cell_share(caught) });
        if (i < SHOWN_FROM || i % SHOWN_EACH || i == STEPS) report_hide_row(table);
    }
    return rc;
}

static void duplication_add_measure(struct report_document *out, struct report_node *table, const char *what,
                                    uint64_t found, uint64_t pairs)
{
    double low, high;

    wilson_interval(found, pairs, &low, &high);
    report_row(out, table, (const struct report_cell[]){
        report_cell_text(slice_of(what)), report_cell_count(pairs), report_cell_count(found),
            report_cell_percent(found, pairs), report_cell_share(low), report_cell_share(high),
    });
}

static void duplication_add_recall(struct report_document *out, struct report_node *parent,
                                   const struct duplication *run)
{
    static const struct report_column columns[] = {
        { "measure", "measured on" }, { "pairs", "pairs" }, { "found", "found" }, { "recall_percent", "recall" },
        { "low", "95 % interval from" }, { "high", "to" },
    };
    struct report_node *section = report_section(out, parent, "recall", SLICE("How far it can be trusted")), *table;

    report_paragraph(out, section,
                     "Precision is 1: every pair was verified by intersecting the features of both documents exactly.");
    if (run->sample_documents == 0 && run->mutants == 0) {
        report_paragraph(out, section, "Recall was not measured (measure: 0).");
        return;
    }
    report_paragraph(out, section, "Recall was measured: %llu sampled documents, and mutants made of them (edited, "
                                   "renamed, reformatted, cut short), were "
                     "compared exactly with all documents, and the pairs that reach the threshold counted.",
                         (unsigned long long)run->sample_documents);
    table = report_table(out, section, "measured", columns, sizeof columns / sizeof columns[0]);
    report_chart(table, &recall_chart);
    duplication_add_measure(out, table, "sample", run->sample_found, run->sample_pairs);
    duplication_add_measure(out, table, "mutants", run->mutants_found, run->mutants);
}

static int duplication_add_clusters(struct report_document *out, struct report_node *parent, sqlite3 *db,
                                    struct err *err)
{
    struct report_node *section = report_section(out, parent, "clusters", SLICE("Clusters"));
    struct query_rows   rows;
    int                 rc = query_table_add(out, section, db, &duplication_sizes, &rows, err);

    report_chart(rows.table, &sizes_chart);
    if (rc == 0)
        report_paragraph(out, section, "The largest, by the document that stays (leakgraph show DIR SNIPPET). Least "
                                       "alike: the smallest similarity to it of "
                         "a document that has a pair with it. Repositories: different ones, of documents that name "
                         "theirs.");
    if (rc == 0) rc = query_table_add(out, section, db, &duplication_clusters, &rows, err);
    if (rc == 0 && rows.all == 0) report_paragraph(out, section, "There is none.");
    return rc;
}

static int duplication_add_flows(struct report_document *out, struct report_node *parent, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, parent, "flows", SLICE("Which dataset repeats which"));
    struct query_rows   rows;
    int                 rc = query_table_add(out, section, db, &duplication_flows, &rows, err);

    if (rc == 0 && rows.all == 0) report_paragraph(out, section, "No document was removed.");
    section = report_section(out, parent, "split_flows", SLICE("Which split repeats which"));
    if (rc == 0) rc = query_table_add(out, section, db, &duplication_split_flows, &rows, err);
    if (rc == 0 && rows.all == 0) report_hide(section);
    return rc;
}

int duplication_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct duplication  run;
    struct report_node *section;
    int                 rc = duplication_read(&run, db, err);

    if (rc < 0 || !run.ran) return rc;
    section = report_section(out, out->root, "dedup", SLICE("What repeats, and was removed"));
    rc = duplication_add_removed(out, section, db, &run, err);
    if (rc == 0) rc = duplication_add_asked(out, section, db, &run, err);
    if (rc == 0) duplication_add_recall(out, section, &run);
    if (rc == 0) rc = duplication_add_clusters(out, section, db, err);
    return rc < 0 ? rc : duplication_add_flows(out, section, db, err);
}
