/* function/tables.c -- see tables.h. */
#include "function/tables.h"

#include "graph/item_pairs.h"
#include "licence/licence.h"

#include <errno.h>
#include <stdlib.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_function_pair
static const struct graph_column function_pairs_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "the document that the function is of" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "that document's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of that document" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL, "of that document, as in snippets" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL, "as in snippets" },
    { "name", COLUMN_TEXT, FIELD(name), 0, NULL, "of the function" },
    { "class", COLUMN_OPTIONAL, FIELD(class_name), 0, NULL, "innermost around it; NULL: none with a name" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "of the document's text, from 1, where the function begins" },
    { "line_end", COLUMN_U32, FIELD(line_end), 0, NULL, "its last one" },
    { "byte", COLUMN_U32, FIELD(byte), COLUMN_LINE, NULL, "of the document's text, from 0" },
    { "byte_end", COLUMN_U32, FIELD(byte_end), COLUMN_LINE, NULL, "behind its last one" },
    { "kind", COLUMN_KIND, FIELD(kind), 0, NULL, "exact | near | copy, as in edges" },
    { "shared", COLUMN_U32, FIELD(shared), COLUMN_LINE, NULL, "distinct features that both have" },
    { "union", COLUMN_U32, FIELD(union_size), COLUMN_QUOTED | COLUMN_LINE, NULL, "distinct features that either has" },
    { "min_sum", COLUMN_U32, FIELD(min_sum), COLUMN_LINE, NULL, "occurrences: sum of the smaller counts" },
    { "max_sum", COLUMN_U32, FIELD(max_sum), COLUMN_LINE, NULL, "occurrences: sum of the larger counts" },
    { "set_similarity", COLUMN_REAL, FIELD(set_similarity), 0, NULL, "shared / union" },
    { "multiset_similarity", COLUMN_REAL, FIELD(multiset_similarity), 0, NULL, "min_sum / max_sum" },
    { "text", COLUMN_TEXT, FIELD(text), 0, NULL, "of the function; '' when not stored (graph.store)" },
};
#undef ROW

/* FILE#CLASS.NAME@LINE */
#define FUNCTION_PLACE(of) \
    "ifnull(" of "path, " of "source_id) || '#' || ifnull(" of "class || '.', '') || " of "name || '@' || " of \
    "line"

/* Of the items of a benchmark that have a function in a corpus, those without any pair with a document there: all of
 * them, as a pair that is left out by max_matches leaves others. */
#define FOUND_OTHERWISE GRAPH_HAS_PAIR("i.item", GRAPH_DATASET_ROW("i.dataset"))

static const struct graph_view function_views[] = {
    { "function_places", "item, benchmark, source_id, dataset, place, kind, set_similarity, multiset_similarity, repo, "
                         "license",
      "SELECT p.item, s.dataset, s.source_id, p.dataset, " FUNCTION_PLACE("p.") ", p.kind, p.set_similarity, "
      "p.multiset_similarity, p.repo, p.license FROM function_pairs AS p JOIN snippets AS s ON s.id = p.item ORDER BY "
      "p.rowid",
      "Items and the functions that they are like, each called FILE#CLASS.NAME@LINE." },
    { "function_leakage", "source, target, documents, items, percent, only_in_functions, functions",
      "SELECT o.source, o.target, o.documents, count(f.item), " VIEW_PERCENT("count(f.item)", "o.documents") ", "
      "ifnull(sum(f.alone), 0), ifnull(sum(f.functions), 0) FROM overlap AS o JOIN datasets AS s ON s.id = o.source "
      "JOIN datasets AS t ON t.id = o.target LEFT JOIN (SELECT i.*, x.dataset AS source, NOT (" FOUND_OTHERWISE ") AS "
      "alone FROM function_items AS i JOIN snippets AS x ON x.id = i.item) AS f ON f.source = o.source AND f.dataset = "
      "o.target WHERE s.role = 'benchmark' AND t.role = 'corpus' AND o.split = '' AND o.target_split = '' AND "
      "o.language = '' GROUP BY o.rowid ORDER BY o.rowid",
      "How much of each benchmark is in the functions of each corpus: items with such a function, those of them that "
      "have no pair with a document there, and the functions." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check function_checks[] = {
    { "functions have similarities between 0 and 1 and end behind where they begin",
      "SELECT 'function ' || p.rowid, p.set_similarity, p.multiset_similarity FROM function_pairs AS p WHERE "
      "p.shared > p.\"union\" OR p.min_sum > p.max_sum OR p.byte >= p.byte_end OR p.line > p.line_end",
      "set similarity", "multiset similarity" },
    { "functions of an item are no more than were counted",
      "SELECT 'item ' || i.item || ' in ' || i.dataset, (SELECT count(*) FROM function_pairs AS p WHERE p.item = "
      "i.item AND p.dataset = i.dataset) AS x, i.functions AS y FROM function_items AS i WHERE x = 0 OR x > y",
      "functions listed", "counted" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_function_pairs = {
    .name = "function_pairs", .row_size = sizeof(struct graph_function_pair), TABLE_COLUMNS(function_pairs_columns),
    .digest = "F\tfunctions", .views = NULL,
    .doc = "Functions in documents of the corpora that are like an item, by item and corpus, the best first; at most "
           "near_duplicates.max_matches of an item and a corpus.",
    .after = "CREATE INDEX function_pairs_item ON function_pairs (item);",
    .part[UNION_INSIDE] = "SELECT item, dataset, shard, record, 'function', set_similarity, " FUNCTION_PLACE("")
                          ", line, line_end, 1, license, license_class, source_id, path, repo, NULL, NULL FROM "
                          "function_pairs",
    .part[UNION_NUMBERS] = "SELECT 'inside', 'functions', source, '', target, documents, items, percent, NULL, NULL, "
                           "NULL FROM function_leakage",
};

#define ROW graph_function_item
static const struct graph_column function_items_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "functions", COLUMN_U64, FIELD(functions), COLUMN_LINE, NULL, "of the corpus that are like it, all counted" },
};
#undef ROW

static const struct graph_table table_function_items = {
    .name = "function_items", .row_size = sizeof(struct graph_function_item), TABLE_COLUMNS(function_items_columns),
    .digest = "I\tfunctions", .views = function_views, .often = "function_leakage", .checks = function_checks,
    .doc = "Items that functions of a corpus are like.",
    .after = "CREATE INDEX function_items_item ON function_items (item);",
};

const struct graph_table *const function_tables[] = { &table_function_pairs, &table_function_items, NULL };

/* ---- their rows ---- */

static double share(uint32_t part, uint32_t whole) { return whole ? (double)part / whole : 0; }

/* The item's document in the graph, which has all of them; [residents] of both.  NULL: no memory. */
static uint32_t *items_place(struct graph_build *build, const struct near_residents *residents)
{
    struct graph_finder finder = { .graph = &build->graph };
    uint32_t           *place = malloc((residents->count + 1) * sizeof *place);

    for (size_t i = 0; place && i < residents->count; i++) {
        const struct near_document *item = &residents->document[i];

        place[i] = UINT32_MAX;
        graph_find(&finder, item->shard, item->row->record, &place[i]);
    }
    return place;
}

int graph_add_functions(struct graph_build *build, const struct function_job *job,
                        const struct near_residents *residents, const struct function_result *result, struct err *err)
{
    struct graph_function_pair *pair = graph_build_own(build, malloc((result->pair_count + 1) * sizeof *pair));
    struct graph_function_item *item = graph_build_own(build, malloc((result->count_count + 1) * sizeof *item));
    uint32_t                   *place = items_place(build, residents);
    int                         rc;

    if (!pair || !item || !place) {
        free(place);
        return err_memory(err, result->pair_count * sizeof *pair, "functions");
    }
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct function_pair  *from = &result->pair[i];
        const struct near_row       *row = from->row;
        const struct function_place *at = from->place;

        pair[i] = (struct graph_function_pair){
            .item = place[from->item], .dataset = job->run->shards->at[from->shard].dataset, .shard = from->shard,
            .kind = from->kind, .record = row->record, .source_id = heap_slice(from->heap, row->source_id),
            .path = heap_slice(from->heap, row->path), .repo = heap_slice(from->heap, row->repo),
            .license = heap_slice(from->heap, row->license),
            .license_class = licence_class_word(heap_slice(from->heap, row->license)),
            .name = heap_slice(from->heap, at->name), .class_name = heap_slice(from->heap, at->class_name),
            .text = heap_slice(from->heap, row->text),
            .line = at->line, .line_end = at->line_end, .byte = at->at, .byte_end = at->end, .shared = from->shared,
            .union_size = from->union_size, .min_sum = from->min_sum, .max_sum = from->max_sum,
            .set_similarity = share(from->shared, from->union_size),
            .multiset_similarity = share(from->min_sum, from->max_sum) };
    }
    for (size_t i = 0; i < result->count_count; i++)
        item[i] = (struct graph_function_item){ place[result->count[i].item], result->count[i].dataset,
                                                result->count[i].functions };
    free(place);
    rc = graph_add_rows(build, &table_function_pairs, pair, result->pair_count, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_function_items, item, result->count_count, err);
}
