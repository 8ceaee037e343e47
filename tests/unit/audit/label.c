/* tests/unit/audit/label.c -- comments to code as the released code has them. */
#include "audit/label.h"
#include "tests/unit/audit/text.h"

static double ratio(const char *source)
{
    struct lexer lexer = { 0 };
    struct err   err = { 0 };
    double       out = -1;

    assert_int_equal(audit_comment_ratio(&lexer, slice_of(source), &out, &err), 0);
    lexer_free(&lexer);
    return out;
}

static void expect_ratio(const char *source, unsigned said, unsigned rest)
{
    const double got = ratio(source), want = (double)said / rest;

    if (memcmp(&got, &want, sizeof got) != 0) fail_msg("%g instead of %u / %u of `%s`", got, said, rest, source);
}

static void test_ratio(void **unused)
{
    (void)unused;
    expect_ratio("# c1\ndef f():\n    \"\"\"\n    line one\n      line two\n    \"\"\"\n"
                 "    x = \"\"\"one line doc\"\"\"\n    return x # tail\n", 26, 79);
    expect_ratio("x = 1\n", 0, 6);
    expect_ratio("x = '# no comment'\n", 0, 19);
    expect_ratio("'''a\nbc\nd'''\n", 2, 11);               /* first and last line are left out */
    expect_ratio("r'''a\nbc\nd'''\n", 0, 14);              /* no letter before it */
    expect_ratio("x = ['''\nbc\n''']\n", 2, 15);           /* wherever it stands */
    expect_ratio("x = 1 #\xC3\xA9 \xE2\x80\x83\n", 2, 9);   /* characters, without white space around them */
    expect_ratio("x = 1 # a\r\n", 3, 7);
}

static void test_none(void **unused)
{
    (void)unused;
    expect_ratio("", 2, 1);
    expect_ratio("x = (", 2, 1);
    expect_ratio("# all", 2, 1);                            /* nothing is left to divide by */
    expect_ratio("'''a", 2, 1);
    expect_ratio("if x:\n    y\n  z\n", 2, 1);
    expect_ratio("x = '\xFF' # y\n", 2, 1);
    expect_ratio("# five\n", 6, 1);
}

static void test_labels(void **unused)
{
    (void)unused;
    assert_int_equal(audit_label_of(0.01), 0);
    assert_int_equal(audit_label_of(0.011), 1);
    assert_int_equal(audit_label_of(0.79), 1);
    assert_int_equal(audit_label_of(0.8), 0);
    assert_int_equal(audit_label_of(6), 0);
    assert_int_equal(audit_label_of(0), 0);
    assert_int_equal(audit_label_of(AUDIT_RATIO_NONE), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio), cmocka_unit_test(test_none), cmocka_unit_test(test_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
