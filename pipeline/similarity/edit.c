/* similarity/edit.c -- see edit.h. */
#include "similarity/edit.h"

#include "code/lexing.h"

#include <errno.h>
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

/* Distance of a pattern (not empty) and a text: columns of the matrix of distances as two bits a cell, in blocks of 64
 * rows (Myers 1999; blocks after Hyyro 2003).  equal[letter * blocks + block]: where the pattern has the letter; letter
 * `count` is none of its letters. */
static size_t distance_blocks(const struct text32 *pattern, const struct text32 *text, const uint32_t *alphabet,
                              size_t count, const uint64_t *equal, uint64_t *plus,
                              uint64_t *minus)
{
    const size_t   blocks = (pattern->len + 63) / 64;
    const uint64_t last = 1ull << ((pattern->len - 1) % 64);
    size_t         distance = pattern->len;

    for (size_t b = 0; b < blocks; b++) {
        plus[b] = UINT64_MAX;
        minus[b] = 0;
    }
    for (size_t i = 0; i < text->len; i++) {
        const uint64_t *row = equal + alphabet_find(alphabet, count, text->at[i]) * blocks;
        uint64_t        carry_plus = 1, carry_minus = 0;    /* the matrix's upper edge grows by one a column */

        for (size_t b = 0; b < blocks; b++) {
            const uint64_t eq = row[b] | carry_minus, vertical = row[b] | minus[b];
            const uint64_t diagonal = (((eq & plus[b]) + plus[b]) ^ plus[b]) | eq;
            uint64_t       up = minus[b] | ~(diagonal | plus[b]), down = plus[b] & diagonal;

            if (b == blocks - 1) distance += (up & last) != 0, distance -= (down & last) != 0;
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
    }
    return distance;
}

static int distance_of(const struct text32 *pattern, const struct text32 *text, size_t *out, struct err *err)
{
    const size_t blocks = (pattern->len + 63) / 64;
    uint32_t    *alphabet = malloc((pattern->len + 1) * sizeof *alphabet);
    uint64_t    *equal = NULL;
    size_t       count = 0;
    int          rc = 0;

    if (pattern->len == 0) *out = text->len;
    else if (alphabet) {
        count = alphabet_make(pattern, alphabet);
        equal = calloc((count + 3) * blocks, sizeof *equal);
        for (size_t i = 0; equal && i < pattern->len; i++)
            equal[alphabet_find(alphabet, count, pattern->at[i]) * blocks + i / 64] |= 1ull << i % 64;
        if (equal)
            *out = distance_blocks(pattern, text, alphabet, count, equal, equal + (count + 1) * blocks,
                                   equal + (count + 2) * blocks);
    }
    if (!alphabet || (pattern->len && !equal))
        rc = err_memory(err, (count + 3) * blocks * sizeof *equal, "an edit distance");
    free(alphabet);
    free(equal);
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
