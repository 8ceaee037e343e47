/* tests/unit/audit/permutation.c -- p-values: uniform where nothing is known, small where something is, and exact in
 * cases that can be counted. */
#include "audit/permutation.h"

#include "tests/unit/audit/made_features.h"

#include <math.h>
#include <stdlib.h>

static struct audit_suspect *test_of(const struct audit_features *f, const struct audit_features *reference,
                                     uint32_t draws, size_t *count)
{
    const struct audit_permutation_options o = { .draws = draws, .seed = 11 };
    struct audit_repositories              r;
    struct audit_suspect                  *out;
    struct err                             err = { 0 };

    assert_int_equal(audit_repositories_make(f, false, &r, &err), 0);
    out = calloc(r.count, sizeof *out);
    assert_non_null(out);
    assert_int_equal(audit_permutation(f, &r, reference, &o, out, &err), 0);
    *count = r.count;
    audit_repositories_free(&r);
    return out;
}

static void test_known(void **unused)
{
    struct audit_features f = { 0 };
    struct audit_suspect *s;
    size_t                count;

    (void)unused;
    made_features(&f, 20, 10, 0.2, 0.3, 1);
    s = test_of(&f, NULL, 999, &count);
    assert_int_equal(count, 20);
    for (size_t i = 0; i < count; i++) {
        assert_true(s[i].clean == (i % 2 == 0) && s[i].files == 10 && s[i].against == (s[i].clean ? 9u : 10u));
        assert_true(isnan(s[i].gain) && isnan(s[i].p_gain));
        if (s[i].clean) continue;
        assert_true(s[i].p == 0.001 && s[i].p_rank == 1.0 / 11 && s[i].p_spread < 1e-5);
        assert_true(fabs(s[i].excess - 0.3) < 0.1 && fabs(s[i].by[AUDIT_STRING] - 0.3) < 0.25);
    }
    free(s);
    audit_features_free(&f);
}

/* Ten draws of twenty alike repositories: ps are spread as uniform ones are. */
static void test_uniform(void **unused)
{
    size_t below[3] = { 0 }, ranks = 0, beyond[2] = { 0 }, all = 0;

    (void)unused;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct audit_features f = { 0 };
        struct audit_suspect *s;
        size_t                count;

        made_features(&f, 20, 8, 0.3, 0, 100 + seed);
        s = test_of(&f, NULL, 499, &count);
        for (size_t i = 0; i < count; i++, all++) {
            below[0] += s[i].p <= 0.05;
            below[1] += s[i].p <= 0.25;
            below[2] += s[i].p <= 0.5;
            ranks += s[i].p_rank <= 0.5;
            beyond[0] += s[i].p_spread <= 0.05;
            beyond[1] += s[i].p_spread <= 0.5;
        }
        free(s);
        audit_features_free(&f);
    }
    assert_int_equal(all, 200);                             /* three standard deviations */
    assert_true(below[0] <= 20 && labs((long)below[1] - 50) <= 19 && labs((long)below[2] - 100) <= 22);
    assert_true(labs((long)ranks - 100) <= 25);
    assert_true(beyond[0] > 2 && beyond[0] <= 20 && labs((long)beyond[1] - 100) <= 25);
}

static void add(struct audit_features *f, const char *file, const char *repository, double hits, int label)
{
    const double some[AUDIT_CATEGORIES] = { hits }, total[AUDIT_CATEGORIES] = { 4 };
    struct err   err = { 0 };

    assert_int_equal(audit_features_add(f, slice_of(file), slice_of(repository), some, total, label, &err), 0);
}

/* One file that knows all against four that know nothing: a fifth of the choices; two of a kind among six: 1/15. */
static void test_counted(void **unused)
{
    struct audit_features f = { 0 };
    struct audit_suspect *s;
    size_t                count;

    (void)unused;
    add(&f, "x1", "x", 1, -1);
    for (int i = 0; i < 4; i++) add(&f, (char[]){ 'c', (char)('1' + i), 0 }, i < 2 ? "c" : "d", 0, 0);
    s = test_of(&f, NULL, 19999, &count);
    assert_true(count == 3 && s[2].files == 1 && s[2].against_files == 4 && s[2].against == 2 && !s[2].clean);
    assert_true(fabs(s[2].p - 0.2) < 0.02 && s[2].p_rank == 1.0 / 3 && s[2].excess == 1 && s[2].rate == 1);
    assert_true(s[0].p == 1 && s[0].against == 1 && isnan(s[0].p_spread));      /* c against d: all alike */
    free(s);
    add(&f, "x2", "x", 1, -1);
    s = test_of(&f, NULL, 19999, &count);
    assert_true(fabs(s[2].p - 1.0 / 15) < 0.01);
    free(s);
    audit_features_free(&f);
}

/* Means 0, 0.25 and 0.5 of clean repositories, 1 of the other: (1 - 0.25) / (0.25 sqrt(4/3)) = 2.598 with two degrees
 * of freedom, of which 0.0608 lie beyond. */
static void test_spread(void **unused)
{
    struct audit_features f = { 0 };
    struct audit_suspect *s;
    size_t                count;

    (void)unused;
    add(&f, "a1", "a", 0, 0);
    add(&f, "b1", "b", 0.25, 0);
    add(&f, "c1", "c", 0.5, 0);
    add(&f, "x1", "x", 1, -1);
    s = test_of(&f, NULL, 9, &count);
    assert_true(count == 4 && fabs(s[3].p_spread - 0.060845) < 1e-5);
    assert_true(s[1].p_spread == 0.5 && s[0].p_spread > 0.5);
    free(s);
    audit_features_free(&f);
}

/* Nothing to compare with: no number is made up. */
static void test_nothing(void **unused)
{
    struct audit_features f = { 0 };
    struct audit_suspect *s;
    size_t                count;

    (void)unused;
    add(&f, "x1", "x", 1, -1);
    add(&f, "y1", "y", 1, 1);
    s = test_of(&f, NULL, 99, &count);
    assert_true(isnan(s[0].p) && isnan(s[0].p_rank) && isnan(s[0].p_spread) && isnan(s[0].excess) && s[0].rate == 1);
    free(s);
    audit_features_free(&f);
}

/* What the reference knows as well is no knowledge of the model's own; files that it lacks are left out. */
static void test_reference(void **unused)
{
    struct audit_features f = { 0 }, reference = { 0 };
    struct audit_suspect *s;
    size_t                count;
    char                  name[16];

    (void)unused;
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "e%d", i);              /* easy for both */
        add(&f, name, "easy", 0.75, -1);
        add(&reference, name, "easy", 0.75, -1);
        snprintf(name, sizeof name, "k%d", i);              /* known to the model alone */
        add(&f, name, "known", 0.75, -1);
        if (i < 7) add(&reference, name, "known", 0.25, -1);
        snprintf(name, sizeof name, "c%d", i);
        add(&f, name, i < 4 ? "clean1" : "clean2", 0.25, 0);
        add(&reference, name, i < 4 ? "clean1" : "clean2", 0.25, 0);
    }
    s = test_of(&f, &reference, 9999, &count);
    assert_int_equal(count, 4);                             /* clean1, clean2, easy, known */
    assert_true(s[2].files == 8 && s[2].gain == 0 && s[2].p_gain == 1 && s[2].p == 1);
    assert_true(s[3].files == 7 && fabs(s[3].gain - 0.5) < 1e-12);
    assert_true(fabs(s[3].p_gain - 1.0 / 128) < 0.004 && s[3].p < 0.01);
    free(s);
    s = test_of(&f, NULL, 9999, &count);
    assert_true(s[2].p < 0.01 && isnan(s[2].p_gain));       /* without it, easy files look known */
    free(s);
    audit_features_free(&f);
    audit_features_free(&reference);
}

/* setup.py is called so in every repository: the reference's row is that of the same one, in whatever order they are,
 * and of several in one repository that in the same place.  Rows without repositories go by their names alone. */
static void test_reference_names(void **unused)
{
    struct audit_features f = { 0 }, reference = { 0 }, plain = { 0 };
    struct audit_suspect *s;
    size_t                count;

    (void)unused;
    add(&f, "setup.py", "clean", 0.25, 0);
    add(&f, "setup.py", "easy", 0.75, -1);
    add(&f, "setup.py", "easy", 0.5, -1);
    add(&reference, "setup.py", "easy", 0.75, -1);
    add(&reference, "setup.py", "easy", 0.5, -1);
    add(&reference, "setup.py", "clean", 0.25, 0);
    s = test_of(&f, &reference, 99, &count);
    assert_true(count == 2 && s[0].files == 1 && s[0].gain == 0 && s[1].files == 2 && s[1].gain == 0);
    free(s);
    add(&plain, "other.py", NULL, 1, -1);
    add(&plain, "setup.py", NULL, 0.25, -1);
    s = test_of(&f, &plain, 99, &count);
    assert_true(s[0].files == 1 && s[0].gain == 0 && s[1].files == 0);
    free(s);
    audit_features_free(&f);
    audit_features_free(&reference);
    audit_features_free(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known), cmocka_unit_test(test_uniform), cmocka_unit_test(test_counted),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_reference),
        cmocka_unit_test(test_reference_names),
    };

    return cmocka_run_group_tests_name("audit/permutation", tests, NULL, NULL);
}
