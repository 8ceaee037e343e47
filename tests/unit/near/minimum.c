/* tests/unit/near/minimum.c -- how long documents are, and how long they must be. */
#include "near/minimum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_lengths(void **unused)
{
    static const uint32_t features[] = { 0, 1, 19, 20, 31, 32, 63, 64, 65535, 65536, UINT32_MAX };
    struct near_lengths   lengths = { 0 }, twice = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) lengths_add(&lengths, features[i]);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        uint64_t expected = 0;

        for (size_t j = i; j < sizeof features / sizeof *features; j++) expected++;
        if (features[i] <= LENGTHS_SINGLE) assert_int_equal(lengths_from(&lengths, features[i]), expected);
    }
    assert_int_equal(lengths.count[LENGTHS_SINGLE], 2);     /* 32 and 63 */
    assert_int_equal(lengths.count[LENGTHS_BUCKETS - 1], 1);
    assert_true(lengths_least(31) == 31 && lengths_least(32) == 32 && lengths_least(33) == 64);
    assert_int_equal(lengths_least(LENGTHS_BUCKETS - 1), 1u << 31);
    lengths_sum(&twice, &lengths);
    lengths_sum(&twice, &lengths);
    assert_int_equal(lengths_from(&twice, 0), 22);
}

static void test_choose(void **unused)
{
    struct near_lengths lengths = { 0 };

    (void)unused;
    assert_int_equal(minimum_choose(&lengths), MINIMUM_USUAL);      /* of nothing */
    lengths.count[25] = 90, lengths.count[3] = 10;
    assert_int_equal(minimum_choose(&lengths), 20);         /* nine tenths are enough */
    lengths.count[3] = 11;
    assert_int_equal(minimum_choose(&lengths), 5);          /* fewer are not, and 3 is too few for anybody */
    lengths.count[13] = 10;
    assert_int_equal(minimum_choose(&lengths), 13);         /* 100 of 111 */
    lengths.count[0] = 1000;
    assert_int_equal(minimum_choose(&lengths), 5);
}

static void test_numbers(void **unused)
{
    struct dataset       d[] = { { .role = ROLE_BENCHMARK }, { .role = ROLE_BENCHMARK, .min_tokens = 30 },
                                 { .role = ROLE_CORPUS }, { .role = ROLE_CORPUS, .self_join = true } };
    struct near_lengths  lengths[4] = { 0 };
    struct near_minimums m;
    struct err           err = { 0 };

    (void)unused;
    lengths[0].count[7] = 1;
    assert_true(minimums_ask(d, 4, 0) && !minimums_ask(d, 4, 9) && !minimums_ask(d + 1, 3, 0));
    assert_int_equal(minimums_make(&m, d, 4, 0, lengths, &err), 0);
    assert_true(m.number[0] == 7 && m.number[1] == 30 && m.number[2] == 7 && m.number[3] == 20);
    assert_true(m.admits[0] == 7 && m.admits[1] == 30 && m.admits[2] == 7 && m.admits[3] == 7);
    assert_true(m.corpora == 20 && m.streamed == 7 && m.least == 7 && m.most == 30);
    assert_true(minimums_level(&m, d, 0) == 0 && minimums_level(&m, d, 1) == 30 && minimums_level(&m, d, 3) == 0);
    minimums_free(&m);
    d[0].min_tokens = 25;                                   /* above what corpora need of each other */
    assert_int_equal(minimums_make(&m, d, 4, 0, NULL, &err), 0);
    assert_true(m.admits[2] == 25 && m.admits[3] == 20 && m.least == 20 && minimums_level(&m, d, 0) == 25);
    minimums_free(&m);
    assert_int_equal(minimums_make(&m, d + 2, 2, 6, NULL, &err), 0);        /* no benchmark */
    assert_true(m.number[0] == 6 && m.admits[1] == 6 && m.corpora == 6 && m.streamed == 6);
    minimums_free(&m);
    d[0].min_tokens = d[1].min_tokens = 0;                  /* one number for all: nobody is told apart */
    assert_int_equal(minimums_make(&m, d, 4, 9, NULL, &err), 0);
    for (uint32_t i = 0; i < 4; i++) assert_true(m.number[i] == 9 && m.admits[i] == 9 && !minimums_level(&m, d, i));
    assert_true(m.least == 9 && m.most == 9);
    minimums_free(&m);
    minimums_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lengths), cmocka_unit_test(test_choose),
                                        cmocka_unit_test(test_numbers) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
