/* tests/unit/near/row.c -- what is collected of resident documents: rows, strings, features. */
#include "tests/unit/near/small_join.h"

static const char bench[] = "{\"id\": \"i1\", \"path\": \"p\", \"repo\": \"o/r\", \"license\": \"MIT\", "
                            "\"text\": \"a b a c\"}\n"
                            "{\"text\": \"c a a b\"}\n"     /* the same multiset */
                            "{\"text\": \"a b c\"}\n"
                            "{\"text\": \"a  b\"}\n"        /* too short */
                            "{\"text\": \"a b\"}\n";

static void test_rows(void **unused)
{
    const struct near_row *row;
    const uint64_t        *hash;
    const uint32_t        *times;
    struct pass_unit       unit;
    size_t                 count;

    (void)unused;
    small_join("", bench, NULL, "");
    small_prepare();
    row = small_rows(near_collector(job), 0, &unit, &count);
    hash = (const void *)pass_unit_section(&unit, 0, PART_VALUES).at;
    times = (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at;
    assert_int_equal(count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(row[i].record == i && row[i].total == (i < 2 ? 4 : i == 2 ? 3 : 2));
        assert_int_equal(row[i].distinct, i < 3 ? 3 : 2);
        /* of short ones too: who is short is not known yet */
        assert_int_equal(row[i].value_count, row[i].distinct);
        assert_true(row[i].class_low && row[i].copy_low);
    }
    assert_true(small_string_is(&unit, row[0].source_id, "i1") && small_string_is(&unit, row[0].path, "p"));
    assert_true(small_string_is(&unit, row[0].repo, "o/r") && small_string_is(&unit, row[0].license, "MIT"));
    assert_true(small_string_is(&unit, row[0].text, "a b a c") && small_string_is(&unit, row[0].tokens, NULL));
    assert_true(small_string_is(&unit, row[1].path, NULL));
    /* features ascending, each once, with their occurrences */
    for (size_t r = 0; r < 3; r++) {
        const uint64_t *h = hash + row[r].value_at;
        uint32_t        sum = 0;

        assert_true(h[0] < h[1] && h[1] < h[2]);
        for (int i = 0; i < 3; i++) sum += times[row[r].value_at + (uint64_t)i];
        assert_int_equal(sum, row[r].total);
        assert_memory_equal(h, hash + row[0].value_at, 3 * sizeof *h);
    }
    /* classes: by multiset, copies by all bytes but white space, of which the last two have not the same */
    assert_true(row[0].class_low == row[1].class_low && row[0].class_high == row[1].class_high);
    assert_true(row[0].class_low != row[2].class_low && row[3].class_low == row[4].class_low);
    assert_true(row[3].copy_low == row[4].copy_low && row[2].copy_low != row[4].copy_low);
    assert_true(row[3].raw.low != row[4].raw.low && row[3].squeezed.low == row[4].squeezed.low);
    unit_close(&unit.file);
    small_end();
}

static void test_stored(void **unused)
{
    const struct near_row *row;
    struct pass_unit       unit;
    size_t                 count;
    struct unit_key        key;

    (void)unused;
    small_join("", bench, NULL, "");
    key = near_collector(job).key;
    small.run.store_text = false;
    small.run.store_tokens = true;
    assert_true(near_collector(job).key.low != key.low);
    small_prepare();
    row = small_rows(near_collector(job), 0, &unit, &count);
    assert_true(small_string_is(&unit, row[0].text, NULL));
    assert_true(row[0].tokens.len != NO_STRING && row[0].tokens.len > 2);
    assert_true(pass_unit_section(&unit, 0, PART_HEAP).at[row[0].tokens.at] == '[');
    unit_close(&unit.file);
    small_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_stored) };

    return SMALL_KERNELS() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
