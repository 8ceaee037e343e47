/* sensitive/mask: values in texts, and in names that a report has put together, or told in lower case. */
#include "sensitive/mask.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM "q7Xz9Kp2Vw4Jt6Mb"
#define DOTS   "\xE2\x80\xA6"

static const struct { const char *text, *shown; } rows[] = {
    { "write to me@b.org, or 93.184.216.34.", "write to m" DOTS "g (8), or 9" DOTS "4 (13)." },
    { "me@b.org", "m" DOTS "g (8)" }, { "nothing here", "nothing here" }, { "", "" },
    { "me@b.org\tme@b.org", "m" DOTS "g (8)\tm" DOTS "g (8)" },
    /* what the report puts behind a path hides nothing that the path ends with */
    { "doc me@b.org#C.add@2", "doc m" DOTS "g (8)#C.add@2" }, { "93.184.216.34#f@2", "9" DOTS "4 (13)#f@2" },
    { "a#me@b.org#f@1", "a" DOTS "g (10)#f@1" }, { "jane#-@b.org#f@1", "j" DOTS "g (12)#f@1" },
    { "me@b.org#C.#own@1", "m" DOTS "g (8)#C.#own@1" }, { "me@b.org#a#b#c#d@1", "m" DOTS "g (8)#a#b#c#d@1" },
    { "me@b.org#f@", "me@b.org#f@" }, { "#include <a.h>", "#include <a.h>" }, { "#@1", "#@1" }, { "@1", "@1" },
    { "12", "12" },
    /* in paths, too; but a URL's user is none */
    { "home/me@b.org/x.c", "home/m" DOTS "g (8)/x.c" }, { "me@b.org/x#f@1", "m" DOTS "g (8)/x#f@1" },
    { "a/me@b.org#f@1", "a" DOTS "g (10)#f@1" }, { "own/93.184.216.34", "own/9" DOTS "4 (13)" },
    { "ssh://git@b.org/a/b", "ssh://git@b.org/a/b" }, { "/me@b.org", "/" DOTS "g (9)" }, { "/", "/" },
    { "a/b\nc/me@b.org/x", "a/b\nc/me@b.org/x" },           /* more than one line are a text, not a name */
    /* nor does a function's name say of a key that it is a hash, and has none itself */
    { "npm_" RANDOM RANDOM "a4Zt#share@1", "n" DOTS "t (40)#share@1" },
    { "ghp_" RANDOM RANDOM "a4Zt#commit@1", "g" DOTS "t (40)#commit@1" },
    { "AKIAQ7XZ9KP2VW4JT6MB#hash_it@1", "A" DOTS "B (20)#hash_it@1" },
    { "sha.c#AKIAQ7XZ9KP2VW4JT6MB@1", "sha.c#A" DOTS "B (20)@1" },
    /* keys with capitals in lower case; others have lost what was in theirs */
    { "own/akiaq7xz9kp2vw4jt6mb", "own/a" DOTS "b (20)" },
    { "akiaq7xz9kp2vw4jt6mb/own", "a" DOTS "b (20)/own" },
    { "own/sk9f3b07c1e8a25d649f3b07c1e8a25d64", "own/s" DOTS "4 (34)" },
    { "own/scikit-learn-contributions", "own/scikit-learn-contributions" },
    { "own/Akiaq7xz9kp2vw4jt6mb", "own/Akiaq7xz9kp2vw4jt6mb" },         /* as it was written, it is none */
};

static void test_masks(void **state)
{
    struct bytes masked = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slice text = slice_of(rows[i].text);

        masked.len = 0;
        assert_int_equal(sensitive_mask_text(&text, &masked), 0);
        if (!slice_equal(text, slice_of(rows[i].shown)))
            fail_msg("%s: %.*s", rows[i].text, (int)text.len, text.at);
    }
    bytes_free(&masked);
}

/* The path may end at any of many signs: what is found once for each of them is masked once. */
static void test_signs(void **state)
{
    struct bytes text = { 0 }, masked = { 0 };
    struct slice shown;

    (void)state;
    for (int i = 0; i < 100000; i++) assert_int_equal(bytes_append(&text, "#", 1), 0);
    assert_int_equal(bytes_append_slice(&text, SLICE(" me@b.org###########f@7")), 0);
    shown = bytes_slice(&text);
    assert_int_equal(sensitive_mask_text(&shown, &masked), 0);
    assert_int_equal(shown.len, text.len - strlen("me@b.org") + strlen("m" DOTS "g (8)"));
    assert_true(slice_equal((struct slice){ shown.at + 100000, shown.len - 100000 },
                            SLICE(" m" DOTS "g (8)###########f@7")));
    bytes_free(&text);
    bytes_free(&masked);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_masks), cmocka_unit_test(test_signs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
