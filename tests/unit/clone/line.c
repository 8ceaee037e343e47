/* tests/unit/clone/line.c -- which lines are the same to line clones, and where they stand. */
#include "kernels/kernels.h"
#include "clone/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct clone_lines lines;

static void read_text(struct slice text, enum clone_normal normal)
{
    assert_int_equal(clone_lines_read(&lines, text, normal), 0);
}

/* The one significant line of a text; zeroed when there is none. */
static struct clone_line line_in(struct slice text, enum clone_normal normal)
{
    read_text(text, normal);
    assert_true(lines.count <= 1);
    return lines.count ? clone_line_of(&lines.at[0], text.at, normal) : (struct clone_line){ 0 };
}

static int equal(struct clone_line a, struct clone_line b) { return a.low == b.low && a.high == b.high; }

static int same(const char *a, const char *b, enum clone_normal normal)
{
    return equal(line_in(slice_of(a), normal), line_in(slice_of(b), normal));
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
    SAME("\xC4\xB0stanbul", "istanbul");                    /* U+0130: i alone, without the dot that Java adds */
    DIFFER("\xC4\xB0", "i\xCC\x87");
    DIFFER("\xC4\xB1", "i");                                /* U+0131 is a small letter */
    SAME("\xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3", "\xCE\xBF\xCE\xB4\xCE\xBF\xCF\x83");      /* capital sigma: never final */
    DIFFER("\xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3", "\xCE\xBF\xCE\xB4\xCE\xBF\xCF\x82");
    DIFFER("\xE1\xBA\x9E", "ss");                          /* U+1E9E: U+00DF, a token of its own once read */
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

/* Numbers count all lines, whatever ends them; bytes are where a line starts; a text of any length has a block border
 * in every place. */
static void test_places(void **unused)
{
    const struct { uint32_t number, byte; } wanted[] = { { 1, 0 }, { 2, 2 }, { 4, 6 }, { 6, 10 }, { 7, 12 } };

    (void)unused;
    read_text(SLICE("a\nb\r\n\rc\r\n\nd\ne"), CLONE_EXACT);
    assert_int_equal(lines.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(lines.at[i].number, wanted[i].number);
        assert_int_equal(lines.at[i].from, wanted[i].byte);
    }
    for (size_t blanks = 4080; blanks < 4110; blanks++) {
        char *text = malloc(blanks + 64);

        assert_non_null(text);
        memset(text, 'y', blanks);
        memcpy(text + blanks, "\r\nz\r\nz", 6);
        read_text((struct slice){ text, blanks + 6 }, CLONE_EXACT);
        assert_int_equal(lines.count, 3);
        assert_int_equal(lines.at[1].number, 2);
        assert_int_equal(lines.at[1].from, blanks + 2);
        assert_int_equal(lines.at[2].number, 3);
        assert_true(equal(clone_line_of(&lines.at[1], text, CLONE_EXACT),
                          clone_line_of(&lines.at[2], text, CLONE_EXACT)));
        free(text);
    }
}

/* Long lines are hashed in pieces: whatever stands where one ends, the hash is that of the same tokens at other places.
 */
static void test_long(void **unused)
{
    static const char *const piece[] = { "ab", "A b", "\xD0\x96", "\xE9", "\xF0\x90\x90\x80", "\xE2\x84", ";", "_" };
    enum { LONG = 3000 };
    char *tight = malloc(LONG + 16), *loose = malloc(8 * LONG);

    (void)unused;
    assert_true(tight && loose);
    for (size_t p = 0; p < sizeof piece / sizeof piece[0]; p++) {
        for (size_t at = 1015; at < 1035; at++) {
            size_t len = strlen(piece[p]), n = 0;

            for (size_t i = 0; i < LONG; i++) tight[i] = i % 3 ? (char)('a' + i % 23) : '(';
            memcpy(tight + at, piece[p], len);
            /* white space before each bracket shifts all that follows */
            for (size_t i = 0; i < LONG; i++) {
                if (tight[i] == '(') loose[n++] = ' ';
                loose[n++] = tight[i];
            }
            assert_true(equal(line_in((struct slice){ tight, LONG }, CLONE_SIMIAN),
                              line_in((struct slice){ loose, n }, CLONE_SIMIAN)));
            tight[LONG - 1] ^= 1;
            assert_false(equal(line_in((struct slice){ tight, LONG }, CLONE_SIMIAN),
                               line_in((struct slice){ loose, n }, CLONE_SIMIAN)));
        }
    }
    memset(loose, ' ', 5000);                               /* pieces of which nothing is left */
    loose[0] = loose[4999] = 'x';
    assert_true(equal(line_in((struct slice){ loose, 5000 }, CLONE_SIMIAN), line_in(SLICE("x x"), CLONE_SIMIAN)));
    free(tight);
    free(loose);
}

/* Against the letter of the rule: random texts of what ends, fills and empties lines. */
static void test_split(void **unused)
{
    static const char byte[] = { '\n', '\r', ' ', '\t', ';', 'a', 'b', '(', '\xC3', 'z' };
    uint64_t          state = 7;

    (void)unused;
    for (int round = 0; round < 2000; round++) {
        size_t   n = (size_t)round % 300, found = 0, from = 0;
        char    *text = malloc(n + 1);                      /* behind which nothing may be read */
        uint32_t number = 1;
        int      normal = round & 1;

        assert_non_null(text);
        for (size_t i = 0; i < n; i++)
            text[i] = byte[(state = state * 6364136223846793005ull + 1442695040888963407ull) >> 33 & 7
                           ? (state >> 40) % 10 : 0];
        read_text((struct slice){ text, n }, normal ? CLONE_SIMIAN : CLONE_EXACT);
        for (size_t i = 0; i <= n; i++) {
            size_t to = i;

            if (i < n && text[i] != '\n' && text[i] != '\r') continue;
            while (to > from && ((unsigned char)text[to - 1] <= ' ' || (normal && text[to - 1] == ';'))) to--;
            if (to > from) {
                assert_true(found < lines.count);
                assert_true(lines.at[found].from == from && lines.at[found].to == to &&
                            lines.at[found].number == number);
                found++;
            }
            if (i + 1 < n && text[i] == '\r' && text[i + 1] == '\n') i++;
            number++;
            from = i + 1;
        }
        assert_int_equal(found, lines.count);
        free(text);
    }
    clone_lines_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_simian), cmocka_unit_test(test_exact),
                                        cmocka_unit_test(test_places),
                                         cmocka_unit_test(test_long), cmocka_unit_test(test_split) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    return kernels ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
