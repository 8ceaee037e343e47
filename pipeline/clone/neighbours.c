/* clone/neighbours.c -- see neighbours.h. */
#include "clone/neighbours.h"

#include <errno.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* a block's place; its lines as places in again, NONE: the document's end */
struct place { uint32_t block, before, behind; };

enum side { BEFORE, BEHIND };

int clone_neighbours_open(struct clone_neighbours *out, const uint64_t *key, const uint64_t *end, size_t count)
{
    *out = (struct clone_neighbours){ .key = key, .count = count };
    out->end = malloc((count + 1) * sizeof *out->end);
    out->parent = malloc((count + 1) * sizeof *out->parent);
    if (!out->end || !out->parent || count >= NONE) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        uint32_t around = i ? (uint32_t)i - 1 : NONE;

        out->end[i] = end[i];
        while (around != NONE && key[i] >= end[around]) around = out->parent[around];
        out->parent[i] = around;
    }
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
    if (added) return bytes_append(&n->again, &(bool){ false }, sizeof(bool));
    ((bool *)(void *)n->again.at)[*out] = true;
    return 0;
}

/* The last block whose key is at most `key`, or NONE. */
static uint32_t last_before(const struct clone_neighbours *n, uint64_t key)
{
    size_t low = 0, high = n->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (n->key[middle] <= key) low = middle + 1;
        else high = middle;
    }
    return low ? (uint32_t)low - 1 : NONE;
}

int clone_neighbours_add(struct clone_neighbours *n, uint64_t key, uint64_t before, uint64_t behind, bool leading)
{
    for (uint32_t b = last_before(n, key); b != NONE; b = n->parent[b]) {
        struct place place = { .block = b };

        if (key >= n->end[b]) continue;
        if (line_add(n, b, BEFORE, before, &place.before) < 0) return -ENOMEM;
        if (key != n->key[b]) continue;                     /* what follows the block is of the longer one */
        if (line_add(n, b, BEHIND, behind, &place.behind) < 0 ||
            (leading && bytes_append(&n->places, &place, sizeof place) < 0))
            return -ENOMEM;
    }
    return 0;
}

int clone_neighbours_end(struct clone_neighbours *n)
{
    const struct place *place = (const struct place *)(const void *)n->places.at;
    const bool         *again = (const bool *)(const void *)n->again.at;

    n->alone = calloc(n->count + 1, sizeof *n->alone);
    if (!n->alone) return -ENOMEM;
    for (size_t i = 0; i < n->places.len / sizeof *place; i++)
        if ((place[i].before == NONE || !again[place[i].before]) &&
            (place[i].behind == NONE || !again[place[i].behind]))
            n->alone[place[i].block] = true;
    return 0;
}

void clone_neighbours_free(struct clone_neighbours *n)
{
    free(n->end);
    free(n->parent);
    free(n->alone);
    table_free(&n->lines);
    bytes_free(&n->again);
    bytes_free(&n->places);
    *n = (struct clone_neighbours){ 0 };
}
