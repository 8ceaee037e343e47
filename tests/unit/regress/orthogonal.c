/* tests/unit/regress/orthogonal.c -- Q R is X, Q'Q is 1, and what others make up is left out. */
#include "tests/unit/regress/common.h"

#include "regress/orthogonal.h"

enum { ROWS = 40, COLUMNS = 5 };

/* 1, x, 2 - 3 x, z far from 0, x + z */
static void fill(double *x)
{
    uint64_t state = seed_of_run();

    for (size_t i = 0; i < ROWS; i++) {
        double *row = x + i * COLUMNS;

        row[0] = 1;
        row[1] = normal_draw(&state);
        row[2] = 2 - 3 * row[1];
        row[3] = 1e5 + normal_draw(&state);
        row[4] = row[1] + row[3];
    }
}

static void test_made_up(void **unused)
{
    double            given[ROWS * COLUMNS], q[ROWS * COLUMNS], logarithm = 0;
    struct orthogonal o;

    (void)unused;
    fill(given);
    memcpy(q, given, sizeof q);
    assert_int_equal(orthogonal_make(&o, q, ROWS, COLUMNS), 0);
    assert_int_equal(o.of, 3);
    assert_int_equal(o.column[1], 1);
    assert_int_equal(o.column[2], 3);
    for (size_t a = 0; a < o.of; a++)
        for (size_t b = 0; b < o.of; b++) {
            double sum = 0;

            for (size_t i = 0; i < ROWS; i++) sum += q[i * o.of + a] * q[i * o.of + b];
            close_to(sum, a == b, 1e-12);
        }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t b = 0; b < o.of; b++) {
            double sum = 0;

            for (size_t a = 0; a <= b; a++) sum += q[i * o.of + a] * o.r[a * o.of + b];
            close_to(sum, given[i * COLUMNS + o.column[b]], 1e-9);
        }
    for (size_t a = 0; a < o.of; a++) logarithm += log(fabs(o.r[a * o.of + a]));
    close_to(orthogonal_log(&o), logarithm, 1e-12);
    orthogonal_free(&o);
}

/* R of a vector, undone. */
static void test_undo(void **unused)
{
    double            q[ROWS * COLUMNS], vector[3] = { 1, -2, 0.5 }, image[3] = { 0 };
    struct orthogonal o;

    (void)unused;
    fill(q);
    assert_int_equal(orthogonal_make(&o, q, ROWS, COLUMNS), 0);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = a; b < 3; b++) image[a] += o.r[a * 3 + b] * vector[b];
    orthogonal_undo(&o, image);
    for (size_t a = 0; a < 3; a++) close_to(image[a], vector[a], 1e-6);
    orthogonal_free(&o);
}

static void test_edges(void **unused)
{
    double            zero[4] = { 0 }, wide[6] = { 1, 2, 3, 4, 5, 7 };
    struct orthogonal o;

    (void)unused;
    assert_int_equal(orthogonal_make(&o, zero, 4, 1), 0);
    assert_int_equal(o.of, 0);
    orthogonal_free(&o);
    assert_int_equal(orthogonal_make(&o, wide, 2, 3), 0);   /* no more columns than rows */
    assert_int_equal(o.of, 2);
    orthogonal_free(&o);
    assert_int_equal(orthogonal_make(&o, wide, 2, 0), 0);
    orthogonal_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_up), cmocka_unit_test(test_undo), cmocka_unit_test(test_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
