/* tests/unit/audit/hit.c -- scores of answers. */
#include "audit/hit.h"
#include "tests/unit/audit/text.h"

static unsigned ratio(const char *a, const char *b)
{
    unsigned   out = 999;
    struct err err = { 0 };

    assert_int_equal(audit_ratio(slice_of(a), slice_of(b), &out, &err), 0);
    return out;
}

static void test_ratio(void **unused)
{
    char a[201], b[201];

    (void)unused;
    assert_int_equal(ratio("", ""), 100);
    assert_int_equal(ratio("a", ""), 0);
    assert_int_equal(ratio("abcd", "abcx"), 75);
    assert_int_equal(ratio("product", "product_to"), 82);
    assert_int_equal(ratio("kitten", "sitting"), 62);
    assert_int_equal(ratio("abc", "cba"), 33);
    assert_int_equal(ratio("ab", "ba"), 50);
    assert_int_equal(ratio("\xC3\xA9x", "\xC3\xA9y"), 50);  /* characters, not bytes */
    memset(a, 'a', 201);
    memset(b, 'a', 201);
    b[199] = 'b';
    a[200] = b[200] = 0;
    assert_int_equal(ratio(a, b), 100);                     /* 99.5, to even */
    b[99] = 'b';
    a[100] = b[100] = 0;
    assert_int_equal(ratio(a, b), 99);
}

static bool hit(const char *output, const char *wanted, unsigned threshold)
{
    unsigned   score = 999;
    struct err err = { 0 };

    assert_int_equal(audit_score(slice_of(wanted), slice_of(output), &score, &err), 0);
    return audit_hits(AUDIT_STRING, score, threshold);
}

static void test_hits(void **unused)
{
    (void)unused;
    assert_false(hit("abc", "ABC", 20));
    assert_true(hit("\n x \n", "x", 100));
    assert_false(hit(" \nx\n ", "x", 60));
    assert_true(hit(" \nx\n ", "x", 20));
    assert_true(hit("# foo", "# bar baz", 20));
    assert_false(hit("# foo", "# bar baz", 60));
    assert_false(audit_hits(AUDIT_VARIABLE, 99, 20));
    assert_true(audit_hits(AUDIT_CLASS, 100, 20));
}

static void test_trivial(void **unused)
{
    (void)unused;
    assert_true(audit_is_trivial(SLICE("''")));
    assert_true(audit_is_trivial(SLICE("\"\"\"\n\"\"\"")));
    assert_false(audit_is_trivial(SLICE("\"\"")));
    assert_false(audit_is_trivial(SLICE("")));
}

/* Where the common subsequence would take too long, the beginnings are compared. */
static void test_long(void **unused)
{
    enum { LONG = 400000 };
    char      *a = malloc(3 * LONG + 1), *b = malloc(3 * LONG + 1);
    size_t     len = 0;
    unsigned   score = 0;
    struct err err = { 0 };

    (void)unused;
    for (unsigned i = 0; i < LONG; i++) {                   /* tens of thousands of different characters */
        unsigned c = 0x800 + i % 0x9000;

        a[len] = b[len] = (char)(0xe0 | c >> 12);
        a[len + 1] = b[len + 1] = (char)(0x80 | (c >> 6 & 63));
        a[len + 2] = b[len + 2] = (char)(0x80 | (c & 63));
        len += 3;
    }
    b[len - 1] ^= 1;
    assert_int_equal(audit_ratio((struct slice){ a, len }, (struct slice){ b, len }, &score, &err), 0);
    assert_int_equal(score, 100);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio), cmocka_unit_test(test_hits), cmocka_unit_test(test_trivial),
        cmocka_unit_test(test_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
