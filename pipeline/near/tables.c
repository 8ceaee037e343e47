/* near/tables.c -- see tables.h. */
#include "near/tables.h"

#include "near/leaked.h"

#include <stdlib.h>

#define FIELD(member) offsetof(struct graph_length, member)
static const struct graph_column length_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "least", COLUMN_U32, FIELD(least), 0, NULL, "features of the view, occurrences" },
    { "most", COLUMN_U32, FIELD(most), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "with so many" },
};

const struct graph_table table_lengths = {
    .name = "lengths", .row_size = sizeof(struct graph_length), TABLE_COLUMNS(length_columns),
    .doc = "Pass near: readable documents of each dataset by their features, below 32 each number, then from one "
           "power of 2 to the next; what min_tokens leaves out.",
};

/* ---- views of tables that every graph has ---- */

/* Why a benchmark of which nothing was found in a corpus is not clean of it: what the gate said where there was one,
 * else what it would say with the defaults of fail_on.  p is of pair below, g its row of gates. */
#define OF_TARGET(sum) "(SELECT ifnull(sum(" sum "), 0) FROM splits WHERE dataset = p.target)"
#define ACROSS "EXISTS (SELECT 1 FROM run WHERE key = 'near.across_languages' AND value = 'true')"
#define MET(sum) \
    "(SELECT ifnull(sum(" sum "), 0) FROM splits AS t WHERE t.dataset = p.target AND (" ACROSS " OR t.language IN " \
    "(SELECT language FROM splits WHERE dataset = p.source)))"
#define ALONE \
    "(SELECT ifnull(sum(x.documents), 0) FROM splits AS x WHERE x.dataset = p.source AND NOT " ACROSS " AND " \
    LEAKED_ALONE("(SELECT ifnull(sum(y.documents), 0) FROM splits AS y WHERE y.dataset = p.target AND y.language = " \
                 "x.language)", "x.language", OF_TARGET("documents")) ")"
#define DOUBT \
    "CASE WHEN g.gate IS NOT NULL THEN nullif(g.doubt, '') " \
    "WHEN " OF_TARGET("documents") " = 0 THEN printf('no document of %s could be read', p.target) " \
    "WHEN p.compared = 0 THEN printf('no item was compared with a document of %s', p.target) " \
    "WHEN 2 * " ALONE " > p.documents THEN printf('hardly a document of %s is in the language of the items', " \
    "p.target) " \
    "WHEN EXISTS (SELECT 1 FROM run WHERE key = 'near.apart.' || p.target) THEN printf('documents of %s have the " \
    "same bytes as items, but another language, and were not compared', p.target) " \
    "WHEN 2 * p.compared < p.whole THEN printf('too few items were compared with %s: %d of %d', p.target, " \
    "p.compared, p.whole) " \
    "WHEN 2 * " OF_TARGET("documents") " < " OF_TARGET("documents + rejected") " THEN printf('most records of %s " \
    "could not be used', p.target) " \
    "WHEN 2 * " MET("admitted") " < " MET("documents") " THEN printf('most documents of %s are too short to be " \
    "compared', p.target) ELSE ifnull((SELECT printf('most files of %s were passed over as binary', k.dataset) FROM " \
    "skipped AS k WHERE k.reason = 'binary' AND k.dataset IN (p.source, p.target) GROUP BY k.dataset HAVING " \
    "sum(k.files) > (SELECT ifnull(sum(documents + rejected), 0) FROM splits WHERE dataset = k.dataset) LIMIT 1), " \
    "(SELECT printf('%s was not read to its end', c.dataset) FROM cut AS c WHERE c.dataset IN (p.source, p.target) " \
    "ORDER BY c.place LIMIT 1)) END"

#define OVERLAP_COLUMNS \
    "source, split, target, target_split, language, documents, admitted, admitted_percent, direct, direct_percent, " \
    "contained, contained_percent, copies, transitive, transitive_percent, complete"
#define OVERLAP_PERCENT(column) ", " column ", " VIEW_PERCENT(column, "documents")
#define OVERLAP_QUERY(condition) \
    "SELECT source, split, target, target_split, language, documents" OVERLAP_PERCENT("admitted") \
    OVERLAP_PERCENT("direct") OVERLAP_PERCENT("contained") ", copies" OVERLAP_PERCENT("transitive") \
    ", complete FROM overlap WHERE " condition " ORDER BY rowid"

/* Table overlap counts documents with a contained pair whether or not they have a direct one too; which have only the
 * former is asked of the pairs, and only where there may be any.  max_matches and stars leave out pairs, never
 * counts.  Whose a document is its id tells: o is a row of overlap, s and t are those of its datasets. */
#define CONTAINED_ONLY \
    "SELECT count(*) FROM (SELECT DISTINCT held.x AS x FROM (SELECT a AS x, b AS y FROM edges WHERE pass = 'near' " \
    "AND kind = 'contained' UNION ALL SELECT b, a FROM edges WHERE pass = 'near' AND kind = 'contained') AS held " \
    "WHERE " GRAPH_ID_SLOT("held.x") " + 1 = s.rowid AND " GRAPH_ID_SLOT("held.y") " + 1 = t.rowid) AS item WHERE " \
    "NOT EXISTS (SELECT 1 FROM edges AS e WHERE e.pass = 'near' AND e.a = item.x AND e.kind IN ('exact', 'near') AND " \
    GRAPH_ID_OF("e.b", "t.rowid") ") AND NOT EXISTS (SELECT 1 FROM edges AS e WHERE e.b = item.x AND e.pass = 'near' " \
    "AND e.kind IN ('exact', 'near') AND " GRAPH_ID_SLOT("e.a") " + 1 = t.rowid)"

/* Items that are inside documents of another dataset (graph/table.h), as leaks: contained, there as they stand and by
 * nothing else.  Asked once, not for each pair of datasets: a place is looked at whatever it is counted for. */
#define INSIDE_EACH \
    "inside AS MATERIALIZED (SELECT " GRAPH_ID_SLOT("item") " + 1 AS place, item, dataset, min(kind = 'contained') " \
    "AS contained FROM " FOUND_INSIDE " WHERE leak GROUP BY item, dataset)"
#define INSIDE(contained) \
    "SELECT count(*) FROM inside AS i WHERE i.place = s.rowid AND i.dataset = o.target AND i.contained = " contained
/* Those that have no pair with a document there. */
#define INSIDE_ONLY(contained) INSIDE(contained) " AND NOT " GRAPH_HAS_PAIR("i.item", "t.rowid")

/* Of an item: its best pair, in another dataset before its own, as the report has them (report_items.c); and the best
 * place inside a document.  Joined by its row, the former costs nothing where nobody asks for it. */
#define BEST_OF(mine, other) \
    "SELECT rowid AS pair, " GRAPH_ID_SLOT(other) " = " GRAPH_ID_SLOT("s.id") " AS own, kind, set_similarity, " \
    "multiset_similarity, " other " AS other FROM edges WHERE " mine " = s.id AND pass = 'near'"
#define BEST_PAIR \
    "SELECT pair FROM (" BEST_OF("a", "b") " UNION ALL " BEST_OF("b", "a") ") WHERE kind <> 'below' ORDER BY " \
    "own, kind = 'contained', kind = 'near', set_similarity DESC, multiset_similarity DESC, other LIMIT 1"
#define BEST_INSIDE \
    "SELECT * FROM (SELECT *, sum(leak) OVER (PARTITION BY item) AS leaks, row_number() OVER (PARTITION BY item " \
    "ORDER BY leak DESC, alike DESC, dataset, shard, record, line) AS nth FROM " FOUND_INSIDE ") WHERE nth = 1"
#define COPIES(mine) \
    "(SELECT count(*) FROM edges WHERE " mine " = x.id AND pass = 'near' AND kind IN ('exact', 'copy'))"
#define MATCH(column) "iif(m.id IS NULL, f." column ", m." column ")"

/* Licences of the documents of corpora that items of benchmarks leak from, each once for an item: of pairs of pass near
 * from either side, and of what is inside.  As much is kept as there are items and licences. */
#define LEAK_LICENCES(pairs) \
    "SELECT p.item AS item, t.license AS license, ifnull(t.license_class, 'none') AS class FROM (" pairs ") AS p " \
    "CROSS JOIN snippets AS t ON t.id = p.document"
/* leak: these, by the place of the item's benchmark, which its id tells; leaking: how many items of each. */
#define LEAKS \
    "WITH leak AS MATERIALIZED (SELECT " GRAPH_ID_SLOT("item") " + 1 AS place, * FROM (" \
    LEAK_LICENCES("SELECT e.a AS item, e.b AS document" GRAPH_ITEM_FIRST " AND " GRAPH_OF_ROLE("e.b", "corpus") \
                  GRAPH_SORTED_BY_B) " UNION " \
    LEAK_LICENCES("SELECT e.b AS item, e.a AS document" GRAPH_ITEM_SECOND " AND " \
                  GRAPH_OF_ROLE("e.a", "corpus")) \
    " UNION SELECT i.item, i.license, ifnull(i.license_class, 'none') FROM " FOUND_INSIDE " AS i WHERE i.leak)), " \
    "leaking AS MATERIALIZED (SELECT d.id AS id, d.rowid AS place, count(DISTINCT item) AS leaking FROM leak JOIN " \
    "datasets AS d ON d.rowid = leak.place GROUP BY d.rowid) "

/* Of whole benchmarks, all their languages together. */
#define NUMBERS(rule) \
    "SELECT 'pairs', '" rule "', source, '', target, documents, " rule ", " VIEW_PERCENT(rule, "documents") \
    ", NULL, NULL, NULL FROM overlap WHERE source <> target AND split = '' AND target_split = '' AND language = '' " \
    "AND source IN (SELECT id FROM datasets WHERE role = 'benchmark')"

static const struct graph_view near_views[] = {
    { "leak_licences", "benchmark, license, class, items, percent",
      LEAKS "SELECT id, min(license), class, count(DISTINCT item), "
      VIEW_PERCENT("count(DISTINCT item)", "leaking") " FROM leak JOIN leaking USING (place) GROUP BY place, "
      "lower(license), class ORDER BY place, 4 DESC, lower(license), class",
      "Under which licences leaks come: of each benchmark the items that leak from documents of corpora with that "
      "licence (case aside; NULL: none is named), and their percentage of those that leak. An item that leaks from "
      "several counts for each. Empty of pairs where these are in a file." },
    { "leak_classes", "benchmark, class, items, percent, only",
      LEAKS "SELECT g.id, x.class, count(DISTINCT x.item), " VIEW_PERCENT("count(DISTINCT x.item)", "leaking")
      ", count(DISTINCT iif(y.one, x.item, NULL)) FROM leak AS x JOIN leaking AS g USING (place) JOIN "
      "(SELECT item, min(class) = max(class) AS one FROM leak GROUP BY item) AS y ON y.item = x.item GROUP BY "
      "place, x.class ORDER BY place, 3 DESC, x.class",
      "The same by class of licence; only: items that leak from documents of no other class." },
    { "leakage", OVERLAP_COLUMNS, OVERLAP_QUERY("source <> target AND language = ''"),
      "What each dataset, and each of its splits, shares with another: overlap between two datasets, all languages "
      "together, with percentages of the documents of the source." },
    { "leakage_within", OVERLAP_COLUMNS, OVERLAP_QUERY("source = target AND language = ''"),
      "The same between the splits of one dataset." },
    { "leakage_by_language", OVERLAP_COLUMNS, OVERLAP_QUERY("language <> ''"), "Both by language." },
    { "idd", "source, split, target, language, documents, found, idd, representatives, representatives_found, "
             "idd_of_representatives, complete",
      "WITH member AS (SELECT c.cluster, s.id, s.dataset, ifnull(s.split_within_dataset, '') AS split, s.language, "
      "s.id = min(s.id) OVER (PARTITION BY c.cluster, s.dataset) AS first FROM clusters AS c JOIN snippets AS s ON "
      "s.id = c.snippet WHERE c.pass = 'near'), "
      "reached AS (SELECT DISTINCT cluster, dataset FROM member) "
      "SELECT source, split, target, language, documents, transitive, " VIEW_PERCENT("transitive", "documents")
      ", iif(self_join, alone, NULL), iif(self_join, hit, NULL), iif(self_join, " VIEW_PERCENT("hit", "alone")
      ", NULL), complete FROM (SELECT o.*, o.rowid AS place, d.self_join, o.documents - count(m.id) + "
      "ifnull(sum(m.first), 0) AS alone, count(iif(m.first, r.cluster, NULL)) AS hit FROM overlap AS o JOIN "
      "datasets AS d ON d.id = o.source LEFT JOIN member AS m ON m.dataset = o.source AND (o.split = '' OR m.split = "
      "o.split) AND (o.language = '' OR m.language = o.language) LEFT JOIN reached AS r ON r.cluster = m.cluster AND "
      "r.dataset = o.target WHERE o.source <> o.target AND o.target_split = '' GROUP BY o.rowid) ORDER BY place",
      "Inter-dataset duplication as published: the share of source's documents whose cluster has one of target; and "
      "the same of representatives, where source was joined with itself (NULL otherwise): of each cluster one "
      "document of source, the smallest, and every document in no cluster." },
    { "benchmark_leakage", "source, target, target_role, documents, direct, contained, copies, in_functions",
      "WITH " INSIDE_EACH " SELECT source, target, role, documents, direct, min(contained + passages, documents - "
      "direct - copies - in_functions), copies, in_functions FROM (SELECT o.source, o.target, t.role, o.documents, "
      "o.direct, CASE WHEN o.contained = 0 OR o.direct = 0 THEN o.contained ELSE min(max((" CONTAINED_ONLY "), "
      "o.contained - o.direct), o.contained) END AS contained, o.copies, "
      "min((" INSIDE_ONLY("0") "), max(o.documents - o.direct - o.copies, 0)) "
      "AS in_functions, CASE WHEN " GRAPH_PAIRS_ASIDE " THEN max((" INSIDE("1") ") - "
      "o.direct - o.contained - o.copies, 0) ELSE (" INSIDE_ONLY("1") ") END AS passages, o.rowid AS place FROM "
      "overlap AS o JOIN datasets AS s ON "
      "s.id = o.source JOIN datasets AS t ON t.id = o.target WHERE s.role = 'benchmark' AND o.source <> o.target AND "
      "o.split = '' AND o.target_split = '' AND o.language = '') ORDER BY place",
      "How much of each whole benchmark is in each other dataset, every document counted once: direct; contained "
      "without a direct pair (at least so many where the pairs are in a file), or a passage and nothing else; copies; "
      "those that only a function inside a file is like, or a clone of. fail_on: {leakage} and view "
      "benchmark_verdicts." },
    { "benchmark_verdicts", "benchmark, outcome, items, leaked, percent, corpus, verdict",
      "WITH pair AS MATERIALIZED (SELECT l.source, l.target, l.documents, l.direct + l.contained + l.copies + "
      "l.in_functions AS leaked, d.rowid AS place, (SELECT ifnull(sum(documents + rejected), 0) FROM splits WHERE "
      "dataset = l.source) AS whole, (SELECT ifnull(sum(s.admitted), 0) FROM splits AS s WHERE s.dataset = l.source "
      "AND EXISTS (SELECT 1 FROM splits AS t WHERE t.dataset = l.target AND t.admitted > 0 AND (" ACROSS " OR "
      "t.language = s.language))) AS compared FROM benchmark_leakage AS l JOIN datasets AS d ON d.id = l.target WHERE "
      "l.target_role = 'corpus'), "
      "cut AS MATERIALIZED (SELECT dataset, min(rowid) AS place FROM shards WHERE NOT whole AND bytes > 0 GROUP BY "
      "dataset), "
      "told AS MATERIALIZED (SELECT p.*, " DOUBT " AS doubt FROM pair AS p LEFT JOIN gates AS g ON g.gate = 'leakage' "
      "AND g.source = p.source AND g.target = p.target), "
      "worst AS (SELECT *, row_number() OVER (PARTITION BY source ORDER BY leaked DESC, place) AS rank, sum(leaked > "
      "0) OVER (PARTITION BY source) AS corpora, min(compared) OVER (PARTITION BY source) AS least, "
      "first_value(doubt) OVER (PARTITION BY source ORDER BY doubt IS NULL, place) AS why FROM told), "
      "each AS (SELECT d.id AS benchmark, d.rowid AS place, ifnull(w.documents, (SELECT ifnull(sum(documents), "
      "0) FROM splits WHERE dataset = d.id)) AS items, ifnull(w.leaked, 0) AS leaked, w.target AS corpus, w.corpora, "
      "w.least, CASE WHEN w.source IS NULL THEN 'it was compared with no corpus' WHEN w.documents = 0 THEN "
      "'none of its records could be used' ELSE w.why END AS why FROM datasets AS d LEFT JOIN worst AS w ON w.source = "
      "d.id AND w.rank = 1 WHERE d.role = 'benchmark') "
      "SELECT benchmark, CASE WHEN leaked > 0 THEN 'leaked' WHEN why IS NULL THEN 'clean' ELSE 'undecided' END AS "
      "outcome, items, leaked, " VIEW_PERCENT("leaked", "items") " AS percent, iif(leaked > 0, corpus, NULL), CASE "
      "WHEN leaked > 0 THEN printf('%d of %d items are in %s', leaked, items, corpus) || iif(corpora > 1, "
      "printf('; %d other %s some, too', corpora - 1, iif(corpora = 2, 'corpus has', 'corpora have')), '') WHEN why IS "
      "NOT NULL THEN 'nothing was found, but ' || why WHEN least < items THEN printf('no item was found in a corpus; "
      "%d of %d were compared', least, items) ELSE 'no item was found in a corpus' END FROM each ORDER BY percent "
      "DESC, outcome DESC, place",
      "What the report begins with: of each benchmark the corpus that has most of its items (benchmark_leakage: every "
      "document counted once, as fail_on: {leakage} does) and the verdict, the highest share first. outcome: leaked, "
      "an item was found; clean, none; undecided, none, but the gate on leakage is inconclusive or, without one, would "
      "be with the defaults of fail_on: verdict says why." },
    { "pair_kinds", "kind, pairs, meaning",
      "SELECT k.column1, ifnull((SELECT CAST(value AS INTEGER) FROM run WHERE key = 'near.pairs.' || k.column1), "
      "(SELECT count(*) FROM edges WHERE pass = 'near' AND kind = k.column1)), k.column2 FROM (VALUES ('exact', 'are "
      "equal byte by byte'), ('near', 'are alike: both similarities reach their thresholds'), ('copy', 'are equal but "
      "for white space and too short to be compared'), ('contained', 'are no near pair, but most of the one is in the "
      "other (containment_threshold)'), "
      "('below', 'are less alike than the thresholds ask; kept by report_floor, counted nowhere')) AS k",
      "Pairs of pass near by kind, as table run has them (near.pairs.KIND), also where they are in a file." },
    { "near_minimums", "dataset, min_tokens, documents, compared, compared_percent",
      "SELECT d.id, CAST(r.value AS INTEGER), n.documents, n.admitted, " VIEW_PERCENT("n.admitted", "n.documents")
      " FROM datasets AS d JOIN run AS r ON r.key = 'near.min_tokens.' || d.id JOIN (SELECT dataset, sum(documents) AS "
      "documents, sum(admitted) AS admitted FROM splits GROUP BY dataset) AS n ON n.dataset = d.id WHERE d.role = "
      "'benchmark' ORDER BY d.rowid",
      "What it took to be compared: features that a document of each benchmark must have, which min_tokens: auto "
      "chooses by its items, and those that have them." },
    { "items",
      "id, dataset, split, id_within_dataset, source_id, path, repo, license, license_class, language, shard, record, "
      "admitted, leaked, rules, matches, copies, alike, inside, match_kind, match_similarity, match, match_dataset, "
      "match_split, match_source_id, match_path, match_repo, match_license, match_shard, match_record, match_line, "
      "match_line_end",
      "SELECT id, dataset, split, id_within_dataset, source_id, path, repo, license, license_class, language, shard, "
      "record, admitted, matches > 0 OR alike > 0 OR inside > 0, (SELECT group_concat(rule) FROM (SELECT DISTINCT rule "
      "FROM item_rules WHERE item = x.id ORDER BY rule)), matches, " COPIES("a") " + "
      COPIES("b") ", alike, inside, match_kind, match_similarity, match, "
      "match_dataset, match_split, match_source_id, match_path, match_repo, match_license, match_shard, match_record, "
      "match_line, match_line_end FROM (SELECT s.id, s.dataset, s.split_within_dataset AS split, s.id_within_dataset, "
      "s.source_id, s.path, s.repo, s.license, s.license_class, s.language, s.shard, s.record, s.admitted, s.matches, "
      "max(" ITEMS_ALIKE("a", "containment_a") ", " ITEMS_ALIKE("b", "containment_b")
      ") AS alike, ifnull(f.leaks, 0) AS inside, "
      "iif(m.id IS NULL, f.kind, e.kind) AS match_kind, CASE WHEN m.id IS NULL THEN f.alike WHEN e.kind <> 'contained' "
      "THEN e.set_similarity WHEN e.a = s.id THEN e.containment_a ELSE e.containment_b END AS match_similarity, m.id "
      "AS match, " MATCH("dataset") " AS match_dataset, m.split_within_dataset AS match_split, " MATCH("source_id")
      " AS match_source_id, " MATCH("path") " AS match_path, " MATCH("repo") " AS match_repo, " MATCH("license")
      " AS match_license, " MATCH("shard") " AS match_shard, " MATCH("record") " AS match_record, iif(m.id IS NULL, "
      "f.line, NULL) AS match_line, iif(m.id IS NULL, f.line_end, NULL) AS match_line_end FROM datasets AS d CROSS "
      "JOIN snippets AS s ON s.dataset = d.id LEFT JOIN edges AS e ON e.rowid = (" BEST_PAIR ") LEFT JOIN snippets AS "
      "m ON m.id = iif(e.a = s.id, e.b, e.a) LEFT JOIN (" BEST_INSIDE ") AS f ON f.item = s.id WHERE d.role = "
      "'benchmark') AS x",
      "Every document of the benchmarks: leaked, 1 with a pair or inside a document as a leak; rules: all that say so "
      "(item_rules), `,` between; copies: documents with an exact pair; alike: the greatest similarity, of contained "
      "pairs the share of the item; inside: places of found_inside that are leaks; match: the best, in another dataset "
      "where there is one: of edges (then match is in snippets), else of found_inside." },
    { "leaked_items",
      "id, dataset, split_within_dataset, id_within_dataset, source_id, path, repo, license, language, matches, alike, "
      "inside",
      "SELECT id, dataset, split, id_within_dataset, source_id, path, repo, license, language, matches, alike, inside "
      "FROM items WHERE leaked ORDER BY " ITEMS_LEAKED_ORDER,
      "Items of benchmarks that leaked, by a pair or inside a document, those that leaked most first: with most "
      "matches, then the most alike. alike: the greatest similarity, of contained pairs the share of the item; inside: "
      "places of found_inside that are leaks. An item may have pairs, but no match: contained ones, and copies of "
      "short documents." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check near_checks[] = {
    { "pairs are as many of each kind as table run says",
      "SELECT 'kind ' || k.kind, k.pairs AS x, (SELECT count(*) FROM edges WHERE pass = 'near' AND kind = k.kind) AS "
      "y FROM (SELECT substr(key, 12) AS kind, CAST(value AS INTEGER) AS pairs FROM run WHERE key GLOB 'near.pairs.*') "
      "AS k WHERE x <> y AND NOT " GRAPH_PAIRS_ASIDE,
      "pairs said", "stored" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_near = {
    .name = "near", .views = near_views, .often = "benchmark_leakage", .checks = near_checks,
    .doc = "Views of what pass near found, in datasets, snippets, edges and overlap.",
    .part[UNION_NUMBERS] = NUMBERS("direct") " UNION ALL " NUMBERS("transitive") " UNION ALL " NUMBERS("contained")
                           " UNION ALL " NUMBERS("copies"),
};

const struct graph_table *const near_tables[] = { &table_lengths, &table_near, NULL };

int graph_add_lengths(struct graph_build *build, const struct near_result *result, size_t datasets, struct err *err)
{
    size_t               room = datasets * LENGTHS_BUCKETS, count = 0;
    struct graph_length *row = graph_build_own(build, malloc((room + 1) * sizeof *row));

    if (!row) return err_memory(err, room * sizeof *row, "lengths");
    for (size_t d = 0; d < datasets; d++)
        for (size_t b = 0; b < LENGTHS_BUCKETS; b++)
            if (result->lengths[d].count[b])
                row[count++] = (struct graph_length){
                    (uint32_t)d, lengths_least(b), b + 1 < LENGTHS_BUCKETS ? lengths_least(b + 1) - 1 : UINT32_MAX,
                    result->lengths[d].count[b] };
    return graph_add_rows(build, &table_lengths, row, count, err);
}
