/* tests/unit/clonetype/settings.c -- section `clones` of pipeline.yaml. */
#include "clonetype/task.h"
#include "tests/unit/settings_harness.h"

#define BENCHMARK "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n"
#define DATASETS BENCHMARK "  - {name: c, role: corpus, files: c.jsonl}\n"

/* types: a letter for each that is looked for, the strictest first; c for 2c. */
static void check(const char *yaml, const char *types, struct clonetype_options expected)
{
    struct config                   config;
    const struct clonetype_options *o;
    char                            read[CLONE_TYPES + 1] = "";

    settings_again(&config, yaml);
    o = &clonetype_task(&config)->options;
    assert_true(config_has(&config, &clonetype_capability));
    for (int t = 0, n = 0; t < CLONE_TYPES; t++)
        if (o->type[t]) read[n++] = "1c23"[t];
    assert_string_equal(read, types);
    assert_true(o->dissimilarity.num * expected.dissimilarity.den == expected.dissimilarity.num * o->dissimilarity.den);
    assert_true(o->min_tokens == expected.min_tokens && o->min_lines == expected.min_lines);
    assert_true(o->unit == expected.unit && o->max_matches == expected.max_matches && o->of == expected.of);
    assert_true(o->min_names == expected.min_names && o->min_repeated == expected.min_repeated);
    config_free(&config);
}

static const struct clonetype_options usual = { .dissimilarity = { 3, 10 }, .min_tokens = 20, .min_lines = 6,
                                                .unit = FORM_STATEMENTS, .max_matches = 1000 };

static void test_read(void **unused)
{
    const struct clonetype_options other = { .dissimilarity = { 1, 8 }, .min_tokens = 1, .min_lines = 2,
                                             .unit = FORM_TOKENS, .max_matches = 3, .min_names = 4, .min_repeated = 5,
                                             .of = OF_ITEMS };

    (void)unused;
    check(DATASETS "clones:\n", "1c23", usual);
    check(DATASETS "clones: {types: [3, 1, 3]}\n", "13", usual);
    check(DATASETS "clones: {types: 2c}\n", "c", usual);
    check(DATASETS "clones: {types: [2], dissimilarity: 0.125, unit: tokens, min_tokens: 1, min_lines: 2, max_matches: "
          "3, min_names: 4, min_repeated: 5, of: items}\n", "2", other);
}

/* Without the key it is on where near compares a corpus in functions, for renamed items. */
static void test_implied(void **unused)
{
    static const char *const without[] = {
        DATASETS "ngrams: {}\n",
        DATASETS "near_duplicates: {renamed: off}\n",
        DATASETS "near_duplicates: {view: tokens}\n",
        DATASETS "near_duplicates: {}\ncompat: published\n",
        BENCHMARK "  - {name: c, role: corpus, files: c.jsonl, unit: file}\nnear_duplicates: {}\n",
        BENCHMARK "  - {name: c, role: corpus, files: c.jsonl, self_join: exact}\nnear_duplicates: {}\n",
        BENCHMARK "near_duplicates: {}\n",
    };
    struct clonetype_options implied = usual, written = usual;

    (void)unused;
    implied.of = OF_ITEMS;
    implied.min_names = 12;
    implied.min_repeated = 2;
    check(DATASETS "near_duplicates: {}\n", "1c", implied);
    check(BENCHMARK "  - {name: c, role: corpus, files: c.jsonl, unit: function}\nnear_duplicates: {}\n", "1c",
          implied);
    written.min_names = 9;
    check(DATASETS "near_duplicates: {}\nclones: {types: [1], min_names: 9}\n", "1", written);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        struct config config;

        settings_again(&config, without[i]);
        assert_false(config_has(&config, &clonetype_capability));
        config_free(&config);
    }
}

/* Corpora may be compared with themselves, then nothing else is needed; benchmarks may not. */
static void test_within(void **unused)
{
    static const char *const yaml[] = {
        DATASETS "clones: {within: c}\n",
        "datasets: [{name: b, role: corpus, files: a}, {name: c, role: corpus, files: c}]\nclones: {within: [c]}\n",
        ("datasets: [{name: b, role: corpus, files: a}, {name: c, role: corpus, files: c}]\nclones: {within: [c]}\n"
         "dedup: {datasets: [b]}\n"),
    };
    static const struct refusal refusals[] = {
        { "clones:\n  within: [a]\n", "p.yaml:5: within: `a` has not `role: corpus`" },
        { "clones:\n  within: [d]\n", "p.yaml:5: within: no dataset is called `d`" },
    };

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct config config;

        settings_again(&config, yaml[i]);
        assert_true(!clonetype_task(&config)->within[0] && clonetype_task(&config)->within[1]);
        config_free(&config);
    }
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "clones: {type: [1]}\n", "p.yaml:4: unknown key `type` in clones; did you mean `types`?" },
        { "clones:\n  types: [1, 4]\n", "p.yaml:5: types: they are 1, 2c, 2 and 3, not `4`" },
        { "clones:\n  types: [3c]\n", "p.yaml:5: types: they are 1, 2c, 2 and 3, not `3c`" },
        { "clones:\n  types: []\n", "p.yaml:5: types names at least one" },
        { "clones: {types: [2, 3]}\nfail_on: {clone_type1: 1}\n",
          "p.yaml:5: clone_type1 needs clones with 1 in its types" },
        { "clones: {types: [1, 2c]}\nfail_on: {clone_type2: 1}\n",
          "p.yaml:5: clone_type2 needs clones with 2 in its types" },
        { "clones: {types: [1, 2]}\nfail_on: {clone_type1: 1, clone_type2: 1, clone_type3: 1}\n",
          "p.yaml:5: clone_type3 needs clones with 3 in its types" },
        { "clones:\n  dissimilarity: 1\n", "p.yaml:5: dissimilarity is below 1" },
        { "clones:\n  dissimilarity: 1.5\n",
          "p.yaml:5: dissimilarity: `1.5` is not a fraction from 0 to 1 with at most 9 decimals, nor a "
          "percentage such as 80%" },
        { "clones:\n  unit: line\n", "p.yaml:5: unit: `line` is not one of: lines, tokens; did you mean `lines`?" },
        { "clones:\n  min_tokens: 0\n", "p.yaml:5: min_tokens: `0` is not a number of at least 1" },
        { "clones:\n  min_lines: 0\n", "p.yaml:5: min_lines: `0` is not a number of at least 1" },
        { "clones:\n  max_matches: 0\n", "p.yaml:5: max_matches: `0` is not a number of at least 1" },
        { "dedup: {datasets: [c]}\nclones: {}\n",
          "p.yaml:5: clones: beside dedup needs near_duplicates too (`near_duplicates: {}`), which stores the items in "
          "graph.db" },
    };
    static const struct refusal roles[] = {
        { BENCHMARK "clones: {}\n",
          "p.yaml:3: clones: needs a dataset with `role: benchmark` and one with `role: corpus`, functions of the "
          "first being looked for in the second, or `within`, which names corpora whose functions are compared with "
          "each other" },
        { "datasets: [{name: a, role: corpus, files: a}]\nclones: {}\n",
          "p.yaml:2: clones: needs a dataset with `role: benchmark` and one with `role: corpus`, functions of the "
          "first being looked for in the second, or `within`, which names corpora whose functions are compared with "
          "each other" },
    };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", roles, sizeof roles / sizeof *roles);
}

static void test_help(void **unused)
{
    static const char *const keys[] = { "types", "within", "dissimilarity", "unit", "min_tokens", "min_lines",
                                        "max_matches", "min_names", "min_repeated", "of",
                                        NULL };

    (void)unused;
    settings_helped(clonetype_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_help), cmocka_unit_test(test_within),
                                        cmocka_unit_test(test_implied) };

    return cmocka_run_group_tests_name("clonetype/settings", tests, NULL, NULL);
}
