/* tests/unit/function/shorts.c -- short items in texts, against looking at every byte. */
#include "function/shorts.h"
#include "tests/unit/folder.h"

#include "view/view.h"

#include <stdlib.h>

enum { ITEMS = 6, LONGEST = 200, TEXT = 600, PAD = 64 };

static const struct feature_list none = { NULL, 0 };

static struct bytes scratch;

static struct short_item item_of(struct slice text, struct feature_list features)
{
    struct short_item out;

    assert_int_equal(short_item_of(text, features, &scratch, &out), 0);
    return out;
}

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
    struct short_item list[ITEMS];
    struct shorts    *shorts;
    struct err        err = { 0 };
    unsigned          found = 0;

    state = seed;
    for (size_t i = 0; i < ITEMS; i++) {
        len[i] = draw_text(item[i], least + draw((unsigned)(most - least + 1)));
        list[i] = item_of((struct slice){ item[i], len[i] }, none);
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
        assert_int_equal(shorts_in(shorts, (struct slice){ text, total }, none, &scratch), expected);
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
    struct short_item  list[3] = { item_of(empty, none), item_of(text, none), item_of(text, none) };
    struct shorts     *shorts;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(shorts_make(&shorts, NULL, 0, &err), 0);
    assert_false(shorts_in(shorts, text, none, &scratch));
    shorts_free(shorts);
    assert_int_equal(shorts_make(&shorts, list, 3, &err), 0);           /* the empty one is nowhere */
    assert_true(shorts_in(shorts, text, none, &scratch));
    assert_false(shorts_in(shorts, tiny, none, &scratch));
    assert_false(shorts_in(shorts, empty, none, &scratch));
    shorts_free(shorts);
    list[0] = item_of(tiny, none);                          /* too short to be looked for */
    assert_int_equal(shorts_make(&shorts, list, 3, &err), 0);
    assert_true(shorts_in(shorts, (struct slice){ "xyz", 3 }, none, &scratch));
    shorts_free(shorts);
    shorts_free(NULL);
}

/* One letter again and again: each place has the beginning of a long item.  These would be 10^12 bytes to compare. */
static void test_dear(void **unused)
{
    enum { LONG = 1 << 22, LETTERS = 1 << 23 };
    char             *text = malloc(LETTERS + PAD);
    struct short_item long_one;
    struct shorts    *shorts;
    struct err        err = { 0 };

    (void)unused;
    assert_non_null(text);
    memset(text, '#', LETTERS + PAD);
    text[LONG - 1] = 'x';
    long_one = item_of((struct slice){ text, LONG }, none);
    text[LONG - 1] = '#';
    assert_int_equal(shorts_make(&shorts, &long_one, 1, &err), 0);
    assert_true(shorts_in(shorts, (struct slice){ text, LETTERS }, none, &scratch));    /* it may be */
    assert_false(shorts_in(shorts, (struct slice){ text, LONG - 1 }, none, &scratch));
    shorts_free(shorts);
    free(text);
}

/* Other white space: found by the run of features, where the text has what is between it, too. */
static void test_features(void **unused)
{
    const uint64_t           feature[4] = { 9, 5, 7, 3 };
    const struct short_item  item = item_of(slice_of("int  size() {\n    return n;\n}\n"),
                                            (struct feature_list){ feature + 1, 2 });
    const struct slice       set_in = slice_of("class {\n\tint size()\n\t{\n\t\treturn n; }\n}"),
                             other = slice_of("class { int size() { return m; } }");
    struct shorts           *shorts;
    struct err               err = { 0 };

    (void)unused;
    assert_int_equal(shorts_make(&shorts, &item, 1, &err), 0);
    assert_int_equal(shorts_in(shorts, set_in, (struct feature_list){ feature, 4 }, &scratch), 1);
    assert_int_equal(shorts_in(shorts, set_in, (struct feature_list){ feature, 2 }, &scratch), 0);
    assert_int_equal(shorts_in(shorts, set_in, none, &scratch), 0);
    assert_int_equal(shorts_in(shorts, other, (struct feature_list){ feature, 4 }, &scratch), 0);
    shorts_free(shorts);
    bytes_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts), cmocka_unit_test(test_odd), cmocka_unit_test(test_dear),
        cmocka_unit_test(test_features),
    };

    return cmocka_run_group_tests_name("function/shorts", tests, NULL, NULL);
}
