/* tests/unit/probe/settings.c -- the section read, printed and read again; what is refused. */
#include "probe/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, role: benchmark, files: b.jsonl}\n"
#define CORPUS   "  - {name: c, role: corpus, files: c.jsonl}\n"
#define MODEL    "{name: m, path: /dev/null}"

static void test_keys(void **unused)
{
    const struct probe_options *o;
    const struct model_options *m;
    struct config               config;

    (void)unused;
    settings_again(&config, DATASETS
                   "probe:\n  models:\n"
                   "    - {name: one.1_-, backend: http, url: 'http://x/v1', served: s, key_env: K, cache: kept,\n"
                   "       timeout: 1, retries: 100, concurrency: 256, rate: 7, budget: 123456789012, context: 2}\n"
                   "    - {name: two, backend: llama, path: /dev/null, threads: 3}\n"
                   "  metrics: [nll, ratio, rouge]\n  fields: [x, y.z]\n  join: \"\\n#\"\n  truth: field  in it\n"
                   "  stride: 1\n  n: 64\n  starts: 2\n  starts_in: windows\n  compare: tokens\n  min_k: 0.5\n"
                   "  datasets: b\n  order: {shards: 3, permutations: 7, items: 2, seed: 18446744073709551615,\n"
                   "    join: \"\\t\"}\n");
    o = &probe_task(&config)->options;
    m = o->model;
    assert_int_equal(o->models, 2);
    assert_true(strcmp(m->name, "one.1_-") == 0 && m->backend == MODEL_HTTP && strcmp(m->url, "http://x/v1") == 0 &&
                strcmp(m->served, "s") == 0 && strcmp(m->key_env, "K") == 0);
    assert_string_equal(m->cache, "/base/kept");            /* from the file's folder, by its path from the root */
    assert_true(m->timeout == 1 && m->retries == 100 && m->concurrency == 256 && m->rate == 7 &&
                m->budget == 123456789012 && m->context == 2);
    assert_true(m[1].backend == MODEL_LLAMA && m[1].threads == 3 && strcmp(m[1].path, "/dev/null") == 0);
    assert_int_equal(o->metrics, 1u << METRIC_NLL | 1u << METRIC_RATIO | 1u << METRIC_ROUGE);
    assert_true(o->fields == 2 && strcmp(o->field[0], "x") == 0 && strcmp(o->field[1], "y.z") == 0);
    assert_string_equal(o->join, "\n#");
    assert_true(o->truth == TRUTH_FIELD && strcmp(o->truth_field, "in it") == 0);
    assert_true(o->stride == 1 && o->n == 64 && o->starts == 2 && o->strided_starts && o->compare_tokens &&
                o->min_k == 0.5);
    assert_true(o->order.shards == 3 && o->order.permutations == 7 && o->order.items == 2 &&
                o->order.seed == UINT64_MAX && strcmp(o->order.join, "\t") == 0);
    assert_true(!probe_task(&config)->member[0] && probe_task(&config)->member[1]);
    config_free(&config);
}

static void test_defaults(void **unused)
{
    const struct probe_options *o;
    struct config               config;

    (void)unused;
    settings_again(&config, DATASETS "probe: {models: [" MODEL "]}\ncompat: published\n");
    o = &probe_task(&config)->options;
    assert_int_equal(o->model->backend, MODEL_NGRAM);
    assert_true(o->model->timeout == 120 && o->model->retries == 5 && o->model->concurrency == 4 && !o->model->rate &&
                !o->model->budget && !o->model->context && !o->model->threads && !*o->model->cache);
    assert_int_equal(o->metrics, (1u << METRIC_RATIO) - 1); /* a ratio is of two models */
    assert_true(o->fields == 0 && strcmp(o->join, " ") == 0 && o->truth == TRUTH_NONE && !*o->truth_field);
    assert_true(o->stride == 512 && o->n == 5 && o->starts == 5 && !o->strided_starts && !o->compare_tokens &&
                o->min_k == 20 && o->published);
    assert_true(probe_task(&config)->member[0] && probe_task(&config)->member[1]);
    assert_true(o->order.shards == 0 && !o->order.join);
    config_free(&config);
    /* what is not bounded needs nothing */
    settings_again(&config, DATASETS "probe: {models: [" MODEL "]}\nfail_on: {auc: off, order: off}\n");
    config_free(&config);
    settings_again(&config, DATASETS "probe: {models: [" MODEL "], truth: field c}\nfail_on: {auc: 60}\n");
    config_free(&config);
    /* models may be asked about orders alone */
    settings_again(&config, DATASETS "probe: {models: [" MODEL "], metrics: [], order: {}}\n");
    o = &probe_task(&config)->options;
    assert_true(o->order.shards == 20 && o->order.permutations == 50 && !o->order.items && o->order.seed == 1 &&
                strcmp(o->order.join, "\n\n") == 0);
    config_free(&config);
    settings_again(&config, DATASETS CORPUS "near_duplicates:\nprobe: {models: [" MODEL "], truth: near}\n");
    assert_int_equal(probe_task(&config)->options.truth, TRUTH_NEAR);
    assert_false(probe_task(&config)->member[2]);
    config_free(&config);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "probe: {}\n", "p.yaml:4: models must be a list of 1 to 16 models, as - {name: mine, backend: ngram, path: "
                         "mine.lm}" },
        { "probe:\n  models: [x]\n", "p.yaml:5: each model is a map, as {name: mine, path: mine.lm}" },
        { "probe:\n  models:\n    - {name: .x, path: /dev/null}\n",
          "p.yaml:6: name must be letters, digits, `.`, `_` and `-`, not beginning with `.`, at most 200" },
        { "probe:\n  models:\n    - " MODEL "\n    - {name: M, path: /dev/null}\n",
          "p.yaml:7: name is another model's already; names that differ in case alone are one file on some systems" },
        { "probe:\n  models:\n    - {name: m, backend: http}\n",
          "p.yaml:6: url is missing: backend http asks a server, as http://localhost:8000/v1" },
        { "probe:\n  models:\n    - {name: m}\n", "p.yaml:6: path is missing: the file of the model" },
        { "probe:\n  models:\n    - {name: m, backend: http, url: u,\n       path: x}\n",
          "p.yaml:7: path is for the other backends; http has `url`" },
        { "probe:\n  models:\n    - {name: m, path: x,\n       url: u}\n", "p.yaml:7: url is for backend http" },
        { "probe:\n  models:\n    - {name: m, path: /dev/null, context: 1}\n",
          "p.yaml:6: context of 1 token leaves none to predict" },
        { "probe:\n  models:\n    - {name: m, path: x.lm}\n",
          "p.yaml:6: path names a file that is not there: /base/x.lm" },
        { "probe:\n  models: [" MODEL "]\n  metrics: [nll, perplexit]\n",
          "p.yaml:6: metrics: `perplexit` is none; did you mean `perplexity`?; `leakgraph help config` lists them" },
        { "probe:\n  models: [" MODEL "]\n  metrics: [[nll]]\n", "p.yaml:6: metrics must be a list of names" },
        { "probe:\n  models: [" MODEL "]\n  metrics: ratio\n",
          "p.yaml:6: metrics has `ratio`, which is one of two models" },
        { "probe:\n  models: [" MODEL "]\n  metrics: []\n",
          "p.yaml:6: metrics names at least one; without any, and without `order`, the models are there for "
          "`generate`, `inclusion` and `compliance` alone, which are not" },
        { "probe:\n  models: [" MODEL "]\n  min_k: 0\n", "p.yaml:6: min_k must be above 0" },
        { "probe:\n  models: [" MODEL "]\n  min_k: off\n", "p.yaml:6: min_k must be above 0" },
        { "probe:\n  models: [" MODEL "]\n  fields: [a, b, c, d, e, f, g, h, i]\n",
          "p.yaml:6: fields must be a list of 1 to 8 record fields; without the key it is the dataset's text" },
        { "probe:\n  models: [" MODEL "]\n  fields: [a, '']\n",
          "p.yaml:6: fields must be a list of names" },
        { "probe:\n  models: [" MODEL "]\n  truth: field\n", "p.yaml:6: truth must be none, near, or `field NAME`" },
        { "probe:\n  models: [" MODEL "]\n  truth: near\n",
          "p.yaml:6: truth near is found by near_duplicates, which is not there" },
        { "near_duplicates:\nprobe:\n  models: [" MODEL "]\n  truth: near\n",
          "p.yaml:7: truth near is a pair in a corpus, and no dataset has `role: corpus`" },
        { "probe:\n  models: [" MODEL "]\n  datasets: []\n",
          "p.yaml:6: datasets names at least one; without the key it is every benchmark" },
        { "probe:\n  models: [" MODEL "]\n  datasets: [a,\n    d]\n",
          "p.yaml:6: datasets: no dataset is called `d`" },
        { "probe:\n  models: [" MODEL "]\nfail_on:\n  auc: 60\n",
          "p.yaml:7: auc needs probe.truth, which says what was in the training data" },
        { "probe:\n  models: [" MODEL "]\n  metrics: []\n  order: {}\n  truth: field copies\nfail_on:\n  auc: 60\n",
          "p.yaml:10: auc needs probe.metrics: one at least" },
        { "probe:\n  models: [" MODEL "]\n  truth: field copies\nfail_on:\n  auc: 60\n  order: 99\n",
          "p.yaml:9: order needs probe.order, as {}: the orders that models are asked about" },
        { "probe:\n  models: [" MODEL "]\n  starts: 1\n", "p.yaml:6: starts: `1` is not a number from 2 to 64" },
        { CORPUS "probe:\n  models: [" MODEL "]\n",
          "p.yaml:1: datasets: nothing reads `c`: probe asks about items of benchmarks, and no pass over corpora is "
          "there (near_duplicates finds which items they have)" },
    };
    static const char *const keys[] = { "models", "metrics", "fields", "datasets", "join", "truth", "stride", "n",
                                        "starts", "starts_in", "compare", "min_k", "  name", "  backend", "  path",
                                        "  context", "  url", "  served", "  key_env", "  cache", "  budget", NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_helped(probe_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
