/* tests/unit/regress/design.c -- the columns and groups that formulas make of a small table. */
#include "tests/unit/regress/common.h"

#include "regress/design.h"

#include <errno.h>
#include <stdio.h>

/* y, x, a (u v w), b (p q), n (2 10), hits, trials, t (text in row 3) */
static const char *const names[] = { "y", "x", "a", "b", "n", "hits", "trials", "t" };
static const char *const cells[][8] = {
    { "1", "0.5", "v", "q", "10", "1", "4", "1" },  { "2", "1", "u", "p", "2", "0", "3", "2" },
    { "4", "2", "w", "q", "2", "2", "2", "x" },     { "3", "4", "u", "q", "10", "3", "5", "3" },
    { "5", "NA", "v", "p", "2", "1", "1", "4" },    { "6", "8", "v", "p", "10", "0", "0", "5" },
};
enum { ROWS = sizeof cells / sizeof *cells };

struct made_design { struct formula formula; struct frame frame; struct design design; };

static int make(struct made_design *m, const char *text, bool hits, struct err *err)
{
    struct slice name[8];

    *m = (struct made_design){ .frame.columns = 0 };
    for (size_t i = 0; i < 8; i++) name[i] = slice_of(names[i]);
    assert_int_equal(formula_parse(&m->formula, slice_of(text), err), 0);
    assert_int_equal(frame_open(&m->frame, name, 8), 0);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < 8; i++) {
            m->frame.column[i].found = true;
            m->frame.column[i].cell = slice_of(cells[row][i]);
        }
        assert_int_equal(frame_end_row(&m->frame), 0);
    }
    assert_int_equal(frame_finish(&m->frame), 0);
    return design_make(&m->design, &m->formula, &m->frame, hits, err);
}

static void unmake(struct made_design *m)
{
    design_free(&m->design);
    frame_close(&m->frame);
}

/* Names of the columns, and the numbers of each row that counts, row by row. */
static void makes(const char *text, const char *columns, size_t rows, const double *wanted)
{
    struct made_design m;
    struct err         err = { 0 };
    char               told[500] = "";

    if (make(&m, text, false, &err) < 0) fail_msg("%s: %s", text, err.text);
    for (size_t i = 0; i < m.design.data.columns; i++)
        snprintf(told + strlen(told), sizeof told - strlen(told), "%s%s", i ? " " : "", m.design.name[i]);
    if (strcmp(told, columns) != 0) fail_msg("%s: \"%s\"", text, told);
    assert_int_equal(m.design.data.rows, rows);
    for (size_t i = 0; wanted && i < rows * m.design.data.columns; i++) close_to(m.design.x[i], wanted[i], 1e-12);
    unmake(&m);
}

static void test_columns(void **unused)
{
    (void)unused;
    makes("y ~ x", "(Intercept) x", 5, (const double[]){ 1, 0.5, 1, 1, 1, 2, 1, 4, 1, 8 });
    makes("y ~ a", "(Intercept) a[v] a[w]", 6,
          (const double[]){ 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0 });
    makes("y ~ a - 1", "a[u] a[v] a[w]", 6,
          (const double[]){ 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0 });
    makes("y ~ 0 + x", "x", 5, (const double[]){ 0.5, 1, 2, 4, 8 });
    makes("y ~ 0 + a + b", "a[u] a[v] a[w] b[q]", 6, NULL); /* only the first stands for the intercept */
    makes("y ~ n", "(Intercept) n", 6, NULL);
    makes("y ~ factor(n)", "(Intercept) factor(n)[10]", 6,  /* 2 comes before 10 */
          (const double[]){ 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1 });
    makes("y ~ a*b", "(Intercept) a[v] a[w] b[q] a[v]:b[q] a[w]:b[q]", 6, NULL);
    makes("y ~ a:b", "(Intercept) a[u]:b[p] a[v]:b[p] a[w]:b[p] a[u]:b[q] a[v]:b[q] a[w]:b[q]", 6, NULL);
    makes("y ~ a + a:x", "(Intercept) a[v] a[w] a[u]:x a[v]:x a[w]:x", 5, NULL);
    makes("y ~ a*x", "(Intercept) a[v] a[w] x a[v]:x a[w]:x", 5, NULL);
    makes("y ~ x:n", "(Intercept) x:n", 5, (const double[]){ 1, 5, 1, 2, 1, 4, 1, 40, 1, 80 });
    makes("y ~ log(x)", "(Intercept) log(x)", 5,
          (const double[]){ 1, log(0.5), 1, 0, 1, log(2), 1, log(4), 1, log(8) });
    makes("y ~ log1p(hits)", "(Intercept) log1p(hits)", 6, NULL);
    makes("y ~ 0 + scale(y)", "scale(y)", 6,
          (const double[]){ -2.5 / sqrt(3.5), -1.5 / sqrt(3.5), 0.5 / sqrt(3.5), -0.5 / sqrt(3.5), 1.5 / sqrt(3.5),
                            2.5 / sqrt(3.5) });
    makes("y ~ t", "(Intercept) t[2] t[3] t[4] t[5] t[x]", 6, NULL);    /* one text makes all of them texts */
}

static void test_groups(void **unused)
{
    struct made_design m;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(make(&m, "y ~ x + (1 | b/a) + (1 | n)", false, &err), 0);
    assert_int_equal(m.design.data.terms, 3);
    assert_string_equal(m.design.group_name[0], "b");
    assert_string_equal(m.design.group_name[1], "b:a");
    assert_string_equal(m.design.group_name[2], "n");
    assert_int_equal(m.design.data.term[0].levels, 2);
    assert_int_equal(m.design.data.term[1].levels, 5);      /* v:q u:p w:q u:q v:p, that of the row without x not */
    assert_int_equal(m.design.data.term[2].levels, 2);
    assert_int_equal(m.design.missing, 1);
    assert_int_equal(m.design.text_count, 0);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++) assert_true(m.design.level[1][i] != m.design.level[1][k]);
    unmake(&m);
    assert_int_equal(make(&m, "y ~ a", false, &err), 0);
    assert_int_equal(m.design.text_count, 1);
    assert_true(m.design.texts[0].against && slice_equal(m.design.texts[0].base, SLICE("u")));
    assert_int_equal(m.design.texts[0].levels, 3);
    unmake(&m);
    assert_int_equal(make(&m, "y ~ 0 + a", false, &err), 0);
    assert_false(m.design.texts[0].against);
    unmake(&m);
}

static void test_hits(void **unused)
{
    struct made_design m;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(make(&m, "hits/trials ~ x", true, &err), 0);
    assert_int_equal(m.design.missing, 1);
    assert_int_equal(m.design.untried, 1);
    assert_int_equal(m.design.data.rows, 4);
    close_to(m.design.y[3], 3, 0);
    close_to(m.design.trials[3], 5, 0);
    unmake(&m);
}

static void refused(const char *text, bool hits, int code, const char *says)
{
    struct made_design m;
    struct err         err = { 0 };
    const int          rc = make(&m, text, hits, &err);

    if (rc != code || !strstr(err.text, says)) fail_msg("%s: %d, \"%s\"", text, rc, err.text);
    unmake(&m);
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("a ~ x", false, -EINVAL, "column `a` has texts, as `v` in row 1");
    refused("y ~ log(t)", false, -EINVAL, "column `t` has texts, as `x` in row 3");
    refused("y ~ log(hits)", false, -EDOM, "log(hits): 0 in row 2 has no logarithm; log1p takes 0");
    refused("y ~ x + (1 | log(n))", false, -EINVAL, "a group is a column as it is, not log(n)");
    refused("factor(y) ~ x", false, -EINVAL, "the response is a number");
    refused("hits/trials ~ x", false, -EINVAL, "--family binomial");
    refused("log(hits)/trials ~ x", true, -EINVAL, "no function is taken of them");
    refused("y ~ x", true, -EDOM, "response `y` is 2 in row 2");
    refused("trials/hits ~ x", true, -EDOM, "row 1 has 4 hits `trials` of 1 trials `hits`");
    refused("x/n ~ 1", true, -EDOM, "row 1 has 0.5 hits");
}

/* Of numbers without squares, too. */
static void test_scale(void **unused)
{
    static const char *const of[] = { "1", "1e200", "1e-200", "3e307", "5e-308" },
                      *const thrice[] = { "3", "3e200", "3e-200", "9e307", "15e-308" };

    (void)unused;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct slice name[] = { SLICE("y"), SLICE("x") };
        struct frame       frame;
        struct formula     f;
        struct design      d;
        struct err         err = { 0 };

        assert_int_equal(frame_open(&frame, name, 2), 0);
        for (int row = 0; row < 4; row++) {
            frame.column[0].cell = row % 2 ? SLICE("1") : SLICE("2");
            frame.column[1].cell = slice_of(row % 2 ? thrice[i] : of[i]);
            assert_int_equal(frame_end_row(&frame), 0);
        }
        frame.column[0].found = frame.column[1].found = true;
        assert_int_equal(frame_finish(&frame), 0);
        assert_int_equal(formula_parse(&f, SLICE("y ~ 0 + scale(x)"), &err), 0);
        if (design_make(&d, &f, &frame, false, &err) < 0) fail_msg("%s: %s", of[i], err.text);
        for (int row = 0; row < 4; row++) close_to(d.x[row], row % 2 ? sqrt(3) / 2 : -sqrt(3) / 2, 1e-14);
        design_free(&d);
        frame_close(&frame);
    }
}

/* A column without a value leaves no row, one with a thousand texts makes no coefficients, one that is the same has no
 * scale, and one may not be there. */
static void test_long(void **unused)
{
    const struct slice name[] = { SLICE("y"), SLICE("many"), SLICE("none"), SLICE("one") };
    struct frame       frame;
    char               text[16];

    (void)unused;
    assert_int_equal(frame_open(&frame, name, 4), 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "m%d", i);
        frame.column[0].cell = slice_of(text + 1);
        frame.column[1].cell = slice_of(text);
        frame.column[3].cell = SLICE("7");
        assert_int_equal(frame_end_row(&frame), 0);
    }
    for (int i = 0; i < 4; i++) frame.column[i].found = true;
    assert_int_equal(frame_finish(&frame), 0);
    for (int i = 0; i < 4; i++) {
        static const char *const formulas[] = { "y ~ many", "y ~ none", "y ~ scale(one)", "y ~ 1" };
        static const char *const says[] = { "has 1000 different texts", "of 1000, 1000 lack something (`none` 1000)",
                                            "is the same", "there is no column `none`" };
        struct formula           f;
        struct design            d;
        struct err               err = { 0 };

        frame.column[2].found = i < 3;
        assert_int_equal(formula_parse(&f, slice_of(formulas[i]), &err), 0);
        assert_int_equal(design_make(&d, &f, &frame, false, &err), i == 1 || i == 2 ? -EDOM : -EINVAL);
        if (!strstr(err.text, says[i])) fail_msg("%s", err.text);
        design_free(&d);
    }
    frame_close(&frame);
}

/* A value is one level however it is written; ids that a double does not tell apart are two. */
static void test_spellings(void **unused)
{
    static const char *const columns[][5] = {               /* 1 and 2; 1; u and v; two ids */
        { "1", " 1", "1.0", "+1\t", "2" }, { "0", "-0", "0.0", "0e5", "00" }, { "u", " u", "u\t", "\tu ", "v" },
        { "9007199254740993", "9007199254740992", " 9007199254740993", "9007199254740992 ", "9007199254740992" },
    };
    static const size_t levels[] = { 2, 1, 2, 2 };
    const struct slice  name[] = { SLICE("y"), SLICE("a") };

    (void)unused;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        struct frame   frame;
        struct formula f;
        struct design  d;
        struct err     err = { 0 };
        char           y[16];

        assert_int_equal(frame_open(&frame, name, 2), 0);
        for (int i = 0; i < 5; i++) {
            snprintf(y, sizeof y, "%d", i);
            frame.column[0].cell = slice_of(y);
            frame.column[1].cell = slice_of(columns[k][i]);
            assert_int_equal(frame_end_row(&frame), 0);
        }
        frame.column[0].found = frame.column[1].found = true;
        assert_int_equal(frame_finish(&frame), 0);
        assert_int_equal(formula_parse(&f, SLICE("y ~ factor(a) + (1 | a)"), &err), 0);
        if (design_make(&d, &f, &frame, false, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(d.data.term[0].levels, levels[k]);
        assert_int_equal(d.data.columns, levels[k]);        /* the intercept stands for one of them */
        assert_int_equal(d.level[0][0], d.level[0][2]);
        design_free(&d);
        frame_close(&frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns), cmocka_unit_test(test_groups), cmocka_unit_test(test_hits),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_scale), cmocka_unit_test(test_long),
        cmocka_unit_test(test_spellings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
