/* tests/unit/code/lexer_perl.c -- where Perl expects an operand, and what a mark or a word begins there. */
#include "tokens.h"

/* The string at `at`; NULL: there is none. */
static void quote_is(const char *text, size_t at, const char *string)
{
    struct slice slice = padded(text);
    struct scan  scan = scan_of("perl", slice);
    struct piece got = form_match(&scan, at);

    if (got.kind != (string ? PIECE_STRING : PIECE_NONE)) fail_msg("`%s` gives kind %d", text, got.kind);
    if (string && (got.start != at || got.end - at != strlen(string) || strncmp(slice.at + at, string, got.end - at)))
        fail_msg("`%s` gives `%.*s`", text, (int)(got.end - got.start), slice.at + got.start);
}

static void operands(void **unused)
{
    static const struct { const char *text; bool expected; } cases[] = {
        { "/", true }, { "= /", true }, { "( /", true }, { "split /", true }, { "and\n /", true }, { "}\n/", true },
        { "} /", false }, { "$x /", false }, { "$split /", false }, { "->split /", false }, { "A::split /", false },
        { "x++ /", false }, { "$! /", false }, { "<$fh> /", false }, { "a > /", true }, { ") /", false },
        { "a::b /", false }, { "a /", false }, { "' /", false }, { "$ /", false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice text = padded(cases[i].text);
        struct scan  scan = scan_of("perl", text);

        if (perl_operand(&scan, text.len - 1) != cases[i].expected) fail_msg("`%s`", cases[i].text);
    }
}

/* A comment between is passed over. */
static void comments_are_no_code(void **unused)
{
    struct slice text = padded("$x # split\n /");
    struct scan  scan = scan_of("perl", text);
    bool         line;

    (void)unused;
    scan.comment_before = 2;
    scan.comment_end = 10;
    assert_int_equal(code_before(&scan, 12, &line), 2);
    assert_true(line);
    assert_false(perl_operand(&scan, 12));
}

static void quote_words(void **unused)
{
    (void)unused;
    quote_is("q{a{b}c} d", 0, "q{a{b}c}");
    quote_is("qw (a b) c", 0, "qw (a b)");
    quote_is("s{a} {b}ge;", 0, "s{a} {b}ge");
    quote_is("s{a} # it's\n {b}", 0, "s{a} # it's\n {b}");
    quote_is("tr/a/b/ c", 0, "tr/a/b/");
    quote_is("m!a\\!b!x c", 0, "m!a\\!b!x");
    quote_is("s,a,b,g;", 0, "s,a,b,g");
    quote_is("q xax", 0, "q xax");
    quote_is("$q{a}", 1, NULL);
    quote_is("->s(a)", 2, NULL);
    quote_is("-s 'a'", 1, NULL);
    quote_is("sub y {a}", 4, NULL);
    quote_is("s => 1", 0, NULL);
    quote_is("y\n=> 1", 0, NULL);
    quote_is("{s}", 1, NULL);
    quote_is("s, t", 0, NULL);
    quote_is("s = 1", 0, NULL);
    quote_is("q #a#\n", 0, NULL);
    quote_is("s::a", 0, NULL);
    quote_is("qx", 0, NULL);
    quote_is("quit(1)", 0, NULL);
    quote_is("s/a/b", 0, NULL);
}

static void marks(void **unused)
{
    (void)unused;
    quote_is("// a", 0, "//");
    quote_is("= /[/]x", 2, "/[/");
    quote_is("1'a'", 1, "'a'");
    quote_is("$'a'", 1, NULL);
    quote_is("<*.c> a", 0, "<*.c>");
    quote_is("<$fh>", 0, NULL);
    quote_is("a <b> c", 2, NULL);
    quote_is("v1.2.3 a", 0, "v1.2.3");
    quote_is("use v5;", 4, "v5");
    quote_is("v5;", 0, NULL);
    quote_is("$v1.2", 1, NULL);
}

static void a_name_in_two_parts(void **unused)
{
    struct scan scan = scan_of("perl", padded("main'a b'"));

    (void)unused;
    scan.word_end = 4;
    assert_int_equal(form_match(&scan, 4).kind, PIECE_NONE);
    scan.word_end = 0;
    assert_int_equal(form_match(&scan, 4).kind, PIECE_STRING);
}

static void pictures(void **unused)
{
    struct scan  scan = scan_of("perl", padded("format A =\n@<<\n.\na"));
    struct piece got = form_match(&scan, 9);

    (void)unused;
    assert_int_equal(got.kind, PIECE_STRING);
    assert_true(got.start == 10 && got.end == 16);
    scan = scan_of("perl", padded("my $a =\n@<<\n.\na"));
    assert_int_equal(form_match(&scan, 6).kind, PIECE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands), cmocka_unit_test(comments_are_no_code), cmocka_unit_test(quote_words),
        cmocka_unit_test(marks), cmocka_unit_test(a_name_in_two_parts), cmocka_unit_test(pictures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
