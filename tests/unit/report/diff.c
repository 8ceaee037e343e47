/* tests/unit/report/diff.c -- a diff leads from one text to the other in as few steps as the longest common
 * subsequence allows. */
#include "report/diff.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

/* Steps in order use up both texts, equal lines are equal, and a line that is missing is placed where it would be.
 * The number of steps that are not DIFF_SAME. */
static size_t checked(const struct diff *diff)
{
    size_t a = 0, b = 0, changes = 0;

    for (size_t i = 0; i < diff->count; i++) {
        const struct diff_step *step = &diff->step[i];

        assert_int_equal(step->a, a);
        assert_int_equal(step->b, b);
        if (step->mark == DIFF_SAME) assert_true(slice_equal(diff->a[a], diff->b[b]));
        changes += step->mark != DIFF_SAME;
        a += step->mark != DIFF_ADDED;
        b += step->mark != DIFF_REMOVED;
    }
    assert_int_equal(a, diff->a_count);
    assert_int_equal(b, diff->b_count);
    return changes;
}

/* The marks of the steps as a text: = - + */
static void marks(struct slice a, struct slice b, const char *expected)
{
    struct diff diff;
    char        got[64] = "";

    assert_int_equal(diff_lines(&diff, a, b), 0);
    checked(&diff);
    assert_false(diff.coarse);
    assert_true(diff.count < sizeof got);
    for (size_t i = 0; i < diff.count; i++) got[i] = "=-+"[diff.step[i].mark];
    assert_string_equal(got, expected);
    diff_free(&diff);
    assert_null(diff.step);
}

static void test_small(void **unused)
{
    (void)unused;
    marks(SLICE(""), SLICE(""), "");
    marks(SLICE("a\nb\n"), SLICE("a\nb"), "==");            /* the last line's end is not looked at */
    marks(SLICE(""), SLICE("a\n\n"), "++");
    marks(SLICE("a\n\n"), SLICE(""), "--");
    marks(SLICE("a\nb\nc\n"), SLICE("a\nx\nc\n"), "=-+=");
    marks(SLICE("a\na\n"), SLICE("a\na\na\n"), "==+");      /* the start that is common takes all it can */
    marks(SLICE("x\na\nb\n"), SLICE("a\nb\ny\n"), "-==+");
    marks(SLICE("a\r\n"), SLICE("a\n"), "-+");
    marks(SLICE("a\0b\n"), SLICE("a\0c\n"), "-+");
}

static size_t common_subsequence(const struct diff *diff)
{
    size_t length[33][33] = { { 0 } };

    for (size_t i = 1; i <= diff->a_count; i++)
        for (size_t j = 1; j <= diff->b_count; j++) {
            const size_t up = length[i - 1][j], left = length[i][j - 1];

            length[i][j] = slice_equal(diff->a[i - 1], diff->b[j - 1]) ? length[i - 1][j - 1] + 1 : up > left ? up
                : left;
        }
    return length[diff->a_count][diff->b_count];
}

static void test_shortest(void **unused)
{
    uint64_t random = seed_of_run();

    (void)unused;
    for (size_t round = 0; round < 500; round++) {
        char        text[2][65] = { "", "" };
        struct diff diff;

        for (size_t side = 0; side < 2; side++)
            for (size_t i = draw(&random) % 33, k = 0; i > 0; i--, k += 2)
                memcpy(text[side] + k, (char[]){ (char)('a' + draw(&random) % 4), '\n' }, 2);
        assert_int_equal(diff_lines(&diff, slice_of(text[0]), slice_of(text[1])), 0);
        assert_int_equal(checked(&diff), diff.a_count + diff.b_count - 2 * common_subsequence(&diff));
        diff_free(&diff);
    }
}

/* Each line of the middle is another one: 2 * lines removals and additions, of which 1500 are looked for. */
static void test_coarse(void **unused)
{
    (void)unused;
    for (size_t lines = 750; lines <= 751; lines++) {
        struct bytes text[2] = { { 0 }, { 0 } };
        struct diff  diff;

        for (size_t side = 0; side < 2; side++) {
            assert_int_equal(bytes_printf(&text[side], "start\n"), 0);
            for (size_t i = 0; i < lines; i++)
                assert_int_equal(bytes_printf(&text[side], "%c%zu\n", "ab"[side], i), 0);
            assert_int_equal(bytes_printf(&text[side], "end\n"), 0);
        }
        assert_int_equal(diff_lines(&diff, bytes_slice(&text[0]), bytes_slice(&text[1])), 0);
        assert_int_equal(diff.coarse, lines == 751);
        assert_int_equal(checked(&diff), 2 * lines);        /* a whole one all the same */
        assert_int_equal(diff.step[0].mark, DIFF_SAME);
        assert_int_equal(diff.step[diff.count - 1].mark, DIFF_SAME);
        diff_free(&diff);
        bytes_free(&text[0]);
        bytes_free(&text[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small), cmocka_unit_test(test_shortest), cmocka_unit_test(test_coarse),
    };

    return cmocka_run_group_tests_name("report/diff", tests, NULL, NULL);
}
