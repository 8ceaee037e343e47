/* tests/unit/dedup/state.c -- blocks of ids by generation, shares of a rank, what the keys of links follow from. */
#include "tests/unit/dedup/world.h"

static void test_blocks(void **unused)
{
    struct generation        generation[] = { { .first_id = 0, .documents = 20, .first_block = 0, .block_bits = 3 },
                                              { .first_id = 20, .documents = 4, .first_block = 3, .block_bits = 2 },
                                              { .first_id = 24, .documents = 3, .first_block = 4, .block_bits = 2 } };
    const struct dedup_state s = { .generation = generation, .generations = 3, .blocks = 5 };
    static const uint64_t    first[] = { 0, 8, 16, 20, 24, 27 };

    (void)unused;
    for (uint32_t b = 0; b < 5; b++) {
        assert_int_equal(block_first(&s, b), first[b]);
        for (uint64_t id = first[b]; id < first[b + 1]; id++) assert_int_equal(block_of(&s, id), b);
    }
    assert_int_equal(block_first(&s, 5), 27);               /* of block `blocks`: the number of documents */
}

/* Parts ascend with the ids, and none has those of two blocks. */
static void test_parts(void **unused)
{
    struct generation        generation[] = { { .first_id = 0, .documents = 20, .first_block = 0, .block_bits = 3 },
                                              { .first_id = 20, .documents = 4, .first_block = 3, .block_bits = 2 } };
    const struct dedup_state s = { .generation = generation, .generations = 2, .blocks = 4, .part_bits = 1 };
    static const uint32_t    part[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 6, 6, 7, 7 };
    struct world             w;

    (void)unused;
    for (uint64_t id = 0; id < 24; id++) {
        assert_int_equal(part_of(&s, id), part[id]);
        assert_int_equal(part_of(&s, id) >> s.part_bits, block_of(&s, id));
    }
    world_open(&w, "", (const char *const[3]){ "{\"text\": \"x\"}\n", NULL, NULL });
    world_columns(&w);
    assert_int_equal(w.state.blocks << w.state.part_bits, 1024);        /* few blocks have many parts */
    world_close(&w);
}

static void test_open(void **unused)
{
    struct world w;

    (void)unused;
    world_open(&w, ", added: c, protect: b", (const char *const[3]){
        "{\"text\": \"x\"}\n{\"text\": \"y\"}\n", NULL, NULL });
    world_columns(&w);
    assert_int_equal(own_ordinals(&w.state), 4);
    assert_int_equal(own_ids(&w.state), 4);
    assert_int_equal(w.state.generations, 2);
    assert_true(w.state.generation[0].documents == 3 && w.state.generation[1].first_id == 3 &&
                w.state.generation[1].first_block == 1);
    assert_int_equal(w.state.blocks, 2);                    /* blocks of their own */
    for (uint64_t ordinal = 0; ordinal < 4; ordinal++)
        assert_int_equal(is_protected(&w.state, ordinal), ordinal == 2);
    WORLD_DO(order_make(&w.state, err));
    packed_set(&w.state.place, 2, 77);
    assert_int_equal(answer_place(&w.state, 2), 77);
    state_close(&w.state);
    assert_null(w.state.place.at);
    world_close(&w);
}

/* Links follow from thresholds and preference; not from how documents are clustered, nor from what was added later. */
static void test_keys(void **unused)
{
    struct world         w;
    struct dedup_options options;
    struct dedup_state   other;
    struct err           err = { 0 };

    (void)unused;
    world_open(&w, ", added: c", (const char *const[3]){ NULL, NULL, NULL });
    world_columns(&w);
    options = *w.job.options;
    w.job.options = &options;
    options.cluster = DEDUP_COMPONENT;
    assert_int_equal(state_read(&other, &w.job, &err), 0);
    for (int g = 0; g < 2; g++)
        assert_memory_equal(&other.generation[g].key, &w.state.generation[g].key, sizeof other.key);
    assert_memory_not_equal(&other.key, &w.state.key, sizeof other.key);
    assert_memory_not_equal(&other.generation[0].key, &other.generation[1].key, sizeof other.key);
    state_close(&other);
    dedup_task(&w.r.config)->protect[2] = true;             /* of what was added */
    assert_int_equal(state_read(&other, &w.job, &err), 0);
    assert_memory_equal(&other.generation[0].key, &w.state.generation[0].key, sizeof other.key);
    assert_memory_not_equal(&other.generation[1].key, &w.state.generation[1].key, sizeof other.key);
    state_close(&other);
    dedup_task(&w.r.config)->protect[1] = true;             /* of what was there */
    assert_int_equal(state_read(&other, &w.job, &err), 0);
    assert_memory_not_equal(&other.generation[0].key, &w.state.generation[0].key, sizeof other.key);
    state_close(&other);
    dedup_task(&w.r.config)->protect[1] = dedup_task(&w.r.config)->protect[2] = false;
    options.threshold = (struct ratio){ 3, 5 };
    assert_int_equal(state_read(&other, &w.job, &err), 0);
    assert_memory_not_equal(&other.generation[0].key, &w.state.generation[0].key, sizeof other.key);
    state_close(&other);
    options.threshold = (struct ratio){ 1, 2 };
    w.r.config.datasets[2].added = 0;                       /* c as if it had always been there */
    assert_int_equal(state_read(&other, &w.job, &err), 0);
    assert_int_equal(other.generations, 1);
    assert_memory_not_equal(&other.generation[0].key, &w.state.generation[0].key, sizeof other.key);
    state_close(&other);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks), cmocka_unit_test(test_parts),
                                        cmocka_unit_test(test_open), cmocka_unit_test(test_keys) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
