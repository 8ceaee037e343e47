/* tests/unit/audit/mask.c -- what a model is shown around an element. */
#include "audit/mask.h"
#include "tests/unit/audit/text.h"

static void separates(const char *text, const char *word, size_t line, const char *before, const char *behind)
{
    struct bytes prefix = { 0 };
    struct slice suffix;
    struct err   err = { 0 };

    assert_int_equal(audit_separate(slice_of(text), slice_of(word), line, &prefix, &suffix, &err), 0);
    expect_slice(bytes_slice(&prefix), before);
    expect_slice(suffix, behind);
    bytes_free(&prefix);
}

static void test_separate(void **unused)
{
    (void)unused;
    separates("def f(x):\n    x = x+1\n", "x", 2, "def f(x):    ", " = x+1\n");
    separates("def f(x):\n    x = x+1\n", "nope", 2, "def f(x):    x = x+1", " x = x+1\n");
    separates("a b a", "a", 1, "", " b a");
    separates("a\nb", "", 2, "a", "b");
    separates("a\n\xC3\xA9\xC3\xA9", "zz", 2, "a\xC3\xA9", "\xC3\xA9");
    separates("", "x", 1, "", "");
    separates("a", "b", 7, "", "a");
}

static void test_elements(void **unused)
{
    const struct slice         text = SLICE("x = x\n# y\nz");
    const struct audit_element second = { AUDIT_VARIABLE, false, 4, 5, 1, 1 };
    const struct audit_element comment = { AUDIT_COMMENT, false, 5, 9, 1, 2 };
    struct bytes               prefix = { 0 };
    struct slice               suffix;
    struct err                 err = { 0 };

    (void)unused;
    assert_int_equal(audit_mask_exact(text, &second, &prefix, &suffix, &err), 0);
    expect_slice(bytes_slice(&prefix), "x = ");
    expect_slice(suffix, "\n# y\nz");
    prefix.len = 0;
    assert_int_equal(audit_mask_published(text, &second, &prefix, &suffix, &err), 0);
    expect_slice(bytes_slice(&prefix), "");
    expect_slice(suffix, " = x\n# y\nz");
    prefix.len = 0;
    assert_int_equal(audit_mask_published(text, &comment, &prefix, &suffix, &err), 0);
    expect_slice(bytes_slice(&prefix), "x = x#");
    expect_slice(suffix, "\nz");
    bytes_free(&prefix);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_separate), cmocka_unit_test(test_elements) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
