/* tests/unit/dedup/fetch.c -- features by id, where columns are mapped and where they are copied. */
#include "dedup/fetch.h"
#include "tests/unit/dedup/world.h"

static void assert_fetched(uint64_t memory)
{
    static const uint64_t wanted[] = { 3, 0, 3, 1 };
    struct world          w;
    struct fetch          fetch;

    /* ids by the length of the path: ordinals 2, 0, 3, 1 */
    world_open(&w, ", keep: [path]", (const char *const[3]){
        "{\"text\": \"p p q\", \"path\": \"12\"}\n{\"text\": \"r\", \"path\": \"1234\"}\n",
        "{\"text\": \"p q\", \"path\": \"1\"}\n", "{\"text\": \"\", \"path\": \"123\"}\n" });
    world_order(&w);
    w.r.run.memory = memory;
    WORLD_DO(fetch_open(&fetch, &w.state, err));
    for (int round = 0; round < 2; round++) {
        struct fetched zero, one, three;

        WORLD_DO(fetch_run(&fetch, wanted, 4, err));
        zero = fetch_get(&fetch, 0), one = fetch_get(&fetch, 1), three = fetch_get(&fetch, 3);
        assert_true(zero.ordinal == 2 && one.ordinal == 0 && three.ordinal == 1);
        assert_true(zero.features.distinct == 2 && zero.features.total == 2 && !zero.features.count);
        assert_true(one.features.distinct == 2 && one.features.total == 3 && one.features.count);
        assert_int_equal(one.features.count[0] + one.features.count[1], 3);
        assert_memory_equal(zero.features.hash, one.features.hash, 2 * sizeof *one.features.hash);
        assert_true(three.features.distinct == 1 && three.features.hash[0] != zero.features.hash[0] &&
                    three.features.hash[0] != zero.features.hash[1]);
        WORLD_DO(fetch_run(&fetch, (const uint64_t[]){ 2 }, 1, err));   /* what was there before is gone */
        assert_true(fetch_get(&fetch, 2).ordinal == 3 && fetch_get(&fetch, 2).features.distinct == 0);
        WORLD_DO(fetch_run(&fetch, NULL, 0, err));
    }
    fetch_close(&fetch);
    world_close(&w);
}

static void test_fetch(void **unused)
{
    (void)unused;
    assert_fetched(0);
    assert_fetched(1);                                      /* no room to map all columns */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fetch) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
