/* tests/unit/code/lexer_here.c -- here-documents: where the tag ends, where the body lies, and what is none. */
#include "tokens.h"

/* What the << at `at` gives: the tag's end, and the bodies that are pending then. */
static struct scan here_is(const char *language, const char *text, size_t at, size_t end)
{
    static struct slice slice;
    struct scan         scan;
    struct piece        got;

    slice = padded(text);
    scan = scan_of(language, slice);
    got = form_match(&scan, at);
    if (got.kind != (end ? PIECE_STRING : PIECE_NONE)) fail_msg("%s: `%s` gives kind %d", language, text, got.kind);
    if (end && (got.start != at || got.end != end)) fail_msg("%s: `%s` ends at %zu", language, text, got.end);
    assert_int_equal(scan.here_count, end ? 1 : 0);
    return scan;
}

static void bodies(void **unused)
{
    struct scan scan = here_is("shell", "cat <<'E' x\na\nE\nb\n", 4, 9);

    (void)unused;
    assert_true(scan.here[0].at == 12 && scan.here[0].end == 15 && !scan.here[0].with);
    scan = here_is("ruby", "a = <<E\nb\nE\n", 4, 7);
    assert_true(scan.here[0].at == 8 && scan.here[0].end == 11 && scan.here[0].with);
    scan = scan_of("shell", padded("a <<X b <<Y\n1\nX\n2\nY\n"));   /* the second body follows the first */
    assert_int_equal(form_match(&scan, 2).kind, PIECE_STRING);
    assert_int_equal(form_match(&scan, 8).kind, PIECE_STRING);
    assert_int_equal(scan.here_count, 2);
    assert_true(scan.here[0].at == 12 && scan.here[0].end == 15);
    assert_true(scan.here[1].at == 16 && scan.here[1].end == 19);
    scan.here_count = HERE_MAX;
    assert_int_equal(form_match(&scan, 8).kind, PIECE_NONE);
}

/* Only PHP's end may have something behind it; only some may be indented. */
static void the_end_is_a_whole_line(void **unused)
{
    (void)unused;
    here_is("shell", "a <<X\n1\nXY\n", 2, 0);
    here_is("shell", "a <<X\n1\nX \n", 2, 0);
    here_is("shell", "a <<X\n1\n X\n", 2, 0);
    here_is("shell", "a <<-X\n1\n X\n", 2, 0);
    here_is("shell", "a <<-X\n1\n\tX\n", 2, 6);
    here_is("shell", "a <<X\n1\nX\r\n", 2, 5);
    here_is("ruby", "a = <<X\n1\nX.y\n", 4, 0);
    here_is("ruby", "a = <<~X\n1\n  X", 4, 8);
    here_is("perl", "f(<<X)\n1\nX;\n", 2, 0);
    here_is("perl", "f(<<~ 'X Y')\n1\n X Y\n", 2, 11);
    here_is("php", "= <<<X\n1\n X;\n", 2, 6);
    here_is("php", "= <<<X\n1\n XY;\n", 2, 0);
}

static void what_opens_one(void **unused)
{
    (void)unused;
    here_is("shell", "a <<1\n1\n", 2, 0);
    here_is("shell", "((a <<b))\nb\n", 4, 0);
    here_is("shell", "a <<\\E-F;\nE-F\n", 2, 8);
    here_is("ruby", "class << X\nX\n", 6, 0);
    here_is("ruby", "a <<X\nX\n", 2, 5);
    here_is("ruby", "a<<X\nX\n", 1, 0);
    here_is("ruby", "@a <<X\nX\n", 3, 0);
    here_is("ruby", "a] <<X\nX\n", 3, 0);
    here_is("perl", "1 <<X\nX\n", 2, 0);
    here_is("perl", "a2 <<X\nX\n", 3, 6);
    here_is("perl", "a << X\nX\n", 2, 0);
    here_is("perl", "f(<<\"\")\n1\n\n2\n", 2, 6);
    here_is("ruby", "f(<<\"\")\n1\n\n2\n", 2, 0);
    here_is("shell", "cat <<E\"O\"'F'\\G\n1\nEOFG\n", 4, 15);
    here_is("perl", "a << 'X'\nX\n", 2, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies), cmocka_unit_test(the_end_is_a_whole_line), cmocka_unit_test(what_opens_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
