/* tests/unit/inclusion/verdict.c -- rows of features, and which repositories are said to be trained on. */
#include "inclusion/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILES = 60, EACH = 6, PER_REPOSITORY = 5 };

static struct graph_inclusion_file   file[FILES];
static struct graph_inclusion_answer answer[2 * FILES * EACH];
static char                          name[FILES][32], repository[FILES][8];

static const char *const roles[EACH] = { "class", "function", "variable", "string", "comment", "docstring" };

/* Repositories r00 .. r11 of five files: those below `clean` have label 0, of the others every second is known: its
 * answers are right.  The first model knows nothing. */
static size_t make(size_t clean)
{
    size_t count = 0;

    for (size_t i = 0; i < FILES; i++) {
        const size_t r = i / PER_REPOSITORY;

        snprintf(name[i], sizeof name[i], "r%02zu/f%zu.py", r, i);
        snprintf(repository[i], sizeof repository[i], "r%02zu", r);
        file[i] = (struct graph_inclusion_file){ .path = slice_of(name[i]), .repo = slice_of(repository[i]),
                                                 .record = i, .trained = r < clean ? 0 : -1 };
    }
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < FILES; i++)
            for (size_t e = 0; e < EACH; e++) {
                const bool knows = m == 1 && i / PER_REPOSITORY >= clean && i / PER_REPOSITORY % 2;

                answer[count++] = (struct graph_inclusion_answer){
                    .model = slice_of(m ? "big" : "small"), .role = slice_of(roles[e]), .wanted = SLICE("w"),
                    .output = SLICE("o"), .file = (uint32_t)i, .line = 1,
                    .score = knows ? 100 : (int64_t)((i * 7 + e * 3) % 5 == 0 ? 50 : 10) };
            }
    return count;
}

static const struct inclusion_verdict_options options = { .test = INCLUSION_FILES, .threshold = 20, .draws = 999,
                                                          .level = { 1, 20 }, .seed = 3 };

static void test_features(void **state)
{
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)state;
    make(6);
    answer[0].score = -1;                                   /* the class of the first file was not asked for */
    answer[1].score = 99;                                   /* nearly right is no name */
    answer[3].score = 40;
    for (size_t e = EACH; e < 2 * EACH; e++) answer[e].score = -1;      /* and nothing of the second */
    file[2].repo = (struct slice){ NULL, 0 };
    assert_int_equal(inclusion_features_make(file, answer, 3 * EACH, 40, &f, &err), 0);
    assert_int_equal(f.count, 2);
    assert_string_equal(f.row[0].file, "r00/f0.py");
    assert_string_equal(f.row[0].repository, "r00");
    assert_true(f.row[0].total[AUDIT_CLASS] == 0 && f.row[0].hits[AUDIT_CLASS] == 0);
    assert_true(f.row[0].total[AUDIT_FUNCTION] == 1 && f.row[0].hits[AUDIT_FUNCTION] == 0);
    assert_true(f.row[0].hits[AUDIT_STRING] == 1 && f.row[0].label == 0);
    assert_string_equal(f.row[1].file, "r00/f2.py");
    assert_null(f.row[1].repository);
    audit_features_free(&f);
    assert_int_equal(inclusion_features_make(file, answer, EACH, 60, &f, &err), 0);
    assert_true(f.row[0].hits[AUDIT_STRING] == 0);
    audit_features_free(&f);
}

/* Of 12 repositories 6 are clean; the second model knows r07, r09 and r11. */
static void test_verdicts(void **state)
{
    const size_t              count = make(6);
    struct inclusion_verdicts v;
    struct err                err = { 0 };

    (void)state;
    assert_int_equal(inclusion_verdicts_make(&v, &options, file, answer, count, 1, &err), 0);
    assert_true(v.sets == 2 * INCLUSION_THRESHOLDS && v.rows == v.sets * 12);
    for (size_t i = 0; i < v.rows; i++) {
        const struct graph_inclusion_verdict *row = &v.row[i];
        const size_t                          r = i % 12;
        const bool                            big = i >= v.rows / 2, known = big && r >= 6 && r % 2;

        assert_true(slice_equal(row->model, slice_of(big ? "big" : "small")));
        assert_true(row->threshold == inclusion_threshold[i / 12 % INCLUSION_THRESHOLDS]);
        assert_true(row->decides == (row->threshold == 20) && row->clean == (r < 6) && row->files == 5);
        assert_true(row->clean_files == (r < 6 ? 25u : 30u) && row->clean_repositories == (r < 6 ? 5u : 6u));
        assert_string_equal(row->verdict, r < 6 ? "clean" : known ? "trained" : "not shown");
        assert_true(isnan(row->p_adjusted) == (r < 6) && row->decidable == (r >= 6));
        if (known) assert_true(row->p_files == 0.001 && row->p_repositories == 1.0 / 7 && row->rate == 1);
        if (known) assert_true(fabs(row->p_adjusted - 0.006) < 1e-12 && row->by[AUDIT_CLASS] == 1);
        if (r >= 6) assert_true(row->p_adjusted >= row->p_files);
    }
    inclusion_verdicts_free(&v);
    assert_true(v.sets == 0 && v.rows == 0);
}

/* Ranks among six repositories reach 1/7 at best: nothing can be shown, and that is said; at 1 all are. */
static void test_reach(void **state)
{
    const size_t                     count = make(6);
    struct inclusion_verdict_options o = options;
    struct inclusion_verdicts        v;
    struct err                       err = { 0 };

    (void)state;
    o.test = INCLUSION_RANK;
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    for (size_t i = 0; i < v.rows; i++) assert_true(!v.row[i].decidable && strcmp(v.row[i].verdict, "trained") != 0);
    inclusion_verdicts_free(&v);
    o.level = (struct ratio){ 1, 1 };
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    for (size_t i = 0; i < v.rows; i++) assert_true(v.row[i].decidable != v.row[i].clean);
    inclusion_verdicts_free(&v);

    o = options;                                            /* 19 draws give 1/20 at best, six times that adjusted */
    o.draws = 19;
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    for (size_t i = 0; i < v.rows; i++) assert_false(v.row[i].decidable);
    inclusion_verdicts_free(&v);
}

/* Nothing but a spread between the clean ones is asked for; where there is none there is no p. */
static void test_spread(void **state)
{
    const size_t                     count = make(6);
    struct inclusion_verdict_options o = options;
    struct inclusion_verdicts        v;
    struct err                       err = { 0 };

    (void)state;
    for (size_t i = 0; i < count; i++)                      /* a clean repository more gives back a string more */
        if (answer[i].file < 30 && i % EACH == 3) answer[i].score = answer[i].file % 5 < answer[i].file / 5 ? 50 : 0;
    o.test = INCLUSION_SPREAD;
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    for (size_t i = v.rows / 2; i < v.rows; i++) {
        const struct graph_inclusion_verdict *row = &v.row[i];
        const size_t                          r = i % 12;

        if (row->clean) continue;
        assert_true(row->decidable == (row->threshold < 60));
        assert_string_equal(row->verdict, row->threshold >= 60 ? "untested" : r % 2 ? "trained" : "not shown");
        if (r % 2 && row->decidable) assert_true(row->p_spread < 0.001 && row->p_adjusted >= 6 * row->p_spread - 1e-12);
    }
    inclusion_verdicts_free(&v);
}

static void test_none(void **state)
{
    struct inclusion_verdict_options o = options;
    struct inclusion_verdicts        v;
    struct err                       err = { 0 };
    size_t                           count = make(0);

    (void)state;
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    assert_true(v.rows == 0);                               /* nothing to compare with */
    inclusion_verdicts_free(&v);
    count = make(6);
    o.draws = 0;
    assert_int_equal(inclusion_verdicts_make(&v, &o, file, answer, count, 1, &err), 0);
    assert_true(v.sets == 0 && v.rows == 0);
    inclusion_verdicts_free(&v);
    assert_int_equal(inclusion_verdicts_make(&v, &options, file, answer, 0, 1, &err), 0);
    assert_true(v.rows == 0);
    inclusion_verdicts_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_features), cmocka_unit_test(test_verdicts),
                                        cmocka_unit_test(test_reach), cmocka_unit_test(test_spread),
                                        cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
