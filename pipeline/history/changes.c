/* history/changes.c -- see changes.h. */
#include "history/changes.h"

#include "base/bytes.h"
#include "graph/read.h"
#include "history/items.h"
#include "history/settings_changed.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const item_change_names[ITEM_CHANGES] = {
    [ITEM_LEAKED] = "newly leaked", [ITEM_CLEAN] = "no longer leaked", [ITEM_ADDED] = "added",
    [ITEM_REMOVED] = "removed", [ITEM_EDITED] = "edited", [ITEM_MOVED] = "moved",
};

/* A shard of the same size may have another content.  What a run took, and on how many ranks, is no change. */
const struct change_part history_parts[] = {
    { "gates",
      "SELECT source, '', target, '', gate, column1, iif(column1 = 'outcome', outcome, percent), NULL FROM gates, "
      "(VALUES ('outcome'), ('percent')) GROUP BY 1, 3, 5, 6", false },
    { "documents",
      "SELECT dataset, split, '', '', language, column1, CASE column1 WHEN 'documents' THEN documents WHEN 'rejected' "
      "THEN rejected WHEN 'compared' THEN admitted ELSE bytes END, NULL FROM splits, (VALUES ('documents'), "
      "('compared'), ('rejected'), ('bytes'))", false },
    { "shards",
      "SELECT dataset, split, '', '', shard, column1, iif(column1 = 'bytes', bytes, 'xxh3 ' || xxh3), NULL FROM "
      "shards, (VALUES ('bytes'), ('content')) GROUP BY dataset, split, shard, column1", true },
    { "program",
      "SELECT '', '', '', '', key, 'value', value, NULL FROM run WHERE key IN ('version', 'commit', 'compat')", false },
    { .key = NULL },
};

/* ---- rows ---- */

static int text_keep(struct changes *changes, struct slice *text, struct err *err)
{
    return pool_copy(&changes->pool, text->len ? *text : SLICE(""), text) < 0
        ? err_memory(err, text->len, "what changed") : 0;
}

int changes_add(struct changes *changes, const struct change *row, struct err *err)
{
    struct change to = *row;
    int           rc = ARRAY_GROW(changes->at, changes->room, changes->count) < 0
        ? err_memory(err, sizeof to, "what changed") : text_keep(changes, &to.part, err);

    for (size_t i = 0; i < CHANGE_LABELS && rc == 0; i++) rc = text_keep(changes, &to.label[i], err);
    if (rc == 0) rc = text_keep(changes, &to.measure, err);
    if (rc == 0) rc = text_keep(changes, &to.old, err);
    if (rc == 0) rc = text_keep(changes, &to.new, err);
    if (rc == 0) changes->at[changes->count++] = to;
    return rc;
}

void changes_free(struct changes *changes)
{
    free(changes->at);
    free(changes->item);
    pool_free(&changes->pool);
    *changes = (struct changes){ 0 };
}

/* ---- two queries side by side ---- */

enum { VALUE = CHANGE_LABELS + 1, WHOLE, COLUMNS };         /* the measure stands before the value */

struct cursor { sqlite3_stmt *query; bool there; };
struct merging {
    struct changes           *changes;
    const struct change_part *part;
    uint64_t                  rows;                         /* that differ, kept or not */
    struct bytes              name, other;                  /* room for labels */
};

static int cursor_step(struct cursor *cursor, struct err *err)
{
    int rc = graph_step(cursor->query, err);

    cursor->there = rc == 1;
    return rc < 0 ? rc : 0;
}

static int cursor_open(struct cursor *cursor, const struct change_part *part, sqlite3 *db, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc = bytes_printf(&sql, "SELECT * FROM (%s) ORDER BY 1, 2, 3, 4, 5, 6", part->sql) < 0
        ? err_memory(err, strlen(part->sql), "a query") : graph_prepare(db, &cursor->query, sql.at, err);

    bytes_free(&sql);
    if (rc == 0) assert(sqlite3_column_count(cursor->query) == COLUMNS);
    return rc < 0 ? rc : cursor_step(cursor, err);
}

/* By the labels and, unless there are only `labels`, what is measured.  What is not there comes last. */
static int cursor_compare(const struct cursor *a, const struct cursor *b, int labels)
{
    if (!a->there || !b->there) return (int)b->there - (int)a->there;
    for (int i = 0; i < labels; i++) {
        int order = slice_compare(graph_text(a->query, i), graph_text(b->query, i));

        if (order) return order;
    }
    return 0;
}

static int64_t cursor_whole(const struct cursor *cursor)
{
    const bool none = sqlite3_column_type(cursor->query, WHOLE) == SQLITE_NULL;

    return none ? -1 : (int64_t)graph_number(cursor->query, WHOLE);
}

/* The row of one, or of both, while there is room; nothing where they agree: none of more is none. */
static int cursors_add(struct merging *m, const struct cursor *old, const struct cursor *new, struct err *err)
{
    const struct cursor *of = new ? new : old;
    struct change        row = { .part = slice_of(m->part->key), .measure = graph_text(of->query, CHANGE_LABELS),
                                 .old_whole = old ? cursor_whole(old) : -1, .new_whole = new ? cursor_whole(new) : -1 };

    if (old) row.old = graph_text(old->query, VALUE);
    if (new) row.new = graph_text(new->query, VALUE);
    if (slice_equal(row.old, row.new) && (row.old_whole == row.new_whole || !row.old.len ||
                                          slice_equal(row.old, SLICE("0")))) return 0;
    for (int i = 0; i < CHANGE_LABELS; i++) row.label[i] = graph_text(of->query, i);
    return m->rows++ < m->changes->most ? changes_add(m->changes, &row, err) : 0;
}

/* The labels of the row that it is at, as one text. */
static int labels_join(const struct cursor *cursor, struct bytes *out, struct err *err)
{
    int rc = 0;

    out->len = 0;
    for (int i = 0; i < CHANGE_LABELS && rc == 0; i++) {
        rc = bytes_append_slice(out, graph_text(cursor->query, i));
        if (rc == 0) rc = bytes_append(out, "", 1);
    }
    return rc < 0 ? err_memory(err, out->len, "a name") : 0;
}

/* Moves past the other measures of a name that is one row. */
static int cursor_pass(struct merging *m, struct cursor *cursor, struct err *err)
{
    int rc = labels_join(cursor, &m->name, err);

    if (rc == 0) rc = cursor_step(cursor, err);
    while (rc == 0 && cursor->there && (rc = labels_join(cursor, &m->other, err)) == 0 &&
           slice_equal(bytes_slice(&m->name), bytes_slice(&m->other))) rc = cursor_step(cursor, err);
    return rc;
}

/* A row that only one has. */
static int cursor_alone(struct merging *m, struct cursor *old, struct cursor *new, struct err *err)
{
    struct cursor *of = old ? old : new;
    int            rc = cursors_add(m, old, new, err);

    if (rc < 0) return rc;
    return m->part->whole ? cursor_pass(m, of, err) : cursor_step(of, err);
}

/* A row about the rows of the part. */
static int count_add(struct merging *m, const char *measure, uint64_t old, uint64_t new, struct err *err)
{
    const struct slice none = SLICE("");
    char               text[2][24] = { "", "" };

    if (old) snprintf(text[0], sizeof text[0], "%llu", (unsigned long long)old);
    if (new) snprintf(text[1], sizeof text[1], "%llu", (unsigned long long)new);
    return changes_add(m->changes, &(struct change){ .part = slice_of(m->part->key), .measure = slice_of(measure),
                                                     .label = { none, none, none, none, none },
                                                     .old = slice_of(text[0]), .new = slice_of(text[1]),
                                                     .old_whole = -1, .new_whole = -1 }, err);
}

/* One of them has no row at all: it was not asked, or found nothing, which a long list would not tell better. */
static int merge_one_sided(struct merging *m, struct cursor *there, bool is_new, struct err *err)
{
    uint64_t rows = 0;
    int      rc = 0;

    for (; rc == 0 && there->there; rows++) rc = cursor_step(there, err);
    return rc < 0 ? rc : count_add(m, HISTORY_ROWS, is_new ? 0 : rows, is_new ? rows : 0, err);
}

static int merge_both(struct merging *m, struct cursor *old, struct cursor *new, struct err *err)
{
    int rc = 0;

    while (rc == 0 && (old->there || new->there)) {
        const int labels = cursor_compare(old, new, CHANGE_LABELS);
        const int order = labels ? labels : cursor_compare(old, new, CHANGE_LABELS + 1);

        if (labels) rc = cursor_alone(m, order < 0 ? old : NULL, order < 0 ? NULL : new, err);
        else {
            rc = cursors_add(m, order <= 0 ? old : NULL, order >= 0 ? new : NULL, err);
            if (rc == 0 && order <= 0) rc = cursor_step(old, err);
            if (rc == 0 && order >= 0) rc = cursor_step(new, err);
        }
    }
    return rc;
}

int changes_merge(struct changes *changes, const struct change_part *part, sqlite3 *old, sqlite3 *new, struct err *err)
{
    struct merging m = { .changes = changes, .part = part };
    struct cursor  side[2] = { { 0 }, { 0 } };
    int            rc = cursor_open(&side[0], part, old, err);

    if (rc == 0) rc = cursor_open(&side[1], part, new, err);
    if (rc == 0 && side[0].there != side[1].there)
        rc = merge_one_sided(&m, &side[side[1].there], side[1].there, err);
    else if (rc == 0) rc = merge_both(&m, &side[0], &side[1], err);
    if (rc == 0 && m.rows > changes->most) rc = count_add(&m, HISTORY_MORE, 0, m.rows - changes->most, err);
    for (int i = 0; i < 2; i++) graph_finish(side[i].query);
    bytes_free(&m.name);
    bytes_free(&m.other);
    return rc;
}

/* ---- everything ---- */

int changes_find(struct changes *changes, const struct change_part *const *parts, sqlite3 *old, sqlite3 *new,
                 struct err *err)
{
    int rc = items_changed(changes, old, new, err);

    for (; *parts && rc == 0; parts++)
        for (const struct change_part *part = *parts; part->key && rc == 0; part++)
            rc = changes_merge(changes, part, old, new, err);
    for (const struct change_part *part = history_parts; part->key && rc == 0; part++)
        rc = changes_merge(changes, part, old, new, err);
    return rc == 0 ? settings_changed(changes, old, new, err) : rc;
}
