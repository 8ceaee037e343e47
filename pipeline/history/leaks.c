/* history/leaks.c -- see leaks.h. */
#include "history/leaks.h"

#include "graph/edges.h"
#include "graph/ids.h"
#include "graph/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)EDGE_KIND_COUNT <= (int)LEAK_INSIDE, "kinds of edges are below it");

struct reading {
    struct leaks            *out;
    const struct match_list *items;
    const uint32_t          *of;
    size_t                   slots, slot;                   /* of the run's datasets; the benchmark's own */
};

/* The better match of an item and a dataset first: pairs of the whole item, the most alike. */
static int leak_rank(uint32_t kind)
{
    switch (kind) {
    case EDGE_EXACT: return 0;
    case EDGE_NEAR:  return 1;
    case EDGE_COPY:  return 2;
    default:         return 3;
    }
}

static int leak_better(const struct leak *a, const struct leak *b)
{
    const int rank = leak_rank(a->kind) - leak_rank(b->kind);

    if (rank) return rank;
    if (a->alike != b->alike) return a->alike > b->alike ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return (a->other > b->other) - (a->other < b->other);
}

static int leak_compare(const void *x, const void *y)
{
    const struct leak *a = x, *b = y;

    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    return leak_better(a, b);
}

/* Items are in the order of their ids, and of a file from anywhere the id may be none of them. */
static uint32_t item_find(const struct match_list *items, uint64_t id)
{
    size_t low = 0, high = items->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (items->at[middle].id < id) low = middle + 1;
        else high = middle;
    }
    return low < items->count && items->at[low].id == id ? (uint32_t)low : MATCH_NONE;
}

/* Rows of one item and one dataset follow each other mostly: the best of them is kept, so that memory goes with items,
 * not with pairs. */
static int leak_add(struct reading *r, const struct leak *leak, struct err *err)
{
    struct leaks *out = r->out;
    struct leak  *last = out->count ? &out->at[out->count - 1] : NULL;

    if (last && last->item == leak->item && last->target == leak->target) {
        if (leak_better(leak, last) < 0) *last = *leak;
        return 0;
    }
    if (out->count == UINT32_MAX - 1) return err_set(err, -EOVERFLOW, "a benchmark with 2^32 matches or more");
    if (ARRAY_GROW(out->at, out->room, out->count) < 0)
        return err_memory(err, out->count * sizeof *leak, "matches");
    out->at[out->count++] = *leak;
    return 0;
}

/* One side of a pair. */
static int side_add(struct reading *r, uint64_t id, uint64_t other, uint32_t kind, double alike, struct err *err)
{
    const uint64_t slot = (other - 1) / GRAPH_ID_STEP;
    const uint32_t item = (id - 1) / GRAPH_ID_STEP == r->slot ? item_find(r->items, id) : MATCH_NONE;

    if (item == MATCH_NONE || other == 0 || slot >= r->slots) return 0;
    if (slot == r->slot) {
        const uint32_t there = item_find(r->items, other);

        if (there == MATCH_NONE || r->items->at[there].split == r->items->at[item].split) return 0;
    }
    return leak_add(r, &(struct leak){ item, r->of[slot], kind, alike, other }, err);
}

/* Pairs that begin in the dataset come in the order of its items; of those that end in it, which come in theirs too,
 * only the ones that begin elsewhere are new. */
static const char pairs_from[] =
    "SELECT a, b, kind, set_similarity, containment_a, containment_b FROM edges WHERE "
    GRAPH_ID_OF("a", "?1") " AND +pass = 'near' AND kind <> 'below' ORDER BY a, b";
static const char pairs_to[] =
    "SELECT a, b, kind, set_similarity, containment_a, containment_b FROM edges WHERE "
    GRAPH_ID_OF("b", "?1") " AND a <= (?1 - 1) * 1000000000000 AND +pass = 'near' AND kind <> 'below' ORDER BY b";

static int pairs_read(struct reading *r, sqlite3 *db, const char *sql, uint64_t number, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)number, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const uint64_t a = graph_number(query, 0), b = graph_number(query, 1);
        const uint32_t kind = edge_kind_of(graph_text(query, 2));
        const double   set = graph_real(query, 3);

        rc = 0;
        if (kind == EDGE_KIND_COUNT) continue;
        rc = side_add(r, a, b, kind, kind == EDGE_CONTAINED ? graph_real(query, 4) : set, err);
        if (rc == 0) rc = side_add(r, b, a, kind, kind == EDGE_CONTAINED ? graph_real(query, 5) : set, err);
    }
    graph_finish(query);
    return rc;
}

static int inside_read(struct reading *r, sqlite3 *db, uint64_t number, const struct leak_names *names,
                       struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT item, dataset, alike FROM " FOUND_INSIDE " WHERE leak AND "
                                     GRAPH_ID_OF("item", "?1"), err);

    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)number, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const uint32_t     item = item_find(r->items, graph_number(query, 0));
        const struct slice dataset = graph_text(query, 1);
        uint32_t           target = 0;

        rc = 0;
        while (target < names->count && !slice_equal(slice_of(names->at[target]), dataset)) target++;
        if (item == MATCH_NONE || target == names->count) continue;
        rc = leak_add(r, &(struct leak){ item, target, LEAK_INSIDE, graph_real(query, 2), 0 }, err);
    }
    graph_finish(query);
    return rc;
}

/* In order, the best of each. */
static int leaks_settle(struct leaks *out, size_t items, struct err *err)
{
    size_t kept = 0;

    if (out->count) qsort(out->at, out->count, sizeof *out->at, leak_compare);
    for (size_t i = 0; i < out->count; i++)
        if (kept == 0 || out->at[kept - 1].item != out->at[i].item || out->at[kept - 1].target != out->at[i].target)
            out->at[kept++] = out->at[i];
    out->count = kept;
    out->first = calloc(items + 1, sizeof *out->first);
    if (!out->first) return err_memory(err, items * sizeof *out->first, "matches");
    for (size_t i = 0; i < kept; i++) out->first[out->at[i].item + 1]++;
    for (size_t i = 0; i < items; i++) out->first[i + 1] += out->first[i];
    return 0;
}

int leaks_read(struct leaks *out, sqlite3 *db, uint64_t number, const struct match_list *items, const uint32_t *of,
               size_t slots, const struct leak_names *names, struct err *err)
{
    struct reading r = { out, items, of, slots, (size_t)number - 1 };
    int            rc;

    *out = (struct leaks){ 0 };
    rc = pairs_read(&r, db, pairs_from, number, err);
    if (rc == 0) rc = pairs_read(&r, db, pairs_to, number, err);
    if (rc == 0) rc = inside_read(&r, db, number, names, err);
    return rc == 0 ? leaks_settle(out, items->count, err) : rc;
}

void leaks_free(struct leaks *leaks)
{
    free(leaks->at);
    free(leaks->first);
    *leaks = (struct leaks){ 0 };
}

/* ---- for people ---- */

static const char document_sql[] =
    "SELECT dataset || '/' || shard || ':' || record || ifnull(' ' || path, '') FROM snippets WHERE id = ?1";
static const char inside_sql[] =
    "SELECT dataset || '/' || ifnull(place, shard || ':' || record), kind FROM " FOUND_INSIDE " WHERE leak AND item "
    "= ?1 AND dataset = ?2 ORDER BY alike DESC, shard, record, line LIMIT 1";

int leak_kind(sqlite3 *db, uint64_t item, const struct leak *leak, const struct leak_names *names, struct bytes *kind,
              struct bytes *match, struct err *err)
{
    const bool    inside = leak->kind == LEAK_INSIDE;
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, inside ? inside_sql : document_sql, err);

    kind->len = match->len = 0;
    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)(inside ? item : leak->other), err);
    if (rc == 0 && inside) rc = graph_bind_text(query, 2, slice_of(names->at[leak->target]), err);
    if (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = bytes_append_slice(match, graph_text(query, 0));
        if (rc == 0)
            rc = bytes_append_slice(kind, inside ? graph_text(query, 1) : slice_of(edge_kind_names[leak->kind]));
        if (rc < 0) rc = err_memory(err, match->len, "a match");
    } else if (rc == 0) rc = bytes_append_slice(kind, slice_of(inside ? "inside" : edge_kind_names[leak->kind])) < 0
        ? err_memory(err, 16, "a match") : 0;
    graph_finish(query);
    return rc;
}
