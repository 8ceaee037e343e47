/* tests/unit/regress/numbers.c -- linear mixed models where the answer is known: variances of balanced groups are those
 * of the analysis of variance (Searle, Casella and McCulloch 1992, Variance Components, ch. 4), and the likelihood is
 * that of the normal distribution with the covariance matrix written out. */
#include "tests/unit/regress/common.h"

enum { OUTER = 6, INNER = 4, AGAIN = 3, CELLS = OUTER * INNER * AGAIN };

struct squares { double outer, inner, rest, total, mean; };     /* mean squares; of all, the sum */

static void fit(struct made *m, struct regression *r)
{
    struct err err = { 0 };

    if (regression_fit(&m->data, r, &err) < 0) fail_msg("%s", err.text);
}

/* INNER levels in each of OUTER, AGAIN rows in each, in a mixed order. */
static void balanced(struct made *m, double outer, double inner, uint64_t *state)
{
    double effect[OUTER], within[OUTER * INNER];

    for (size_t i = 0; i < OUTER; i++) effect[i] = outer * normal_draw(state);
    for (size_t i = 0; i < OUTER * INNER; i++) within[i] = inner * normal_draw(state);
    made_begin(m, CELLS, 1, state);
    m->data.terms = 2;
    m->data.term[0] = (struct grouping){ OUTER, m->level[0] };
    m->data.term[1] = (struct grouping){ OUTER * INNER, m->level[1] };
    for (size_t i = 0; i < CELLS; i++) {
        const size_t cell = i * 7 % (OUTER * INNER);

        m->level[0][i] = (uint32_t)(cell / INNER);
        m->level[1][i] = (uint32_t)cell;
        m->y[i] = 100 + effect[cell / INNER] + within[cell] + normal_draw(state);
    }
}

static struct squares squares_of(const struct made *m)
{
    double         outer[OUTER] = { 0 }, inner[OUTER * INNER] = { 0 };
    struct squares s = { .outer = 0 };

    for (size_t i = 0; i < CELLS; i++) {
        s.mean += m->y[i] / CELLS;
        outer[m->level[0][i]] += m->y[i] / (INNER * AGAIN);
        inner[m->level[1][i]] += m->y[i] / AGAIN;
    }
    for (size_t i = 0; i < CELLS; i++) {
        const double o = outer[m->level[0][i]], c = inner[m->level[1][i]], y = m->y[i];

        s.outer += (o - s.mean) * (o - s.mean) / (OUTER - 1);
        s.inner += (c - o) * (c - o) / (OUTER * (INNER - 1));
        s.rest += (y - c) * (y - c) / (OUTER * INNER * (AGAIN - 1));
        s.total += (y - s.mean) * (y - s.mean);
    }
    return s;
}

static void test_one_way(void **unused)
{
    uint64_t state = seed_of_run();

    (void)unused;
    for (int round = 0; round < 10; round++) {
        struct made       m;
        struct squares    s;
        struct regression r;
        double            left;

        balanced(&m, 2, 0, &state);
        s = squares_of(&m);
        m.data.terms = 1;
        left = (s.total - (OUTER - 1) * s.outer) / (CELLS - OUTER);
        fit(&m, &r);
        assert_int_equal(r.method, METHOD_REML);
        close_to(r.residual, left, 1e-5);
        close_to(r.variance[0], (s.outer - left) / (INNER * AGAIN), 1e-5);
        close_to(r.coefficient[0].estimate, s.mean, 1e-12);
        close_to(r.coefficient[0].error, sqrt(s.outer / CELLS), 1e-5);
        close_to(r.aic + 2 * r.log_likelihood, 6, 1e-12);
        regression_free(&r);
        m.data.ml = true;
        fit(&m, &r);
        assert_int_equal(r.method, METHOD_ML);
        close_to(r.residual, left, 1e-5);
        close_to(r.variance[0], (s.outer * (OUTER - 1) / OUTER - left) / (INNER * AGAIN), 1e-5);
        regression_free(&r);
    }
}

static void test_nested(void **unused)
{
    uint64_t state = seed_of_run();

    (void)unused;
    for (int round = 0; round < 5; round++) {
        struct made       m;
        struct squares    s;
        struct regression r;

        do {
            balanced(&m, 2, 1.5, &state);
            s = squares_of(&m);
        } while (s.outer < s.inner || s.inner < s.rest);
        fit(&m, &r);
        close_to(r.residual, s.rest, 1e-5);
        close_to(r.variance[1], (s.inner - s.rest) / AGAIN, 1e-5);
        close_to(r.variance[0], (s.outer - s.inner) / (INNER * AGAIN), 1e-5);
        close_to(r.coefficient[0].error, sqrt(s.outer / CELLS), 1e-5);
        assert_false(r.singular);
        regression_free(&r);
    }
}

/* One row of each pair of levels. */
static void test_crossed(void **unused)
{
    enum { A = 9, B = 7 };
    uint64_t          state = seed_of_run();
    struct made       m;
    struct regression r;
    double            a[A] = { 0 }, b[B] = { 0 }, mean = 0, of_a = 0, of_b = 0, rest = 0;

    (void)unused;
    made_begin(&m, A * B, 1, &state);
    for (size_t i = 0; i < A; i++) a[i] = 3 * normal_draw(&state);
    for (size_t i = 0; i < B; i++) b[i] = 2 * normal_draw(&state);
    for (size_t i = 0; i < A * B; i++) {
        m.level[0][i] = (uint32_t)(i % B);
        m.level[1][i] = (uint32_t)(i / B);
        m.y[i] = a[i / B] + b[i % B] + normal_draw(&state);
    }
    m.data.terms = 2;
    m.data.term[0] = (struct grouping){ B, m.level[0] };
    m.data.term[1] = (struct grouping){ A, m.level[1] };
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    for (size_t i = 0; i < A * B; i++) {
        mean += m.y[i] / (A * B);
        a[i / B] += m.y[i] / B;
        b[i % B] += m.y[i] / A;
    }
    for (size_t i = 0; i < A * B; i++) {
        const double left = m.y[i] - a[i / B] - b[i % B] + mean;

        of_a += (a[i / B] - mean) * (a[i / B] - mean) / (A - 1);
        of_b += (b[i % B] - mean) * (b[i % B] - mean) / (B - 1);
        rest += left * left / ((A - 1) * (B - 1));
    }
    fit(&m, &r);
    close_to(r.residual, rest, 1e-5);
    close_to(r.variance[0], (of_b - rest) / A, 1e-5);
    close_to(r.variance[1], (of_a - rest) / B, 1e-5);
    regression_free(&r);
}

/* Groups that differ less than chance would have it: the variance is 0, and said to be. */
static void test_singular(void **unused)
{
    uint64_t          state = seed_of_run();
    struct made       m;
    struct regression r;
    struct squares    s;

    (void)unused;
    balanced(&m, 0, 0, &state);
    for (size_t i = 0; i < CELLS; i++) m.y[i] = (double)(i / (OUTER * INNER)) + 0.1 * (m.level[0][i] % 2);
    s = squares_of(&m);
    m.data.terms = 1;
    fit(&m, &r);
    assert_true(r.singular);
    assert_true(r.variance[0] <= 0);
    close_to(r.residual, s.total / (CELLS - 1), 1e-9);
    regression_free(&r);
}

/* log p of y by the covariance matrix, ML or REML, at given variances; b is what generalised least squares give. */
static double dense(const struct made *m, const double *variance, double residual)
{
    enum { ROWS = 60, WIDE = ROWS + 4 };
    const struct regression_data *d = &m->data;
    static double                 v[ROWS][WIDE];            /* V, then X and y, which become L^-1 of them */
    double                        cross[4][4] = { { 0 } }, sum = 0;
    const size_t                  n = d->rows, p = d->columns;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            v[i][j] = i == j ? residual : 0;
            for (size_t t = 0; t < d->terms; t++) v[i][j] += m->level[t][i] == m->level[t][j] ? variance[t] : 0;
        }
        for (size_t k = 0; k < p; k++) v[i][n + k] = m->x[i * p + k];
        v[i][n + p] = m->y[i];
    }
    for (size_t k = 0; k < n; k++) {
        const double root = sqrt(v[k][k]);

        sum += 2 * log(root);
        for (size_t j = k; j < n + p + 1; j++) v[k][j] /= root;
        for (size_t i = k + 1; i < n; i++) {
            const double part = v[k][i];

            for (size_t j = k + 1; j < n + p + 1; j++) v[i][j] -= part * v[k][j];
        }
    }
    for (size_t a = 0; a <= p; a++)
        for (size_t b = 0; b <= p; b++)
            for (size_t i = 0; i < n; i++) cross[a][b] += v[i][n + a] * v[i][n + b];
    for (size_t k = 0; k < p; k++) {
        if (!d->ml) sum += log(cross[k][k]);
        for (size_t a = k + 1; a <= p; a++)
            for (size_t b = k + 1; b <= p; b++) cross[a][b] -= cross[a][k] * cross[k][b] / cross[k][k];
    }
    return -(sum + cross[p][p] + (double)(n - (d->ml ? 0 : p)) * log(2 * acos(-1))) / 2;
}

static void test_likelihood(void **unused)
{
    uint64_t state = seed_of_run();

    (void)unused;
    for (int round = 0; round < 12; round++) {
        struct made       m;
        struct regression r;

        made_begin(&m, 60, 3, &state);
        made_groups(&m, 0, 5, 1, &state);
        if (round % 3) made_groups(&m, 1, 11, 1.5, &state);
        made_noise(&m, 1, &state);
        m.data.ml = round % 2;
        fit(&m, &r);
        close_to(r.log_likelihood, dense(&m, r.variance, r.residual), 1e-9);
        for (size_t t = 0; t <= m.data.terms; t++)
            for (int side = -1; side <= 1; side += 2) {     /* and nowhere near is it more likely */
                double variance[2] = { r.variance[0], r.variance[1] }, residual = r.residual;

                if (t == m.data.terms) residual *= 1 + 0.02 * side;
                else variance[t] = fmax(0, variance[t] * (1 + 0.02 * side) + (r.singular ? 1e-3 : 0));
                assert_true(dense(&m, variance, residual) <= r.log_likelihood + 1e-9);
            }
        regression_free(&r);
    }
}

/* Neither far from 0 nor in other units does a digit go. */
static void test_scale(void **unused)
{
    uint64_t          state = seed_of_run();
    struct made       m;
    struct regression r, far;

    (void)unused;
    made_begin(&m, 200, 2, &state);
    made_groups(&m, 0, 20, 1, &state);
    made_noise(&m, 1, &state);
    fit(&m, &r);
    for (size_t i = 0; i < 200; i++) {
        m.y[i] = 1e6 + 1e-3 * m.y[i];
        m.x[i * 2 + 1] = 1e4 + m.x[i * 2 + 1];
    }
    fit(&m, &far);
    close_to(far.coefficient[1].estimate * 1e3, r.coefficient[1].estimate, 1e-5);
    close_to(far.coefficient[1].error * 1e3, r.coefficient[1].error, 1e-5);
    close_to(far.variance[0] * 1e6, r.variance[0], 1e-5);
    regression_free(&r);
    regression_free(&far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_way), cmocka_unit_test(test_nested), cmocka_unit_test(test_crossed),
        cmocka_unit_test(test_singular), cmocka_unit_test(test_likelihood), cmocka_unit_test(test_scale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
