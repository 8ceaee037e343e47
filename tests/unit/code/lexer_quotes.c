/* tests/unit/code/lexer_quotes.c -- strings that must be searched for their end before they are strings, and what a
 * search in vain costs. */
#include "tokens.h"

/* The string at `at`; NULL: there is none. */
static void quote_is(const char *language, const char *text, size_t at, const char *string)
{
    struct slice slice = padded(text);
    struct scan  scan = scan_of(language, slice);
    struct piece got = form_match(&scan, at);

    if (got.kind != (string ? PIECE_STRING : PIECE_NONE)) fail_msg("%s: `%s` gives kind %d", language, text, got.kind);
    if (string && (got.start != at || got.end - at != strlen(string) || strncmp(slice.at + at, string, got.end - at)))
        fail_msg("%s: `%s` gives `%.*s`", language, text, (int)(got.end - got.start), slice.at + got.start);
}

static void regular_expressions(void **unused)
{
    (void)unused;
    quote_is("javascript", "= /a[/]\\/b/gi.x", 2, "/a[/]\\/b/gi");
    quote_is("javascript", "= /a\n/", 2, NULL);
    quote_is("javascript", "a / b / c", 2, NULL);
    quote_is("javascript", "= /a", 2, NULL);
}

static void tagged_strings(void **unused)
{
    (void)unused;
    quote_is("lua", "[==[a]=]b]==] c", 0, "[==[a]=]b]==]");
    quote_is("lua", "[[a", 0, "[[a");
    quote_is("lua", "[1]", 0, NULL);
    quote_is("lua", "[=1]", 0, NULL);
    quote_is("haskell", "[a|b [c] 'd|] e", 0, "[a|b [c] 'd|]");
    quote_is("haskell", "[A.b||] e", 0, "[A.b||]");
    quote_is("haskell", "[a|b <- c] d|]", 0, NULL);
    quote_is("haskell", "[e|b|]", 0, NULL);
    quote_is("haskell", "[a |b|]", 0, NULL);
    quote_is("haskell", "[a|b", 0, NULL);
    quote_is("lua", "'a\\z\n  b' c", 0, "'a\\z\n  b'");
    quote_is("lua", "'a\\x\n  b' c", 0, "'a\\x");
    quote_is("lua", "'a\\z", 0, "'a\\z");
    quote_is("sql", "$x$a $y$ b$x$ c", 0, "$x$a $y$ b$x$");
    quote_is("sql", "$$a$$ b", 0, "$$a$$");
    quote_is("sql", "a$b$ $b$", 1, NULL);
    quote_is("sql", "$x$ a", 0, NULL);
}

/* Searches in vain take from the budget what they read; without one, candidates are operators at once. */
static void searches_in_vain_are_paid_for(void **unused)
{
    struct slice slice = padded("$x$ 456789");
    struct scan  scan = scan_of("sql", slice);

    (void)unused;
    assert_int_equal(form_match(&scan, 0).kind, PIECE_NONE);
    assert_int_equal(scan.budget, 1000 - 10);
    slice = padded("= /2345678");
    scan = scan_of("javascript", slice);
    assert_int_equal(form_match(&scan, 2).kind, PIECE_NONE);
    assert_int_equal(scan.budget, 1000 - 8);
    scan.budget = 3;
    assert_int_equal(form_match(&scan, 2).kind, PIECE_NONE);
    assert_int_equal(scan.budget, 0);

    slice = padded("= /23456/");                            /* it would close, but is out of reach */
    scan = scan_of("javascript", slice);
    scan.budget = 5;
    assert_int_equal(form_match(&scan, 2).kind, PIECE_NONE);
    scan.budget = 6;
    assert_int_equal(form_match(&scan, 2).kind, PIECE_STRING);
    assert_int_equal(scan.budget, 6);                       /* a find costs nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_expressions),
        cmocka_unit_test(tagged_strings),
        cmocka_unit_test(searches_in_vain_are_paid_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
