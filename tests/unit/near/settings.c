/* tests/unit/near/settings.c -- section `near_duplicates` of pipeline.yaml. */
#include "near/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n"

static bool is(struct ratio ratio, uint32_t num, uint32_t den)
{
    return den ? ratio.den && (uint64_t)ratio.num * den == (uint64_t)num * ratio.den : !ratio.den;
}

static void test_defaults(void **unused)
{
    struct config        config;
    struct near_options *o;

    (void)unused;
    settings_again(&config, DATASETS "near_duplicates: {}\n");
    o = &near_task(&config)->options;
    assert_true(config_has(&config, &near_capability));
    assert_true(o->view.kind == VIEW_IDENTIFIERS && !o->view.across_languages && !o->view.published);
    assert_true(is(o->set_threshold, 4, 5) && is(o->multiset_threshold, 7, 10));
    assert_true(is(o->containment_threshold, 93, 100) && o->containment_auto && is(o->report_floor, 0, 0));
    assert_true(o->min_tokens == 0 && o->max_matches == 10000 && !o->keep_index && !o->pairs_all);
    config_free(&config);
}

static void test_all(void **unused)
{
    struct config        config;
    struct near_options *o;

    (void)unused;
    settings_again(&config, "compat: published\n" DATASETS
                   "near_duplicates: {view: \"shingles:5\", set_threshold: 1, multiset_threshold: 0.5, min_tokens: 1, "
                   "containment_threshold: 0.9, report_floor: 0.999, max_matches: 1, across_languages: true, "
                   "index: true, pairs: all}\n");
    o = &near_task(&config)->options;
    assert_true(o->view.kind == VIEW_SHINGLES && o->view.n == 5 && o->view.across_languages && o->view.published);
    assert_true(is(o->set_threshold, 1, 1) && is(o->multiset_threshold, 1, 2));
    assert_true(is(o->containment_threshold, 9, 10) && !o->containment_auto && is(o->report_floor, 999, 1000));
    assert_true(o->min_tokens == 1 && o->max_matches == 1 && o->keep_index && o->pairs_all);
    config_free(&config);
}

/* The numbers of a run: a benchmark's own, else the section's; the published pipeline's is 20. */
static void test_minimum(void **unused)
{
    static const struct { const char *head, *section; uint32_t least, own; } cases[] = {
        { "", "near_duplicates: {min_tokens: auto}\n", 0, 0 },
        { "compat: published\n", "near_duplicates: {}\n", 20, 0 },
        { "compat: published\n", "near_duplicates: {min_tokens: auto}\n", 0, 0 },
        { "", "near_duplicates: {min_tokens: 9}\n", 9, 0 },
        { "", "near_duplicates: {}\n", 0, 3 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config config;
        char          yaml[400];

        snprintf(yaml, sizeof yaml, "%sdatasets:\n  - {name: a, role: benchmark, files: a.jsonl, min_tokens: %s}\n%s",
                 cases[i].head, cases[i].own ? "3" : "auto", cases[i].section);
        settings_again(&config, yaml);
        assert_int_equal(near_task(&config)->options.min_tokens, cases[i].least);
        assert_int_equal(config.datasets[0].min_tokens, cases[i].own);
        config_free(&config);
    }
}

/* auto is for views of identifiers, and off in the published pipeline unless it is asked for. */
static void test_containment(void **unused)
{
    static const struct { const char *head, *section; uint32_t num; bool chosen; } cases[] = {
        { "", "near_duplicates: {containment_threshold: auto}\n", 93, true },
        { "", "near_duplicates: {view: identifiers+literals}\n", 93, true },
        { "", "near_duplicates: {view: tokens}\n", 0, false },
        { "", "near_duplicates: {view: \"shingles:5\", containment_threshold: auto}\n", 0, false },
        { "", "near_duplicates: {containment_threshold: off}\n", 0, false },
        { "", "near_duplicates: {containment_threshold: 0.93}\n", 93, false },
        { "compat: published\n", "near_duplicates: {}\n", 0, false },
        { "compat: published\n", "near_duplicates: {containment_threshold: auto}\n", 93, true },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config config;
        char          yaml[400];

        snprintf(yaml, sizeof yaml, "%s" DATASETS "%s", cases[i].head, cases[i].section);
        settings_again(&config, yaml);
        assert_true(is(near_task(&config)->options.containment_threshold, cases[i].num, cases[i].num ? 100 : 0));
        assert_int_equal(near_task(&config)->options.containment_auto, cases[i].chosen);
        config_free(&config);
    }
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "near_duplicates: {thresholds: 1}\n",
          "p.yaml:3: unknown key `thresholds` in near_duplicates; did you mean `set_threshold`?" },
        { "near_duplicates: {passages: off}\nfail_on: {passages: 1}\n",
          "p.yaml:4: passages needs near_duplicates.passages" },
        { "near_duplicates:\n  view: words\n",
          "p.yaml:4: unknown view `words`; views are identifiers, identifiers+literals, tokens, lines, shingles:N, "
          "chars:N" },
        { "near_duplicates:\n  set_threshold: 0\n",
          "p.yaml:4: set_threshold must be above 0" },
        { "near_duplicates:\n  set_threshold: 1.1\n",
          "p.yaml:4: set_threshold: `1.1` is not a fraction from 0 to 1 with at most 9 decimals, nor a "
          "percentage such as 80%" },
        { "near_duplicates:\n  multiset_threshold: 0\n",
          "p.yaml:4: multiset_threshold must be above 0" },
        { "near_duplicates:\n  containment_threshold: 0\n",
          "p.yaml:4: containment_threshold must be above 0" },
        { "near_duplicates:\n  report_floor: 0\n",
          "p.yaml:4: report_floor must be above 0" },
        { "near_duplicates:\n  set_threshold: 0.5\n  report_floor: 0.5\n",
          "p.yaml:5: report_floor must be below set_threshold" },
        { "near_duplicates:\n  min_tokens: 0\n",
          "p.yaml:4: min_tokens: `0` is not a number of at least 1, nor auto" },
        { "near_duplicates:\n  max_matches: 0\n",
          "p.yaml:4: max_matches: `0` is not a number of at least 1" },
        { "near_duplicates:\n  pairs: some\n",
          "p.yaml:4: pairs: `some` is not one of: star, all" },
        { "near_duplicates:\n  index: 5\n",
          "p.yaml:4: index: `5` is neither true nor false" },
    };
    static const struct refusal roles[] = {
        { "near_duplicates: {}\ndatasets: [{name: a, role: corpus, files: a}]\n",
          "p.yaml:2: nothing to compare: at least one dataset must have `role: benchmark` or `self_join: exact`" },
    };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", roles, 1);
}

static void test_help(void **unused)
{
    static const char *const keys[] = { "view", "set_threshold", "multiset_threshold", "min_tokens",
                                        "containment_threshold", "report_floor", "max_matches", "across_languages",
                                        "index", "pairs", NULL };

    (void)unused;
    settings_helped(near_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_defaults), cmocka_unit_test(test_all),
                                        cmocka_unit_test(test_minimum), cmocka_unit_test(test_containment),
                                        cmocka_unit_test(test_refused), cmocka_unit_test(test_help) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
