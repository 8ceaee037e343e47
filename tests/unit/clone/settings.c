/* tests/unit/clone/settings.c -- section `line_clones` of pipeline.yaml. */
#include "clone/task.h"
#include "tests/unit/settings_harness.h"

#define BENCHMARK "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n"
#define DATASETS BENCHMARK "  - {name: c, role: corpus, files: c.jsonl}\n"

static void check(const char *yaml, uint32_t lines, enum clone_normal normal, bool self, uint32_t places)
{
    struct config         config;
    struct clone_options *o;

    settings_again(&config, yaml);
    o = &clone_task(&config)->options;
    assert_true(config_has(&config, &clone_capability));
    assert_true(o->lines == lines && o->normal == (int)normal && o->self == self && o->places == places);
    config_free(&config);
}

static void test_read(void **unused)
{
    (void)unused;
    check(DATASETS "line_clones:\n", 6, CLONE_EXACT, false, 10);
    check(DATASETS "line_clones: {lines: 1000000, normalisation: simian, self: true, places: 100}\n", 1000000,
          CLONE_SIMIAN, true, 100);
    check(DATASETS "line_clones: {lines: 1, places: 1}\n", 1, CLONE_EXACT, false, 1);
    check(BENCHMARK "line_clones: {self: yes}\n", 6, CLONE_EXACT, true, 10);  /* no corpus is read */
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "line_clones: {line: 1}\n",
          "p.yaml:4: unknown key `line` in line_clones; did you mean `lines`?" },
        { "line_clones:\n  lines: 0\n",
          "p.yaml:5: lines: `0` is not a number from 1 to 1000000" },
        { "line_clones:\n  lines: 1000001\n",
          "p.yaml:5: lines: `1000001` is not a number from 1 to 1000000" },
        { "line_clones:\n  places: 0\n",
          "p.yaml:5: places: `0` is not a number from 1 to 100" },
        { "line_clones:\n  places: 101\n",
          "p.yaml:5: places: `101` is not a number from 1 to 100" },
        { "line_clones:\n  normalisation: Simian\n",
          "p.yaml:5: normalisation: `Simian` is not one of: exact, simian; did you mean `simian`?" },
        { "line_clones:\n  self: perhaps\n",
          "p.yaml:5: self: `perhaps` is neither true nor false" },
    };
    static const struct refusal roles[] = {
        { BENCHMARK "line_clones: {}\n",
          "p.yaml:3: line_clones: no dataset has `role: corpus`; `self: true` finds what the benchmarks repeat "
          "themselves" },
        { "datasets: [{name: a, role: corpus, files: a}]\nline_clones: {}\n",
          "p.yaml:2: line_clones: no dataset has `role: benchmark`; the blocks of those are looked for" },
    };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", roles, sizeof roles / sizeof *roles);
}

static void test_help(void **unused)
{
    static const char *const keys[] = { "lines", "normalisation", "self", "places", NULL };

    (void)unused;
    settings_helped(clone_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_help) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
