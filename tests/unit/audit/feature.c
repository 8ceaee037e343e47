/* tests/unit/audit/feature.c -- elements to rows: the published form's quirks, and the exact form. */
#include "audit/feature.h"

#include "audit/hit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ELEMENT(category, objective, output, hit) \
    { SLICE("me/a.py"), { NULL, 0 }, SLICE(objective), SLICE(output), category, hit, 1 }

/* What TraWiC's code counts of these, at a threshold of 20 for strings, comments and docstrings. */
static const struct audit_answer some[] = {
    ELEMENT(AUDIT_FUNCTION, "run", "run", true), ELEMENT(AUDIT_FUNCTION, "self", "other", false),
    ELEMENT(AUDIT_FUNCTION, "", "zz", false), ELEMENT(AUDIT_VARIABLE, "x", "x", true),
    ELEMENT(AUDIT_VARIABLE, "x", "x", true), ELEMENT(AUDIT_VARIABLE, "x", "y", false),
    ELEMENT(AUDIT_VARIABLE, "null", "null", true), ELEMENT(AUDIT_VARIABLE, "X", "x", false),
    ELEMENT(AUDIT_CLASS, "Foo", " Foo\n", true), ELEMENT(AUDIT_COMMENT, "# hello", "hello there", true),
    ELEMENT(AUDIT_COMMENT, "# abc", "", false), ELEMENT(AUDIT_STRING, "''", "''", true),
    ELEMENT(AUDIT_STRING, "\"abcd\"", "\"abxx\"", true),
    ELEMENT(AUDIT_DOCSTRING, "\"\"\"d\"\"\"", "\"\"\"d\"\"\"", true),
};
enum { SOME = sizeof some / sizeof *some };

static void wanted(const struct audit_feature *row, const double hits[AUDIT_CATEGORIES],
                   const double total[AUDIT_CATEGORIES])
{
    for (int r = 0; r < AUDIT_CATEGORIES; r++) {
        assert_true(row->hits[r] == hits[r]);
        assert_true(row->total[r] == total[r]);
    }
}

static void test_published(void **unused)
{
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_of(&f, some, SOME, true, &err), 0);
    assert_int_equal(f.count, 1);
    assert_string_equal(f.row[0].file, "me/a.py");
    assert_null(f.row[0].repository);
    assert_int_equal(f.row[0].label, 1);
    wanted(&f.row[0], (double[]){ 1, 0.5, 1.0 / 3, 1, 1, 1 }, (double[]){ 1, 2, 3, 1, 1, 1 });
    assert_true(audit_features_have_totals(&f));
    audit_features_free(&f);
}

/* The same elements scored: names hit by nothing less than all, the rest by what the threshold asks. */
static void test_thresholds(void **unused)
{
    static const struct { unsigned threshold; double string, comment; } cases[] = {
        { 20, 1, 1 }, { 40, 1, 1 }, { 60, 1, 0 }, { 80, 0, 0 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct audit_answer   scored[SOME];
        struct audit_features f = { 0 };
        struct err            err = { 0 };
        double                hits[AUDIT_CATEGORIES] = { [AUDIT_CLASS] = 1, [AUDIT_FUNCTION] = 0.5,
                                                         [AUDIT_VARIABLE] = 1.0 / 3, [AUDIT_DOCSTRING] = 1 };
        double                totals[AUDIT_CATEGORIES] = { [AUDIT_CLASS] = 1, [AUDIT_FUNCTION] = 2,
                                                           [AUDIT_VARIABLE] = 3, [AUDIT_STRING] = 1,
                                                           [AUDIT_COMMENT] = 1, [AUDIT_DOCSTRING] = 1 };

        for (size_t e = 0; e < SOME; e++) {
            unsigned score;

            scored[e] = some[e];
            assert_int_equal(audit_score(some[e].objective, some[e].output, &score, &err), 0);
            scored[e].hit = audit_hits(some[e].category, score, cases[i].threshold);
        }
        hits[AUDIT_STRING] = cases[i].string;
        hits[AUDIT_COMMENT] = cases[i].comment;
        assert_int_equal(audit_features_of(&f, scored, SOME, true, &err), 0);
        assert_int_equal(f.count, 1);
        wanted(&f.row[0], hits, totals);
        audit_features_free(&f);
    }
}

static void test_exact(void **unused)
{
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_of(&f, some, SOME, false, &err), 0);
    wanted(&f.row[0], (double[]){ 1, 1.0 / 3, 3.0 / 5, 1, 0.5, 1 }, (double[]){ 1, 3, 5, 2, 2, 1 });
    audit_features_free(&f);
}

/* Files in the order in which they come, labels and repositories from whichever element says them; a file without an
 * answer has a row of zeros, but in the published form none. */
static void test_files(void **unused)
{
    const struct audit_answer element[] = {
        { SLICE("b"), { NULL, 0 }, SLICE("x"), { NULL, 0 }, AUDIT_VARIABLE, false, 0 },
        { SLICE("a"), { NULL, 0 }, SLICE("x"), SLICE("x"), AUDIT_VARIABLE, true, -1 },
        { SLICE("a"), SLICE("me/it"), SLICE("y"), SLICE("x"), AUDIT_VARIABLE, false, 0 },
        { SLICE("a"), SLICE("other"), SLICE("z"), SLICE("x"), AUDIT_VARIABLE, false, 1 },
    };
    struct audit_features f = { 0 }, p = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_of(&f, element, 4, false, &err), 0);
    assert_int_equal(f.count, 2);
    assert_string_equal(f.row[0].file, "b");
    assert_int_equal(f.row[0].label, 0);
    wanted(&f.row[0], (double[AUDIT_CATEGORIES]){ 0 }, (double[AUDIT_CATEGORIES]){ 0 });
    assert_string_equal(f.row[1].repository, "me/it");
    assert_int_equal(f.row[1].label, 1);
    wanted(&f.row[1], (double[]){ 0, 0, 1.0 / 3, 0, 0, 0 }, (double[]){ 0, 0, 3, 0, 0, 0 });
    assert_int_equal(audit_features_of(&p, element, 4, true, &err), 0);
    assert_int_equal(p.count, 1);
    assert_string_equal(p.row[0].file, "a");
    audit_features_free(&f);
    audit_features_free(&p);
}

/* What pandas takes for no value, and what it does not. */
static void test_no_values(void **unused)
{
    static const struct { const char *word; bool gone; } cases[] = {
        { "", true }, { "NA", true }, { "NaN", true }, { "nan", true }, { "-nan", true }, { "NULL", true },
        { "null", true }, { "n/a", true }, { "N/A", true }, { "<NA>", true }, { "#N/A", true }, { "1.#QNAN", true },
        { "None", false }, { "Null", false }, { " ", false }, { "na", false }, { "nan ", false },
    };
    struct err err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct slice         word = slice_of(cases[i].word);
        const struct audit_answer element[] = {
            { SLICE("a"), { NULL, 0 }, word, SLICE("x"), AUDIT_VARIABLE, false, 1 },
            { SLICE("b"), { NULL, 0 }, SLICE("x"), word, AUDIT_VARIABLE, false, 1 },
            { word, { NULL, 0 }, SLICE("x"), SLICE("x"), AUDIT_VARIABLE, true, 1 },
        };
        struct audit_features f = { 0 };

        assert_int_equal(audit_features_of(&f, element, 3, true, &err), 0);
        assert_int_equal(f.count, cases[i].gone ? 0 : 3);
        audit_features_free(&f);
    }
}

static void test_totals(void **unused)
{
    const double          one[AUDIT_CATEGORIES] = { 1, 1, 1, 1, 1, 1 };
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(audit_features_add(&f, SLICE("a"), SLICE("r"), one, one, -1, &err), 0);
    assert_true(audit_features_have_totals(&f));
    assert_int_equal(audit_features_add(&f, SLICE("b"), SLICE("r"), one, NULL, -1, &err), 0);
    assert_false(audit_features_have_totals(&f));
    assert_true(isnan(f.row[1].total[3]));
    audit_features_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_thresholds), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_files), cmocka_unit_test(test_no_values), cmocka_unit_test(test_totals),
    };

    return cmocka_run_group_tests_name("audit/feature", tests, NULL, NULL);
}
