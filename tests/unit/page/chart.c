/* tests/unit/page/chart.c -- each kind of picture: the numbers of its table, and none of what is no number; nothing of
 * what a text holds is obeyed. */
#include "page/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct report_column columns[] = {
    { "name", "name" }, { "other", "other" }, { "x", "across" }, { "count", "how many" }, { "percent", "%" },
};
enum { COLUMNS = 5 };

struct drawn { struct report_document document; struct report_node *table; };

static void drawn_open(struct drawn *d, const struct report_chart *chart)
{
    report_open(&d->document, "T");
    d->table = report_table(&d->document, d->document.root, "t", columns, COLUMNS);
    report_chart(d->table, chart);
}

static void row(struct drawn *d, const char *name, const char *other, double x, uint64_t count, double percent)
{
    report_row(&d->document, d->table, (const struct report_cell[]){
        report_cell_name(slice_of(name)), report_cell_name(slice_of(other)), report_cell_number(x),
        report_cell_count(count), report_cell_percentage(percent) });
}

/* The picture, or NULL when the table has none. */
static char *drawn_close(struct drawn *d)
{
    struct bytes  out = { 0 };
    struct markup m = { &out, 0 };

    if (chart_fits(d->table)) {
        chart_add(&m, d->table, "id");
        markup_slice(&m, (struct slice){ "", 1 });
    }
    assert_int_equal(m.rc, 0);
    report_close(&d->document);
    if (out.at) {
        assert_null(strstr(out.at, "nan"));
        assert_null(strstr(out.at, "inf"));
        assert_non_null(strstr(out.at, "<title id=\"id.title\">Picture</title><desc id=\"id.desc\">"));
    }
    return out.at;
}

static void has(const char *picture, const char *text)
{
    if (!strstr(picture, text)) fail_msg("`%s' is not in:\n%s", text, picture);
}

static size_t count(const char *picture, const char *text)
{
    size_t n = 0;

    for (const char *at = picture; (at = strstr(at, text)); at++) n++;
    return n;
}

static const struct report_chart bars = { CHART_BARS, "Picture", { "name", "other" }, NULL, { "count" } };
static const struct report_chart histogram = { CHART_HISTOGRAM, "Picture", { NULL }, "x", { "count" } };
static const struct report_chart pairs = { CHART_HISTOGRAM, "Picture", { NULL }, "x", { "count", "percent" } };
static const struct report_chart lines = { CHART_LINES, "Picture", { NULL }, "x", { "count", "percent" } };
static const struct report_chart matrix = { CHART_MATRIX, "Picture", { "name" }, "other", { "percent" } };
static const struct report_chart grid = { CHART_GRID, "Picture", { NULL }, NULL, { NULL } };
static const struct report_chart sets = { CHART_SETS, "Picture", { "name" }, NULL, { "count" } };
static const struct report_chart curves = { CHART_CURVES, "Picture", { "name" }, "x", { "percent" } };
static const struct report_chart *const all[] = { &bars, &histogram, &pairs, &lines, &matrix, &grid, &sets, &curves };

static int mask_secret(struct slice *text, bool program, struct bytes *masked)
{
    (void)program, (void)masked;
    if (text->len >= 6 && memcmp(text->at, "secret", 6) == 0) *text = SLICE("***");
    return 0;
}

/* Masked names of different things are different rows and columns, those of one thing the same. */
static void test_masked(void **unused)
{
    struct drawn d;
    char        *picture;

    (void)unused;
    drawn_open(&d, &matrix);
    d.document.mask = mask_secret;
    row(&d, "secret 1", "secret 3", 0, 0, 11);
    row(&d, "secret 2", "secret 3", 0, 0, 22);
    row(&d, "secret 1", "secret 4", 0, 0, 33);
    picture = drawn_close(&d);
    has(picture, "11.0");
    has(picture, "22.0");
    has(picture, "33.0");
    assert_int_equal(count(picture, ">***<"), 4);
    assert_null(strstr(picture, "secret"));
    free(picture);
}

/* No rows, rows without a number, one row, and numbers at the ends of what there is. */
static void test_extremes(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct drawn d;
        char        *picture;

        drawn_open(&d, all[i]);
        assert_null(drawn_close(&d));
        drawn_open(&d, all[i]);
        row(&d, "a", "b", NAN, 0, NAN);
        free(drawn_close(&d));
        drawn_open(&d, all[i]);
        row(&d, "<script>\x1b", "\"' onload=x", INFINITY, UINT64_MAX, -1e300);
        row(&d, "", "", 1e308, 1, 1e308);
        picture = drawn_close(&d);
        assert_non_null(picture);
        assert_int_equal(count(picture, "<script"), 0);
        assert_int_equal(count(picture, "\x1b"), 0);
        assert_int_equal(count(picture, "<svg"), count(picture, "</svg>"));
        assert_int_equal(count(picture, "<text"), count(picture, "</text>"));
        assert_int_equal(count(picture, "<g"), count(picture, "</g>"));
        free(picture);
    }
}

static void test_numbers(void **unused)
{
    struct drawn d;
    char        *picture;

    (void)unused;
    drawn_open(&d, &bars);
    for (int i = 0; i < 40; i++) row(&d, "a", "b", i, 1000 + (uint64_t)i, 0);
    picture = drawn_close(&d);
    has(picture, "a · b</text>");
    has(picture, ">1,029</text>");
    assert_int_equal(count(picture, "<rect"), 30);
    has(picture, "10 more in the table");
    free(picture);

    drawn_open(&d, &histogram);
    row(&d, "", "", 0.25, 3, 0);
    row(&d, "", "", 0.5, 0, 0);
    picture = drawn_close(&d);
    has(picture, ">0.25</text>");
    has(picture, ">3</text>");
    assert_int_equal(count(picture, "<rect"), 2);
    free(picture);

    drawn_open(&d, &histogram);                             /* one bar does not fill the picture */
    row(&d, "", "", 0.25, 3, 0);
    picture = drawn_close(&d);
    has(picture, "x=\"57.0\" y=\"24.0\" width=\"78.0\" height=\"170.0\"");
    free(picture);

    drawn_open(&d, &pairs);                                 /* side by side, whether shown elsewhere or not */
    row(&d, "", "", 0.25, 4, 2);
    row(&d, "", "", 0.5, 1, NAN);
    report_hide_row(d.table);
    picture = drawn_close(&d);
    has(picture, "<rect class=\"f1\" x=\"57.0\" y=\"24.0\" width=\"79.0\" height=\"170.0\"/>");
    has(picture, "<rect class=\"f2\" x=\"136.0\" y=\"109.0\" width=\"79.0\" height=\"85.0\"/>");
    has(picture, "<rect class=\"f1\" x=\"217.0\" y=\"151.5\" width=\"79.0\" height=\"42.5\"/>");
    assert_int_equal(count(picture, "class=\"f1\""), 3);    /* two bars, and what the colour is of */
    assert_int_equal(count(picture, "class=\"f2\""), 2);
    has(picture, ">how many</text>");
    free(picture);

    drawn_open(&d, &matrix);
    row(&d, "a", "b", 0, 0, 12.5);
    row(&d, "a", "b", 0, 0, 99);                            /* the first counts */
    row(&d, "b", "a", 0, 0, 100);
    row(&d, "b", "b", 0, 0, NAN);
    picture = drawn_close(&d);
    has(picture, ">12.50 %</text>");
    has(picture, "class=\"h7\"");
    has(picture, ">how many</text>");                       /* what the percentage is of */
    assert_null(strstr(picture, "99.00"));
    assert_int_equal(count(picture, "<rect"), 2);
    free(picture);

    drawn_open(&d, &sets);
    row(&d, "exact, near", "", 0, 5, 0);
    row(&d, "near", "", 0, 2, 0);
    picture = drawn_close(&d);
    assert_int_equal(count(picture, "class=\"off\""), 4);
    assert_int_equal(count(picture, "<circle class=\"f1\""), 3);
    assert_int_equal(count(picture, "<path class=\"l1\""), 1);
    has(picture, ">exact</text>");
    free(picture);

    drawn_open(&d, &curves);
    row(&d, "m", "", 0, 0, 0);
    row(&d, "m", "", 1, 0, 1);
    report_hide_row(d.table);                               /* points are drawn though report.md has them not */
    row(&d, "n", "", 0, 0, 0.5);
    picture = drawn_close(&d);
    assert_int_equal(count(picture, "<polyline"), 2);
    has(picture, "points=\"52.0,332.0 372.0,12.0 \"");
    free(picture);
}

/* A table without the columns is a table. */
static void test_columns(void **unused)
{
    static const struct report_chart other = { CHART_BARS, "Picture", { "name" }, NULL, { "missing" } };
    struct drawn d;

    (void)unused;
    drawn_open(&d, &other);
    row(&d, "a", "b", 1, 1, 1);
    assert_null(drawn_close(&d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masked), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_columns),
    };

    return cmocka_run_group_tests_name("page/chart", tests, NULL, NULL);
}
