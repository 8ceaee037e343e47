/* clonetype/within_tables.c -- see within_tables.h. */
#include "clonetype/within_tables.h"

#include "licence/licence.h"

#include <stdlib.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_clone_function
static const struct graph_column clone_functions_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, by dataset, then in the order of its documents" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "a corpus of clones.within" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "the document that the function is in" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "that document's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of that document" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL, "that its record names" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL, "as in snippets" },
    { "name", COLUMN_TEXT, FIELD(name), 0, NULL, "of the function" },
    { "class", COLUMN_OPTIONAL, FIELD(class_name), 0, NULL, "innermost around it; NULL: none with a name" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "of the document's text, from 1, where the function begins" },
    { "line_end", COLUMN_U32, FIELD(line_end), 0, NULL, "its last one" },
    { "byte", COLUMN_U32, FIELD(byte), COLUMN_LINE, NULL, "of the document's text, from 0" },
    { "byte_end", COLUMN_U32, FIELD(byte_end), COLUMN_LINE, NULL, "behind its last one" },
    { "type1", COLUMN_U32, FIELD(type1), COLUMN_LINE, NULL,
      "the first function (id) with the same form of type 1; itself where there is none before it" },
    { "type2c", COLUMN_U32, FIELD(type2c), COLUMN_LINE, NULL, "the same of type 2c" },
    { "type2", COLUMN_U32, FIELD(type2), COLUMN_LINE, NULL, "the same of type 2" },
};
#undef ROW

/* FILE#CLASS.NAME@LINE */
#define PLACE(of) \
    "ifnull(" of "path, " of "source_id) || '#' || ifnull(" of "class || '.', '') || " of "name || '@' || " of "line"

#define STRICTEST(condition) "count(CASE WHEN " condition " THEN 1 END)"

static const struct graph_view within_views[] = {
    { "clone_within", "dataset, functions, type1, type2c, type2, type3, cloned, percent, classes",
      "SELECT d.id, w.functions, " STRICTEST("n1 > 1") ", " STRICTEST("n1 = 1 AND nc > 1") ", "
      STRICTEST("nc = 1 AND n2 > 1") ", " STRICTEST("n2 = 1") ", count(n1), " VIEW_PERCENT("count(n1)", "w.functions")
      ", count(DISTINCT iif(n2 > 1, f.type2, NULL)) FROM datasets AS d JOIN (SELECT substr(key, 23) AS dataset, "
      "CAST(value AS INTEGER) AS functions FROM run WHERE key GLOB 'clone_types.functions.*') AS w ON w.dataset = d.id "
      "LEFT JOIN (SELECT dataset, type2, count(*) OVER (PARTITION BY type1) AS n1, count(*) OVER (PARTITION BY type2c) "
      "AS nc, count(*) OVER (PARTITION BY type2) AS n2 FROM clone_functions) AS f ON f.dataset = d.id GROUP BY d.rowid "
      "ORDER BY d.rowid",
      "How many functions of each corpus of clones.within have a clone in it, by the strictest type that they have; "
      "classes: groups of functions that are type 2 clones." },
    { "clone_classes", "class, dataset, place, functions, documents, repositories, exact, consistent",
      "SELECT c.type2, f.dataset, " PLACE("f.") ", c.functions, c.documents, c.repositories, c.exact, c.consistent "
      "FROM (SELECT type2, count(*) AS functions, count(DISTINCT shard || ':' || record) AS documents, count(DISTINCT "
      "repo) AS repositories, count(DISTINCT type1) AS exact, count(DISTINCT type2c) AS consistent FROM "
      "clone_functions GROUP BY type2 HAVING count(*) > 1) AS c JOIN clone_functions AS f ON f.id = c.type2 ORDER BY "
      "c.functions DESC, c.type2",
      "Functions that are type 2 clones of each other in a corpus, the most first: the first of them, how many, in how "
      "many documents and repositories, and how many different ones of type 1 and 2c are among them." },
    { "clone_link_places", "dataset, place, other, similarity, aligned",
      "SELECT a.dataset, " PLACE("a.") ", " PLACE("b.") ", l.similarity, printf('%d-%d = %d-%d', l.a_line, "
      "l.a_line_end, l.b_line, l.b_line_end) FROM clone_links AS l JOIN clone_functions AS a ON a.id = l.a JOIN "
      "clone_functions AS b ON b.id = l.b ORDER BY l.rowid",
      "Type 3 clones in a corpus, first functions of classes of type 2; aligned: the lines of both that what they have "
      "in common is in." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check within_checks[] = {
    { "classes of clones begin with their first function, a stricter one inside a looser one",
      "SELECT 'function ' || f.id, f.type2, f.type1 FROM clone_functions AS f JOIN clone_functions AS g ON g.id = "
      "f.type1 JOIN clone_functions AS h ON h.id = f.type2c WHERE f.type1 > f.id OR f.type2c > f.type1 OR f.type2 > "
      "f.type2c OR g.type1 <> g.id OR g.type2c <> f.type2c OR h.type2 <> f.type2 OR h.dataset <> f.dataset",
      "type 2", "type 1" },
    { "clones within a corpus are of functions that have any, and end behind where they begin",
      "SELECT 'function ' || f.id, f.byte, f.byte_end FROM clone_functions AS f WHERE f.byte >= f.byte_end OR f.line > "
      "f.line_end OR (f.type2 = f.id AND NOT EXISTS (SELECT 1 FROM clone_functions AS g WHERE g.type2 = f.id AND g.id "
      "<> f.id) AND NOT EXISTS (SELECT 1 FROM clone_links AS l WHERE l.a = f.id) AND NOT EXISTS (SELECT 1 FROM "
      "clone_links AS l WHERE l.b = f.id))",
      "byte", "byte_end" },
    { "type 3 clones within a corpus are of two classes of type 2, and share no more than they have",
      "SELECT 'clone ' || l.rowid, l.common, l.size FROM clone_links AS l JOIN clone_functions AS a ON a.id = l.a JOIN "
      "clone_functions AS b ON b.id = l.b WHERE l.a >= l.b OR a.type2 <> l.a OR b.type2 <> l.b OR a.dataset <> "
      "b.dataset OR l.common > l.size OR l.common = 0 OR NOT (a.line <= l.a_line AND l.a_line <= l.a_line_end AND "
      "l.a_line_end <= a.line_end AND b.line <= l.b_line AND l.b_line <= l.b_line_end AND l.b_line_end <= b.line_end)",
      "common", "size" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clone_functions = {
    .name = "clone_functions", .row_size = sizeof(struct graph_clone_function), TABLE_COLUMNS(clone_functions_columns),
    .digest = "W\tclone_functions",
    .doc = "Pass clones, clones.within: functions of a corpus with clones in it, and the class of each type that each "
           "is in; of type 3 those of clone_links.",
    .after = "CREATE INDEX clone_functions_type2 ON clone_functions (type2);",
};

#define ROW graph_clone_link
static const struct graph_column clone_links_columns[] = {
    { "a", COLUMN_U32, FIELD(a), COLUMN_LINE, NULL, "clone_functions.id, the first of its class of type 2" },
    { "b", COLUMN_U32, FIELD(b), COLUMN_LINE, NULL, "the same; behind a" },
    { "common", COLUMN_U32, FIELD(common), COLUMN_LINE, NULL, "as in clone_pairs" },
    { "size", COLUMN_U32, FIELD(whole), COLUMN_LINE, NULL, "statements or tokens of the larger one" },
    { "similarity", COLUMN_REAL, FIELD(similarity), 0, NULL, "common / size" },
    { "a_line", COLUMN_U32, FIELD(a_line), COLUMN_LINE, NULL, "where the first of what they have in common is in a" },
    { "a_line_end", COLUMN_U32, FIELD(a_line_end), COLUMN_LINE, NULL, "where the last one ends" },
    { "b_line", COLUMN_U32, FIELD(b_line), COLUMN_LINE, NULL, "the same in b" },
    { "b_line_end", COLUMN_U32, FIELD(b_line_end), COLUMN_LINE, NULL, "" },
};
#undef ROW

const struct graph_table table_clone_links = {
    .name = "clone_links", .row_size = sizeof(struct graph_clone_link), TABLE_COLUMNS(clone_links_columns),
    .digest = "X\tclone_links", .views = within_views, .checks = within_checks,
    .doc = "Pass clones, clones.within: type 3 clones in a corpus, by b, then the most alike; of each b at most "
           "clones.max_matches.",
    .after = "CREATE INDEX clone_links_a ON clone_links (a); CREATE INDEX clone_links_b ON clone_links (b);",
};

/* ---- their rows ---- */

/* Numbers the functions of a corpus that have a clone, from *next on; 0 for the others.  NULL: no memory. */
static uint32_t *functions_number(const struct within_corpus *corpus, uint32_t *next)
{
    const struct within *within = &corpus->within;
    uint32_t            *number = calloc(within->count + 1, sizeof *number);

    if (!number) return NULL;
    for (size_t f = 0; f < within->count; f++)
        if (within->at[f].first[CLONE_TYPE_2] != f) number[f] = number[within->at[f].first[CLONE_TYPE_2]] = 1;
    for (size_t p = 0; p < corpus->pair_count; p++) number[corpus->pair[p].a] = number[corpus->pair[p].b] = 1;
    for (size_t f = 0; f < within->count; f++)
        if (number[f]) number[f] = (*next)++;
    return number;
}

static struct graph_clone_function function_make(const struct within_corpus *corpus, size_t f, const uint32_t *number)
{
    const struct within_function *from = &corpus->within.at[f];
    const struct function_row    *row = from->row;
    const struct function_span   *span = &row->form.span;

    return (struct graph_clone_function){
        .dataset = corpus->dataset, .shard = from->shard, .record = row->form.record,
        .source_id = heap_slice(from->heap, row->source_id), .path = heap_slice(from->heap, row->path),
        .repo = heap_slice(from->heap, row->repo), .license = heap_slice(from->heap, row->license),
        .license_class = licence_class_word(heap_slice(from->heap, row->license)),
        .name = heap_slice(from->heap, span->name), .class_name = heap_slice(from->heap, span->class_name),
        .line = span->line, .line_end = span->line_end, .byte = span->at, .byte_end = span->end,
        .type1 = number[from->first[CLONE_TYPE_1]], .type2c = number[from->first[CLONE_TYPE_2C]],
        .type2 = number[from->first[CLONE_TYPE_2]] };
}

static struct graph_clone_link link_make(const struct within_pair *pair, const uint32_t *number)
{
    return (struct graph_clone_link){
        .a = number[pair->a], .b = number[pair->b], .common = pair->common, .whole = pair->whole,
        .a_line = pair->of_a.line, .a_line_end = pair->of_a.line_end, .b_line = pair->of_b.line,
        .b_line_end = pair->of_b.line_end, .similarity = (double)pair->common / pair->whole };
}

int graph_add_within(struct graph_build *build, const struct within_result *result, struct err *err)
{
    struct graph_clone_function *row = NULL;
    struct graph_clone_link     *link = NULL;
    size_t                       rows = 0, links = 0, room = 0, link_room = 0;
    uint32_t                     next = 1;
    int                          rc = 0;

    for (size_t c = 0; rc == 0 && c < result->count; c++) {
        const struct within_corpus *corpus = &result->at[c];
        uint32_t                   *number = functions_number(corpus, &next);

        for (size_t f = 0; rc == 0 && number && f < corpus->within.count; f++) {
            if (!number[f]) continue;
            if (ARRAY_GROW(row, room, rows) < 0) rc = -ENOMEM;
            else row[rows++] = function_make(corpus, f, number);
        }
        for (size_t p = 0; rc == 0 && number && p < corpus->pair_count; p++) {
            if (ARRAY_GROW(link, link_room, links) < 0) rc = -ENOMEM;
            else link[links++] = link_make(&corpus->pair[p], number);
        }
        if (!number) rc = -ENOMEM;
        free(number);
    }
    if (rows && !graph_build_own(build, row)) rc = -ENOMEM;
    if (links && !graph_build_own(build, link)) rc = -ENOMEM;
    if (rc < 0) return err_memory(err, rows * sizeof *row, "clones within corpora");
    rc = graph_add_rows(build, &table_clone_functions, row, rows, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_clone_links, link, links, err);
}
