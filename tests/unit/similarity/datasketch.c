/* tests/unit/similarity/datasketch.c -- signatures against datasketch's own numbers. */
#include "similarity/datasketch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

static struct datasketch_lanes lanes;

static void test_lanes(void **unused)
{
    (void)unused;
    datasketch_lanes_draw(&lanes, 1);
    assert_true(lanes.a[0] == 775169054918279404ull && lanes.b[0] == 1758426461858698312ull);
    assert_true(lanes.a[1] == 2109959069025162ull && lanes.b[1] == 965365488286768773ull);
    assert_true(lanes.a[2] == 401325382989534145ull && lanes.b[2] == 1703346441743126657ull);
    assert_true(lanes.a[255] == 1369100512183171272ull && lanes.b[255] == 1825998840733297350ull);
}

static double jaccard_of(const char *first, const char *second)
{
    static struct datasketch a, b;
    struct words             words = { 0 };
    struct bytes             scratch = { 0 };
    struct err               err = { 0 };

    datasketch_lanes_draw(&lanes, 1);
    assert_int_equal(words_of_python(&words, slice_of(first), &err), 0);
    assert_int_equal(datasketch_words(&a, &lanes, &words, &scratch, &err), 0);
    assert_int_equal(words_of_python(&words, slice_of(second), &err), 0);
    assert_int_equal(datasketch_words(&b, &lanes, &words, &scratch, &err), 0);
    words_free(&words);
    bytes_free(&scratch);
    return datasketch_jaccard(&a, &b);
}

static void test_published(void **unused)
{
    static const char body[] = "    total = 0\n    for v in values:\n        # add it\n        total += v\n"
    "    return total";

    (void)unused;
    close_to(jaccard_of(body, "    total = 0\n    for v in values:\n        # add it\n        total = total + v\n"
                        "    return total"), 0.421875, 0);
    close_to(jaccard_of(body, body), 1, 0);
    close_to(jaccard_of("", body), 0, 0);
    close_to(jaccard_of("a", "b"), 1, 0);                   /* neither has five words */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lanes), cmocka_unit_test(test_published) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
