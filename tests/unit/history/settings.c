/* tests/unit/history/settings.c -- the section read, printed and read again; it changes no results; what is refused. */
#include "history/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, role: corpus, files: b.jsonl}\n" \
    "near_duplicates: {}\n"

static void test_keys(void **state)
{
    const struct history_task *task;
    struct config              config;

    (void)state;
    settings_again(&config, DATASETS "history: {runs: [nightly/*, /else/graph.db], keep: 7, most: 5}\n");
    task = history_task(&config);
    assert_true(task->options.keep == 7 && task->options.most == 5 && task->run_count == 2);
    assert_string_equal(task->runs[0], "/base/nightly/*");
    assert_string_equal(task->runs[1], "/else/graph.db");
    config_free(&config);
    settings_again(&config, DATASETS "history: {}\n");
    task = history_task(&config);
    assert_true(task->options.keep == 400 && task->options.most == 1000 && task->run_count == 0);
    config_free(&config);
    settings_again(&config, DATASETS "history: {runs: \"[x]\"}\n");                     /* a word instead of a list */
    assert_string_equal(history_task(&config)->runs[0], "/base/[x]");
    config_free(&config);
}

static void test_results(void **state)
{
    struct config config;
    struct bytes  text[2] = { { 0 }, { 0 } }, room[3] = { { 0 }, { 0 }, { 0 } };
    struct slice  differ[3];
    struct err    err;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *yaml = i ? DATASETS "history: {}\n" : DATASETS;

        assert_int_equal(settings_parse(&config, yaml, strlen(yaml), &err), 0);
        assert_int_equal(config_print(&config, &text[i]), 0);
        config_free(&config);
    }
    assert_true(text[0].len != text[1].len);
    assert_true(config_same_results(bytes_slice(&text[0]), bytes_slice(&text[1]), differ, room));
    for (int i = 0; i < 2; i++) bytes_free(&text[i]);
    for (int i = 0; i < 3; i++) bytes_free(&room[i]);
}

static void test_refused(void **state)
{
    static const struct refusal refusals[] = {
        { "history:\n  run: x\n", "p.yaml:6: unknown key `run` in history; did you mean `runs`?" },
        { "history:\n  runs: []\n", "p.yaml:6: runs names at least one folder" },
        { "history:\n  runs: [[a]]\n", "p.yaml:6: runs must be a list of names" },
    };

    (void)state;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_results),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("history/settings", tests, NULL, NULL);
}
