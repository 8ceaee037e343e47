/* tests/unit/graph/value_hash.c -- every value and its type count, and where one ends; not how they came. */
#include "graph/value_hash.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Values by a word each: n null, a digit a number, r a real, NaN `x`, -0.0 `z`, all else a text. */
static void hash_of(const char *words, char out[33])
{
    struct value_hash hash = { 0 };

    assert_true(value_hash_begin(&hash));
    for (size_t len; *words; words += len + (words[len] == ' ')) {
        len = strcspn(words, " ");
        if (*words == 'n') value_hash_null(&hash);
        else if (*words >= '0' && *words <= '9') value_hash_number(&hash, (uint64_t)(*words - '0'));
        else if (*words == 'r') value_hash_real(&hash, words[1] - '0');
        else if (*words == 'x') value_hash_real(&hash, NAN);
        else if (*words == 'z') value_hash_real(&hash, -0.0);
        else value_hash_text(&hash, (struct slice){ words, len });
    }
    value_hash_end(&hash, out);
    assert_null(hash.hash);
}

static void test_values(void **unused)
{
    static const char *const different[] = { "", "n", "n n", "0", "1", "r0", "r1", "a", "a b", "ab", "ab n", "n ab",
                                             "b a" };
    enum { COUNT = sizeof different / sizeof *different };
    char hash[COUNT][33], other[33];

    (void)unused;
    for (size_t i = 0; i < COUNT; i++) {
        hash_of(different[i], hash[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(hash[i], hash[k]);
    }
    hash_of("x", other);
    assert_string_equal(other, hash[1]);                    /* NaN is NULL */
    hash_of("z", other);
    assert_string_equal(other, hash[5]);                    /* -0.0 is 0.0 */
}

/* Longer than the buffer, and cut by it: as one stream of bytes. */
static void test_lengths(void **unused)
{
    char *text = malloc(20000), hash[2][33];

    (void)unused;
    memset(text, 'a', 20000);
    for (size_t len = 4070; len < 4110; len++) {
        struct value_hash one = { 0 }, two = { 0 };

        assert_true(value_hash_begin(&one) && value_hash_begin(&two));
        value_hash_text(&one, (struct slice){ text, len });
        value_hash_text(&one, (struct slice){ text, 20000 });
        value_hash_bytes(&two, 3, (struct slice){ text, len });
        value_hash_bytes(&two, 3, (struct slice){ text, 20000 });
        value_hash_end(&one, hash[0]);
        value_hash_end(&two, hash[1]);
        assert_string_equal(hash[0], hash[1]);              /* 3 is a text's type */
    }
    value_hash_drop(&(struct value_hash){ 0 });
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_lengths) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
