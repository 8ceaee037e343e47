/* graph/tables.c -- see tables.h. */
#include "graph/tables.h"

#include "graph/item_pairs.h"

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_dataset
static const struct graph_column datasets_columns[] = {
    { "id", COLUMN_TEXT, FIELD(name), COLUMN_PRIMARY | COLUMN_LOAD, NULL, "its name" },
    { "url", COLUMN_TEXT, FIELD(url), 0, NULL, "'' when not given" },
    { "role", COLUMN_ROLE, FIELD(benchmark), COLUMN_LOAD, NULL, "benchmark | corpus" },
    { "self_join", COLUMN_FLAG, FIELD(self_join), COLUMN_LOAD, NULL, "1: pass near looked for all pairs inside it" },
};
#undef ROW

static const struct graph_view datasets_views[] = {
    { "dataset_summary",
      "dataset, role, documents, admitted, admitted_percent, rejected, bytes, self_join, url",
      "SELECT d.id, d.role, ifnull(sum(s.documents), 0), ifnull(sum(s.admitted), 0), "
      VIEW_PERCENT("sum(s.admitted)", "sum(s.documents)") ", ifnull(sum(s.rejected), 0), ifnull(sum(s.bytes), 0), "
      "d.self_join OR d.role = 'benchmark' OR max(s.removed) IS NOT NULL, d.url "
      "FROM datasets AS d LEFT JOIN splits AS s ON s.dataset = d.id GROUP BY d.id ORDER BY d.rowid",
      "What was compared: readable documents of each dataset, those long enough to be compared, rejected records, "
      "bytes of text, and whether pairs inside it were looked for." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_datasets = {
    .name = "datasets", .row_size = sizeof(struct graph_dataset), TABLE_COLUMNS(datasets_columns),
    .views = datasets_views,
    .doc = "The datasets of the run, in the order of the configuration.",
};

#define ROW graph_document
static const struct graph_column snippets_columns[] = {
    { "id", COLUMN_SNIPPET, 0, COLUMN_LOAD, NULL,
      "the dataset's place in the configuration, from 0, times 10^12, + id_within_dataset + 1" },
    { "snippet", COLUMN_TEXT, FIELD(text), 0, NULL, "'' when not stored (graph.store)" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LOAD, "datasets", "" },
    { "language", COLUMN_TEXT, FIELD(language), 0, NULL, "" },
    { "tokens", COLUMN_TOKENS, FIELD(tokens), 0, NULL, "JSON array of strings; '[]' when not stored" },
    { "id_within_dataset", COLUMN_U64, FIELD(number), COLUMN_LOAD, NULL,
      "from 0, over all readable documents of the dataset" },
    { "split_within_dataset", COLUMN_OPTIONAL, FIELD(split), COLUMN_LOAD, NULL, "NULL: the dataset has no splits" },
    { "source_id", COLUMN_SOURCE, FIELD(source_id), 0, NULL, "the record's own id, or shard:record" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL,
      "the record's field; where that names none, what the text says, in SPDX's words" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL,
      "permissive | weak copyleft | strong copyleft | restricted | unknown; NULL: no licence is named" },
    { "license_from", COLUMN_OPTIONAL, FIELD(license_from), 0, NULL,
      "field | text: which says so; pass dedup asks the field alone" },
    { "holders", COLUMN_OPTIONAL, FIELD(holders), 0, NULL,
      "of copyrights that the text's head names, `; ` between; NULL too where pass dedup alone stored it" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), COLUMN_LOAD, NULL, "number in the shard, from 0" },
    { "matches", COLUMN_U64, FIELD(matches), COLUMN_LOAD, NULL,
      "documents it has an exact or near pair with; all are counted, also those without a row in edges (of pass "
      "near; when only dedup ran, its exact and near pairs in edges)" },
    { "features", COLUMN_U32, FIELD(features), COLUMN_LOAD, NULL, "of the view: occurrences" },
    { "distinct_features", COLUMN_U32, FIELD(distinct), COLUMN_LOAD, NULL, "" },
    { "admitted", COLUMN_FLAG, FIELD(admitted), COLUMN_LOAD, NULL,
      "1: at least min_tokens features, so it was compared" },
    { "xxh128", COLUMN_HEX128, FIELD(hash_low), 0, NULL, "xxh3-128 of the raw text, 32 hex digits" },
    { "xxh128_squeezed", COLUMN_KNOWN128, FIELD(squeezed_low), 0, NULL,
      "of the text without its white space: equal where only layout differs; NULL: stored by pass dedup alone" },
    { "features_xxh128", COLUMN_KNOWN128, FIELD(class_low), 0, NULL,
      "of the multiset of features; NULL without near_duplicates.index, and where admitted is 0" },
};
TABLE_PAIR(hash_low, hash_high);
TABLE_PAIR(squeezed_low, squeezed_high);
TABLE_PAIR(class_low, class_high);
#undef ROW

static const struct graph_check snippets_checks[] = {
    { "ids tell the dataset and the number there",
      "SELECT s.dataset || '/' || s.id_within_dataset, s.id, (d.rowid - 1) * 1000000000000 + s.id_within_dataset + 1 "
      "AS x FROM datasets AS d JOIN snippets AS s ON s.dataset = d.id WHERE s.id <> x",
      "is its id", "expected" },
    /* Where pass near did not run, documents without a duplicate are not stored, whatever their dataset's role. */
    { "benchmark records are all stored or rejected, per shard",
      "SELECT h.dataset || '/' || h.shard, h.records AS x, (SELECT count(*) FROM snippets AS s WHERE s.dataset = "
      "h.dataset AND s.shard = h.shard) + h.rejected AS y FROM shards AS h JOIN datasets AS d ON d.id = h.dataset "
      "WHERE d.role = 'benchmark' AND x <> y AND EXISTS (SELECT 1 FROM run WHERE (key = 'items' AND value = 'stored') "
      "OR key = 'near.view')",                              /* 0.1.0 told only by the latter */
      "records", "stored or rejected" },
    { "records are stored once",
      "SELECT dataset || '/' || shard || ' record ' || record, count(*), 1 FROM snippets GROUP BY dataset, shard, "
      "record HAVING count(*) > 1",
      "times stored", "expected" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view snippets_views[] = {
    { "stored_documents", "dataset, documents",
      "SELECT dataset, count(*) FROM snippets GROUP BY dataset ORDER BY dataset",
      "How many documents of each dataset are in snippets: what `leakgraph query` looks among." },
    { "all_documents", "dataset, split, language, documents, stored",
      "SELECT n.dataset, n.split, n.language, n.documents, ifnull(s.stored, 0) FROM splits AS n LEFT JOIN (SELECT "
      "dataset, ifnull(split_within_dataset, '') AS split, language, count(*) AS stored FROM snippets GROUP BY 1, 2, "
      "3) AS s ON s.dataset = n.dataset AND s.split = n.split AND s.language = n.language ORDER BY n.rowid",
      "All readable documents, and those of them in snippets: what a share of a dataset is a share of.  A query that "
      "counts snippets for that is wrong for corpora, of which snippets has documents with a pair alone." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_snippets = {
    .name = "snippets", .row_size = sizeof(struct graph_document), TABLE_COLUMNS(snippets_columns),
    .views = snippets_views, .checks = snippets_checks,
    .part[UNION_ITEM_RULES] = "SELECT s.id, 'pair', NULL FROM datasets AS d CROSS JOIN snippets AS s ON s.dataset = "
                              "d.id WHERE d.role = 'benchmark' AND s.matches > 0 AND " GRAPH_PAIRS_ASIDE,
    .doc = "Pass near: every document of a benchmark, and every document of a corpus that has an edge.  Pass dedup: "
           "every document with a row in dedup. features, distinct_features and admitted are those of pass near where "
           "it stored the document, else those of pass dedup. With ngrams, probe or clean and neither of these passes: "
           "every document of a benchmark; features, distinct_features, admitted and matches are 0.",
    .before = "CREATE INDEX snippets_number ON snippets (dataset, id_within_dataset);",
    .after = "CREATE INDEX snippets_source ON snippets (source_id);"
             "CREATE INDEX snippets_xxh128 ON snippets (xxh128) WHERE xxh128_squeezed IS NULL;"
             "CREATE INDEX snippets_squeezed ON snippets (xxh128_squeezed) WHERE xxh128_squeezed IS NOT NULL;"
             "CREATE INDEX snippets_features ON snippets (features_xxh128) WHERE features_xxh128 IS NOT NULL;",
};

#define ROW graph_edge
static const struct graph_column edges_columns[] = {
    { "pass", COLUMN_PASS, 0, COLUMN_LINE, NULL, "near | dedup" },
    { "a", COLUMN_DOCUMENT, FIELD(a), COLUMN_LINE, "snippets", "" },
    { "b", COLUMN_DOCUMENT, FIELD(b), COLUMN_LINE, "snippets", "" },
    { "kind", COLUMN_KIND, FIELD(kind), COLUMN_LINE, NULL, "exact | near | contained | below | copy" },
    { "shared", COLUMN_U32, FIELD(shared), COLUMN_LINE, NULL, "distinct features that both have" },
    { "union", COLUMN_U32, FIELD(union_size), COLUMN_QUOTED | COLUMN_LINE, NULL, "distinct features that either has" },
    { "min_sum", COLUMN_U32, FIELD(min_sum), COLUMN_LINE, NULL, "occurrences: sum of the smaller counts" },
    { "max_sum", COLUMN_U32, FIELD(max_sum), COLUMN_LINE, NULL, "occurrences: sum of the larger counts" },
    { "set_similarity", COLUMN_SET, 0, 0, NULL, "shared / union" },
    { "multiset_similarity", COLUMN_MULTISET, 0, 0, NULL, "min_sum / max_sum" },
    { "containment_a", COLUMN_CONTAINMENT_A, 0, 0, NULL, "share of a's distinct features that b has" },
    { "containment_b", COLUMN_CONTAINMENT_B, 0, 0, NULL, "" },
};
#undef ROW

/* What the view of pairs has of a document. */
#define PAIR_SIDE(x) \
    x "_dataset, " x "_split, " x "_id_within_dataset, " x "_source_id, " x "_path, " x "_repo, " x "_license, " x \
    "_license_class, " x "_shard, " x "_record, " x "_line, " x "_line_end"
#define PAIR_DOCUMENT(x) \
    x ".dataset, " x ".split_within_dataset, " x ".id_within_dataset, " x ".source_id, " x ".path, " x ".repo, " x \
    ".license, " x ".license_class, " x ".shard, " x ".record"

static const struct graph_view edges_views[] = {
    { "pairs",
      "pass, kind, language, similarity, a, " PAIR_SIDE("a") ", b, " PAIR_SIDE("b") ", shared, \"union\", min_sum, "
      "max_sum, set_similarity, multiset_similarity, containment_a, containment_b",
      "SELECT e.pass, e.kind, a.language, iif(e.kind = 'contained', max(e.containment_a, e.containment_b), "
      "e.set_similarity), e.a, " PAIR_DOCUMENT("a") ", NULL, NULL, e.b, " PAIR_DOCUMENT("b") ", NULL, NULL, e.shared, "
      "e.\"union\", e.min_sum, e.max_sum, e.set_similarity, e.multiset_similarity, e.containment_a, e.containment_b "
      "FROM edges AS e JOIN snippets AS a ON a.id = e.a JOIN snippets AS b ON b.id = e.b UNION ALL SELECT 'inside', "
      "i.kind, a.language, i.alike, i.item, " PAIR_DOCUMENT("a") ", i.item_line, i.item_line_end, NULL, i.dataset, "
      "NULL, NULL, i.source_id, i.path, i.repo, i.license, i.license_class, i.shard, i.record, i.line, i.line_end, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM " FOUND_INSIDE " AS i JOIN snippets AS a ON a.id = i.item",
      "Every pair with names, places and similarities of both: those of edges, a before b, then those of " FOUND_INSIDE
      " (pass: inside), where a is the item and the lines are of what is alike; NULL: all of the document. similarity: "
      "set_similarity, of contained pairs the larger containment, of what is inside `alike`. Without the pairs of "
      "edges where these are in a file." },
    { "snippet_pairs",
      "pass, snippet, other, kind, set_similarity, multiset_similarity, containment, containment_other",
      "SELECT pass, a, b, kind, set_similarity, multiset_similarity, containment_a, containment_b FROM edges UNION ALL "
      "SELECT pass, b, a, kind, set_similarity, multiset_similarity, containment_b, containment_a FROM edges",
      "Each pair from both sides, for `WHERE snippet = ID`. containment: share of the snippet's distinct features that "
      "the other has." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_edges = {
    .name = "edges", .row_size = sizeof(struct graph_edge), TABLE_COLUMNS(edges_columns),
    .digest = "E", .views = edges_views,
    .part[UNION_ITEM_RULES] = "SELECT e.a, e.kind, " GRAPH_DATASET_OF("e.b") GRAPH_ITEM_FIRST
                              " UNION ALL SELECT e.b, e.kind, " GRAPH_DATASET_OF("e.a") GRAPH_ITEM_SECOND,
    .doc = "Verified pairs, a < b, one row a pair and pass.  Empty when run has edges_file: the pairs are then in "
           "that file, same columns.",
    .before = "CREATE UNIQUE INDEX edges_a ON edges (a, b, pass);",
    .after = "CREATE INDEX edges_b ON edges (b);",
};

static const struct graph_column clusters_columns[] = {
    { "pass", COLUMN_PASS, 0, COLUMN_LINE, NULL, "near | dedup" },
    { "snippet", COLUMN_MEMBER, 0, COLUMN_LINE, "snippets", "" },
    { "cluster", COLUMN_DOCUMENT, 0, COLUMN_LINE | COLUMN_GROUP, "snippets", "its smallest member" },
};

static const struct graph_view clusters_views[] = {
    { "duplicates", "id, snippet1, snippet2",
      "SELECT x.rowid << 32 | y.rowid, x.snippet, y.snippet FROM clusters AS x JOIN clusters AS y ON y.pass = "
      "x.pass AND y.cluster = x.cluster AND y.snippet > x.snippet WHERE x.pass = 'near'",
      "Every pair of one cluster: the shape, and the transitive meaning, of the published table of this name. "
      "Its id is unique in the graph, and names nothing beyond it." },
    { "cluster_members",
      "pass, cluster, snippet, dataset, split, id_within_dataset, source_id, path, repo, license, license_class, "
      "language, shard, record",
      "SELECT c.pass, c.cluster, c.snippet, s.dataset, s.split_within_dataset, s.id_within_dataset, s.source_id, "
      "s.path, s.repo, s.license, s.license_class, s.language, s.shard, s.record FROM clusters AS c JOIN snippets AS s "
      "ON s.id = c.snippet",
      "The documents of each cluster by their names." },
    { "representatives", "dataset, split, language, cluster, snippet, members",
      "SELECT dataset, ifnull(split_within_dataset, ''), language, cluster, id, members FROM (SELECT c.cluster, s.*, "
      "count(*) AS members, min(s.id) FROM clusters AS c JOIN snippets AS s ON s.id = c.snippet WHERE c.pass = 'near' "
      "GROUP BY c.cluster, s.dataset) ORDER BY id",
      "Of each cluster the smallest document of each dataset, which stands for `members`: IDD's representatives.  A "
      "document in no cluster stands for itself and is not here." },
    { "found_elsewhere", "dataset, split, language, documents, found, found_percent",
      "SELECT n.dataset, n.split, n.language, n.documents, ifnull(f.found, 0), "
      VIEW_PERCENT("ifnull(f.found, 0)", "n.documents") " FROM splits AS n LEFT JOIN (SELECT s.dataset, "
      "ifnull(s.split_within_dataset, '') AS split, s.language, count(*) AS found FROM clusters AS c JOIN snippets AS "
      "s ON s.id = c.snippet JOIN (SELECT x.cluster AS shared FROM clusters AS x JOIN snippets AS t ON t.id = "
      "x.snippet WHERE x.pass = 'near' GROUP BY x.cluster HAVING min(t.dataset) <> max(t.dataset)) ON shared = "
      "c.cluster WHERE c.pass = 'near' GROUP BY 1, 2, 3) AS f ON f.dataset = n.dataset AND f.split = n.split AND "
      "f.language = n.language ORDER BY n.rowid",
      "Documents of each dataset, corpora too, whose cluster has a document of any other dataset: what IDD's "
      "get_pretraining counts, of all documents." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_clusters = {
    .name = "clusters", .row_size = sizeof(uint32_t), TABLE_COLUMNS(clusters_columns), .flags = TABLE_DOCUMENTS,
    .digest = "C", .views = clusters_views,
    .doc = "Pass near: connected components over exact and near pairs.  Pass dedup: admitted documents with one "
           "canonical, when they are two or more.",
    .before = "CREATE INDEX clusters_snippet ON clusters (snippet);",
    .after = "CREATE INDEX clusters_cluster ON clusters (cluster);",
};

#define ROW graph_overlap
static const struct graph_column overlap_columns[] = {
    { "source", COLUMN_DATASET, FIELD(source), COLUMN_LINE, NULL, "" },
    { "split", COLUMN_TEXT, FIELD(split), COLUMN_LINE, NULL, "" },
    { "target", COLUMN_DATASET, FIELD(target), COLUMN_LINE, NULL, "" },
    { "target_split", COLUMN_TEXT, FIELD(target_split), COLUMN_LINE, NULL, "" },
    { "language", COLUMN_TEXT, FIELD(language), COLUMN_LINE, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), COLUMN_LINE, NULL, "readable documents of source: the denominator" },
    { "admitted", COLUMN_U64, FIELD(admitted), COLUMN_LINE, NULL, "" },
    { "direct", COLUMN_U64, FIELD(direct), COLUMN_LINE, NULL, "those with an exact or near pair in target" },
    { "transitive", COLUMN_U64, FIELD(transitive), COLUMN_LINE, NULL,
      "those whose cluster holds a document of target" },
    { "copies", COLUMN_U64, FIELD(copies), COLUMN_LINE, NULL,
      "below min_tokens, but for white space equal to a document of target" },
    { "contained", COLUMN_U64, FIELD(contained), COLUMN_LINE, NULL,
      "those with a pair that passes only containment_threshold" },
    { "complete", COLUMN_FLAG, FIELD(complete), COLUMN_LINE, NULL, "0: transitive is a lower bound" },
};
#undef ROW

static const struct graph_check overlap_checks[] = {
    { "an overlap is no larger than its source",
      "SELECT source || ' in ' || target, max(direct, transitive, copies, contained), documents FROM overlap WHERE "
      "max(direct, transitive, copies, contained) > documents OR direct > transitive OR admitted > documents",
      "found (or more direct than transitive ones)", "documents" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_overlap = {
    .name = "overlap", .row_size = sizeof(struct graph_overlap), TABLE_COLUMNS(overlap_columns),
    .digest = "O", .checks = overlap_checks,
    .doc = "How much of source (or of one split, one language of it) is found in target.  '' in a split or language: "
           "all.",
};

#define ROW graph_split
static const struct graph_column splits_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "split", COLUMN_TEXT, FIELD(split), 0, NULL, "" },
    { "language", COLUMN_TEXT, FIELD(language), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "records in = documents + rejected" },
    { "admitted", COLUMN_U64, FIELD(admitted), 0, NULL, "" },
    { "rejected", COLUMN_U64, FIELD(rejected), 0, NULL, "" },
    { "skipped", COLUMN_U64, FIELD(skipped), 0, NULL, "files passed over, which are no records: table skipped" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL, "of text" },
    { "removed", COLUMN_MAYBE, FIELD(removed), 0, NULL,
      "documents that pass dedup removed; NULL: the dataset was not in it" },
    { "removed_bytes", COLUMN_MAYBE, FIELD(removed_bytes), 0, NULL, "of their text" },
};
#undef ROW

const struct graph_table table_splits = {
    .name = "splits", .row_size = sizeof(struct graph_split), TABLE_COLUMNS(splits_columns),
    .after = "CREATE INDEX splits_dataset ON splits (dataset, language);",
    .doc = "Documents of each split and language of a dataset.",
};

#define ROW graph_shard
static const struct graph_column shards_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "split", COLUMN_TEXT, FIELD(split), 0, NULL, "" },
    { "shard", COLUMN_TEXT, FIELD(name), 0, NULL, "" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL, "of the file as it lies on disk" },
    { "mtime", COLUMN_U64, FIELD(mtime_ns), 0, NULL, "nanoseconds since 1970" },
    { "xxh3", COLUMN_HEX64, FIELD(xxh3), 0, NULL, "of the file, 16 hex digits" },
    { "records", COLUMN_U64, FIELD(records), 0, NULL, "documents + rejected" },
    { "rejected", COLUMN_U64, FIELD(rejected), 0, NULL, "" },
    { "skipped", COLUMN_U64, FIELD(skipped), 0, NULL, "files of a folder or an archive passed over: table skipped" },
    { "whole", COLUMN_MAYBE, FIELD(whole), 0, NULL,
      "1: read to its end, all of it; 0: cut, damaged or in part unreadable; NULL: no pass asked for it" },
    { "lost", COLUMN_U64, FIELD(lost), 0, NULL,
      "bytes of the file that damage cost; 0 where whole is not 0.  A dataset lost sum(lost) / sum(bytes + missing)" },
    { "missing", COLUMN_U64, FIELD(missing), 0, NULL,
      "of these, the ones behind its end, which the file lacks: a lower bound where the format does not tell" },
    { "rejected_bytes", COLUMN_U64, FIELD(rejected_bytes), 0, NULL,
      "decoded bytes of records that are whole but were rejected" },
};
#undef ROW

#define DAMAGE "('truncated', 'corrupt', 'ratio', 'unreadable')"

static const struct graph_check shards_checks[] = {
    { "records in = documents + rejected, per dataset",
      "SELECT d.id, (SELECT ifnull(sum(records), 0) FROM shards WHERE dataset = d.id) AS x, (SELECT "
      "ifnull(sum(documents + rejected), 0) FROM splits WHERE dataset = d.id) AS y FROM datasets AS d WHERE x <> y",
      "records in its shards", "documents and rejects in its splits" },
    { "shards that are not whole lost bytes, others none",
      "SELECT dataset || '/' || shard, whole, lost FROM shards WHERE whole IS NOT iif(lost > 0, 0, iif(xxh3 = "
      "'0000000000000000', NULL, 1)) OR lost < missing OR lost > bytes + missing",
      "(whole)", "bytes lost" },
    { NULL, NULL, NULL, NULL },
};

/* Shards stand in the order of the numbers of their documents; of those only some are stored. */
#define SHARD_END(order) \
    "(SELECT id FROM snippets WHERE dataset = n.dataset AND id_within_dataset >= n.first AND id_within_dataset < " \
    "n.first + n.documents ORDER BY id_within_dataset " order " LIMIT 1)"

static const struct graph_view shards_views[] = {
    { "shard_snippets", "low, high, dataset, split, shard, documents",
      "SELECT * FROM (SELECT " SHARD_END("ASC") " AS low, " SHARD_END("DESC") " AS high, dataset, split, shard, "
      "documents FROM (SELECT dataset, split, shard, records - rejected AS documents, sum(records - rejected) OVER "
      "(PARTITION BY dataset ORDER BY rowid) - (records - rejected) AS first FROM shards) AS n) WHERE low IS NOT NULL "
      "ORDER BY low",
      "Which snippets are of which shard: its stored documents have the ids low to high. Of a shard none of whose "
      "documents is stored there is no row." },
    { "lost_bytes", "dataset, shards, lost, lost_percent, rejected_bytes",
      "SELECT dataset, sum(whole = 0), sum(lost), " VIEW_PERCENT("sum(lost)", "sum(bytes + missing)") ", "
      "sum(rejected_bytes) FROM shards GROUP BY dataset HAVING sum(lost) > 0 OR sum(rejected_bytes) > 0 ORDER BY "
      "min(rowid)",
      "Bytes that a dataset lost: of how many shards that are not whole, how many, what share of what the files should "
      "have; and those of rejected records." },
    { "damaged_shards", "dataset, shard, lost, bytes",
      "SELECT dataset, shard, lost, bytes FROM shards WHERE whole = 0 ORDER BY lost DESC, rowid",
      "Shards that are not whole, the greatest loss first." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_shards = {
    .name = "shards", .row_size = sizeof(struct graph_shard), TABLE_COLUMNS(shards_columns),
    .views = shards_views, .checks = shards_checks,
    .doc = "The files that were read.",
};

#define ROW graph_skip
static const struct graph_column skipped_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "reason", COLUMN_KEY, FIELD(reason), 0, NULL,
      "binary | link | vcs (in .git, .hg, .svn) | cache (in __pycache__) | excluded (by key exclude)" },
    { "files", COLUMN_U64, FIELD(files), 0, NULL, "" },
};
#undef ROW

static const struct graph_check skipped_checks[] = {
    { "skipped files are listed, per shard",
      "SELECT h.dataset || '/' || h.shard, h.skipped AS x, ifnull(sum(k.files), 0) AS y FROM shards AS h LEFT JOIN "
      "skipped AS k ON k.dataset = h.dataset AND k.shard = h.shard GROUP BY h.rowid HAVING x <> y",
      "skipped", "listed" },
    { "skipped files are counted in splits, per dataset",
      "SELECT d.id, (SELECT ifnull(sum(skipped), 0) FROM shards WHERE dataset = d.id) AS x, (SELECT "
      "ifnull(sum(skipped), 0) FROM splits WHERE dataset = d.id) AS y FROM datasets AS d WHERE x <> y",
      "skipped in its shards", "in its splits" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view skipped_views[] = {
    { "skipped_files", "dataset, reason, files",
      "SELECT dataset, reason, sum(files) FROM skipped GROUP BY dataset, reason ORDER BY min(rowid)",
      "Files passed over, by dataset and reason." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_skipped = {
    .name = "skipped", .row_size = sizeof(struct graph_skip), TABLE_COLUMNS(skipped_columns),
    .views = skipped_views, .checks = skipped_checks,
    .doc = "Files in folders and members of archives that were passed over: neither documents nor rejects.",
};

#define ROW graph_reject
static const struct graph_column rejects_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
    { "byte", COLUMN_U64, FIELD(byte), 0, NULL, "in the decoded shard; Parquet: in the texts of its row "
      "group; damage of it: in the file" },
    { "records", COLUMN_U64, FIELD(records), 0, NULL, "lost: 1, but the rows of a damaged row group of Parquet" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL,
      "lost with it; truncated, corrupt, ratio, unreadable: of the file, estimated where the format tells no better; "
      "else: of the decoded record" },
    { "missing", COLUMN_U64, FIELD(missing), 0, NULL, "of these, the ones that the file lacks at its end" },
    { "reason", COLUMN_TEXT, FIELD(reason), 0, NULL, "" },
    { "detail", COLUMN_TEXT, FIELD(detail), 0, NULL, "" },
    { "path", COLUMN_OPTIONAL, FIELD(path), 0, NULL, "of the file or member, and of records that say it; NULL: none" },
};
#undef ROW

static const struct graph_check rejects_checks[] = {
    { "rejected records are listed, per shard",
      "SELECT h.dataset || '/' || h.shard, h.rejected AS x, ifnull(sum(r.records), 0) AS y FROM shards AS h LEFT "
      "JOIN rejects AS r ON r.dataset = h.dataset AND r.shard = h.shard GROUP BY h.rowid HAVING x <> y",
      "rejected", "listed" },
    { "lost bytes are listed, per shard",
      "SELECT h.dataset || '/' || h.shard, h.lost AS x, ifnull(sum(r.bytes), 0) AS y FROM shards AS h LEFT JOIN "
      "rejects AS r ON r.dataset = h.dataset AND r.shard = h.shard AND r.reason IN " DAMAGE " GROUP BY h.rowid "
      "HAVING x <> y OR h.missing <> ifnull(sum(r.missing), 0)",
      "lost", "listed" },
    { "rejected bytes are listed, per shard",
      "SELECT h.dataset || '/' || h.shard, h.rejected_bytes AS x, ifnull(sum(r.bytes), 0) AS y FROM shards AS h LEFT "
      "JOIN rejects AS r ON r.dataset = h.dataset AND r.shard = h.shard AND r.reason NOT IN " DAMAGE " GROUP BY "
      "h.rowid HAVING x <> y",
      "rejected", "listed" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view rejects_views[] = {
    { "reject_reasons", "dataset, reason, records",
      "SELECT dataset, reason, sum(records) FROM rejects GROUP BY dataset, reason ORDER BY sum(records) DESC, dataset, "
      "reason",
      "Records lost, by dataset and reason." },
    { "reject_examples", "dataset, reason, shard, record, byte, detail, path, place",
      "SELECT dataset, reason, shard, record, byte, detail, path, n FROM (SELECT *, rowid AS place, row_number() OVER "
      "(PARTITION BY dataset, reason ORDER BY rowid) AS n FROM rejects) ORDER BY place",
      "The rejects, and which place each has among those of its dataset and reason: the report has the first three." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_rejects = {
    .name = "rejects", .row_size = sizeof(struct graph_reject), TABLE_COLUMNS(rejects_columns),
    .views = rejects_views, .checks = rejects_checks,
    .doc = "Records that could not be used, and why.",
};

#define ROW graph_gate
static const struct graph_column gates_columns[] = {
    { "gate", COLUMN_KEY, FIELD(gate), 0, NULL, "its key in fail_on" },
    { "outcome", COLUMN_KEY, FIELD(outcome), 0, NULL, "passed | inconclusive | failed" },
    { "source", COLUMN_TEXT, FIELD(source), 0, NULL, "the dataset whose records percent is of; '': all" },
    { "target", COLUMN_TEXT, FIELD(target), 0, NULL, "the dataset in which they were looked for; '*': all corpora; "
      "'': none" },
    { "percent", COLUMN_REAL, FIELD(percent), 0, NULL, "what was found" },
    { "allowed", COLUMN_REAL, FIELD(allowed), 0, NULL, "percent; it fails above" },
    { "compared", COLUMN_U64, FIELD(compared), 0, NULL, "records of source that were looked at" },
    { "whole", COLUMN_U64, FIELD(whole), 0, NULL, "all that it has, unusable ones too" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "looked through: those of target, or of source without one" },
    { "bytes", COLUMN_U64, FIELD(bytes), 0, NULL, "of their text" },
    { "clause", COLUMN_TEXT, FIELD(clause), 0, NULL, "what was found, in words" },
    { "doubt", COLUMN_TEXT, FIELD(doubt), 0, NULL, "why too little was looked at to say that it passed; ''" },
};
#undef ROW

const struct graph_table table_gates = {
    .name = "gates", .row_size = sizeof(struct graph_gate), TABLE_COLUMNS(gates_columns),
    .doc = "What fail_on bounds, a row for everything that a gate is measured of.  Failed: more than is allowed. "
           "Inconclusive: not more, but too little was looked at to say so (fail_on.coverage, fail_on.lost).",
    .part[UNION_NUMBERS] = "SELECT 'gate', gate, source, '', target, compared, NULL, percent, NULL, allowed, outcome "
                           "FROM gates",
};

#define ROW graph_setting
static const struct graph_column run_columns[] = {
    { "key", COLUMN_KEY, FIELD(key), COLUMN_PRIMARY, NULL, "version, configuration, digest, ..." },
    { "value", COLUMN_TEXT, FIELD(value), 0, NULL, "" },
};
#undef ROW

const struct graph_table table_run = {
    .name = "run", .row_size = sizeof(struct graph_setting), TABLE_COLUMNS(run_columns),
    .doc = "What was asked, by which program, and what it took.",
};

/* Rows are put in in this order. */
const struct graph_table *const graph_tables[] = {
    &table_datasets, &table_snippets, &table_edges, &table_clusters, &table_overlap, &table_splits, &table_shards,
    &table_skipped, &table_rejects, &table_gates, &table_run, NULL,
};
