/* tests/unit/learn/split.c -- folds as scikit-learn deals them, parts with the shares of all. */
#include "learn/split.h"

#include "base/random.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROWS = 13 };
static const uint8_t label[ROWS] = { 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0 };

/* StratifiedKFold(k).split of scikit-learn 1.2.1. */
static void test_published(void **unused)
{
    static const struct { uint32_t folds, wanted[ROWS]; } cases[] = {
        { 2, { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1 } },
        { 3, { 0, 0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 2, 2 } },
        { 5, { 0, 0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 4 } },
    };
    struct err err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t fold[ROWS];

        assert_int_equal(split_folds(label, ROWS, cases[i].folds, false, 0, fold, &err), 0);
        assert_memory_equal(fold, cases[i].wanted, sizeof fold);
    }
}

/* Shuffled folds have as many of each class as unshuffled ones, and other rows. */
static void test_shuffled(void **unused)
{
    enum { N = 101, FOLDS = 7 };
    uint8_t    some[N];
    uint32_t   plain[N], mixed[N], again[N];
    size_t     differ = 0, count[2][FOLDS][2] = { { { 0 } } };
    struct err err = { 0 };

    (void)unused;
    for (size_t i = 0; i < N; i++) some[i] = i * i % 3 == 1;
    assert_int_equal(split_folds(some, N, FOLDS, false, 1, plain, &err), 0);
    assert_int_equal(split_folds(some, N, FOLDS, true, 1, mixed, &err), 0);
    assert_int_equal(split_folds(some, N, FOLDS, true, 1, again, &err), 0);
    assert_memory_equal(mixed, again, sizeof mixed);
    for (size_t i = 0; i < N; i++) {
        differ += plain[i] != mixed[i];
        count[0][plain[i]][some[i]]++, count[1][mixed[i]][some[i]]++;
    }
    assert_true(differ > N / 2);
    assert_memory_equal(count[0], count[1], sizeof count[0]);
}

static void test_two_parts(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint8_t       some[57], seen[57] = { 0 };
        size_t        row[57], train, ones = 0, learned = 0;
        struct random r = random_start(seed, 0);
        double        share = 0.1 + 0.6 * random_unit(&r);

        for (size_t i = 0; i < 57; i++) ones += some[i] = i < 4 ? (uint8_t)(i % 2) : random_unit(&r) < 0.3;
        assert_int_equal(split_train_test(some, 57, share, seed, row, &train, &err), 0);
        assert_int_equal(57 - train, (size_t)ceil(share * 57));
        for (size_t i = 0; i < 57; i++) {
            assert_true(row[i] < 57 && !seen[row[i]]);
            seen[row[i]] = 1;
            learned += i < train && some[row[i]];
        }
        assert_true(fabs((double)learned - (double)(ones * train) / 57) < 1);
    }
}

static void test_refused(void **unused)
{
    uint32_t   fold[ROWS];
    size_t     row[ROWS], train;
    struct err err = { 0 };
    const uint8_t one[4] = { 0, 0, 0, 1 };

    (void)unused;
    assert_int_equal(split_folds(label, ROWS, 1, false, 0, fold, &err), -EINVAL);
    assert_int_equal(split_folds(label, ROWS, 9, false, 0, fold, &err), -EINVAL);
    assert_int_equal(split_folds(label, ROWS, 8, false, 0, fold, &err), 0);
    assert_int_equal(split_folds(label, 0, 2, false, 0, fold, &err), -EINVAL);
    assert_int_equal(split_train_test(one, 4, 0.5, 0, row, &train, &err), -EINVAL);
    assert_int_equal(split_train_test(label, ROWS, 0, 0, row, &train, &err), -EINVAL);
    assert_int_equal(split_train_test(label, ROWS, 1, 0, row, &train, &err), -EINVAL);
    assert_int_equal(split_train_test(label, ROWS, NAN, 0, row, &train, &err), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_shuffled),
                                        cmocka_unit_test(test_two_parts), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("learn/split", tests, NULL, NULL);
}
