/* clonetype/tables.c -- see tables.h. */
#include "clonetype/tables.h"

#include "clonetype/within_tables.h"
#include "licence/licence.h"

#include <stdlib.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_clone_pair
static const struct graph_column clone_pairs_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "item_function", COLUMN_TEXT, FIELD(item_name), 0, NULL, "name of the item's function" },
    { "item_line", COLUMN_U32, FIELD(item_line), 0, NULL, "of the item's text, from 1, where that function begins" },
    { "item_line_end", COLUMN_U32, FIELD(item_line_end), 0, NULL, "its last one" },
    { "item_byte", COLUMN_U32, FIELD(item_byte), COLUMN_LINE, NULL, "of the item's text, from 0" },
    { "item_byte_end", COLUMN_U32, FIELD(item_byte_end), COLUMN_LINE, NULL, "behind its last one" },
    { "item_main", COLUMN_FLAG, FIELD(item_main), COLUMN_LINE, NULL,
      "1: it has half of the item's tokens or more, so that a clone of type 1, 2c or 2 is a leak of the item" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "the document that the clone is in" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "that document's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of that document" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL, "of that document, as in snippets" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL, "as in snippets" },
    { "name", COLUMN_TEXT, FIELD(name), 0, NULL, "of the clone" },
    { "class", COLUMN_OPTIONAL, FIELD(class_name), 0, NULL, "innermost around it; NULL: none with a name" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "of the document's text, from 1, where the clone begins" },
    { "line_end", COLUMN_U32, FIELD(line_end), 0, NULL, "its last one" },
    { "byte", COLUMN_U32, FIELD(byte), COLUMN_LINE, NULL, "of the document's text, from 0" },
    { "byte_end", COLUMN_U32, FIELD(byte_end), COLUMN_LINE, NULL, "behind its last one" },
    { "type", COLUMN_TEXT, FIELD(type), COLUMN_LINE, NULL, "1 | 2c | 2 | 3: the strictest asked for that holds" },
    { "common", COLUMN_U32, FIELD(common), COLUMN_LINE, NULL,
      "length of the longest common subsequence of their blind statements, or tokens (clones.unit)" },
    { "size", COLUMN_U32, FIELD(whole), COLUMN_LINE, NULL, "statements or tokens of the larger one" },
    { "similarity", COLUMN_REAL, FIELD(similarity), 0, NULL, "common / size: 1 - dissimilarity" },
    { "item_aligned_line", COLUMN_U32, FIELD(item_aligned_line), COLUMN_LINE, NULL,
      "of type 3, where the first of the common statements or tokens is in the item; else item_line" },
    { "item_aligned_line_end", COLUMN_U32, FIELD(item_aligned_line_end), COLUMN_LINE, NULL, "where the last one ends" },
    { "aligned_line", COLUMN_U32, FIELD(aligned_line), COLUMN_LINE, NULL, "the same in the clone's document" },
    { "aligned_line_end", COLUMN_U32, FIELD(aligned_line_end), COLUMN_LINE, NULL, "" },
};
#undef ROW

/* FILE#CLASS.NAME@LINE */
#define CLONE_PLACE \
    "ifnull(p.path, p.source_id) || '#' || ifnull(p.class || '.', '') || p.name || '@' || p.line"

#define CLONE_ALIGNED \
    "printf('%d-%d = %d-%d', p.item_aligned_line, p.item_aligned_line_end, p.aligned_line, p.aligned_line_end)"

/* NULL where it was not looked for. */
#define OF_TYPE(type) \
    "iif((SELECT ' ' || value || ' ' FROM run WHERE key = 'clone_types.types') LIKE '% " type " %', count(CASE WHEN " \
    "i.type = '" type "' THEN 1 END), NULL)"

static const struct graph_view clone_type_views[] = {
    { "clone_pair_places", "item, benchmark, source_id, item_function, dataset, place, type, similarity, "
                           "aligned, repo, license",
      "SELECT p.item, s.dataset, s.source_id, p.item_function || '@' || p.item_line, p.dataset, " CLONE_PLACE
      ", p.type, p.similarity, " CLONE_ALIGNED ", p.repo, p.license FROM clone_pairs AS p JOIN snippets AS s ON s.id "
                                               "= p.item ORDER BY "
      "p.rowid",
      "Functions of items and their clones, each called FILE#CLASS.NAME@LINE; aligned: the lines of either that what "
      "they "
      "have in common is in." },
    { "clone_type_leakage", "source, target, documents, type1, type2c, type2, type3, items, percent, pairs",
      "SELECT d.id, t.id, w.documents, " OF_TYPE("1") ", " OF_TYPE("2c") ", " OF_TYPE("2") ", " OF_TYPE("3") ", "
      "count(i.item), " VIEW_PERCENT("count(i.item)", "w.documents") ", ifnull(sum(i.pairs), 0) FROM datasets AS d "
      "JOIN datasets AS t JOIN (SELECT dataset, sum(documents) AS documents FROM splits GROUP BY dataset) AS w ON "
      "w.dataset = d.id LEFT JOIN (SELECT c.*, s.dataset AS source FROM clone_items AS c JOIN snippets AS s ON s.id = "
      "c.item) AS i ON i.source = d.id AND i.dataset = t.id WHERE d.role = 'benchmark' AND " CLONE_SEARCHED " GROUP "
      "BY d.rowid, t.rowid ORDER BY d.rowid, t.rowid",
      "How many items of each benchmark have a clone in each corpus that was searched, by the strictest type that an "
      "item has there; NULL: not looked for." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check clone_type_checks[] = {
    { "clones end behind where they begin, and of types 1 and 2 have all in common",
      "SELECT 'clone ' || p.rowid, p.common, p.size FROM clone_pairs AS p WHERE p.common > p.size OR (p.type <> '3' "
      "AND p.common <> p.size) OR p.byte >= p.byte_end OR p.line > p.line_end OR p.item_byte >= p.item_byte_end OR NOT "
      "(p.item_line <= p.item_aligned_line AND p.item_aligned_line <= p.item_aligned_line_end AND "
      "p.item_aligned_line_end <= p.item_line_end AND p.line <= p.aligned_line AND p.aligned_line <= "
      "p.aligned_line_end AND p.aligned_line_end <= p.line_end)",
      "common", "size" },
    { "clones of an item are no more than were counted",
      "SELECT 'item ' || i.item || ' in ' || i.dataset, (SELECT count(*) FROM clone_pairs AS p WHERE p.item = i.item "
      "AND p.dataset = i.dataset) AS x, i.pairs AS y FROM clone_items AS i WHERE x = 0 OR x > y",
      "clones listed", "counted" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_clone_pairs = {
    .name = "clone_pairs", .row_size = sizeof(struct graph_clone_pair), TABLE_COLUMNS(clone_pairs_columns),
    .digest = "T\tclone_pairs",
    .doc = "Pass clones: functions of items and functions of the corpora that are clones of them, by item and corpus; "
           "those of main functions (item_main) first, then the strictest and most alike; of an item and a corpus at "
           "most clones.max_matches of its main functions, and as many of the others.",
    .after = "CREATE INDEX clone_pairs_item ON clone_pairs (item);",
    .part[UNION_INSIDE] = "SELECT item, dataset, shard, record, 'type ' || type, similarity, " CLONE_PLACE ", line, "
                          "line_end, type <> '3' AND item_main, license, license_class, source_id, path, repo, "
                          "item_line, item_line_end FROM clone_pairs AS p",
    .part[UNION_NUMBERS] = "SELECT 'inside', 'clones', source, '', target, documents, items, percent, NULL, NULL, NULL "
                           "FROM clone_type_leakage",
};

#define ROW graph_clone_item
static const struct graph_column clone_items_columns[] = {
    { "item", COLUMN_DOCUMENT, FIELD(item), COLUMN_LINE, "snippets", "of a benchmark" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus" },
    { "type", COLUMN_TEXT, FIELD(type), COLUMN_LINE, NULL, "the strictest of its clones there" },
    { "pairs", COLUMN_U64, FIELD(pairs), COLUMN_LINE, NULL, "of its functions with clones there, all counted" },
};
#undef ROW

static const struct graph_table table_clone_items = {
    .name = "clone_items", .row_size = sizeof(struct graph_clone_item), TABLE_COLUMNS(clone_items_columns),
    .digest = "V\tclone_items", .views = clone_type_views, .checks = clone_type_checks,
    .doc = "Pass clones: items that have clones in a corpus.",
    .after = "CREATE INDEX clone_items_item ON clone_items (item);",
};

const struct graph_table *const clonetype_tables[] = { &table_clone_pairs, &table_clone_items,
                                                        &table_clone_functions, &table_clone_links, NULL };

/* ---- their rows ---- */

static struct graph_clone_pair pair_make(const struct clonetype_index *index, const struct clonetype_pair *from,
                                         uint32_t document)
{
    const struct clonetype_row *row = from->row;
    const struct fragment      *fragment = &index->at[from->fragment];
    const bool                  whole = from->type != CLONE_TYPE_3;
    const struct item_lines     of_item = whole ? (struct item_lines){ fragment->span.line, fragment->span.line_end }
        : clonetype_index_lines(index, from->fragment, row->item, row->item_end),
        aligned = whole ? (struct item_lines){ row->span.line, row->span.line_end } : row->aligned;

    return (struct graph_clone_pair){
        .item = document, .dataset = from->dataset, .shard = from->shard, .common = from->common, .whole = from->whole,
        .record = row->record, .type = slice_of(clone_type_names[from->type]),
        .item_name = heap_slice(index->heap.at, fragment->span.name),
        .source_id = heap_slice(from->heap, row->source_id), .path = heap_slice(from->heap, row->path),
        .repo = heap_slice(from->heap, row->repo), .license = heap_slice(from->heap, row->license),
        .license_class = licence_class_word(heap_slice(from->heap, row->license)),
        .name = heap_slice(from->heap, row->span.name), .class_name = heap_slice(from->heap, row->span.class_name),
        .item_line = fragment->span.line, .item_line_end = fragment->span.line_end, .item_byte = fragment->span.at,
        .item_byte_end = fragment->span.end, .line = row->span.line, .line_end = row->span.line_end,
        .byte = row->span.at, .byte_end = row->span.end, .item_main = fragment->main,
        .item_aligned_line = of_item.line, .item_aligned_line_end = of_item.line_end,
        .aligned_line = aligned.line, .aligned_line_end = aligned.line_end,
        .similarity = (double)from->common / from->whole };
}

int graph_add_clonetypes(struct graph_build *build, const struct clonetype_job *job,
                         const struct clonetype_result *result, struct err *err)
{
    const struct clonetype_index *index = job->index;
    struct graph_clone_pair      *pair = graph_build_own(build, malloc((result->pair_count + 1) * sizeof *pair));
    struct graph_clone_item      *item = graph_build_own(build, malloc((result->item_count + 1) * sizeof *item));
    struct graph_finder           finder = { .graph = &build->graph };
    uint32_t                     *place = malloc((index->documents + 1) * sizeof *place);
    size_t                        pairs = 0, items = 0;
    int                           rc;

    if (!pair || !item || !place) {
        free(place);
        return err_memory(err, result->pair_count * sizeof *pair, "clones");
    }
    for (size_t f = 0; f < index->count; f++)
        if (f == 0 || index->at[f].document != index->at[f - 1].document) {
            uint32_t *to = &place[index->at[f].document];

            if (!graph_find(&finder, index->at[f].shard, index->at[f].record, to)) *to = UINT32_MAX;
        }
    for (size_t i = 0; i < result->pair_count; i++)
        if (place[result->pair[i].item] != UINT32_MAX)
            pair[pairs++] = pair_make(index, &result->pair[i], place[result->pair[i].item]);
    for (size_t i = 0; i < result->item_count; i++) {
        const struct clonetype_item *from = &result->item[i];

        if (place[from->item] != UINT32_MAX)
            item[items++] = (struct graph_clone_item){ place[from->item], from->dataset,
                                                       slice_of(clone_type_names[from->type]), from->pairs };
    }
    free(place);
    rc = graph_add_rows(build, &table_clone_pairs, pair, pairs, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_clone_items, item, items, err);
}
