/* dedup/tables.c -- see tables.h.
 *
 * 1. Datasets, shards, splits   2. Documents   3. Pairs, clusters, fates
 *
 * Of each document only its fate and its places are held here; everything else stays where the result has it, in mapped
 * units, and becomes a graph_document for as long as it takes to write the row. */
#include "dedup/tables.h"

#include "dedup/expand.h"
#include "graph/ids.h"
#include "graph/item_pairs.h"
#include "graph/pairs.h"
#include "licence/licence.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_fate
static const struct graph_column dedup_columns[] = {
    { "snippet", COLUMN_SNIPPET, 0, COLUMN_LINE, "snippets", "" },
    { "canonical", COLUMN_DOCUMENT, FIELD(canonical), COLUMN_LINE | COLUMN_GROUP, "snippets",
      "the preferred document of its cluster; its own id when it is that" },
    { "cluster_size", COLUMN_U31, FIELD(size_kept), COLUMN_LOAD, NULL,
      "documents with this canonical; 1: pairs it has, but stands alone" },
    { "kept", COLUMN_BIT31, FIELD(size_kept), COLUMN_LINE, NULL, "0: removed, as a duplicate of its canonical" },
    { "features", COLUMN_U32, FIELD(features), COLUMN_LOAD, NULL, "of the pass's view: occurrences" },
    { "distinct_features", COLUMN_U32, FIELD(distinct), COLUMN_LOAD, NULL, "" },
};
#undef ROW

static const struct graph_check dedup_checks[] = {
    { "what is removed has a canonical that is kept",
      "SELECT 'snippet ' || d.snippet || ' with canonical ' || d.canonical, 0, 1 FROM dedup AS d LEFT JOIN dedup "
      "AS c ON c.snippet = d.canonical WHERE c.kept IS NOT 1 OR c.canonical <> c.snippet",
      "documents kept for it", "expected" },
    { "clusters of dedup have the size they say",
      "SELECT 'canonical ' || canonical, count(*), max(cluster_size) FROM dedup GROUP BY canonical HAVING "
      "min(cluster_size) <> count(*) OR max(cluster_size) <> count(*)",
      "documents", "said" },
    { "removed documents are counted, per split and language",
      "SELECT dataset || '/' || split || ' ' || language, sum(listed), sum(counted) FROM (SELECT dataset, split, "
      "language, 0 AS listed, ifnull(removed, 0) AS counted FROM splits UNION ALL SELECT s.dataset, "
      "ifnull(s.split_within_dataset, ''), s.language, count(*), 0 FROM dedup AS d JOIN snippets AS s ON s.id = "
      "d.snippet WHERE d.kept = 0 GROUP BY 1, 2, 3) GROUP BY dataset, split, language HAVING sum(listed) <> "
      "sum(counted)",
      "removed in dedup", "in splits" },
    { NULL, NULL, NULL, NULL },
};

/* ---- views ---- */

#define SPLITS_COLUMNS \
    "dataset, split, language, documents, removed, removed_percent, bytes, removed_bytes, removed_bytes_percent"
#define SPLITS_QUERY(language, group) \
    "SELECT dataset, split, " language ", sum(documents), sum(removed), " \
    VIEW_PERCENT("sum(removed)", "sum(documents)") ", sum(bytes), sum(removed_bytes), " \
    VIEW_PERCENT("sum(removed_bytes)", "sum(bytes)") " FROM splits WHERE removed IS NOT NULL GROUP BY " group \
    " ORDER BY min(rowid)"

/* Materialized, the pairs keep their order, in which edges are read from front to back; kinds are counted by sums,
 * because groups would be sorted once more. */
#define KINDS_QUERY \
    "WITH pair AS MATERIALIZED (SELECT min(snippet, canonical) AS a, max(snippet, canonical) AS b FROM dedup WHERE " \
    "kept = 0 AND NOT " GRAPH_PAIRS_ASIDE " ORDER BY 1, 2), " \
    "total AS MATERIALIZED (SELECT count(*) AS documents, total(kind IS NULL) AS indirect, total(kind IN ('exact', " \
    "'copy')) AS bytes, total(kind = 'contained') AS contained, total(kind NOT IN ('exact', 'copy', 'contained') AND " \
    "e.shared = e.\"union\" AND e.min_sum = e.max_sum) AS features " \
    "FROM pair AS d LEFT JOIN edges AS e ON e.a = d.a AND e.b = d.b AND e.pass = 'dedup'), " \
    "removed(kind, documents) AS (SELECT 'bytes', bytes FROM total UNION ALL SELECT 'features', features FROM total " \
    "UNION ALL SELECT 'similar', documents - indirect - bytes - contained - features FROM total UNION ALL " \
    "SELECT 'contained', contained FROM total UNION ALL SELECT 'indirect', indirect FROM total) " \
    "SELECT k.column1, CAST(n.documents AS INTEGER), " \
    VIEW_PERCENT("n.documents", "SELECT documents FROM total") ", k.column2 FROM (VALUES " \
    "('bytes', 'equal the document that stays byte by byte'), " \
    "('features', 'have its features, each as often, in other bytes: what differs, the view does not see'), " \
    "('similar', 'are similar to it: the thresholds are reached'), " \
    "('contained', 'are not similar to it, but most of their features are in it (containment)'), " \
    "('indirect', 'have no pair with it: they are connected to it through other documents (cluster: component)')) AS " \
    "k JOIN removed AS n ON n.kind = k.column1 WHERE NOT " GRAPH_PAIRS_ASIDE

#define ALIKE(mine, other) \
    "SELECT e.set_similarity AS alike FROM edges AS e JOIN dedup AS m ON m.snippet = e." other " WHERE e." mine \
    " = c.canonical AND e.pass = 'dedup' AND m.canonical = c.canonical"

/* What is asked of a cluster is asked in the order of sizes, so that whoever wants the first asks of those alone. */
#define CLUSTERS_QUERY \
    "SELECT s.id, c.cluster_size, (SELECT count(*) FROM dedup AS m WHERE m.canonical = c.canonical AND m.kept = 0), " \
    "(SELECT min(alike) FROM (" ALIKE("a", "b") " UNION ALL " ALIKE("b", "a") ")), " \
    "(SELECT count(DISTINCT o.repo) FROM dedup AS m CROSS JOIN snippets AS o ON o.id = m.snippet WHERE m.canonical = " \
    "c.canonical), s.dataset, s.split_within_dataset, s.source_id, s.path " \
    "FROM (SELECT canonical, cluster_size FROM dedup WHERE snippet = canonical AND cluster_size > 1 ORDER BY " \
    "cluster_size DESC, canonical LIMIT -1) AS c CROSS JOIN snippets AS s ON s.id = c.canonical"

/* Ranges 1, 2, 3-4, 5-8, ...; a document without a row in dedup is alone. */
#define SIZES_QUERY \
    "WITH RECURSIVE whole(documents) AS (SELECT ifnull(sum(documents), 0) FROM splits WHERE removed IS NOT NULL), " \
    "size(size, clusters) AS MATERIALIZED (SELECT cluster_size, count(*) FROM dedup WHERE snippet = canonical AND " \
    "cluster_size > 1 GROUP BY cluster_size), " \
    "range(low, high) AS (VALUES (2, 2) UNION ALL SELECT high + 1, 2 * high FROM range WHERE high < (SELECT " \
    "max(size) FROM size) AND high < 1 << 60), " \
    "grouped(low, high, clusters, documents) AS (SELECT low, high, sum(clusters), sum(size * clusters) FROM range " \
    "JOIN size ON size BETWEEN low AND high GROUP BY low) " \
    "SELECT '1', whole.documents - n, whole.documents - n, " VIEW_PERCENT("whole.documents - n", "whole.documents") \
    " FROM whole, (SELECT ifnull(sum(documents), 0) AS n FROM grouped) UNION ALL SELECT * FROM " \
    "(SELECT iif(low = high, low || '', low || '-' || high), clusters, grouped.documents, " \
    VIEW_PERCENT("grouped.documents", "whole.documents") " FROM grouped, whole ORDER BY low)"

/* From which shard to which.  Documents of a shard follow each other, and so those that were removed are met shard by
 * shard; those that stay for them are sorted among the first ids of the shards, and the last of these before each is
 * its shard's.  No row of snippets is read: they hold the texts.  Where all shards are of one split nothing is sorted,
 * and the first stands for all. */
#define FLOWS_QUERY \
    "WITH shard AS MATERIALIZED (SELECT low, high, dataset, split FROM shard_snippets), " \
    "one AS MATERIALIZED (SELECT low FROM (SELECT min(low) AS low, min(dataset) = max(dataset) AND min(split) = " \
    "max(split) AS one FROM shard) WHERE one), " \
    "place(id, loser) AS (SELECT d.canonical, x.low FROM shard AS x CROSS JOIN dedup AS d ON d.snippet BETWEEN x.low " \
    "AND x.high WHERE d.kept = 0 AND NOT EXISTS (SELECT 1 FROM one) UNION ALL SELECT low, NULL FROM shard), " \
    "met(loser, winner) AS (SELECT loser, max(iif(loser IS NULL, id, NULL)) OVER (ORDER BY id, loser ROWS UNBOUNDED " \
    "PRECEDING) FROM place), " \
    "flow AS (SELECT loser, winner, count(*) AS documents FROM met WHERE loser IS NOT NULL GROUP BY loser, winner " \
    "UNION ALL SELECT one.low, one.low, d.documents FROM one, (SELECT count(*) AS documents FROM dedup WHERE kept = " \
    "0) AS d WHERE d.documents > 0) " \
    "SELECT x.dataset, x.split, y.dataset, y.split, sum(f.documents), row_number() OVER (ORDER BY min(f.loser), " \
    "min(f.winner)) AS place FROM flow AS f JOIN shard AS x ON x.low = f.loser JOIN shard AS y ON y.low = f.winner " \
    "GROUP BY x.dataset, x.split, y.dataset, y.split ORDER BY place"

#define FLOW_COLUMNS "dataset, split, kept_dataset, kept_split, documents, percent"
#define BETWEEN_QUERY \
    "SELECT f.dataset, '', f.kept_dataset, '', sum(f.documents), " \
    VIEW_PERCENT("sum(f.documents)", "SELECT sum(documents) FROM splits WHERE dataset = f.dataset") \
    " FROM dedup_flows AS f GROUP BY f.dataset, f.kept_dataset ORDER BY min(f.place)"

/* Where the records name their splits, and not the shards, the documents must be asked: those that were removed, shard
 * by shard, and never all snippets first. */
#define BETWEEN_SPLITS_QUERY \
    "WITH parts AS (SELECT dataset, count(DISTINCT split) AS parts, (SELECT count(DISTINCT split) FROM shards WHERE " \
    "dataset = splits.dataset) AS shard_parts " \
    "FROM splits WHERE documents > 0 GROUP BY dataset HAVING parts > 1), " \
    "shard AS MATERIALIZED (SELECT low, high, dataset FROM shard_snippets), " \
    "flows AS (SELECT f.place, f.dataset, f.split, f.kept_split, f.documents FROM dedup_flows AS f JOIN " \
    "parts USING (dataset) WHERE f.dataset = f.kept_dataset AND shard_parts > 1 " \
    "UNION ALL SELECT min(d.snippet), x.dataset, ifnull(a.split_within_dataset, ''), ifnull(b.split_within_dataset, " \
    "''), count(*) FROM parts CROSS JOIN shard AS x ON shard_parts <= 1 AND x.dataset = parts.dataset CROSS JOIN " \
    "dedup AS d ON d.kept = 0 AND d.snippet BETWEEN x.low AND x.high CROSS JOIN snippets AS a ON a.id = d.snippet " \
    "CROSS JOIN snippets AS b ON b.id = d.canonical AND b.dataset = x.dataset GROUP BY 2, 3, 4) " \
    "SELECT f.dataset, f.split, f.dataset, f.kept_split, f.documents, " \
    VIEW_PERCENT("f.documents", "SELECT sum(documents) FROM splits WHERE dataset = f.dataset AND split = f.split") \
    " FROM flows AS f ORDER BY (SELECT rowid FROM datasets WHERE id = f.dataset), f.place"

static const struct graph_view dedup_views[] = {
    { "dedup_splits", SPLITS_COLUMNS, SPLITS_QUERY("''", "dataset, split"),
      "What was removed of each split: documents, and bytes of text." },
    { "dedup_languages", SPLITS_COLUMNS,
      SPLITS_QUERY("iif(language = '', 'unknown', language)", "dataset, split, language"), "The same by language." },
    { "dedup_kinds", "kind, documents, percent, meaning", KINDS_QUERY,
      "What the removed documents have to do with the one that stays; percent of the removed. Empty where the pairs "
      "are in a file." },
    { "dedup_clusters", "id, size, removed, smallest_similarity, repositories, dataset, split, source_id, path",
      CLUSTERS_QUERY,
      "Clusters of two or more, the largest first, by the document that stays (id): documents, those removed, the "
      "smallest set similarity to it of one that has a pair with it, different repositories." },
    { "dedup_sizes", "size, clusters, documents, documents_percent", SIZES_QUERY,
      "Clusters and their documents by size: 1, 2, 3-4, 5-8, ...; percent of all documents." },
    { "dedup_flows", "dataset, split, kept_dataset, kept_split, documents, place", FLOWS_QUERY,
      "Documents removed from a split in favour of one of kept_dataset's kept_split, by the splits of the shards." },
    { "dedup_between", FLOW_COLUMNS, BETWEEN_QUERY,
      "Which dataset repeats which: the same by dataset, splits ''; percent of the dataset's documents." },
    { "dedup_between_splits", FLOW_COLUMNS, BETWEEN_SPLITS_QUERY,
      "Which split repeats which, within a dataset; percent of the split's documents." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_dedup = {
    .name = "dedup", .row_size = sizeof(struct graph_fate), TABLE_COLUMNS(dedup_columns),
    .digest = "K\tdedup", .flags = TABLE_FATES | TABLE_DOCUMENTS, .views = dedup_views, .often = "dedup_flows",
    .checks = dedup_checks,
    .doc = "Pass dedup: what became of every document that has a copy or a verified pair there; those without a row "
           "were alone, and stay.",
    .after = "CREATE INDEX dedup_canonical ON dedup (canonical);",
    .part[UNION_REMOVED] =
        "SELECT 'dedup', 'removed', s.dataset, s.split_within_dataset, s.id_within_dataset, s.source_id, s.path, "
        "s.repo, s.license, s.shard, s.record, NULL, NULL, ifnull(e.kind, iif(" GRAPH_PAIRS_ASIDE
        ", 'unknown', 'indirect')), e.set_similarity, k.id, "
        "k.dataset, k.split_within_dataset, k.source_id, k.path, k.repo, k.license, k.shard, k.record FROM dedup AS d "
        "JOIN snippets AS s ON s.id = d.snippet JOIN snippets AS k ON k.id = d.canonical LEFT JOIN edges AS e ON e.a = "
        "min(d.snippet, d.canonical) AND e.b = max(d.snippet, d.canonical) AND e.pass = 'dedup' WHERE d.kept = 0",
};

const struct graph_table *const dedup_tables[] = { &table_dedup, &table_dedup_shards, NULL };

/* ---- their rows ---- */

#define NOT_IN_PASS UINT32_MAX

static void *own_array(struct graph_build *build, size_t count, size_t size)
{
    return graph_build_own(build, count > SIZE_MAX / size - 1 ? NULL : calloc(count + 1, size));
}

/* ---- 1. Datasets, shards, splits ---- */

/* Pass dedup alone: it says what datasets and shards there are. */
static int datasets_build(struct graph_build *build, const struct dedup_job *job, const struct dedup_result *result,
                          struct err *err)
{
    struct graph         *graph = &build->graph;
    struct graph_dataset *dataset = own_array(build, job->run->dataset_count, sizeof *dataset);
    struct graph_shard   *shard = own_array(build, job->run->shards->count, sizeof *shard);
    struct graph_reject  *reject = own_array(build, result->reject_count, sizeof *reject);

    if (!dataset || !shard || !reject) return err_memory(err, result->reject_count * sizeof *reject, "the graph");
    for (size_t d = 0; d < job->run->dataset_count; d++)
        dataset[d] = (struct graph_dataset){ .name = slice_of(job->run->datasets[d].name),
                                             .url = slice_of(job->run->datasets[d].url),
                                             .benchmark = job->run->datasets[d].role == ROLE_BENCHMARK };
    for (size_t s = 0; s < job->run->shards->count; s++) {
        const struct shard *from = &job->run->shards->at[s];

        shard[s] = (struct graph_shard){ .dataset = from->dataset,
                                         .split =
                                             slice_of(job->run->datasets[from->dataset].splits[from->split].name),
                                         .name = slice_of(from->name), .bytes = from->bytes,
                                         .mtime_ns = from->mtime_ns, .xxh3 = result->shard[s].xxh3,
                                         .records = result->shard[s].documents + result->shard[s].rejected,
                                         .rejected = result->shard[s].rejected,
                                         .whole = graph_shard_is_read(result->shard[s].xxh3) };
    }
    for (size_t r = 0; r < result->reject_count; r++) {
        const struct dedup_reject *from = &result->reject[r];

        reject[r] = graph_reject_of(job->run->shards->at[from->shard].dataset, from->shard, &from->reject,
                                    from->heap, from->reject.path_at);
        graph_shard_add_reject(&shard[from->shard], &from->reject);
    }
    graph->datasets = dataset, graph->dataset_count = job->run->dataset_count;
    graph->shards = shard, graph->shard_count = job->run->shards->count;
    graph->rejects = reject, graph->reject_count = result->reject_count;
    return graph_build_skips(build, shard, job->run->shards->count, &result->shard->skipped, sizeof *result->shard,
                             err);
}

static bool is_member(const struct dedup_job *job, uint32_t dataset)
{
    for (size_t m = 0; m < job->member_count; m++)
        if (job->member[m] == dataset) return true;
    return false;
}

/* Documents are numbered over the readable ones, so both passes must have read the same.  Only given tokens that are no
 * array of strings, and texts that the published tokeniser drops, are readable for one view and not for another. */
static int shards_compare(const struct graph *graph, const struct dedup_job *job, const struct dedup_result *result,
                          struct err *err)
{
    for (size_t s = 0; s < graph->shard_count; s++) {
        const struct graph_shard *near = &graph->shards[s];
        const struct dedup_shard *dedup = &result->shard[s];

        if (!is_member(job, near->dataset) || (near->records == dedup->documents + dedup->rejected &&
                                               near->rejected == dedup->rejected))
            continue;
        return err_set(err, -EINVAL, "%s: near_duplicates reads %llu of %llu records, dedup %llu of %llu, so that "
                                     "their documents cannot be numbered "
                       "alike; give both the same view, or let both read the text (`fields: {tokens: nothing}`)",
                           job->run->shards->at[s].name,
                       (unsigned long long)(near->records - near->rejected), (unsigned long long)near->records,
                           (unsigned long long)dedup->documents,
                       (unsigned long long)(dedup->documents + dedup->rejected));
    }
    return 0;
}

static int cell_compare(const struct graph_split *split, const struct dedup_cell *cell)
{
    int c;

    if (split->dataset != cell->dataset) return split->dataset < cell->dataset ? -1 : 1;
    return (c = slice_compare(split->split, cell->split)) != 0 ? c : slice_compare(split->language, cell->language);
}

/* The splits of pass near, and what pass dedup removed of them; both are sorted alike. */
static int splits_extend(struct graph_build *build, const struct dedup_job *job, const struct dedup_result *result,
                         struct err *err)
{
    struct graph       *graph = &build->graph;
    struct graph_split *split = own_array(build, graph->split_count, sizeof *split);
    size_t              c = 0;

    if (!split) return err_memory(err, graph->split_count * sizeof *split, "splits");
    for (size_t s = 0; s < graph->split_count; s++) {
        split[s] = graph->splits[s];
        if (is_member(job, split[s].dataset)) split[s].removed = split[s].removed_bytes = 0;
        if (c == result->cell_count || cell_compare(&split[s], &result->cell[c]) != 0) continue;
        split[s].removed = (int64_t)result->cell[c].removed;
        split[s].removed_bytes = (int64_t)result->cell[c].removed_bytes;
        c++;
    }
    if (c < result->cell_count)
        return err_set(err, -EBADMSG,
                       "pass dedup counts documents of %s that pass near did not see; run again with --clean",
                       job->run->datasets[result->cell[c].dataset].name);
    graph->splits = split;
    return 0;
}

static int splits_build(struct graph_build *build, const struct dedup_result *result, struct err *err)
{
    struct graph_split *split = own_array(build, result->cell_count, sizeof *split);

    if (!split) return err_memory(err, result->cell_count * sizeof *split, "splits");
    for (size_t c = 0; c < result->cell_count; c++) {
        const struct dedup_cell *cell = &result->cell[c];

        split[c] = (struct graph_split){ cell->dataset, cell->split, cell->language, cell->documents, cell->admitted,
                                         cell->rejected, cell->skipped, cell->bytes,
                                         (int64_t)cell->removed, (int64_t)cell->removed_bytes };
    }
    build->graph.splits = split, build->graph.split_count = result->cell_count;
    return 0;
}

/* ---- 2. Documents ---- */

/* The documents of both passes.  near NULL: it did not run, document i is document i of the result; else the places in
 * each pass, or NOT_IN_PASS. */
struct origins {
    const struct dedup_job      *job;
    const struct dedup_result   *result;
    struct graph                 near;                      /* as pass near built it */
    const uint32_t              *near_at, *dedup_at;        /* NULL: it did not run */
    const uint32_t              *matches;                   /* then: exact and near pairs of each */
    size_t                       unit;                      /* that the last document was made from */
};

/* snippets.id of document d of the result. */
static uint64_t id_of(const struct origins *from, size_t d)
{
    const struct catalogue *catalogue = &from->result->catalogue;
    const uint64_t          ordinal = ranked_at(&from->result->listed, (uint32_t)d);
    const uint32_t          shard = catalogue->unit[catalogue_find(catalogue, ordinal)].shard,
        dataset = from->job->run->shards->at[shard].dataset;

    return graph_id(dataset, ordinal - catalogue->dataset_first[dataset]);
}

/* Documents are made in their order, one unit of columns after the other: what was read of a unit is given back when
 * the next one begins. */
static struct dedup_look document_look(struct origins *from, uint64_t ordinal)
{
    const struct dedup_look look = dedup_look(from->result, ordinal);

    if (look.unit != from->unit) unit_forget(&from->result->unit[from->unit].file.file);
    from->unit = look.unit;
    return look;
}

static void document_fill(const struct origins *from, uint64_t ordinal, const struct dedup_look *look,
                          struct graph_document *out)
{
    const struct dedup_row *row = look->row;
    const char             *heap = look->heap;
    const uint32_t          shard = from->result->catalogue.unit[look->unit].shard,
        dataset = from->job->run->shards->at[shard].dataset;

    *out = (struct graph_document){
        .dataset = dataset, .shard = shard,
        .number = ordinal - from->result->catalogue.dataset_first[dataset],
        .record = row->record, .split = { heap + look->group->split_at, look->group->split_len },
        .language = { heap + look->group->language_at, look->group->language_len },
        .source_id = heap_slice(heap, row->source_id), .path = heap_slice(heap, row->path),
        .repo = heap_slice(heap, row->repo), .license = heap_slice(heap, row->license),
        .license_class = licence_class_word(heap_slice(heap, row->license)),
        .license_from = row->license.len == NO_STRING ? SLICE("") : slice_of(licence_source_names[LICENCE_IN_FIELD]),
        .features = row->total, .distinct = row->distinct, .hash_low = row->raw.low, .hash_high = row->raw.high,
        .admitted = row->admitted };
}

static void document_make(void *source, size_t i, struct graph_document *out)
{
    struct origins    *from = source;
    uint32_t           near = from->near_at ? from->near_at[i] : NOT_IN_PASS;
    uint32_t           dedup = from->dedup_at ? from->dedup_at[i] : (uint32_t)i;
    uint64_t           ordinal = dedup == NOT_IN_PASS ? 0 : ranked_at(&from->result->listed, dedup);
    struct dedup_look  look = { 0 };
    struct slice       text = { 0 };

    if (dedup != NOT_IN_PASS) look = document_look(from, ordinal);
    if (dedup != NOT_IN_PASS && from->job->run->store_text) text = heap_slice(look.heap, look.row->text);
    if (near != NOT_IN_PASS) *out = *graph_document_at(&from->near, near, out);
    else {
        document_fill(from, ordinal, &look, out);
        out->matches = from->matches ? from->matches[i] : 0;
    }
    if (!out->text.at) out->text = text;
}

static uint64_t document_id(void *source, size_t i)
{
    const struct origins *from = source;
    const uint32_t        near = from->near_at ? from->near_at[i] : NOT_IN_PASS;

    return near != NOT_IN_PASS ? graph_id_at(&from->near, near) : id_of(from, from->dedup_at ? from->dedup_at[i] : i);
}

static uint32_t document_distinct(void *source, size_t i)
{
    const struct origins *from = source;
    const uint32_t        near = from->near_at ? from->near_at[i] : NOT_IN_PASS;

    if (near != NOT_IN_PASS) return graph_distinct_at(&from->near, near);
    return from->result->fate[from->dedup_at ? from->dedup_at[i] : i].distinct;
}

/* [count] of no document. */
static uint32_t *own_places(struct graph_build *build, size_t count)
{
    uint32_t *place = own_array(build, count, sizeof *place);

    if (place) memset(place, 0xFF, count * sizeof *place);
    return place;
}

/* Pass near's pairs and clusters name its documents by their new places, of which there are `count`; the order stays.
 * 0 or -ENOMEM. */
static int near_move(struct graph_build *build, const uint32_t *place, size_t count)
{
    struct graph_pass *near = &build->graph.passes[PASS_NEAR];
    size_t             edges = 0;
    struct graph_edge *edge = build->near_pairs ? runs_records(build->near_pairs, &edges) : NULL;
    uint32_t          *cluster = near->cluster ? own_places(build, count) : NULL;

    if (near->cluster && !cluster) return -ENOMEM;

    for (size_t e = 0; e < edges; e++) {
        edge[e].a = place[edge[e].a];
        edge[e].b = place[edge[e].b];
    }
    if (near->runs) {
        const uint32_t *before = build->near_place;
        uint32_t       *after = before ? build->near_place
            : own_array(build, build->near_place_count, sizeof *after);

        if (!after) return -ENOMEM;
        for (size_t d = 0; d < build->near_place_count; d++) after[d] = place[before ? before[d] : d];
        near->place = build->near_place = after;
    }
    for (size_t d = 0; near->cluster && d < build->graph.document_count; d++)
        if (near->cluster[d] != GRAPH_NO_DOCUMENT) cluster[place[d]] = place[near->cluster[d]];
    near->cluster = cluster;
    return 0;
}

/* Merges the documents of both passes by (dataset, number).  place: where those of the result come to be. */
static int documents_merge(struct graph_build *build, struct origins *origins, uint32_t *place, struct err *err)
{
    struct graph                *graph = &build->graph;
    size_t                       most = graph->document_count + origins->result->listed.count, n = 0, i = 0, k = 0;
    uint32_t                    *near_at = own_array(build, most, sizeof *near_at),
        *dedup_at = own_array(build, most, sizeof *dedup_at);
    uint32_t                    *moved = malloc((graph->document_count + 1) * sizeof *moved);
    int                          rc;

    if (!near_at || !dedup_at || !moved || most >= UINT32_MAX) {
        free(moved);
        return most >= UINT32_MAX ? err_set(err, -EOVERFLOW, "%zu documents are more than one graph.db can hold", most)
                                  : err_memory(err, 2 * most * sizeof *near_at, "stored documents");
    }
    for (; i < graph->document_count || k < origins->result->listed.count; n++) {
        const uint64_t near = i < graph->document_count ? graph_id_at(graph, i) : UINT64_MAX;
        const uint64_t id = k < origins->result->listed.count ? id_of(origins, k) : UINT64_MAX;
        const bool     same = near == id, before = near <= id;      /* ids go by (dataset, number) */

        near_at[n] = before ? (uint32_t)i : NOT_IN_PASS;
        dedup_at[n] = !before || same ? (uint32_t)k : NOT_IN_PASS;
        if (before) moved[i++] = (uint32_t)n;
        if (!before || same) place[k++] = (uint32_t)n;
    }
    moved[graph->document_count] = (uint32_t)n;             /* documents behind the last that is stored */
    rc = near_move(build, moved, n);
    free(moved);
    if (rc < 0) return err_memory(err, n * sizeof *moved, "clusters of documents");
    origins->near = *graph;
    graph->documents = NULL;
    origins->near_at = near_at;
    origins->dedup_at = dedup_at;
    graph->document_count = n;
    return 0;
}

/* ---- 3. Pairs, clusters, fates ---- */

/* Where document d of the result came to be; place NULL: there. */
static uint32_t moved(const uint32_t *place, uint32_t d) { return place ? place[d] : d; }

static int fates_build(struct graph_build *build, const struct dedup_result *result, const uint32_t *place,
                       struct err *err)
{
    const size_t       count = build->graph.document_count;
    struct graph_fate *fate = place ? own_array(build, count, sizeof *fate) : result->fate;

    if (!fate && place) return err_memory(err, count * sizeof *fate, "fates of documents");
    for (size_t d = 0; d < count && place; d++) fate[d].canonical = GRAPH_NO_DOCUMENT;
    for (size_t d = 0; d < result->listed.count && place; d++) {
        fate[place[d]] = result->fate[d];
        fate[place[d]].canonical = place[result->fate[d].canonical];
    }
    return graph_add_rows(build, &table_dedup, fate, count, err);
}

/* Admitted documents with one canonical, two at least; documents come in order, so the first met is the smallest. */
static int clusters_build(struct graph_build *build, const struct dedup_result *result, const uint32_t *place,
                          struct err *err)
{
    const size_t       count = result->listed.count;
    uint32_t          *first = malloc((count + 1) * sizeof *first);         /* by canonical */
    uint32_t          *cluster = own_places(build, build->graph.document_count);
    struct graph_pass *pass = &build->graph.passes[PASS_DEDUP];

    if (!first || !cluster) {
        free(first);
        return err_memory(err, 2 * count * sizeof *first, "clusters of documents");
    }
    memset(first, 0xFF, count * sizeof *first);
    for (uint32_t d = 0; d < count; d++) {
        uint32_t *smallest = &first[result->fate[d].canonical];

        if (!dedup_is_admitted(result, d)) continue;
        if (*smallest == GRAPH_NO_DOCUMENT) {
            *smallest = moved(place, d);
            continue;
        }
        pass->clustered += cluster[*smallest] == GRAPH_NO_DOCUMENT ? 2 : 1;
        cluster[*smallest] = cluster[moved(place, d)] = *smallest;
    }
    free(first);
    pass->cluster = cluster;
    return 0;
}

/* Where pass near did not run, a document's matches are its pairs of this pass. */
static int matches_build(struct graph_build *build, struct origins *origins, struct err *err)
{
    uint32_t         *matches = own_array(build, build->graph.document_count, sizeof *matches);
    struct graph_edge edge;
    struct pairs      pairs;
    int               rc;

    if (!matches) return err_memory(err, build->graph.document_count * sizeof *matches, "matches");
    rc = pairs_open(&pairs, &build->graph.passes[PASS_DEDUP], err);
    while (rc == 0 && (rc = pairs_next(&pairs, &edge, err)) > 0) {
        rc = 0;
        if (edge.kind != EDGE_EXACT && edge.kind != EDGE_NEAR) continue;
        matches[edge.a]++;
        matches[edge.b]++;
    }
    pairs_close(&pairs);
    origins->matches = matches;
    return rc;
}

static int pairs_build(struct graph_build *build, struct origins *origins, const uint32_t *place, struct err *err)
{
    const struct run   *run = origins->job->run;
    struct runs_options options = pairs_options(run->stage, run_memory_sorting(run));
    int                 rc = runs_open(&build->dedup_pairs, &options, err);

    if (rc == 0) rc = expand_dedup(origins->job->options, origins->result, build->dedup_pairs, err);
    if (rc == 0) rc = pairs_give(&build->graph.passes[PASS_DEDUP], build->dedup_pairs, place, err);
    return rc == 0 && !origins->near_at ? matches_build(build, origins, err) : rc;
}

int graph_add_dedup(struct graph_build *build, const struct dedup_job *job, struct dedup_result *result,
                    struct err *err)
{
    const bool      near = build->graph.datasets != NULL;
    struct origins *origins = own_array(build, 1, sizeof *origins);
    uint32_t       *place = near ? own_array(build, result->listed.count, sizeof *place) : NULL;
    int             rc = origins && (place || !near) ? 0 : err_memory(err, result->listed.count * sizeof *place,
                                                                      "stored documents");

    if (rc == 0) *origins = (struct origins){ .job = job, .result = result };
    if (rc == 0) rc = near ? shards_compare(&build->graph, job, result, err) : datasets_build(build, job, result, err);
    if (rc == 0) rc = near ? splits_extend(build, job, result, err) : splits_build(build, result, err);
    if (rc == 0 && near) rc = documents_merge(build, origins, place, err);
    if (rc == 0 && !near) build->graph.document_count = result->listed.count;
    if (rc == 0) rc = fates_build(build, result, place, err);
    if (rc == 0) rc = pairs_build(build, origins, place, err);
    if (rc == 0) dedup_result_forget(result);
    if (rc == 0) rc = clusters_build(build, result, place, err);
    if (rc == 0) rc = graph_add_dedup_shards(build, job, result, err);
    build->graph.make_document = document_make;
    build->graph.document_id = document_id;
    build->graph.document_distinct = document_distinct;
    build->graph.source = origins;
    if (rc < 0) graph_build_free(build);
    return rc;
}
