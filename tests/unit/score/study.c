/* tests/unit/score/study.c -- groups, means and effects by hand. */
#include "score/study.h"
#include "tests/unit/score/studied.h"

/* Items a to f, of which d to f leaked: clean 1, 2, 3, leaked 4, 5, 9. */
static const char rows[] =
    "{\"id\": \"a\", \"x\": 1}\n{\"id\": \"b\", \"x\": 2}\n{\"id\": \"c\", \"x\": 3}\n"
    "{\"id\": \"d\", \"x\": 4}\n{\"id\": \"e\", \"x\": 5}\n{\"id\": \"f\", \"x\": 9}\n";

static void test_effect(void **unused)
{
    struct studied             s;
    const struct score_effect *e;

    (void)unused;
    study_open(&s, 6, 3, rows, NULL);
    assert_int_equal(s.study.subjects, 1);
    assert_int_equal(s.study.effects, 1);
    e = &s.study.effect[0];
    assert_int_equal(e->of[SCORE_ALL].items, 6);
    assert_int_equal(e->of[SCORE_LEAKED].items, 3);
    is_number(e->of[SCORE_ALL].mean.is, 4);
    is_number(e->of[SCORE_LEAKED].mean.is, 6);
    is_number(e->of[SCORE_CLEAN].mean.is, 2);
    assert_true(e->of[SCORE_CLEAN].mean.low >= 1 && e->of[SCORE_CLEAN].mean.low < 2);
    assert_true(e->of[SCORE_CLEAN].mean.high > 2 && e->of[SCORE_CLEAN].mean.high <= 3);
    is_number(e->difference.is, 4);
    assert_true(e->difference.low < 4 && e->difference.high > 4);
    is_number(e->u, 9);                                     /* every leaked one is larger: 2 of 20 orders */
    is_number(e->p, 0.1);
    assert_true(e->exact);
    is_number(e->holm, 0.1);
    is_number(e->hochberg, 0.1);
    is_number(e->permutation, 0.1);
    is_number(e->cohen, 4 / sqrt((7 + 1) / 2.0));           /* variances 7 and 1 */
    is_number(e->t, 4 / sqrt(7 / 3.0 + 1 / 3.0));
    is_number(e->delta.is, 1);
    is_number(e->hedges, e->cohen * 0.797885);              /* gamma(2) / (sqrt(2) gamma(1.5)) */
    assert_int_equal(s.study.seed_count, 0);
    assert_int_equal(s.study.duels, 0);
    assert_int_equal(s.study.runs, 1);
    is_number(s.study.run[0].mean[SCORE_LEAKED], 6);
    study_close(&s);
}

/* Seeds are averaged item by item; items that one seed has not are of the others. */
static void test_seeds(void **unused)
{
    struct studied s;

    (void)unused;
    study_open(&s, 4, 2, "{\"id\": \"a\", \"x\": 1, \"seed\": 1}\n{\"id\": \"a\", \"x\": 3, \"seed\": 2}\n"
                         "{\"id\": \"b\", \"x\": 4, \"seed\": 2}\n{\"id\": \"c\", \"x\": 10, \"seed\": 1}\n"
                         "{\"id\": \"c\", \"x\": 20, \"seed\": 2}\n{\"id\": \"d\", \"x\": 5, \"seed\": 1}\n", NULL);
    assert_int_equal(s.study.subjects, 1);
    assert_int_equal(s.study.subject[0].seeds, 2);
    is_number(s.study.effect[0].of[SCORE_CLEAN].mean.is, 3);        /* 2 and 4 */
    is_number(s.study.effect[0].of[SCORE_LEAKED].mean.is, 10);      /* 15 and 5 */
    assert_int_equal(s.study.runs, 2);
    is_number(s.study.run[1].mean[SCORE_CLEAN], 3.5);
    is_number(s.study.run[1].mean[SCORE_LEAKED], 20);
    study_close(&s);
}

static void test_empty(void **unused)
{
    struct studied s;

    (void)unused;
    study_open(&s, 3, 0, "{\"id\": \"a\", \"x\": 1}\n{\"id\": \"b\", \"x\": 2}\n", NULL);
    assert_int_equal(s.study.effect[0].of[SCORE_LEAKED].items, 0);
    assert_true(isnan(s.study.effect[0].p) && isnan(s.study.effect[0].difference.is));
    is_number(s.study.effect[0].of[SCORE_ALL].mean.is, 1.5);
    study_close(&s);
    study_open(&s, 3, 3, "{\"id\": \"a\"}\n{}\n", NULL);
    assert_int_equal(s.study.effects, 0);
    study_close(&s);
}

/* The same whatever the order of rows, files apart. */
static void test_order(void **unused)
{
    static const char turned[] =
        "{\"id\": \"f\", \"x\": 9}\n{\"id\": \"b\", \"x\": 2}\n{\"id\": \"e\", \"x\": 5}\n"
        "{\"id\": \"d\", \"x\": 4}\n{\"id\": \"a\", \"x\": 1}\n{\"id\": \"c\", \"x\": 3}\n";
    struct studied one, other;

    (void)unused;
    study_open(&one, 6, 3, rows, NULL);
    study_open(&other, 6, 3, turned, NULL);
    assert_memory_equal(&one.study.effect[0].of, &other.study.effect[0].of, sizeof one.study.effect[0].of);
    assert_memory_equal(&one.study.effect[0].difference, &other.study.effect[0].difference,
                        sizeof one.study.effect[0].difference);
    study_close(&one);
    study_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effect), cmocka_unit_test(test_seeds), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests_name("score/study", tests, NULL, NULL);
}
