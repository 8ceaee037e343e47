/* tests/unit/compliance/score.c -- similarities of an answer, numbers of a function, and the rule. */
#include "compliance/score.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

static struct scorer scorer;

static struct score scored(const char *reference, const char *answer, const char *prompt)
{
    struct score score;
    struct err   err = { 0 };

    assert_int_equal(score_take(&scorer, slice_of(reference), slice_of(answer), slice_of(prompt), &score, &err), 0);
    return score;
}

static const char body[] = "    total = 0\n    for v in values:\n        # add it\n        total += v\n"
    "    return total";

static void test_published(void **unused)
{
    struct score s = scored(body, "    total = 0\n    for v in values:\n        # add it\n        total = total + v\n"
                            "    return total", "def f(values):\n");

    (void)unused;
    close_to(s.bleu, 0.752610, 1e-6);
    close_to(s.jaccard, 0.421875, 0);
    close_to(s.edit, 1 - 3.0 / 16, 1e-12);                  /* 14 tokens, and 16: `+=` is `= total +` */
    close_to(s.most, s.edit, 0);
    assert_int_equal(s.shared, 1);
    s = scored(body, body, "");
    close_to(s.bleu, 1, 1e-12);
    close_to(s.edit, 1, 0);
    s = scored(body, "", "");
    close_to(s.bleu, 0, 0);
    close_to(s.jaccard, 0, 0);
    close_to(s.edit, 0, 0);
    s = scored("a", "b", "");
    close_to(s.jaccard, 1, 0);
    s = scored("", "", "");
    close_to(s.edit, 0, 0);
}

/* Lines, comments, complexity of a body, of a whole function, of a body without indentation. */
static void test_measures(void **unused)
{
    static const char  code[] = "\n    if a and b or c:\n        pass # x\n\n"
        "    while d:\n        try:\n            f()\n"
        "        except E:\n            pass\n        finally:\n            g()\n    return [x for x in y if x]\n\n";
    static const char *const texts[] = { code, "def f(a,\n      b):\n    return [x for x in y if x] if a else b\n",
                                         "if a:\n    b()\n" };
    struct score       s = scored(texts[0], "", "# prompt\ndef f(a):\n");

    (void)unused;
    assert_int_equal(s.complexity, 9);
    assert_int_equal(s.lines, 11);
    assert_int_equal(s.comments, 1);
    assert_int_equal(s.prompt_lines, 2);
    assert_int_equal(s.characters, sizeof code - 1);
    assert_int_equal(scored(texts[1], "", "").complexity, 4);
    assert_int_equal(scored(texts[2], "", "").complexity, 2);
    assert_int_equal(scored("", "", "").lines, 0);
}

static void test_rule(void **unused)
{
    struct score_limits limits = score_limits_default;
    struct score        s = { .most = 0.61, .shared = 1, .lines = 11, .complexity = 4 };

    (void)unused;
    assert_true(score_is_striking(&s, &limits));
    s.most = 0.6;
    assert_false(score_is_striking(&s, &limits));
    s.most = 0.7, s.shared = 0;
    assert_false(score_is_striking(&s, &limits));
    limits.uncommented = true;
    assert_true(score_is_striking(&s, &limits));
    limits.uncommented = false;
    s.shared = 1, s.lines = 10;
    assert_false(score_is_striking(&s, &limits));
    s.lines = 11, s.complexity = 3;
    assert_false(score_is_striking(&s, &limits));
    limits.published = true;
    assert_true(score_is_striking(&s, &limits));
    scorer_free(&scorer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_measures), cmocka_unit_test(test_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
