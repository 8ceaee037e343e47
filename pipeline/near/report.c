/* near/report.c -- see report.h. */
#include "near/report.h"

#include "graph/read.h"
#include "near/leaked.h"
#include "near/matrix.h"
#include "near/near.h"
#include "near/report_benchmarks.h"
#include "near/report_items.h"
#include "near/report_licences.h"
#include "report/query_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AS_TEXT(x) #x
#define TEXT_OF(x) AS_TEXT(x)

static const struct query_column leakage_overlap_columns[] = {
    { "source", "source", CELL_NAME }, { "split", "split", CELL_PART }, { "target", "target", CELL_NAME },
    { "target_split", "target split", CELL_PART }, { "language", "language", CELL_PART },
    { "documents", "documents", CELL_COUNT }, { "admitted", "compared", CELL_COUNT },
    { "admitted_percent", "%", CELL_PERCENT }, { "direct", "direct", CELL_COUNT },
    { "direct_percent", "%", CELL_PERCENT }, { "contained", "contained", CELL_COUNT },
    { "contained_percent", "%", CELL_PERCENT }, { "copies", "copies", CELL_COUNT },
    { "transitive", "transitive", CELL_COUNT }, { "transitive_percent", "%", CELL_PERCENT },
    { "complete", "complete", CELL_FLAG },
};

#define LEAKAGE_ANY "direct + transitive + copies + contained"

/* Whole datasets first. */
#define LEAKAGE_LARGEST \
    "split <> '' OR target_split <> '', direct + contained + copies DESC, transitive DESC, source, target, split, " \
    "target_split, language"

static const struct query_table leakage_between = {
    "between", "leakage", leakage_overlap_columns, 16, 0, LEAKAGE_ANY,
};
static const struct query_table leakage_within = {
    "within", "leakage_within", leakage_overlap_columns, 16, 0, LEAKAGE_ANY,
};
static const struct query_table leakage_by_language = {
    "by_language", "leakage_by_language WHERE (SELECT count(DISTINCT language) FROM leakage_by_language) > 1",
    leakage_overlap_columns, 16, 0, LEAKAGE_ANY,
};

/* Whether each benchmark leaked. */
static const struct query_column leakage_verdict_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "outcome", "outcome", CELL_OUTCOME }, { "percent", "%", CELL_PERCENT },
    { "verdict", "verdict", CELL_TEXT }, { "leaked", "leaked items", CELL_COUNT }, { "items", "items", CELL_COUNT },
    { "corpus", "most in", CELL_NAME },
};
static const struct query_table leakage_verdicts = {
    "benchmarks", "benchmark_verdicts", leakage_verdict_columns, 7, 0, NULL,
};

/* What it took to be compared: with auto, chosen by the items. */
static const struct query_column leakage_minimum_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "min_tokens", "min_tokens", CELL_COUNT },
    { "documents", "documents", CELL_COUNT }, { "compared", "compared", CELL_COUNT },
    { "compared_percent", "%", CELL_PERCENT },
};
static const struct query_table leakage_minimums = {
    "min_tokens", "near_minimums", leakage_minimum_columns, 5, 0, NULL,
};

/* What each kind of pair is, beside how many there are. */
static const struct query_column leakage_kind_columns[] = {
    { "kind", "kind", CELL_TEXT }, { "pairs", "pairs", CELL_COUNT }, { "meaning", "two documents that", CELL_TEXT },
};
static const struct query_table leakage_kinds = { "kinds", "pair_kinds", leakage_kind_columns, 3, 0, NULL };

/* The whole datasets are in rows of their own, beside their splits. */
static const struct report_chart leakage_chart = {
    CHART_MATRIX, "Of the documents of the row, so many are in the dataset of the column",
    { "source", "split" }, "target", { "direct_percent", "contained_percent", "transitive_percent" },
};

static const struct report_chart kinds_chart = { CHART_BARS, "Pairs by kind", { "kind" }, NULL, { "pairs" } };

/* ---- sections ---- */

static double leakage_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t leakage_found(const struct leaked *row) 
{
    return row->direct + row->contained + row->copies + row->in_functions;
}

/* Highest share first; equal ones stay in their order (qsort alone promises none). */
static int leakage_worse(const void *a, const void *b)
{
    const struct leaked *x = *(const struct leaked *const *)a, *y = *(const struct leaked *const *)b;
    double               p = leakage_percent(leakage_found(x), x->documents),
        q = leakage_percent(leakage_found(y), y->documents);

    return p != q ? (p < q ? 1 : -1) : (x > y) - (x < y);
}

/* What there is none of is left out. */
static int leakage_say(struct report_document *out, struct report_node *found, const struct leaked *row,
                       struct err *err)
{
    const struct { uint64_t count; const char *what; } part[] = {
        { row->direct, "have an exact or near duplicate there" },
        { row->contained, "are contained in a document of it" },
        { row->copies, "are copies of documents too short to be compared" },
        { row->in_functions, "are like no document, but like a function inside one" },
    };
    struct bytes how = { 0 };
    int          rc = 0;

    for (size_t i = 0; i < sizeof part / sizeof *part && rc == 0; i++)
        if (part[i].count)
            rc = bytes_printf(&how, "%s %llu %s", how.len ? "," : "", (unsigned long long)part[i].count, part[i].what);
    if (rc < 0) rc = err_memory(err, how.len, "the summary");
    else
        report_paragraph(out, found, "%.2f %% of %.*s (%llu of %llu documents) are in %.*s:%.*s.",
                         leakage_percent(leakage_found(row), row->documents), (int)row->source.len, row->source.at,
                         (unsigned long long)leakage_found(row), (unsigned long long)row->documents,
                         (int)row->target.len, row->target.at, (int)how.len, how.at);
    bytes_free(&how);
    return rc;
}

/* The worst benchmarks in a sentence each. */
static int leakage_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    struct leaked_list    leaked = { 0 };
    const struct leaked **order = NULL;
    size_t                said = 0;
    int                   rc = leaked_read(&leaked, db, err);

    if (rc == 0) order = calloc(leaked.count + 1, sizeof *order);
    if (rc == 0 && !order) rc = err_memory(err, leaked.count * sizeof *order, "the summary");
    for (size_t i = 0; rc == 0 && i < leaked.count; i++) order[i] = &leaked.at[i];
    if (rc == 0) qsort(order, leaked.count, sizeof *order, leakage_worse);
    for (; rc == 0 && said < leaked.count && said < LEAKAGE_SENTENCES && leakage_found(order[said]); said++)
        rc = leakage_say(out, found, order[said], err);
    if (rc == 0 && said == 0)
        report_paragraph(out, found, "No document of a benchmark has a pair in another dataset.");
    free(order);
    leaked_free(&leaked);
    return rc;
}

static void leakage_add_words(struct report_document *out)
{
    struct report_node *section = report_section(out, out->root, "words", SLICE("What the words mean"));

    report_paragraph(out, section, "Compared (admitted in graph.db): documents with at least min_tokens features of "
                                   "the view (the benchmark's number); shorter ones are only looked up as "
                     "copies. Percentages are of all readable documents of the source.");
    report_paragraph(out, section, "Direct: documents with an exact or near pair in the target. Contained: documents "
                                   "with a contained pair there; they may be direct too. "
                     "Copies: documents too short to be compared that are equal to one there but for white space.");
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

static int leakage_table_add(struct report_document *out, struct report_node *section, sqlite3 *db,
                             const struct query_table *table, struct query_rows *rows, struct err *err)
{
    const int rc = query_table_add_largest(out, section, db, table, LEAKAGE_LARGEST, rows, err);

    leakage_say_hidden(out, section, rows);
    return rc;
}

static int leakage_add_overlap(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "overlap", SLICE("What is shared")), *part;
    struct query_rows rows;
    bool                aside = false;
    int                 rc = leakage_table_add(out, section, db, &leakage_between, &rows, err);

    if (rc == 0) report_chart(rows.table, &leakage_chart);
    if (rc == 0) rc = query_table_add(out, section, db, &leakage_minimums, &rows, err);
    if (rc == 0) rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc < 0) return rc;
    part = report_section(out, out->root, "pairs", SLICE("Pairs by kind"));
    if (aside)
        report_paragraph(out, part, "The pairs are too many for the database and lie in edges.tsv.zst beside it.");
    if ((rc = query_table_add(out, part, db, &leakage_kinds, &rows, err)) < 0) return rc;
    report_chart(rows.table, &kinds_chart);
    part = report_section(out, out->root, "splits", SLICE("Between the splits of a dataset"));
    if ((rc = leakage_table_add(out, part, db, &leakage_within, &rows, err)) < 0) return rc;
    if (rows.all == 0) report_hide(part);
    if (rows.all) report_paragraph(out, part, "Direct, in percent of the documents of the row's split:");
    if ((rc = matrix_add(out, part, db, err)) < 0) return rc;
    part = report_section(out, out->root, "languages", SLICE("By language"));
    if ((rc = leakage_table_add(out, part, db, &leakage_by_language, &rows, err)) < 0) return rc;
    if (rows.all == 0) report_hide(part);                   /* one language: the table would repeat those above */
    return rc;
}

/* Is there anything to say of benchmarks and leaks? */
static int near_ran(sqlite3 *db, bool *ran, struct err *err)
{
    uint64_t rows = 0;
    int      rc =
        graph_count(db, "SELECT EXISTS (SELECT 1 FROM run WHERE key GLOB 'near.*') OR EXISTS (SELECT 1 FROM overlap)",
                         &rows, err);

    *ran = rows > 0;
    return rc;
}

int near_report_judge(struct report_document *out, struct report_node *verdict, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    bool              ran;
    int               rc = near_ran(db, &ran, err);

    return rc < 0 || !ran ? rc : query_table_add(out, verdict, db, &leakage_verdicts, &rows, err);
}

int near_report_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    bool ran;
    int  rc = near_ran(db, &ran, err);

    return rc < 0 || !ran ? rc : leakage_add_summary(out, found, db, err);
}

int near_report_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    bool ran;
    int  rc = near_ran(db, &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = leakage_add_overlap(out, db, err);
    if (rc == 0) rc = benchmarks_report_add(out, db, err);
    if (rc == 0) rc = licences_report_add(out, db, err);
    leakage_add_words(out);
    return rc < 0 ? rc : leakage_add_items(out, db, err);
}

/* ---- warnings ---- */

/* Under half of a benchmark is compared: what a smaller number would add, where shorter items are to be had. */
static const char short_query[] =
    "WITH asked AS (SELECT d.id AS id, d.rowid AS place, CAST(r.value AS INTEGER) AS least, sum(l.documents) AS items "
    "FROM datasets AS d JOIN run AS r ON r.key = 'near.min_tokens.' || d.id JOIN lengths AS l ON l.dataset = d.id "
    "WHERE d.role = 'benchmark' GROUP BY d.rowid), "
    "found AS (SELECT *, (SELECT sum(admitted) FROM splits WHERE dataset = id) AS compared FROM asked), "
    "less AS (SELECT id, column1 AS least, (SELECT ifnull(sum(documents), 0) FROM lengths WHERE dataset = id AND "
    "lengths.least >= column1) AS items FROM found, (VALUES (15), (10), (5)) WHERE column1 < found.least) "
    "SELECT printf('%s: only %d of %d items have the %d features that it takes to be compared%s', id, compared, items, "
    "least, ifnull((SELECT '; ' || group_concat(printf('min_tokens: %d would compare %d', l.least, l.items), ', ') || "
    "' (or auto)' FROM (SELECT * FROM less WHERE less.id = found.id AND less.items > compared ORDER BY least DESC) AS "
    "l), ': shorter ones are looked up as copies, equal but for white space; a view with more features (tokens) "
    "compares more')) FROM found WHERE 2 * compared < items AND (compared > 0 OR EXISTS (SELECT 1 FROM less WHERE "
    "less.id = found.id AND less.items > 0)) ORDER BY place";

#define DATASET_LANGUAGES(id) ADVICE_LANGUAGES("splits WHERE dataset = " id " AND documents > 0")

/* Both orders of a pair have a row; the one in the order of the datasets speaks. */
static const char languages_query[] =
    "WITH spoken AS MATERIALIZED (SELECT DISTINCT dataset, language FROM splits WHERE documents > 0) "
    "SELECT printf('%s is %s, %s is %s: no pair of theirs was compared; set `language:` of one of them%s', "
    "o.source, " DATASET_LANGUAGES("o.source") ", o.target, " DATASET_LANGUAGES("o.target") ", iif(EXISTS (SELECT 1 "
    "FROM splits WHERE dataset IN (o.source, o.target) AND language IN ('', 'text') AND documents > 0), '', ', or "
    "across_languages: true')) "
    "FROM overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = o.target "
    "WHERE s.rowid < t.rowid AND o.split = '' AND o.target_split = '' AND o.language = '' AND o.documents > 0 "
    "AND o.target IN (SELECT dataset FROM spoken) "
    "AND EXISTS (SELECT 1 FROM run WHERE key = 'near.across_languages' AND value = 'false') "
    "AND (o.source, o.target) NOT IN (SELECT x.dataset, y.dataset FROM spoken AS x JOIN spoken AS y ON y.language = "
    "x.language) ORDER BY o.rowid";

/* A corpus that has a few documents of a benchmark's language, a README among its sources, has met most of it no more
 * than one that has none.  A text of no known language is not taken apart as its language would be, so comparing across
 * languages does not mend that. */
static const char partly_query[] =
    "WITH sides AS (SELECT o.source AS source, o.target AS target, o.rowid AS place, w.documents AS whole FROM "
    "overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON "
    "t.id = o.target LEFT JOIN (SELECT dataset, sum(documents) AS documents FROM splits GROUP BY dataset) AS w ON "
    "w.dataset = o.target WHERE s.role = 'benchmark' AND t.role = 'corpus' AND o.split = '' AND o.target_split = '' "
    "AND o.language = ''), "
    "met AS (SELECT c.*, x.language AS language, x.documents AS documents, ifnull(y.documents, 0) AS there FROM sides "
    "AS c JOIN splits AS x ON x.dataset = c.source LEFT JOIN (SELECT dataset, language, sum(documents) AS documents "
    "FROM splits GROUP BY dataset, language) AS y ON y.dataset = c.target AND y.language = x.language "
    "ORDER BY c.place, x.rowid), "
    "told AS (SELECT *, " LEAKED_ALONE("there", "language", "whole") " AS alone FROM met) "
    "SELECT printf('%d of %d documents of %s are %s, as hardly a document of %s is (%d of %d): they were compared with "
    "those alone; set `language:` where that is wrong', sum(iif(alone, documents, 0)), sum(documents), source, "
    "group_concat(DISTINCT iif(alone, iif(language = '', 'of no known language', language), NULL)), target, "
    "max(iif(alone, there, 0)), whole) FROM told GROUP BY place HAVING 2 * sum(iif(alone, documents, 0)) > "
    "sum(documents) AND max(there) > 0 AND (SELECT value FROM run WHERE key = 'near.across_languages') = 'false' ORDER "
    "BY place";

/* The same bytes taken for two languages: features of two languages are never the same. */
static const char apart_query[] =
    "SELECT printf('%s: %d of its documents have the same bytes as %s of another language: they were not compared and "
    "count nowhere; set `language:` of the datasets to what they are', d.id, CAST(r.value AS INTEGER), iif(d.role = "
    "'benchmark', 'other documents', 'items')) FROM datasets AS d JOIN run AS r ON r.key = 'near.apart.' || d.id ORDER "
    "BY d.rowid";

/* A corpus of files beside items that are functions: half of its documents have at least 5 times the features that half
 * of the items have.  Lengths beyond 32 are known by powers of 2, so a corpus is taken for shorter than it is.  Said
 * where containment is off, and under auto where a tenth of the items is too short for it. */
static const char longer_query[] =
    "WITH sums AS (SELECT dataset, least, sum(documents) OVER (PARTITION BY dataset ORDER BY least) AS upto, "
    "sum(documents) OVER (PARTITION BY dataset) AS documents FROM lengths), "
    "medians AS (SELECT d.id AS id, d.role AS role, d.rowid AS place, min(s.least) AS half FROM datasets AS d JOIN "
    "sums AS s ON s.dataset = d.id WHERE 2 * s.upto >= s.documents GROUP BY d.rowid), "
    "beside AS MATERIALIZED (SELECT c.id AS corpus, c.half AS longer, c.place AS place, b.id AS items, b.half AS half, "
    "r.value AS asked FROM medians AS c JOIN medians AS b ON b.role = 'benchmark' AND b.half > 0 AND c.half >= 5 * "
    "b.half JOIN run AS r ON r.key = 'near.containment_threshold' AND r.value IN ('off', 'auto') WHERE c.role = "
    "'corpus' AND NOT EXISTS (SELECT 1 FROM run WHERE key = 'functions.datasets') "
    "AND (EXISTS (SELECT 1 FROM run WHERE key = 'near.across_languages' AND value = 'true') OR EXISTS (SELECT 1 FROM "
    "splits AS x JOIN splits AS y ON y.language = x.language WHERE x.dataset = b.id AND y.dataset = c.id AND "
    "x.documents > 0 AND y.documents > 0))) "
    "SELECT printf('%s: half of its documents have %d features and more, half of the items of %s %d at most: ', "
    "corpus, longer, group_concat(items, ' and '), max(half)) || iif(asked = 'off', 'a function inside a file is no "
    "near duplicate of the file; containment_threshold: auto finds it in views of identifiers', printf('items inside "
    "files are counted as contained, but the %d of %d that have fewer than " TEXT_OF(CONTAINMENT_DISTINCT) " distinct "
    "features are not looked for there', sum(i.short), sum(i.documents))) FROM beside LEFT JOIN (SELECT dataset, "
    "count(*) AS documents, sum(distinct_features < " TEXT_OF(CONTAINMENT_DISTINCT) ") AS short FROM snippets WHERE "
    "dataset IN (SELECT items FROM beside WHERE asked = 'auto') GROUP BY dataset) AS i ON i.dataset = items WHERE "
    "asked = 'off' OR 10 * i.short >= i.documents GROUP BY place ORDER BY place";

int near_report_advise(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    uint64_t lengths = 0;                                   /* a graph of 0.1.0 has none */
    int      rc = advice_query(db, languages_query, to, err);

    if (rc == 0) rc = advice_query(db, partly_query, to, err);
    if (rc == 0) rc = advice_query(db, apart_query, to, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM sqlite_master WHERE name = 'lengths'", &lengths, err);
    if (rc == 0 && lengths) rc = advice_query(db, short_query, to, err);
    return rc < 0 || !lengths ? rc : advice_query(db, longer_query, to, err);
}
