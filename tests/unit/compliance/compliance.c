/* tests/unit/compliance/compliance.c -- answers that are there and a recorded model, scored and counted. */
#include "compliance/task.h"
#include "probe/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

#define BODY "    a = 1\\n    # one\\n    return a\\n"

static struct small_run      r;
static struct compliance_job job;

static void start(const char *more)
{
    struct bytes yaml = { 0 };

    small_open(&r);
    small_write(&r, "b.jsonl",
                "{\"text\": \"x\", \"reference\": \"" BODY "\", \"prompt\": \"def f():\\n\", \"license\": \"MIT\"}\n"
                "{\"text\": \"x\", \"reference\": \"" BODY "\", \"prompt\": \"def g():\\n\", \"license\": \"X\"}\n");
    small_write(&r, "p.jsonl",
                "{\"text\": \"x\", \"reference\": \"" BODY "\", \"answer\": \"" BODY "\", \"license\": \"MIT\", "
                "\"reply\": \"MIT\"}\n{\"text\": \"x\", \"reference\": \"" BODY "\", \"answer\": \"\"}\n");
    small_write(&r, "m.jsonl",
                "{\"prompt\": \"def f():\", \"sampling\": {\"tokens\": 9}, \"generated\": {\"text\": \"\\n" BODY
                "z\", \"ids\": [1], \"prompt_ids\": [2], \"stopped\": true}}\n"
                "{\"prompt\": \"def f():\\n    a = 1\\n    # one\\n    return a\\n\\n# The license of the function "
                "above is:\", \"sampling\": {\"tokens\": 32}, \"generated\": {\"text\": \" MIT\", \"ids\": [1], "
                "\"prompt_ids\": [2], \"stopped\": true}}\n");
    assert_int_equal(bytes_printf(&yaml, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\n"
                                  "  - {name: p, files: p.jsonl}\n"
                                  "probe: {models: [{name: m, backend: replay, path: m.jsonl}], metrics: []}\n"
                                  "compliance: {benchmark: b, pairs: p, tokens: 9, lines: 0, complexity: 0%s}\n",
                                  more), 0);
    small_start(&r, yaml.at);
    bytes_free(&yaml);
    job = (struct compliance_job){ .run = &r.run, .options = &compliance_task(&r.config)->options,
                                   .model = probe_task(&r.config)->options.model, .models = 1 };
}

static void stop(void)
{
    compliance_release(&job);
    small_close(&r);
}

static void test_run(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    start("");
    for (uint64_t round = 0; round < 2; round++) {
        const struct study_group *group;
        struct lico               lico;

        job.asked = job.reused = 0;
        if (compliance_run(&job, &err) < 0) fail_msg("%s", err.text);
        assert_true(job.asked == (round ? 0 : 3) && job.reused == (round ? 3 : 0));
        assert_int_equal(job.study.groups, 2);
        group = &job.study.group[0];
        assert_true(slice_equal(group->name, SLICE("p")) && group->count == 2 && !group->by_model &&
                    group->dataset == 1);
        assert_true(group->at[0].striking && group->at[0].right && !group->at[1].striking);
        group = &job.study.group[1];
        assert_true(slice_equal(group->name, SLICE("m")) && group->by_model && group->dataset == 0);
        assert_true(group->at[0].striking && group->at[0].right && group->at[0].function == &job.functions.at[0]);
        assert_true(group->at[1].refused && !group->at[1].striking && !group->at[1].reply.at);
        lico = study_lico(group);
        assert_true(lico.benchmark == 2 && lico.striking == 1 && lico.permissive_right == 1 && lico.copyleft == 0);
        compliance_release(&job);
    }
    stop();
}

static void test_refused(void **unused)
{
    struct err err = { 0 };
    enum model_backend backend;

    (void)unused;
    start(", asked: 1");
    assert_int_equal(compliance_run(&job, &err), -EINVAL);
    assert_string_equal(err.text, "compliance: `p` has more answers than the 1 functions of `asked`");
    stop();
    start(", rules: b.jsonl");
    assert_int_equal(compliance_run(&job, &err), -EINVAL);
    assert_non_null(strstr(err.text, "b.jsonl"));
    stop();
    assert_null(compliance_edit_path("http:x", &backend));
    assert_null(compliance_edit_path("llama:", &backend));
    assert_string_equal(compliance_edit_path("ngram:a:b", &backend), "a:b");
    assert_int_equal(backend, MODEL_NGRAM);
    assert_string_equal(compliance_edit_path("json:a", &backend), "a");
    assert_int_equal(backend, MODEL_TOKENIZER);
    assert_string_equal(compliance_edit_path("a:b/c.json", &backend), "a:b/c.json");
    assert_int_equal(backend, MODEL_TOKENIZER);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_run), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
