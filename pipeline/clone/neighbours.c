/* clone/neighbours.c -- see neighbours.h.
 *
 * A line before a place counts for all blocks around it, of which a text that repeats a line has as many as it has
 * lines.  So it is noted at the smallest of them alone.  As the blocks inside a block follow it, what counts for one
 * are the notes of a range of blocks: one of two notes of a line, sorted by block, has the other beside it. */
#include "clone/neighbours.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* a block's place; its lines as places in again, NONE: the document's end */
struct place { uint32_t block, before, behind; };

enum side { BEFORE, BEHIND };

/* a line before places of the block; again: its place there */
struct note { uint64_t line; uint32_t block, again; };

int clone_neighbours_open(struct clone_neighbours *out, const uint64_t *key, const uint64_t *end, size_t count)
{
    uint32_t *around, depth = 0;

    *out = (struct clone_neighbours){ .key = key, .count = count };
    if (count >= NONE / 2) return -ENOMEM;
    out->end = malloc((count + 1) * sizeof *out->end);
    out->border = malloc((2 * count + 1) * sizeof *out->border);
    around = malloc((count + 1) * sizeof *around);
    if (!out->end || !out->border || !around) {
        free(around);
        return -ENOMEM;
    }
    for (size_t i = 0; i <= count; i++) {
        while (depth && (i == count || key[i] >= end[around[depth - 1]])) {
            const uint64_t at = end[around[--depth]];

            out->border[out->borders++] = (struct clone_border){ at, depth ? around[depth - 1] : NONE };
        }
        if (i == count) break;
        out->end[i] = end[i];
        out->border[out->borders++] = (struct clone_border){ key[i], (uint32_t)i };
        around[depth++] = (uint32_t)i;
    }
    free(around);
    return 0;
}

/* One more place of the block has the line at that side. */
static int line_add(struct clone_neighbours *n, uint32_t block, enum side side, uint64_t line, uint32_t *out)
{
    bool added;

    *out = NONE;
    if (!line) return 0;
    *out = table_put(&n->lines, line + block * 0x9e3779b97f4a7c15ull, (uint64_t)block << 1 | side,
                     (uint32_t)n->again.len, &added);
    if (*out == TABLE_NONE) return -ENOMEM;
    if (!added) {
        ((bool *)(void *)n->again.at)[*out] = true;
        return 0;
    }
    if (side == BEFORE && bytes_append(&n->before, &(struct note){ line, block, *out }, sizeof(struct note)) < 0)
        return -ENOMEM;
    return bytes_append(&n->again, &(bool){ false }, sizeof(bool));
}

/* The smallest block around the key, or NONE. */
static uint32_t block_around(const struct clone_neighbours *n, uint64_t key)
{
    const size_t behind = search_u64(n->border, sizeof *n->border, offsetof(struct clone_border, at), 0, n->borders,
                                     key + 1);

    return behind ? n->border[behind - 1].block : NONE;
}

int clone_neighbours_add(struct clone_neighbours *n, uint64_t key, uint64_t before, uint64_t behind, bool leading)
{
    struct place place = { .block = block_around(n, key) };

    if (place.block == NONE) return 0;
    if (line_add(n, place.block, BEFORE, before, &place.before) < 0) return -ENOMEM;
    if (key != n->key[place.block]) return 0;               /* what follows the block is of the longer one */
    if (line_add(n, place.block, BEHIND, behind, &place.behind) < 0) return -ENOMEM;
    return leading ? bytes_append(&n->places, &place, sizeof place) : 0;
}

static int by_line(const void *a, const void *b)
{
    const struct note *x = a, *y = b;

    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* A line before a block that stands before a block inside it too is there again. */
static void inside_find(struct clone_neighbours *n)
{
    struct note *note = (struct note *)(void *)n->before.at;
    bool        *again = (bool *)(void *)n->again.at;
    const size_t count = n->before.len / sizeof *note;

    if (count) qsort(note, count, sizeof *note, by_line);
    for (size_t i = 1; i < count; i++)
        if (note[i].line == note[i - 1].line && n->key[note[i].block] < n->end[note[i - 1].block])
            again[note[i - 1].again] = true;
}

int clone_neighbours_end(struct clone_neighbours *n)
{
    const struct place *place = (const struct place *)(const void *)n->places.at;
    const bool         *again = (const bool *)(const void *)n->again.at;

    n->alone = calloc(n->count + 1, sizeof *n->alone);
    if (!n->alone) return -ENOMEM;
    inside_find(n);
    for (size_t i = 0; i < n->places.len / sizeof *place; i++)
        if ((place[i].before == NONE || !again[place[i].before]) &&
            (place[i].behind == NONE || !again[place[i].behind]))
            n->alone[place[i].block] = true;
    return 0;
}

void clone_neighbours_free(struct clone_neighbours *n)
{
    free(n->end);
    free(n->border);
    free(n->alone);
    table_free(&n->lines);
    bytes_free(&n->again);
    bytes_free(&n->before);
    bytes_free(&n->places);
    *n = (struct clone_neighbours){ 0 };
}
