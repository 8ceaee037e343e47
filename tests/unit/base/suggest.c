/* base/suggest: what a wrong word is taken for. */
#include "base/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const known[] = { "view", "set_threshold", "multiset_threshold", "min_tokens", "across_languages",
                                     "gpt3_13gram", "gpt4_50char", "llama3_8gram", "humaneval", NULL };

static void test_nearest(void **state)
{
    static const struct { const char *word, *nearest; } list[] = {
        { "treshold", "set_threshold" }, { "threshold", "set_threshold" },
        { "multi_set_threshold", "multiset_threshold" }, { "mintokens", "min_tokens" },
        { "veiw", "view" }, { "View", "view" }, { "vi", NULL }, { "x", NULL }, { "", NULL }, { "tokens", "min_tokens" },
        { "completely_else", NULL },
        { "across-language", "across_languages" },
        /* the begin of a name, or a part; the shortest first, and never for less than three letters */
        { "gpt3", "gpt3_13gram" }, { "GPT4", "gpt4_50char" }, { "gpt", "gpt3_13gram" }, { "gp", NULL },
        { "llama", "llama3_8gram" }, { "8gr", "llama3_8gram" }, { "char", "gpt4_50char" },
        { "thresh", "set_threshold" },
        { "anguage", "across_languages" },
        /* a name and more, unless most of the word is something else */
        { "humaneval_plus", "humaneval" }, { "humaneval-of-last-year", NULL }, { "viewed_by", NULL },
    };
    char huge[5000];

    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const char *nearest = suggest_nearest(list[i].word, known);

        if (!nearest != !list[i].nearest || (nearest && strcmp(nearest, list[i].nearest) != 0))
            fail_msg("`%s' is taken for %s", list[i].word, nearest ? nearest : "nothing");
    }
    memset(huge, 'v', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(suggest_nearest(huge, known));
}

static void test_sentence(void **state)
{
    char out[SUGGEST_ROOM], longest[300];

    (void)state;
    assert_string_equal(suggest("gpt3", known, out), "; did you mean `gpt3_13gram`?");
    assert_string_equal(suggest("nothing-like-it", known, out), "");
    assert_string_equal(suggest_choice("exac", "off|exact|lsh", out), "; did you mean `exact`?");
    assert_string_equal(suggest_choice("zebra", "off|exact|lsh", out), "");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    suggest(longest, (const char *const[]){ longest, NULL }, out);          /* cut, and ended all the same */
    assert_true(strlen(out) < SUGGEST_ROOM && strcmp(out + strlen(out) - 2, "`?") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_nearest), cmocka_unit_test(test_sentence) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
