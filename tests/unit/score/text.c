/* tests/unit/score/text.c -- metrics of one answer, by worked examples. */
#include "score/metric.h"
#include "tests/unit/score/taken.h"

#include <math.h>

static double score_of(const char *answer, const char *reference, enum score_words how, enum score_text metric)
{
    struct score_scratch *scratch;
    double                value[SCORE_TEXTS];
    struct err            err = { 0 };

    assert_int_equal(score_scratch_open(&scratch, &err), 0);
    assert_int_equal(score_text(scratch, slice_of(answer), slice_of(reference), SLICE("java"), how, 1u << metric,
                                value, &err), 0);
    for (int m = 0; m < SCORE_TEXTS; m++) assert_true(m == (int)metric || isnan(value[m]));
    score_scratch_close(scratch);
    return value[metric];
}

/* Lopez et al.'s, times 100. */
static void test_bleu(void **unused)
{
    (void)unused;
    is_number(score_of("a b", "a b", SCORE_WORDS_SPACE, SCORE_BLEU), 22.13885886);
    is_number(score_of("foo", "foo bar", SCORE_WORDS_SPACE, SCORE_BLEU), 36.7879441);
    is_number(score_of("a b c", "x y z", SCORE_WORDS_SPACE, SCORE_BLEU), 0);
    is_number(score_of("", "x", SCORE_WORDS_SPACE, SCORE_BLEU), 0);
    is_number(score_of("a", "a", SCORE_WORDS_SPACE, SCORE_BLEU), 100);
    is_number(score_of("a", "b", SCORE_WORDS_SPACE, SCORE_BLEU), 0);
    is_number(score_of("Foo", "foo", SCORE_WORDS_SPACE, SCORE_BLEU), 0);
    is_number(score_of("Foo", "foo", SCORE_WORDS_PROSE, SCORE_BLEU), 100);
    is_number(score_of("int f(int a){return a+1;}", "int f ( int a ) { return a + 1 ; }", SCORE_WORDS_PROSE,
                       SCORE_BLEU), 100);
    is_number(score_of("loads properties from a properties file.",
                       "loads properties from a properties file on the local filesystem.", SCORE_WORDS_PROSE,
                       SCORE_BLEU), 47.48694444);
}

static void test_others(void **unused)
{
    (void)unused;
    is_number(score_of(" x\n", "x", SCORE_WORDS_PROSE, SCORE_EXACT), 100);
    is_number(score_of("X", "x", SCORE_WORDS_PROSE, SCORE_EXACT), 0);
    is_number(score_of("abcd", "abxd", SCORE_WORDS_PROSE, SCORE_EDIT), 75);
    /* CodeBLEU's words are those between white space, whatever BLEU's are; `return` is a keyword of Java */
    is_number(score_of("return x", "return y ; if", SCORE_WORDS_PROSE, SCORE_NGRAM), 5.50108074);
    is_number(score_of("return x", "return y ; if", SCORE_WORDS_PROSE, SCORE_WEIGHTED), 3.35826447);
}

/* 1 - C(n - c, k) / C(n, k): 1 - C(3, 2) / C(5, 2) = 0.7. */
static void test_pass(void **unused)
{
    (void)unused;
    is_number(score_pass_at(5, 2, 2), 0.7);
    is_number(score_pass_at(5, 2, 1), 0.4);
    is_number(score_pass_at(5, 2, 4), 1);
    is_number(score_pass_at(5, 0, 5), 0);
    is_number(score_pass_at(1, 1, 1), 1);
    is_number(score_pass_at(200, 1, 100), 0.5);
    assert_true(isnan(score_pass_at(4, 1, 5)));
    assert_true(isnan(score_pass_at(0, 0, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bleu), cmocka_unit_test(test_others), cmocka_unit_test(test_pass),
    };

    return cmocka_run_group_tests_name("score/text", tests, NULL, NULL);
}
