/* tests/unit/passage/passage.c -- runs are hashed alike wherever they stand; the index is made once. */
#include "tests/unit/passage/small_passages.h"

static uint64_t key_of(const uint64_t *word, int n)
{
    uint64_t sum = 0;

    for (int i = 0; i < n; i++) sum = sum * PASSAGE_BASE + word[i];
    return passage_key(sum);
}

static void test_keys(void **unused)
{
    const uint64_t word[] = { 11, 22, 33, 44, 55 }, power = passage_power(3);
    uint64_t       sum = (word[0] * PASSAGE_BASE + word[1]) * PASSAGE_BASE + word[2];

    (void)unused;
    assert_true(passage_power(0) == 1 && passage_power(1) == PASSAGE_BASE);
    for (int i = 0; i < 3; i++) {
        assert_true(passage_key(sum) == key_of(word + i, 3));
        if (i < 2) sum = sum * PASSAGE_BASE + word[i + 3] - word[i] * power;
    }
    assert_true(key_of(word, 3) != key_of(word + 1, 3) && passage_key(0) != 0);
    assert_true(passage_longer(4) == 5 && passage_longer(5) == 7 && passage_longer(100) == 125);
}

static void test_prepare(void **unused)
{
    struct passage_job again;
    struct unit_key    key;
    struct err         err = { 0 };

    (void)unused;
    passages_open(PASSAGE_SETTINGS, PASSAGE_TEXT("a b c d e f g"), PASSAGE_TEXT("x"));
    again = (struct passage_job){ .run = passages_job.run, .near = passages_job.near };
    assert_true(passage_on(job->options));
    assert_int_equal(passage_prepare(&again, &err), 0);     /* what is committed */
    assert_int_equal(again.index->entries, passages_job.index->entries);
    passage_release(&again);
    small.run.memory = 100;                                 /* too little to make it, but there it is */
    assert_int_equal(passage_prepare(&again, &err), 0);
    passage_release(&again);
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(passage_prepare(&again, &err), -ENOMEM);
    assert_non_null(strstr(err.text, "passages: runs of the benchmarks need about 1 MB in memory"));
    passage_release(&again);
    key = passage_index_key(&passages_job);
    assert_true(key.low != passage_collector(&passages_job).key.low);
    passages_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_prepare) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/passage", tests, NULL, NULL);
}
