/* clone/tables.c -- see tables.h. */
#include "clone/tables.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_clone
static const struct graph_column clones_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, by fingerprint" },
    { "fingerprint", COLUMN_HEX128, FIELD(fingerprint_low), COLUMN_LINE, NULL,
      "xxh3-128 of the lines' hashes, 32 hex digits: equal where the normalised lines are" },
    { "length", COLUMN_U32, FIELD(length), COLUMN_LINE, NULL, "significant lines" },
    { "small_count", COLUMN_U64, FIELD(small_count), COLUMN_LINE, NULL, "places in benchmarks" },
    { "corpus_count", COLUMN_U64, FIELD(corpus_count), COLUMN_LINE, NULL, "places in corpora" },
    { "text", COLUMN_TEXT, FIELD(text), 0, NULL,
      "as it stands in its first place in a benchmark, 64 KiB at most; '' when not stored (graph.store)" },
};
TABLE_PAIR(fingerprint_low, fingerprint_high);
#undef ROW

/* path:line of the first places on one side, or shard:record:line. */
#define PLACES(role) \
    "(SELECT group_concat(place, ', ') FROM (SELECT ifnull(p.path, p.shard || ':' || p.record) || ':' || p.line AS " \
    "place FROM clone_places AS p JOIN datasets AS d ON d.id = p.dataset WHERE p.clone = c.id AND d.role = '" role \
    "' ORDER BY p.rowid LIMIT 3))"

/* Blocks are looked at in their order, so that whoever wants the first looks at those alone. */
static const struct graph_view clones_views[] = {
    { "clone_lengths", "length, blocks, small_count, corpus_count",
      "SELECT length, count(*), sum(small_count), sum(corpus_count) FROM clones GROUP BY length ORDER BY length",
      "Blocks by their length in lines, and their places in benchmarks and in corpora." },
    { "clone_blocks", "clone, length, small_count, corpus_count, begins, small_places, corpus_places",
      "SELECT c.id, c.length, c.small_count, c.corpus_count, trim(substr(c.text, 1, min(60, instr(c.text || char(10), "
      "char(10)) - 1)), ' ' || char(9) || char(13)), " PLACES("benchmark") ", " PLACES("corpus") " FROM (SELECT id "
      "FROM clones ORDER BY small_count DESC, corpus_count DESC, length DESC, id LIMIT -1) AS o CROSS JOIN clones AS c "
      "ON c.id = o.id",
      "Blocks, the most frequent in benchmarks first: how each begins, and its first three places on either side, as "
      "path:line, or shard:record:line where there is no path." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clones = {
    .name = "clones", .row_size = sizeof(struct graph_clone), TABLE_COLUMNS(clones_columns),
    .digest = "B\tclones", .views = clones_views, .flags = TABLE_SORTED,
    .doc = "Pass clones: blocks of lines that the benchmarks share with the corpora; with line_clones.self, that the "
           "benchmarks repeat.",
};

#define ROW graph_clone_place
static const struct graph_column clone_places_columns[] = {
    { "clone", COLUMN_ID, FIELD(clone), 0, "clones", "" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "where it begins in the record's text, from 1" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of the record's document" },
};
#undef ROW

static const struct graph_check clone_places_checks[] = {
    { "blocks of lines have places in benchmarks",
      "SELECT 'clone ' || c.id, (SELECT count(*) FROM clone_places AS p JOIN datasets AS d ON d.id = p.dataset "
      "WHERE p.clone = c.id AND d.role = 'benchmark') AS x, c.small_count AS y FROM clones AS c WHERE x = 0 OR x > y",
      "places listed", "counted" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clone_places = {
    .name = "clone_places", .row_size = sizeof(struct graph_clone_place), TABLE_COLUMNS(clone_places_columns),
    .checks = clone_places_checks,
    .doc = "The first places of each block on either side, at most line_clones.places.",
    .after = "CREATE INDEX clone_places_clone ON clone_places (clone);",
};

#define ROW graph_clone_document
static const struct graph_column clone_documents_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "the record's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "" },
    { "lines", COLUMN_U64, FIELD(lines), 0, NULL, "significant ones" },
    { "shared_lines", COLUMN_U64, FIELD(shared), 0, NULL, "those of them in such a run" },
    { "block_lines", COLUMN_U32, FIELD(block_lines), 0, NULL,
      "of its longest run in one document of a corpus; 0: with line_clones.self" },
    { "corpus", COLUMN_OPTIONAL, FIELD(corpus), 0, NULL, "that has it; NULL: none" },
    { "block_shard", COLUMN_MAYBE_SHARD, FIELD(block_shard), 0, NULL, "the first document in order with that run" },
    { "block_record", COLUMN_U64, FIELD(block_record), 0, NULL, "" },
    { "block_path", COLUMN_OPTIONAL, FIELD(block_path), 0, NULL, "of that document" },
    { "block_line", COLUMN_U32, FIELD(block_line), 0, NULL, "of its text, from 1, where the run starts" },
};
#undef ROW

static const struct graph_check clone_documents_checks[] = {
    { "a benchmark's document has no more shared lines than lines",
      "SELECT dataset || '/' || shard || ' record ' || record, shared_lines, lines FROM clone_documents WHERE "
      "shared_lines > lines OR shared_lines = 0",
      "shared lines", "lines" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view clone_documents_views[] = {
    { "clone_datasets", "dataset, documents, with_blocks, percent, shared_lines",
      "SELECT dataset, documents, found, " VIEW_PERCENT("found", "documents") ", lines FROM (SELECT d.rowid AS place, "
      "d.id AS dataset, (SELECT ifnull(sum(records - rejected), 0) FROM shards WHERE dataset = d.id) AS documents, "
      "(SELECT count(*) FROM clone_documents WHERE dataset = d.id) AS found, (SELECT ifnull(sum(shared_lines), 0) FROM "
      "clone_documents WHERE dataset = d.id) AS lines FROM datasets AS d WHERE d.role = 'benchmark') ORDER BY place",
      "Of each benchmark: its documents, those with a block, and their lines in blocks." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clone_documents = {
    .name = "clone_documents", .row_size = sizeof(struct graph_clone_document), TABLE_COLUMNS(clone_documents_columns),
    .views = clone_documents_views, .checks = clone_documents_checks,
    .doc = "The documents of benchmarks that hold a run of line_clones.lines lines that a corpus has (with self: that "
           "another place has).",
    .after = "CREATE INDEX clone_documents_record ON clone_documents (dataset, shard, record);",
};

#define ROW graph_clone_span
static const struct graph_column clone_spans_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "first_line", COLUMN_U32, FIELD(first), 0, NULL, "lines of the record's text, from 1, all counted" },
    { "last_line", COLUMN_U32, FIELD(last), 0, NULL, "" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of the record's document" },
};
#undef ROW

static const struct graph_check clone_spans_checks[] = {
    { "a benchmark's document has shared lines where it says so",
      "SELECT dataset || '/' || shard || ' record ' || record, sum(shared), sum(lines) FROM (SELECT dataset, "
      "shard, record, shared_lines AS shared, 0 AS lines FROM clone_documents UNION ALL SELECT dataset, shard, record, "
      "0, last_line - first_line + 1 FROM clone_spans) GROUP BY dataset, shard, record HAVING sum(shared) > sum(lines)",
      "shared lines", "lines in spans" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clone_spans = {
    .name = "clone_spans", .row_size = sizeof(struct graph_clone_span), TABLE_COLUMNS(clone_spans_columns),
    .checks = clone_spans_checks,
    .doc = "Where they are, joined where blocks overlap.",
};

const struct graph_table *const clone_tables[] = { &table_clones, &table_clone_places, &table_clone_documents,
                                                    &table_clone_spans, NULL };

/* ---- their rows ---- */

static void *own_array(struct graph_build *build, size_t count, size_t size)
{
    return graph_build_own(build, calloc(count + 1, size));
}

static struct slice small_string(const struct clone_side_document *document, struct heap_string s)
{
    return s.len == NO_STRING ? (struct slice){ 0 } : (struct slice){ document->heap + s.at, s.len };
}

int graph_add_clones(struct graph_build *build, const struct clone_job *job, const struct clone_result *result,
                     struct err *err)
{
    struct graph_clone          *clone = own_array(build, result->block_count, sizeof *clone);
    struct graph_clone_place    *place = own_array(build, result->place_count, sizeof *place);
    struct graph_clone_document *document = own_array(build, result->small.count, sizeof *document);
    struct graph_clone_span     *span = own_array(build, result->span_count, sizeof *span);
    size_t                       documents = 0;
    int                          rc;

    if (!clone || !place || !document || !span)
        return err_memory(err, result->block_count * sizeof *clone + result->place_count * sizeof *place, "blocks");
    for (size_t b = 0; b < result->block_count; b++) {
        const struct clone_block *from = &result->block[b];

        clone[b] = (struct graph_clone){ .fingerprint_low = from->fingerprint_low,
                                         .fingerprint_high = from->fingerprint_high, .small_count = from->small_count,
                                         .corpus_count = from->corpus_count, .text = clone_block_text(result, from),
                                             .length = from->length };
    }
    for (size_t p = 0; p < result->place_count; p++) {
        const struct clone_block_place *from = &result->place[p];

        place[p] = (struct graph_clone_place){ from->record, from->block, job->run->shards->at[from->shard].dataset,
                                               from->shard, from->line, from->path };
    }
    for (size_t d = 0; d < result->small.count; d++) {
        const struct clone_side_document *from = &result->small.document[d];

        const struct clone_elsewhere     *other = &result->elsewhere[d];

        if (!result->shared[d]) continue;
        document[documents++] = (struct graph_clone_document){
            .block_lines = other->length, .block_shard = other->length ? other->shard : UINT32_MAX,
            .block_record = other->record, .block_path = other->path, .block_line = other->line,
            .corpus = slice_of(other->length ? job->run->datasets[job->run->shards->at[other->shard].dataset].name
                               : NULL),
            .record = from->row->record, .lines = from->row->line_count, .shared = result->shared[d],
                .source_id = small_string(from, from->row->source_id),
            .path = small_string(from, from->row->path), .dataset = job->run->shards->at[from->shard].dataset,
                .shard = from->shard };
    }
    for (size_t s = 0; s < result->span_count; s++) {
        const struct clone_side_document *of = &result->small.document[result->span[s].document];

        span[s] = (struct graph_clone_span){ of->row->record, job->run->shards->at[of->shard].dataset, of->shard,
                                             result->span[s].first, result->span[s].last,
                                             small_string(of, of->row->path) };
    }
    rc = graph_add_rows(build, &table_clones, clone, result->block_count, err);
    if (rc == 0) rc = graph_add_rows(build, &table_clone_places, place, result->place_count, err);
    if (rc == 0) rc = graph_add_rows(build, &table_clone_documents, document, documents, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_clone_spans, span, result->span_count, err);
}
