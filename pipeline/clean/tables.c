/* clean/tables.c -- see tables.h. */
#include "clean/tables.h"

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_cleaned
static const struct graph_column cleaned_columns[] = {
    { "output", COLUMN_TEXT, FIELD(output), 0, NULL, "clean.N.name" },
    { "kind", COLUMN_TEXT, FIELD(kind), 0, NULL,
      "removed | cut | leaky | nonleaky: of what cleaned/OUTPUT.KIND.tsv is the list; the latter two have folders "
      "of their own" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "split", COLUMN_TEXT, FIELD(split), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "before" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL, "of their text" },
    { "removed", COLUMN_U64, FIELD(removed), 0, NULL,
      "documents that are not written; of kind cut, those of which nothing is left" },
    { "cut", COLUMN_U64, FIELD(cut), 0, NULL, "documents that are written without some of their lines" },
    { "spans", COLUMN_U64, FIELD(spans), 0, NULL, "runs of lines cut out of those" },
    { "removed_bytes", COLUMN_U64, FIELD(removed_bytes), 0, NULL, "of text, of both" },
};
#undef ROW

static const struct graph_view cleaned_views[] = {
    { "cleaned_outputs",
      "output, kind, dataset, split, documents, removed, removed_percent, cut, spans, \"left\", bytes, removed_bytes, "
      "left_bytes",
      "SELECT output, kind, dataset, split, documents, removed, " VIEW_PERCENT("removed", "documents") ", cut, spans, "
      "documents - removed, bytes, removed_bytes, bytes - removed_bytes FROM cleaned ORDER BY rowid",
      "The same with what is left: documents, and bytes of their text." },
    { "cleaned_places", "output, kind, shards, list",
      "SELECT output, kind, 'cleaned/' || output || iif(kind IN ('removed', 'cut'), '', '/' || kind) || '/', "
      "'cleaned/' || output || '.' || kind || '.tsv' FROM cleaned GROUP BY output, kind ORDER BY min(rowid)",
      "Where in the run folder the shards and the list of each output are." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_cleaned = {
    .name = "cleaned", .row_size = sizeof(struct graph_cleaned), TABLE_COLUMNS(cleaned_columns),
    .views = cleaned_views,
    .doc = "What `clean` made of each split that an output is made of.",
};

#define ROW graph_cleaned_document
static const struct graph_column cleaned_documents_columns[] = {
    { "output", COLUMN_TEXT, FIELD(output), 0, NULL, "" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "split", COLUMN_TEXT, FIELD(split), 0, NULL, "" },
    { "id_within_dataset", COLUMN_U64, FIELD(number), 0, NULL, "" },
    { "source_id", COLUMN_OPTIONAL, FIELD(source_id), 0, NULL, "the record's own id, or shard:record" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "lines", COLUMN_OPTIONAL, FIELD(lines), 0, NULL,
      "cut out of its text, as 3-9,20-31, from 1; NULL: the document is removed" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL, "of text that are gone" },
    { "why", COLUMN_TEXT, FIELD(why), 0, NULL, "the parts of the rule that were true" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "" },
};
#undef ROW

static const struct graph_check cleaned_documents_checks[] = {
    { "cleaned documents are as many as cleaned splits say",
      "SELECT output || ' ' || dataset || '/' || split, sum(listed), sum(counted) FROM (SELECT output, dataset, "
      "split, 0 AS listed, removed + cut AS counted FROM cleaned WHERE kind IN ('removed', 'cut') UNION ALL SELECT "
      "output, dataset, split, count(*), 0 FROM cleaned_documents GROUP BY 1, 2, 3) GROUP BY output, dataset, split "
      "HAVING sum(listed) <> sum(counted)",
      "listed", "counted" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view cleaned_documents_views[] = {
    { "cleaned_reasons", "output, dataset, split, what, why, documents, bytes",
      "SELECT output, dataset, split, iif(lines IS NULL, 'removed', 'cut'), why, count(*), sum(bytes) FROM "
      "cleaned_documents GROUP BY output, dataset, split, lines IS NULL, why ORDER BY min(rowid)",
      "Documents removed and cut, by the parts of the rule that were true." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_cleaned_documents = {
    .name = "cleaned_documents", .row_size = sizeof(struct graph_cleaned_document),
    TABLE_COLUMNS(cleaned_documents_columns),
    .views = cleaned_documents_views, .checks = cleaned_documents_checks,
    .doc = "Each document that it removed or shortened; of subsets, files beside them list what was taken.",
    .part[UNION_REMOVED] =
        "SELECT output, iif(lines IS NULL, 'removed', 'cut'), dataset, nullif(split, ''), id_within_dataset, "
        "source_id, path, NULL, NULL, shard, record, lines, bytes, why, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
        "NULL, NULL, NULL FROM cleaned_documents",
};

#define ROW graph_cleaned_shard
static const struct graph_column cleaned_shards_columns[] = {
    { "output", COLUMN_TEXT, FIELD(output), 0, NULL, "clean.N.name" },
    { "kind", COLUMN_TEXT, FIELD(kind), 0, NULL, "as in cleaned" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "that could be read" },
    { "kept", COLUMN_U64, FIELD(kept), 0, NULL, "of them, written in their order" },
    { "file", COLUMN_OPTIONAL, FIELD(file), 0, NULL, "in the run folder; NULL: nothing of the shard stays" },
    { "file_record", COLUMN_MAYBE, FIELD(record), 0, NULL,
      "number in the file, from 0, of the first of them: a record is a line" },
};
#undef ROW

static const struct graph_check cleaned_shards_checks[] = {
    { "cleaned shards have as many documents as cleaned splits leave",
      "SELECT w.output || ' ' || w.kind || ' ' || w.dataset, w.kept, s.kept FROM (SELECT output, kind, dataset, "
      "sum(kept) AS kept FROM cleaned_shards GROUP BY 1, 2, 3) AS w LEFT JOIN (SELECT output, kind, dataset, "
      "sum(documents - removed) AS kept FROM cleaned GROUP BY 1, 2, 3) AS s USING (output, kind, dataset) WHERE "
      "w.kept <> ifnull(s.kept, 0)",
      "kept in cleaned_shards", "in cleaned" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_cleaned_shards = {
    .name = "cleaned_shards", .row_size = sizeof(struct graph_cleaned_shard), TABLE_COLUMNS(cleaned_shards_columns),
    .checks = cleaned_shards_checks, .doc = "Which file of each output a shard went to.",
};

const struct graph_table *const clean_tables[] = { &table_cleaned, &table_cleaned_documents, &table_cleaned_shards,
                                                   NULL };
