/* tests/unit/test_clone_line.c -- which lines are the same to line clones, and where they stand. */
#include "kernels/kernels.h"
#include "scan/clone_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static struct clone_lines lines;

static void read_text(struct slice text, enum clone_normal normal) { assert_int_equal(clone_lines_read(&lines, text, normal), 0); }

/* Both are one significant line, or none; are they the same? */
static int same(const char *a, const char *b, enum clone_normal normal)
{
    struct clone_line first = { 0 };
    size_t            count;

    read_text(slice_of(a), normal);
    count = lines.count;
    if (count) first = lines.at[0];
    read_text(slice_of(b), normal);
    assert_true(count <= 1 && lines.count == count);
    return count == 0 || (first.low == lines.at[0].low && first.high == lines.at[0].high);
}

#define SAME(a, b)   assert_true(same(a, b, CLONE_SIMIAN))
#define DIFFER(a, b) assert_false(same(a, b, CLONE_SIMIAN))

static void test_simian(void **unused)
{
    (void)unused;
    SAME("x = 1", "x=1");
    SAME("Foo", "foo");
    SAME("a.b:", "a b");
    SAME("\"x\"", "'x'");
    SAME("x", "  x !?;,");
    SAME("a_b", "a _ b");
    SAME("caf\xC3\xA9", "caf \xC3\xA9");                    /* U+00E9 is a token of its own */
    SAME("\xE9", "\xC3\xA9");                               /* a byte that is not UTF-8 is Latin-1 */
    SAME("\xD0\x96\xC4\x80z", "\xD0\xB6\xC4\x81Z");         /* letters from U+0100 make words, in lower case */
    SAME("\xF0\x90\x90\x80", "\xF0\x90\x90\xA8");
    SAME("\xE2\x84\xAAg", "kg");                            /* KELVIN SIGN: an ASCII lower case */
    DIFFER("a b", "ab");
    DIFFER("a_b", "ab");
    DIFFER("\xC3\x89", "\xC3\xA9");                         /* tokens keep their case */
    DIFFER("\xD0\x96 z", "\xD0\x96z");
    DIFFER("a # b", "a $ b");
    DIFFER("a\x7F", "a");
    DIFFER("a \xC3\xA9 0", "a \xC2\x87 b0");                /* equal to Simian, whose hashes of lines have 32 bits */
    DIFFER("q < _ 0", "q = @ 0");
    read_text(slice_of(" .;:\n'!?,\"\n\t\n"), CLONE_SIMIAN);
    assert_int_equal(lines.count, 0);
}

static void test_exact(void **unused)
{
    (void)unused;
    assert_true(same("x = 1", "x = 1 \t\v", CLONE_EXACT));
    assert_false(same("x = 1", " x = 1", CLONE_EXACT));
    assert_false(same("x = 1", "x=1", CLONE_EXACT));
    assert_false(same("X", "x", CLONE_EXACT));
    read_text(slice_of("\n \t\n\r\n"), CLONE_EXACT);
    assert_int_equal(lines.count, 0);
}

/* Numbers count all lines, whatever ends them; bytes are where a line starts; a text of any length has a block border in every place. */
static void test_places(void **unused)
{
    const struct { uint32_t number, byte; } wanted[] = { { 1, 0 }, { 2, 2 }, { 4, 6 }, { 6, 10 }, { 7, 12 } };

    (void)unused;
    read_text(SLICE("a\nb\r\n\rc\r\n\nd\ne"), CLONE_EXACT);
    assert_int_equal(lines.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(lines.at[i].number, wanted[i].number);
        assert_int_equal(lines.at[i].byte, wanted[i].byte);
    }
    for (size_t blanks = 4080; blanks < 4110; blanks++) {
        char *text = malloc(blanks + 64);

        assert_non_null(text);
        memset(text, 'y', blanks);
        memcpy(text + blanks, "\r\nz\r\nz", 6);
        read_text((struct slice){ text, blanks + 6 }, CLONE_EXACT);
        assert_int_equal(lines.count, 3);
        assert_int_equal(lines.at[1].number, 2);
        assert_int_equal(lines.at[1].byte, blanks + 2);
        assert_int_equal(lines.at[2].number, 3);
        assert_true(lines.at[1].low == lines.at[2].low && lines.at[1].high == lines.at[2].high);
        free(text);
    }
    clone_lines_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_simian), cmocka_unit_test(test_exact), cmocka_unit_test(test_places) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    return kernels ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
