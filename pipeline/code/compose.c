/* code/compose.c -- see compose.h. */
#include "code/compose.h"

#include "base/search.h"
#include "code/lexing.h"

#include <errno.h>
#include <stdlib.h>

/* Below it nothing combines, and nothing is taken apart that is not put together again. */
enum { PLAIN = 0x300 };
/* Syllables of Hangul are numbered by their letters: 19 that begin, 21 in the middle, 27 that end or none. */
enum { SYLLABLE = 0xAC00, LEAD = 0x1100, VOWEL = 0x1161, TAIL = 0x11A7, LEADS = 19, VOWELS = 21, TAILS = 28 };
/* What is no character: a byte behind the last one. */
enum { BYTE = 0x110000 };
#define NONE UINT32_MAX

struct composing { uint32_t c, class, origin; };

static uint32_t class_of(uint32_t c)
{
    size_t behind;

    if (c < PLAIN || c >= BYTE) return 0;
    behind = search_u32(compose_classes, sizeof *compose_classes, 0, 0, compose_classes_count, (c + 1) * 64);
    return compose_classes[behind - 1] % 64;
}

static int character_add(struct composer *composer, uint32_t c, uint32_t origin)
{
    if (ARRAY_GROW(composer->character, composer->room, composer->count) < 0) return -ENOMEM;
    composer->character[composer->count++] = (struct composing){ c, class_of(c), origin };
    return 0;
}

/* Appends what a character is made of. */
static int take_apart(struct composer *composer, uint32_t c, uint32_t origin)
{
    const size_t    row = 3 * sizeof *compose_splits;
    const uint32_t *split = compose_splits;
    const uint32_t  number = c - SYLLABLE;
    size_t          at;

    if (number < LEADS * VOWELS * TAILS) {
        const uint32_t tail = number % TAILS;

        if (character_add(composer, LEAD + number / (VOWELS * TAILS), origin) < 0 ||
            character_add(composer, VOWEL + number / TAILS % VOWELS, origin) < 0) return -ENOMEM;
        return tail ? character_add(composer, TAIL + tail, origin) : 0;
    }
    at = search_u32(compose_splits, row, 0, 0, compose_splits_count, c);
    split += 3 * at;
    if (at == compose_splits_count || *split != c) return character_add(composer, c, origin);
    if (take_apart(composer, split[1], origin) < 0) return -ENOMEM;
    return split[2] ? character_add(composer, split[2], origin) : 0;
}

/* Runs of combining characters in the order of their classes, those of one class as they stand. */
static int put_in_order(struct composer *composer)
{
    struct composing *const c = composer->character;

    for (size_t from = 0, to; from < composer->count; from = to + 1) {
        bool ordered = true;

        for (to = from; to < composer->count && c[to].class; to++)
            ordered &= to == from || c[to - 1].class <= c[to].class;
        if (ordered) continue;
        if (ARRAY_GROW(composer->order, composer->order_room, 2 * (to - from)) < 0) return -ENOMEM;
        for (size_t i = from; i < to; i++)
            composer->order[i - from] = (struct sort_item){ c[i].class, (uint64_t)c[i].c << 32 | c[i].origin };
        sort_items(composer->order, composer->order + (to - from), to - from);
        for (size_t i = from; i < to; i++) {
            const struct sort_item item = composer->order[i - from];

            c[i] = (struct composing){ (uint32_t)(item.value >> 32), (uint32_t)item.key, (uint32_t)item.value };
        }
    }
    return 0;
}

static bool pair_before(const void *key, size_t i)
{
    const uint32_t *wanted = key, *split = compose_splits + 3 * compose_pairs[i];

    return split[1] != wanted[0] ? split[1] < wanted[0] : split[2] < wanted[1];
}

/* The character that two make; NONE: they make none. */
static uint32_t joined(uint32_t first, uint32_t second)
{
    const uint32_t pair[2] = { first, second }, *split;
    const uint32_t lead = first - LEAD, vowel = second - VOWEL, syllable = first - SYLLABLE, tail = second - TAIL;
    size_t         at;

    if (lead < LEADS && vowel < VOWELS) return SYLLABLE + (lead * VOWELS + vowel) * TAILS;
    if (syllable < LEADS * VOWELS * TAILS && syllable % TAILS == 0 && tail > 0 && tail < TAILS) return first + tail;
    at = search_first(0, compose_pairs_count, pair_before, pair);
    if (at == compose_pairs_count) return NONE;
    split = compose_splits + 3 * compose_pairs[at];
    return split[1] == first && split[2] == second ? split[0] : NONE;
}

/* Each character with the last one that combines with none, unless one between them is in its way. */
static void put_together(struct composer *composer)
{
    struct composing *const c = composer->character;
    size_t                  kept = 0, starter = SIZE_MAX;

    for (size_t i = 0; i < composer->count; i++) {
        const bool     near = starter != SIZE_MAX &&
            (kept == starter + 1 || (c[i].class && c[kept - 1].class < c[i].class));
        const uint32_t both = near ? joined(c[starter].c, c[i].c) : NONE;

        if (both != NONE) {
            c[starter].c = both;
            continue;
        }
        if (!c[i].class) starter = kept;
        c[kept++] = c[i];
    }
    composer->count = kept;
}

static int write_all(struct composer *composer, uint32_t end)
{
    uint32_t origin = 0;                                    /* it does not go back where characters changed places */

    composer->text.len = 0;
    for (size_t i = 0; i <= composer->count; i++) {
        const struct composing c = i < composer->count ? composer->character[i] : (struct composing){ .origin = end };
        char                   text[4] = { (char)(c.c - BYTE) };
        const size_t           len = i == composer->count ? 0 : c.c >= BYTE ? 1
            : (size_t)(unicode_encode(c.c, text) - text);

        if (c.origin > origin) origin = c.origin;
        for (size_t b = 0; b < (len ? len : 1); b++) {
            if (ARRAY_GROW(composer->origin, composer->origin_room, composer->text.len + b) < 0) return -ENOMEM;
            composer->origin[composer->text.len + b] = origin;
        }
        if (bytes_append(&composer->text, text, len) < 0) return -ENOMEM;
    }
    return 0;
}

int compose_text(struct composer *composer, struct slice text)
{
    size_t used;
    bool   plain = true;

    for (size_t i = 0; i < text.len && plain; i++) plain = (unsigned char)text.at[i] < 0xCC;            /* U+0300's */
    if (plain) return 0;
    composer->count = 0;
    for (size_t i = 0; i < text.len; i += used) {
        uint32_t c = unicode_decode(text.at + i, text.len - i, &used);

        if (used == 1 && c >= 128) c = BYTE + (unsigned char)text.at[i];
        if (take_apart(composer, c, (uint32_t)i) < 0) return -ENOMEM;
    }
    if (put_in_order(composer) < 0) return -ENOMEM;
    put_together(composer);
    return write_all(composer, (uint32_t)text.len) < 0 ? -ENOMEM : 1;
}

void composer_free(struct composer *composer)
{
    bytes_free(&composer->text);
    free(composer->origin);
    free(composer->character);
    free(composer->order);
    *composer = (struct composer){ 0 };
}
