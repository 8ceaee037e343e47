/* page/items.c -- see items.h. */
#include "page/items.h"

#include "base/bytes.h"
#include "graph/item_pairs.h"
#include "graph/read.h"
#include "graph/table.h"

#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* How good a match is: of its kind, so much more when it is in another benchmark, or in the item's own. */
enum {
    RANK_EQUAL, RANK_NEAR, RANK_CONTAINED, RANK_INSIDE, RANK_INSIDE_PART, RANK_BENCHMARK = 8, RANK_OWN = 16,
    RANK_NONE = INT32_MAX,
};

/* ---- names ---- */

/* The number of the text among the names; empty: ITEM_NO_NAME.  -ENOMEM when memory is out. */
static int name_put(struct item_names *names, struct slice text, int32_t *out)
{
    XXH128_hash_t hash;
    bool          added;
    uint32_t      at;

    *out = ITEM_NO_NAME;
    if (text.len == 0) return 0;
    hash = XXH3_128bits(text.at, text.len);
    at = table_put(&names->known, hash.low64, hash.high64, (uint32_t)names->count, &added);
    if (at == TABLE_NONE) return -ENOMEM;
    if (added && (ARRAY_GROW(names->at, names->room, names->count) < 0 ||
                  pool_copy(&names->pool, text, &names->at[names->count]) < 0)) return -ENOMEM;
    names->count += added;
    *out = (int32_t)at;
    return 0;
}

static void names_free(struct item_names *names)
{
    free(names->at);
    table_free(&names->known);
    pool_free(&names->pool);
}

/* ---- which items ---- */

/* is_benchmark: of each dataset */
struct reading {
    struct items *out;
    sqlite3      *db;
    struct table  index;
    struct err   *err;
    bool         *is_benchmark;
    size_t        role_room, roles;
};

static int out_of_memory(struct reading *r) { return err_memory(r->err, r->out->count * sizeof *r->out->at, "items"); }

/* The item with that id, or NULL. */
static struct item *item_of(struct reading *r, uint64_t id)
{
    uint32_t at = table_find(&r->index, id, 0);

    return at == TABLE_NONE ? NULL : &r->out->at[at];
}

static int rule_found(struct reading *r, uint64_t id, struct slice rule)
{
    struct items *out = r->out;
    bool          added;
    uint32_t      at = table_put(&r->index, id, 0, (uint32_t)out->count, &added);
    int32_t       bit;

    if (at == TABLE_NONE || name_put(&out->rules, rule, &bit) < 0) return -ENOMEM;
    if (added) {
        if (ARRAY_GROW(out->at, out->room, out->count) < 0) return -ENOMEM;
        out->at[out->count++] = (struct item){ .id = id, .best.rank = RANK_NONE };
    }
    if (bit >= 0) out->at[at].rules |= 1u << (bit < ITEM_RULES_MOST ? bit : ITEM_RULES_MOST);
    return 0;
}

static int rules_read(struct reading *r)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(r->db, &query, "SELECT item, rule FROM item_rules", r->err);

    while (rc == 0 && (rc = graph_step(query, r->err)) == 1)
        rc = rule_found(r, graph_number(query, 0), graph_text(query, 1)) < 0 ? out_of_memory(r) : 0;
    graph_finish(query);
    return rc;
}

static int datasets_read(struct reading *r)
{
    sqlite3_stmt *query;
    int32_t       at;
    int           rc = graph_prepare(r->db, &query, "SELECT id, role = 'benchmark' FROM datasets ORDER BY "
                                                    "rowid", r->err);

    while (rc == 0 && (rc = graph_step(query, r->err)) == 1) {
        const size_t rows = r->out->datasets.count;

        if (ARRAY_GROW(r->is_benchmark, r->role_room, rows) < 0 ||
            name_put(&r->out->datasets, graph_text(query, 0), &at) < 0) rc = out_of_memory(r);
        else rc = 0, r->is_benchmark[rows] = graph_number(query, 1) != 0;
    }
    r->roles = r->out->datasets.count;
    graph_finish(query);
    return rc;
}

/* ---- what they are like ---- */

static bool is_better(const struct item_match *a, const struct item_match *b)
{
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->alike > b->alike || (a->alike == b->alike && a->id < b->id);
}

/* Both sides of the pairs; of contained ones the share of the item counts. */
static const char pairs_query[] =
    "SELECT e.a, e.b, e.kind, e.set_similarity, e.containment_a" GRAPH_ITEM_FIRST
    " UNION ALL SELECT e.b, e.a, e.kind, e.set_similarity, e.containment_b" GRAPH_ITEM_SECOND;

static int pair_take(struct reading *r, sqlite3_stmt *query)
{
    struct item      *item = item_of(r, graph_number(query, 0));
    struct slice      kind = graph_text(query, 2);
    const bool        contained = slice_equal(kind, SLICE("contained"));
    struct item_match match = { .id = graph_number(query, 1), .alike = graph_real(query, contained ? 4 : 3),
                                .repo = ITEM_NO_NAME, .licence = ITEM_NO_NAME };
    uint64_t          slot;

    if (!item || match.id == 0) return 0;
    if (name_put(&r->out->kinds, kind, &match.kind) < 0) return out_of_memory(r);
    match.rank = contained ? RANK_CONTAINED : slice_equal(kind, SLICE("near")) ? RANK_NEAR : RANK_EQUAL;
    slot = (match.id - 1) / GRAPH_ID_STEP;
    if (slot == (item->id - 1) / GRAPH_ID_STEP) match.rank += RANK_OWN;
    else if (slot < r->roles && r->is_benchmark[slot]) match.rank += RANK_BENCHMARK;
    item->copies++;
    if (is_better(&match, &item->best)) item->best = match;
    return 0;
}

static const char inside_query[] =
    "SELECT item, kind, alike, dataset, shard, record, place, line, line_end, leak, license, repo FROM " FOUND_INSIDE;

static int inside_take(struct reading *r, sqlite3_stmt *query)
{
    struct items     *out = r->out;
    struct item      *item = item_of(r, graph_number(query, 0));
    const bool        leak = graph_number(query, 9) != 0;
    struct item_match match = { .alike = graph_real(query, 2), .record = graph_number(query, 5),
                                .line = graph_number(query, 7), .line_end = graph_number(query, 8),
                                .rank = leak ? RANK_INSIDE : RANK_INSIDE_PART };

    if (!item) return 0;
    /* of equal ones the first stays, as the tables' order is the runs' */
    if (item->best.rank < match.rank || (item->best.rank == match.rank && item->best.alike >= match.alike)) return 0;
    if (name_put(&out->kinds, graph_text(query, 1), &match.kind) < 0 ||
        name_put(&out->datasets, graph_text(query, 3), &match.dataset) < 0 ||
        name_put(&out->licences, graph_text(query, 10), &match.licence) < 0 ||
        name_put(&out->repos, graph_text(query, 11), &match.repo) < 0 ||
        pool_copy(&out->pool, graph_text(query, 4), &match.shard) < 0 ||
        pool_copy(&out->pool, graph_text(query, 6), &match.place) < 0) return out_of_memory(r);
    item->best = match;
    return 0;
}

static int matches_read(struct reading *r, const char *sql, int (*take)(struct reading *, sqlite3_stmt *))
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(r->db, &query, sql, r->err);

    while (rc == 0 && (rc = graph_step(query, r->err)) == 1) rc = take(r, query);
    graph_finish(query);
    return rc;
}

/* The same place may be found in several ways: by one of them an item has so many. */
static const char places_query[] =
    "SELECT item, max(n) FROM (SELECT item, kind, count(*) AS n FROM " FOUND_INSIDE " WHERE leak GROUP BY item, kind) "
    "GROUP BY item";

static int places_take(struct reading *r, sqlite3_stmt *query)
{
    struct item *item = item_of(r, graph_number(query, 0));

    if (item && graph_number(query, 1) > item->copies) item->copies = graph_number(query, 1);
    return 0;
}

/* ---- what the documents are called ---- */

static const char document_query[] =
    "SELECT dataset, split_within_dataset, language, source_id, path, repo, license, id_within_dataset, matches, "
    "shard, "
    "record FROM snippets WHERE id = ?1";

static int item_describe(struct reading *r, sqlite3_stmt *query, struct item *item)
{
    struct items *out = r->out;

    item->number = graph_number(query, 7);
    if (graph_number(query, 8) > item->copies) item->copies = graph_number(query, 8);
    return name_put(&out->datasets, graph_text(query, 0), &item->dataset) < 0 ||
        name_put(&out->splits, graph_text(query, 1), &item->split) < 0 ||
        name_put(&out->languages, graph_text(query, 2), &item->language) < 0 ||
        name_put(&out->repos, graph_text(query, 5), &item->repo) < 0 ||
        name_put(&out->licences, graph_text(query, 6), &item->licence) < 0 ||
        pool_copy(&out->pool, graph_text(query, 3), &item->source) < 0 ||
        pool_copy(&out->pool, graph_text(query, 4), &item->path) < 0 ? out_of_memory(r) : 0;
}

static int match_describe(struct reading *r, sqlite3_stmt *query, struct item_match *match)
{
    struct items *out = r->out;
    struct slice  path = graph_text(query, 4);

    match->record = graph_number(query, 10);
    return name_put(&out->datasets, graph_text(query, 0), &match->dataset) < 0 ||
        name_put(&out->repos, graph_text(query, 5), &match->repo) < 0 ||
        name_put(&out->licences, graph_text(query, 6), &match->licence) < 0 ||
        pool_copy(&out->pool, graph_text(query, 9), &match->shard) < 0 ||
        pool_copy(&out->pool, path.len ? path : graph_text(query, 3), &match->place) < 0 ? out_of_memory(r) : 0;
}

/* Ids that no document has, in a graph.db of anybody's, are dropped. */
static int documents_read(struct reading *r)
{
    sqlite3_stmt *query;
    struct items *out = r->out;
    size_t        kept = 0;
    int           rc = graph_prepare(r->db, &query, document_query, r->err);

    for (size_t i = 0; i < out->count && rc == 0; i++) {
        struct item item = out->at[i];

        rc = graph_bind_number(query, 1, (int64_t)item.id, r->err);
        if (rc < 0 || (rc = graph_step(query, r->err)) != 1) continue;
        rc = item_describe(r, query, &item);
        sqlite3_reset(query);
        if (rc == 0 && item.best.id) {
            rc = graph_bind_number(query, 1, (int64_t)item.best.id, r->err);
            if (rc == 0 && (rc = graph_step(query, r->err)) == 1) rc = match_describe(r, query, &item.best);
            sqlite3_reset(query);
        }
        out->at[kept++] = item;
    }
    if (rc == 0) out->count = kept;
    graph_finish(query);
    return rc;
}

/* ---- all of it ---- */

static int compare_ids(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* 0: like a document of another dataset; 1: no document is known; 2: like one of its own dataset alone. */
static int group_of(const struct item *item)
{
    return item->best.rank < RANK_OWN ? 0 : item->best.rank == RANK_NONE ? 1 : 2;
}

static int compare_worst(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (group_of(x) != group_of(y)) return group_of(x) - group_of(y);
    if (x->copies != y->copies) return x->copies > y->copies ? -1 : 1;
    if (x->best.alike != y->best.alike) return x->best.alike > y->best.alike ? -1 : 1;
    return compare_ids(a, b);
}

int items_read(struct items *out, sqlite3 *db, struct err *err)
{
    struct reading r = { .out = out, .db = db, .err = err };
    int            rc;

    *out = (struct items){ 0 };
    rc = graph_run_says(db, "edges_file", &out->aside, err);
    if (rc == 0) rc = datasets_read(&r);
    if (rc == 0) rc = rules_read(&r);
    if (rc == 0) rc = matches_read(&r, pairs_query, pair_take);
    if (rc == 0) rc = matches_read(&r, inside_query, inside_take);
    if (rc == 0) rc = matches_read(&r, places_query, places_take);
    if (rc == 0 && out->count) qsort(out->at, out->count, sizeof *out->at, compare_ids);    /* as on disk */
    if (rc == 0) rc = documents_read(&r);
    if (rc == 0 && out->count) qsort(out->at, out->count, sizeof *out->at, compare_worst);
    table_free(&r.index);
    free(r.is_benchmark);
    return rc;
}

void items_free(struct items *items)
{
    struct item_names *const names[] = { &items->datasets, &items->splits, &items->languages, &items->rules,
                                         &items->kinds, &items->repos, &items->licences };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) names_free(names[i]);
    free(items->at);
    pool_free(&items->pool);
    *items = (struct items){ 0 };
}
