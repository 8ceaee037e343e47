/* tests/unit/inclusion/learned.c -- classifiers as rows: those of the verdict, of every kind of row. */
#include "inclusion/learned.h"

#include "tests/unit/audit/made_features.h"

#include <math.h>
#include <string.h>

static void test_rows(void **state)
{
    struct verdict           v = { .name = "m" };
    struct inclusion_learned l = { .classifiers = 0 };
    struct verdict_options   options = { .test_share = 0.5, .threads = 1 };
    struct err               err = { 0 };

    (void)state;
    made_features(&v.features, 12, 5, 0.1, 0.7, 4);
    for (size_t i = 50; i < 60; i++) v.features.row[i].label = -1;      /* r10, r11 */
    assert_int_equal(verdict_make(&v, &options, NULL, NULL, &err), 0);
    assert_int_equal(inclusion_learned_add(&l, &v, 40, &err), 0);
    assert_int_equal(l.classifiers + l.scores + l.importances + l.points + l.predictions, 0);
    options.kind[CLASSIFIER_FOREST] = options.kind[CLASSIFIER_BOOST] = true;
    assert_int_equal(verdict_learn(&v, &options, &err), 0);
    assert_int_equal(inclusion_learned_add(&l, &v, 40, &err), 0);
    assert_true(l.classifiers == 2 && l.scores == 2 * 4 * AUDIT_CRITERIA && l.importances == 2 * AUDIT_COLUMNS);
    assert_int_equal(l.predictions, 2 * (5 + 2));
    for (size_t i = 0; i < l.classifiers; i++) {
        const struct graph_inclusion_classifier *c = &l.classifier[i];

        assert_true(c->learned == 25 && c->tested == 25 && c->unknown == 10 && c->threshold == 40 && c->columns == 12);
        assert_true(c->auc > 0.95 && strcmp(c->classifier, classifier_names[i ? CLASSIFIER_BOOST : CLASSIFIER_FOREST])
                    == 0);
    }
    for (size_t i = 0; i < l.scores; i++) {
        const struct graph_inclusion_score *s = &l.score[i];
        const size_t                        n = i % (4 * AUDIT_CRITERIA);

        assert_true(s->lost == (n < AUDIT_CRITERIA ? 0 : verdict_noise[n / AUDIT_CRITERIA - 1]));
        assert_string_equal(s->criterion, audit_criterion_names[n % AUDIT_CRITERIA]);
        assert_int_equal(s->tp + s->fp + s->tn + s->fn, n % AUDIT_CRITERIA == AUDIT_SINGLE ? 25 : 5);
        if (s->lost == 0) assert_true(s->accuracy > 0.8);
    }
    assert_true(l.points > 4 && isnan(l.roc[0].cutoff) && l.roc[0].true_share == 0);
    assert_true(l.roc[l.points - 1].true_share == 1 && l.roc[l.points - 1].false_share == 1);
    assert_string_equal(l.importance[1].feature, "class_nums_total");
    for (size_t i = 0; i < l.predictions; i++) {
        const struct graph_inclusion_prediction *p = &l.prediction[i];
        const bool                               odd = (p->repo.at[p->repo.len - 1] - '0') % 2;

        assert_true(p->files == 5 && p->above_4 == odd && p->label == (strcmp(p->part, "test") == 0 ? odd : -1));
    }
    inclusion_learned_free(&l);
    verdict_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
