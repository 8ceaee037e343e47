/* sensitive/settings: the section read, printed and read again; what is refused. */
#include "sensitive/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, role: benchmark, files: b.jsonl}\n" \
    "  - {name: c, role: corpus, files: c.jsonl}\n"

static void test_keys(void **state)
{
    const struct sensitive_task *task;
    struct config                config;

    (void)state;
    settings_again(&config, DATASETS "sensitive: {local: true, example: true, datasets: [b, c], kinds: [key, ip]}\n");
    task = sensitive_task(&config);
    assert_true(task->options.local && task->options.example);
    assert_true(!task->member[0] && task->member[1] && task->member[2]);
    assert_true(!task->options.kind[SENSITIVE_EMAIL] && task->options.kind[SENSITIVE_IP] &&
                task->options.kind[SENSITIVE_KEY]);
    config_free(&config);
    settings_again(&config, DATASETS "sensitive: {datasets: a, kinds: email}\n");       /* a word instead of a list */
    task = sensitive_task(&config);
    assert_true(task->member[0] && !task->member[1] && !task->member[2]);
    assert_true(task->options.kind[SENSITIVE_EMAIL] && !task->options.kind[SENSITIVE_IP] &&
                !task->options.kind[SENSITIVE_KEY]);
    config_free(&config);
}

static void test_defaults(void **state)
{
    const struct sensitive_task *task;
    struct config                config;

    (void)state;
    settings_again(&config, DATASETS "sensitive:\n");
    task = sensitive_task(&config);
    assert_true(!task->options.local && !task->options.example);
    assert_true(task->member[0] && task->member[1] && !task->member[2]);
    for (int k = 0; k < SENSITIVE_KINDS; k++) assert_true(task->options.kind[k]);
    config_free(&config);
}

static void test_refused(void **state)
{
    static const struct refusal refusals[] = {
        { "sensitive:\n  loca: true\n", "p.yaml:6: unknown key `loca` in sensitive; did you mean `local`?" },
        { "sensitive:\n  datasets: [a,\n e]\n", "p.yaml:6: datasets: no dataset is called `e`" },
        { "sensitive:\n  datasets: []\n",
          "p.yaml:6: datasets names at least one; without the key it is every benchmark" },
        { "sensitive:\n  datasets:\n", "p.yaml:6: datasets must be a list of names" },
        { "sensitive:\n  datasets: [[a]]\n", "p.yaml:6: datasets must be a list of names" },
        { "sensitive:\n  kinds: [ip, mail]\n",
          "p.yaml:6: kinds: they are email, ip and key, not `mail`" },
        { "sensitive:\n  kinds: []\n", "p.yaml:6: kinds names at least one" },
        { "sensitive:\n  local: perhaps\n", "p.yaml:6: local: `perhaps` is neither true nor false" },
    };
    static const struct refusal no_benchmark[] = { {
        "datasets:\n  - {name: c, role: corpus, files: c.jsonl}\nsensitive: {local: true}\n",
        "p.yaml:3: sensitive: no dataset has `role: benchmark`; name those whose strings are wanted in "
        "`datasets`" } };
    static const char *const keys[] = { "datasets", "kinds", "local", "example", NULL };

    (void)state;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", no_benchmark, 1);
    settings_helped(sensitive_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
