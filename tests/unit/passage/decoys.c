/* tests/unit/passage/decoys.c -- decoys are as long as items, of pieces of many others, and the same each time. */
#include "tests/unit/passage/small_passages.h"

enum { ITEMS = 40, WORDS = 24 };

static void items_make(struct bytes *out)
{
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(bytes_printf(out, "{\"language\": \"%s\", \"text\": \"", i < 30 ? "python" : "go"), 0);
        for (int w = 0; w < WORDS; w++) assert_int_equal(bytes_printf(out, "n%d_%d ", i, w), 0);
        assert_int_equal(bytes_printf(out, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(out, "", 1), 0);
}

static void test_decoys(void **unused)
{
    const struct passage_index *index;
    struct bytes                items = { 0 };

    (void)unused;
    items_make(&items);
    passages_open(PASSAGE_SETTINGS, items.at, PASSAGE_TEXT("x"));
    index = passages_job.index;
    /* ten of go are too few to make some of */
    assert_true(index->entries == ITEMS + 30 && index->decoys == 30 && index->languages == 1);
    assert_true(index->language[0].count == 30 && index->language[0].language == index->entry[0].language);
    for (uint32_t e = ITEMS; e < index->entries; e++) {
        const struct passage_entry *decoy = &index->entry[e];

        assert_true(passage_is_decoy(index, e) && !passage_is_decoy(index, e - ITEMS));
        assert_true(decoy->runs == WORDS - 2 && decoy->need == 17 && decoy->longer == index->entry[0].longer);
        assert_true(decoy->donors >= 4);
        for (uint32_t d = 0; d < decoy->donors; d++) assert_true(index->donor[decoy->donor_at + d] < 30);
        for (uint32_t i = 0; i < decoy->runs; i++)          /* no run twice, none of the item it is for */
            for (uint32_t k = 0; k < i; k++)
                assert_true(index->run[decoy->run_at + i] != index->run[decoy->run_at + k]);
        for (uint32_t i = 0; i < decoy->runs; i++)
            for (uint32_t k = 0; k < decoy->runs; k++)
                assert_true(index->run[decoy->run_at + i] != index->run[index->entry[e - ITEMS].run_at + k]);
    }
    passages_end();
    bytes_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_decoys) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/decoys", tests, NULL, NULL);
}
