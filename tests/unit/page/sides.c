/* tests/unit/page/sides.c -- two texts as rows: numbers of lines, words, gaps, limits. */
#include "page/sides.h"
#include "tests/unit/folder.h"

static void rows_are(const char *a, const char *b, size_t lines, size_t line_bytes, size_t left, const char *expected)
{
    const struct comparison texts = { slice_of(a), slice_of(b), SLICE("python"), false, 0, 0 };
    struct compared         compared;
    struct bytes            out = { 0 };
    struct err              err = { 0 };
    size_t                  left_out;

    assert_int_equal(compare_make(&compared, &texts, &err), 0);
    assert_int_equal(sides_json(&compared, lines, line_bytes, &left_out, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    assert_int_equal(left_out, left);
    compared_free(&compared);
    bytes_free(&out);
}

static void test_rows(void **unused)
{
    (void)unused;
    rows_are("", "", 9, 99, 0, "[]");
    rows_are("a\nb x\nc\n", "a\nb y\nd\nc\n", 9, 99, 0,
             "[[0,1,1,\"a\"],\n[3,2,2,[0,\"b \",1,\"x\",2,\"y\"]],\n[2,3,\"d\"],\n[0,3,4,\"c\"]]");
    rows_are("1\n2\n3\n4\n5\nx\n", "1\n2\n3\n4\n5\n", 9, 99, 0,
             "[[4,1,1,2],\n[0,3,3,\"3\"],\n[0,4,4,\"4\"],\n[0,5,5,\"5\"],\n[1,6,\"x\"]]");
    rows_are("</script>\x1b\n", "\xE2\x80\xAE\n", 9, 99, 0,
             "[[1,1,\"\\u003c/script\\u003e\\\\x1b\"],\n[2,1,\"\\\\u202e\"]]");
}

static void test_limits(void **unused)
{
    (void)unused;
    rows_are("a\nb\nc\n", "x\n", 2, 99, 2, "[[1,1,\"a\"],\n[1,2,\"b\"]]");
    rows_are("abcdef\n", "x\n", 9, 3, 0, "[[1,1,\"abc …\"],\n[2,1,\"x\"]]");
    /* a long stretch in common keeps its end beside what changed */
    rows_are("long, long, long, long, long, long one\n", "long, long, long, long, long, long two\n", 9, 20, 0,
             "[[3,1,1,[0,\"… ong \",1,\"one\",2,\"two\"]]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_limits) };

    return cmocka_run_group_tests_name("page/sides", tests, NULL, NULL);
}
