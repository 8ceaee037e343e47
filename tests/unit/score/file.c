/* tests/unit/score/file.c -- files by their shape. */
#include "tests/unit/score/taken.h"

static void test_lists(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "[\"one\",\n \"two\"]");
    assert_int_equal(samples.count, 2);
    is_text(samples.at[1].prediction, "two");
    assert_int_equal(samples.at[1].number, 1);
    take(&samples, "[[\"a\", \"b\"], [], [\"c\"]]");        /* BigCode's generations */
    assert_int_equal(samples.count, 5);
    assert_int_equal(samples.at[3].number, 0);
    assert_int_equal(samples.at[4].number, 2);
    assert_int_equal(samples.at[4].file, 1);
    take(&samples, "[{\"id\": \"x\", \"n\": 1}, {\"id\": \"y\"}]");
    assert_int_equal(samples.count, 7);
    is_text(samples.at[6].id, "y");
    assert_int_equal(samples.at[6].line, 2);
    score_samples_free(&samples);
    take_refused("[\"a\", 1]", -EBADMSG, "f: element 2 of the list is no text, object or list of texts");
    take_refused("[[\"a\", 1]]", -EBADMSG, "f: element 1 of the list is a list with something that is no text");
}

static void test_evalplus(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples,
         "{\"date\": \"d\", \"hash\": \"h\", \"eval\": {\"HumanEval/0\": [\n"
         "  {\"task_id\": \"HumanEval/0\", \"solution\": \"s\", \"base_status\": \"pass\", "
         "\"plus_status\": \"pass\"},\n"
         "  {\"solution\": \"s\", \"base_status\": \"fail\", \"plus_status\": \"pass\"}],\n"
         " \"HumanEval/1\": [{\"base_status\": \"pass\", \"plus_status\": null}],\n"
         " \"HumanEval/2\": [{\"status\": \"timeout\"}]}}");
    assert_int_equal(samples.count, 4);
    is_text(samples.at[0].id, "HumanEval/0");
    is_number(value_of(&samples, 0, "plus"), 1);
    is_number(value_of(&samples, 1, "base"), 0);
    is_number(value_of(&samples, 1, "plus"), 0);            /* it fails the old tests */
    assert_int_equal(samples.at[2].values, 1);              /* the added ones were not run */
    is_number(value_of(&samples, 3, "passed"), 0);
    assert_true(samples.column[0].binary);
    score_samples_free(&samples);
    take_refused("{\"eval\": {\"x\": [{\"solution\": \"\"}]}}", -EBADMSG, "f: item `x`: a try has neither");
    take_refused("{\"eval\": {\"x\": [{\"base_status\": \"pass\", \"plus_status\": 3}]}}", -EBADMSG,
                 "`plus_status` is no outcome");
    take_refused("{\"eval\": {\"x\": {\"nfiles\": 1}}}", -EBADMSG, "f: item `x`: has no list of tries");
}

static void test_bigcode(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "{\"0\": [[0, {\"task_id\": 0, \"passed\": true, \"result\": \"passed\", \"completion_id\": 0}], "
                   "[1, {\"passed\": false}]], \"1\": [[0, {\"passed\": false}]], \"2\": []}");
    assert_int_equal(samples.count, 3);
    is_text(samples.at[2].id, "1");
    is_number(value_of(&samples, 0, "passed"), 1);
    is_number(value_of(&samples, 1, "passed"), 0);
    score_samples_free(&samples);
    take_refused("{\"0\": [[0, {\"result\": \"?\"}]]}", -EBADMSG, "f: item `0`: a try does not say");
    take_refused("{\"humaneval\": {\"pass@1\": 0.3}, \"config\": {\"model\": \"x\"}}", -EINVAL,
                 "f: has scores of whole benchmarks, and none of items");
    take_refused("{\"results\": {}, \"versions\": {}}", -EINVAL, "--log_samples");
}

/* One object is a file of one row, over however many lines. */
static void test_one(void **unused)
{
    struct score_samples samples = { 0 };

    (void)unused;
    take(&samples, "\xEF\xBB\xBF\n {\"id\": \"x\",\n  \"n\": 3}\n\n");
    take(&samples, "{\"id\": \"y\", \"n\": 3}");
    take(&samples, "{\"id\": \"z\", \"n\": 3}\r\n\r\n{\"id\": \"z\", \"n\": 4}\r\n");
    assert_int_equal(samples.count, 4);
    is_text(samples.at[1].id, "y");
    assert_int_equal(samples.at[3].line, 3);
    score_samples_free(&samples);
}

static void test_refused(void **unused)
{
    static char deep[4002];

    (void)unused;
    take_refused("", -EBADMSG, "f: is empty");
    take_refused(" \n\t\n", -EBADMSG, "f: is empty");
    take_refused("{\"id\": 1}\n{\"id\": 2\n{\"id\": 3}\n", -EBADMSG, "f: line 2: is no JSON");
    take_refused("{\"id\": 1\n{\"id\": 2}\n{\"id\": 3}\n", -EBADMSG, "f: line 1: is no JSON");
    take_refused("{\"id\": 1, \"n\": NaN}\n{\"id\": 2}\n", -EBADMSG, "NaN and Infinity are none: write null");
    take_refused("{\n\"id\": 1,\n\"n\" 2}", -EBADMSG, "f: line 3: is no JSON");
    take_refused("[\"a\"] \n x", -EBADMSG, "f: line 1: is no JSON");
    take_refused("{\"id\": \"a\\u0000b\"}\n{\"id\": 2}", -EBADMSG, "f: line 1: has a NUL");
    take_refused("[\"a\\u0000b\"]", -EBADMSG, "f: has a NUL");
    memset(deep, '[', sizeof deep - 1);
    take_refused(deep, -EBADMSG, "f: line 1: is no JSON");
}

static void test_file(void **unused)
{
    const struct score_source source = { SLICE("m"), SLICE("1") };
    struct score_samples      samples = { 0 };
    struct err                err = { 0 };

    (void)unused;
    assert_int_equal(score_file_read(&samples, "/no/such/file", &source, &err), -ENOENT);
    assert_non_null(strstr(err.text, "/no/such/file"));
    score_samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists), cmocka_unit_test(test_evalplus), cmocka_unit_test(test_bigcode),
        cmocka_unit_test(test_one), cmocka_unit_test(test_refused), cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests_name("score/file", tests, NULL, NULL);
}
