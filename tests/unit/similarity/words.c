/* tests/unit/similarity/words.c -- words by white space and by number. */
#include "similarity/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_split(void **unused)
{
    struct words words = { 0 };

    (void)unused;
    assert_int_equal(words_split(&words, SLICE("  a\tbc\xC2\xA0\xE3\x80\x80""d\x1C \xFF")), 0);
    assert_int_equal(words.count, 4);
    assert_true(slice_equal(words.at[0], SLICE("a")) && slice_equal(words.at[1], SLICE("bc")));
    assert_true(slice_equal(words.at[2], SLICE("d")) && slice_equal(words.at[3], SLICE("\xFF")));
    assert_int_equal(words_split(&words, SLICE("")), 0);
    assert_int_equal(words_split(&words, SLICE(" \n")), 0);
    assert_int_equal(words.count, 4);
    words_free(&words);
}

/* As code2text's scripts do it: runs of \w, and signs one by one. */
static void test_prose(void **unused)
{
    static const char *const wanted[] = { "loads", "a", "file_2", ".", "(", "see", "\xC3\xA9t\xC3\xA9", ")" };
    struct words             words = { 0 };
    struct err               err = { 0 };

    (void)unused;
    assert_int_equal(words_of_prose(&words, SLICE(" Loads a\tFILE_2. (see \xC3\xA9t\xC3\xA9)\n"), &err), 0);
    assert_int_equal(words.count, 8);
    for (size_t i = 0; i < 8; i++) assert_true(slice_equal(words.at[i], slice_of(wanted[i])));
    assert_int_equal(words_of_prose(&words, SLICE("end"), &err), 0);
    assert_int_equal(words.count, 1);
    assert_int_equal(words_of_prose(&words, SLICE(""), &err), 0);
    assert_int_equal(words.count, 0);
    words_free(&words);
}

/* The same numbers in every text that is numbered with the same struct, however many there are. */
static void test_numbers(void **unused)
{
    struct words        words = { 0 };
    struct word_numbers numbers = { 0 };
    struct bytes        text = { 0 };
    struct err          err = { 0 };

    (void)unused;
    assert_int_equal(words_split(&words, SLICE("a b a c b")), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    assert_memory_equal(numbers.at, ((uint32_t[]){ 1, 2, 1, 3, 2 }), 5 * sizeof(uint32_t));
    for (int i = 0; i < 3000; i++) assert_int_equal(bytes_printf(&text, "w%d c ", i), 0);
    words.count = 0;
    assert_int_equal(words_split(&words, bytes_slice(&text)), 0);
    assert_int_equal(word_numbers_take(&numbers, &words, &err), 0);
    for (uint32_t i = 0; i < 3000; i++) {
        assert_int_equal(numbers.at[2 * i], 4 + i);
        assert_int_equal(numbers.at[2 * i + 1], 3);
    }
    bytes_free(&text);
    words_free(&words);
    word_numbers_free(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_prose),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
