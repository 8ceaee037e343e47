/* tests/unit/score/metric.c -- scores of samples, an item, metric and series each. */
#include "score/metric.h"
#include "tests/unit/score/taken.h"

#include <math.h>

struct made {
    struct score_items   items;
    struct score_samples samples;
    struct score_matched matched;
    struct score_points  points;
    struct err           err;
};

static int make(struct made *m, const char *text, const char *const *metric, const struct slice *reference)
{
    *m = (struct made){ .points = { 0 } };
    items_make(&m->items, 4, 2);
    take(&m->samples, text);
    assert_int_equal(score_match(&m->items, &m->samples, &m->matched, &m->err), 0);
    return score_points_make(&m->samples, &m->items, &m->matched, reference,
                             &(struct score_wish){ metric, SCORE_WORDS_PROSE }, &m->points, &m->err);
}

static void done(struct made *m)
{
    score_items_free(&m->items);
    score_samples_free(&m->samples);
    score_matched_free(&m->matched);
    score_points_free(&m->points);
}

/* NaN where there is none. */
static double point(const struct made *m, const char *metric, uint32_t item)
{
    for (size_t i = 0; i < m->points.count; i++)
        if (strcmp(m->points.metric[m->points.at[i].metric], metric) == 0 && m->points.at[i].item == item)
            return m->points.at[i].is;
    return NAN;
}

static const char tests_of[] =
    "{\"id\": \"a\", \"passed\": true}\n{\"id\": \"a\", \"passed\": false}\n{\"id\": \"b\", \"passed\": false}\n"
    "{\"id\": \"b\", \"passed\": false}\n{\"id\": \"b\", \"passed\": true}\n{\"id\": \"?\", \"passed\": true}\n";

static void test_tries(void **unused)
{
    struct made m;

    (void)unused;
    assert_int_equal(make(&m, tests_of, NULL, NULL), 0);
    assert_int_equal(m.points.metrics, 1);                  /* pass@10 would need 10 tries of each */
    is_number(point(&m, "pass@1", 0), 50);
    is_number(point(&m, "pass@1", 1), 100.0 / 3);
    done(&m);
    assert_int_equal(make(&m, tests_of, (const char *const[]){ "pass@3", "passed", NULL }, NULL), 0);
    assert_true(isnan(point(&m, "pass@3", 0)));             /* of two tries nobody knows */
    is_number(point(&m, "pass@3", 1), 100);
    is_number(point(&m, "passed", 1), 1.0 / 3);
    done(&m);
}

/* A metric that is asked for twice is one: it would count twice among the tests that p-values are adjusted for. */
static void test_twice(void **unused)
{
    struct made m;

    (void)unused;
    assert_int_equal(make(&m, tests_of, (const char *const[]){ "pass@1", "passed", "pass@01", "passed", "pass@2",
                                                                NULL }, NULL), 0);
    assert_int_equal(m.points.metrics, 3);
    assert_int_equal(m.points.count, 6);
    done(&m);
}

/* Columns as they are, tries averaged, whatever the order of rows. */
static void test_columns(void **unused)
{
    struct made m;

    (void)unused;
    assert_int_equal(make(&m, "{\"id\": \"b\", \"x\": 3, \"y\": true}\n{\"id\": \"a\", \"x\": -1}\n"
                              "{\"id\": \"b\", \"x\": 1}\n", NULL, NULL), 0);
    assert_int_equal(m.points.metrics, 2);
    is_number(point(&m, "x", 0), -1);
    is_number(point(&m, "x", 1), 2);
    is_number(point(&m, "y", 1), 1);
    assert_int_equal(m.points.count, 3);
    assert_true(m.points.at[0].item == 0 && m.points.at[1].item == 1 && m.points.at[2].metric == 1);
    done(&m);
    /* two columns of tests need names */
    assert_int_equal(make(&m, "{\"id\": \"a\", \"base\": true, \"plus\": false}\n{}", NULL, NULL), 0);
    is_number(point(&m, "base pass@1", 0), 100);
    is_number(point(&m, "plus pass@1", 0), 0);
    done(&m);
    /* a truth beside tests is a column, and no test too */
    assert_int_equal(make(&m, "{\"id\": \"a\", \"passed\": true, \"correct\": true}\n{}", NULL, NULL), 0);
    assert_int_equal(m.points.metrics, 2);
    is_number(point(&m, "correct", 0), 1);
    is_number(point(&m, "passed pass@1", 0), 100);
    done(&m);
}

static void test_texts(void **unused)
{
    const struct slice reference[4] = { SLICE("x y"), { 0 }, SLICE("other"), { 0 } };
    struct made        m;

    (void)unused;
    assert_int_equal(make(&m, "[\"x y\", \"x\", \"x\"]", NULL, reference), 0);
    assert_int_equal(m.points.metrics, 3);
    is_number(point(&m, "exact", 0), 100);
    is_number(point(&m, "edit", 2), 0);
    assert_true(isnan(point(&m, "exact", 1)));              /* has no reference */
    assert_int_equal(m.points.count, 6);
    done(&m);
    /* a row's own reference goes before; columns are what is asked first */
    assert_int_equal(make(&m, "{\"id\": \"a\", \"prediction\": \"p\", \"reference\": \"p\"}\n{}", NULL, reference), 0);
    is_number(point(&m, "exact", 0), 100);
    done(&m);
    assert_int_equal(make(&m, "{\"id\": \"a\", \"prediction\": \"p\", \"reference\": \"p\", \"n\": 7}\n{}", NULL,
                          NULL), 0);
    assert_int_equal(m.points.metrics, 1);
    is_number(point(&m, "n", 0), 7);
    done(&m);
}

static void refused(const char *text, const char *metric, const char *says)
{
    struct made m;

    assert_int_equal(make(&m, text, (const char *const[]){ metric, NULL }, NULL), -EINVAL);
    if (!strstr(m.err.text, says)) fail_msg("%s", m.err.text);
    done(&m);
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("{\"id\": \"a\", \"x\": 1}\n{\"y\": 2}", "z", "metric `z`: the files have columns x, y;");
    refused("{\"id\": \"a\", \"x\": 1}\n{}", "bleu", "need answers and references");
    refused("{\"id\": \"a\", \"x\": 1}\n{}", "pass@2", "pass@K tests");
    refused(tests_of, "pass@0", "K of pass@K is a number from 1 to 100000");
    refused(tests_of, "pass@x", "K of pass@K");
    refused("[\"x\"]", "z", "the files have no numbers");
}

/* An answer that is too long beside its reference has no edit, and is counted; the item's other one has. */
static void test_long(void **unused)
{
    enum { LONG = 1 << 18 };
    struct bytes text = { 0 };
    struct made  m;

    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        const int length = i == 2 ? 4 : LONG + 1;

        assert_int_equal(bytes_printf(&text, "{\"id\": \"%c\", \"prediction\": \"%0*d\", \"reference\": \"%0*d\"}\n",
                                      i ? 'b' : 'a', length, 0, i == 2 ? 4 : LONG, 0), 0);
    }
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_int_equal(make(&m, text.at, (const char *const[]){ "edit", "exact", NULL }, NULL), 0);
    assert_int_equal(m.points.too_long, 2);
    assert_true(isnan(point(&m, "edit", 0)));
    is_number(point(&m, "edit", 1), 100);
    is_number(point(&m, "exact", 0), 0);
    is_number(point(&m, "exact", 1), 50);
    done(&m);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tries), cmocka_unit_test(test_columns), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_long), cmocka_unit_test(test_twice), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests_name("score/metric", tests, NULL, NULL);
}
