/* tests/unit/code/lexer_ruby.c -- where Ruby expects an operand, and what a mark begins there. */
#include "tokens.h"

/* The string at `at`; NULL: there is none. */
static void quote_is(const char *text, size_t at, const char *string)
{
    struct slice slice = padded(text);
    struct scan  scan = scan_of("ruby", slice);
    struct piece got = form_match(&scan, at);

    if (got.kind != (string ? PIECE_STRING : PIECE_NONE)) fail_msg("`%s` gives kind %d", text, got.kind);
    if (string && (got.start != at || got.end - at != strlen(string) || strncmp(slice.at + at, string, got.end - at)))
        fail_msg("`%s` gives `%.*s`", text, (int)(got.end - got.start), slice.at + got.start);
}

static void operands(void **unused)
{
    static const struct { const char *text; size_t at; bool expected; } cases[] = {
        { "/a", 0, true }, { "a\n/a", 2, true }, { "= /a", 2, true }, { "if / a", 3, true }, { "a.if / a", 5, false },
        { "a /b", 2, true }, { "a / b", 2, false }, { "a/b", 1, false }, { "a /2", 2, false }, { "a /=b", 2, false },
        { "@a /b", 3, false }, { "a? /b", 3, true }, { "a ? /b", 4, true }, { ") /b", 2, false }, { "} /b", 2, false },
        { "$! /b", 3, false }, { ":a /b", 3, false }, { "A::b /b", 5, true }, { "| /b", 2, true }, { "2 /b", 2, false },
        { "a = 1; a /b", 9, false }, { "|b, a| a /b", 9, false }, { "def f(a) a /b", 11, false },
        { "a == 1; a /b", 10, true }, { "a = 1; def f; a /b", 16, true }, { "a += 1; a %b", 10, false },
        { "x.a = 1; a /b", 11, true }, { "a = 1; a <<b", 9, false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scan scan = scan_of("ruby", padded(cases[i].text));

        if (ruby_operand(&scan, cases[i].at, cases[i].at + 1) != cases[i].expected) fail_msg("`%s`", cases[i].text);
    }
}

static void strings(void **unused)
{
    (void)unused;
    quote_is("= %w[a [b] c] d", 2, "%w[a [b] c]");
    quote_is("= %(a) d", 2, "%(a)");
    quote_is("= %|a| d", 2, "%|a|");
    quote_is("a % (b)", 2, NULL);
    quote_is("= %(a", 2, NULL);
    quote_is("= %d", 2, NULL);
    quote_is("= /a\n'/mx.b", 2, "/a\n'/mx");
    quote_is("def /(a) b/", 4, NULL);
    quote_is(":/ b/", 1, NULL);
    quote_is("`a`", 0, "`a`");
    quote_is("def `(a) `", 4, NULL);
}

static void characters(void **unused)
{
    (void)unused;
    quote_is("= ?a", 2, "?a");
    quote_is("= ?\" b", 2, "?\"");
    quote_is("= ?\\n b", 2, "?\\n");
    quote_is("= ?\\C-a b", 2, "?\\C-a");
    quote_is("= ?ab", 2, NULL);
    quote_is("a ? b", 2, NULL);
    quote_is("a ?b :c", 2, NULL);
    quote_is("a ? ?b : c", 4, "?b");
    quote_is("?b : c", 0, "?b");
    quote_is("p ?b", 2, "?b");
    quote_is("a?'b'", 1, NULL);
    quote_is(") ?'b'", 2, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands), cmocka_unit_test(strings), cmocka_unit_test(characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
