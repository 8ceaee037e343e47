/* graph/rows.c -- see rows.h.
 *
 * The arrays are shown to SQLite as virtual tables, so that one `INSERT INTO edges SELECT * FROM source_of_edges` moves
 * them: the virtual machine is entered once a table, not once a row, and values are not bound first and copied then.  A
 * column is described by the place of its field in the row's struct and by what is to be made of it. */
#include "graph/rows.h"

#include "graph/edges.h"
#include "graph/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

enum column_type {
    COLUMN_FLAG, COLUMN_U32, COLUMN_U64, COLUMN_ID,         /* ID: an index of documents, which is snippets.id - 1 */
    COLUMN_TEXT, COLUMN_OPTIONAL, COLUMN_TOKENS, COLUMN_KEY,    /* empty: '', NULL, '[]'; KEY: const char * */
    /* of a document, of a clone_document: shard:record where it is not there */
    COLUMN_SOURCE, COLUMN_CLONE_SOURCE,
    COLUMN_HEX64, COLUMN_HEX128, COLUMN_KNOWN128,           /* the high word follows the low one; KNOWN: 0 is NULL */
    COLUMN_DATASET, COLUMN_SHARD,                           /* an index; its name */
    COLUMN_ROLE, COLUMN_KIND, COLUMN_PASS, COLUMN_NUMBER,   /* NUMBER: the row's, from 1 */
    COLUMN_SET, COLUMN_MULTISET, COLUMN_CONTAINMENT_A, COLUMN_CONTAINMENT_B,
    /* int64_t, double, an index of a shard: NULL where negative or UINT32_MAX */
    COLUMN_MAYBE, COLUMN_REAL, COLUMN_RUN_SHARD,
    COLUMN_VALUE,                                           /* double; NaN is NULL */
    COLUMN_REMOVED,                                         /* NULL where pass dedup did not come */
    COLUMN_REJECT_DATASET, COLUMN_REJECT_RECORD, COLUMN_REJECT_BYTE, COLUMN_REJECT_RECORDS, COLUMN_REJECT_REASON,
        COLUMN_REJECT_DETAIL,
};

struct column { const char *name; enum column_type type; size_t offset; };

#define FIELD(member) offsetof(struct ROW, member)

/* In the order of schema.sql. */
#define ROW graph_dataset
static const struct column columns_of_datasets[] = {
    { "id", COLUMN_TEXT, FIELD(name) }, { "url", COLUMN_TEXT, FIELD(url) }, { "role", COLUMN_ROLE, FIELD(benchmark) },
    { "self_join", COLUMN_FLAG, FIELD(self_join) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_document
static const struct column columns_of_snippets[] = {
    { "id", COLUMN_NUMBER, 0 }, { "snippet", COLUMN_TEXT, FIELD(text) }, { "dataset", COLUMN_DATASET, FIELD(dataset) },
    { "language", COLUMN_TEXT, FIELD(language) }, { "tokens", COLUMN_TOKENS, FIELD(tokens) },
    { "id_within_dataset", COLUMN_U64, FIELD(number) },
    { "split_within_dataset", COLUMN_OPTIONAL, FIELD(split) }, { "source_id", COLUMN_SOURCE, FIELD(source_id) },
    { "path", COLUMN_OPTIONAL, FIELD(path) }, { "repo", COLUMN_OPTIONAL, FIELD(repo) },
    { "license", COLUMN_OPTIONAL, FIELD(license) },
    { "shard", COLUMN_SHARD, FIELD(shard) }, { "record", COLUMN_U64, FIELD(record) },
    { "matches", COLUMN_U64, FIELD(matches) },
    { "features", COLUMN_U32, FIELD(features) }, { "distinct_features", COLUMN_U32, FIELD(distinct) },
    { "admitted", COLUMN_FLAG, FIELD(admitted) },
    { "xxh128", COLUMN_HEX128, FIELD(hash_low) }, { "xxh128_squeezed", COLUMN_KNOWN128, FIELD(squeezed_low) },
    { "features_xxh128", COLUMN_KNOWN128, FIELD(class_low) }, { NULL, COLUMN_FLAG, 0 },
};
_Static_assert(offsetof(struct graph_document, class_high) == offsetof(struct graph_document, class_low) + 8,
               "COLUMN_KNOWN128 reads both words");
_Static_assert(offsetof(struct graph_document, hash_high) == offsetof(struct graph_document, hash_low) + 8,
               "COLUMN_HEX128 reads both words");
_Static_assert(offsetof(struct graph_document, squeezed_high) == offsetof(struct graph_document, squeezed_low) + 8,
               "COLUMN_HEX128 reads both words");
#undef ROW
#define ROW graph_edge
static const struct column columns_of_edges[] = {
    { "pass", COLUMN_PASS, 0 }, { "a", COLUMN_ID, FIELD(a) }, { "b", COLUMN_ID, FIELD(b) },
    { "kind", COLUMN_KIND, FIELD(kind) },
    { "shared", COLUMN_U32, FIELD(shared) }, { "union", COLUMN_U32, FIELD(union_size) },
    { "min_sum", COLUMN_U32, FIELD(min_sum) },
    { "max_sum", COLUMN_U32, FIELD(max_sum) }, { "set_similarity", COLUMN_SET, 0 },
    { "multiset_similarity", COLUMN_MULTISET, 0 },
    { "containment_a", COLUMN_CONTAINMENT_A, 0 }, { "containment_b", COLUMN_CONTAINMENT_B, 0 },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_cluster
static const struct column columns_of_clusters[] = {
    { "pass", COLUMN_PASS, 0 }, { "snippet", COLUMN_ID, FIELD(document) }, { "cluster", COLUMN_ID, FIELD(cluster) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_fate
static const struct column columns_of_dedup[] = {
    { "snippet", COLUMN_NUMBER, 0 }, { "canonical", COLUMN_ID, FIELD(canonical) },
    { "cluster_size", COLUMN_U32, FIELD(size) },
    { "kept", COLUMN_FLAG, FIELD(kept) }, { "features", COLUMN_U32, FIELD(features) },
    { "distinct_features", COLUMN_U32, FIELD(distinct) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_overlap
static const struct column columns_of_overlap[] = {
    { "source", COLUMN_DATASET, FIELD(source) }, { "split", COLUMN_TEXT, FIELD(split) },
    { "target", COLUMN_DATASET, FIELD(target) },
    { "target_split", COLUMN_TEXT, FIELD(target_split) }, { "language", COLUMN_TEXT, FIELD(language) },
    { "documents", COLUMN_U64, FIELD(documents) },
    { "admitted", COLUMN_U64, FIELD(admitted) }, { "direct", COLUMN_U64, FIELD(direct) },
    { "transitive", COLUMN_U64, FIELD(transitive) },
    { "copies", COLUMN_U64, FIELD(copies) }, { "contained", COLUMN_U64, FIELD(contained) },
    { "complete", COLUMN_FLAG, FIELD(complete) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_ngram
static const struct column columns_of_ngrams[] = {
    { "snippet", COLUMN_ID, FIELD(document) }, { "field", COLUMN_TEXT, FIELD(field) }, { "n", COLUMN_U32, FIELD(n) },
    { "corpus", COLUMN_DATASET, FIELD(corpus) },
    { "short", COLUMN_FLAG, FIELD(is_short) }, { "words", COLUMN_U32, FIELD(words) },
    { "ngrams", COLUMN_U32, FIELD(ngrams) },
    { "distinct_ngrams", COLUMN_U32, FIELD(distinct) }, { "found_distinct", COLUMN_U32, FIELD(found_distinct) },
    { "found", COLUMN_U32, FIELD(found) },
    { "rare", COLUMN_U32, FIELD(rare) }, { "covered", COLUMN_U32, FIELD(covered) },
    { "covered_rare", COLUMN_U32, FIELD(covered_rare) },
    { "covered_once", COLUMN_U32, FIELD(covered_once) }, { "longest_run", COLUMN_U32, FIELD(longest_run) },
    { "run_shard", COLUMN_RUN_SHARD, FIELD(run_shard) },
    { "run_record", COLUMN_U64, FIELD(run_record) }, { "run_at", COLUMN_U32, FIELD(run_at) },
    { "documents", COLUMN_U64, FIELD(documents) },
    { "occurrences", COLUMN_U64, FIELD(occurrences) }, { "max_frequency", COLUMN_U64, FIELD(max_frequency) },
    { "lcs", COLUMN_MAYBE, FIELD(lcs) },
    { "lcs_of", COLUMN_MAYBE, FIELD(lcs_of) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_ngram_rule
static const struct column columns_of_ngram_rules[] = {
    { "snippet", COLUMN_ID, FIELD(document) }, { "field", COLUMN_TEXT, FIELD(field) },
    { "corpus", COLUMN_DATASET, FIELD(corpus) },
    { "gpt3_13gram", COLUMN_MAYBE, FIELD(gpt3_13gram) }, { "palm_8gram", COLUMN_MAYBE, FIELD(palm_8gram) },
    { "llama3_8gram", COLUMN_REAL, FIELD(llama3_8gram) },
    { "tulu3_8gram", COLUMN_MAYBE, FIELD(tulu3_8gram) }, { "exact_substring", COLUMN_MAYBE, FIELD(exact_substring) },
    { "windows50", COLUMN_MAYBE, FIELD(windows50) }, { "qwen_lcs", COLUMN_MAYBE, FIELD(qwen_lcs) },
    { "idf_weighted", COLUMN_REAL, FIELD(idf_weighted) },
    { "windows", COLUMN_MAYBE, FIELD(windows) }, { "windows_found", COLUMN_MAYBE, FIELD(windows_found) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_repository
static const struct column columns_of_repositories[] = {
    { "benchmark", COLUMN_DATASET, FIELD(benchmark) }, { "repo", COLUMN_TEXT, FIELD(repo) },
    { "corpus", COLUMN_DATASET, FIELD(corpus) },
    { "by_name", COLUMN_FLAG, FIELD(by_name) }, { "by_content", COLUMN_FLAG, FIELD(by_content) },
    { "documents", COLUMN_U64, FIELD(documents) },
    { "files", COLUMN_U64, FIELD(files) }, { "exact", COLUMN_U64, FIELD(exact) }, { "near", COLUMN_U64, FIELD(near) },
    { "elsewhere", COLUMN_U64, FIELD(elsewhere) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_repository_copy
static const struct column columns_of_repository_copies[] = {
    { "benchmark", COLUMN_DATASET, FIELD(benchmark) }, { "repo", COLUMN_TEXT, FIELD(repo) },
    { "corpus", COLUMN_DATASET, FIELD(corpus) },
    { "other_repo", COLUMN_TEXT, FIELD(other) }, { "exact", COLUMN_U64, FIELD(exact) },
    { "near", COLUMN_U64, FIELD(near) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_sensitive
static const struct column columns_of_sensitive[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset) }, { "kind", COLUMN_TEXT, FIELD(kind) },
    { "pattern", COLUMN_TEXT, FIELD(pattern) },
    { "masked", COLUMN_TEXT, FIELD(masked) }, { "xxh128", COLUMN_HEX128, FIELD(hash_low) },
    { "occurrences", COLUMN_U64, FIELD(occurrences) },
    { "documents", COLUMN_U64, FIELD(documents) }, { "corpus_occurrences", COLUMN_MAYBE, FIELD(corpus_occurrences) },
    { "corpus_documents", COLUMN_MAYBE, FIELD(corpus_documents) }, { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_U64, FIELD(record) },
    { "byte", COLUMN_U64, FIELD(byte) }, { NULL, COLUMN_FLAG, 0 },
};
_Static_assert(offsetof(struct graph_sensitive, hash_high) == offsetof(struct graph_sensitive, hash_low) + 8,
               "COLUMN_HEX128 reads both words");
#undef ROW
#define ROW graph_split
static const struct column columns_of_splits[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset) }, { "split", COLUMN_TEXT, FIELD(split) },
    { "language", COLUMN_TEXT, FIELD(language) },
    { "documents", COLUMN_U64, FIELD(documents) }, { "admitted", COLUMN_U64, FIELD(admitted) },
    { "rejected", COLUMN_U64, FIELD(rejected) },
    { "bytes", COLUMN_U64, FIELD(bytes) }, { "removed", COLUMN_REMOVED, FIELD(removed) },
    { "removed_bytes", COLUMN_REMOVED, FIELD(removed_bytes) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_shard
static const struct column columns_of_shards[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset) }, { "split", COLUMN_TEXT, FIELD(split) },
    { "shard", COLUMN_TEXT, FIELD(name) },
    { "bytes", COLUMN_U64, FIELD(bytes) }, { "mtime", COLUMN_U64, FIELD(mtime_ns) },
    { "xxh3", COLUMN_HEX64, FIELD(xxh3) },
    { "records", COLUMN_U64, FIELD(records) }, { "rejected", COLUMN_U64, FIELD(rejected) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_reject
static const struct column columns_of_rejects[] = {
    { "dataset", COLUMN_REJECT_DATASET, 0 }, { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_REJECT_RECORD, 0 },
    { "byte", COLUMN_REJECT_BYTE, 0 }, { "records", COLUMN_REJECT_RECORDS, 0 }, { "reason", COLUMN_REJECT_REASON, 0 },
    { "detail", COLUMN_REJECT_DETAIL, 0 }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_clone
static const struct column columns_of_clones[] = {
    { "id", COLUMN_NUMBER, 0 }, { "fingerprint", COLUMN_HEX128, FIELD(fingerprint_low) },
    { "length", COLUMN_U32, FIELD(length) },
    { "small_count", COLUMN_U64, FIELD(small_count) }, { "corpus_count", COLUMN_U64, FIELD(corpus_count) },
    { "text", COLUMN_TEXT, FIELD(text) },
    { NULL, COLUMN_FLAG, 0 },
};
_Static_assert(offsetof(struct graph_clone, fingerprint_high) == offsetof(struct graph_clone, fingerprint_low) + 8,
               "COLUMN_HEX128 reads both words");
#undef ROW
#define ROW graph_clone_place
static const struct column columns_of_clone_places[] = {
    { "clone", COLUMN_ID, FIELD(clone) }, { "dataset", COLUMN_DATASET, FIELD(dataset) },
    { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_U64, FIELD(record) }, { "line", COLUMN_U32, FIELD(line) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_clone_document
static const struct column columns_of_clone_documents[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset) }, { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_U64, FIELD(record) },
    { "source_id", COLUMN_CLONE_SOURCE, FIELD(source_id) }, { "path", COLUMN_OPTIONAL, FIELD(path) },
    { "lines", COLUMN_U64, FIELD(lines) },
    { "shared_lines", COLUMN_U64, FIELD(shared) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_clone_span
static const struct column columns_of_clone_spans[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset) }, { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_U64, FIELD(record) },
    { "first_line", COLUMN_U32, FIELD(first) }, { "last_line", COLUMN_U32, FIELD(last) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_model
static const struct column columns_of_models[] = {
    { "id", COLUMN_NUMBER, 0 }, { "name", COLUMN_TEXT, FIELD(name) }, { "backend", COLUMN_TEXT, FIELD(backend) },
    { "context", COLUMN_MAYBE, FIELD(context) },
    { "vocabulary", COLUMN_MAYBE, FIELD(vocabulary) }, { "parameters", COLUMN_MAYBE, FIELD(parameters) },
    { "key", COLUMN_HEX128, FIELD(key_low) },
    { NULL, COLUMN_FLAG, 0 },
};
_Static_assert(offsetof(struct graph_model, key_high) == offsetof(struct graph_model, key_low) + 8,
               "COLUMN_HEX128 reads both words");
#undef ROW
#define ROW graph_probe_item
static const struct column columns_of_probe_items[] = {
    { "snippet", COLUMN_ID, FIELD(document) }, { "truth", COLUMN_MAYBE, FIELD(truth) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_probe
static const struct column columns_of_probes[] = {
    { "snippet", COLUMN_ID, FIELD(document) }, { "model", COLUMN_ID, FIELD(model) },
    { "metric", COLUMN_TEXT, FIELD(metric) }, { "value", COLUMN_VALUE, FIELD(value) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_probe_gap
static const struct column columns_of_probe_gaps[] = {
    { "model", COLUMN_ID, FIELD(model) }, { "metric", COLUMN_TEXT, FIELD(metric) },
    { "items", COLUMN_U64, FIELD(items) }, { "reason", COLUMN_TEXT, FIELD(reason) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_generation
static const struct column columns_of_generations[] = {
    { "id", COLUMN_NUMBER, 0 }, { "model", COLUMN_TEXT, FIELD(model) }, { "output", COLUMN_U64, FIELD(output) },
    { "prompt", COLUMN_MAYBE, FIELD(prompt) },
    { "tokens", COLUMN_U32, FIELD(tokens) }, { "stopped", COLUMN_FLAG, FIELD(stopped) },
    { "dataset", COLUMN_DATASET, FIELD(dataset) },
    { "shard", COLUMN_SHARD, FIELD(shard) }, { "record", COLUMN_U64, FIELD(output) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_memorised
static const struct column columns_of_memorised[] = {
    { "clone", COLUMN_ID, FIELD(clone) }, { "model", COLUMN_TEXT, FIELD(model) },
    { "occurrences", COLUMN_U64, FIELD(occurrences) },
    { "outputs", COLUMN_U64, FIELD(outputs) }, { "first_output", COLUMN_U64, FIELD(first) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_memorisation
static const struct column columns_of_memorisation[] = {
    { "model", COLUMN_TEXT, FIELD(model) }, { "outputs", COLUMN_U64, FIELD(outputs) },
    { "tokens", COLUMN_U32, FIELD(tokens) },
    { "blocks", COLUMN_U64, FIELD(blocks) }, { "occurrences", COLUMN_U64, FIELD(occurrences) },
    { "outputs_with_any", COLUMN_U64, FIELD(with_any) },
    { "spearman", COLUMN_VALUE, FIELD(spearman) }, { "pearson", COLUMN_VALUE, FIELD(pearson) },
    { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_cleaned
static const struct column columns_of_cleaned[] = {
    { "output", COLUMN_TEXT, FIELD(output) }, { "kind", COLUMN_TEXT, FIELD(kind) },
    { "dataset", COLUMN_DATASET, FIELD(dataset) },
    { "split", COLUMN_TEXT, FIELD(split) }, { "documents", COLUMN_U64, FIELD(documents) },
    { "bytes", COLUMN_U64, FIELD(bytes) },
    { "removed", COLUMN_U64, FIELD(removed) }, { "cut", COLUMN_U64, FIELD(cut) }, { "spans", COLUMN_U64, FIELD(spans) },
    { "removed_bytes", COLUMN_U64, FIELD(removed_bytes) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_cleaned_document
static const struct column columns_of_cleaned_documents[] = {
    { "output", COLUMN_TEXT, FIELD(output) }, { "dataset", COLUMN_DATASET, FIELD(dataset) },
    { "split", COLUMN_TEXT, FIELD(split) },
    { "id_within_dataset", COLUMN_U64, FIELD(number) }, { "source_id", COLUMN_OPTIONAL, FIELD(source_id) },
    { "shard", COLUMN_SHARD, FIELD(shard) },
    { "record", COLUMN_U64, FIELD(record) }, { "lines", COLUMN_OPTIONAL, FIELD(lines) },
    { "bytes", COLUMN_U64, FIELD(bytes) },
    { "why", COLUMN_TEXT, FIELD(why) }, { NULL, COLUMN_FLAG, 0 },
};
#undef ROW
#define ROW graph_setting
static const struct column columns_of_run[] = { { "key", COLUMN_KEY, FIELD(key) },
                                                { "value", COLUMN_TEXT, FIELD(value) }, { NULL, COLUMN_FLAG, 0 } };
#undef ROW

/* rows NULL: the graph makes the documents one at a time. */
struct rows_table {
    const char *name;
    const struct column *columns;
    const void *rows;
    size_t size, count;
    enum graph_pass_name pass;
};

/* What the virtual table shows now. */
struct rows {
    const struct graph      *graph;
    const struct rows_table *table;
    struct bytes             scratch;                       /* repaired text, made names */
    struct graph_document    document;                      /* the one made last, and its place + 1 */
    size_t                   made;
};

/* ---- values ---- */

/* Valid text is lent: it outlives the statement.  Repaired text is copied by SQLite. */
static void rows_give_text(struct rows *rows, sqlite3_context *out, struct slice text)
{
    struct slice valid;

    if (text_make_valid(text, &rows->scratch, &valid) < 0) sqlite3_result_error_nomem(out);
    else
        sqlite3_result_text64(out, valid.len ? valid.at : "", valid.len, valid.at == text.at ? SQLITE_STATIC
                              : SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void rows_give_number(sqlite3_context *out, uint64_t number)
{
    sqlite3_result_int64(out, (sqlite3_int64)number);
}

static void rows_give_hex(sqlite3_context *out, const uint64_t *low, size_t words)
{
    static const char digits[] = "0123456789abcdef";
    char              text[32];

    for (size_t i = 0; i < 16 * words; i++) text[i] = digits[low[words - 1 - i / 16] >> (60 - i % 16 * 4) & 15];
    sqlite3_result_text64(out, text, 16 * words, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void rows_give_reject(struct rows *rows, sqlite3_context *out, enum column_type type,
                             const struct graph_reject *reject)
{
    const struct graph *graph = rows->graph;

    switch (type) {
    case COLUMN_REJECT_DATASET:
        rows_give_text(rows, out, graph->datasets[graph->shards[reject->shard].dataset].name);
        break;
    case COLUMN_REJECT_RECORD:  rows_give_number(out, reject->at->record); break;
    case COLUMN_REJECT_BYTE:    rows_give_number(out, reject->at->byte); break;
    case COLUMN_REJECT_RECORDS: rows_give_number(out, reject->at->records); break;
    case COLUMN_REJECT_REASON:  rows_give_text(rows, out, slice_of(reject_names[reject->at->reason])); break;
    default:                    rows_give_text(rows, out, slice_of(reject->at->detail)); break;
    }
}

static void rows_give_source(struct rows *rows, sqlite3_context *out, uint32_t of, uint64_t record)
{
    struct bytes name = { 0 };
    struct slice shard = rows->graph->shards[of].name, valid;

    if (text_make_valid(shard, &rows->scratch, &valid) < 0 ||
        bytes_printf(&name, "%.*s:%llu", (int)valid.len, valid.at,
                     (unsigned long long)record) < 0) sqlite3_result_error_nomem(out);
    else sqlite3_result_text64(out, name.at, name.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    bytes_free(&name);
}

/* A row of the table that is shown now. */
static const char *rows_at(struct rows *rows, size_t row)
{
    if (rows->table->rows) return (const char *)rows->table->rows + row * rows->table->size;
    if (rows->made != row + 1) rows->graph->make_document(rows->graph->source, row, &rows->document);
    rows->made = row + 1;
    return (const char *)&rows->document;
}

static void rows_give(struct rows *rows, sqlite3_context *out, size_t row, const struct column *column)
{
    const struct graph        *graph = rows->graph;
    const char                *at = rows_at(rows, row);
    const void                *field = at + column->offset;
    const struct slice        *text = field;
    const uint64_t            *number = field;
    const int64_t             *maybe = field;
    const double              *real = field;
    const uint32_t            *shard = field;
    const enum graph_pass_name pass = rows->table->pass;

    switch (column->type) {
    case COLUMN_NUMBER:   rows_give_number(out, row + 1); break;
    case COLUMN_FLAG:     rows_give_number(out, *(const bool *)field); break;
    case COLUMN_U32:      rows_give_number(out, *(const uint32_t *)field); break;
    case COLUMN_U64:      rows_give_number(out, *(const uint64_t *)field); break;
    case COLUMN_ID:       rows_give_number(out, (uint64_t)*(const uint32_t *)field + 1); break;
    case COLUMN_TEXT:     rows_give_text(rows, out, *text); break;
    case COLUMN_OPTIONAL: if (text->len) rows_give_text(rows, out, *text); break;
    case COLUMN_SOURCE:
        if (!text->at)
            rows_give_source(rows, out, ((const struct graph_document *)(const void *)at)->shard,
                             ((const struct graph_document *)(const void *)at)->record);
        else if (text->len) rows_give_text(rows, out, *text);
        break;
    case COLUMN_CLONE_SOURCE:
        if (!text->at)
            rows_give_source(rows, out, ((const struct graph_clone_document *)(const void *)at)->shard,
                             ((const struct graph_clone_document *)(const void *)at)->record);
        else if (text->len) rows_give_text(rows, out, *text);
        break;
    case COLUMN_TOKENS:   rows_give_text(rows, out, text->len ? *text : SLICE("[]")); break;
    case COLUMN_KEY:      rows_give_text(rows, out, slice_of(*(const char *const *)field)); break;
    case COLUMN_HEX64:    rows_give_hex(out, field, 1); break;
    case COLUMN_HEX128:   rows_give_hex(out, field, 2); break;
    case COLUMN_KNOWN128: if (number[0] || number[1]) rows_give_hex(out, field, 2); break;
    case COLUMN_DATASET:  rows_give_text(rows, out, graph->datasets[*(const uint32_t *)field].name); break;
    case COLUMN_SHARD:    rows_give_text(rows, out, graph->shards[*(const uint32_t *)field].name); break;
    case COLUMN_ROLE:     rows_give_text(rows, out, *(const bool *)field ? SLICE("benchmark") : SLICE("corpus")); break;
    case COLUMN_KIND:     rows_give_text(rows, out, slice_of(edge_kind_names[*(const uint32_t *)field])); break;
    case COLUMN_PASS:     rows_give_text(rows, out, slice_of(graph_pass_names[pass])); break;
    case COLUMN_SET:      sqlite3_result_double(out, edge_score(graph, pass, field).set); break;
    case COLUMN_MULTISET: sqlite3_result_double(out, edge_score(graph, pass, field).multiset); break;
    case COLUMN_CONTAINMENT_A: sqlite3_result_double(out, edge_score(graph, pass, field).containment_a); break;
    case COLUMN_CONTAINMENT_B: sqlite3_result_double(out, edge_score(graph, pass, field).containment_b); break;
    case COLUMN_MAYBE:    if (*maybe >= 0) rows_give_number(out, (uint64_t)*maybe); break;
    case COLUMN_REAL:     if (*real >= 0) sqlite3_result_double(out, *real); break;
    case COLUMN_VALUE:    sqlite3_result_double(out, *real); break;
    case COLUMN_RUN_SHARD: if (*shard != UINT32_MAX) rows_give_text(rows, out, graph->shards[*shard].name); break;
    case COLUMN_REMOVED:  if (((const struct graph_split *)at)->deduplicated) rows_give_number(out, *number); break;
    default: rows_give_reject(rows, out, column->type, field); break;
    }
}

/* ---- the virtual tables ---- */

struct rows_source { sqlite3_vtab base; struct rows *rows; };
struct rows_cursor { sqlite3_vtab_cursor base; struct rows *rows; size_t row; };

static int rows_connect(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **out,
                        char **message)
{
    struct rows        *rows = context;
    struct rows_source *source = sqlite3_malloc64(sizeof *source);
    struct bytes        declaration = { 0 };
    int                 rc = source ? bytes_printf(&declaration, "CREATE TABLE x(") : -ENOMEM;

    (void)argc, (void)argv, (void)message;
    for (const struct column *column = rows->table->columns; column->name && rc == 0; column++)
        rc = bytes_printf(&declaration, "\"%s\"%s", column->name, column[1].name ? "," : ")");
    rc = rc < 0 ? SQLITE_NOMEM : sqlite3_declare_vtab(db, declaration.at);
    bytes_free(&declaration);
    if (rc != SQLITE_OK) {
        sqlite3_free(source);
        return rc;
    }
    *source = (struct rows_source){ .rows = rows };
    *out = &source->base;
    return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *source)
{
    sqlite3_free(source);
    return SQLITE_OK;
}

static int rows_best_index(sqlite3_vtab *source, sqlite3_index_info *info)
{
    (void)source, (void)info;                               /* there is one way: all rows in order */
    return SQLITE_OK;
}

static int rows_open(sqlite3_vtab *source, sqlite3_vtab_cursor **out)
{
    struct rows_cursor *cursor = sqlite3_malloc64(sizeof *cursor);

    if (!cursor) return SQLITE_NOMEM;
    *cursor = (struct rows_cursor){ .rows = ((struct rows_source *)source)->rows };
    *out = &cursor->base;
    return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

/* Fates are there for all documents, rows only of those that are not alone. */
static void rows_pass_over(struct rows_cursor *cursor)
{
    const struct rows_table *table = cursor->rows->table;

    if (table->columns != columns_of_dedup) return;
    while (cursor->row < table->count && ((const struct graph_fate *)table->rows)[cursor->row].size == 0) cursor->row++;
}

static int rows_filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argc, sqlite3_value **argv)
{
    (void)plan, (void)plan_text, (void)argc, (void)argv;
    ((struct rows_cursor *)cursor)->row = 0;
    rows_pass_over((struct rows_cursor *)cursor);
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *cursor)
{
    ((struct rows_cursor *)cursor)->row++;
    rows_pass_over((struct rows_cursor *)cursor);
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *at)
{
    const struct rows_cursor *cursor = (const struct rows_cursor *)at;

    return cursor->row >= cursor->rows->table->count;
}

static int rows_column(sqlite3_vtab_cursor *at, sqlite3_context *out, int column)
{
    struct rows_cursor *cursor = (struct rows_cursor *)at;

    rows_give(cursor->rows, out, cursor->row, &cursor->rows->table->columns[column]);
    return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((struct rows_cursor *)cursor)->row;
    return SQLITE_OK;
}

/* Without xCreate the module's name is also the table's. */
static const sqlite3_module rows_module = {
    .xConnect = rows_connect, .xDisconnect = rows_disconnect, .xBestIndex = rows_best_index, .xOpen = rows_open,
        .xClose = rows_close,
    .xFilter = rows_filter, .xNext = rows_next, .xEof = rows_eof, .xColumn = rows_column, .xRowid = rows_rowid,
};

/* ---- filling ---- */

int rows_fail(sqlite3 *db, const char *what, struct err *err)
{
    int rc = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    int system = db ? sqlite3_system_errno(db) : 0;
    int code = rc == SQLITE_NOMEM ? -ENOMEM : rc == SQLITE_TOOBIG ? -EFBIG : rc == SQLITE_FULL || system == ENOSPC
        ? -ENOSPC : -EIO;

    return err_set(err, code, "graph database: %s: %s", what, db ? sqlite3_errmsg(db) : "out of memory");
}

static int rows_fill_table(struct rows *rows, sqlite3 *db, const struct rows_table *table, struct err *err)
{
    char sql[128];

    if (table->count == 0) return 0;
    rows->table = table;
    snprintf(sql, sizeof sql, "INSERT INTO main.%s SELECT * FROM source_of_%s", table->name, table->name);
    if (sqlite3_create_module(db, sql + strlen(sql) - strlen(table->name) - strlen("source_of_"), &rows_module,
                              rows) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return rows_fail(db, table->name, err);
    return 0;
}

int rows_fill(sqlite3 *db, const struct graph *graph, bool edges_aside, const char *digest, struct err *err)
{
    const struct graph_setting own[] = { { "digest", slice_of(digest) }, { "edges_file", SLICE(EDGES_FILE) } };
    const struct graph_pass   *near = &graph->passes[PASS_NEAR], *dedup = &graph->passes[PASS_DEDUP];
    const struct rows_table    tables[] = {
        { "datasets", columns_of_datasets, graph->datasets,  sizeof *graph->datasets,  graph->dataset_count,
                          PASS_NEAR },
        { "snippets", columns_of_snippets, graph->documents, sizeof *graph->documents, graph->document_count,
                         PASS_NEAR },
        { "edges",    columns_of_edges,    near->edges,      sizeof *near->edges,      edges_aside ? 0
          : near->edge_count,   PASS_NEAR },
        { "edges",    columns_of_edges,    dedup->edges,     sizeof *dedup->edges,     edges_aside ? 0
          : dedup->edge_count,  PASS_DEDUP },
        { "clusters", columns_of_clusters, near->clusters,   sizeof *near->clusters,   near->cluster_count,
                           PASS_NEAR },
        { "clusters", columns_of_clusters, dedup->clusters,  sizeof *dedup->clusters,  dedup->cluster_count,
                          PASS_DEDUP },
        { "dedup",    columns_of_dedup,    graph->fates,     sizeof *graph->fates,     graph->fates
          ? graph->document_count : 0, PASS_DEDUP },
        { "overlap",  columns_of_overlap,  graph->overlaps,  sizeof *graph->overlaps,  graph->overlap_count,
                          PASS_NEAR },
        { "clones",   columns_of_clones,   graph->clones,    sizeof *graph->clones,    graph->clone_count,
                            PASS_NEAR },
        { "clone_places", columns_of_clone_places, graph->clone_places, sizeof *graph->clone_places,
          graph->clone_place_count, PASS_NEAR },
        { "clone_documents", columns_of_clone_documents, graph->clone_documents, sizeof *graph->clone_documents,
          graph->clone_document_count, PASS_NEAR },
        { "clone_spans", columns_of_clone_spans, graph->clone_spans, sizeof *graph->clone_spans,
          graph->clone_span_count,  PASS_NEAR },
        { "ngrams",   columns_of_ngrams,   graph->ngrams,    sizeof *graph->ngrams,    graph->ngram_count,
                            PASS_NEAR },
        { "ngram_rules", columns_of_ngram_rules, graph->ngram_rules, sizeof *graph->ngram_rules,
          graph->ngram_rule_count,  PASS_NEAR },
        { "repositories", columns_of_repositories, graph->repositories, sizeof *graph->repositories,
          graph->repository_count, PASS_NEAR },
        { "repository_copies", columns_of_repository_copies, graph->repository_copies, sizeof *graph->repository_copies,
          graph->repository_copy_count, PASS_NEAR },
        { "models",   columns_of_models,   graph->models,    sizeof *graph->models,    graph->model_count,
                            PASS_NEAR },
        { "probe_items", columns_of_probe_items, graph->probe_items, sizeof *graph->probe_items,
          graph->probe_item_count,  PASS_NEAR },
        { "probes",   columns_of_probes,   graph->probes,    sizeof *graph->probes,    graph->probe_count,
                            PASS_NEAR },
        { "probe_gaps", columns_of_probe_gaps, graph->probe_gaps, sizeof *graph->probe_gaps, graph->probe_gap_count,
                PASS_NEAR },
        { "generations", columns_of_generations, graph->generations, sizeof *graph->generations,
          graph->generation_count,  PASS_NEAR },
        { "memorised", columns_of_memorised, graph->memorised, sizeof *graph->memorised, graph->memorised_count,
                    PASS_NEAR },
        { "memorisation", columns_of_memorisation, graph->memorisation, sizeof *graph->memorisation,
          graph->memorisation_count, PASS_NEAR },
        { "sensitive", columns_of_sensitive, graph->sensitive, sizeof *graph->sensitive, graph->sensitive_count,
                      PASS_NEAR },
        { "cleaned",  columns_of_cleaned,  graph->cleaned,   sizeof *graph->cleaned,   graph->cleaned_count,
                          PASS_NEAR },
        { "cleaned_documents", columns_of_cleaned_documents, graph->cleaned_documents, sizeof *graph->cleaned_documents,
          graph->cleaned_document_count, PASS_NEAR },
        { "splits",   columns_of_splits,   graph->splits,    sizeof *graph->splits,    graph->split_count,
                            PASS_NEAR },
        { "shards",   columns_of_shards,   graph->shards,    sizeof *graph->shards,    graph->shard_count,
                            PASS_NEAR },
        { "rejects",  columns_of_rejects,  graph->rejects,   sizeof *graph->rejects,   graph->reject_count,
                           PASS_NEAR },
        { "run",      columns_of_run,      graph->settings,  sizeof *graph->settings,  graph->setting_count,
                          PASS_NEAR },
        { "run",      columns_of_run,      own,              sizeof *own,              edges_aside ? 2 : 1,
                           PASS_NEAR },
    };
    struct rows rows = { .graph = graph };
    int         rc = 0;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && rc == 0; i++)
        rc = rows_fill_table(&rows, db, &tables[i], err);
    bytes_free(&rows.scratch);
    return rc;
}
