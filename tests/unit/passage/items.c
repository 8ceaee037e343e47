/* tests/unit/passage/items.c -- the different runs of each item, as they come; those with too few have none. */
#include "tests/unit/passage/small_passages.h"

static void test_items(void **unused)
{
    struct pass_scanner        scanner;
    struct pass_unit           unit;
    const struct passage_item *item;
    const uint64_t            *key;
    struct err                 err = { 0 };

    (void)unused;
    passages_open(PASSAGE_SETTINGS, PASSAGE_TEXT("a b c d e f") PASSAGE_TEXT("a b c d e") PASSAGE_TEXT("b c d e f g a "
                                                 "b c")
                  PASSAGE_TEXT("a b a b a b a b a b a b") PASSAGE_TEXT("x"), PASSAGE_TEXT("x"));
    scanner = passage_collector(&passages_job);
    assert_int_equal(pass_unit_load(&small.run, &scanner, 0, 0, &unit, &err), 1);
    assert_int_equal(unit.header->parts, 1);
    assert_int_equal(pass_unit_section(&unit, 0, PART_ROWS).len, 5 * sizeof *item);
    item = (const void *)pass_unit_section(&unit, 0, PART_ROWS).at;
    key = (const void *)pass_unit_section(&unit, 0, PART_VALUES).at;
    assert_true(item[0].runs == 4 && item[0].features == 6 && item[0].value_at == 0 && item[0].record == 0);
    assert_true(item[1].runs == 3 && item[2].runs == 7 && item[2].value_at == 4);
    /* b c d, c d e, d e f of both */
    for (int i = 0; i < 3; i++) assert_true(key[1 + i] == key[4 + i]);
    for (int i = 0; i < 11; i++) assert_true(key[i] && (i == 1 || i == 4 || key[i] != key[1]));
    /* a b a, b a b, again and again: two names are too few */
    assert_true(item[3].runs == 0 && item[3].features == 12 && item[4].runs == 0);
    assert_int_equal(pass_unit_section(&unit, 0, PART_VALUES).len, 11 * sizeof *key);
    unit_close(&unit.file);
    passages_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/items", tests, NULL, NULL);
}
