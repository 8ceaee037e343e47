/* tests/unit/report/diff_tell.c -- what a listener hears of a diff: lines, gaps, lines that are nearly the same. */
#include "report/diff_tell.h"

#include "base/bytes.h"
#include "tests/unit/folder.h"

/* first member: what diff_tell knows of it */
struct heard { struct diff_listener listener; struct bytes text; int left; };

static int hear_step(struct diff_listener *to, const struct diff_step *step)
{
    struct heard *heard = (struct heard *)to;

    if (heard->left-- == 0) return -EIO;
    return bytes_printf(&heard->text, "%c%u,%u ", " -+"[step->mark], step->a, step->b);
}

static int hear_nearly(struct diff_listener *to, uint32_t a, uint32_t b, const struct diff *words)
{
    return bytes_printf(&((struct heard *)to)->text, "!%u,%u(%zu) ", a, b, words->count);
}

static int hear_gap(struct diff_listener *to, const struct diff_step *step, size_t count)
{
    to->whole_lines = true;                                 /* from here on */
    return bytes_printf(&((struct heard *)to)->text, "@%u,%u*%zu ", step->a, step->b, count);
}

static int tell(const char *a, const char *b, int left, const char *expected)
{
    struct heard heard = { { hear_step, hear_nearly, hear_gap, false }, { 0 }, left };
    struct diff  diff;
    int          rc;

    assert_int_equal(diff_lines(&diff, slice_of(a), slice_of(b)), 0);
    rc = diff_tell(&diff, &heard.listener);
    assert_int_equal(bytes_append(&heard.text, "", 1), 0);
    assert_string_equal(heard.text.at, expected);
    bytes_free(&heard.text);
    diff_free(&diff);
    return rc;
}

static void test_tell(void **unused)
{
    static const char many[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";

    (void)unused;
    assert_int_equal(tell("", "", 9, ""), 0);
    assert_int_equal(tell("a\nx y\nc\n", "a\nx z\nq\nc\n", 9, " 0,0 !1,1(4) +2,2  2,3 "), 0);
    assert_int_equal(tell("1\n2\n3\n4\n5\nx y\n", "1\n2\n3\n4\n5\nx z\n", 9, "@0,0*2  2,2  3,3  4,4 -5,5 +6,5 "), 0);
    /* texts without a difference: the first lines */
    assert_int_equal(tell("1\n2\n", "1\n2\n", 9, " 0,0  1,1 "), 0);
    assert_int_equal(tell(many, many, 12, " 0,0  1,1  2,2  3,3  4,4  5,5  6,6  7,7  8,8  9,9  10,10  11,11 "
                          "@12,12*2 "), 0);
    assert_int_equal(tell("1\n2\n", "1\n2\n", 1, " 0,0 "), -EIO);          /* what the listener gives ends it */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tell) };

    return cmocka_run_group_tests_name("report/diff_tell", tests, NULL, NULL);
}
