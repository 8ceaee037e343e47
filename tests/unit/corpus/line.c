/* tests/unit/corpus/line.c -- the ends of lines in a stretch of a text, against asking byte by byte. */
#include "corpus/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>

enum { MOST = 400 };

static uint64_t state = 1;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)(state >> 33) % below;
}

static void test_line_ends(void **unused)
{
    static const char bytes[] = { '\n', '\r', 'a', '\x8a', '\x8d', '\x0b', '\x0c', '\0' };

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        const size_t len = draw(MOST), of = 1 + draw(sizeof bytes), from = draw(len + 1),
            to = from + draw(len - from + 1);
        char         *at = malloc(len + 1);                 /* its end is where a sanitizer looks */
        struct slice text = { at, len };
        uint64_t     expected = 0;

        assert_non_null(at);
        for (size_t i = 0; i < len; i++) at[i] = bytes[draw(of)];
        for (size_t i = from; i < to; i++) expected += line_ends_at(text, i);
        assert_int_equal(line_ends(text, from, to), expected);
        free(at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_line_ends) };

    return cmocka_run_group_tests_name("corpus/line", tests, NULL, NULL);
}
