/* tests/unit/similarity/words_python.c -- words of Python against what Pygments' lexer gives (release 2.14 for the
 * first, 2.20 for the others). */
#include "similarity/words.h"

#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void is_cut(const char *text, const char *wanted)
{
    struct words words = { 0 };
    struct bytes joined = { 0 };
    struct err   err = { 0 };

    assert_int_equal(words_of_python(&words, slice_of(text), &err), 0);
    for (size_t i = 0; i < words.count; i++)
        assert_int_equal(bytes_printf(&joined, "%s%.*s", i ? " " : "", (int)words.at[i].len, words.at[i].at), 0);
    if (!slice_equal(bytes_slice(&joined), slice_of(wanted)))
        fail_msg("`%s` gives `%.*s`, not `%s`", text, (int)joined.len, joined.at ? joined.at : "", wanted);
    bytes_free(&joined);
    words_free(&words);
}

static void test_published(void **unused)
{
    (void)unused;
    is_cut("x = \"a b\"  # c d", "x = \" a b \" # c d");
    is_cut("\"\"\"Doc\n text.\"\"\"", "\"\"\"Doc text.\"\"\"");
    is_cut("r\"\\d+\"", "r \" \\ d+ \"");
    is_cut("f\"{a!r:>10} b\"", "f \" { a !r: >10 } b \"");
    is_cut("'%s%%' % x", "' %s %% ' % x");
    is_cut("-> None: ...", "- > None : . . .");
    is_cut("1.5e3j", "1.5e3 j");
    is_cut("import a.b as c, d", "import a . b as c , d");
}

static void test_literals(void **unused)
{
    (void)unused;
    is_cut("a//=b**-0x_1F|0b1_0", "a / / = b * * - 0x_1F | 0b1_0");
    is_cut("x!=1_000.5E-3j<<.5if y", "x != 1_000.5E-3 j << .5 if y");
    is_cut("1e5j 0o17 0o8 1_ a.1", "1e5j 0o17 0 o8 1 _ a .1");
    is_cut("a@b @ c", "a @b @ c");
    is_cut("rb'\\x41'+b'\\x41\\N{A}'", "rb ' \\ x41 ' + b ' \\x41 \\ N {A} '");
    is_cut("'\\N{DASH}\\u12345\\777'", "' \\N{DASH} \\u1234 5 \\777 '");
    is_cut("'{a.b[c]!r:>10}{x:<5}{0}{ }'", "' {a.b[c]!r:>10} {x:<5} {0} { } '");
    is_cut("'%(a)d %5.2f %y'", "' %(a)d %5.2f % y '");
    is_cut("f'{{}} {x=} {d[\"k\"]:{w}}'", "f ' {{ }} { x =} { d [ \" k \" ] : { w } } '");
    is_cut("x = 'open\ny = 2", "x = ' open y = 2");
    is_cut("x = \"\"\"a 'b'\n\"c\"\"\"\"", "x = \"\"\" a ' b ' \" c \"\"\" \"");
    is_cut("f(\n  u'''a\nb''')", "f ( u '''a b''' )");
    is_cut("\"\"\"open\nx", "\"\"\" open x");
    is_cut("\xEF\xBB\xBF\n\r\nx = '\xC3\xA9' # \xC3\xA9\ry \xE2\x82\xAC", "x = ' \xC3\xA9 ' # \xC3\xA9 y \xE2\x82\xAC");
    is_cut("from .5 import a", "from . 5 import a");
    is_cut("a \\\n  ? $b", "a \\ ? $ b");
    is_cut("", "");
}

/* What rules look for in vain, over and over: linear all the same. */
static void test_hostile(void **unused)
{
    static const char *const pieces[] = {
        "{a[", "\\N{", "\n  '''\n \"\"\" ", "f'{", "   \n", "%(", "{:", "{a.", "def \\",
         "f\"{f'''{", "#",
    };
    struct words words = { 0 };
    struct bytes text = { 0 };
    struct err   err = { 0 };

    (void)unused;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        clock_t begun;

        text.len = 0;
        assert_int_equal(bytes_append(&text, "'''", 3), 0);
        while (text.len < 1000000) assert_int_equal(bytes_append_slice(&text, slice_of(pieces[p])), 0);
        begun = clock();
        for (size_t from = 0; from < 4; from += 3)          /* in a string, and not */
            assert_int_equal(words_of_python(&words, (struct slice){ text.at + from, text.len - from }, &err), 0);
        if ((double)(clock() - begun) / CLOCKS_PER_SEC > 20) fail_msg("`%s` over and over takes long", pieces[p]);
    }
    words_free(&words);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
