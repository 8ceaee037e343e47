/* compliance/likeness.c -- see likeness.h. */
#include "compliance/likeness.h"

#include "similarity/datasketch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SEED = 42, STEPS = 512 };                            /* of an integral, even */

struct likeness {
    struct likeness_bands   bands;
    struct datasketch_lanes lanes;
    struct words            words;
    struct bytes            scratch;
    uint64_t               *band;                           /* [count] hashes of the others' bands */
    size_t                  count, room;
    bool                    sorted;
};

/* ---- bands and rows ---- */

/* By Simpson's rule, of what is no pair of a band (wrong: true) or one (false). */
static double area(double from, double to, struct likeness_bands of, bool missed)
{
    const double step = (to - from) / STEPS;
    double       sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        const double none = pow(1 - pow(from + step * i, of.rows), of.bands);

        sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * (missed ? none : 1 - none);
    }
    return sum * step / 3;
}

struct likeness_bands likeness_bands_of(double threshold, uint32_t slots)
{
    struct likeness_bands best = { 1, 1 };
    double                least = INFINITY;

    for (uint32_t bands = 1; bands <= slots; bands++)
        for (uint32_t rows = 1; rows <= slots / bands; rows++) {
            const struct likeness_bands of = { bands, rows };
            const double                error = area(0, threshold, of, false) + area(threshold, 1, of, true);

            if (error >= least) continue;
            least = error;
            best = of;
        }
    return best;
}

/* ---- texts ---- */

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A character beyond ASCII stands between two words, however many bytes it has. */
static int words_cut(struct words *words, struct slice text)
{
    size_t from = 0;

    words->count = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && is_word_byte(text.at[i])) continue;
        if (ARRAY_GROW(words->at, words->room, words->count) < 0) return -ENOMEM;
        words->at[words->count++] = (struct slice){ text.at + from, i - from };
        while (i + 1 < text.len && ((unsigned char)text.at[i + 1] & 0xC0) == 0x80) i++;
        from = i + 1;
    }
    return 0;
}

static int sketch_make(struct likeness *l, struct slice text, struct datasketch *out, struct err *err)
{
    if (words_cut(&l->words, text) < 0) return err_memory(err, l->words.count * sizeof *l->words.at, "words");
    return datasketch_words(out, &l->lanes, &l->words, &l->scratch, err);
}

static uint64_t band_hash(const struct likeness *l, const struct datasketch *sketch, uint32_t band)
{
    return XXH3_64bits_withSeed(sketch->slot + band * l->bands.rows, l->bands.rows * sizeof *sketch->slot, band);
}

int likeness_open(struct likeness **out, double threshold, struct err *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return err_memory(err, sizeof **out, "signatures");
    (*out)->bands = likeness_bands_of(threshold, DATASKETCH_SLOTS);
    datasketch_lanes_draw(&(*out)->lanes, SEED);
    return 0;
}

void likeness_close(struct likeness *likeness)
{
    if (!likeness) return;
    words_free(&likeness->words);
    bytes_free(&likeness->scratch);
    free(likeness->band);
    free(likeness);
}

int likeness_add(struct likeness *likeness, struct slice text, struct err *err)
{
    struct datasketch sketch;

    if (sketch_make(likeness, text, &sketch, err) < 0) return err->code;
    likeness->sorted = false;
    for (uint32_t b = 0; b < likeness->bands.bands; b++) {
        if (ARRAY_GROW(likeness->band, likeness->room, likeness->count) < 0)
            return err_memory(err, likeness->count * sizeof *likeness->band, "signatures");
        likeness->band[likeness->count++] = band_hash(likeness, &sketch, b);
    }
    return 0;
}

static int hash_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

int likeness_ask(struct likeness *likeness, struct slice text, struct err *err)
{
    struct datasketch sketch;

    if (!likeness->count) return 0;
    if (!likeness->sorted) qsort(likeness->band, likeness->count, sizeof *likeness->band, hash_order);
    likeness->sorted = true;
    if (sketch_make(likeness, text, &sketch, err) < 0) return err->code;
    for (uint32_t b = 0; b < likeness->bands.bands; b++) {
        const uint64_t hash = band_hash(likeness, &sketch, b);

        if (bsearch(&hash, likeness->band, likeness->count, sizeof hash, hash_order)) return 1;
    }
    return 0;
}
