/* tests/unit/learn/boost.c -- boosting by hand, by rounds, from files. */
#include "learn/boost.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void close_to(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12)) fail_msg("%.17g is not %.17g", value, wanted);
}

/* Six rows, one column, labels 0 0 0 1 1 0: at margin 0 all g are +-1/2 and all h 1/4.  The best first split is behind
 * the third row: left G = 3/2, H = 3/4, right G = -1/2, H = 3/4, gain 2.25/1.75 + 0.25/1.75 - 1/2.5. */
static void test_by_hand(void **unused)
{
    double               value[] = { 1, 2, 3, 4, 5, 6 };
    uint8_t              label[] = { 0, 0, 0, 1, 1, 0 };
    struct learn_data    d = { .rows = 6, .columns = 1, .value = value, .label = label };
    struct boost_options o = BOOST_DEFAULTS;
    struct boost         b;
    struct err           err = { 0 };
    double               left, right, g[2], h[2];

    (void)unused;
    o.rounds = 1, o.max_depth = 1, o.learning_rate = 0.5, o.min_weight = 0.5;
    assert_int_equal(boost_fit(&d, &o, &b, &err), 0);
    assert_int_equal(b.tree[0].count, 3);
    close_to(b.tree[0].node[0].threshold, 3.5);
    close_to(b.tree[0].node[0].gain, 2.25 / 1.75 + 0.25 / 1.75 - 1 / 2.5);
    left = boost_margin(&b, value), right = boost_margin(&b, value + 3);
    close_to(left, 0.5 * -1.5 / 1.75);
    close_to(right, 0.5 * 0.5 / 1.75);
    close_to(boost_probability(&b, value), 1 / (1 + exp(-left)));
    boost_free(&b);
    o.rounds = 2;                                           /* the second tree stands on the first one's margins */
    assert_int_equal(boost_fit(&d, &o, &b, &err), 0);
    g[0] = 3 / (1 + exp(-left)), h[0] = g[0] / 3 * (1 - g[0] / 3) * 3;
    g[1] = 3 / (1 + exp(-right)) - 2, h[1] = (g[1] + 2) / 3 * (1 - (g[1] + 2) / 3) * 3;
    close_to(b.tree[1].node[0].threshold, 3.5);
    close_to(boost_margin(&b, value), left - 0.5 * g[0] / (h[0] + 1));
    close_to(boost_margin(&b, value + 3), right - 0.5 * g[1] / (h[1] + 1));
    boost_free(&b);
    o.rounds = 1, o.min_weight = 1.25;                      /* no side may be as light: the root alone */
    assert_int_equal(boost_fit(&d, &o, &b, &err), 0);
    assert_int_equal(b.tree[0].count, 1);
    close_to(boost_margin(&b, value), -0.5 * 1 / 2.5);
    boost_free(&b);
}

static double share_right(const struct boost *b, const struct learn_data *d)
{
    size_t right = 0;

    for (size_t i = 0; i < d->rows; i++) right += (boost_probability(b, learn_row(d, i)) > 0.5) == d->label[i];
    return (double)right / (double)d->rows;
}

static void test_learns(void **unused)
{
    struct learn_data    train = learn_set(500, 6, 0.05, 1), test = learn_set(500, 6, 0, 2);
    struct boost_options o = BOOST_DEFAULTS;
    struct boost         b, same, other;
    double               importance[6], sum = 0;
    size_t               differ = 0;
    struct err           err = { 0 };

    (void)unused;
    o.rounds = 60, o.max_depth = 3, o.learning_rate = 0.1, o.rows_share = 0.8, o.columns_share = 0.6, o.seed = 3;
    assert_int_equal(boost_fit(&train, &o, &b, &err), 0);
    assert_true(share_right(&b, &test) > 0.9);
    assert_int_equal(boost_importance(&b, importance, &err), 0);
    for (size_t c = 0; c < 6; c++) sum += importance[c];
    close_to(sum, 1);
    for (size_t c = 2; c < 6; c++) assert_true(importance[c] < importance[0] && importance[c] < importance[1]);
    for (uint32_t i = 0; i < o.rounds; i++) {               /* three columns of six a tree, not more */
        uint8_t seen[6] = { 0 }, all = 0;

        for (uint32_t n = 0; n < b.tree[i].count; n++)
            if (b.tree[i].node[n].column >= 0) seen[b.tree[i].node[n].column] = 1;
        for (size_t c = 0; c < 6; c++) all = (uint8_t)(all + seen[c]);
        assert_true(all <= 3);
        assert_true(b.tree[i].node[0].rows > 350 && b.tree[i].node[0].rows < 450);
    }
    assert_int_equal(boost_fit(&train, &o, &same, &err), 0);
    o.seed = 4;
    assert_int_equal(boost_fit(&train, &o, &other, &err), 0);
    for (size_t i = 0; i < test.rows; i++) {
        assert_true(boost_margin(&b, learn_row(&test, i)) == boost_margin(&same, learn_row(&test, i)));
        differ += boost_margin(&b, learn_row(&test, i)) != boost_margin(&other, learn_row(&test, i));
    }
    assert_true(differ > 0);
    boost_free(&b);
    boost_free(&same);
    boost_free(&other);
    learn_data_free(&train);
    learn_data_free(&test);
}

static void test_file(void **unused)
{
    struct learn_data    d = learn_set(120, 4, 0.1, 6);
    struct boost_options o = BOOST_DEFAULTS;
    struct boost         b, back;
    struct err           err = { 0 };

    (void)unused;
    o.rounds = 12, o.rows_share = 0.7, o.seed = 9;
    assert_int_equal(boost_fit(&d, &o, &b, &err), 0);
    assert_int_equal(boost_write(&b, "learn_boost.json", &err), 0);
    assert_int_equal(boost_read("learn_boost.json", &back, &err), 0);
    assert_memory_equal(&back.options, &b.options, sizeof back.options);
    for (size_t i = 0; i < d.rows; i++)
        assert_true(boost_margin(&b, learn_row(&d, i)) == boost_margin(&back, learn_row(&d, i)));
    boost_free(&back);
    b.tree[3].node[0].value = 1e299;
    assert_int_equal(boost_write(&b, "learn_boost.json", &err), 0);
    assert_int_equal(boost_read("learn_boost.json", &back, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "tree 3"));
    assert_null(back.tree);
    write_text("learn_boost.json", "{\"format\":\"leakgraph gradient boosting\",\"version\":1,\"columns\":1}");
    assert_int_equal(boost_read("learn_boost.json", &back, &err), -EBADMSG);
    unlink("learn_boost.json");
    boost_free(&b);
    learn_data_free(&d);
}

static void test_refused(void **unused)
{
    struct learn_data    d = learn_set(20, 3, 0, 5);
    struct boost_options o[6];
    struct boost         b;
    struct err           err = { 0 };

    (void)unused;
    for (size_t i = 0; i < 6; i++) o[i] = BOOST_DEFAULTS;
    o[0].rounds = 0, o[1].learning_rate = 0, o[2].rows_share = 1.5, o[3].columns_share = NAN, o[4].lambda = -1;
    o[5].seed = UINT64_MAX;
    for (size_t i = 0; i < 6; i++) assert_int_equal(boost_fit(&d, o + i, &b, &err), -EINVAL);
    assert_null(b.tree);
    learn_data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand), cmocka_unit_test(test_learns),
                                        cmocka_unit_test(test_file), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("learn/boost", tests, folder_enter, folder_leave);
}
