/* tests/unit/function/runs.c -- runs of features in documents, against looking at every place. */
#include "function/runs.h"
#include "tests/unit/folder.h"

#include <string.h>

enum { RUNS = 40, LONGEST = 14, FEATURES = 60 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static bool stands(struct feature_list features, const uint64_t *run, size_t count)
{
    if (count > SHORT_RUN) count = SHORT_RUN;               /* no more of it is looked at */
    for (size_t at = 0; count && at + count <= features.count; at++)
        if (memcmp(features.hash + at, run, count * sizeof *run) == 0) return true;
    return false;
}

static void check(unsigned seed, unsigned words, size_t least)
{
    uint64_t           run[RUNS][LONGEST], feature[FEATURES];
    size_t             len[RUNS];
    struct short_run   list[RUNS];
    struct short_runs *runs;
    struct err         err = { 0 };
    unsigned           found = 0;

    state = seed;
    for (size_t r = 0; r < RUNS; r++) {
        len[r] = least + draw((unsigned)(LONGEST + 1 - least));
        for (size_t i = 0; i < len[r]; i++) run[r][i] = 1 + draw(words);
        list[r] = short_run_of((struct feature_list){ run[r], len[r] });
    }
    assert_int_equal(short_runs_make(&runs, list, RUNS, sizeof *list, &err), 0);
    for (unsigned round = 0; round < 400; round++) {
        struct feature_list features = { feature, draw(FEATURES) };
        bool                expected = false;

        for (size_t i = 0; i < features.count; i++) feature[i] = 1 + draw(words);
        if (draw(2)) {
            const size_t r = draw(RUNS);

            if (len[r] <= features.count)
                memcpy(feature + draw((unsigned)(features.count - len[r] + 1)), run[r], len[r] * sizeof **run);
        }
        for (size_t r = 0; r < RUNS; r++) expected |= stands(features, run[r], len[r]);
        found += expected;
        assert_int_equal(short_runs_in(runs, features), expected);
    }
    assert_true(found > 20 && found < 400);
    short_runs_free(runs);
}

static void test_runs(void **unused)
{
    (void)unused;
    for (unsigned seed = 0; seed < 6; seed++) {
        check(seed, 1000, 2);
        check(seed, 30, 3);
        check(seed, 1000, 0);                               /* some of one feature, some of none */
    }
}

static void test_none(void **unused)
{
    const uint64_t     feature[2] = { 1, 2 };
    struct short_run   empty = short_run_of((struct feature_list){ NULL, 0 });
    struct short_runs *runs;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(short_runs_make(&runs, &empty, 1, sizeof empty, &err), 0);
    assert_false(short_runs_in(runs, (struct feature_list){ feature, 2 }));
    assert_false(short_runs_in(runs, (struct feature_list){ NULL, 0 }));
    short_runs_free(runs);
    short_runs_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("function/runs", tests, NULL, NULL);
}
