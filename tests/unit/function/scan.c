/* tests/unit/function/scan.c -- rows and places of functions; what is left to near; files that are not compared. */
#include "tests/unit/function/small_functions.h"

static void test_rows(void **unused)
{
    const struct near_row       *row;
    const struct function_place *place;
    const struct functions_told *told;
    struct pass_unit             unit;
    size_t                       rows;

    (void)unused;
    functions_join(UNIT_AUTO, small_items);
    row = small_rows(function_scanner(&functions_job), 1, &unit, &rows);
    place = (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at;
    assert_int_equal(rows, 2);
    told = (const void *)&place[2];
    assert_int_equal(pass_unit_section(&unit, 0, PART_COUNTS).len, 2 * sizeof *place + sizeof *told);
    assert_true(told->fast == 2 && told->parsed == 0 && told->given_up == 0);
    assert_true(row[0].record == 0 && row[1].record == 0 && row[0].total == 7 && row[0].distinct == 5);
    assert_true(place[0].at == 22 && place[0].end == 69 && place[0].line == 3 && place[0].line_end == 5);
    assert_true(small_string_is(&unit, place[0].name, "f") && small_string_is(&unit, place[0].class_name, "K"));
    assert_true(place[1].line == 7 && place[1].line_end == 9 && small_string_is(&unit, place[1].class_name, NULL));
    assert_true(small_string_is(&unit, row[1].text, "def f(a):\n    b = a + c\n    return d(b)"));
    unit_close(&unit.file);
    functions_end();
}

static void test_files(void **unused)
{
    struct pass_unit unit;
    size_t           rows;

    (void)unused;
    functions_join(UNIT_AUTO, small_items);
    small_rows(near_scanner(job), 1, &unit, &rows);
    assert_int_equal(rows, 1);                              /* the file that is the function */
    unit_close(&unit.file);
    functions_end();
    functions_join(UNIT_FUNCTION, small_items);
    small_rows(near_scanner(job), 1, &unit, &rows);
    assert_int_equal(rows, 0);
    unit_close(&unit.file);
    functions_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_files) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("function/scan", tests, NULL, NULL);
}
