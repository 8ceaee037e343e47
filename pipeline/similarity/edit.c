/* similarity/edit.c -- see edit.h. */
#include "similarity/edit.h"

#include "code/lexing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct text32 { const uint32_t *at; size_t len; };

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The distinct characters of a pattern, ascending; returns how many. */
static size_t alphabet_make(const struct text32 *pattern, uint32_t *alphabet)
{
    size_t kept = 0;

    memcpy(alphabet, pattern->at, pattern->len * sizeof *alphabet);
    qsort(alphabet, pattern->len, sizeof *alphabet, by_number);
    for (size_t i = 0; i < pattern->len; i++)
        if (kept == 0 || alphabet[i] != alphabet[kept - 1]) alphabet[kept++] = alphabet[i];
    return kept;
}

static size_t alphabet_find(const uint32_t *alphabet, size_t count, uint32_t c)
{
    const uint32_t *found = bsearch(&c, alphabet, count, sizeof c, by_number);

    return found ? (size_t)(found - alphabet) : count;
}

enum { STRIP = 8, STRIP_ROWS = 64 * STRIP };                /* blocks of 64 rows */

/* Distance of a pattern (not empty) and a text, both of letters 0..count, of which `count` is none of the pattern's:
 * columns of the matrix of distances as two bits a cell, in blocks of 64 rows (Myers 1999; blocks after Hyyro 2003),
 * and of these a strip at a time.  edge[text->len]: what each column of the rows above hands on, bit 0 that it grows
 * there, bit 1 that it falls.  place[count + 1], all 0: of the strip's letters, in `equal`. */
static size_t distance_blocks(const struct text32 *pattern, const struct text32 *text, uint16_t *place, uint8_t *edge)
{
    uint64_t       equal[STRIP_ROWS + 1][STRIP];            /* where the strip has the letter; the first: nowhere */
    const size_t   all = (pattern->len + 63) / 64;
    const uint64_t last = 1ull << ((pattern->len - 1) % 64);
    size_t         distance = pattern->len;

    memset(edge, 1, text->len);                             /* the matrix's upper edge grows by one a column */
    for (size_t first = 0; first < all; first += STRIP) {
        const size_t blocks = all - first < STRIP ? all - first : STRIP, row_at = 64 * first;
        const size_t rows = pattern->len - row_at < STRIP_ROWS ? pattern->len - row_at : STRIP_ROWS;
        const bool   is_last = first + blocks == all;
        uint64_t     plus[STRIP], minus[STRIP] = { 0 };
        uint16_t     letters = 0;

        memset(plus, 0xFF, sizeof plus);
        memset(equal[0], 0, sizeof equal[0]);
        for (size_t i = 0; i < rows; i++) {
            uint16_t *at = &place[pattern->at[row_at + i]];

            if (*at == 0) memset(equal[*at = ++letters], 0, sizeof equal[0]);
            equal[*at][i / 64] |= 1ull << i % 64;
        }
        for (size_t i = 0; i < text->len; i++) {
            const uint64_t *row = equal[place[text->at[i]]];
            uint64_t        carry_plus = edge[i] & 1, carry_minus = edge[i] >> 1;

            for (size_t b = 0; b < blocks; b++) {
                const uint64_t eq = row[b] | carry_minus, vertical = row[b] | minus[b];
                const uint64_t diagonal = (((eq & plus[b]) + plus[b]) ^ plus[b]) | eq;
                uint64_t       up = minus[b] | ~(diagonal | plus[b]), down = plus[b] & diagonal;

                if (is_last && b == blocks - 1) distance += (up & last) != 0, distance -= (down & last) != 0;
                {
                    const uint64_t out_plus = up >> 63, out_minus = down >> 63;

                    up = up << 1 | carry_plus;
                    down = down << 1 | carry_minus;
                    carry_plus = out_plus;
                    carry_minus = out_minus;
                }
                plus[b] = down | ~(vertical | up);
                minus[b] = up & vertical;
            }
            edge[i] = (uint8_t)(carry_plus | carry_minus << 1);
        }
        for (size_t i = 0; i < rows; i++) place[pattern->at[row_at + i]] = 0;
    }
    return distance;
}

/* Memory goes with the lengths, whatever the letters. */
static int distance_of(const struct text32 *pattern, const struct text32 *text, size_t *out, struct err *err)
{
    const size_t lengths = pattern->len + text->len;
    uint32_t    *alphabet = malloc((pattern->len + 1) * sizeof *alphabet);
    uint32_t    *letter = malloc((lengths + 1) * sizeof *letter);
    uint16_t    *place = NULL;
    uint8_t     *edge = malloc(text->len + 1);
    int          rc = 0;

    if (pattern->len == 0) *out = text->len;
    else if (alphabet && letter && edge) {
        const size_t        count = alphabet_make(pattern, alphabet);
        const struct text32 first = { letter, pattern->len }, second = { letter + pattern->len, text->len };

        place = calloc(count + 1, sizeof *place);
        for (size_t i = 0; i < lengths; i++)
            letter[i] = (uint32_t)alphabet_find(alphabet, count, i < pattern->len ? pattern->at[i]
                                                : text->at[i - pattern->len]);
        if (place) *out = distance_blocks(&first, &second, place, edge);
    }
    if (pattern->len && !place) rc = err_memory(err, lengths * sizeof *letter, "an edit distance");
    free(alphabet);
    free(letter);
    free(place);
    free(edge);
    return rc;
}

int edit_distance(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, size_t *out, struct err *err)
{
    const struct text32 first = { a, a_count }, second = { b, b_count };

    return a_count < b_count ? distance_of(&first, &second, out, err) : distance_of(&second, &first, out, err);
}

/* Code points; a byte that is no UTF-8 is U+FFFD. */
static int characters_of(struct slice text, uint32_t **out, size_t *count, struct err *err)
{
    *count = 0;
    *out = malloc((text.len + 1) * sizeof **out);
    if (!*out) return err_memory(err, text.len * sizeof **out, "a text's characters");
    for (size_t i = 0, used; i < text.len; i += used)
        (*out)[(*count)++] = unicode_decode(text.at + i, text.len - i, &used);
    return 0;
}

int edit_similarity(struct slice a, struct slice b, double *out, struct err *err)
{
    uint32_t *first = NULL, *second = NULL;
    size_t    first_count = 0, second_count = 0, distance = 0, longer;
    int       rc = characters_of(a, &first, &first_count, err);

    if (rc == 0) rc = characters_of(b, &second, &second_count, err);
    if (rc == 0) rc = edit_distance(first, first_count, second, second_count, &distance, err);
    longer = first_count > second_count ? first_count : second_count;
    *out = longer ? 1 - (double)distance / (double)longer : 1;
    free(first);
    free(second);
    return rc;
}
