/* train/row.c -- n-grams of the highest order as numbers, and how these are sorted. */
#include "train/private.h"

#include "base/sort.h"

#include <string.h>

struct train_row_shape train_row_shape(uint32_t order, uint32_t tokens)
{
    struct train_row_shape shape = { .order = order, .bits = 32 - (uint32_t)__builtin_clz(tokens - 1) };
    uint32_t               all = order * shape.bits;

    shape.words = all <= 128 ? 2 : 4;
    for (uint32_t w = 0; w < shape.words; w++) {
        uint32_t below = 64 * (shape.words - 1 - w);        /* bits of the words behind it */

        shape.mask[w] = all >= below + 64 ? ~0ull : all > below ? (1ull << (all - below)) - 1 : 0;
    }
    return shape;
}

void train_row_pack(const struct train_row_shape *shape, const uint32_t *token, uint64_t *row)
{
    memset(row, 0, shape->words * sizeof *row);
    for (uint32_t i = 0; i < shape->order; i++) {
        uint32_t at = (shape->order - 1 - i) * shape->bits, w = shape->words - 1 - at / 64;

        row[w] |= (uint64_t)token[i] << at % 64;
        if (at % 64 + shape->bits > 64) row[w - 1] |= (uint64_t)token[i] >> (64 - at % 64);
    }
}

void train_row_unpack(const struct train_row_shape *shape, const uint64_t *row, uint32_t *token)
{
    uint64_t mask = (1ull << shape->bits) - 1;

    for (uint32_t i = 0; i < shape->order; i++) {
        uint32_t at = (shape->order - 1 - i) * shape->bits, w = shape->words - 1 - at / 64;
        uint64_t value = row[w] >> at % 64;

        if (at % 64 + shape->bits > 64) value |= row[w - 1] << (64 - at % 64);
        token[i] = (uint32_t)(value & mask);
    }
}

/* ---- rows of four words, as sort_pairs does it with two ---- */

enum {
    ROWS_FEW  = 16,                                         /* rows that are sorted by insertion */
    ROWS_BITS = 11                                          /* of a digit at most */
};

struct wide { uint64_t word[4]; };

static inline bool wide_less(const struct wide *a, const struct wide *b)
{
    for (uint32_t w = 0; w < 3; w++)
        if (a->word[w] != b->word[w]) return a->word[w] < b->word[w];
    return a->word[3] < b->word[3];
}

static void wide_insert(const struct wide *from, struct wide *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct wide row = from[i];
        size_t      at = i;

        for (; at && wide_less(&row, &to[at - 1]); at--) to[at] = to[at - 1];
        to[at] = row;
    }
}

/* Where the digit lies that rows are split by: the highest bits that differ. */
struct wide_digit { unsigned word, shift, bits; };

static struct wide_digit wide_choose(const struct wide *row, size_t count)
{
    uint64_t          differing[4] = { 0 };
    struct wide_digit digit = { 0 };
    unsigned          top;

    for (size_t i = 1; i < count; i++)
        for (size_t w = 0; w < 4; w++) differing[w] |= row[i].word[w] ^ row[0].word[w];
    while (digit.word < 3 && !differing[digit.word]) digit.word++;
    top = differing[digit.word] ? 64 - (unsigned)__builtin_clzll(differing[digit.word]) : 0;
    digit.bits = 62 - (unsigned)__builtin_clzll((unsigned long long)count);
    if (digit.bits > ROWS_BITS) digit.bits = ROWS_BITS;
    if (digit.bits > top) digit.bits = top;
    digit.shift = top - digit.bits;
    return digit;
}

static inline size_t wide_value(const struct wide *row, struct wide_digit digit)
{
    return (size_t)(row->word[digit.word] >> digit.shift) & (((size_t)1 << digit.bits) - 1);
}

/* Sorts row[count]; the result is left in row, or with `move` in spare. */
static void wide_sort(struct wide *row, struct wide *spare, size_t count, bool move)
{
    size_t            end[1 << ROWS_BITS], sum = 0, first = 0;
    struct wide_digit digit;

    if (count <= ROWS_FEW) {
        wide_insert(row, move ? spare : row, count);
        return;
    }
    digit = wide_choose(row, count);
    if (digit.bits == 0) {                                  /* all equal */
        if (move) memcpy(spare, row, count * sizeof *row);
        return;
    }
    memset(end, 0, sizeof *end << digit.bits);
    for (size_t i = 0; i < count; i++) end[wide_value(&row[i], digit)]++;
    for (size_t v = 0; v < (size_t)1 << digit.bits; v++) {
        size_t here = end[v];

        end[v] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) spare[end[wide_value(&row[i], digit)]++] = row[i];
    for (size_t v = 0; v < (size_t)1 << digit.bits; v++) {  /* now end[v] is the end of run v */
        wide_sort(spare + first, row + first, end[v] - first, !move);
        first = end[v];
    }
}

void train_rows_sort(uint64_t *row, uint64_t *spare, size_t count, uint32_t words)
{
    if (words == 2) sort_pairs((struct sort_item *)row, (struct sort_item *)spare, count);
    else wide_sort((struct wide *)row, (struct wide *)spare, count, false);
}
