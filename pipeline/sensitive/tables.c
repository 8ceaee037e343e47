/* sensitive/tables.c -- see tables.h. */
#include "sensitive/tables.h"

#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_sensitive
static const struct graph_column sensitive_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "" },
    { "kind", COLUMN_TEXT, FIELD(kind), COLUMN_LINE, NULL, "email | ip | key" },
    { "pattern", COLUMN_TEXT, FIELD(pattern), COLUMN_LINE, NULL,
      "of a key, the service or the shape: aws, github, base64, ...; else ''" },
    { "masked", COLUMN_TEXT, FIELD(masked), 0, NULL, "first and last character, and the length in bytes" },
    { "xxh128", COLUMN_HEX128, FIELD(hash_low), COLUMN_LINE, NULL, "of the value's bytes" },
    { "occurrences", COLUMN_U64, FIELD(occurrences), COLUMN_LINE, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), COLUMN_LINE, NULL, "" },
    { "corpus_occurrences", COLUMN_MAYBE, FIELD(corpus_occurrences), COLUMN_LINE, NULL,
      "of a benchmark's value, verbatim, in all corpora; NULL: it was not looked for" },
    { "corpus_documents", COLUMN_MAYBE, FIELD(corpus_documents), COLUMN_LINE, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "its first place, a byte of the record's text" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "byte", COLUMN_U64, FIELD(byte), 0, NULL, "" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of that document" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "of its text, from 1" },
};
TABLE_PAIR(hash_low, hash_high);
#undef ROW

static const struct graph_check sensitive_checks[] = {
    { "a sensitive string is in no more documents than it occurs",
      "SELECT dataset || ' ' || kind || ' ' || masked, documents, occurrences FROM sensitive WHERE documents > "
      "occurrences OR documents = 0 OR corpus_documents > corpus_occurrences OR (corpus_documents > 0) <> "
      "(corpus_occurrences > 0)",
      "documents (or those of corpora)", "occurrences" },
    { NULL, NULL, NULL, NULL },
};

#define IN_CORPUS "count(DISTINCT CASE WHEN corpus_occurrences > 0 THEN s.xxh128 END)"
#define KINDS_FROM(condition) \
    " FROM sensitive AS s JOIN datasets AS d ON d.id = s.dataset WHERE corpus_occurrences IS " condition \
    " GROUP BY d.rowid, kind, pattern ORDER BY d.rowid, min(s.rowid)"

static const struct graph_view sensitive_views[] = {
    { "sensitive_kinds",
      "dataset, kind, pattern, \"distinct\", occurrences, in_corpus, in_corpus_percent, corpus_occurrences",
      "SELECT dataset, kind, pattern, count(DISTINCT s.xxh128), sum(occurrences), " IN_CORPUS ", "
      VIEW_PERCENT(IN_CORPUS, "count(DISTINCT s.xxh128)") ", sum(corpus_occurrences)" KINDS_FROM("NOT NULL"),
      "Different values of each dataset by kind and pattern, how often they occur, and those that are in a corpus." },
    { "sensitive_alone", "dataset, kind, pattern, \"distinct\", occurrences",
      "SELECT dataset, kind, pattern, count(DISTINCT s.xxh128), sum(occurrences)" KINDS_FROM("NULL"),
      "The same of values that were not looked for in corpora." },
    { "sensitive_found",
      "dataset, kind, pattern, masked, occurrences, documents, corpus_occurrences, corpus_documents",
      "SELECT dataset, kind, pattern, masked, occurrences, documents, corpus_occurrences, corpus_documents FROM "
      "sensitive WHERE corpus_occurrences > 0 ORDER BY corpus_documents DESC, corpus_occurrences DESC, rowid",
      "Values that are in a corpus, those in most of its documents first." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_sensitive = {
    .name = "sensitive", .row_size = sizeof(struct graph_sensitive), TABLE_COLUMNS(sensitive_columns),
    .digest = "S", .views = sensitive_views, .checks = sensitive_checks,
    .doc = "Pass sensitive: each different e-mail address, IP address and key of a dataset; the value itself is "
           "nowhere.",
};

const struct graph_table *const sensitive_tables[] = { &table_sensitive, NULL };

/* ---- their rows ---- */

int graph_add_sensitive(struct graph_build *build, const struct sensitive_result *result, struct err *err)
{
    struct graph_sensitive *row = graph_build_own(build, calloc(result->count + 1, sizeof *row));

    if (!row) return err_memory(err, result->count * sizeof *row, "sensitive strings");
    for (size_t i = 0; i < result->count; i++) {
        const struct sensitive_value *from = &result->value[i];

        row[i] = (struct graph_sensitive){ .dataset = from->dataset, .kind = slice_of(sensitive_names[from->kind]),
                                           .pattern = sensitive_pattern(result, from),
                                           .masked = sensitive_masked(result, from), .hash_low = from->hash.low,
                                               .hash_high = from->hash.high,
                                           .occurrences = from->occurrences, .documents = from->documents,
                                               .corpus_occurrences = from->corpus_occurrences,
                                           .corpus_documents = from->corpus_documents, .shard = from->shard,
                                               .record = from->record, .byte = from->at,
                                           .path = sensitive_path(result, from), .line = from->line };
    }
    return graph_add_rows(build, &table_sensitive, row, result->count, err);
}
