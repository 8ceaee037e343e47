/* near/report_items.c -- see report_items.h. */
#include "near/report_items.h"

#include "graph/pool.h"
#include "graph/read.h"
#include "graph/table.h"
#include "near/report.h"
#include "near/tables.h"
#include "report/compare.h"
#include "report/visible.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* ITEMS_LOOK, ITEMS_LOOK_MATCHES: so many times as many are looked at as shown, for those that are no repetition. */
enum { ITEM_LINE_BYTES = 160, ITEM_DIFF_LINES = 30, ITEMS_LOOK = 4, ITEMS_LOOK_MATCHES = 20 };

/* The first items of view leaked_items, of those with a pair.  How alike they are is only asked of the items that have
 * as many matches as the last one looked at; but these may be all that there are, with millions of pairs, and then rows
 * of edges in any order are what takes the time: the pairs whose b is an item are sorted (graph/item_pairs.h), those
 * whose a is stand together.  Items that repeat another are passed over, so more are looked at than are shown.  Two
 * texts are the same item when their features are, each as often, or their bytes. */
#define ITEMS_SAME(s) "coalesce(" s ".features_xxh128, " s ".xxh128)"
#define ITEMS_LEAST \
    "ifnull((SELECT x.matches FROM datasets AS y CROSS JOIN snippets AS x ON x.dataset = y.id WHERE y.role = " \
    "'benchmark' AND x.matches > 0 ORDER BY x.matches DESC LIMIT 1 OFFSET ?1 - 1), 0)"

static const char items_query[] =
    "WITH few AS MATERIALIZED (SELECT s.id AS id, s.dataset AS dataset, s.split_within_dataset AS split, "
    "s.id_within_dataset AS number, s.source_id AS source_id, s.path, s.repo, s.license, s.language, s.matches AS "
    "matches, " ITEMS_SAME("s") " AS same FROM datasets AS d CROSS JOIN snippets AS s ON s.dataset = d.id WHERE d.role "
    "= 'benchmark' AND s.matches >= " ITEMS_LEAST "), "
    "second AS MATERIALIZED (SELECT e.b AS item, " ITEMS_MOST_ALIKE("containment_b") " AS alike"
    GRAPH_SORTED("few AS f CROSS JOIN edges AS e ON e.b = f.id") " GROUP BY +e.b), "
    "inside AS MATERIALIZED (SELECT item, sum(leak) AS leaks FROM " FOUND_INSIDE " GROUP BY item), "
    "asked AS MATERIALIZED (SELECT s.*, max(" ITEMS_ALIKE("a", "containment_a") ", ifnull(second.alike, 0)) AS alike, "
    "ifnull(inside.leaks, 0) AS inside FROM few AS s LEFT JOIN second ON second.item = s.id LEFT JOIN inside ON "
    "inside.item = s.id) "
    "SELECT id, dataset, split, number, source_id, path, repo, license, language, matches, same FROM asked WHERE "
    "matches OR alike ORDER BY " ITEMS_LEAKED_ORDER " LIMIT ?1";

/* Other items of benchmarks that are the same. */
static const char items_repeated_query[] =
    "SELECT count(*) FROM snippets AS s JOIN datasets AS d ON d.id = s.dataset AND d.role = 'benchmark' WHERE "
    "(s.features_xxh128 = ?1 OR (s.xxh128_squeezed = (SELECT xxh128_squeezed FROM snippets WHERE id = ?2) AND s.xxh128 "
    "= ?1 AND s.features_xxh128 IS NULL)) AND s.id <> ?2";

static const char items_pairs_query[] =
    "SELECT count(*) FROM snippet_pairs WHERE snippet = ?1 AND pass = 'near' AND kind <> 'below'";

/* Matches in other datasets before those in the item's own.  Ids count through one dataset after the other, so an id
 * tells whose it is: an item may have ten thousand matches, and only those that are shown are looked up. */
#define ITEMS_ORDER "own, kind = 'contained', kind = 'near', set_similarity DESC, multiset_similarity DESC, other"

static const char items_match_query[] =
    "WITH range(low, high) AS (SELECT (SELECT id FROM snippets WHERE dataset = ?2 ORDER BY id_within_dataset LIMIT 1), "
    "(SELECT id FROM snippets WHERE dataset = ?2 ORDER BY id_within_dataset DESC LIMIT 1)), "
    "best AS (SELECT e.*, other BETWEEN low AND high AS own FROM "
    "(SELECT other, kind, set_similarity, multiset_similarity, containment FROM snippet_pairs WHERE snippet = ?1 AND "
    "pass = 'near') AS e, range WHERE kind <> 'below' ORDER BY " ITEMS_ORDER " LIMIT ?3) "
    "SELECT o.id, kind, set_similarity, multiset_similarity, containment, o.dataset, o.split_within_dataset, "
    "o.source_id, o.repo, o.path, o.license, " ITEMS_SAME("o")
    " FROM best JOIN snippets AS o ON o.id = other ORDER BY " ITEMS_ORDER;

static const struct report_column items_columns[] = {
    { "id", "snippet" }, { "source_id", "id" }, { "path", "path" }, { "repo", "repository" }, { "license", "licence" },
    { "language", "language" }, { "matches", "matches" }, { "repeated", "more items like it" },
};
static const struct report_column items_match_columns[] = {
    { "id", "snippet" }, { "kind", "kind" }, { "set_similarity", "set similarity" },
    { "multiset_similarity", "multiset similarity" },
    { "containment", "of the item" },
    { "dataset", "dataset" }, { "split", "split" }, { "source_id", "id" }, { "repo", "repository" }, { "path", "path" },
    { "license", "licence" },
};

/* What was shown before: a few texts, by what ITEMS_SAME says of them. */
struct shown { struct slice at[LEAKAGE_ITEMS]; struct pool pool; size_t count; };
_Static_assert((int)LEAKAGE_MATCHES <= (int)LEAKAGE_ITEMS, "both fit");

struct items {
    struct report_document *out;
    sqlite3_stmt           *matches, *text, *repeated, *pairs;          /* prepared once */
    struct bytes            same;                           /* which texts the table of matches has, of the last item */
    struct shown            tables;                         /* the same of those that a reader has seen */
    size_t                  alike;                          /* items whose table is one of these */
};

/* 1 when the text was shown; 0 when it is new, and noted; -ENOMEM. */
static int shown_before(struct shown *shown, struct slice text)
{
    for (size_t i = 0; i < shown->count; i++)
        if (slice_equal(shown->at[i], text)) return 1;
    if (pool_copy(&shown->pool, text, &shown->at[shown->count]) < 0) return -ENOMEM;
    shown->count++;
    return 0;
}

static int items_count(sqlite3_stmt *query, uint64_t *out, struct err *err)
{
    int rc = graph_step(query, err);

    *out = rc == 1 ? graph_number(query, 0) : 0;
    sqlite3_reset(query);
    return rc < 0 ? rc : 0;
}

struct best { int64_t id; bool contained; };                /* an item's best match; id 0: none */

/* The longest run of lines that the path through both texts keeps: what convinces a reader. */
static void items_find_common(const struct diff *diff, size_t *a, size_t *b)
{
    size_t longest = 0, run = 0;

    *a = *b = 0;
    for (size_t i = 0; i < diff->count; i++) {
        run = diff->step[i].mark == DIFF_SAME ? run + 1 : 0;
        if (run <= longest) continue;
        longest = run;
        *a = diff->step[i].a + 1 - run;
        *b = diff->step[i].b + 1 - run;
    }
}

/* Where the excerpts of both begin: of a contained pair, where the one lies in the other. */
static int items_find_places(const struct comparison *texts, const struct diff *diff, size_t *a, size_t *b,
                             struct err *err)
{
    uint32_t place_a = 0, place_b = 0;
    int      rc = 0;

    items_find_common(diff, a, b);
    if (!texts->contained) return 0;
    rc = compare_places(texts, &place_a, &place_b, err);
    *a = place_a;
    *b = place_b;
    return rc;
}

static int items_excerpt(struct bytes *out, const struct slice *line, size_t count, size_t from)
{
    int rc = 0;

    for (size_t i = from; i < count && i < from + LEAKAGE_EXCERPT && rc == 0; i++) {
        struct slice cut = visible_cut(line[i], ITEM_LINE_BYTES);

        rc = bytes_append_slice(out, cut);
        if (rc == 0 && cut.len < line[i].len) rc = bytes_append_slice(out, SLICE(" ..."));
        if (rc == 0) rc = bytes_append(out, "\n", 1);
    }
    return rc;
}

static int items_read_text(struct items *items, int64_t id, struct bytes *out, struct err *err)
{
    int rc = graph_bind_number(items->text, 1, id, err);

    if (rc == 0) rc = graph_step(items->text, err);
    if (rc == 1 && bytes_append_slice(out, graph_text(items->text, 0)) < 0) rc = err_memory(err, out->len, "a text");
    sqlite3_reset(items->text);
    return rc < 0 ? rc : 0;
}

/* What may not be shown is masked before texts are taken apart: its pieces would not be found. */
static int items_mask(struct items *items, struct bytes *text, struct err *err)
{
    struct bytes masked = { 0 };
    struct slice shown = bytes_slice(text);

    if (!items->out->mask) return 0;
    if (items->out->mask(&shown, true, &masked) < 0) {
        bytes_free(&masked);
        return err_memory(err, text->len, "a text");
    }
    if (shown.at == text->at) {
        text->len = shown.len;
        bytes_free(&masked);
        return 0;
    }
    bytes_free(text);
    *text = masked;
    return 0;
}

/* The two excerpts are for scripts; a person sees how the texts differ or, when they do not, how they begin. */
static int items_add_texts(struct items *items, struct report_node *section, int64_t item, const struct best *match,
                           struct slice language, struct err *err)
{
    const struct diff_style style = { .line_limit = ITEM_DIFF_LINES, .line_bytes = ITEM_LINE_BYTES };
    struct comparison       texts = { .language = language, .contained = match->contained };
    struct bytes            a = { 0 }, b = { 0 }, text = { 0 };
    struct diff             diff = { 0 };
    size_t                  at_a, at_b;
    bool                    same;
    int                     rc = items_read_text(items, item, &a, err);

    if (rc == 0) rc = items_read_text(items, match->id, &b, err);
    if (rc < 0 || a.len == 0 || b.len == 0) goto done;
    same = slice_equal(bytes_slice(&a), bytes_slice(&b));
    rc = items_mask(items, &a, err);
    if (rc == 0) rc = items_mask(items, &b, err);
    if (rc < 0) goto done;
    texts.a = bytes_slice(&a);
    texts.b = bytes_slice(&b);
    if (diff_lines(&diff, texts.a, texts.b) < 0) goto memory;
    rc = items_find_places(&texts, &diff, &at_a, &at_b, err);
    if (rc < 0) goto done;
    if (items_excerpt(&text, diff.a, diff.a_count, at_a) < 0) goto memory;
    if (same)
        report_code(items->out, section, "excerpt", SLICE("Its best match has the same text, which begins"), language,
                    bytes_slice(&text));
    else report_hide(report_code(items->out, section, "excerpt", SLICE(""), language, bytes_slice(&text)));
    text.len = 0;
    if (items_excerpt(&text, diff.b, diff.b_count, at_b) < 0) goto memory;
    report_hide(report_code(items->out, section, "match_excerpt", SLICE(""), language, bytes_slice(&text)));
    text.len = 0;
    if (!same) rc = compare_print(&texts, &style, &text, err);
    if (!same && rc == 0)
        report_code(items->out, section, "diff",
                    SLICE("From the item (-) to its best match (+); [-words-]{+changed+} in lines (!)"), SLICE("diff"),
                    bytes_slice(&text));
    goto done;
memory:
    rc = err_memory(err, a.len + b.len, "an excerpt");
done:
    diff_free(&diff);
    bytes_free(&a);
    bytes_free(&b);
    bytes_free(&text);
    return rc;
}

/* Adds the table of best matches; *best is the first one. */
static int items_add_matches(struct items *items, struct report_node *section, int64_t item, struct slice dataset,
                             struct best *best, struct err *err)
{
    struct report_node *table = report_table(items->out, section, "matches", items_match_columns,
                                             sizeof items_match_columns / sizeof items_match_columns[0]);
    sqlite3_stmt       *query = items->matches;
    struct shown        shown = { 0 };
    uint64_t            pairs = 0;
    char                sql[192];
    int                 rc = graph_bind_number(query, 1, item, err);

    snprintf(sql, sizeof sql, "SELECT other, kind, set_similarity, multiset_similarity, containment FROM snippet_pairs "
             "WHERE snippet = %" PRId64 " AND pass = 'near' AND kind <> 'below'", item);
    report_sql(items->out, table, slice_of(sql));

    *best = (struct best){ 0, false };
    items->same.len = 0;
    if (rc == 0) rc = graph_bind_text(query, 2, dataset, err);
    if (rc == 0) rc = graph_bind_number(query, 3, LEAKAGE_MATCHES * ITEMS_LOOK_MATCHES, err);
    if (rc == 0) rc = graph_bind_number(items->pairs, 1, item, err);
    if (rc == 0) rc = items_count(items->pairs, &pairs, err);
    while (rc == 0 && shown.count < LEAKAGE_MATCHES && (rc = graph_step(query, err)) == 1) {
        const struct report_cell cell[] = {
            report_cell_id(graph_number(query, 0)), report_cell_text(graph_text(query, 1)),
                report_cell_share(graph_real(query, 2)),
            report_cell_share(graph_real(query, 3)), report_cell_share(graph_real(query, 4)),
                report_cell_name(graph_text(query, 5)),
            report_cell_name(graph_text(query, 6)), report_cell_name(graph_text(query, 7)),
                report_cell_name(graph_text(query, 8)),
            report_cell_name(graph_text(query, 9)), report_cell_name(graph_text(query, 10)),
        };

        rc = shown_before(&shown, graph_text(query, 11));
        if (rc == 0) rc = bytes_append_slice(&items->same, graph_text(query, 11));
        if (rc < 0) rc = err_memory(err, 32, "a match");
        if (rc == 1) rc = 0;
        else if (rc == 0) report_row(items->out, table, cell);
        if (best->id == 0)
            *best = (struct best){ (int64_t)graph_number(query, 0),
                                   slice_equal(graph_text(query, 1), SLICE("contained")) };
    }
    sqlite3_reset(query);
    if (rc == 0 && pairs > shown.count)
        report_paragraph(items->out, section, "And %llu more; each text is shown once.",
                         (unsigned long long)(pairs - shown.count));
    pool_free(&shown.pool);
    return rc;
}

/* Where a table of the same matches stands already, only report.json has the item. */
static int items_add(struct items *items, struct report_node *list, sqlite3_stmt *query, uint64_t repeated,
                     struct err *err)
{
    const struct report_cell cell[] = {
        report_cell_id(graph_number(query, 0)), report_cell_name(graph_text(query, 4)),
            report_cell_name(graph_text(query, 5)),
        report_cell_name(graph_text(query, 6)), report_cell_name(graph_text(query, 7)),
            report_cell_name(graph_text(query, 8)),
        report_cell_count(graph_number(query, 9)), report_cell_count(repeated),
    };
    struct slice        dataset = graph_text(query, 1);
    int64_t             id = (int64_t)graph_number(query, 0);
    struct best         best;
    struct bytes        title = { 0 };
    struct report_node *section;
    int                 rc;

    /* masked before they are put together: what is between them hides a value of either */
    if (bytes_append_slice(&title, report_copy(items->out, dataset)) < 0 || bytes_append(&title, "/", 1) < 0 ||
        bytes_append_slice(&title, report_copy(items->out, graph_text(query, 2))) < 0 ||
        bytes_printf(&title, "/%llu", (unsigned long long)graph_number(query, 3)) < 0) {
        bytes_free(&title);
        return err_memory(err, 0, "the report");
    }
    section = report_section(items->out, list, NULL, bytes_slice(&title));
    bytes_free(&title);
    report_row(items->out, report_facts(items->out, section, "item", items_columns,
                                        sizeof items_columns / sizeof items_columns[0]), cell);
    rc = items_add_matches(items, section, id, dataset, &best, err);
    if (rc == 0 && best.id) rc = items_add_texts(items, section, id, &best, graph_text(query, 8), err);
    if (rc < 0) return rc;
    if (items->tables.count >= LEAKAGE_SHOWN) {
        report_hide(section);
        return 0;
    }
    rc = items->same.len ? shown_before(&items->tables, bytes_slice(&items->same)) : 0;
    if (rc < 0) return err_memory(err, items->same.len, "a table of matches");
    if (rc == 0 && items->same.len == 0) items->tables.at[items->tables.count++] = (struct slice){ NULL, 0 };
    if (rc == 1) {
        items->alike++;
        report_hide(section);
    }
    return 0;
}

/* Adds the items of the query, each text once; *added counts them. */
static int items_add_all(struct items *items, struct report_node *list, sqlite3_stmt *query, size_t *added,
                         struct err *err)
{
    struct shown shown = { 0 };
    int          rc = 0;

    while (rc == 0 && shown.count < LEAKAGE_ITEMS && (rc = graph_step(query, err)) == 1) {
        struct slice same = graph_text(query, 10);
        uint64_t     repeated = 0;

        rc = shown_before(&shown, same);
        if (rc < 0) rc = err_memory(err, same.len, "an item");
        if (rc == 1) {
            rc = 0;
            continue;
        }
        if (rc == 0) rc = graph_bind_text(items->repeated, 1, same, err);
        if (rc == 0) rc = graph_bind_number(items->repeated, 2, (int64_t)graph_number(query, 0), err);
        if (rc == 0) rc = items_count(items->repeated, &repeated, err);
        if (rc == 0) rc = items_add(items, list, query, repeated, err);
    }
    *added = shown.count;
    pool_free(&shown.pool);
    return rc;
}

int leakage_add_items(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct items        items = { .out = out };
    struct report_node *section = report_section(out, out->root, "leaked",
                                                 SLICE("The benchmark items that leaked most")), *list;
    sqlite3_stmt       *query = NULL;
    bool                aside = false;
    size_t              shown = 0;
    int                 rc = graph_prepare(db, &query, items_query, err);

    if (rc == 0) rc = graph_prepare(db, &items.matches, items_match_query, err);
    if (rc == 0) rc = graph_prepare(db, &items.text, "SELECT snippet FROM snippets WHERE id = ?1", err);
    if (rc == 0) rc = graph_prepare(db, &items.repeated, items_repeated_query, err);
    if (rc == 0) rc = graph_prepare(db, &items.pairs, items_pairs_query, err);
    if (rc == 0) rc = graph_bind_number(query, 1, LEAKAGE_ITEMS * ITEMS_LOOK, err);
    if (rc == 0) rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc == 0 && aside)
        report_paragraph(out, section, "The pairs are too many for the database and lie in edges.tsv.zst beside it; "
                                       "the matches themselves are not shown here.");
    list = report_list(out, section, "items");
    if (rc == 0) rc = items_add_all(&items, list, query, &shown, err);
    if (rc == 0 && shown == 0) report_paragraph(out, section, "None has a pair.");
    if (rc == 0 && items.alike)
        report_paragraph(out, section, "Of %zu of these the best matches are those of one above, so that they are only "
                                       "in report.json.", items.alike);
    if (rc == 0 && shown > items.tables.count + items.alike)
        report_paragraph(out, section, "%zu more are in report.json, all in graph.db.",
                         shown - items.tables.count - items.alike);
    graph_finish(query);
    graph_finish(items.matches);
    graph_finish(items.text);
    graph_finish(items.repeated);
    graph_finish(items.pairs);
    bytes_free(&items.same);
    pool_free(&items.tables.pool);
    return rc;
}
