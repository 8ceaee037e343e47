/* tests/unit/function/shorts.c -- short items in texts, against looking at every byte. */
#include "function/shorts.h"
#include "tests/unit/folder.h"

#include "view/view.h"

#include <stdlib.h>

enum { ITEMS = 6, LONGEST = 200, TEXT = 600, PAD = 64 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static size_t draw_text(char *out, size_t len)
{
    const unsigned letters = draw(4) ? 26 : 2;

    for (size_t i = 0; i < len; i++) out[i] = (char)('a' + draw(letters));
    return len;
}

static bool stands(const char *text, size_t len, const char *item, size_t item_len)
{
    for (size_t at = 0; at + item_len <= len; at++)
        if (memcmp(text + at, item, item_len) == 0) return true;
    return false;
}

/* Texts with an item at some place, whole or but for one byte, or without one. */
static void check(unsigned seed, size_t least, size_t most)
{
    static char       item[ITEMS][LONGEST + PAD], text[TEXT + PAD];
    size_t            len[ITEMS];
    struct short_text list[ITEMS];
    struct shorts    *shorts;
    struct err        err = { 0 };
    unsigned          found = 0;

    state = seed;
    for (size_t i = 0; i < ITEMS; i++) {
        len[i] = draw_text(item[i], least + draw((unsigned)(most - least + 1)));
        list[i] = short_text_of((struct slice){ item[i], len[i] });
    }
    assert_int_equal(shorts_make(&shorts, list, ITEMS, &err), 0);
    for (unsigned round = 0; round < 300; round++) {
        const size_t total = draw_text(text, draw(TEXT)), i = draw(ITEMS);
        bool         expected = false;

        if (draw(3) && total >= len[i]) {
            const size_t at = draw(2) ? draw((unsigned)(total - len[i] + 1)) : draw(2) ? 0 : total - len[i];

            memcpy(text + at, item[i], len[i]);
            if (draw(2)) text[at + draw((unsigned)len[i])] = '.';
        }
        for (size_t k = 0; k < ITEMS; k++) expected |= stands(text, total, item[k], len[k]);
        found += expected;
        assert_int_equal(shorts_in(shorts, (struct slice){ text, total }), expected);
    }
    assert_true(found > 20 && found < 280);
    shorts_free(shorts);
}

static void test_texts(void **unused)
{
    (void)unused;
    for (unsigned seed = 0; seed < 8; seed++) {
        check(seed, 31, 64);                                /* the groups of lengths, each alone, and their borders */
        check(seed, 65, LONGEST);
        check(seed, 11, 30);
        check(seed, 6, 10);
        check(seed, 6, LONGEST);
    }
}

static void test_odd(void **unused)
{
    const struct slice empty = { "", 0 }, tiny = { "ab", 2 }, text = { "one two three four five six seven", 33 };
    struct short_text  list[3] = { short_text_of(empty), short_text_of(text), short_text_of(text) };
    struct shorts     *shorts;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(shorts_make(&shorts, NULL, 0, &err), 0);
    assert_false(shorts_in(shorts, text));
    shorts_free(shorts);
    assert_int_equal(shorts_make(&shorts, list, 3, &err), 0);           /* the empty one is nowhere */
    assert_true(shorts_in(shorts, text));
    assert_false(shorts_in(shorts, tiny));
    assert_false(shorts_in(shorts, empty));
    shorts_free(shorts);
    list[0] = short_text_of(tiny);                          /* too short to be looked for */
    assert_int_equal(shorts_make(&shorts, list, 3, &err), 0);
    assert_true(shorts_in(shorts, (struct slice){ "xyz", 3 }));
    shorts_free(shorts);
    shorts_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_odd) };

    return cmocka_run_group_tests_name("function/shorts", tests, NULL, NULL);
}
