/* tests/unit/learn/tree_grow.c -- splits against those that trying all of them finds. */
#include "learn/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROWS = 60, COLUMNS = 4 };

struct set { double value[ROWS * COLUMNS], weight[ROWS], sum[ROWS]; uint8_t label[ROWS]; struct tree_data data; };

static struct learn_data set_data(struct set *s)
{
    return (struct learn_data){ .rows = ROWS, .columns = COLUMNS, .value = s->value, .label = s->label };
}

/* Few different values, so that many are equal; weights 0, 1, 2 and labels, or any numbers. */
static void set_make(struct set *s, uint64_t seed, int counts)
{
    struct random     r = random_start(seed, 0);
    struct learn_data d = set_data(s);
    struct err        err = { 0 };

    for (size_t i = 0; i < ROWS * COLUMNS; i++) s->value[i] = (double)random_below(&r, 7);
    for (size_t i = 0; i < ROWS; i++) {
        s->label[i] = (uint8_t)random_below(&r, 2);
        s->weight[i] = counts ? (double)random_below(&r, 3) : random_unit(&r);
        s->sum[i] = counts ? s->weight[i] * s->label[i] : random_unit(&r) - 0.5;
    }
    s->weight[0] = 1;
    s->sum[0] = counts ? s->label[0] : 0.25;
    assert_int_equal(learn_tree_data_make(&d, &s->data, &err), 0);
}

static double score_of(const struct tree_options *o, double w, double s)
{
    double p = s / w;

    if (o->split == TREE_SECOND_ORDER) return s * s / (w + o->lambda);
    if (o->split == TREE_GINI) return -w * (1 - p * p - (1 - p) * (1 - p));
    return -w * (p > 0 && p < 1 ? -p * log2(p) - (1 - p) * log2(1 - p) : 0);
}

/* The largest gain of any split of the rows that are inside, over all columns; -1e300 when there is none. */
static double best_gain(const struct set *s, const uint8_t *inside, const struct tree_options *o)
{
    double best = -1e300;

    for (size_t c = 0; c < COLUMNS; c++)
        for (int cut = 0; cut < 6; cut++) {
            double w[2] = { 0 }, sum[2] = { 0 };
            size_t rows[2] = { 0 };

            for (size_t r = 0; r < ROWS; r++) {
                int right = s->value[r * COLUMNS + c] > cut;

                if (!inside[r] || s->weight[r] <= 0) continue;
                w[right] += s->weight[r], sum[right] += s->sum[r], rows[right]++;
            }
            if (rows[0] < o->min_rows_leaf || rows[1] < o->min_rows_leaf || !rows[0] || !rows[1]) continue;
            if (o->split == TREE_SECOND_ORDER && (w[0] < o->min_weight || w[1] < o->min_weight)) continue;
            best = fmax(best, score_of(o, w[0], sum[0]) + score_of(o, w[1], sum[1]) -
                              score_of(o, w[0] + w[1], sum[0] + sum[1]));
        }
    return best;
}

/* Every node has the weight, value and gain that its rows ask for; a leaf has a reason. */
static void check_node(const struct set *s, const struct learn_tree *t, uint32_t node, const uint8_t *inside,
                       uint32_t depth, const struct tree_options *o)
{
    const struct tree_node *n = t->node + node;
    uint8_t  half[2][ROWS] = { { 0 } };
    double   w = 0, sum = 0, gain = best_gain(s, inside, o);
    uint32_t rows = 0;

    for (size_t r = 0; r < ROWS; r++)
        if (inside[r] && s->weight[r] > 0) w += s->weight[r], sum += s->sum[r], rows++;
    assert_int_equal(n->rows, rows);
    assert_true(fabs(n->weight - w) < 1e-9);
    assert_true(fabs(n->value - sum / (w + (o->split == TREE_SECOND_ORDER ? o->lambda : 0))) < 1e-9);
    if (n->column < 0) {
        int pure = o->split != TREE_SECOND_ORDER && (sum <= 0 || sum >= w);

        assert_true(pure || (o->max_depth && depth == o->max_depth) || rows < o->min_rows_split || gain < -1e299 ||
                    (o->split == TREE_SECOND_ORDER && gain <= o->min_gain + 1e-9));
        return;
    }
    assert_true(fabs(n->gain - gain) < 1e-9);
    for (size_t r = 0; r < ROWS; r++)
        half[s->value[r * COLUMNS + (size_t)n->column] > n->threshold][r] = inside[r];
    check_node(s, t, n->left, half[0], depth + 1, o);
    check_node(s, t, n->right, half[1], depth + 1, o);
}

static void check_all(struct tree_options o, int counts)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct set         s;
        struct tree_target target;
        struct learn_tree  t;
        uint8_t            all[ROWS];
        struct err         err = { 0 };

        for (size_t i = 0; i < ROWS; i++) all[i] = 1;
        set_make(&s, seed, counts);
        target = (struct tree_target){ .weight = s.weight, .sum = s.sum };
        assert_int_equal(learn_tree_grow(&s.data, &target, &o, NULL, &t, &err), 0);
        assert_true(t.count > 1);
        check_node(&s, &t, 0, all, 0, &o);
        learn_tree_free(&t);
        learn_tree_data_free(&s.data);
    }
}

static void test_best(void **unused)
{
    (void)unused;
    check_all((struct tree_options){ .split = TREE_GINI, .min_rows_split = 2, .min_rows_leaf = 1 }, 1);
    check_all((struct tree_options){ .split = TREE_ENTROPY, .min_rows_leaf = 1, .max_depth = 3 }, 1);
    check_all((struct tree_options){ .split = TREE_GINI, .min_rows_split = 9, .min_rows_leaf = 4 }, 1);
    check_all((struct tree_options){ .split = TREE_SECOND_ORDER, .min_rows_leaf = 1, .max_depth = 5, .lambda = 1,
                                     .min_weight = 1, .min_gain = 1e-6 }, 0);
}

/* One column of two is looked at: over many seeds each decides at the root about as often. */
static void test_drawn(void **unused)
{
    const struct tree_options o = { .split = TREE_GINI, .min_rows_leaf = 1, .max_columns = 1, .max_depth = 1 };
    const uint32_t            column[] = { 1, 3 };
    struct set s;
    int        seen[COLUMNS] = { 0 };

    (void)unused;
    set_make(&s, 3, 1);
    for (uint64_t seed = 0; seed < 400; seed++) {
        const struct tree_target target = { s.weight, s.sum, column, 2 };
        struct random            r = random_start(seed, 0);
        struct learn_tree        t;
        struct err               err = { 0 };

        assert_int_equal(learn_tree_grow(&s.data, &target, &o, &r, &t, &err), 0);
        assert_int_equal(t.count, 3);
        seen[t.node[0].column]++;
        learn_tree_free(&t);
    }
    assert_int_equal(seen[0] + seen[2], 0);
    assert_in_range(seen[1], 150, 250);
    learn_tree_data_free(&s.data);
}

/* Where columns split alike, all of them are taken at times, if they are tried in random order; else the first. */
static void test_equals(void **unused)
{
    double                   value[] = { 1, 1, 1, 2, 2, 2 };
    uint8_t                  label[] = { 0, 1 };
    const struct learn_data  d = { .rows = 2, .columns = 3, .value = value, .label = label };
    const double             weight[] = { 1, 1 }, sum[] = { 0, 1 };
    const struct tree_target target = { .weight = weight, .sum = sum };
    struct tree_options      o = { .split = TREE_GINI, .min_rows_leaf = 1 };
    struct random            r = random_start(1, 1);
    struct tree_data         data;
    struct err               err = { 0 };
    int                      seen[2][3] = { { 0 } };

    (void)unused;
    assert_int_equal(learn_tree_data_make(&d, &data, &err), 0);
    for (int i = 0; i < 600; i++) {
        struct learn_tree t;

        o.max_columns = i % 2 ? 3 : 0;
        assert_int_equal(learn_tree_grow(&data, &target, &o, &r, &t, &err), 0);
        seen[i % 2][t.node[0].column]++;
        learn_tree_free(&t);
    }
    assert_int_equal(seen[0][0], 300);
    for (int c = 0; c < 3; c++) assert_in_range(seen[1][c], 60, 140);
    learn_tree_data_free(&data);
}

/* Columns that are the same for all rows are passed over until one is not; thresholds stay below the upper value. */
static void test_edges(void **unused)
{
    double  value[] = { 5, 1, 5, 5, nextafter(1, 2), 5 };
    uint8_t label[] = { 0, 1 };
    const struct learn_data   d = { .rows = 2, .columns = 3, .value = value, .label = label };
    const struct tree_options o = { .split = TREE_GINI, .min_rows_leaf = 1, .max_columns = 1 };
    const double              weight[] = { 1, 1 }, sum[] = { 0, 1 };
    const struct tree_target  target = { .weight = weight, .sum = sum };
    struct tree_data data;
    struct err       err = { 0 };

    (void)unused;
    assert_int_equal(learn_tree_data_make(&d, &data, &err), 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random     r = random_start(seed, 1);
        struct learn_tree t;

        assert_int_equal(learn_tree_grow(&data, &target, &o, &r, &t, &err), 0);
        assert_int_equal(t.count, 3);
        assert_int_equal(t.node[0].column, 1);
        assert_true(learn_tree_value(&t, value) < 0.5 && learn_tree_value(&t, value + 3) > 0.5);
        learn_tree_free(&t);
    }
    learn_tree_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_best), cmocka_unit_test(test_drawn),
                                        cmocka_unit_test(test_equals), cmocka_unit_test(test_edges) };

    return cmocka_run_group_tests_name("learn/tree_grow", tests, NULL, NULL);
}
