/* tests/unit/regress/hits.c -- logistic regression and its like where the answer is known, and Laplace's likelihood
 * against the same of each group alone. */
#include "tests/unit/regress/common.h"

static void fit(struct made *m, struct regression *r)
{
    struct err err = { 0 };

    if (regression_fit(&m->data, r, &err) < 0) fail_msg("%s", err.text);
}

/* Two sets of trials: the coefficients are the logarithms of odds, or shares, and their ratio. */
static void test_two_shares(void **unused)
{
    const double      hits[] = { 12, 30 }, trials[] = { 80, 75 };
    struct made       m = { .data = { .rows = 2, .columns = 2, .name = column_names } };
    struct regression r;
    double            odds[2], choose = 0, likely = 0;

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        const double share = hits[i] / trials[i];

        m.x[i * 2] = 1;
        m.x[i * 2 + 1] = (double)i;
        odds[i] = hits[i] / (trials[i] - hits[i]);
        choose += lgamma(trials[i] + 1) - lgamma(hits[i] + 1) - lgamma(trials[i] - hits[i] + 1);
        likely += hits[i] * log(share) + (trials[i] - hits[i]) * log(1 - share);
    }
    m.data.x = m.x;
    m.data.y = hits;
    m.data.trials = trials;
    m.data.link = LINK_LOGIT;
    fit(&m, &r);
    assert_int_equal(r.method, METHOD_GLM);
    close_to(r.coefficient[0].estimate, log(odds[0]), 1e-9);
    close_to(r.coefficient[1].estimate, log(odds[1] / odds[0]), 1e-9);
    close_to(r.coefficient[0].error, sqrt(1.0 / 12 + 1.0 / 68), 1e-9);
    close_to(r.coefficient[1].error, sqrt(1.0 / 12 + 1.0 / 68 + 1.0 / 30 + 1.0 / 45), 1e-9);
    close_to(r.log_likelihood, choose + likely, 1e-12);
    close_to(r.aic, 4 - 2 * (choose + likely), 1e-12);
    assert_true(isnan(r.residual));
    regression_free(&r);
    m.data.link = LINK_LOG;
    fit(&m, &r);
    close_to(r.coefficient[0].estimate, log(12.0 / 80), 1e-9);
    close_to(r.coefficient[1].estimate, log(30.0 / 75 / (12.0 / 80)), 1e-9);
    close_to(r.coefficient[0].error, sqrt(1.0 / 12 - 1.0 / 80), 1e-9);
    close_to(r.coefficient[1].error, sqrt(1.0 / 12 - 1.0 / 80 + 1.0 / 30 - 1.0 / 75), 1e-9);
    close_to(r.log_likelihood, choose + likely, 1e-12);
    regression_free(&r);
}

/* Of eta: log p of one row, the first derivative, the weight that the step and the determinant have. */
static double row_chance(enum regression_link link, double eta, double y, double n, double *slope, double *weight)
{
    const double mu = link == LINK_LOGIT ? 1 / (1 + exp(-eta)) : exp(eta);

    *slope = link == LINK_LOGIT ? y - n * mu : (y - n * mu) / (1 - mu);
    *weight = link == LINK_LOGIT ? n * mu * (1 - mu) : n * mu / (1 - mu);
    return y * log(mu) + (n > y ? (n - y) * log(1 - mu) : 0) + lgamma(n + 1) - lgamma(y + 1) - lgamma(n - y + 1);
}

/* Laplace's log-likelihood of one grouping factor: the mode of each level by bisection. */
static double laplace(const struct made *m, const double *beta, double theta)
{
    const struct regression_data *d = &m->data;
    double                        sum = 0;

    for (uint32_t level = 0; level < d->term[0].levels; level++) {
        double low = -20, high = 20, likely = 0, weights = 0;

        for (int pass = 0; pass < 200; pass++) {
            const double u = (low + high) / 2;
            double       slope = -u;
            bool         out = false;

            likely = -u * u / 2;
            weights = 1;
            for (size_t i = 0; i < d->rows; i++) {
                double eta = theta * u, s, w;

                if (m->level[0][i] != level) continue;
                for (size_t k = 0; k < d->columns; k++) eta += beta[k] * m->x[i * d->columns + k];
                out |= d->link == LINK_LOG && eta >= 0;
                likely += row_chance(d->link, eta, m->y[i], m->trials[i], &s, &w);
                slope += theta * s;
                weights += theta * theta * w;
            }
            if (out || slope < 0) high = u;
            else low = u;
        }
        sum += likely - log(weights) / 2;
    }
    return sum;
}

static void test_laplace(void **unused)
{
    uint64_t state = seed_of_run();

    (void)unused;
    for (int round = 0; round < 6; round++) {
        const enum regression_link link = round % 2 ? LINK_LOG : LINK_LOGIT;
        struct made                m;
        struct regression          r;
        double                     beta[2], best;

        made_begin(&m, 120, 2, &state);
        made_groups(&m, 0, 15, link == LINK_LOG ? 0.3 : 1, &state);
        made_hits(&m, link, 6, &state);
        fit(&m, &r);
        assert_int_equal(r.method, METHOD_LAPLACE);
        beta[0] = r.coefficient[0].estimate;
        beta[1] = r.coefficient[1].estimate;
        best = laplace(&m, beta, sqrt(r.variance[0]));
        close_to(r.log_likelihood, best, 1e-9);
        for (int k = 0; k < 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double moved[2] = { beta[0] + side * 0.01 * (k == 0), beta[1] + side * 0.01 * (k == 1) };

                assert_true(laplace(&m, moved, fabs(sqrt(r.variance[0]) + side * 0.01 * (k == 2))) <= best + 1e-9);
            }
        close_to(r.aic, 6 - 2 * best, 1e-9);
        regression_free(&r);
    }
}

/* Groups that are alike: the variance is 0, and all else is that of no groups. */
static void test_singular(void **unused)
{
    uint64_t          state = seed_of_run();
    struct made       m;
    struct regression r, plain;

    (void)unused;
    made_begin(&m, 100, 2, &state);
    made_groups(&m, 0, 10, 0, &state);
    for (size_t i = 0; i < 100; i++) {
        m.level[0][i] = (uint32_t)(i / 10);
        m.x[i * 2 + 1] = (double)(i % 10);
        m.trials[i] = 10;
        m.y[i] = (double)(2 + i % 10 / 2);
    }
    m.data.trials = m.trials;
    m.data.link = LINK_LOGIT;
    fit(&m, &r);
    m.data.terms = 0;
    fit(&m, &plain);
    assert_true(r.singular);
    assert_true(r.variance[0] <= 0);
    for (size_t k = 0; k < 2; k++) {
        close_to(r.coefficient[k].estimate, plain.coefficient[k].estimate, 1e-5);
        close_to(r.coefficient[k].error, plain.coefficient[k].error, 1e-4);
    }
    close_to(r.log_likelihood, plain.log_likelihood, 1e-9);
    regression_free(&r);
    regression_free(&plain);
}

/* Two crossed factors: the order of rows and of factors says nothing. */
static void test_order(void **unused)
{
    uint64_t          state = seed_of_run();
    struct made       m, other;
    struct regression r, turned;

    (void)unused;
    made_begin(&m, 300, 2, &state);
    made_groups(&m, 0, 20, 0.8, &state);
    made_groups(&m, 1, 8, 0.5, &state);
    made_hits(&m, LINK_LOGIT, 5, &state);
    fit(&m, &r);
    other = m;
    other.data.x = other.x;
    other.data.y = other.y;
    other.data.trials = other.trials;
    for (size_t i = 0; i < 300; i++) {
        const size_t from = i * 7 % 300;

        memcpy(other.x + i * 2, m.x + from * 2, 2 * sizeof(double));
        other.y[i] = m.y[from];
        other.trials[i] = m.trials[from];
        other.level[0][i] = m.level[1][from];
        other.level[1][i] = m.level[0][from];
    }
    other.data.term[0] = (struct grouping){ 8, other.level[0] };
    other.data.term[1] = (struct grouping){ 20, other.level[1] };
    fit(&other, &turned);
    close_to(turned.log_likelihood, r.log_likelihood, 1e-9);
    for (size_t k = 0; k < 2; k++) {
        close_to(turned.coefficient[k].estimate, r.coefficient[k].estimate, 1e-5);
        close_to(turned.variance[k], r.variance[1 - k], 1e-4);
    }
    regression_free(&r);
    regression_free(&turned);
}

/* Few hits of very many trials are no separation; numbers by Newton's method on the table as it is. */
static void test_rare(void **unused)
{
    static const double hits[] = { 3, 5, 4, 9, 6 }, trials[] = { 2e8, 4e8, 3e8, 5e8, 2.4e8 },
                        second[] = { 0, 1, 0, 1, 2 };
    struct made         m = { .data = { .rows = 5, .columns = 2, .name = column_names } };

    (void)unused;
    for (size_t i = 0; i < 5; i++) {
        m.x[i * 2] = 1;
        m.x[i * 2 + 1] = second[i];
    }
    m.data.x = m.x;
    m.data.y = hits;
    m.data.trials = trials;
    for (int link = 0; link < 2; link++) {
        struct regression r;

        m.data.link = link ? LINK_LOG : LINK_LOGIT;
        fit(&m, &r);
        close_to(r.coefficient[0].estimate, -18.1763165, 1e-7);
        close_to(r.coefficient[1].estimate, 0.28180363, 1e-7);
        close_to(r.coefficient[0].error, 0.34071019, 1e-7);
        close_to(r.coefficient[1].error, 0.29196545, 1e-7);
        regression_free(&r);
    }
}

/* The more trials the surer, and nothing else: the log-likelihood of 10^9 trials a row has no digits left for it. */
static void test_many_trials(void **unused)
{
    enum { ROWS = 200, LEVELS = 10 };
    double slope = 0, error = 0;

    (void)unused;
    for (double trials = 1e4; trials < 2e9; trials *= 10) {
        struct made       m = { .data = { .rows = ROWS, .columns = 2, .terms = 1, .name = column_names,
                                          .term_name = group_names } };
        struct regression r;
        uint64_t          state = 4;

        for (size_t i = 0; i < ROWS; i++) {
            m.x[i * 2] = 1;
            m.x[i * 2 + 1] = normal_draw(&state);
            m.level[0][i] = (uint32_t)(i % LEVELS);
            m.trials[i] = trials;
            m.y[i] = round(trials / (1 + exp(-0.5 * m.x[i * 2 + 1] - 0.1 * (double)(i % LEVELS))));
        }
        m.data.term[0] = (struct grouping){ LEVELS, m.level[0] };
        m.data.x = m.x;
        m.data.y = m.y;
        m.data.trials = m.trials;
        m.data.link = LINK_LOGIT;
        fit(&m, &r);
        if (slope > 0) {
            close_to(r.coefficient[1].estimate, slope, 1e-4);
            close_to(r.coefficient[1].error * sqrt(trials), error, 1e-3);
        }
        slope = r.coefficient[1].estimate;
        error = r.coefficient[1].error * sqrt(trials);
        close_to(slope, 0.5, 1e-3);
        regression_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_shares), cmocka_unit_test(test_laplace), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_order), cmocka_unit_test(test_rare), cmocka_unit_test(test_many_trials),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
