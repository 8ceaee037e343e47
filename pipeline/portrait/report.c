/* portrait/report.c -- see portrait.h. */
#include "portrait/report.h"

#include "graph/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum portrait_value {
    PORTRAIT_NAME, PORTRAIT_KIND, PORTRAIT_WIDTH, PORTRAIT_STRIDE, PORTRAIT_BYTES, PORTRAIT_SHARDS, PORTRAIT_DOCUMENTS,
        PORTRAIT_INSERTIONS,
    PORTRAIT_HASHES, PORTRAIT_SET_BITS, PORTRAIT_RATE, PORTRAIT_PROBES, PORTRAIT_PROBE_HITS, PORTRAIT_VALUES
};

/* The rows of table run, without the `portrait.` before them. */
static const char *const portrait_keys[PORTRAIT_VALUES] = {
    "name", "kind", "width", "stride", "bytes", "shards", "documents", "insertions", "hashes", "set_bits", "rate",
        "probes", "probe_hits",
};

static const struct report_column portrait_columns[] = {
    { "name", "file" }, { "kind", "pieces" }, { "width", "characters, words or lines of a piece" },
    { "stride", "from one piece to the next" },
    { "bytes", "bytes of the filter" }, { "shards", "shards in it" }, { "documents", "documents in it" },
    { "insertions", "pieces put in" },
    { "hashes", "bits of a piece" }, { "fill", "share of the bits that are set" },
    { "rate_computed", "false-positive rate, from the fill" },
    { "rate_measured", "measured with random pieces" }, { "probes", "random pieces" },
};

static int portrait_read(sqlite3 *db, struct report_document *out, struct slice value[PORTRAIT_VALUES], struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT substr(key, 10), value FROM run WHERE key GLOB 'portrait.*'",
                                     err);

    while (rc >= 0 && (rc = graph_step(query, err)) > 0)
        for (size_t i = 0; i < PORTRAIT_VALUES && rc >= 0; i++)
            if (slice_equal(graph_text(query, 0), slice_of(portrait_keys[i])) &&
                pool_copy(&out->pool, graph_text(query, 1), &value[i]) < 0)
                rc = err_memory(err, 64, "the report");
    graph_finish(query);
    return rc;
}

/* a NUL follows what the pool holds */
static uint64_t number(struct slice value) { return value.len ? strtoull(value.at, NULL, 10) : 0; }

int portrait_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct slice        value[PORTRAIT_VALUES] = { { 0 } };
    struct report_node *section;
    struct bytes        scratch = { 0 };
    struct slice        file = { 0 }, measured = { 0 };
    uint64_t            probes;
    int                 rc = portrait_read(db, out, value, err);

    if (rc < 0 || !value[PORTRAIT_NAME].len) return rc;
    probes = number(value[PORTRAIT_PROBES]);
    rc = bytes_printf(&scratch, "%s.portrait", value[PORTRAIT_NAME].at);
    if (rc == 0) rc = pool_copy(&out->pool, bytes_slice(&scratch), &file);
    scratch.len = 0;
    if (rc == 0)
        rc = bytes_printf(&scratch, "%.6g", probes ? (double)number(value[PORTRAIT_PROBE_HITS]) / (double)probes : 0);
    if (rc == 0) rc = pool_copy(&out->pool, bytes_slice(&scratch), &measured);
    bytes_free(&scratch);
    if (rc < 0) return err_memory(err, 256, "the report");

    section = report_section(out, out->root, "portrait", SLICE("Portrait"));
    report_paragraph(out, section, "The file says of any text which pieces of it are in the datasets it was made of, "
                                   "without holding them: "
                     "`leakgraph query FILE TEXT`. What was put in is always found; what was not is found at the "
                     "false-positive rate.");
    report_row(out, report_facts(out, section, "filter", portrait_columns,
                                 sizeof portrait_columns / sizeof portrait_columns[0]), (const struct report_cell[]){
        report_cell_name(file), report_cell_text(value[PORTRAIT_KIND]),
            report_cell_count(number(value[PORTRAIT_WIDTH])),
        report_cell_count(number(value[PORTRAIT_STRIDE])), report_cell_bytes(number(value[PORTRAIT_BYTES])),
            report_cell_count(number(value[PORTRAIT_SHARDS])),
        report_cell_count(number(value[PORTRAIT_DOCUMENTS])), report_cell_count(number(value[PORTRAIT_INSERTIONS])),
        report_cell_count(number(value[PORTRAIT_HASHES])),
        report_cell_share((double)number(value[PORTRAIT_SET_BITS]) / (8 * (double)number(value[PORTRAIT_BYTES]) +
                                                                      !number(value[PORTRAIT_BYTES]))),
        report_cell_name(value[PORTRAIT_RATE]), report_cell_name(measured), report_cell_count(probes),
    });
    return 0;
}
