/* tests/unit/ngram/index.c -- the file of the items' n-grams: what its key depends on, and its loss. */
#include "tests/unit/ngram/small_table.h"

#include <errno.h>

static void test_key_and_loss(void **unused)
{
    struct ngram_options *options;
    struct ngram_index    again;
    struct unit_key       key;
    struct err            err = { 0 };

    (void)unused;
    table_open("{\"text\": \"a b c a b c a b\"}\n", "n: [3, 5]", false);
    key = ngram_index_key(&job);
    options = &ngram_task(&small.config)->options;
    options->n[1] = 6;
    assert_true(ngram_index_key(&job).low != key.low);
    assert_int_equal(ngram_index_open(small.stage, ngram_index_key(&job), &again, &err), 0);
    options->n[1] = 5;
    options->max_df = 9;                                    /* of the result alone */
    assert_true(ngram_index_key(&job).low == key.low);
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(ngram_index_build(&job, key, &err), -EIO);
    assert_non_null(strstr(err.text, "b.jsonl has disappeared or is damaged"));
    table_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_key_and_loss) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
