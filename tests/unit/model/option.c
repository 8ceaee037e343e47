/* tests/unit/model/option.c -- models as a command line names them. */
#include "model/option.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void test_cut(void **unused)
{
    static const struct { const char *value, *name, *backend, *path; } cases[] = {
        { "mine=ngram:a/b.lm", "mine", "ngram", "a/b.lm" }, { "m=llama:C:x.gguf", "m", "llama", "C:x.gguf" },
        { "r=replay:x=y:z", "r", "replay", "x=y:z" }, { "s=http:http://h:1/v1", "s", "http", "http://h:1/v1" },
        { "m=gram:x", "m", "gram", "x" },                   /* which there are is not asked */
    };
    struct model_words words;
    struct err         err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(model_option_cut(&words, cases[i].value, &err), 0);
        assert_true(slice_equal(words.name, slice_of(cases[i].name)) &&
                    slice_equal(words.backend, slice_of(cases[i].backend)));
        assert_string_equal(words.path, cases[i].path);
    }
}

static void test_refused(void **unused)
{
    static const char *const cases[] = { "ngram:x", "m=ngram:", "=ngram:x", "m", "m=:x", "" };
    struct model_words       words;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = { 0 };

        assert_int_equal(model_option_cut(&words, cases[i], &err), -EINVAL);
        if (!strstr(err.text, "--model takes NAME=BACKEND:PATH")) fail_msg("%s: %s", cases[i], err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cut), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("model/option", tests, NULL, NULL);
}
