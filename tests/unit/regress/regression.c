/* tests/unit/regress/regression.c -- least squares by hand, columns that are left out, and data without an answer. */
#include "tests/unit/regress/common.h"

#include <errno.h>

static void says(struct made *m, const char *words)
{
    struct regression r;
    struct err        err = { 0 };
    const int         rc = regression_fit(&m->data, &r, &err);

    if (rc != -EDOM || !strstr(err.text, words)) fail_msg("%d: \"%s\" does not say \"%s\"", rc, err.text, words);
    regression_free(&r);
}

/* y = 1, 2, 4, 5 at x = 0, 1, 2, 3: slope 1.4, intercept 0.9, squares of residuals 0.2. */
static void test_line(void **unused)
{
    struct made       m = { .data = { .rows = 4, .columns = 2, .name = column_names } };
    struct regression r;
    struct err        err = { 0 };
    const double      y[] = { 1, 2, 4, 5 };

    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        m.x[i * 2] = 1;
        m.x[i * 2 + 1] = (double)i;
    }
    m.data.x = m.x;
    m.data.y = y;
    assert_int_equal(regression_fit(&m.data, &r, &err), 0);
    assert_int_equal(r.method, METHOD_OLS);
    close_to(r.coefficient[0].estimate, 0.9, 1e-12);
    close_to(r.coefficient[1].estimate, 1.4, 1e-12);
    close_to(r.residual, 0.1, 1e-12);
    close_to(r.coefficient[1].error, sqrt(0.1 / 5), 1e-12);
    close_to(r.freedom, 2, 0);
    close_to(r.coefficient[1].high - r.coefficient[1].estimate, 4.30265272975 * sqrt(0.02), 1e-9);
    close_to(r.coefficient[1].p, 1 - 1.4 / sqrt(0.02) / sqrt(2 + 98), 1e-9);    /* two degrees: 1 - t / sqrt(2 + t^2) */
    close_to(r.log_likelihood, -2 * (log(2 * acos(-1) * 0.2 / 4) + 1), 1e-12);
    close_to(r.aic, 6 - 2 * r.log_likelihood, 1e-12);
    close_to(r.bic, 3 * log(4) - 2 * r.log_likelihood, 1e-12);
    regression_free(&r);
}

static void test_left_out(void **unused)
{
    uint64_t          state = seed_of_run();
    struct made       m, without;
    struct regression r, other;
    struct err        err = { 0 };

    (void)unused;
    made_begin(&m, 100, 3, &state);
    made_groups(&m, 0, 10, 1, &state);
    made_noise(&m, 1, &state);
    without = m;
    for (size_t i = 0; i < 100; i++) {
        m.x[i * 3 + 1] = 7;                                 /* no more than the intercept says */
        without.x[i * 2] = 1;
        without.x[i * 2 + 1] = m.x[i * 3 + 2];
    }
    without.data.columns = 2;
    without.data.x = without.x;
    without.data.y = without.y;
    assert_int_equal(regression_fit(&m.data, &r, &err), 0);
    assert_int_equal(regression_fit(&without.data, &other, &err), 0);
    assert_true(r.coefficient[1].left_out && isnan(r.coefficient[1].estimate));
    assert_false(r.coefficient[0].left_out || r.coefficient[2].left_out);
    assert_int_equal(r.kept, 2);
    close_to(r.coefficient[2].estimate, other.coefficient[1].estimate, 1e-9);
    close_to(r.log_likelihood, other.log_likelihood, 1e-9);
    regression_free(&r);
    regression_free(&other);
}

static void test_numbers_without_answer(void **unused)
{
    uint64_t    state = seed_of_run();
    struct made m;

    (void)unused;
    made_begin(&m, 20, 2, &state);
    says(&m, "the columns say the response");
    for (size_t i = 0; i < 20; i++) m.y[i] = 3;
    says(&m, "the same in all 20 rows");
    made_begin(&m, 20, 1, &state);
    made_groups(&m, 0, 5, 1, &state);
    says(&m, "no residual is left");                        /* rows of a group are the same */
    made_noise(&m, 1, &state);
    m.data.term[0].levels = 1;
    memset(m.level[0], 0, sizeof m.level[0]);
    says(&m, "`one` is the same in all rows");
    made_groups(&m, 0, 20, 1, &state);
    says(&m, "`one` is another in each row");
    made_begin(&m, 3, 3, &state);
    made_noise(&m, 1, &state);
    says(&m, "3 rows are too few for 3 columns");
    m.x[4] = 1e200;
    says(&m, "`second` has numbers as large as 1e+200");
    m.x[4] = NAN;
    says(&m, "`second` has numbers as large as nan");
    made_begin(&m, 30, 1, &state);
    for (size_t i = 0; i < 30; i++) m.y[i] = (double)i * 1e-200;
    says(&m, "the response has numbers as large as 2.9e-199");
}

static void test_hits_without_answer(void **unused)
{
    uint64_t    state = seed_of_run();
    struct made m;

    (void)unused;
    made_begin(&m, 60, 2, &state);
    made_hits(&m, LINK_LOGIT, 1, &state);
    for (size_t i = 0; i < 60; i++) m.y[i] = m.x[i * 2 + 1] > 0.2;
    says(&m, "`second` separates hits from misses");        /* wholly */
    for (size_t i = 0; i < 60; i++) {
        m.x[i * 2 + 1] = i < 10;
        m.y[i] = i < 10 || i % 3 == 0;
    }
    says(&m, "`second` separates hits from misses");        /* where it is 1 */
    made_groups(&m, 0, 6, 0, &state);
    says(&m, "`second` separates hits from misses");
    m.data.terms = 0;
    for (double trials = 10; trials <= 1e10; trials *= 1000) {
        for (size_t i = 0; i < 60; i++) {
            m.trials[i] = trials;
            m.y[i] = i < 10 ? 0 : (double)(1 + i % 3);
        }
        says(&m, "`second` separates hits from misses");
    }
    for (size_t i = 0; i < 60; i++) m.trials[i] = 1;
    for (size_t i = 0; i < 60; i++) m.y[i] = 1;
    says(&m, "each of the 60 trials is a hit");
    for (size_t i = 0; i < 60; i++) m.y[i] = 0;
    says(&m, "none of the 60 trials is a hit");
    for (size_t i = 0; i < 60; i++) m.y[i] = i < 10 || i % 3 == 0;
    m.data.link = LINK_LOG;
    says(&m, "--link logit");                               /* a share of 1 */
    for (size_t i = 0; i < 60; i++) m.x[i * 2] = normal_draw(&state);
    says(&m, "the log link needs an intercept");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line), cmocka_unit_test(test_left_out), cmocka_unit_test(test_numbers_without_answer),
        cmocka_unit_test(test_hits_without_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
