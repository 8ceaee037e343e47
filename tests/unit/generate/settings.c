/* tests/unit/generate/settings.c -- the section read, printed and read again; the datasets that it makes. */
#include "generate/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n"
#define PROBE    "probe: {models: [{name: m, path: /dev/null}, {name: n, path: /dev/null}], metrics: []}\n"

static void test_keys(void **unused)
{
    const struct generate_options *o;
    struct config                  config;

    (void)unused;
    settings_again(&config, "output: /out\n" DATASETS PROBE
                   "generate: {outputs: 1000000000, tokens: 16777216, prompt: lines, from: a, lines: 3, temperature: "
                   "0.1, top_k: 7, top_p: 0.95, decay: paper, seed: 18446744073709551615, language: Python}\n");
    o = &generate_task(&config)->options;
    assert_true(o->outputs == 1000000000 && o->sampling.tokens == 16777216 && o->prompt == PROMPT_LINES &&
                o->lines == 3 && o->sampling.temperature == 0.1 && o->sampling.top_k == 7 &&
                o->sampling.seed == UINT64_MAX && o->decay == DECAY_PAPER);
    assert_true(o->sampling.top_p == 0.95 && o->sampling.decay_from == 20 && o->sampling.decay_tokens == 19);
    assert_string_equal(o->from, "a");
    assert_string_equal(o->language, "python");
    assert_true(config.datasets[0].read_aside);             /* whatever else reads it */

    assert_int_equal(config.made, 2);
    assert_int_equal(config.dataset_count, 3);
    assert_string_equal(config.datasets[2].name, "generations-n");
    assert_string_equal(config.datasets[2].language, "python");
    assert_int_equal(config.datasets[2].role, ROLE_BENCHMARK);
    assert_string_equal(config.datasets[2].splits[0].globs[0], "/out/generations/n.jsonl.zst");
    config_free(&config);
}

static void test_defaults(void **unused)
{
    const struct generate_options *o;
    struct config                  config;

    (void)unused;
    settings_again(&config, DATASETS PROBE "generate:\n");
    o = &generate_task(&config)->options;
    assert_true(o->outputs == 1000 && o->sampling.tokens == 256 && o->prompt == PROMPT_NONE && o->lines == 10 &&
                o->sampling.temperature == 1 && o->sampling.top_k == 40 && o->sampling.top_p == 1 &&
                o->decay == DECAY_NONE && o->sampling.seed == 1 && !*o->from && !*o->language);
    assert_null(config.datasets[1].language);
    config_free(&config);
    /* the published decay draws of all tokens, unless the user says of how many */
    settings_again(&config, DATASETS PROBE "generate: {decay: published}\n");
    assert_int_equal(generate_task(&config)->options.sampling.top_k, 0);
    config_free(&config);
    settings_again(&config, DATASETS PROBE "generate: {decay: published, top_k: 40}\n");
    assert_int_equal(generate_task(&config)->options.sampling.top_k, 40);
    config_free(&config);
    settings_again(&config, DATASETS PROBE "generate: {prompt: blocks, from: /dev}\n");
    assert_string_equal(generate_task(&config)->options.from, "/dev");
    config_free(&config);
    settings_again(&config, DATASETS PROBE "generate: {temperature: 0}\n");
    assert_true(generate_task(&config)->options.sampling.temperature == 0);
    config_free(&config);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { PROBE "generate:\n  temperature: warm\n", "p.yaml:5: temperature must be a number from 0 to 1000" },
        { PROBE "generate:\n  temperature: -1\n", "p.yaml:5: temperature must be a number from 0 to 1000" },
        { PROBE "generate:\n  temperature: 1001\n", "p.yaml:5: temperature must be a number from 0 to 1000" },
        { PROBE "generate:\n  temperature: nan\n", "p.yaml:5: temperature must be a number from 0 to 1000" },
        { PROBE "generate:\n  top_p: 0\n", "p.yaml:5: top_p must be above 0" },
        { PROBE "generate:\n  from: a\n", "p.yaml:5: from is for prompts, and `prompt` is none" },
        { PROBE "generate:\n  prompt: head\n",
          "p.yaml:4: from is missing: the dataset whose documents give the prompts" },
        { PROBE "generate:\n  prompt: blocks\n", "p.yaml:4: from is missing: the folder of an earlier run" },
        { PROBE "generate:\n  prompt: lines\n  from: b\n", "p.yaml:6: from: no dataset is called `b`" },
        { PROBE "generate:\n  prompt: blocks\n  from: a\n",
          "p.yaml:6: from names a folder that is not there: /base/a" },
        { PROBE "generate:\n  outputs: 0\n", "p.yaml:5: outputs: `0` is not a number from 1 to 1000000000" },
        { "generate:\n", "p.yaml:3: generate: the models that write are those of `probe.models`, as probe: {models: "
                         "[{name: mine, path: mine.lm}], metrics: []}" },
        { "  - {name: generations-n, files: b.jsonl}\n" PROBE "generate:\n",
          "p.yaml:5: generate: the dataset `generations-n` is called as the outputs of a model will be" },
    };
    static const char *const keys[] = { "outputs", "tokens", "prompt", "from", "lines", "temperature", "top_k",
                                        "top_p", "decay", "seed", "language", NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_helped(generate_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
