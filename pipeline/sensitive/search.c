/* sensitive/search.c -- see search.h. */
#define XXH_INLINE_ALL
#include "sensitive/search.h"

#include "base/bits.h"
#include "view/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <xxhash.h>

/* of the bitmap, as powers of two: 16 KB, 2 MB */
enum { BITMAP_LEAST = 17, BITMAP_MOST = 24, BITS_A_NEEDLE = 128 };

/* of every NEEDLE_ENDS bytes a block is looked at, wherever they stand */
enum { STEP = 2, BLOCK = NEEDLE_ENDS - STEP + 1 };

/* Of a head with so many lengths, none above WIDE_LONGEST, ends are looked for; a ring of twice as many places. */
enum { WIDE = 16, WIDE_LONGEST = 4096, RING = 2 * WIDE_LONGEST / 64 };

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
    size_t used = 0, head = 0;
    bool   added;

    for (size_t i = 0; i < count; i++) {
        const struct needle *needle = &sorted[i];
        bool                 opens = i == 0 || needle->head != needle[-1].head;

        if (opens) {
            head = used++;
            search->len[head] = 0;
            if (table_put(&search->heads, spread(needle->head), 0, (uint32_t)head, &added) == TABLE_NONE)
                return -ENOMEM;
        }
        if (opens || needle->len != needle[-1].len) {
            search->len[used++] = needle->len;
            search->len[head]++;
        }
        if (table_put(&search->ends, end_key(needle->head, needle->len), tail_key(needle->tail), 0,
                      &added) == TABLE_NONE)
            return -ENOMEM;
        bits_set(search->tails, needle->tail & search->mask);
        for (int b = 0; b < STEP; b++) {
            search->map[needle->blocks[b] >> 16] = 1;
            bits_set(search->bitmap, needle->blocks[b] & search->mask);
        }
    }
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
    out->tails = calloc((size_t)1 << (bits - 6), sizeof *out->tails);
    out->len = malloc((2 * count + 1) * sizeof *out->len);
    if (!sorted || !out->map || !out->bitmap || !out->tails || !out->len) rc = -ENOMEM;
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
    free(search->tails);
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

/* Where in the text an end of some needle begins, as far as it was asked: a bit a place, from `from` to `to`, both
 * multiples of 64, of which the last RING words are kept. */
struct searching {
    const struct sensitive_search *search;
    struct slice                   text;
    int                          (*found)(void *, uint32_t, size_t);
    void                          *context;
    size_t                         to;
    uint64_t                       ends[RING];
};

/* Up to `last`, which is less than WIDE_LONGEST behind `at`; nothing before `at` will be asked again. */
static void ends_look(struct searching *s, size_t at, size_t last)
{
    if (s->to < at) s->to = at & ~(size_t)63;
    for (; s->to <= last; s->to += 64) {
        uint64_t word = 0;

        for (size_t i = 0; i < 64 && s->to + i + NEEDLE_ENDS <= s->text.len; i++) {
            const uint32_t tail = end_hash(view_hash_load(s->text.at + s->to + i)) & s->search->mask;

            word |= (uint64_t)bits_has(s->search->tails, tail) << i;
        }
        s->ends[s->to / 64 % RING] = word;
    }
}

/* The needle of that head and length, if it is one. */
static int try_length(struct searching *s, size_t at, uint32_t head, uint32_t len)
{
    const struct sensitive_search *search = s->search;
    const uint32_t                 tail = end_hash_at(s->text.at + at + len - NEEDLE_ENDS);
    XXH128_hash_t                  hash;
    uint32_t                       number;

    if (table_find(&search->ends, end_key(head, len), tail_key(tail)) == TABLE_NONE) return 0;
    hash = XXH3_128bits(s->text.at + at, len);
    number = table_find(&search->whole, hash.low64, hash.high64);
    return number == TABLE_NONE ? 0 : s->found(s->context, number, at);
}

/* Of a head with many lengths, from `least` to `most`: those at which an end stands. */
static int try_ends(struct searching *s, size_t at, uint32_t head, uint32_t least, uint32_t most)
{
    const size_t left = s->text.len - at, first = at + least - NEEDLE_ENDS;
    const size_t last = at + (most < left ? most : left) - NEEDLE_ENDS;
    int          rc = 0;

    if (left < least) return 0;
    ends_look(s, at, last);
    for (size_t word = first / 64; word <= last / 64 && rc == 0; word++) {
        uint64_t ends = s->ends[word % RING];

        if (word == first / 64) ends &= UINT64_MAX << first % 64;
        if (word == last / 64) ends &= UINT64_MAX >> (63 - last % 64);
        for (; ends && rc == 0; ends &= ends - 1)
            rc = try_length(s, at, head, (uint32_t)(64 * word + (size_t)__builtin_ctzll(ends) + NEEDLE_ENDS - at));
    }
    return rc;
}

/* All needles that begin at a place. */
static int try_place(struct searching *s, size_t at)
{
    const uint32_t  head = end_hash(view_hash_load(s->text.at + at));
    const uint32_t  first = table_find(&s->search->heads, spread(head), 0);
    const uint32_t *len;
    int             rc = 0;

    if (first == TABLE_NONE) return 0;
    len = s->search->len + first;
    if (*len >= WIDE && len[*len] <= WIDE_LONGEST) return try_ends(s, at, head, len[1], len[*len]);
    for (uint32_t i = 1; i <= *len && len[i] <= s->text.len - at && rc == 0; i++) rc = try_length(s, at, head, len[i]);
    return rc;
}

/* Those whose first block or second stands at a place. */
static int try_block(struct searching *s, size_t at)
{
    const uint32_t block = block_hash(view_hash_load(s->text.at + at));
    int            rc = 0;

    if (!bits_has(s->search->bitmap, block & s->search->mask)) return 0;
    if (at && at - 1 + NEEDLE_ENDS <= s->text.len) rc = try_place(s, at - 1);
    return rc == 0 && at + NEEDLE_ENDS <= s->text.len ? try_place(s, at) : rc;
}

int sensitive_search_text(const struct sensitive_search *search, struct slice text,
                          int (*found)(void *context, uint32_t number, size_t at), void *context)
{
    const uint8_t   *map = search->map;
    struct searching searching;
    size_t           at = 0;
    int              rc = 0;

    if (!search->heads.count) return 0;
    searching.search = search;
    searching.text = text;
    searching.found = found;
    searching.context = context;
    searching.to = 0;                                       /* and of `ends` nothing yet */
    for (; at + 8 + BLOCK <= text.len && rc == 0; at += 8) {        /* a word of 8 bytes has two blocks */
        const uint64_t low = view_hash_load(text.at + at), high = view_hash_load(text.at + at + 4);
        const uint8_t  known[] = { is_known(map, low), is_known(map, low >> 16), is_known(map, high),
                                   is_known(map, high >> 16) };

        if (__builtin_expect(!(known[0] | known[1] | known[2] | known[3]), 1)) continue;
        for (size_t i = 0; i < 4 && rc == 0; i++)
            if (known[i]) rc = try_block(&searching, at + i * STEP);
    }
    for (; at + BLOCK <= text.len && rc == 0; at += STEP)
        if (is_known(map, view_hash_load(text.at + at))) rc = try_block(&searching, at);
    return rc;
}
