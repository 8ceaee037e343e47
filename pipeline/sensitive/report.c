/* sensitive/report.c -- see sensitive.h. */
#include "sensitive/report.h"

#include "graph/read.h"
#include "report/query_table.h"
#include "sensitive/sensitive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct query_column sensitive_kind_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "kind", "kind", CELL_NAME }, { "pattern", "pattern", CELL_NAME },
    { "distinct", "different values", CELL_COUNT }, { "occurrences", "occurrences", CELL_COUNT },
    { "in_corpus", "of the values, in a corpus", CELL_COUNT }, { "in_corpus_percent", "%", CELL_PERCENT },
    { "corpus_occurrences", "occurrences there", CELL_COUNT },
};
static const struct query_table sensitive_kinds = {
    "kinds", "sensitive_kinds", sensitive_kind_columns, 8, 0, NULL,
};
static const struct query_table sensitive_alone = {
    "alone", "sensitive_alone", sensitive_kind_columns, 5, 0, NULL,
};

static const struct query_column sensitive_value_columns[] = {
    { "dataset", "dataset", CELL_NAME }, { "kind", "kind", CELL_NAME }, { "pattern", "pattern", CELL_NAME },
    { "masked", "masked value", CELL_NAME }, { "occurrences", "occurrences", CELL_COUNT },
    { "documents", "documents", CELL_COUNT }, { "corpus_occurrences", "occurrences in corpora", CELL_COUNT },
    { "corpus_documents", "documents there", CELL_COUNT },
};
static const struct query_table sensitive_values = {
    "found", "sensitive_found LIMIT 1000", sensitive_value_columns, 8, 20, NULL,
};

static const struct report_chart kinds_chart = {
    CHART_BARS, "Different values that a corpus has too", { "dataset", "pattern" }, NULL, { "in_corpus" },
};

int sensitive_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            ran, alone = 0, searched = 0;
    int                 rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'sensitive.kinds'", &ran, err);

    if (rc < 0 || !ran) return rc;
    rc = graph_count(db, "SELECT count(*) FROM sensitive WHERE corpus_occurrences IS NULL", &alone, err);
    if (rc == 0)
        rc = graph_count(db, "SELECT count(*) FROM sensitive WHERE corpus_occurrences IS NOT NULL", &searched, err);
    if (rc < 0) return rc;
    section = report_section(out, out->root, "sensitive", SLICE("Sensitive strings"));
    report_paragraph(out, section, "E-mail addresses, IP addresses and keys. A value of a benchmark is in a corpus "
                                   "when it stands there verbatim, anywhere in a text. "
                     "Values are shown by their first and last character and their length.");
    if (!alone && !searched) report_paragraph(out, section, "There are none.");
    if (searched) rc = query_table_add(out, section, db, &sensitive_kinds, &rows, err);
    if (rc == 0 && searched) report_chart(rows.table, &kinds_chart);
    if (rc == 0 && searched) rc = query_table_add(out, section, db, &sensitive_values, &rows, err);
    if (rc == 0 && searched)
        report_paragraph(out, section, "The first twenty that a corpus has too; all values are in table sensitive of "
                                       "graph.db, with their first places.");
    if (rc == 0 && alone)
        report_paragraph(out, section,
                         "Not looked for in corpora: values of corpora themselves, and of a run without corpora.");
    if (rc == 0 && alone) rc = query_table_add(out, section, db, &sensitive_alone, &rows, err);
    return rc;
}

/* ---- masks ---- */

static int match_order(const void *a, const void *b)
{
    const struct sensitive_match *x = a, *y = b;

    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->len < y->len) - (x->len > y->len);
}

/* What is sensitive in a text, or is so without what the report puts behind a name: a place is PATH#FUNCTION@LINE, and
 * no address ends before a #. */
static int matches_find(struct slice text, struct bytes *out)
{
    struct bytes apart = { 0 };
    struct err   err;
    int          rc = sensitive_find(text, out, &err) < 0 ? -ENOMEM : 0;
    char        *at;

    if (rc < 0 || !text.len || !memchr(text.at, '#', text.len)) return rc;
    rc = bytes_append_slice(&apart, text);
    for (at = apart.at; rc == 0 && (at = memchr(at, '#', apart.len - (size_t)(at - apart.at))) != NULL; at++) *at = ' ';
    if (rc == 0 && sensitive_find(bytes_slice(&apart), out, &err) < 0) rc = -ENOMEM;
    if (rc == 0 && out->len)
        qsort(out->at, out->len / sizeof(struct sensitive_match), sizeof(struct sensitive_match), match_order);
    bytes_free(&apart);
    return rc;
}

/* What is sensitive in a text is shown masked; *text becomes a view of `masked` when there is anything. */
static int mask_text(struct slice *text, struct bytes *masked)
{
    const struct sensitive_match *match;
    struct bytes                  found = { 0 };
    size_t                        from = 0;
    int                           rc = matches_find(*text, &found);

    match = (const struct sensitive_match *)(const void *)found.at;
    for (size_t i = 0; i < found.len / sizeof *match && rc == 0; i++) {
        const size_t       end = match[i].at + match[i].len, start = match[i].at < from ? from : match[i].at;
        const struct slice value = { text->at + start, end - start };

        if (end <= from) continue;                          /* within another one */
        rc = bytes_append(masked, text->at + from, start - from) < 0 || sensitive_mask(value, masked) < 0 ? -ENOMEM
            : 0;
        from = end;
    }
    bytes_free(&found);
    if (rc < 0 || from == 0) return rc;
    if (bytes_append(masked, text->at + from, text->len - from) < 0) return -ENOMEM;
    *text = bytes_slice(masked);
    return 0;
}

int sensitive_report_open(struct report_document *out, sqlite3 *db, struct err *err)
{
    uint64_t ran = 0;
    int      rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'sensitive.kinds'", &ran, err);

    if (ran) out->mask = mask_text;
    return rc;
}
