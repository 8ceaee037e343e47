/* tests/unit/ngram/settings.c -- section `ngrams` of pipeline.yaml. */
#include "ngram/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS "datasets:\n" \
                 "  - {name: a, role: benchmark, files: a.jsonl}\n" \
                 "  - {name: c, role: corpus, files: c.jsonl}\n"

static void test_defaults(void **unused)
{
    struct config         config;
    struct ngram_options *o;

    (void)unused;
    settings_again(&config, DATASETS "ngrams: {}\n");
    o = &ngram_task(&config)->options;
    assert_true(config_has(&config, &ngram_capability));
    assert_true(o->sizes == 2 && o->n[0] == 8 && o->n[1] == 13);
    assert_true(o->unit == NGRAM_WORDS && o->max_df == 0 && o->cap == 1000 && o->fields == 1);
    assert_string_equal(o->field[0].name, "text");
    assert_null(o->field[0].source);
    config_free(&config);
}

static void test_all(void **unused)
{
    struct config         config;
    struct ngram_options *o;

    (void)unused;
    settings_again(&config, DATASETS "ngrams:\n  n: [100, 1, 8]\n  unit: tokens\n  max_df: 12345678901\n  cap: 1\n"
                                     "  fields: {\"q: 1\": ~, test: \"~\", third: a.b}\n");
    o = &ngram_task(&config)->options;
    assert_true(o->sizes == 3 && o->n[0] == 1 && o->n[1] == 8 && o->n[2] == 100);
    assert_true(o->unit == NGRAM_TOKENS && o->max_df == 12345678901 && o->cap == 1 && o->fields == 3);
    assert_string_equal(o->field[0].name, "q: 1");
    assert_null(o->field[0].source);
    assert_string_equal(o->field[1].source, "~");           /* in quotes it is a name */
    assert_string_equal(o->field[2].source, "a.b");
    /* a table's reader is told which columns the items want, and only of benchmarks */
    assert_null(config.datasets[0].extra[0]);
    assert_string_equal(config.datasets[0].extra[2], "a.b");
    assert_null(config.datasets[1].extra[2]);
    config_free(&config);
    settings_again(&config, DATASETS "ngrams: {n: [8, 13], unit: tokens}\nfail_on: {gpt3_13gram: 1, palm_8gram: 1, "
                                     "tulu3_8gram: 1, qwen_lcs: 1, windows50: off}\n");
    config_free(&config);
    settings_again(&config, DATASETS "ngrams: {n: 5}\nfail_on: {windows50: 1, exact_substring: 1}\n");
    config_free(&config);
    settings_again(&config, DATASETS "ngrams: {n: 5}\n");    /* one number is a list of one */
    o = &ngram_task(&config)->options;
    assert_true(o->sizes == 1 && o->n[0] == 5);
    config_free(&config);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "ngrams: {caps: 1}\n",
          "p.yaml:4: unknown key `caps` in ngrams; did you mean `cap`?" },
        { "ngrams:\n  cap: 0\n",
          "p.yaml:5: cap: `0` is not a number of at least 1" },
        { "ngrams:\n  unit: letters\n",
          "p.yaml:5: unit: `letters` is not one of: words, tokens" },
        { "ngrams:\n  n: []\n",
          "p.yaml:5: n must be a list of 1 to 8 numbers" },
        { "ngrams:\n  n: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n",
          "p.yaml:5: n must be a list of 1 to 8 numbers" },
        { "ngrams:\n  n: 0\n",
          "p.yaml:5: n must be a list of numbers from 1 to 100" },
        { "ngrams:\n  n:\n    - 8\n    - 101\n",
          "p.yaml:7: n must be a list of numbers from 1 to 100" },
        { "ngrams:\n  n: [8x]\n",
          "p.yaml:5: n must be a list of numbers from 1 to 100" },
        { "ngrams:\n  n: [-8]\n",
          "p.yaml:5: n must be a list of numbers from 1 to 100" },
        { "ngrams:\n  n: [8, 13, 8]\n",
          "p.yaml:5: n: 8 is there twice" },
        { "ngrams:\n  fields: {}\n",
          "p.yaml:5: fields must be a map of 1 to 16 names to record fields, as {question: prompt, test: test}" },
        { "ngrams:\n  fields: text\n",
          "p.yaml:5: fields must be a map of 1 to 16 names to record fields, as {question: prompt, test: test}" },
        { "ngrams:\n  fields:\n    a: b\n    c: [d]\n",
          "p.yaml:7: fields.c must be the name of a record field" },
        { "ngrams:\n  fields: {a: a, b: b, c: c, d: d, e: e, f: f, g: g, h: h, i: i, j: j, k: k, l: l, m: m, n: n, "
          "o: o, p: p, q: q}\n",
          "p.yaml:5: fields must be a map of 1 to 16 names to record fields, as {question: prompt, test: test}" },
        { "ngrams:\n  n: [5, 8]\nfail_on:\n  palm_8gram: 5\n  gpt3_13gram: 5\n",
          "p.yaml:8: gpt3_13gram needs ngrams with 13 in its n" },
        { "ngrams: {n: [5, 8]}\nfail_on: {qwen_lcs: 5}\n", "p.yaml:5: qwen_lcs needs ngrams with 13 in its n" },
        { "ngrams: {n: 13}\nfail_on: {palm_8gram: 5}\n", "p.yaml:5: palm_8gram needs ngrams with 8 in its n" },
        { "ngrams: {n: 13}\nfail_on: {tulu3_8gram: 5}\n", "p.yaml:5: tulu3_8gram needs ngrams with 8 in its n" },
        { "ngrams: {unit: tokens}\nfail_on: {windows50: 5}\n", "p.yaml:5: windows50 needs ngrams with `unit: words`" },
        { "ngrams: {unit: tokens}\nfail_on: {exact_substring: 5}\n",
          "p.yaml:5: exact_substring needs ngrams with `unit: words`" },
    };
    static const struct refusal alone[] = {
        { "datasets: [{name: a, role: benchmark, files: a}]\nngrams: {}\n",
          "p.yaml:2: ngrams: no dataset has `role: corpus`" },
        { "datasets: [{name: a, role: corpus, files: a}]\nngrams: {}\n",
          "p.yaml:2: ngrams: no dataset has `role: benchmark`; n-grams of its items are looked for" },
        { DATASETS "dedup: {}\nngrams: {}\n",
          "p.yaml:5: ngrams: beside dedup needs near_duplicates too (`near_duplicates: {}`), which stores the items in "
          "graph.db" },
    };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", alone, sizeof alone / sizeof *alone);
}

static void test_help(void **unused)
{
    static const char *const keys[] = { "n", "fields", "unit", "max_df", "cap", NULL };

    (void)unused;
    settings_helped(ngram_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_defaults), cmocka_unit_test(test_all),
                                        cmocka_unit_test(test_refused), cmocka_unit_test(test_help) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
