/* tests/unit/passage/index.c -- entries, their prefixes and keys; items below the least are counted. */
#include "tests/unit/passage/small_passages.h"

static void test_index(void **unused)
{
    const struct passage_index *index;
    uint64_t                    postings = 0;

    (void)unused;
    /* the third item is the first in other layout; the last is too short */
    passages_open(PASSAGE_SETTINGS, PASSAGE_TEXT("a b c d e f g h i j") PASSAGE_TEXT("a b c d e k l m n o")
                  PASSAGE_TEXT("a  b c d e f g h i\\n j") PASSAGE_TEXT("a b c"), PASSAGE_TEXT("x"));
    index = passages_job.index;
    assert_true(index->entries == 2 && index->items == 3 && index->decoys == 0 && index->runs == 13);
    assert_true(index->item[0].entry == 0 && index->item[1].entry == 1 && index->item[2].entry == 0);
    assert_true(index->item[2].record == 2 && index->below[0] == 1 && index->all[0] == 4);
    for (uint32_t e = 0; e < 2; e++) {
        const struct passage_entry *entry = &index->entry[e];

        assert_true(entry->runs == 8 && entry->need == 6 && entry->longer == 13);
        /* the three that both have stand last, so that none of them is in a prefix */
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t run = index->run[entry->run_at + i];
            uint64_t       under = 0;

            for (uint64_t p = index->posting_start[run]; p < index->posting_start[run + 1]; p++)
                under += index->posting[p] == e;
            assert_int_equal(under, i < 3);
            assert_true(run < 3 ? i >= 5 : i < 5);
        }
    }
    for (uint64_t s = 0; s <= index->slot_mask; s++) {
        if (!index->key[s]) continue;
        assert_true(passage_maybe(index->filter, index->filter_shift, index->key[s]));
        if (index->posting_start[index->id[s] + 1] > index->posting_start[index->id[s]])
            assert_true(passage_maybe(index->prefix_filter, index->prefix_shift, index->key[s]));
        assert_int_equal(passage_find(index, index->key[s]), index->id[s]);
        postings++;
    }
    assert_true(postings == 13 && index->posting_start[13] == 6);
    assert_int_equal(passage_find(index, 12345), UINT32_MAX);
    passages_end();
}

/* Another share is another index: none is there. */
static void test_open(void **unused)
{
    struct passage_index index;
    struct unit_key      key;
    struct err           err = { 0 };

    (void)unused;
    passages_open(PASSAGE_SETTINGS, PASSAGE_TEXT("a b c d e f g h i j"), PASSAGE_TEXT("x"));
    key = passage_index_key(&passages_job);
    assert_int_equal(passage_index_open(small.run.stage, key, &index, &err), 1);
    passage_index_close(&index);
    key.low++;
    assert_int_equal(passage_index_open(small.run.stage, key, &index, &err), 0);
    assert_int_equal(passage_index_build(&passages_job, key, &err), 0);
    assert_int_equal(passage_index_open(small.run.stage, key, &index, &err), 1);
    assert_int_equal(index.entries, 1);
    passage_index_close(&index);
    passages_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_index), cmocka_unit_test(test_open) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/index", tests, NULL, NULL);
}
