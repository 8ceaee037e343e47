/* near/report_benchmarks.c -- see report_benchmarks.h. */
#include "near/report_benchmarks.h"

#include "graph/item_pairs.h"
#include "graph/read.h"
#include "report/query_table.h"

#include <inttypes.h>
#include <string.h>

/* Is it an item of the benchmark?  Ids tell whose they are, so that no document need be read. */
#define IS_ITEM(id) id " BETWEEN {first} AND {last}"

/* Pairs of the benchmark's items with documents of corpora: what is asked of those whose a is the item, as one group or
 * by item, then of those whose b is. */
#define PAIRS(first, by_first, second, by_second) \
    "SELECT " first " FROM edges AS e WHERE " IS_ITEM("e.a") " AND " GRAPH_OF_ROLE("e.b", "corpus") " AND " \
    GRAPH_NEAR_PAIR by_first " UNION ALL SELECT " second GRAPH_SORTED("edges AS e WHERE " IS_ITEM("e.b")) " AND " \
    GRAPH_OF_ROLE("e.a", "corpus") by_second
#define BY_ITEM(what) PAIRS("e.a AS item, " what, " GROUP BY e.a", "e.b AS item, " what, " GROUP BY e.b")

#define NGRAM_RULE(column, name) \
    "UNION SELECT snippet, '" name "' FROM ngram_rules WHERE " IS_ITEM("snippet") " AND " column " "

static const struct query_column rule_columns[] = {
    { "rules", "found by", CELL_TEXT }, { "items", "items", CELL_COUNT },
};
static const struct query_column similarity_columns[] = {
    { "from", "from", CELL_SHARE }, { "items", "items", CELL_COUNT },
};
static const struct query_column copies_columns[] = {
    { "copies", "documents of corpora like the item", CELL_TEXT }, { "items", "items", CELL_COUNT },
};
static const struct query_column repository_columns[] = {
    { "repo", "repository", CELL_NAME }, { "items", "items", CELL_COUNT }, { "documents", "documents", CELL_COUNT },
};

static const struct report_chart rules_chart = {
    CHART_SETS, "Items by the rules that find them, alone and together", { "rules" }, NULL, { "items" },
};
static const struct report_chart similarity_chart = {
    CHART_HISTOGRAM, "Items by the similarity of their best pair", { NULL }, "from", { "items" },
};
static const struct report_chart copies_chart = {
    CHART_HISTOGRAM, "Items by how many documents of corpora are like them", { NULL }, "copies", { "items" },
};
static const struct report_chart repository_chart = {
    CHART_BARS, "Items by the repository of what they are like", { "repo" }, NULL, { "items" },
};

/* A table of one benchmark: what it is of, with places for its first id and its last one. */
struct part {
    const char                *key, *from;
    const struct query_column *columns;
    size_t                     count;
    const struct report_chart *chart;
};

static const struct part parts[] = {
    { "rules",
      "(SELECT rules, count(*) AS items FROM (SELECT group_concat(rule, ', ') AS rules FROM ("
      PAIRS("e.a AS item, e.kind AS rule", "", "e.b, e.kind", "")
      " UNION SELECT item, kind FROM found_inside WHERE " IS_ITEM("item") " AND leak "
      NGRAM_RULE("gpt3_13gram", "GPT-3") NGRAM_RULE("palm_8gram", "PaLM")
      NGRAM_RULE("tulu3_8gram", "Tülu 3") NGRAM_RULE("exact_substring", "substring")
      NGRAM_RULE("windows50", "windows") NGRAM_RULE("qwen_lcs", "Qwen")
      "ORDER BY item, rule) GROUP BY item) GROUP BY rules ORDER BY items DESC, rules)", rule_columns, 2, &rules_chart },
    { "similarity",
      "(WITH item AS MATERIALIZED (SELECT max(best) AS best, min(least) AS least FROM ("
      BY_ITEM("max(e.set_similarity) AS best, min(e.set_similarity) AS least") ") GROUP BY item) SELECT bin / 20.0 AS "
      "[from], count(best) AS items FROM (WITH RECURSIVE bins(bin) AS (SELECT 0 UNION ALL SELECT bin + 1 FROM bins "
      "WHERE bin < 20) SELECT bin FROM bins) LEFT JOIN (SELECT CAST(best * 20 + 1e-9 AS INTEGER) AS best FROM item) ON "
      "best = bin GROUP BY bin HAVING bin >= (SELECT CAST(min(least) * 20 AS INTEGER) FROM item) ORDER BY bin)",
      similarity_columns, 2, &similarity_chart },
    { "copies",
      "(SELECT iif(most = 1, '1', printf('%d-%d', most / 2 + 1, most)) AS copies, count(*) AS items FROM (SELECT "
      "(SELECT column1 FROM (VALUES (1), (2), (4), (8), (16), (32), (64), (128), (256), (512), (1024), (2048), (4096), "
      "(8192), (16384), (1073741824)) WHERE column1 >= n) AS most FROM (SELECT sum(n) AS n FROM ("
      BY_ITEM("count(*) AS n") ") GROUP BY item)) GROUP BY most ORDER BY most)",
      copies_columns, 2, &copies_chart },
    { "repositories",
      "(SELECT o.repo AS repo, count(DISTINCT p.item) AS items, count(DISTINCT p.document) AS documents FROM ("
      PAIRS("e.a AS item, e.b AS document", GRAPH_SORTED_BY_B, "e.b, e.a", "")
      ") AS p CROSS JOIN snippets AS o ON o.id = p.document WHERE o.repo <> '' GROUP BY o.repo ORDER BY items DESC, "
      "documents DESC, repo LIMIT 100)", repository_columns, 3, &repository_chart },
};

/* What the table is of, with the ids of the benchmark's items in every place: in the document's pool, or NULL. */
static const char *part_print(struct report_document *out, const char *from, uint32_t slot)
{
    struct bytes sql = { 0 };
    struct slice kept = { NULL, 0 };
    int          rc = 0;

    while (*from && rc == 0) {
        const size_t plain = strcspn(from, "{");

        rc = bytes_append(&sql, from, plain);
        from += plain;
        if (!*from || rc < 0) continue;
        rc = bytes_printf(&sql, "%" PRIu64, graph_id(slot, from[1] == 'f' ? 0 : GRAPH_ID_STEP - 1));
        from = strchr(from, '}') + 1;
    }
    if (rc < 0 || pool_copy(&out->pool, bytes_slice(&sql), &kept) < 0) kept.at = NULL;
    bytes_free(&sql);
    return kept.at;
}

static int benchmark_add(struct report_document *out, struct report_node *list, sqlite3 *db, struct slice name,
                         uint32_t slot, size_t *found, struct err *err)
{
    struct report_node *section = report_section(out, list, NULL, name);
    size_t              any = 0;
    int                 rc = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
        const char        *from = part_print(out, parts[i].from, slot);
        struct query_table table = { parts[i].key, from, parts[i].columns, parts[i].count, 40, NULL };
        struct query_rows  rows = { 0 };

        rc = from ? query_table_add(out, section, db, &table, &rows, err) : err_memory(err, name.len, "the report");
        report_chart(rows.table, parts[i].chart);
        any += rows.all;
    }
    if (!any) report_hide(section);
    *found += any;
    return rc;
}

int benchmarks_report_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section = report_section(out, out->root, "benchmarks", SLICE("Benchmark by benchmark")), *list;
    struct slice        name[BENCHMARKS_MOST];
    uint32_t            slot[BENCHMARKS_MOST];
    sqlite3_stmt       *query;
    bool                aside;
    size_t              count = 0, found = 0;
    int                 rc = graph_run_says(db, "edges_file", &aside, err);

    if (rc == 0) rc = graph_prepare(db, &query, "SELECT id, rowid - 1 FROM datasets WHERE role = 'benchmark' ORDER BY "
                                                "rowid", err);
    if (rc < 0) return rc;
    while (rc == 0 && count < BENCHMARKS_MOST && (rc = graph_step(query, err)) == 1) {
        slot[count] = (uint32_t)graph_number(query, 1);
        rc = pool_copy(&out->pool, graph_text(query, 0), &name[count++]) < 0 ? err_memory(err, 64, "the report") : 0;
    }
    graph_finish(query);
    if (aside)
        report_paragraph(out, section, "The pairs are in edges.tsv.zst: only what was found inside documents and by "
                                       "n-grams is counted here.");
    list = report_list(out, section, "each");
    for (size_t i = 0; i < count && rc == 0; i++) rc = benchmark_add(out, list, db, name[i], slot[i], &found, err);
    if (!found) report_hide(section);
    return rc < 0 ? rc : 0;
}
