/* tests/unit/regress/penalised.c -- the equations against the same ones written out whole. */
#include "tests/unit/regress/common.h"

enum { ROWS = 60, FIXED = 3, MOST = 64 };

struct whole { size_t size, groups; double at[MOST][MOST]; };

/* The row of Z L and X, and the matrix of all. */
static void row_of(const struct penalised *p, size_t row, double *out)
{
    memset(out, 0, MOST * sizeof *out);
    for (size_t t = 0; t < p->terms; t++) out[p->offset[t] + p->term[t].of[row]] = p->theta[t];
    for (size_t k = 0; k < p->fixed; k++) out[p->offset[p->terms] + k] = p->x[row * p->fixed + k];
}

static void write_out(const struct penalised *p, const double *weight, bool with_fixed, struct whole *w)
{
    double row[MOST];

    *w = (struct whole){ .groups = p->offset[p->terms], .size = p->offset[p->terms] + (with_fixed ? p->fixed : 0) };
    for (size_t i = 0; i < w->groups; i++) w->at[i][i] = 1;
    for (size_t n = 0; n < p->rows; n++) {
        row_of(p, n, row);
        for (size_t i = 0; i < w->size; i++)
            for (size_t j = 0; j < w->size; j++) w->at[i][j] += (weight ? weight[n] : 1) * row[i] * row[j];
    }
}

/* log determinant of the first rows, by elimination. */
static double logarithm(const struct whole *w, size_t size)
{
    struct whole copy = *w;
    double       sum = 0;

    for (size_t k = 0; k < size; k++) {
        sum += log(copy.at[k][k]);
        for (size_t i = k + 1; i < size; i++)
            for (size_t j = k + 1; j < size; j++) copy.at[i][j] -= copy.at[i][k] * copy.at[k][j] / copy.at[k][k];
    }
    return sum;
}

static void check(struct penalised *p, const double *theta, const double *weight, bool with_fixed, uint64_t *state)
{
    static struct whole w;
    double              x[MOST], right[MOST] = { 0 }, of[ROWS], gathered[MOST], spread[ROWS], row[MOST];
    double              one = 0, other = 0;

    penalised_choose(p, theta, with_fixed);
    assert_true(penalised_factor(p, weight));
    write_out(p, weight, with_fixed, &w);
    close_to(p->log_groups, logarithm(&w, w.groups), 1e-10);
    if (with_fixed) close_to(p->log_groups + p->log_fixed, logarithm(&w, w.size), 1e-10);
    for (size_t i = 0; i < w.size; i++) x[i] = normal_draw(state);
    for (size_t i = 0; i < w.size; i++)
        for (size_t j = 0; j < w.size; j++) right[i] += w.at[i][j] * x[j];
    penalised_solve(p, right);
    for (size_t i = 0; i < w.size; i++) close_to(right[i], x[i], 1e-8);
    for (size_t n = 0; n < ROWS; n++) of[n] = normal_draw(state);
    penalised_gather(p, of, gathered);
    penalised_spread(p, x, spread);
    for (size_t n = 0; n < ROWS; n++) {
        double sum = 0;

        row_of(p, n, row);
        for (size_t i = 0; i < w.size; i++) sum += row[i] * x[i];
        close_to(spread[n], sum, 1e-12);
        one += spread[n] * of[n];
    }
    for (size_t i = 0; i < w.size; i++) other += gathered[i] * x[i];
    close_to(one, other, 1e-10);
}

/* The root of the inverse of what is left for the fixed part: its square times that is 1. */
static void check_root(struct penalised *p)
{
    static struct whole w;
    double              root[FIXED][FIXED] = { { 0 } };

    write_out(p, p->weight, true, &w);
    for (size_t k = 0; k < w.groups; k++)
        for (size_t i = k + 1; i < w.size; i++)
            for (size_t j = k + 1; j < w.size; j++) w.at[i][j] -= w.at[i][k] * w.at[k][j] / w.at[k][k];
    for (size_t k = 0; k < FIXED; k++) {
        root[k][k] = 1;
        penalised_root(p, root[k]);
    }
    for (size_t a = 0; a < FIXED; a++)
        for (size_t b = 0; b < FIXED; b++) {
            double sum = 0;

            for (size_t i = 0; i < FIXED; i++)
                for (size_t j = 0; j < FIXED; j++) sum += root[a][i] * w.at[w.groups + i][w.groups + j] * root[b][j];
            close_to(sum, a == b, 1e-9);
        }
}

/* Levels of the first term ascend; with nested, the second's are those of groups of them. */
static void fill(struct penalised *p, double *x, uint32_t level[3][ROWS], bool nested, uint64_t *state)
{
    for (size_t i = 0; i < ROWS; i++) {
        level[0][i] = (uint32_t)(i / 3);
        level[1][i] = nested ? level[0][i] / 4 : (uint32_t)(i < 7 ? i : draw(state) % 7);
        level[2][i] = (uint32_t)(i < 4 ? i : draw(state) % 4);
        for (size_t k = 0; k < FIXED; k++) x[i * FIXED + k] = k ? normal_draw(state) : 1;
    }
    *p = (struct penalised){ .rows = ROWS, .fixed = FIXED, .x = x };
    p->term[0] = (struct grouping){ ROWS / 3, level[0] };
    p->term[1] = (struct grouping){ nested ? 5 : 7, level[1] };
    p->term[2] = (struct grouping){ 4, level[2] };
}

static void test_equations(void **unused)
{
    const double theta[][3] = { { 1.5, 0.7, 0.2 }, { 0, 2, 1 }, { 0.5, 0, 0 }, { -1, 3, -0.1 } };
    uint64_t     state = seed_of_run();

    (void)unused;
    for (size_t terms = 0; terms <= 3; terms++)
        for (int nested = 0; nested < 2; nested++) {
            struct penalised p;
            uint32_t         level[3][ROWS];
            double           x[ROWS * FIXED], weight[ROWS];

            fill(&p, x, level, nested, &state);
            p.terms = terms;
            assert_int_equal(penalised_open(&p), 0);
            assert_int_equal(penalised_unknowns(&p), p.offset[terms] + FIXED);
            for (size_t i = 0; i < ROWS; i++) weight[i] = i % 5 ? unit_draw(&state) : 0;
            for (size_t k = 0; k < sizeof theta / sizeof *theta; k++) {
                check(&p, theta[k], NULL, true, &state);
                check_root(&p);
                check(&p, theta[k], weight, true, &state);
                check(&p, theta[k], weight, false, &state);
            }
            penalised_close(&p);
        }
}

/* What is nested costs its levels. */
static void test_nested(void **unused)
{
    uint64_t         state = seed_of_run();
    struct penalised p;
    uint32_t         level[3][ROWS];
    double           x[ROWS * FIXED];

    (void)unused;
    fill(&p, x, level, true, &state);
    p.terms = 2;
    assert_int_equal(penalised_open(&p), 0);
    assert_int_equal(p.rest.count, 5 + 6 + 7 + 8);          /* a diagonal, and three whole rows */
    penalised_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_equations), cmocka_unit_test(test_nested) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
