/* tests/unit/audit/trial.c -- classifiers of files: well where there is something to learn, by chance where not. */
#include "audit/trial.h"

#include "tests/unit/audit/made_features.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct made { struct audit_features f; struct audit_repositories r; struct audit_parts p; };

static void make(struct made *m, size_t files, double more, bool published, uint64_t seed)
{
    struct err err = { 0 };

    *m = (struct made){ 0 };
    made_features(&m->f, 16, files, 0.3, more, seed);
    assert_int_equal(audit_repositories_make(&m->f, published, &m->r, &err), 0);
    assert_int_equal(audit_parts_make(&m->f, &m->r, published, published ? 0.2 : 0.5, seed, &m->p, &err), 0);
}

static void made_free(struct made *m)
{
    audit_parts_free(&m->p);
    audit_repositories_free(&m->r);
    audit_features_free(&m->f);
}

static struct audit_trial run(const struct made *m, struct audit_trial_options o)
{
    struct audit_trial t;
    struct err         err = { 0 };

    o.threads = 1;
    if (audit_trial_run(&m->f, &m->r, &m->p, &o, &t, &err) < 0) fail_msg("%s", err.text);
    return t;
}

static void test_separable(void **unused)
{
    struct made m;

    (void)unused;
    make(&m, 12, 0.4, false, 3);
    for (int kind = CLASSIFIER_FOREST; kind <= CLASSIFIER_SVM; kind++) {
        struct audit_trial t;

        if (kind == CLASSIFIER_SVM && !svm_available()) continue;
        /* counts, which are no shares, drown hits in an SVM's distances */
        t = run(&m, (struct audit_trial_options){ .kind = (enum classifier_kind)kind, .columns =
                                                  kind == CLASSIFIER_SVM ? AUDIT_CATEGORIES : AUDIT_COLUMNS });
        assert_true(t.learned == 96 && t.score[AUDIT_SINGLE].f1 > 0.9 && t.auc > 0.95);
        assert_true(t.score[AUDIT_FOUR].accuracy == 1 && t.score[AUDIT_FOUR].tp + t.score[AUDIT_FOUR].tn == 8);
        assert_true(isnan(t.importance[0]) == (kind == CLASSIFIER_SVM));
        assert_true(isnan(t.brier) == (kind == CLASSIFIER_SVM) && t.roc_points > 2 && isnan(t.best.mean));
        audit_trial_free(&t);
    }
    made_free(&m);
}

/* Nothing to learn: over ten seeds the accuracy is that of a coin. */
static void test_noise_alone(void **unused)
{
    double sum = 0, auc = 0;

    (void)unused;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct made        m;
        struct audit_trial t;

        make(&m, 12, 0, false, seed);
        t = run(&m, (struct audit_trial_options){ .kind = CLASSIFIER_FOREST, .columns = AUDIT_CATEGORIES,
                                                  .seed = seed });
        sum += t.score[AUDIT_SINGLE].accuracy / 10;
        auc += t.auc / 10;
        audit_trial_free(&t);
        made_free(&m);
    }
    assert_true(fabs(sum - 0.5) < 0.06 && fabs(auc - 0.5) < 0.06);
}

/* The released code learns from 64 % of the files; and the grid's best is what its score says. */
static void test_published(void **unused)
{
    struct made        m;
    struct audit_trial t;

    (void)unused;
    make(&m, 4, 0.3, true, 5);
    t = run(&m, (struct audit_trial_options){ .kind = CLASSIFIER_FOREST, .columns = AUDIT_COLUMNS, .published = true,
                                              .grid = true });
    assert_true(m.p.train == 51 && m.p.test == 13 && t.learned == 40);
    assert_true(t.best.mean > 0.8 && t.chosen.of.forest.trees >= 50 && t.chosen.of.forest.max_depth >= 10);
    audit_trial_free(&t);
    made_free(&m);
}

/* A stored classifier says what it said; one of other columns is refused. */
static void test_use(void **unused)
{
    const struct audit_trial_options o = { .kind = CLASSIFIER_BOOST, .columns = AUDIT_COLUMNS, .threads = 1 };
    struct audit_trial_options       six = o;
    struct audit_parts               all;
    struct made                      m;
    struct audit_trial               t, again;
    struct err                       err = { 0 };

    (void)unused;
    make(&m, 12, 0.2, false, 6);
    t = run(&m, o);
    assert_int_equal(audit_parts_test(&m.f, &all, &err), 0);
    six.columns = AUDIT_CATEGORIES;
    assert_int_equal(audit_trial_use(&m.f, &m.r, &all, &six, &t.classifier, &again, &err), -EINVAL);
    assert_string_equal(err.text, "the classifier has learned from 12 columns, not from 6");
    assert_int_equal(audit_trial_use(&m.f, &m.r, &all, &o, &t.classifier, &again, &err), 0);
    assert_memory_equal(t.value, again.value, m.f.count * sizeof *t.value);
    assert_true(again.score[AUDIT_SINGLE].tp + again.score[AUDIT_SINGLE].fn == 96 && again.learned == 0);
    audit_parts_free(&all);
    audit_trial_free(&t);
    audit_trial_free(&again);
    made_free(&m);
}

/* So many hits stay as the ratio says, none is won, and the scores fall. */
static void test_noise(void **unused)
{
    static const double ratio[] = { 0, 0.1, 0.5, 0.9, 1 };
    double              recall[5], all = 0;
    struct made         m;
    struct audit_trial  t;
    struct err          err = { 0 };

    (void)unused;
    make(&m, 12, 0.4, false, 3);
    t = run(&m, (struct audit_trial_options){ .kind = CLASSIFIER_FOREST, .columns = AUDIT_COLUMNS });
    for (size_t i = 0; i < m.f.count; i++)
        for (int r = 0; r < AUDIT_CATEGORIES; r++) all += m.f.row[i].hits[r] * m.f.row[i].total[r];
    for (int n = 0; n < 5; n++) {
        struct audit_features noisy;
        struct learn_scores   s[AUDIT_CRITERIA];
        double                left = 0;

        assert_int_equal(audit_noise(&m.f, ratio[n], 1, &noisy, &err), 0);
        for (size_t i = 0; i < m.f.count; i++)
            for (int r = 0; r < AUDIT_CATEGORIES; r++) {
                assert_true(noisy.row[i].hits[r] <= m.f.row[i].hits[r] + 1e-12);
                left += noisy.row[i].hits[r] * noisy.row[i].total[r];
            }
        assert_true(fabs(left / all - (1 - ratio[n])) < 0.02);
        assert_int_equal(audit_trial_score(&t, &m.f, &noisy, &m.r, &m.p, false, s, &err), 0);
        recall[n] = s[AUDIT_SINGLE].recall;
        audit_features_free(&noisy);
    }
    assert_true(recall[0] == t.score[AUDIT_SINGLE].recall && recall[2] < recall[0] && recall[3] < 0.1);
    audit_trial_free(&t);
    made_free(&m);
}

/* Where a row says that there are very many hits, they are not drawn one by one. */
static void test_noise_many(void **unused)
{
    static const double   ratio[] = { 0, 0.1, 0.5, 0.9, 1 };
    struct audit_features f = { 0 }, noisy;
    struct err            err = { 0 };
    double                total[AUDIT_CATEGORIES], hits[AUDIT_CATEGORIES];
    char                  file[16];

    (void)unused;
    for (int r = 0; r < AUDIT_CATEGORIES; r++) total[r] = 1e9, hits[r] = r ? 0.5 : 1;
    for (int i = 0; i < 100; i++) {
        snprintf(file, sizeof file, "f%d", i);
        assert_int_equal(audit_features_add(&f, slice_of(file), slice_of("r"), hits, total, 1, &err), 0);
    }
    for (int n = 0; n < 5; n++) {
        double least = 1, most = 0;

        assert_int_equal(audit_noise(&f, ratio[n], 1, &noisy, &err), 0);
        for (size_t i = 0; i < f.count; i++) {
            least = fmin(least, noisy.row[i].hits[1]);
            most = fmax(most, noisy.row[i].hits[1]);
        }
        assert_true(fabs(least - hits[1] * (1 - ratio[n])) < 1e-4 && fabs(most - hits[1] * (1 - ratio[n])) < 1e-4);
        assert_true((least < most) == (n > 0 && n < 4) && noisy.row[0].hits[0] <= 1);
        audit_features_free(&noisy);
    }
    audit_features_free(&f);
}

static void test_correlations(void **unused)
{
    struct correlation    c[AUDIT_COLUMNS * AUDIT_COLUMNS];
    struct audit_features f = { 0 };
    struct err            err = { 0 };

    (void)unused;
    made_features(&f, 10, 20, 0.3, 0.5, 9);
    assert_int_equal(audit_correlations(&f, AUDIT_COLUMNS, c, &err), 0);
    for (int i = 0; i < AUDIT_COLUMNS; i++) {
        assert_true(fabs(c[i * AUDIT_COLUMNS + i].r - 1) < 1e-12);
        for (int j = 0; j < i; j++) {
            const double x = c[i * AUDIT_COLUMNS + j].r;

            assert_true(fabs(x - c[j * AUDIT_COLUMNS + i].r) < 1e-12);
            assert_true(i % 2 == 0 && j % 2 == 0 ? x > 0.5 : fabs(x) < 0.3);   /* hits go together, totals do not */
        }
    }
    audit_features_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separable), cmocka_unit_test(test_noise_alone), cmocka_unit_test(test_published),
        cmocka_unit_test(test_use), cmocka_unit_test(test_noise), cmocka_unit_test(test_noise_many),
        cmocka_unit_test(test_correlations),
    };

    return cmocka_run_group_tests_name("audit/trial", tests, NULL, NULL);
}
