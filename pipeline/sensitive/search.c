/* sensitive/search.c -- see search.h. */
#define XXH_INLINE_ALL
#include "sensitive/search.h"

#include "view/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <xxhash.h>

/* of the bitmap, as powers of two: 16 KB, 2 MB */
enum { BITMAP_LEAST = 17, BITMAP_MOST = 24, BITS_A_NEEDLE = 128 };

/* of every NEEDLE_ENDS bytes a block is looked at, wherever they stand */
enum { STEP = 2, BLOCK = NEEDLE_ENDS - STEP + 1 };

/* The first bytes of 8: the upper bits of a product depend on all of them, and are folded into the lower ones. */
static inline uint32_t high_of(uint64_t bytes)
{
    uint64_t product = bytes * VIEW_HASH_K1;

    return (uint32_t)(product >> 32) ^ (uint32_t)(product >> 52);
}

static inline uint32_t block_hash(uint64_t bytes) { return high_of(bytes << (64 - 8 * BLOCK)); }
static inline uint32_t end_hash(uint64_t bytes) { return high_of(bytes << (64 - 8 * NEEDLE_ENDS)); }

static uint32_t end_hash_at(const char *at)
{
    char bytes[8] = { 0 };

    memcpy(bytes, at, NEEDLE_ENDS);
    return end_hash(view_hash_load(bytes));
}

struct needle needle_of(struct slice value)
{
    char bytes[8] = { 0 };

    memcpy(bytes, value.at, NEEDLE_ENDS);
    return (struct needle){ content_hash_raw(value), (uint32_t)value.len, end_hash_at(value.at),
                            end_hash_at(value.at + value.len - NEEDLE_ENDS),
                            { block_hash(view_hash_load(bytes)), block_hash(view_hash_load(bytes) >> 8) } };
}

/* Tables take hashes for keys; different numbers stay different. */
static uint64_t spread(uint64_t number)
{
    number *= VIEW_HASH_K0;
    return number ^ number >> 32;
}

static int needle_order(const void *a, const void *b)
{
    const struct needle *x = a, *y = b;

    if (x->head != y->head) return x->head < y->head ? -1 : 1;
    return (x->len > y->len) - (x->len < y->len);
}

/* Key of a head with a length; the other word of the key is the tail's. */
static uint64_t end_key(uint32_t head, uint32_t len) { return spread((uint64_t)len << 32 | head); }
static uint64_t tail_key(uint32_t tail) { return (uint64_t)tail << 32; }

/* Sorted by head and length: each head's lengths, once. */
static int heads_fill(struct sensitive_search *search, const struct needle *sorted, size_t count)
{
    size_t used = 0;
    bool   added;

    for (size_t i = 0; i < count; i++) {
        const struct needle *needle = &sorted[i];
        bool                 opens = i == 0 || needle->head != needle[-1].head;

        if (opens && used) search->len[used++] = 0;
        if (opens && table_put(&search->heads, spread(needle->head), 0, (uint32_t)used, &added) == TABLE_NONE)
            return -ENOMEM;
        if (opens || needle->len != needle[-1].len) search->len[used++] = needle->len;
        if (table_put(&search->ends, end_key(needle->head, needle->len), tail_key(needle->tail), 0,
                      &added) == TABLE_NONE)
            return -ENOMEM;
        for (int b = 0; b < STEP; b++) {
            search->map[needle->blocks[b] >> 16] = 1;
            search->bitmap[(needle->blocks[b] & search->mask) >> 6] |= 1ull << (needle->blocks[b] & 63);
        }
    }
    search->len[used] = 0;
    return 0;
}

int sensitive_search_open(struct sensitive_search *out, const struct needle *needle, size_t count, struct err *err)
{
    struct needle *sorted = malloc((count + 1) * sizeof *sorted);
    uint32_t       bits = BITMAP_LEAST;
    int            rc = 0;
    bool           added;

    *out = (struct sensitive_search){ 0 };
    while (bits < BITMAP_MOST && (size_t)1 << bits < count * BITS_A_NEEDLE) bits++;
    out->mask = ((uint32_t)1 << bits) - 1;
    out->map = calloc(SEARCH_MAP, 1);
    out->bitmap = calloc((size_t)1 << (bits - 6), sizeof *out->bitmap);
    out->len = malloc((2 * count + 1) * sizeof *out->len);
    if (!sorted || !out->map || !out->bitmap || !out->len) rc = -ENOMEM;
    for (size_t i = 0; i < count && rc == 0; i++) {
        sorted[i] = needle[i];
        if (table_put(&out->whole, needle[i].hash.low, needle[i].hash.high, (uint32_t)i, &added) == TABLE_NONE)
            rc = -ENOMEM;
    }
    if (rc == 0 && count) qsort(sorted, count, sizeof *sorted, needle_order);
    if (rc == 0) rc = heads_fill(out, sorted, count);
    free(sorted);
    return rc < 0 ? err_memory(err, count * 64, "the strings to look for") : 0;
}

void sensitive_search_free(struct sensitive_search *search)
{
    free(search->map);
    free(search->bitmap);
    free(search->len);
    table_free(&search->heads);
    table_free(&search->ends);
    table_free(&search->whole);
    *search = (struct sensitive_search){ 0 };
}

/* ---- search ---- */

/* Of the first 8 bytes of a block: its place in the map, for which no fold is needed. */
static inline uint8_t is_known(const uint8_t *map, uint64_t bytes)
{
    return map[(bytes << (64 - 8 * BLOCK)) * VIEW_HASH_K1 >> 48];
}

/* All needles that begin at a place. */
static int try_place(const struct sensitive_search *search, struct slice text, size_t at,
                     int (*found)(void *, uint32_t, size_t), void *context)
{
    uint32_t head = end_hash(view_hash_load(text.at + at)), first = table_find(&search->heads, spread(head), 0);
    int      rc = 0;

    if (first == TABLE_NONE) return 0;
    for (const uint32_t *len = search->len + first; *len && *len <= text.len - at && rc == 0; len++) {
        uint32_t      tail = end_hash_at(text.at + at + *len - NEEDLE_ENDS), number;
        XXH128_hash_t hash;

        if (table_find(&search->ends, end_key(head, *len), tail_key(tail)) == TABLE_NONE) continue;
        hash = XXH3_128bits(text.at + at, *len);
        number = table_find(&search->whole, hash.low64, hash.high64);
        if (number != TABLE_NONE) rc = found(context, number, at);
    }
    return rc;
}

/* Those whose first block or second stands at a place. */
static int try_block(const struct sensitive_search *search, struct slice text, size_t at,
                     int (*found)(void *, uint32_t, size_t), void *context)
{
    const uint32_t block = block_hash(view_hash_load(text.at + at));
    int            rc = 0;

    if (!(search->bitmap[(block & search->mask) >> 6] >> (block & 63) & 1)) return 0;
    if (at && at - 1 + NEEDLE_ENDS <= text.len) rc = try_place(search, text, at - 1, found, context);

    return rc == 0 && at + NEEDLE_ENDS <= text.len ? try_place(search, text, at, found, context) : rc;
}

int sensitive_search_text(const struct sensitive_search *search, struct slice text,
                          int (*found)(void *context, uint32_t number, size_t at), void *context)
{
    const uint8_t *map = search->map;
    size_t         at = 0;
    int            rc = 0;

    if (!search->heads.count) return 0;
    for (; at + 8 + BLOCK <= text.len && rc == 0; at += 8) {        /* a word of 8 bytes has two blocks */
        const uint64_t low = view_hash_load(text.at + at), high = view_hash_load(text.at + at + 4);
        const uint8_t  known[] = { is_known(map, low), is_known(map, low >> 16), is_known(map, high),
                                   is_known(map, high >> 16) };

        if (__builtin_expect(!(known[0] | known[1] | known[2] | known[3]), 1)) continue;
        for (size_t i = 0; i < 4 && rc == 0; i++)
            if (known[i]) rc = try_block(search, text, at + i * STEP, found, context);
    }
    for (; at + BLOCK <= text.len && rc == 0; at += STEP)
        if (is_known(map, view_hash_load(text.at + at))) rc = try_block(search, text, at, found, context);
    return rc;
}
