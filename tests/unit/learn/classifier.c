/* tests/unit/learn/classifier.c -- three kinds behind one face. */
#include "learn/classifier.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static struct classifier_options options_of(enum classifier_kind kind)
{
    struct classifier_options o = { .kind = kind };

    if (kind == CLASSIFIER_FOREST) o.of.forest = FOREST_DEFAULTS, o.of.forest.trees = 40;
    else if (kind == CLASSIFIER_BOOST) o.of.boost = BOOST_DEFAULTS, o.of.boost.rounds = 40;
    else o.of.svm = SVM_DEFAULTS, o.of.svm.cost = 10;
    return o;
}

/* Each learns, is written, read as what it is, and says the same again; the columns that decide matter most. */
static void test_kinds(void **unused)
{
    struct learn_data train = learn_set(300, 4, 0.02, 1), test = learn_set(300, 4, 0, 2);
    struct err        err = { 0 };

    (void)unused;
    for (enum classifier_kind kind = CLASSIFIER_FOREST; kind <= CLASSIFIER_SVM; kind++) {
        struct classifier_options o = options_of(kind);
        struct classifier         c, back;
        double                    mean[4], deviation[4], again[4];

        if (kind == CLASSIFIER_SVM && !svm_available()) continue;
        assert_int_equal(classifier_fit(&train, &o, 2, &c, &err), 0);
        assert_true(classifier_scores(&c, &test).accuracy > 0.9);
        assert_int_equal(classifier_columns(&c), 4);
        assert_string_equal(classifier_column_names(&c)[1], "second");
        assert_int_equal(classifier_permute(&c, &test, 5, 3, mean, deviation, &err), 0);
        assert_int_equal(classifier_permute(&c, &test, 5, 3, again, deviation, &err), 0);
        assert_memory_equal(mean, again, sizeof mean);
        for (size_t i = 2; i < 4; i++)
            assert_true(mean[0] > 0.1 && mean[1] > 0.1 && fabs(mean[i]) < 0.05 && deviation[i] < 0.05);
        assert_int_equal(classifier_write(&c, "learn_classifier.json", &err), 0);
        assert_int_equal(classifier_read("learn_classifier.json", &back, &err), 0);
        assert_int_equal(back.kind, kind);
        for (size_t i = 0; i < test.rows; i++)
            assert_true(classifier_value(&c, learn_row(&test, i)) == classifier_value(&back, learn_row(&test, i)));
        classifier_free(&c);
        classifier_free(&back);
    }
    write_text("learn_classifier.json", "{\"format\":\"another\",\"version\":1}");
    assert_int_equal(classifier_read("learn_classifier.json", &(struct classifier){ 0 }, &err), -EBADMSG);
    unlink("learn_classifier.json");
    learn_data_free(&train);
    learn_data_free(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds) };

    return cmocka_run_group_tests_name("learn/classifier", tests, folder_enter, folder_leave);
}
