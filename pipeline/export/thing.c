/* export/thing.c -- see thing.h. */
#include "export/thing.h"

#include <string.h>

const char *const export_filter_names[EXPORT_FILTERS] = { "--benchmark", "--dataset", "--kind", "--min-similarity",
                                                          "--leaked" };

#define TEXT(name, doc) { name, EXPORT_TEXT, false, doc }
#define NAME(name, doc) { name, EXPORT_TEXT, true, doc }
#define INTEGER(name, doc) { name, EXPORT_INTEGER, false, doc }
#define NUMBER(name, doc) { name, EXPORT_INTEGER, true, doc }
#define REAL(name, doc) { name, EXPORT_REAL, false, doc }
#define FLAG(name, doc) { name, EXPORT_FLAG, true, doc }
#define COLUMNS(array) .columns = array, .column_count = sizeof array / sizeof *array

/* ---- pairs ---- */

#define SIDE(x) \
    NAME(x "_dataset", ""), TEXT(x "_split", ""), INTEGER(x "_id_within_dataset", ""), TEXT(x "_source_id", \
    "the record's own id, or shard:record"), TEXT(x "_path", ""), TEXT(x "_repo", ""), TEXT(x "_license", ""), \
    TEXT(x "_license_class", ""), NAME(x "_shard", ""), NUMBER(x "_record", "in its shard, from 0"), \
    INTEGER(x "_line", "of its text, from 1, where what is alike begins; none: all of it is meant"), \
    INTEGER(x "_line_end", "its last one")

static const struct export_column pairs_columns[] = {
    NAME("pass", "near | dedup: of edges; inside: of found_inside"),
    NAME("kind", "exact | near | contained | below | copy; function, type 1, ..."), NAME("language", "of a"),
    REAL("similarity", "of the kind: set similarity, the larger containment, what found_inside calls alike"),
    NUMBER("a", "snippets.id"), SIDE("a"), INTEGER("b", "snippets.id; none: it is not in snippets"), SIDE("b"),
    INTEGER("shared", "distinct features that both have"), INTEGER("union", "that either has"),
    INTEGER("min_sum", "occurrences: sum of the smaller counts"), INTEGER("max_sum", "sum of the larger counts"),
    REAL("set_similarity", "shared / union"), REAL("multiset_similarity", "min_sum / max_sum"),
    REAL("containment_a", "share of a's distinct features that b has"), REAL("containment_b", ""),
};

/* ---- items ---- */

static const struct export_column items_columns[] = {
    NUMBER("id", "snippets.id"), NAME("dataset", "the benchmark"), TEXT("split", ""), NUMBER("id_within_dataset", ""),
    TEXT("source_id", "the record's own id, or shard:record"), TEXT("path", ""), TEXT("repo", ""), TEXT("license", ""),
    TEXT("license_class", ""), NAME("language", ""), NAME("shard", ""), NUMBER("record", "in its shard, from 0"),
    FLAG("admitted", "long enough to be compared"), FLAG("leaked", "by a pair, or inside a document"),
    TEXT("rules", "all that say that another dataset has it, `,` between"),
    NUMBER("matches", "documents it has an exact or near pair with"), NUMBER("copies", "with an exact pair"),
    REAL("alike", "the greatest similarity"), NUMBER("inside", "places inside documents that are leaks"),
    TEXT("match_kind", "of the best match, so are the next"), REAL("match_similarity", ""),
    INTEGER("match", "snippets.id; none: it is not in snippets"), TEXT("match_dataset", ""), TEXT("match_split", ""),
    TEXT("match_source_id", ""), TEXT("match_path", ""), TEXT("match_repo", ""), TEXT("match_license", ""),
    TEXT("match_shard", ""), INTEGER("match_record", ""), INTEGER("match_line", "of its text, from 1; none: all of it"),
    INTEGER("match_line_end", ""),
};

/* ---- removed documents, clusters, rules ---- */

static const struct export_column removed_columns[] = {
    NAME("output", "dedup, or a name of clean"), NAME("what", "removed | cut"), NAME("dataset", ""), TEXT("split", ""),
    NUMBER("id_within_dataset", ""), TEXT("source_id", "the record's own id, or shard:record"), TEXT("path", ""),
    TEXT("repo", ""), TEXT("license", ""), NAME("shard", ""), NUMBER("record", "in its shard, from 0"),
    TEXT("lines", "that were cut, as 3-9,20-31, from 1; none: all"), INTEGER("bytes", "of text that are gone"),
    NAME("why", "dedup: the kind of its pair with the document that was kept, indirect: none; clean: what was true of "
                "its rule"),
    REAL("similarity", "to the document that was kept"), INTEGER("kept", "snippets.id, so are the next of dedup alone"),
    TEXT("kept_dataset", ""), TEXT("kept_split", ""), TEXT("kept_source_id", ""), TEXT("kept_path", ""),
    TEXT("kept_repo", ""), TEXT("kept_license", ""), TEXT("kept_shard", ""), INTEGER("kept_record", ""),
};

static const struct export_column clusters_columns[] = {
    NAME("pass", "near | dedup"), NUMBER("cluster", "its smallest member"), NUMBER("snippet", "snippets.id"),
    NAME("dataset", ""), TEXT("split", ""), NUMBER("id_within_dataset", ""),
    TEXT("source_id", "the record's own id, or shard:record"), TEXT("path", ""), TEXT("repo", ""), TEXT("license", ""),
    TEXT("license_class", ""), NAME("language", ""), NAME("shard", ""), NUMBER("record", "in its shard, from 0"),
};

static const struct export_column rules_columns[] = {
    NAME("kind", "pairs | inside | ngrams | gate"), NAME("rule", ""), NAME("dataset", "a benchmark; of gates: source"),
    NAME("field", "ngrams"), NAME("corpus", "of gates: target"), NUMBER("items", "that it was asked of"),
    INTEGER("flagged", "of them"), REAL("percent", ""), REAL("mean", "of a rule that gives shares"),
    REAL("allowed", "gates: percent"), TEXT("outcome", "gates: passed | inconclusive | failed"),
};

/* ---- all ---- */

const struct export_thing export_things[] = {
    { .name = "pairs", .view = "pairs", COLUMNS(pairs_columns), .order = "", .from = "a_", .to = "b_", .kind = "kind",
      .similarity = "similarity", .doc = "every pair of documents: both their names and places, how alike they are",
      .filter = { "?1 IN (a_dataset, b_dataset)", "?1 IN (a_dataset, b_dataset)", "kind = ?1",
                  "similarity >= CAST(?1 AS REAL)", "pass <> 'dedup' AND kind <> 'below'" } },
    { .name = "items", .view = "items", COLUMNS(items_columns), .order = "", .from = "", .to = "match_",
      .kind = "match_kind", .similarity = "match_similarity",
      .doc = "every item of the benchmarks: leaked or not, by which rules, its best match",
      .filter = { "dataset = ?1", NULL, "instr(',' || rules || ',', ',' || ?1 || ',') > 0",
                  "match_similarity >= CAST(?1 AS REAL)", "leaked" } },
    { .name = "removed", .view = "removed_documents", COLUMNS(removed_columns), .order = "", .from = "", .to = "kept_",
      .doc = "what dedup and clean removed or cut, and why",
      .filter = { "dataset = ?1", "dataset = ?1", "why = ?1", "similarity >= CAST(?1 AS REAL)", NULL } },
    { .name = "clusters", .view = "cluster_members", COLUMNS(clusters_columns),
      .order = "ORDER BY cluster, pass, snippet", .doc = "the documents of each cluster, together",
      .filter = { "dataset = ?1", "dataset = ?1", "pass = ?1", NULL, NULL } },
    { .name = "rules", .view = "rule_numbers", COLUMNS(rules_columns), .order = "",
      .doc = "what each rule and gate found, in numbers",
      .filter = { "dataset = ?1", "?1 IN (dataset, corpus)", "kind = ?1", NULL, NULL } },
    { .name = NULL },
};

const struct export_thing *export_thing_find(const char *name)
{
    for (const struct export_thing *thing = export_things; thing->name; thing++)
        if (strcmp(thing->name, name) == 0) return thing;
    return NULL;
}

int export_column_find(const struct export_thing *thing, const char *prefix, const char *name)
{
    const size_t len = strlen(prefix);

    for (size_t c = 0; c < thing->column_count; c++)
        if (strncmp(thing->columns[c].name, prefix, len) == 0 && strcmp(thing->columns[c].name + len, name) == 0)
            return (int)c;
    return -1;
}
