/* tests/unit/code/published_java.c -- the published Java tokenizer's steps: comments cut out by a pattern, \u escapes
 * resolved everywhere, then tokens or nothing. */
#include "tokens.h"

static void gives(const char *text, const char *tokens)
{
    const char *got = tokens_of("java", text, strlen(text), LEX_ALL | LEX_PUBLISHED);

    if (strcmp(got, tokens) != 0) fail_msg("`%s` gives `%s`, not `%s`", text, got, tokens);
}

static void comments_are_cut_out(void **unused)
{
    (void)unused;
    gives("a /* b */ c // d\ne", "n:a n:c n:e");
    gives("a /* b", "dropped");                             /* not closed, so it is left to the tokenizer */
    gives("a // b", "n:a");
    gives("\"/* a */\" '//'", "s:\"/* a */\" s:'//'");      /* quotes hide comments */
    gives("a/**/b", "n:a/**/b");                            /* one name, whose source is all of this */
    gives("a // b\r\nc", "n:a n:c");                        /* the pattern wants LF: the tokenizer skips this one */
    gives("'\"' /* \" */ a", "s:'\"' n:a");
    gives("/* ' */ a '/* b */'", "n:a s:'/* b */'");
    gives("\"\\\" /* a */ b", "dropped");                   /* the pattern knows no escapes, the tokenizer does */
}

static void escapes_become_characters(void **unused)
{
    (void)unused;
    gives("\\u0061b", "n:\\u0061b");
    gives("\\uuu0061", "n:\\uuu0061");
    gives("a\\u003Bb", "n:a o:\\u003B n:b");
    gives("\\u00e9\\u4E2D", "n:\\u00e9\\u4E2D");
    gives("\"\\u0022", "s:\"\\u0022");                      /* it closes the string */
    gives("\"\\\\u0061\"", "s:\"\\\\u0061\"");              /* the second of two backslashes escapes nothing */
    gives("\\u006", "dropped");
    gives("\\u00zz", "dropped");
    gives("\\u002F* a */ b", "n:b");                        /* step 1 did not see it: the tokenizer skips it */
}

static void literals(void **unused)
{
    (void)unused;
    gives("\"a\\n\\t\\b\\r\\f\\\\\\'\\\"\\0\"", "s:\"a\\n\\t\\b\\r\\f\\\\\\'\\\"\\0\"");
    gives("\"\\q\"", "dropped");
    gives("\"a", "dropped");
    gives("'a", "dropped");
    gives("0x1F 017 0b11 1_0L 1.5f .5 1e-5d 0x1.8p3;",
          "d:0x1F d:017 d:0b11 d:1_0L d:1.5f d:.5 d:1e-5d d:0x1.8p3 o:;");
    gives("0x1.8;", "dropped");                             /* a hexadecimal fraction wants an exponent */
    gives("1.;", "d:1. o:;");
}

/* javalang raises where a number could go on and the text has ended. */
static void numbers_at_the_end(void **unused)
{
    static const char *const dropped[] = { "0", "0x", "0b", "1.", "1e", "1e+", "0x1p", "0x1p-", "0x1." };

    (void)unused;
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) gives(dropped[i], "dropped");
    gives("1", "d:1");
    gives("00", "d:00");
    gives("10L", "d:10L");
    gives("1.5", "d:1.5");
}

static void operators_and_names(void **unused)
{
    (void)unused;
    gives("List<List<A>> x >>>= 2;", "n:List o:< n:List o:< n:A o:> o:> n:x o:>>>= d:2 o:;");
    gives("v... a..b @X $y::z", "n:v o:... n:a o:. o:. n:b o:@ n:X n:$y o::: n:z");
    gives("caf\xC3\xA9 = 1;", "n:caf\xC3\xA9 o:= d:1 o:;");
    gives("a # b", "dropped");
    gives("`", "dropped");
    gives("\xE2\x82\xAC", "dropped");
    gives("a\xC2\xA0\xE3\x80\x80" "b", "n:a n:b");          /* white space of any script */
    gives("", "");
}

static void only_what_is_wanted(void **unused)
{
    static const char text[] = "int a = 1 + 'b';";

    (void)unused;
    assert_string_equal(tokens_of("java", text, sizeof text - 1, LEX_NAMES | LEX_PUBLISHED), "n:int n:a");
    assert_string_equal(tokens_of("java", text, sizeof text - 1, LEX_LITERALS | LEX_PUBLISHED), "n:int n:a d:1 s:'b'");
    assert_string_equal(tokens_of("java", text, sizeof text - 1, LEX_OPERATORS | LEX_PUBLISHED),
                        "n:int n:a o:= o:+ o:;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_are_cut_out), cmocka_unit_test(escapes_become_characters),
        cmocka_unit_test(literals), cmocka_unit_test(numbers_at_the_end), cmocka_unit_test(operators_and_names),
        cmocka_unit_test(only_what_is_wanted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
