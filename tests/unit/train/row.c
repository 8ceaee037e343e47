/* tests/unit/train/row.c -- rows of tokens as numbers: shapes by hand, there and back, and their order. */
#include "train/private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint64_t state = 1;

static uint64_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32 ^ state << 32;
}

static void shapes_by_hand(void **unused)
{
    static const struct { uint32_t order, tokens, bits, words; uint64_t mask[4]; } cases[] = {
        { 2, 3, 2, 2, { 0, 0xF } }, { 2, 4, 2, 2, { 0, 0xF } }, { 2, 5, 3, 2, { 0, 0x3F } },
        { 4, 1 << 16, 16, 2, { 0, UINT64_MAX } }, { 5, 1 << 16, 16, 2, { 0xFFFF, UINT64_MAX } },
        { 4, UINT32_MAX, 32, 2, { UINT64_MAX, UINT64_MAX } }, { 5, UINT32_MAX, 32, 4, { 0, 0xFFFFFFFF, UINT64_MAX,
                                                                                      UINT64_MAX } },
        { 7, UINT32_MAX, 32, 4, { 0xFFFFFFFF, UINT64_MAX, UINT64_MAX, UINT64_MAX } },
        { 6, 1 << 22, 22, 4, { 0, 0xF, UINT64_MAX, UINT64_MAX } },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct train_row_shape shape = train_row_shape(cases[i].order, cases[i].tokens);

        if (shape.order != cases[i].order || shape.bits != cases[i].bits || shape.words != cases[i].words ||
            memcmp(shape.mask, cases[i].mask, shape.words * sizeof *shape.mask) != 0)
            fail_msg("case %zu: %u bits, %u words", i, shape.bits, shape.words);
    }
}

static void a_row_by_hand(void **unused)
{
    const struct train_row_shape shape = train_row_shape(3, 1 << 30);
    const uint32_t               token[3] = { 0x3FFFFFFF, 1, 0x20000003 };
    uint64_t                     row[2];

    (void)unused;
    train_row_pack(&shape, token, row);
    assert_true(row[1] == (0x20000003u | (uint64_t)1 << 30 | (uint64_t)0x3FFFFFFF << 60));
    assert_true(row[0] == 0x3FFFFFFF >> 4);
}

/* Tokens come back, nothing stands outside the mask, and the order of numbers is that of tokens. */
static void there_and_back(void **unused)
{
    (void)unused;
    for (uint32_t order = 1; order <= LM_ORDER_MAX; order++)
        for (uint32_t tokens = 3; tokens; tokens = tokens < 1u << 31 ? tokens * 2 - tokens % 2 : 0) {
            const struct train_row_shape shape = train_row_shape(order, tokens);

            for (int round = 0; round < 20; round++) {
                uint32_t token[2][LM_ORDER_MAX], back[LM_ORDER_MAX];
                uint64_t row[2][4];
                int      less = 0;

                for (uint32_t i = 0; i < order; i++)
                    for (int k = 0; k < 2; k++)
                        token[k][i] = round == 0 ? 0 : round == 1 ? tokens - 1
                            : k && draw() % 2 ? token[0][i] : (uint32_t)(draw() % tokens);
                for (uint32_t i = order; i-- > 0;)
                    if (token[0][i] != token[1][i]) less = token[0][i] < token[1][i] ? -1 : 1;
                for (int k = 0; k < 2; k++) {
                    train_row_pack(&shape, token[k], row[k]);
                    train_row_unpack(&shape, row[k], back);
                    assert_memory_equal(token[k], back, order * sizeof *back);
                    for (uint32_t w = 0; w < shape.words; w++) assert_true((row[k][w] & ~shape.mask[w]) == 0);
                }
                assert_int_equal(train_row_compare(row[0], row[1], shape.words), less);
            }
        }
}

static uint32_t row_words;

static int by_number(const void *a, const void *b) { return train_row_compare(a, b, row_words); }

/* Few and many, spread and alike in all words but one, and all equal. */
static void rows_are_sorted(void **unused)
{
    static const size_t counts[] = { 0, 1, 2, 15, 16, 17, 300, 5000 };
    static uint64_t     row[5000 * 4], wanted[5000 * 4], spare[5000 * 4];

    (void)unused;
    for (row_words = 2; row_words <= 4; row_words += 2)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (uint32_t kind = 0; kind < 4 + row_words; kind++) {
                for (size_t i = 0; i < counts[c]; i++)
                    for (uint32_t w = 0; w < row_words; w++)
                        row[i * row_words + w] = kind == 0 ? draw() : kind == 1 ? draw() % 3 : kind == 2 ? 7
                            : kind == 3 ? (w ? 7 : draw() % 3) : kind - 4 == w ? draw() >> i % 60 : 7;
                memcpy(wanted, row, sizeof row);
                qsort(wanted, counts[c], row_words * sizeof *row, by_number);
                train_rows_sort(row, spare, counts[c], row_words);
                assert_memory_equal(row, wanted, counts[c] * row_words * sizeof *row);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_by_hand), cmocka_unit_test(a_row_by_hand), cmocka_unit_test(there_and_back),
        cmocka_unit_test(rows_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
