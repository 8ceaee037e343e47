/* passage/tables.c -- see tables.h. */
#include "passage/tables.h"

#include "graph/item_pairs.h"
#include "licence/licence.h"

#include <errno.h>
#include <stdlib.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_passage
static const struct graph_column passages_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "the document that the item is a passage of" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "that document's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of that document" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL, "of that document, as in snippets" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL, "as in snippets" },
    { "line", COLUMN_MAYBE, FIELD(line), 0, NULL, "of the document's text, from 1, where the passage begins; NULL: not "
      "known (given tokens, views that are none of tokens)" },
    { "line_end", COLUMN_MAYBE, FIELD(line_end), 0, NULL, "its last one" },
    { "byte", COLUMN_MAYBE, FIELD(byte), COLUMN_LINE, NULL, "of the document's text, from 0" },
    { "byte_end", COLUMN_MAYBE, FIELD(byte_end), COLUMN_LINE, NULL, "behind its last one" },
    { "found", COLUMN_U32, FIELD(found), COLUMN_LINE, NULL, "different runs of the item that the document has" },
    { "runs", COLUMN_U32, FIELD(runs), COLUMN_LINE, NULL, "different runs of the item" },
    { "share", COLUMN_REAL, FIELD(share), 0, NULL, "found / runs" },
};
#undef ROW

static const struct graph_check passages_checks[] = {
    { "passages have no more runs than their items and end behind where they begin",
      "SELECT 'passage ' || p.rowid, p.found, p.runs FROM passages AS p WHERE p.found > p.runs OR p.found = 0 OR "
      "p.byte "
      ">= p.byte_end OR p.line > p.line_end OR (p.line IS NULL) <> (p.byte IS NULL)",
      "runs found", "runs" },
    { "documents of an item are no more than were counted",
      "SELECT 'item ' || i.item || ' in ' || i.dataset, (SELECT count(*) FROM passages AS p WHERE p.item = i.item AND "
      "p.dataset = i.dataset) AS x, i.documents AS y FROM passage_items AS i WHERE x = 0 OR x > y",
      "documents listed", "counted" },
    { NULL, NULL, NULL, NULL },
};

#define PASSAGE_PLACE(of) "ifnull(" of "path, " of "source_id) || ifnull(':' || " of "line, '')"

static const struct graph_table table_passages = {
    .name = "passages", .row_size = sizeof(struct graph_passage), TABLE_COLUMNS(passages_columns),
    .digest = "U\tpassages", .checks = passages_checks,
    .doc = "Documents of the corpora that have an item in them as a passage, by item and corpus, the best first; at "
           "most "
           "near_duplicates.max_matches of an item and a corpus.",
    .after = "CREATE INDEX passages_item ON passages (item);",
    .part[UNION_INSIDE] = "SELECT item, dataset, shard, record, 'contained', share, " PASSAGE_PLACE("") ", line, "
                          "line_end, 1, license, license_class, source_id, path, repo, NULL, NULL FROM passages",
    .part[UNION_NUMBERS] = "SELECT 'inside', 'passages', source, '', target, compared, items, percent, NULL, NULL, "
                           "NULL FROM passage_leakage",
};

#define ROW graph_passage_item
static const struct graph_column passage_items_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "documents", COLUMN_U64, FIELD(documents), COLUMN_LINE, NULL, "of the corpus that have it, all counted" },
};
#undef ROW

/* Of the items of a benchmark that are passages in a corpus, those that nothing else finds there. */
#define FOUND_OTHERWISE \
    GRAPH_HAS_PAIR("i.item", GRAPH_DATASET_ROW("i.dataset")) " OR EXISTS (SELECT 1 FROM " FOUND_INSIDE " AS n WHERE " \
    "n.item = i.item AND n.dataset = i.dataset AND n.kind <> 'contained' AND n.leak)"

#define RUN_NUMBER(key) "(SELECT CAST(value AS INTEGER) FROM run WHERE key = " key ")"

static const struct graph_view passage_views[] = {
    { "passage_leakage", "source, target, documents, compared, items, percent, only_passages, pairs",
      "SELECT o.source, o.target, o.documents, " RUN_NUMBER("'passages.compared.' || o.source") ", count(f.item), "
      VIEW_PERCENT("count(f.item)", "o.documents") ", ifnull(sum(f.alone), 0), ifnull(sum(f.documents), 0) FROM "
                   "overlap "
      "AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = o.target LEFT JOIN (SELECT i.*, "
      "x.dataset "
      "AS source, NOT (" FOUND_OTHERWISE ") AS alone FROM passage_items AS i JOIN snippets AS x ON x.id = i.item) AS "
      "f ON "
      "f.source = o.source AND f.dataset = o.target WHERE s.role = 'benchmark' AND t.role = 'corpus' AND o.split = '' "
      "AND "
      "o.target_split = '' AND o.language = '' GROUP BY o.rowid ORDER BY o.rowid",
      "How much of each benchmark stands in documents of each corpus: items with enough runs to be looked for, those "
      "of "
      "them that are passages, those that nothing else finds there, and pairs of an item and a document." },
    { "passage_places", "item, benchmark, source_id, dataset, place, line_end, share, found, runs, repo, license",
      "SELECT p.item, s.dataset, s.source_id, p.dataset, " PASSAGE_PLACE("p.") ", p.line_end, p.share, p.found, "
      "p.runs, "
      "p.repo, p.license FROM passages AS p JOIN snippets AS s ON s.id = p.item ORDER BY p.rowid",
      "Items and the documents that they are passages of, as path:line." },
    { "passage_chance", "decoys, tested, reached, decoys_reached, percent",
      "SELECT decoys, tested, reached, found, " VIEW_PERCENT("found", "decoys") " FROM (SELECT "
      RUN_NUMBER("'passages.decoys'") " AS decoys, " RUN_NUMBER("'passages.tested'") " AS tested, "
      RUN_NUMBER("'passages.reached'") " AS reached, " RUN_NUMBER("'passages.decoys_reached'") " AS found) WHERE "
                 "decoys "
      "IS NOT NULL",
      "How often passages are found by chance: decoys made of pieces of other items, pairs of a decoy and a document, "
      "those that reached the threshold, decoys with such a pair, and their percentage." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_passage_items = {
    .name = "passage_items", .row_size = sizeof(struct graph_passage_item), TABLE_COLUMNS(passage_items_columns),
    .digest = "J\tpassages", .views = passage_views, .often = "passage_leakage",
    .doc = "Items that are passages of documents of a corpus.",
    .after = "CREATE INDEX passage_items_item ON passage_items (item);",
};

const struct graph_table *const passage_tables[] = { &table_passages, &table_passage_items, NULL };

/* ---- their rows ---- */

/* The index's items in the graph, which has all of them.  NULL: no memory. */
static uint32_t *items_place(struct graph_build *build, const struct passage_index *index)
{
    struct graph_finder finder = { .graph = &build->graph };
    uint32_t           *place = malloc((index->items + 1ull) * sizeof *place);

    for (uint32_t i = 0; place && i < index->items; i++) {
        place[i] = UINT32_MAX;
        graph_find(&finder, index->item[i].shard, index->item[i].record, &place[i]);
    }
    return place;
}

/* NULL where the place is not known. */
static int64_t maybe(const struct passage_row *row, uint32_t number) { return row->line ? (int64_t)number : -1; }

int graph_add_passages(struct graph_build *build, const struct passage_job *job, const struct passage_result *result,
                       struct err *err)
{
    const struct passage_index *index = &result->index;
    struct graph_passage       *pair = graph_build_own(build, malloc((result->pair_count + 1) * sizeof *pair));
    struct graph_passage_item  *item = graph_build_own(build, malloc((result->count_count + 1) * sizeof *item));
    uint32_t                   *place = items_place(build, index);
    int                         rc;

    if (!pair || !item || !place) {
        free(place);
        return err_memory(err, result->pair_count * sizeof *pair, "passages");
    }
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct passage_pair *from = &result->pair[i];
        const struct passage_row  *row = from->row;
        const uint32_t             runs = index->entry[row->entry].runs;

        pair[i] = (struct graph_passage){
            .item = place[from->item], .dataset = job->run->shards->at[from->shard].dataset, .shard = from->shard,
            .record = row->record, .source_id = heap_slice(from->heap, row->source_id),
            .path = heap_slice(from->heap, row->path), .repo = heap_slice(from->heap, row->repo),
            .license = heap_slice(from->heap, row->license),
            .license_class = licence_class_word(heap_slice(from->heap, row->license)), .line = maybe(row, row->line),
            .line_end = maybe(row, row->line_end), .byte = maybe(row, row->at), .byte_end = maybe(row, row->end),
            .found = row->found, .runs = runs, .share = (double)row->found / runs };
    }
    for (size_t i = 0; i < result->count_count; i++)
        item[i] = (struct graph_passage_item){ place[result->count[i].item], result->count[i].dataset,
                                               result->count[i].documents };
    free(place);
    rc = graph_add_rows(build, &table_passages, pair, result->pair_count, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_passage_items, item, result->count_count, err);
}
