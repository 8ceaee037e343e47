/* tests/unit/model/pattern.c -- what patterns match, what is refused with its place, and that a search ends. */
#include "model/pattern.h"

#include "code/lexing.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

enum { MARKS = 4096 };
static uint32_t mark[MARKS];

static size_t marks_of(struct slice text)
{
    size_t count = 0, used;

    for (size_t i = 0; i < text.len; i += used)
        mark[count++] = pattern_mark(unicode_decode(text.at + i, text.len - i, &used));
    return count;
}

/* All matches, one behind the other, as "at-end at-end". */
static void found(const char *text, const char *in, char out[256])
{
    struct pattern *pattern;
    struct err      err = { 0 };
    const size_t    count = marks_of(slice_of(in));
    uint64_t        steps = 100000;
    size_t          used = 0;

    out[0] = 0;
    if (pattern_open(&pattern, slice_of(text), &err) < 0) fail_msg("%s", err.text);
    for (size_t at = 0; at <= count;) {
        const size_t end = pattern_match(pattern, mark, count, at, &steps);

        if (end != PATTERN_NONE)
            used += (size_t)snprintf(out + used, 256 - used, "%s%zu-%zu", used ? " " : "", at, end);
        at = end != PATTERN_NONE && end > at ? end : at + 1;
    }
    assert_true(steps > 0);
    pattern_close(pattern);
}

static void test_matches(void **unused)
{
    static const struct { const char *pattern, *text, *found; } cases[] = {
        { "a", "banana", "1-2 3-4 5-6" }, { "a|an", "banana", "1-2 3-4 5-6" }, { "an|a", "banana", "1-3 3-5 5-6" },
        { "(?:an)?a", "banana", "1-4 5-6" }, { "(an)?", "ban", "0-0 1-3 3-3" }, { "(?:a|ab)c", "abc ac", "0-3 4-6" },
        { "[a-c]+", "abcdcba", "0-3 4-7" }, { "[^a-c]+", "abcdeab", "3-5" }, { "[a\\-c]", "abc-", "0-1 2-3 3-4" },
        { "[a-]", "ab-", "0-1 2-3" }, { "[\\]\\[\\\\^]", "]x[\\^", "0-1 2-3 3-4 4-5" },
        { "[|$.]", "a|$.", "1-2 2-3 3-4" },
        { "\\s+(?!\\S)|\\s+", "a   b  ", "1-3 3-4 5-7" }, { "\\s+(?=b)", "a  b c", "1-3" },
        { "\\p{Lu}\\p{Ll}*", "aBcd Ef\xC3\xA9\xC3\x89", "1-4 5-8 8-9" }, { "\\P{L}", "a1-b", "1-2 2-3" },
        { "[^\\P{L}x]", "ax1b", "0-1 3-4" }, { "\\d+", "12\xD9\xA3\xC2\xB2", "0-3" }, { "\\D", "1a", "1-2" },
        { "\\p{N}{1,3}", "1234567", "0-3 3-6 6-7" }, { "a{2}", "aaaaa", "0-2 2-4" }, { "a{2,}", "aaaba", "0-3" },
        { "a{0,2}b", "aaab", "1-4" }, { "a+ab", "aaab", "0-4" }, { "a++ab", "aaab", "" }, { "a?+a", "a aa", "2-4" },
        { "a*+", "aab", "0-2 2-2 3-3" }, { "(?i:'s|K)x?", "'S's'\xC5\xBFkx\xE2\x84\xAA", "0-2 2-4 4-6 6-8 8-9" },
        { "\xE4\xB8\x80", "a\xE4\xB8\x80", "1-2" },
        { "[\xE4\xB8\x80-\xE9\xBE\xA5]+", "\xE4\xB8\xAD\xE6\x96\x87x", "0-2" },
        { "\\r\\n|\\t|\\/", "\r\n\t/", "0-2 2-3 3-4" }, { "", "ab", "0-0 1-1 2-2" }, { "a||b", "ab", "0-1 1-1 2-2" },
        { "(?:a(?:b|c)?(?!d))?e", "abde ace ae e", "3-4 5-8 9-11 12-13" },
        { "\\S", "a \xC2\x85\xE3\x80\x80" "b\x1C", "0-1 4-5 5-6" },
    };
    char out[256];

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found(cases[i].pattern, cases[i].text, out);
        if (strcmp(out, cases[i].found) != 0)
            fail_msg("`%s` in `%s`: %s, not %s", cases[i].pattern, cases[i].text, out, cases[i].found);
    }
}

static void test_refused(void **unused)
{
    static const struct { const char *pattern, *why; } cases[] = {
        { "a.b", "byte 1 of" }, { "^a", "byte 0 of" }, { "a$", "byte 1 of" }, { "*a", "byte 0 of" },
        { "a**", "byte 2 of" },
        { "a+?", "as few as possible" }, { "a{1,2}+", "repetition of repetitions" }, { "(?:a)+", "repeated group" },
        { "(?:a){0,1}?", "repetition of" }, { "(?=a)?", "repeated group" }, { "a{2,1}", "number of times" },
        { "a{", "number of times" }, { "a{1", "number of times" }, { "a{9999}", "number of times" },
        { "(a", "without its end" }, { "a)", "nothing opened" }, { "[a", "without its end" },
        { "[]a]", "begins with ]" },
        { "[b-a]", "a range" }, { "[\\s-a]", "a range" }, { "[a-\\d]", "a range" }, { "[a[b]]", "class in a class" },
        { "[a&&b]", "class in a class" }, { "[a-", "without its end" }, { "\\", "an escape" }, { "\\b", "an escape" },
        { "\\u0041", "an escape" }, { "\\pL", "name in braces" }, { "\\p{L", "name in braces" },
        { "\\p{Han}", "no general category" }, { "\\p{^L}", "no general category" }, { "(?<n>a)", "kind of group" },
        { "(?i)a", "kind of group" }, { "(?i:[a])", "case is ignored" }, { "(?i:\xC3\xA9)", "case is ignored" },
        { "((((((((((((((((((a))))))))))))))))))", "groups in groups" },
    };
    static char     longest[PATTERN_MOST + 2];
    struct pattern *pattern;
    struct err      err;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        err = (struct err){ 0 };
        if (pattern_open(&pattern, slice_of(cases[i].pattern), &err) != -EBADMSG || !strstr(err.text, cases[i].why))
            fail_msg("`%s`: %s", cases[i].pattern, err.text);
    }
    memset(longest, 'a', PATTERN_MOST + 1);
    assert_int_equal(pattern_open(&pattern, slice_of(longest), &err), -EBADMSG);
    longest[PATTERN_MOST] = 0;
    assert_int_equal(pattern_open(&pattern, slice_of(longest), &err), 0);
    pattern_close(pattern);
    pattern_close(NULL);
}

/* A pattern that tries without end is stopped, and says so by the steps that are left. */
static void test_ends(void **unused)
{
    struct pattern *pattern;
    struct err      err = { 0 };
    uint64_t        steps = 1000000;

    (void)unused;
    memset(mark, 0, sizeof mark);
    for (size_t i = 0; i < MARKS; i++) mark[i] = pattern_mark('a');
    assert_int_equal(pattern_open(&pattern, SLICE("a*a*a*a*a*a*b|a"), &err), 0);
    assert_true(pattern_match(pattern, mark, MARKS, 0, &steps) == PATTERN_NONE);
    assert_true(steps == 0);
    pattern_close(pattern);
    steps = 100000;
    assert_int_equal(pattern_open(&pattern, SLICE("a*b|a+(?!a)"), &err), 0);
    assert_true(pattern_match(pattern, mark, MARKS, 0, &steps) == MARKS && steps > 0);
    pattern_close(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches), cmocka_unit_test(test_refused), cmocka_unit_test(test_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
