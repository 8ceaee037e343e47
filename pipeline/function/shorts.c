/* function/shorts.c -- see shorts.h. */
#include "function/shorts.h"

#include "view/view.h"

#include <errno.h>
#include <stdlib.h>

/* A piece of an item: `at` bytes behind its beginning. */
struct piece { uint64_t hash; uint32_t text, at; };

/* Items of some lengths: pieces by hash, where those of a bucket begin, and a sieve. */
struct group {
    uint32_t      width, step;
    struct piece *piece;                                    /* [count] */
    size_t        count;
    uint32_t     *start;                                    /* by the first bits of the hash */
    uint64_t     *sieve;                                    /* a bit for what is in the middle of a piece */
    unsigned      start_shift, sieve_shift;
};

/* Groups by the width of their pieces; their step is as large as their shortest item lets it be, at most STEP_MOST. */
enum { GROUPS = 3, STEP_MOST = 16 };
static const struct { uint32_t width, least; } shapes[GROUPS] = { { 16, 31 }, { 8, 11 }, { 4, 4 } };

struct texts {
    struct short_text *text;
    struct group       group[GROUPS];
    bool               always;                              /* one is shorter than all of that */
};

struct shorts {
    struct short_runs *runs;
    struct texts       raw, squeezed;
};

static struct short_text text_of(struct slice text)
{
    struct short_text out = { content_hash_raw(text).low, text.len, { 0 } };

    if (text.len) memcpy(out.head, text.at, text.len < SHORT_HEAD ? text.len : SHORT_HEAD);
    return out;
}

int short_item_of(struct slice text, struct feature_list features, struct bytes *scratch, struct short_item *out)
{
    const struct slice squeezed = content_squeezed(text, scratch);

    if (!squeezed.at) return -ENOMEM;
    *out = (struct short_item){ text_of(text), text_of(squeezed), short_run_of(features) };
    return 0;
}

static inline uint64_t piece_hash(const char *at, uint32_t width)
{
    uint64_t          low = 0, high = 0;
    unsigned __int128 product;

    if (width == 16) high = view_hash_load(at + 8);
    if (width >= 8) low = view_hash_load(at);
    else memcpy(&low, at, 4);
    product = (unsigned __int128)(low ^ VIEW_HASH_K0) * (high ^ VIEW_HASH_K1);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static size_t head_length(const struct short_text *text)
{
    return text->len < SHORT_HEAD ? (size_t)text->len : SHORT_HEAD;
}

static size_t group_of(const struct short_text *text)
{
    size_t g = 0;

    while (g < GROUPS && text->len < shapes[g].least) g++;
    return g;
}

static int piece_order(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

/* Beginnings of items are much alike, and so are their ends: pieces are from their middle. */
static void pieces_add(struct group *group, const struct short_text *text, uint32_t number)
{
    const uint32_t from = ((uint32_t)head_length(text) + 1 - group->width - group->step) / 2;

    for (uint32_t i = 0; i < group->step; i++)
        group->piece[group->count++] = (struct piece){ piece_hash(text->head + from + i, group->width), number,
                                                       from + i };
}

/* Of the 8 bytes in the middle of a piece, or all 4: nearly no stretch of a text gets further. */
static inline uint64_t sieve_hash(const char *at, uint32_t width)
{
    uint64_t middle = 0;

    if (width >= 8) middle = view_hash_load(at + (width - 8) / 2);
    else memcpy(&middle, at, 4);
    return middle * (VIEW_HASH_K0 | 1);
}

/* By hash, with their buckets and the sieve: at most two pieces a bucket, in the mean, and one of 16 bits. */
static int pieces_order(struct group *group, const struct short_text *text, struct err *err)
{
    unsigned buckets = 6, bits = 6;

    while (2ull << buckets < group->count) buckets++;
    while (1ull << bits < 16 * group->count) bits++;
    group->start_shift = 64 - buckets;
    group->start = calloc((1ull << buckets) + 1, sizeof *group->start);
    group->sieve_shift = 64 - bits;
    group->sieve = calloc(1ull << (bits - 6), sizeof *group->sieve);
    if (!group->start || !group->sieve) return err_memory(err, group->count * 8, "short items");
    qsort(group->piece, group->count, sizeof *group->piece, piece_order);
    for (size_t i = 0; i < group->count; i++) {
        const struct piece *piece = &group->piece[i];
        const uint64_t      bit = sieve_hash(text[piece->text].head + piece->at, group->width) >> group->sieve_shift;

        group->sieve[bit >> 6] |= 1ull << (bit & 63);
        group->start[(piece->hash >> group->start_shift) + 1]++;
    }
    for (uint64_t b = 0; b <= UINT64_MAX >> group->start_shift; b++) group->start[b + 1] += group->start[b];
    return 0;
}

static int group_make(struct texts *texts, size_t g, size_t count, struct err *err)
{
    struct group *group = &texts->group[g];
    size_t        items = 0;
    uint64_t      shortest = SHORT_HEAD;

    for (size_t i = 0; i < count; i++) {
        if (group_of(&texts->text[i]) != g) continue;
        items++;
        if (texts->text[i].len < shortest) shortest = texts->text[i].len;
    }
    if (!items) return 0;
    *group = (struct group){ .width = shapes[g].width, .step = (uint32_t)shortest + 1 - shapes[g].width };
    if (group->step > STEP_MOST) group->step = STEP_MOST;
    group->piece = malloc(items * group->step * sizeof *group->piece);
    if (!group->piece) return err_memory(err, items * group->step * sizeof *group->piece, "short items");
    for (size_t i = 0; i < count; i++)
        if (group_of(&texts->text[i]) == g) pieces_add(group, &texts->text[i], (uint32_t)i);
    return pieces_order(group, texts->text, err);
}

static int text_order(const void *a, const void *b)
{
    const struct short_text *x = a, *y = b;

    if (x->raw != y->raw) return x->raw < y->raw ? -1 : 1;
    return (x->len > y->len) - (x->len < y->len);
}

/* Of what is in text[count]; each is kept once, empty ones not. */
static int texts_make(struct texts *texts, size_t count, struct err *err)
{
    size_t kept = 0;
    int    rc = 0;

    qsort(texts->text, count, sizeof *texts->text, text_order);
    for (size_t i = 0; i < count; i++) {
        if (!texts->text[i].len || (kept && !text_order(&texts->text[kept - 1], &texts->text[i]))) continue;
        texts->text[kept++] = texts->text[i];
        texts->always |= group_of(&texts->text[kept - 1]) == GROUPS;
    }
    for (size_t g = 0; g < GROUPS && rc == 0; g++) rc = group_make(texts, g, kept, err);
    return rc;
}

static void texts_free(struct texts *texts)
{
    for (size_t g = 0; g < GROUPS; g++) {
        free(texts->group[g].piece);
        free(texts->group[g].start);
        free(texts->group[g].sieve);
    }
    free(texts->text);
}

int shorts_make(struct shorts **out, const struct short_item *item, size_t count, struct err *err)
{
    struct shorts *shorts = calloc(1, sizeof *shorts);
    int            rc = 0;

    *out = shorts;
    if (shorts) {
        shorts->raw.text = malloc((count + 1) * sizeof *shorts->raw.text);
        shorts->squeezed.text = malloc((count + 1) * sizeof *shorts->squeezed.text);
    }
    if (!shorts || !shorts->raw.text || !shorts->squeezed.text)
        rc = err_memory(err, count * sizeof *item, "short items");
    for (size_t i = 0; i < count && rc == 0; i++) {
        shorts->raw.text[i] = item[i].raw;
        shorts->squeezed.text[i] = item[i].squeezed;
    }
    if (rc == 0) rc = texts_make(&shorts->raw, count, err);
    if (rc == 0) rc = texts_make(&shorts->squeezed, count, err);
    if (rc == 0) rc = short_runs_make(&shorts->runs, item ? &item->run : NULL, count, sizeof *item, err);
    if (rc == 0) return 0;
    shorts_free(shorts);
    *out = NULL;
    return rc;
}

void shorts_free(struct shorts *shorts)
{
    if (!shorts) return;
    short_runs_free(shorts->runs);
    texts_free(&shorts->raw);
    texts_free(&shorts->squeezed);
    free(shorts);
}

/* Bytes that may be compared for each of a text, after which an item is taken to be in it: of one letter again and
 * again each place has the pieces of a long item, and of many. */
enum { COMPARED_MOST = 64 };

struct searched { struct slice text; uint64_t left; };      /* bytes that may be compared yet */

static bool is_spent(struct searched *s, uint64_t bytes)
{
    if (bytes > s->left) return true;
    s->left -= bytes;
    return false;
}

/* Does the item whose piece is `at` bytes into the text stand there? */
static bool stands_at(const struct short_text *item, const struct piece *piece, struct searched *s, size_t at)
{
    const char *from;

    if (is_spent(s, head_length(item))) return true;
    if (at < piece->at || s->text.len - (at - piece->at) < item->len) return false;
    from = s->text.at + (at - piece->at);
    if (memcmp(from, item->head, head_length(item)) != 0) return false;
    return item->len <= SHORT_HEAD || is_spent(s, item->len) ||
        content_hash_raw((struct slice){ from, (size_t)item->len }).low == item->raw;
}

/* Does an item stand where the piece with this hash is? */
static bool piece_in(const struct texts *texts, const struct group *group, uint64_t hash, struct searched *s,
                     size_t at)
{
    const uint64_t bucket = hash >> group->start_shift;

    for (uint32_t i = group->start[bucket]; i < group->start[bucket + 1]; i++)
        if (group->piece[i].hash == hash &&
            stands_at(&texts->text[group->piece[i].text], &group->piece[i], s, at)) return true;
    return false;
}

/* width: the group's, where the compiler sees it. */
static inline __attribute__((always_inline)) bool pieces_in(const struct texts *texts, const struct group *group,
                                                            struct searched *s, uint32_t width)
{
    const struct slice text = s->text;
    const uint64_t *sieve = group->sieve;
    const unsigned  shift = group->sieve_shift;
    const size_t    step = group->step;

    for (size_t at = 0; at + width <= text.len; at += step) {
        const uint64_t bit = sieve_hash(text.at + at, width) >> shift;

        if (sieve[bit >> 6] >> (bit & 63) & 1 &&
            piece_in(texts, group, piece_hash(text.at + at, width), s, at)) return true;
    }
    return false;
}

static bool group_in(const struct texts *texts, const struct group *group, struct searched *s)
{
    switch (group->width) {
    case 16: return pieces_in(texts, group, s, 16);
    case 8:  return pieces_in(texts, group, s, 8);
    default: return pieces_in(texts, group, s, 4);
    }
}

static bool texts_in(const struct texts *texts, struct slice text)
{
    struct searched s = { text, (uint64_t)COMPARED_MOST * text.len };

    if (texts->always) return true;
    for (size_t g = 0; g < GROUPS; g++)
        if (texts->group[g].count && group_in(texts, &texts->group[g], &s)) return true;
    return false;
}

int shorts_in(const struct shorts *shorts, struct slice text, struct feature_list features, struct bytes *scratch)
{
    if (texts_in(&shorts->raw, text)) return 1;
    if (!short_runs_in(shorts->runs, features)) return 0;
    text = content_squeezed(text, scratch);
    return text.at ? texts_in(&shorts->squeezed, text) : -ENOMEM;
}
