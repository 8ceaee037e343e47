/* tests/unit/regress/envelope.c -- factors and solutions against the products that they come of. */
#include "tests/unit/regress/common.h"

#include "regress/envelope.h"

#include <errno.h>

enum { SIZE = 23 };

/* B B' + I in the envelope of B; b: the whole matrix. */
static void fill(struct envelope *e, double b[SIZE][SIZE], uint64_t *state)
{
    double lower[SIZE][SIZE] = { { 0 } };

    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = e->first[i]; j <= i; j++) lower[i][j] = normal_draw(state);
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) {
            b[i][j] = i == j;
            for (size_t k = 0; k < SIZE; k++) b[i][j] += lower[i][k] * lower[j][k];
            if (j <= i && j >= e->first[i]) *envelope_at(e, i, j) = b[i][j];
        }
}

static void test_solve(void **unused)
{
    uint64_t state = seed_of_run();

    (void)unused;
    for (int round = 0; round < 20; round++) {
        struct envelope e;
        size_t          first[SIZE];
        double          matrix[SIZE][SIZE], x[SIZE], right[SIZE] = { 0 };

        for (size_t i = 0; i < SIZE; i++) {
            first[i] = round ? (size_t)draw(&state) % (i + 1) : i;
            x[i] = normal_draw(&state);
        }
        assert_int_equal(envelope_open(&e, SIZE, first), 0);
        if (!round) assert_int_equal(e.count, SIZE);
        fill(&e, matrix, &state);
        for (size_t i = 0; i < SIZE; i++)
            for (size_t j = 0; j < SIZE; j++) right[i] += matrix[i][j] * x[j];
        assert_true(envelope_factor(&e, SIZE));
        envelope_forward(&e, SIZE, right);
        envelope_back(&e, SIZE, right);
        for (size_t i = 0; i < SIZE; i++) close_to(right[i], x[i], 1e-9);
        envelope_clear(&e);
        assert_false(envelope_factor(&e, SIZE));            /* all 0 */
        assert_true(envelope_factor(&e, 0));
        envelope_close(&e);
    }
}

static void test_refused(void **unused)
{
    const size_t    size = 20000;
    size_t         *first = calloc(size, sizeof *first);
    struct envelope e;

    (void)unused;
    assert_int_equal(envelope_open(&e, size, first), -E2BIG);
    free(first);
    first = calloc(2, sizeof *first);
    assert_int_equal(envelope_open(&e, 2, first), 0);
    *envelope_at(&e, 0, 0) = *envelope_at(&e, 1, 1) = *envelope_at(&e, 1, 0) = 1;
    assert_false(envelope_factor(&e, 2));                   /* the second row is the first */
    envelope_close(&e);
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_solve), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
