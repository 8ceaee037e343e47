/* tests/unit/regress/frame.c -- cells, what is missing, what is a number. */
#include "regress/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_cells(void **unused)
{
    const struct slice   names[] = { SLICE("a"), SLICE("b"), SLICE("c") };
    struct frame         f;
    struct frame_column *a, *b;

    (void)unused;
    assert_int_equal(frame_open(&f, names, 3), 0);
    a = frame_column_of(&f, SLICE("a"));
    b = frame_column_of(&f, SLICE("b"));
    assert_null(frame_column_of(&f, SLICE("d")));
    for (int i = 0; i < 300; i++) {
        if (i % 3) a->cell = SLICE("1.5");
        b->cell = i == 200 ? SLICE("x") : SLICE("-2e3");
        assert_int_equal(frame_end_row(&f), 0);
    }
    assert_int_equal(frame_finish(&f), 0);
    assert_int_equal(f.rows, 300);
    assert_true(a->number && isnan(a->number[0]) && a->number[1] > 1.4 && a->number[299] > 1.4);
    assert_int_equal(frame_cell(a, 0).len, 0);              /* a cell does not stay for the next row */
    assert_true(slice_equal(frame_cell(b, 200), SLICE("x")));
    assert_true(slice_equal(frame_cell(b, 299), SLICE("-2e3")));
    assert_null(b->number);
    assert_int_equal(b->text_row, 200);
    assert_true(b->nearly && !a->nearly);
    assert_non_null(frame_column_of(&f, SLICE("c"))->number);   /* nothing in it is a text */
    frame_close(&f);
}

static void test_words(void **unused)
{
    static const char *const numbers[] = { "0", "-1", "+2.5", "1e-7", ".5", "1.", "007", " 1", "1\t" },
        *const texts[] = { "", " ", "1 1", "0x1", "inf", "nan", "1e999", "--1", "1-", "e", "1,5", "1e5x", "one" },
        *const missing[] = { "", "NA", "NaN", "nan", "null", " ", " NA " },
        *const there[] = { "0", "na", "None", "N A", "NAN", "x" };
    double number;

    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!frame_number(slice_of(numbers[i]), &number)) fail_msg("%s is a number", numbers[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (frame_number(slice_of(texts[i]), &number)) fail_msg("%s is no number", texts[i]);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) assert_true(frame_is_missing(slice_of(missing[i])));
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) assert_false(frame_is_missing(slice_of(there[i])));
    assert_false(frame_number((struct slice){ "1111111111111111111111111111111111111111111111111111111111111111", 64 },
                              &number));
    assert_false(frame_number((struct slice){ "1\0", 2 }, &number));
}

/* Cells, a row each, of a column with texts: is it nearly one of numbers? */
static void test_nearly(void **unused)
{
    static const struct { const char *cells; bool nearly; } made[] = {
        { "1 2 x", false }, { "1 2 3 4 5 6 7 8 x 9", true }, { "1 2 3 4 5 6 7 x 8", false }, { "1 x", false },
        { "1 inf", false }, { "1 inf 2", true }, { "1 2 -Inf NA inf", true }, { "a b c", false },
        { "1 2 1e400", true }, { "1 2 -1e400 1e309", true }, { "1 2 1e400x", false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const struct slice name = SLICE("a");
        struct frame       f;

        assert_int_equal(frame_open(&f, &name, 1), 0);
        for (const char *at = made[i].cells; *at; at += strspn(at, " ")) {
            f.column[0].cell = (struct slice){ at, strcspn(at, " ") };
            at += f.column[0].cell.len;
            assert_int_equal(frame_end_row(&f), 0);
        }
        assert_int_equal(frame_finish(&f), 0);
        assert_null(f.column[0].number);
        if (f.column[0].nearly != made[i].nearly) fail_msg("%s", made[i].cells);
        frame_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells), cmocka_unit_test(test_words),
                                        cmocka_unit_test(test_nearly) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
