/* tests/unit/score/row.c -- rows of any program, and of lm-evaluation-harness. */
#include "tests/unit/score/taken.h"

static void test_plain(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "{\"task_id\": \"HumanEval/0\", \"model\": \"x\", \"seed\": 3, \"layer\": 11, "
                   "\"model_kind\": \"leaky\", "
                   "\"bleu\": 41.5, \"passed\": true, \"note\": \"no number\", \"gone\": null, "
                   "\"base_status\": \"fail\"}\n"
                   "{\"idx\": 7, \"prediction\": \"p\", \"reference\": \"r\"}\n"
                   "{\"bleu\": 1e-3, \"completion\": \"\"}\n");
    assert_int_equal(samples.count, 3);
    is_text(samples.at[0].id, "HumanEval/0");
    is_text(samples.series[samples.at[0].series].model, "x");
    is_text(samples.series[samples.at[0].series].kind, "leaky");
    is_text(samples.series[samples.at[0].series].seed, "3");
    is_text(samples.series[samples.at[0].series].layer, "11");
    assert_int_equal(samples.at[0].values, 3);
    is_number(value_of(&samples, 0, "bleu"), 41.5);
    is_number(value_of(&samples, 0, "passed"), 1);
    is_number(value_of(&samples, 0, "base_status"), 0);
    is_text(samples.at[1].id, "7");
    assert_int_equal(samples.at[1].number, -1);
    is_text(samples.at[1].prediction, "p");
    is_text(samples.at[1].reference, "r");
    is_text(samples.series[samples.at[1].series].model, "m");         /* the file's */
    assert_null(samples.at[2].id.at);
    assert_int_equal(samples.at[2].number, 2);              /* its row, from 0 */
    assert_non_null(samples.at[2].prediction.at);           /* an empty answer is one */
    assert_int_equal(samples.at[2].prediction.len, 0);
    assert_int_equal(samples.at[2].line, 3);
    score_samples_free(&samples);
}

/* Of a key that is there twice the last counts, as Python has it and the reader of records. */
static void test_twice(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "{\"id\": \"a\", \"id\": \"b\", \"seed\": 1, \"seed\": 2}\n"
                   "{\"prediction\": \"p\", \"prediction\": \"q\", \"doc_id\": 1, \"doc_id\": 2, \"resps\": []}\n");
    is_text(samples.at[0].id, "b");
    is_text(samples.series[samples.at[0].series].seed, "2");
    assert_int_equal(samples.at[1].number, 2);
    score_samples_free(&samples);
}

/* Several answers are a sample each; the row's numbers are told once. */
static void test_answers(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "{\"id\": \"a\", \"solution\": [\"x\", \"y\", \"z\"], \"target\": \"x\", "
                   "\"time\": 2}\n{\"id\": \"b\"}\n");
    assert_int_equal(samples.count, 4);
    is_text(samples.at[2].prediction, "z");
    is_text(samples.at[2].reference, "x");
    assert_int_equal(samples.at[0].values, 1);
    assert_int_equal(samples.at[1].values, 0);
    score_samples_free(&samples);
    /* and of no answer they are told too */
    take(&samples, "{\"id\": \"a\", \"solution\": [], \"time\": 2}\n{}");
    assert_null(samples.at[0].prediction.at);
    is_number(value_of(&samples, 0, "time"), 2);
    score_samples_free(&samples);
}

/* Rank by scores: 0.5 stands behind 0.9 and behind the other 0.5. */
static void test_rank(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "{\"id\": \"a\", \"rank\": 4}\n{\"id\": \"b\", \"scores\": [0.9, 0.5, 0.1, 0.5], \"index\": 3}\n");
    is_number(value_of(&samples, 0, "mrr"), 25);
    is_number(value_of(&samples, 1, "mrr"), 100.0 / 3);
    assert_int_equal(samples.column_count, 1);
    score_samples_free(&samples);
    take_refused("{\"id\": \"a\", \"rank\": 0}\n{}", -EBADMSG, "f: line 1: `rank` counts from 1");
    take_refused("{}\n{\"scores\": [1, 2], \"index\": 2}", -EBADMSG, "f: line 2: `index` names no number");
    take_refused("{\"scores\": [1, \"x\"], \"index\": 0}\n{}", -EBADMSG, "`scores` is a list of numbers");
}

static void test_harness(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples,
         "{\"doc_id\": 4, \"doc\": {\"task_id\": \"HumanEval/4\"}, \"target\": \"t\", \"arguments\": {}, "
         "\"resps\": [[\"r\"]], "
         "\"filtered_resps\": [\"f\"], \"filter\": \"strict-match\", \"doc_hash\": \"9\", \"exact_match\": 1.0}\n"
         "{\"doc_id\": 4, \"doc\": {\"q\": 1}, \"target\": 1, \"filtered_resps\": [[\"-1.5\", \"False\"]], "
         "\"filter\": \"none\", \"acc\": 0.0, \"brier\": [1, 2]}\n");
    assert_int_equal(samples.count, 2);
    assert_null(samples.at[0].id.at);
    is_text(samples.at[0].other, "HumanEval/4");
    assert_int_equal(samples.at[0].number, 4);
    is_text(samples.at[0].prediction, "f");
    is_text(samples.at[0].reference, "t");
    is_number(value_of(&samples, 0, "exact_match,strict-match"), 1);
    assert_null(samples.at[1].other.at);
    assert_null(samples.at[1].prediction.at);
    is_number(value_of(&samples, 1, "acc"), 0);
    assert_int_equal(samples.at[1].values, 1);
    score_samples_free(&samples);
    take_refused("{\"doc_id\": \"x\", \"resps\": []}\n{}", -EBADMSG, "f: line 1: `doc_id` is no number");
}

static void test_refused(void **unused)
{
    (void)unused;
    take_refused("{\"id\": [1]}\n{}", -EBADMSG, "f: line 1: the id is neither a string nor a number");
    take_refused("{\"id\": 9007199254740993}\n{}", -EBADMSG, "f: line 1: the id is 9007199254740992, and numbers from");
    take_refused("{\"doc_id\": 0, \"resps\": [], \"doc\": {\"id\": 9007199254740993}}\n{}", -EBADMSG,
                 "f: line 1: the id of `doc` is 9007199254740992");
    take_refused("{}\n{\"seed\": -9007199254740992}", -EBADMSG, "f: line 2: `seed` is -9007199254740992, and");
    take_refused("{}\n{\"seed\": {}}", -EBADMSG, "f: line 2: `seed` is neither a string nor a number");
    take_refused("{}\n{\"output\": [1]}", -EBADMSG, "f: line 2: a list of answers has one that is no string");
    take_refused("{}\n{\"id\": \"a\", \"x\": 1, \"x\": 2}", -EBADMSG, "f: line 2: a number stands twice");
    take_refused("{}\n{\"id\": \"a\", \"x\": -2e150}", -EBADMSG, "f: line 2: a number is beyond 1e150");
    take_refused("{}\n3\n", -EBADMSG, "f: line 2: is no JSON object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain), cmocka_unit_test(test_twice), cmocka_unit_test(test_answers),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_harness), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests_name("score/row", tests, NULL, NULL);
}
