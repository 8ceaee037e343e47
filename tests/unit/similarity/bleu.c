/* tests/unit/similarity/bleu.c -- BLEU-4 against NLTK's values and its formula. */
#include "similarity/bleu.h"
#include "similarity/words.h"

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

static double bleu_of(const char *candidate, const char *reference)
{
    struct words        words = { 0 };
    struct word_numbers numbers = { 0 };
    struct err          err = { 0 };
    uint32_t            first[400];
    struct bleu_text    a = { .word = first }, b;
    double              value;

    assert_int_equal(words_of_python(&words, slice_of(candidate), &err), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    a.count = words.count;
    for (size_t i = 0; i < a.count; i++) first[i] = numbers.at[i];
    assert_int_equal(words_of_python(&words, slice_of(reference), &err), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    b = (struct bleu_text){ numbers.at, words.count };
    assert_int_equal(bleu4(a, &b, 1, &value, &err), 0);
    words_free(&words);
    word_numbers_free(&numbers);
    return value;
}

static const char body[] = "    total = 0\n    for v in values:\n        # add it\n        total += v\n"
    "    return total";

static void test_published(void **unused)
{
    (void)unused;
    close_to(bleu_of("    total = 0\n    for v in values:\n        # add it\n        total = total + v\n"
                     "    return total",
                     body), 0.752610, 1e-6);
    close_to(bleu_of(body, body), 1, 1e-12);
    close_to(bleu_of("", body), 0, 0);
    close_to(bleu_of("nothing shared", body), 0, 0);
}

/* What is smoothed: two words that match have no runs of three, and so less than 1; one word has the others passed
 * over. */
static void test_short(void **unused)
{
    (void)unused;
    close_to(bleu_of("a", "a"), 1, 1e-12);
    close_to(bleu_of("a b", "a b"), pow(log(2) / 10 * (log(2) / 20), 0.25), 1e-12);
    close_to(bleu_of("a b c", "a b c"), pow(log(3) / 10, 0.25), 1e-12);
    close_to(bleu_of("a", "a b"), exp(-1), 1e-12);
}

/* The nearest length, the shorter of two; the reference that has a word most often. */
static void test_references(void **unused)
{
    const uint32_t         candidate[] = { 1, 1, 2, 3 }, first[] = { 1, 2, 3, 9, 9 }, second[] = { 1, 1, 8 };
    const struct bleu_text reference[] = { { first, 5 }, { second, 3 } };
    struct err             err = { 0 };
    double                 value;

    (void)unused;
    assert_int_equal(bleu4((struct bleu_text){ candidate, 4 }, reference, 2, &value, &err), 0);
    close_to(value, pow(1 * 1 * 0.5 * (log(4) / 10), 0.25), 1e-12);
    assert_int_equal(bleu4((struct bleu_text){ candidate, 4 }, reference, 1, &value, &err), 0);
    close_to(value, exp(1 - 5.0 / 4) * pow(0.75 * (2.0 / 3) * 0.5 * (log(4) / 10), 0.25), 1e-12);
    assert_int_equal(bleu4((struct bleu_text){ candidate, 4 }, reference, 0, &value, &err), 0);
    close_to(value, 0, 0);
}

/* Keywords are `return`, `if`, `int`. */
static struct bleu_code code_of(const char *candidate, const char *reference)
{
    static const char *const keywords[] = { "return", "if", "int" };
    struct words             words = { 0 };
    struct word_numbers      numbers = { 0 };
    uint32_t                 first[40];
    uint8_t                  keyword[40] = { 0 };
    struct bleu_text         a = { .word = first };
    struct bleu_code         value;
    struct err               err = { 0 };

    assert_int_equal(words_split(&words, slice_of(candidate)), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    a.count = words.count;
    for (size_t i = 0; i < a.count; i++) first[i] = numbers.at[i];
    words.count = 0;
    assert_int_equal(words_split(&words, slice_of(reference)), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    for (size_t i = 0; i < words.count; i++)
        for (size_t k = 0; k < 3; k++) keyword[i] |= slice_equal(words.at[i], slice_of(keywords[k]));
    assert_int_equal(bleu_code(a, (struct bleu_text){ numbers.at, words.count }, keyword, &value, &err), 0);
    words_free(&words);
    word_numbers_free(&numbers);
    return value;
}

/* The parts of CodeBLEU, against their formulas computed apart. */
static void test_code(void **unused)
{
    static const char head[] = "int f ( int a ) { return a + 1 ; }", other[] = "int f ( int b ) { return b + 1 ; }";

    (void)unused;
    close_to(code_of(head, head).plain, 1, 1e-12);
    close_to(code_of(head, head).weighted, 1, 1e-12);
    close_to(code_of(head, other).plain, 0.4758733, 1e-7);
    close_to(code_of(head, other).weighted, 0.4859325, 1e-7);
    close_to(code_of("return x", "return y ; if").plain, 0.0550108, 1e-7);
    close_to(code_of("return x", "return y ; if").weighted, 0.0335826, 1e-7);
    close_to(code_of("a b", "a b").plain, 0.3162278, 1e-7);
    close_to(code_of("a b", "a b").weighted, 0.2514867, 1e-7);
    close_to(code_of("x", "y").plain, 0, 0);
    close_to(code_of("", "y").weighted, 0, 0);
    close_to(code_of("y", "").weighted, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_short), cmocka_unit_test(test_code),
        cmocka_unit_test(test_references),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
