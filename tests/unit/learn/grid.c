/* tests/unit/learn/grid.c -- the settings that were published, and the best of some. */
#include "learn/grid.h"

#include "learn/split.h"
#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void test_published(void **unused)
{
    struct classifier_options o[GRID_MAX];

    (void)unused;
    assert_int_equal(grid_published(CLASSIFIER_FOREST, 5, o), 36);
    assert_true(o[0].of.forest.trees == 50 && o[0].of.forest.max_depth == 10 && o[0].of.forest.seed == 5);
    assert_true(o[1].of.forest.trees == 100 && o[3].of.forest.max_columns == FOREST_LOG2);
    assert_true(o[35].of.forest.criterion == TREE_ENTROPY && o[35].of.forest.max_depth == 30);
    assert_int_equal(grid_published(CLASSIFIER_BOOST, 0, o), 243);
    assert_true(o[1].of.boost.rows_share == 0.8 && o[3].of.boost.rounds == 100 && o[242].of.boost.columns_share == 1);
    assert_int_equal(grid_published(CLASSIFIER_SVM, 0, o), 32);
    assert_true(o[1].of.svm.kernel == SVM_LINEAR && o[2].of.svm.gamma == 0.1 && o[31].of.svm.cost == 100);
    for (size_t i = 0; i < 32; i++)
        for (size_t j = 0; j < i; j++) assert_memory_not_equal(&o[i].of.svm, &o[j].of.svm, sizeof o[i].of.svm);
}

/* By hand: each fold in turn. */
static double mean_f1(const struct learn_data *d, const struct classifier_options *o)
{
    uint32_t   fold[150];
    double     sum = 0;
    struct err err = { 0 };

    assert_int_equal(split_folds(d->label, d->rows, 5, false, 0, fold, &err), 0);
    for (uint32_t f = 0; f < 5; f++) {
        size_t            row[150], others[150], n = 0, m = 0;
        struct learn_data learn, test;
        struct classifier c;

        for (size_t r = 0; r < d->rows; r++) {
            if (fold[r] == f) others[m++] = r;
            else row[n++] = r;
        }
        assert_int_equal(learn_data_select(d, row, n, &learn, &err), 0);
        assert_int_equal(learn_data_select(d, others, m, &test, &err), 0);
        assert_int_equal(classifier_fit(&learn, o, 1, &c, &err), 0);
        sum += classifier_scores(&c, &test).f1;
        classifier_free(&c);
        learn_data_free(&learn);
        learn_data_free(&test);
    }
    return sum / 5;
}

static void test_search(void **unused)
{
    struct learn_data         d = learn_set(150, 6, 0.1, 8);
    struct classifier_options o[3];
    struct grid_score         score[3], first[3];
    struct classifier         best_one, same;
    struct err                err = { 0 };
    size_t                    best = 9;

    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        o[i] = (struct classifier_options){ .kind = CLASSIFIER_FOREST, .of.forest = FOREST_DEFAULTS };
        o[i].of.forest.trees = i == 1 ? 30 : 1;
        o[i].of.forest.max_depth = i == 1 ? 8 : 1;
        o[i].of.forest.seed = i;
    }
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_equal(grid_search(&d, o, 3, 5, threads, score, &best, &best_one, &err), 0);
        assert_int_equal(best, 1);
        if (threads == 1) memcpy(first, score, sizeof first);
        assert_memory_equal(first, score, sizeof first);
        assert_int_equal(classifier_fit(&d, o + 1, 1, &same, &err), 0);
        for (size_t r = 0; r < d.rows; r++)
            assert_true(classifier_value(&same, learn_row(&d, r)) == classifier_value(&best_one, learn_row(&d, r)));
        classifier_free(&same);
        classifier_free(&best_one);
    }
    for (size_t i = 0; i < 3; i++) assert_true(fabs(score[i].mean - mean_f1(&d, o + i)) < 1e-12);
    assert_int_equal(grid_search(&d, o + 1, 1, 5, 2, score, &best, NULL, &err), 0);
    assert_int_equal(best, 0);
    learn_data_free(&d);
}

static void test_refused(void **unused)
{
    struct learn_data         d = learn_set(30, 2, 0, 1);
    struct classifier_options o[2] = { { .kind = CLASSIFIER_FOREST, .of.forest = FOREST_DEFAULTS } };
    struct grid_score         score[2];
    struct classifier         c;
    struct err                err = { 0 };
    size_t                    best;

    (void)unused;
    assert_int_equal(grid_search(&d, o, 0, 5, 1, score, &best, &c, &err), -EINVAL);
    assert_int_equal(grid_search(&d, o, 1, 31, 1, score, &best, &c, &err), -EINVAL);
    o[1] = o[0];
    o[1].of.forest.trees = 0;                               /* one of the settings cannot be */
    assert_int_equal(grid_search(&d, o, 2, 3, 2, score, &best, &c, &err), -EINVAL);
    learn_data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_search),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("learn/grid", tests, NULL, NULL);
}
