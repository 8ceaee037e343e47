/* tests/unit/probe/accuracy.c -- where n-grams are asked for. */
#include "probe/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_starts(void **unused)
{
    static const struct { size_t tokens, start[5]; } texts[] = {
        { 7, { 2, 2, 2, 2, 2 } },       { 8, { 2, 2, 2, 2, 3 } },         { 9, { 2, 2, 3, 3, 4 } },
        { 20, { 2, 5, 8, 11, 15 } },    { 100, { 2, 25, 48, 71, 95 } },   { 1024, { 2, 256, 510, 764, 1019 } },
    };
    size_t start[5];

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(accuracy_starts(texts[i].tokens, 0, 5, 5, start));
        assert_memory_equal(start, texts[i].start, sizeof start);
        assert_true(accuracy_starts(texts[i].tokens, 1024, 5, 5, start));
        assert_memory_equal(start, texts[i].start, sizeof start);
    }
    assert_true(accuracy_starts(5000, 1024, 5, 5, start));  /* of a long text only what the model can look at */
    assert_memory_equal(start, texts[5].start, sizeof start);
    assert_false(accuracy_starts(6, 0, 5, 5, start));
    assert_false(accuracy_starts(0, 0, 5, 5, start));
    assert_false(accuracy_starts(100, 6, 5, 5, start));
    assert_true(accuracy_starts(100, 7, 5, 5, start));
    assert_false(accuracy_starts(100, 0, 5, 1, start));     /* from the first to the last takes two */
    assert_true(accuracy_starts(100, 0, 5, 2, start));
    assert_int_equal(start[0], 2);
    assert_int_equal(start[1], 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
