/* tests/unit/compliance/settings.c -- the section read, printed and read again; what is refused. */
#include "compliance/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, files: b.jsonl}\n" \
    "  - {name: c, files: c.jsonl}\n"
#define MODELS   "probe: {models: [{name: m, path: /dev/null}], metrics: []}\n"

static void test_keys(void **unused)
{
    const struct compliance_options *o;
    struct config                    config;

    (void)unused;
    settings_again(&config, DATASETS MODELS
                   "compliance:\n  benchmark: a\n  pairs: [c, b]\n  asked: 4187\n  template: instruct\n  tokens: 7\n"
                   "  similarity: 0.75\n  comments: 2\n  lines: 0\n  complexity: 9\n  rules: /dev/null\n"
                   "  edit_tokens: llama:/dev/null\n");
    o = &compliance_task(&config)->options;
    assert_true(strcmp(o->benchmark, "a") == 0 && !o->pairs[0] && o->pairs[1] && o->pairs[2]);
    assert_true(o->asked == 4187 && o->how == ASK_INSTRUCT && o->tokens == 7);
    assert_true(o->limits.similarity == 0.75 && o->limits.comments == 2 && !o->limits.uncommented &&
                o->limits.lines == 0 && o->limits.complexity == 9 && !o->limits.published && !o->published);
    assert_string_equal(o->rules, "/dev/null");
    assert_string_equal(o->edit_tokens, "llama:/dev/null");
    assert_true(config.datasets[0].read_aside && config.datasets[1].read_aside);
    config_free(&config);
}

static void test_defaults(void **unused)
{
    const struct compliance_options *o;
    struct config                    config;

    (void)unused;
    settings_again(&config, "compat: published\n" DATASETS "compliance: {pairs: b, comments: off}\n");
    o = &compliance_task(&config)->options;
    assert_true(!*o->benchmark && o->pairs[1] && !o->pairs[0] && !o->pairs[2] && !o->asked && o->how == ASK_PLAIN &&
                o->tokens == 512);
    assert_true(o->limits.similarity == 0.6 && o->limits.uncommented && o->limits.lines == 10 &&
                o->limits.complexity == 3 && o->limits.published && o->published && !*o->rules && !*o->edit_tokens);
    config_free(&config);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "compliance: {}\n",
          "p.yaml:5: compliance: needs `benchmark`, functions that models are asked for, or `pairs`, answers that are "
          "there" },
        { "compliance:\n  benchmark: a\n",
          "p.yaml:5: compliance: the models that are asked are those of `probe.models`, as probe: {models: [{name: "
          "mine, path: mine.lm}], metrics: []}" },
        { "compliance:\n  benchmark: d\n", "p.yaml:6: benchmark: no dataset is called `d`" },
        { "compliance:\n  pairs: [b, d]\n", "p.yaml:6: pairs: no dataset is called `d`" },
        { "compliance:\n  pairs: b\n  comments: -1\n",
          "p.yaml:7: comments must be a number from 0 to 1000000, or off, not `-1`" },
        { "compliance:\n  pairs: b\n  edit_tokens: 'http:x'\n",
          "p.yaml:7: edit_tokens takes llama:FILE, ngram:FILE or a tokenizer.json, not `http:x`" },
        { "compliance:\n  pairs: b\n  edit_tokens: 'ngram:'\n",
          "p.yaml:7: edit_tokens takes llama:FILE, ngram:FILE or a tokenizer.json, not `ngram:`" },
        { "compliance:\n  pairs: b\n  edit_tokens: ngram:x.lm\n",
          "p.yaml:7: edit_tokens names a file that is not there: /base/x.lm" },
        { "compliance:\n  pairs: b\n  rules: x.json\n",
          "p.yaml:7: rules names a file that is not there: /base/x.json" },
        { MODELS "compliance:\n  benchmark: a\n  asked: 3\n",
          "p.yaml:8: asked is of `pairs`: models are asked for each function of the benchmark" },
        { "probe: {models: [{name: b, path: /dev/null}], metrics: []}\ncompliance: {benchmark: a, pairs: [b, c]}\n",
          "p.yaml:6: compliance: `b` is a dataset of `pairs` and a model: their answers would have one name" },
        { "compliance:\n  pairs: b\n  lines: 9999999\n",
          "p.yaml:7: lines: `9999999` is not a number from 0 to 1000000" },
    };
    static const char *const keys[] = { "pairs", "benchmark", "asked", "template", "tokens", "similarity", "comments",
                                        "lines", "complexity", "rules", "edit_tokens", NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_helped(compliance_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
