/* tests/unit/near/join.c -- an index joined with itself: the unit of a block, and that it is made once. */
#include "tests/unit/near/small_join.h"

/* classes by size: x y z; a b c d; a b c d e; and one of six that has x y z wholly */
static const char bench[] = "{\"text\": \"a b c d e\"}\n"
                            "{\"text\": \"a b c d\"}\n"
                            "{\"text\": \"x y z\"}\n"
                            "{\"text\": \"x y z u v w\"}\n";

static size_t load(struct unit *unit, struct near_link *out)
{
    struct err err = { 0 };
    size_t     count = 0;

    assert_int_equal(stage_load(small.stage, "join", near_join_key(near_index_key(job, INDEX_BENCHMARKS), 0), unit,
                                &err), 1);
    for (size_t s = 0; s < unit->count; s++) {
        const struct near_link *link = (const void *)unit->section[s].at;

        for (size_t l = 0; l < unit->section[s].len / sizeof *link; l++) out[count++] = link[l];
    }
    return count;
}

static void test_links(void **unused)
{
    struct near_link link[8];
    struct unit      unit;

    (void)unused;
    small_join("", bench, NULL, "");
    small_prepare();
    assert_int_equal(job->benchmarks->classes, 4);
    assert_int_equal(load(&unit, link), 1);
    assert_true(link[0].first == 2 && link[0].second == 1 && link[0].marks == NEAR_SIMILAR);
    assert_true(link[0].shared == 4 && link[0].union_size == 5 && link[0].min_sum == 4 && link[0].max_sum == 5);
    unit_close(&unit);
    small_end();
}

/* One inside the other: the larger one is first, whichever side it was found from. */
static void test_inside(void **unused)
{
    struct near_link link[8];
    struct unit      unit;
    size_t           count;

    (void)unused;
    small_join("containment_threshold: 1", bench, NULL, "");
    small_prepare();
    count = load(&unit, link);
    assert_true(count >= 2);
    for (size_t l = 0; l < count; l++) {
        assert_true(link[l].first > link[l].second);
        if (link[l].first == 2) assert_true(link[l].second == 1 && link[l].marks == NEAR_SIMILAR);
        else assert_true(link[l].first == 3 && link[l].second == 0 && link[l].marks == NEAR_SECOND_INSIDE &&
                         link[l].shared == 3 && link[l].union_size == 6);
    }
    unit_close(&unit);
    small_end();
}

static void test_resumed(void **unused)
{
    struct unit_key  key, damaged = { 5, 6 };
    struct near_link link[8];
    struct unit      unit;
    struct err       err = { 0 };

    (void)unused;
    small_join("", bench, NULL, "");
    small_prepare();
    key = near_index_key(job, INDEX_BENCHMARKS);
    assert_true(near_join_key(key, 0).low != near_join_key(key, 1).low);
    assert_true(near_join_key(key, 0).low != near_join_key(damaged, 0).low);
    /* what is there is taken as it is; what is not is made again */
    assert_int_equal(stage_remove(small.stage, "join", near_join_key(key, 0), &err), 0);
    assert_int_equal(stage_commit(small.stage, "join", near_join_key(key, 0), (struct slice[]){ { NULL, 0 } }, 1, &err),
                     0);
    assert_int_equal(near_join(job, job->benchmarks, key, &err), 0);
    assert_int_equal(load(&unit, link), 0);
    unit_close(&unit);
    assert_int_equal(stage_remove(small.stage, "join", near_join_key(key, 0), &err), 0);
    assert_int_equal(near_join(job, job->benchmarks, key, &err), 0);
    assert_int_equal(load(&unit, link), 1);
    unit_close(&unit);
    small_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_links), cmocka_unit_test(test_inside),
                                        cmocka_unit_test(test_resumed) };

    return SMALL_KERNELS() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
