/* clonetype/names.c -- see names.h. */
#include "clonetype/names.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A window is a number: of each name, four bits, how far before it an equal one is in the window; 0: none is. */
enum { DISTANCE_BITS = 4, DISTANCE = (1 << DISTANCE_BITS) - 1, FILTER_WORDS_BITS = 12, CHECKED_MOST = 64 };
#define WINDOW_MASK ((UINT64_C(1) << DISTANCE_BITS * NAMES_WINDOW) - 1)
_Static_assert((int)NAMES_WINDOW <= (int)DISTANCE && (int)DISTANCE_BITS * ((int)NAMES_WINDOW + 1) <= 64, "64 bits");
_Static_assert((int)NAMES_WINDOW == (int)REPEAT_REACH + 1, "what the kernel looks back");

/* next: of the same anchor; PATTERN_NONE: none.  again, first: a name outside the anchor that is equal to one before
 * it, and that one; the first name twice where there is none.  Nearly all places fail there. */
struct name_pattern { uint32_t count, anchor, next, again, first; size_t first_at; struct content_hash inside; };
enum { PATTERN_NONE = UINT32_MAX };

static const uint32_t *pattern_first(const struct names *names, const struct name_pattern *pattern)
{
    return (const uint32_t *)(const void *)names->first.at + pattern->first_at;
}

static uint64_t window_hash(uint64_t window) { return window * UINT64_C(0x9e3779b97f4a7c15); }
static size_t   filter_word(uint64_t hash) { return hash >> (64 - FILTER_WORDS_BITS); }

/* Two bits of that word, by the bits of the hash that follow. */
static uint64_t filter_first(uint64_t hash)  { return hash >> (58 - FILTER_WORDS_BITS) & 63; }
static uint64_t filter_second(uint64_t hash) { return hash >> (52 - FILTER_WORDS_BITS) & 63; }

/* One byte a name: as in a window, and what stands behind it. */
typedef int8_t distances __attribute__((vector_size(16)));
_Static_assert(sizeof(distances) >= NAMES_WINDOW && NAMES_WINDOW <= 8 + 4, "names of a key");

/* A window by the distances of its names, of which those that reach to before it are none: another number than above,
 * which takes few steps and tells windows apart as well.  16 bytes at `back` are readable. */
static inline uint64_t window_key(const uint8_t *back)
{
    static const distances reach = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1 };
    distances              distance;
    uint64_t               half[2];

    memcpy(&distance, back, sizeof distance);
    distance &= distance <= reach;
    memcpy(half, &distance, sizeof half);
    return half[0] | half[1] << DISTANCE_BITS;
}

static uint64_t key_of_window(uint64_t window)
{
    uint8_t back[sizeof(distances)] = { 0 };

    for (unsigned n = NAMES_WINDOW; n-- > 0; window >>= DISTANCE_BITS) back[n] = window & DISTANCE;
    return window_key(back);
}

/* The window of a pattern that ends with name i, from the one that ends before it. */
static uint64_t window_next(const uint32_t *first, size_t i, uint64_t window)
{
    size_t distance = 1, ahead = 1;

    window = window << DISTANCE_BITS & WINDOW_MASK;
    if (first[i] != i) {
        while (distance < NAMES_WINDOW && first[i - distance] != first[i]) distance++;
        if (distance < NAMES_WINDOW) window |= distance;
    }
    if (i < NAMES_WINDOW) return window;
    /* the name that has left is before none of the window */
    while (ahead < NAMES_WINDOW && first[i - NAMES_WINDOW + ahead] != first[i - NAMES_WINDOW]) ahead++;
    return ahead == NAMES_WINDOW ? window : window & ~((uint64_t)DISTANCE << DISTANCE_BITS * (NAMES_WINDOW - ahead));
}

int names_add(struct names *names, const uint32_t *first, size_t count, struct content_hash inside)
{
    bool added;

    /* the last name is not inside, but which of the names before it is equal to it tells two patterns apart */
    if (table_put(&names->known, inside.low, inside.high ^ first[count - 1], 0, &added) == TABLE_NONE) return -ENOMEM;
    if (!added) return 0;
    if (ARRAY_GROW(names->at, names->room, names->count) < 0) return -ENOMEM;
    names->at[names->count++] = (struct name_pattern){ .first_at = names->first.len / sizeof *first, .inside = inside,
                                                       .count = (uint32_t)count, .next = PATTERN_NONE };
    return bytes_append(&names->first, first, count * sizeof *first);
}

/* What the windows of all patterns are like: how often each is there, and what a distance tells, in bits: the rarer it
 * is among them, the more. */
struct windows { struct table place; uint32_t *times; size_t room; double bits[DISTANCE + 1]; };

static int windows_count(const struct names *names, struct windows *windows)
{
    uint64_t has[DISTANCE + 1] = { 0 }, all = 1;

    for (size_t p = 0; p < names->count; p++) {
        uint64_t window = 0;

        for (size_t i = 0; i < names->at[p].count; i++) {
            bool     added;
            uint32_t w;

            window = window_next(pattern_first(names, &names->at[p]), i, window);
            if (i + 1 < NAMES_WINDOW) continue;
            w = table_put(&windows->place, window, 0, (uint32_t)windows->place.count, &added);
            if (w == TABLE_NONE || ARRAY_GROW(windows->times, windows->room, w) < 0) return -ENOMEM;
            if (added) windows->times[w] = 0;
            windows->times[w]++;
            for (unsigned n = 0; n < NAMES_WINDOW; n++, all++) has[window >> n * DISTANCE_BITS & DISTANCE]++;
        }
    }
    for (size_t d = 0; d <= DISTANCE; d++) windows->bits[d] = log2((double)all / (double)(has[d] + 1));
    return 0;
}

/* The rarest window of a pattern; of equally rare ones that which tells the most. */
static uint64_t anchor_choose(const struct names *names, struct name_pattern *pattern, const struct windows *windows)
{
    uint64_t best = 0, window = 0;
    uint32_t rarest = UINT32_MAX;
    double   most = -1;

    for (uint32_t i = 0; i < pattern->count; i++) {
        uint32_t times;
        double   told = 0;

        window = window_next(pattern_first(names, pattern), i, window);
        if (i + 1 < NAMES_WINDOW) continue;
        times = windows->times[table_find(&windows->place, window, 0)];
        for (unsigned n = 0; n < NAMES_WINDOW; n++) told += windows->bits[window >> n * DISTANCE_BITS & DISTANCE];
        if (times > rarest || (times == rarest && told <= most)) continue;
        pattern->anchor = i + 1 - NAMES_WINDOW;
        best = window;
        rarest = times;
        most = told;
    }
    return best;
}

/* The last one after the anchor, or the first one before it. */
static void again_choose(const struct names *names, struct name_pattern *pattern)
{
    const uint32_t *first = pattern_first(names, pattern);

    for (uint32_t i = 0; i < pattern->count; i++) {
        const bool before = i < pattern->anchor, inside = !before && i < pattern->anchor + NAMES_WINDOW;

        if (first[i] == i || (inside && first[i] >= pattern->anchor)) continue;
        pattern->again = i;
        pattern->first = first[i];
        if (before) i = pattern->anchor - 1;
    }
}

int names_finish(struct names *names)
{
    struct windows windows = { .room = 0 };
    int            rc = windows_count(names, &windows);

    names->filter = calloc(1 << FILTER_WORDS_BITS, sizeof *names->filter);
    if (!names->filter) rc = -ENOMEM;
    for (size_t p = 0; p < names->count && rc == 0; p++) {
        const uint64_t anchor = key_of_window(anchor_choose(names, &names->at[p], &windows));
        const uint64_t hash = window_hash(anchor);
        bool           added;
        const uint32_t head = table_put(&names->anchor, anchor, 0, (uint32_t)p, &added);

        if (head == TABLE_NONE) rc = -ENOMEM;
        else if (!added) {
            names->at[p].next = names->at[head].next;
            names->at[head].next = (uint32_t)p;
        }
        again_choose(names, &names->at[p]);
        names->filter[filter_word(hash)] |= UINT64_C(1) << filter_first(hash) | UINT64_C(1) << filter_second(hash);
    }
    table_free(&windows.place);
    free(windows.times);
    return rc;
}

/* What grows has up to twice as much as is in it, and tables are between a quarter and half full. */
uint64_t names_need(const struct names *names)
{
    const uint64_t pattern = 2 * sizeof(struct name_pattern) + 2 * 4 * sizeof(struct table_slot),
                   window = 4 * sizeof(struct table_slot) + 2 * sizeof(uint32_t);

    return 2 * names->first.len + names->count * pattern + names->first.len / sizeof(uint32_t) * window;
}

void names_free(struct names *names)
{
    free(names->at);
    free(names->filter);
    bytes_free(&names->first);
    table_free(&names->known);
    table_free(&names->anchor);
    *names = (struct names){ 0 };
}

/* Are the names equal to each other where the pattern's are, with its anchor at `from`?  So many are looked at. */
static bool pattern_may(const struct names *names, const struct name_pattern *pattern, struct feature_list of,
                        size_t from)
{
    const uint32_t *first = pattern_first(names, pattern);
    const uint64_t *name;
    unsigned        looked = 0;

    if (from < pattern->anchor || of.count - (from - pattern->anchor) < pattern->count) return false;
    name = of.hash + (from - pattern->anchor);
    if (name[pattern->again] != name[pattern->first]) return false;
    for (uint32_t i = 0; i < pattern->count && looked < CHECKED_MOST; i++) {
        if (first[i] == i) continue;
        if (name[i] != name[first[i]]) return false;
        looked++;
    }
    for (uint32_t i = 1; i < pattern->count && i < CHECKED_MOST; i++)
        for (uint32_t k = 0; first[i] == i && k < i; k++)
            if (name[k] == name[i]) return false;
    return true;
}

/* Adds what has its anchor at `from`.  0 or -ENOMEM. */
static int anchor_look(const struct names *names, struct names_asker *asker, uint64_t key, struct feature_list of,
                       size_t from)
{
    uint32_t p = table_find(&names->anchor, key, 0);

    for (; p != PATTERN_NONE && !asker->many; p = names->at[p].next) {
        const struct name_pattern *pattern = &names->at[p];

        if (!pattern_may(names, pattern, of, from)) continue;
        asker->many = asker->count == NAMES_PLACES;
        if (asker->many) break;
        if (ARRAY_GROW(asker->place, asker->room, asker->count) < 0) return -ENOMEM;
        asker->place[asker->count++] = (struct names_place){ from - pattern->anchor, pattern->count, pattern->inside };
    }
    return 0;
}

static int back_fill(struct names_asker *asker, struct feature_list of)
{
    if (of.count > asker->back_room) {
        free(asker->back);
        asker->back = malloc(2 * of.count + sizeof(distances));
        asker->back_room = asker->back ? 2 * of.count : 0;
        if (!asker->back) return -ENOMEM;
    }
    kernels->repeat(asker->back, of.hash, of.count);
    memset(asker->back + of.count, 0, sizeof(distances));
    return 0;
}

int names_ask(const struct names *names, struct names_asker *asker, struct feature_list of)
{
    int rc = 0;

    asker->count = 0;
    asker->many = false;
    if (!names->count || of.count < NAMES_WINDOW) return 0;
    if (back_fill(asker, of) < 0) return -ENOMEM;
    for (size_t i = 0; i + NAMES_WINDOW <= of.count && rc == 0 && !asker->many; i++) {
        const uint64_t key = window_key(asker->back + i), hash = window_hash(key);
        const uint64_t word = names->filter[filter_word(hash)];

        if (word >> filter_first(hash) & 1 && word >> filter_second(hash) & 1)
            rc = anchor_look(names, asker, key, of, i);
    }
    return rc;
}

void names_asker_free(struct names_asker *asker)
{
    free(asker->place);
    free(asker->back);
    *asker = (struct names_asker){ 0 };
}
