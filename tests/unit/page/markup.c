/* tests/unit/page/markup.c -- cells as people read them, and as numbers. */
#include "page/markup.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void reads(struct report_cell cell, const char *wanted)
{
    struct bytes  out = { 0 };
    struct markup m = { &out, 0 };

    markup_cell(&m, &cell);
    markup_add(&m, "|%d", 1);
    markup_text(&m, SLICE("\n<"));
    markup_lines(&m, SLICE("\n<"));
    markup_slice(&m, SLICE("%d\0"));                        /* as it is */
    assert_int_equal(m.rc, 0);
    assert_memory_equal(out.at, wanted, strlen(wanted));
    assert_string_equal(out.at + strlen(wanted), "|1\\x0a&lt;\n&lt;%d");
    bytes_free(&out);
}

static void test_cells(void **unused)
{
    (void)unused;
    reads(report_cell_text(SLICE("<b>")), "&lt;b&gt;");
    reads(report_cell_name(SLICE("a&b")), "a&amp;b");
    reads(report_cell_name(SLICE("")), "<span class=\"quiet\">–</span>");
    reads(report_cell_part(SLICE("")), "<span class=\"quiet\">all</span>");
    reads(report_cell_count(0), "0");
    reads(report_cell_count(999), "999");
    reads(report_cell_count(1000), "1,000");
    reads(report_cell_count(UINT64_MAX), "18,446,744,073,709,551,615");
    reads(report_cell_id(1000000000042), "1000000000042");
    reads(report_cell_bytes(1234567), "1.23 MB");
    reads(report_cell_percent(1, 8), "12.50 %");
    reads(report_cell_percent(0, 0), "<span class=\"quiet\">–</span>");
    reads(report_cell_share(0.12345), "0.123");
    reads(report_cell_number(1e-9), "1e-09");
    reads(report_cell_number(INFINITY), "<span class=\"quiet\">–</span>");
    reads(report_cell_flag(true), "yes");
    reads(report_cell_outcome(SLICE("passed")), "<span class=\"outcome good\">passed</span>");
    reads(report_cell_outcome(SLICE("clean")), "<span class=\"outcome good\">clean</span>");
    reads(report_cell_outcome(SLICE("failed")), "<span class=\"outcome bad\">failed</span>");
    reads(report_cell_outcome(SLICE("leaked")), "<span class=\"outcome bad\">leaked</span>");
    reads(report_cell_outcome(SLICE("inconclusive")), "<span class=\"outcome open\">inconclusive</span>");
    reads(report_cell_outcome(SLICE("<b>")), "<span class=\"outcome open\">&lt;b&gt;</span>");
    reads(report_cell_outcome(SLICE("")), "<span class=\"quiet\">–</span>");
}

static void test_values(void **unused)
{
    struct report_cell cell = report_cell_percentage(NAN);
    double             value;

    (void)unused;
    assert_false(markup_value(&cell, &value));
    cell = report_cell_text(SLICE("7"));
    assert_false(markup_value(&cell, &value));
    cell = report_cell_outcome(SLICE("7"));
    assert_false(markup_value(&cell, &value));
    cell = report_cell_count(7);
    assert_true(markup_value(&cell, &value) && value == 7);
    cell = report_cell_share(-0.5);
    assert_true(markup_value(&cell, &value) && value == -0.5);
}

/* Once memory ran out nothing more is written. */
static void test_sticks(void **unused)
{
    struct bytes  out = { 0 };
    struct markup m = { &out, -ENOMEM };

    (void)unused;
    markup_add(&m, "a");
    markup_slice(&m, SLICE("b"));
    markup_text(&m, SLICE("c"));
    markup_lines(&m, SLICE("d"));
    markup_count(&m, 5);
    assert_true(m.rc == -ENOMEM && out.len == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells), cmocka_unit_test(test_values), cmocka_unit_test(test_sticks),
    };

    return cmocka_run_group_tests_name("page/markup", tests, NULL, NULL);
}
