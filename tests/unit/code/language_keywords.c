/* tests/unit/code/language_keywords.c -- the published sets of Java and Python, and what holds for every list. */
#include "code/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static bool has_keyword(const struct language *language, const char *word)
{
    for (size_t i = 0; language_keyword(language, i); i++)
        if (strcmp(language_keyword(language, i), word) == 0) return true;
    return false;
}

static void published_sets(void **unused)
{
    const struct language *java = language_by_name(SLICE("java")), *python = language_by_name(SLICE("python"));

    (void)unused;
    assert_non_null(language_keyword(java, 50));
    assert_null(language_keyword(java, 51));                /* 50 reserved words and var */
    assert_non_null(language_keyword(python, 32));
    assert_null(language_keyword(python, 33));              /* 35 less True and False */
    assert_true(has_keyword(java, "var") && has_keyword(java, "goto") && has_keyword(java, "strictfp"));
    assert_false(has_keyword(java, "true") || has_keyword(java, "null") || has_keyword(java, "record"));
    assert_true(has_keyword(python, "None") && has_keyword(python, "async") && has_keyword(python, "nonlocal"));
    assert_false(has_keyword(python, "True") || has_keyword(python, "match"));
}

static void every_list_is_sorted(void **unused)             /* so no word is there twice */
{
    (void)unused;
    for (size_t l = 0; language_at(l); l++)
        for (size_t i = 1; language_keyword(language_at(l), i - 1) && language_keyword(language_at(l), i); i++)
            assert_true(strcmp(language_keyword(language_at(l), i - 1), language_keyword(language_at(l), i)) < 0);
}

/* Whoever asks past the last word gets no other list's. */
static void lists_end(void **unused)
{
    (void)unused;
    assert_null(language_keyword(language_generic(), 0));
    assert_null(language_keyword(language_generic(), 1000));
    for (size_t l = 0; language_at(l); l++) assert_null(language_keyword(language_at(l), 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_sets), cmocka_unit_test(every_list_is_sorted), cmocka_unit_test(lists_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
