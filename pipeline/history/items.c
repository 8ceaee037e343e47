/* history/items.c -- see items.h. */
#include "history/items.h"

#include "graph/item_pairs.h"
#include "graph/read.h"
#include "history/leaks.h"
#include "history/match.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run as it is looked at. */
struct side {
    sqlite3          *db;
    char            **name;                                 /* of its datasets, in their order, owned */
    bool             *benchmark;
    uint32_t         *of;                                   /* their numbers in the names of both */
    size_t            slots;
    bool              near, clones, aside;                  /* these ran; pairs of pass near are in a file */
    struct match_list items;                                /* of the benchmark that is compared */
    struct leaks      leaks;
};

struct comparing {
    struct changes *changes;
    struct side     side[2];                                /* old, new */
    const char    **name;                                   /* of both */
    size_t          names;
    uint64_t       *count;                                  /* [names][ITEM_CHANGES] of the benchmark */
    uint64_t        new_leaks, kept[ITEM_CHANGES];          /* of all */
    struct bytes    kind[2], match[2];
};

/* ---- the runs ---- */

static int side_open(struct side *side, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query = NULL;
    uint64_t      room = 0;
    int           rc = graph_count(db, "SELECT count(*) FROM datasets", &room, err);

    *side = (struct side){ .db = db };
    if (rc == 0) rc = graph_run_says(db, "near.view", &side->near, err);
    if (rc == 0) rc = graph_run_says(db, "clone_types.types", &side->clones, err);
    if (rc == 0) rc = graph_run_says(db, "edges_file", &side->aside, err);
    side->name = calloc(room + 1, sizeof *side->name);
    side->benchmark = calloc(room + 1, sizeof *side->benchmark);
    side->of = calloc(room + 1, sizeof *side->of);
    if (rc == 0 && (!side->name || !side->benchmark || !side->of))
        rc = err_memory(err, room * sizeof *side->name, "datasets");
    if (rc == 0) rc = graph_prepare(db, &query, "SELECT id, role FROM datasets ORDER BY rowid", err);
    while (rc == 0 && side->slots < room && (rc = graph_step(query, err)) == 1) {
        const struct slice name = graph_text(query, 0);

        side->benchmark[side->slots] = slice_equal(graph_text(query, 1), SLICE("benchmark"));
        side->name[side->slots] = strndup(name.at, name.len);
        rc = side->name[side->slots++] ? 0 : err_memory(err, name.len, "datasets");
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

static void side_close(struct side *side)
{
    for (size_t i = 0; i < side->slots; i++) free(side->name[i]);
    free(side->name);
    free(side->benchmark);
    free(side->of);
}

static size_t slot_of(const struct side *side, const char *name)
{
    size_t slot = 0;

    while (slot < side->slots && strcmp(side->name[slot], name) != 0) slot++;
    return slot;
}

static int names_join(struct comparing *c, struct err *err)
{
    struct side *old = &c->side[0], *new = &c->side[1];

    c->name = calloc(old->slots + new->slots + 1, sizeof *c->name);
    if (!c->name) return err_memory(err, (old->slots + new->slots) * sizeof *c->name, "datasets");
    for (size_t i = 0; i < new->slots; i++) {
        new->of[i] = (uint32_t)c->names;
        c->name[c->names++] = new->name[i];
    }
    for (size_t i = 0; i < old->slots; i++) {
        const size_t there = slot_of(new, old->name[i]);

        old->of[i] = (uint32_t)(there < new->slots ? there : c->names);
        if (there == new->slots) c->name[c->names++] = old->name[i];
    }
    c->count = calloc(c->names + 1, ITEM_CHANGES * sizeof *c->count);
    return c->count ? 0 : err_memory(err, c->names * ITEM_CHANGES * sizeof *c->count, "datasets");
}

/* ---- a benchmark's items ---- */

/* A file from anywhere may say anything: what are no digits counts for nothing, and matches nothing well. */
static void hex_read(struct slice text, uint64_t out[2])
{
    out[0] = out[1] = 0;
    for (size_t i = 0; i < text.len && i < 32; i++) {
        const char     digit = text.at[i];
        const uint64_t value = digit >= 'a' ? (uint64_t)(digit - 'a' + 10) : (uint64_t)(digit - '0');

        out[i < 16] = out[i < 16] << 4 | (value & 15);
    }
}

static int items_read(struct side *side, const char *name, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(side->db, &query,
                                     "SELECT id, xxh128, split_within_dataset, source_id, path, ifnull(source_id, '') "
                                     "NOT IN ('', shard || ':' || record) FROM snippets WHERE dataset = ?1 ORDER BY "
                                     "id_within_dataset", err);

    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(name), err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        uint64_t text[2];

        hex_read(graph_text(query, 1), text);
        rc = match_add(&side->items, graph_number(query, 0), text, graph_text(query, 2), graph_text(query, 3),
                       graph_number(query, 5) != 0, graph_text(query, 4), err);
    }
    graph_finish(query);
    return rc;
}

/* ---- what is told of one ---- */

static int keep(struct comparing *c, struct slice *text, struct err *err)
{
    return pool_copy(&c->changes->pool, text->len ? *text : SLICE(""), text) < 0
        ? err_memory(err, text->len, "what changed") : 0;
}

static int match_tell(struct comparing *c, int s, uint32_t item, const struct leak *leak, struct item_match *out,
                      struct err *err)
{
    const struct leak_names names = { c->name, c->names };
    int                     rc;

    *out = (struct item_match){ SLICE(""), -1, SLICE("") };
    if (!leak) return 0;
    rc = leak_kind(c->side[s].db, c->side[s].items.at[item].id, leak, &names, &c->kind[s], &c->match[s], err);
    out->kind = bytes_slice(&c->kind[s]);
    out->match = bytes_slice(&c->match[s]);
    out->alike = leak->alike;
    if (rc == 0) rc = keep(c, &out->kind, err);
    return rc == 0 ? keep(c, &out->match, err) : rc;
}

static int item_tell(struct comparing *c, const struct side *side, uint64_t id, struct changed_item *out,
                     struct err *err)
{
    struct slice *to[] = { &out->dataset, &out->split, &out->source_id, &out->path };
    sqlite3_stmt *query;
    int           rc = graph_prepare(side->db, &query, "SELECT dataset, split_within_dataset, ifnull(source_id, shard "
                                     "|| ':' || record), path FROM snippets WHERE id = ?1", err);

    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)id, err);
    if (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        for (int i = 0; i < 4 && rc == 0; i++) {
            *to[i] = graph_text(query, i);
            rc = keep(c, to[i], err);
        }
    }
    graph_finish(query);
    return rc;
}

/* Items are named as the newer run has them.  The dataset's own name as a target: another split of it. */
static int change_tell(struct comparing *c, enum item_change change, const struct leak *old, uint32_t old_item,
                       const struct leak *new, uint32_t new_item, struct err *err)
{
    struct changes     *changes = c->changes;
    const bool          is_new = new_item != MATCH_NONE;
    const struct side  *side = &c->side[is_new];
    struct changed_item row = { .change = slice_of(item_change_names[change]),
                                .target = slice_of(c->name[(new ? new : old)->target]) };
    int                 rc;

    c->count[(new ? new : old)->target * ITEM_CHANGES + change]++;
    if (c->kept[change]++ >= changes->most) return 0;
    if (ARRAY_GROW(changes->item, changes->item_room, changes->item_count) < 0)
        return err_memory(err, changes->item_count * sizeof row, "what changed");
    rc = item_tell(c, side, side->items.at[is_new ? new_item : old_item].id, &row, err);
    if (rc == 0) rc = keep(c, &row.target, err);
    if (rc == 0) rc = match_tell(c, 0, old_item, old, &row.old, err);
    if (rc == 0) rc = match_tell(c, 1, new_item, new, &row.new, err);
    if (rc == 0) changes->item[changes->item_count++] = row;
    return rc;
}

static bool is_moved(const struct leak *old, const struct leak *new)
{
    return old->kind != new->kind || fabs(old->alike - new->alike) > 1e-9;
}

/* One dataset that an item is found in, in either run or in both. *newly: it leaks where it did not. */
static int leak_differs(struct comparing *c, const struct leak *old, uint32_t old_item, const struct leak *new,
                        uint32_t new_item, bool edited, bool *newly, struct err *err)
{
    enum item_change change;

    if (old_item == MATCH_NONE) change = ITEM_ADDED;
    else if (new_item == MATCH_NONE) change = ITEM_REMOVED;
    else if (edited) change = ITEM_EDITED;
    else if (!old) change = ITEM_LEAKED;
    else if (!new) change = ITEM_CLEAN;
    else if (is_moved(old, new)) change = ITEM_MOVED;
    else return 0;
    *newly |= !old;
    return change_tell(c, change, old, old_item, new, new_item, err);
}

/* An item of one run or both. */
static int item_differs(struct comparing *c, uint32_t old_item, uint32_t new_item, bool edited, struct err *err)
{
    const struct leaks *old = &c->side[0].leaks, *new = &c->side[1].leaks;
    size_t              i = old_item == MATCH_NONE ? 0 : old->first[old_item];
    size_t              j = new_item == MATCH_NONE ? 0 : new->first[new_item];
    const size_t        i_end = old_item == MATCH_NONE ? 0 : old->first[old_item + 1];
    const size_t        j_end = new_item == MATCH_NONE ? 0 : new->first[new_item + 1];
    bool                newly = false;
    int                 rc = 0;

    while (rc == 0 && (i < i_end || j < j_end)) {
        const bool left = i < i_end && (j == j_end || old->at[i].target <= new->at[j].target);
        const bool right = j < j_end && (i == i_end || new->at[j].target <= old->at[i].target);

        rc = leak_differs(c, left ? &old->at[i] : NULL, old_item, right ? &new->at[j] : NULL, new_item, edited, &newly,
                          err);
        i += left;
        j += right;
    }
    c->new_leaks += newly;
    return rc;
}

/* ---- a benchmark ---- */

static int number_tell(struct comparing *c, const char *dataset, const char *target, const char *measure,
                       uint64_t number, struct err *err)
{
    const struct slice none = SLICE("");
    char               text[24];

    if (!number) return 0;
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return changes_add(c->changes, &(struct change){ .part = SLICE(HISTORY_ITEMS), .measure = slice_of(measure),
                                                     .label = { slice_of(dataset), none, slice_of(target), none, none },
                                                     .old = none, .new = slice_of(text), .old_whole = -1,
                                                     .new_whole = -1 }, err);
}

/* How many are the same, edited, added and removed, whether they leak or not; and the leaks by dataset. */
static int counts_tell(struct comparing *c, const char *name, struct err *err)
{
    const struct match_list *new = &c->side[1].items, *old = &c->side[0].items;
    uint64_t                 edited = 0, added = 0, removed = 0;
    int                      rc;

    for (size_t j = 0; j < new->count; j++) {
        edited += new->at[j].edited;
        added += new->at[j].peer == MATCH_NONE;
    }
    for (size_t i = 0; i < old->count; i++) removed += old->at[i].peer == MATCH_NONE;
    rc = number_tell(c, name, "", item_change_names[ITEM_ADDED], added, err);
    if (rc == 0) rc = number_tell(c, name, "", item_change_names[ITEM_REMOVED], removed, err);
    if (rc == 0) rc = number_tell(c, name, "", item_change_names[ITEM_EDITED], edited, err);
    for (size_t t = 0; t < c->names && rc == 0; t++)
        for (int k = 0; k < ITEM_CHANGES && rc == 0; k++)
            rc = number_tell(c, name, c->name[t], item_change_names[k], c->count[t * ITEM_CHANGES + (size_t)k], err);
    return rc;
}

static int benchmark_compare(struct comparing *c, const char *name, size_t old_slot, size_t new_slot, struct err *err)
{
    const struct leak_names names = { c->name, c->names };
    const size_t            slot[2] = { old_slot, new_slot };
    struct match_list      *new = &c->side[1].items, *old = &c->side[0].items;
    int                     rc = 0;

    memset(c->count, 0, c->names * ITEM_CHANGES * sizeof *c->count);
    for (int s = 0; s < 2 && rc == 0; s++) rc = items_read(&c->side[s], name, err);
    if (rc == 0) rc = match_items(old, new, err);
    for (int s = 0; s < 2 && rc == 0; s++)
        rc = leaks_read(&c->side[s].leaks, c->side[s].db, slot[s] + 1, &c->side[s].items, c->side[s].of,
                        c->side[s].slots, &names, err);
    for (size_t j = 0; j < new->count && rc == 0; j++)
        rc = item_differs(c, new->at[j].peer, (uint32_t)j, new->at[j].edited, err);
    for (size_t i = 0; i < old->count && rc == 0; i++)
        if (old->at[i].peer == MATCH_NONE) rc = item_differs(c, (uint32_t)i, MATCH_NONE, false, err);
    if (rc == 0) rc = counts_tell(c, name, err);
    for (int s = 0; s < 2; s++) {
        match_free(&c->side[s].items);
        leaks_free(&c->side[s].leaks);
    }
    return rc;
}

/* An item that is found by a pair alone that was left out would be clean: in another dataset, or split of its own. */
static const char lost_sql[] =
    "SELECT EXISTS (SELECT 1 FROM overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = "
    "o.target WHERE o.source = ?1 AND o.target <> ?1 AND o.split = '' AND o.target_split = '' AND o.language = '' AND "
    GRAPH_ITEMS_LOST(GRAPH_BETWEEN_DATASETS) ") OR EXISTS (SELECT 1 FROM overlap AS o JOIN datasets AS s ON s.id = "
    "o.source JOIN datasets AS t ON t.id = o.target WHERE o.source = ?1 AND o.target = ?1 AND o.language = '' AND "
    GRAPH_ITEMS_LOST(GRAPH_BETWEEN_SPLITS) ")";

#define LACKS_PAIRS(run) \
    "graph.db of the " run " run does not keep all pairs; near_duplicates.pairs: all and a larger max_matches do"

static int pairs_lost(const struct side *side, const char *name, bool *lost, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(side->db, &query, lost_sql, err);

    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(name), err);
    if (rc == 0) rc = graph_step(query, err);
    *lost = rc == 1 && graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Beside pass near, whose parts are functions and passages, clones alone say what is found inside documents. */
static const char *sides_lack(const struct side *old, const struct side *new)
{
    const bool near = old->near || new->near;
    const bool then = near ? old->near : old->clones, now = near ? new->near : new->clones;

    if (then != now) return then ? "only the old run looked for pairs" : "only the new run looked for pairs";
    return then ? NULL : "neither run looked for pairs";
}

/* *why: its items cannot be compared; NULL: they can. */
static int benchmark_lacks(const struct comparing *c, const char *name, size_t old_slot, const char **why,
                           struct err *err)
{
    const struct side *old = &c->side[0], *new = &c->side[1];
    bool               lost = false;
    int                rc = 0;

    *why = NULL;
    if (old_slot == old->slots || !old->benchmark[old_slot]) *why = "only the new run has it as a benchmark";
    else if (old->aside) *why = "the pairs of the old run are in a file beside its graph.db";
    else if (new->aside) *why = "the pairs of the new run are in a file beside its graph.db";
    else *why = sides_lack(old, new);
    for (int s = 0; s < 2 && rc == 0 && !*why; s++) {
        rc = pairs_lost(&c->side[s], name, &lost, err);
        if (lost) *why = s ? LACKS_PAIRS("new") : LACKS_PAIRS("old");
    }
    return rc;
}

static int lack_tell(struct comparing *c, const char *name, const char *why, struct err *err)
{
    const struct slice none = SLICE("");

    return changes_add(c->changes, &(struct change){ .part = SLICE(HISTORY_ITEMS),
                                                     .measure = SLICE(ITEMS_NOT_COMPARED),
                                                     .label = { slice_of(name), none, none, none, none }, .old = none,
                                                     .new = slice_of(why), .old_whole = -1, .new_whole = -1 }, err);
}

static int benchmarks_compare(struct comparing *c, struct err *err)
{
    const struct side *old = &c->side[0], *new = &c->side[1];
    int                rc = 0;

    for (size_t d = 0; d < new->slots && rc == 0; d++) {
        const size_t there = slot_of(old, new->name[d]);
        const char  *why;

        if (!new->benchmark[d]) continue;
        rc = benchmark_lacks(c, new->name[d], there, &why, err);
        if (rc == 0 && why) rc = lack_tell(c, new->name[d], why, err);
        else if (rc == 0) rc = benchmark_compare(c, new->name[d], there, d, err);
    }
    for (size_t d = 0; d < old->slots && rc == 0; d++) {
        const size_t there = slot_of(new, old->name[d]);

        if (old->benchmark[d] && (there == new->slots || !new->benchmark[there]))
            rc = lack_tell(c, old->name[d], "only the old run has it as a benchmark", err);
    }
    return rc < 0 ? rc : number_tell(c, "", "", ITEMS_NEW_LEAKS, c->new_leaks, err);
}

int items_changed(struct changes *changes, sqlite3 *old, sqlite3 *new, struct err *err)
{
    struct comparing c = { .changes = changes };
    int              rc = side_open(&c.side[0], old, err);

    if (rc == 0) rc = side_open(&c.side[1], new, err);
    if (rc == 0) rc = names_join(&c, err);
    if (rc == 0) rc = benchmarks_compare(&c, err);
    for (int s = 0; s < 2; s++) {
        side_close(&c.side[s]);
        bytes_free(&c.kind[s]);
        bytes_free(&c.match[s]);
    }
    free(c.name);
    free(c.count);
    return rc;
}
