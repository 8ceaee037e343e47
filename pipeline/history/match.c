/* history/match.c -- see match.h. */
#include "history/match.h"

#include "base/bytes.h"
#include "base/stage.h"
#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t hash_of(uint64_t seed, struct slice text)
{
    const struct unit_key key = unit_key_add((struct unit_key){ seed, 0 }, text.at, text.len);

    return key.low ? key.low : 1;
}

int match_add(struct match_list *list, uint64_t id, const uint64_t text[2], struct slice split, struct slice source_id,
              bool own, struct slice path, struct err *err)
{
    uint64_t of;

    if (list->count == MATCH_NONE - 1)
        return err_set(err, -EOVERFLOW, "a benchmark has 2^32 items or more, which are not compared");
    if (ARRAY_GROW(list->at, list->room, list->count) < 0)
        return err_memory(err, list->count * sizeof *list->at, "items");
    of = hash_of(0, split);
    list->at[list->count++] = (struct match_item){ id, { text[0], text[1] }, of, own ? hash_of(of, source_id) : 0,
                                                   path.len ? hash_of(of, path) : 0, MATCH_NONE, false };
    return 0;
}

void match_free(struct match_list *list)
{
    free(list->at);
    *list = (struct match_list){ 0 };
}

/* ---- items with equal keys ---- */

enum match_by { BY_ALL, BY_TEXT, BY_NAME, BY_PATH };

/* false: the item is not looked for so. */
static bool match_key(const struct match_item *item, enum match_by by, bool names, uint64_t key[2])
{
    const uint64_t name = names ? item->name : 0;

    switch (by) {
    case BY_ALL:
        key[0] = item->text[0] ^ item->split ^ (item->name ? item->name : item->path);
        key[1] = item->text[1];
        return true;
    case BY_TEXT:
        key[0] = item->text[0] ^ item->split;
        key[1] = item->text[1];
        return true;
    case BY_NAME: key[0] = name; key[1] = item->split; return name != 0;
    case BY_PATH: key[0] = item->path; key[1] = item->split; return item->path && !name;
    }
    return false;
}

/* next[i]: the old item behind i with its key; the table has the first of each.  From the last to the first, so that
 * they are taken in their order. */
static int keys_list(const struct match_list *old, enum match_by by, bool names, struct table *table, uint32_t *next,
                     uint32_t *first)
{
    uint32_t keys = 0;

    table_clear(table);
    for (size_t i = old->count; i-- > 0;) {
        uint64_t key[2];
        uint32_t slot;
        bool     added;

        if (old->at[i].peer != MATCH_NONE || !match_key(&old->at[i], by, names, key)) continue;
        slot = table_put(table, key[0], key[1], keys, &added);
        if (slot == TABLE_NONE) return -ENOMEM;
        keys += added;
        next[i] = added ? MATCH_NONE : first[slot];
        first[slot] = (uint32_t)i;
    }
    return 0;
}

/* Pairs what is left of both and has the same key. */
static int match_pairs(struct match_list *old, struct match_list *new, enum match_by by, bool names,
                       struct table *table, uint32_t *next, uint32_t *first)
{
    int rc = keys_list(old, by, names, table, next, first);

    for (size_t j = 0; j < new->count && rc == 0; j++) {
        uint64_t key[2];
        uint32_t slot, i;

        if (new->at[j].peer != MATCH_NONE || !match_key(&new->at[j], by, names, key)) continue;
        slot = table_find(table, key[0], key[1]);
        if (slot == TABLE_NONE || (i = first[slot]) == MATCH_NONE) continue;
        first[slot] = next[i];
        old->at[i].peer = (uint32_t)j;
        new->at[j].peer = i;
        old->at[i].edited = new->at[j].edited = by >= BY_NAME;
    }
    return rc;
}

/* Do own ids stay with their texts? */
static bool names_hold(const struct match_list *old, const struct match_list *new)
{
    size_t same = 0, other = 0;

    for (size_t i = 0; i < old->count; i++) {
        const struct match_item *item = &old->at[i];

        if (item->peer == MATCH_NONE || !item->name) continue;
        if (item->name == new->at[item->peer].name) same++;
        else other++;
    }
    return same >= other;
}

/* ---- items between the same neighbours ---- */

static bool is_nameless(const struct match_item *item, bool names)
{
    return item->peer == MATCH_NONE && !(names && item->name) && !item->path;
}

/* The items old[from, to), which have no peer, are those between the peers of their neighbours, when these are as
 * many. */
static void match_gap(struct match_list *old, struct match_list *new, size_t from, size_t to, bool names)
{
    const size_t start = from ? (size_t)old->at[from - 1].peer + 1 : 0;
    const size_t end = to < old->count ? old->at[to].peer : new->count;

    if (end < start || end - start != to - from) return;
    for (size_t k = 0; k < to - from; k++)
        if (!is_nameless(&old->at[from + k], names) || !is_nameless(&new->at[start + k], names) ||
            old->at[from + k].split != new->at[start + k].split) return;
    for (size_t k = 0; k < to - from; k++) {
        struct match_item *a = &old->at[from + k], *b = &new->at[start + k];

        a->peer = (uint32_t)(start + k);
        b->peer = (uint32_t)(from + k);
        a->edited = b->edited = true;
    }
}

static void match_gaps(struct match_list *old, struct match_list *new, bool names)
{
    for (size_t from = 0; from < old->count; from++) {
        size_t to = from;

        while (to < old->count && old->at[to].peer == MATCH_NONE) to++;
        if (to > from) match_gap(old, new, from, to, names);
        from = to;
    }
}

int match_items(struct match_list *old, struct match_list *new, struct err *err)
{
    uint32_t    *next = malloc((old->count + 1) * sizeof *next), *first = malloc((old->count + 1) * sizeof *first);
    struct table table = { 0 };
    bool         names = true;
    int          rc = next && first ? 0 : -ENOMEM;

    if (rc == 0) rc = match_pairs(old, new, BY_ALL, names, &table, next, first);
    if (rc == 0) rc = match_pairs(old, new, BY_TEXT, names, &table, next, first);
    if (rc == 0) {
        names = names_hold(old, new);
        rc = match_pairs(old, new, BY_NAME, names, &table, next, first);
    }
    if (rc == 0) rc = match_pairs(old, new, BY_PATH, names, &table, next, first);
    if (rc == 0) match_gaps(old, new, names);
    table_free(&table);
    free(next);
    free(first);
    return rc < 0 ? err_memory(err, old->count * sizeof *next, "items") : 0;
}
