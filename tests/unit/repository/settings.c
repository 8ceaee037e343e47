/* tests/unit/repository/settings.c -- section `repositories` of pipeline.yaml. */
#include "repository/task.h"
#include "tests/unit/folder.h"
#include "tests/unit/settings_harness.h"

#include <stdlib.h>

#define DATASETS "datasets:\n" \
                 "  - {name: a, role: benchmark, files: a.jsonl}\n" \
                 "  - {name: b.2, role: benchmark, files: b.jsonl}\n" \
                 "  - {name: c, role: corpus, files: c.jsonl}\n"

static void test_defaults(void **unused)
{
    struct config           config;
    struct repository_task *task;

    (void)unused;
    settings_again(&config, DATASETS "repositories: {}\n");
    task = repository_task(&config);
    assert_true(config_has(&config, &repository_capability));
    assert_string_equal(task->options.renames, "");
    assert_true(task->options.path_components == 0 && task->options.top == 5);
    assert_true(task->options.share.num * 2 == task->options.share.den);
    assert_true(task->benchmark[0] && task->benchmark[1] && !task->benchmark[2]);
    config_free(&config);
}

static void test_all(void **unused)
{
    struct config           config;
    struct repository_task *task;
    char                    list[] = "/tmp/leakgraph-renames-XXXXXX", yaml[512], *real;

    (void)unused;
    assert_true(close(mkstemp(list)) == 0);
    write_file(list, "a/b\tc/d\n", 8);
    snprintf(yaml, sizeof yaml, DATASETS "repositories: {benchmarks: b.2, renames: /tmp/..%s, path_components: 16, "
                                         "share: 0.25, top: 1000}\n", list);
    settings_again(&config, yaml);
    task = repository_task(&config);
    real = realpath(list, NULL);
    assert_string_equal(task->options.renames, real);       /* from the root, wherever the file was */
    assert_true(task->options.path_components == 16 && task->options.top == 1000);
    assert_true(task->options.share.num * 4 == task->options.share.den);
    assert_true(!task->benchmark[0] && task->benchmark[1] && !task->benchmark[2]);
    free(real);
    config_free(&config);
    unlink(list);
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "repositories: {tops: 1}\n",
          "p.yaml:5: unknown key `tops` in repositories; did you mean `top`?" },
        { "repositories:\n  top: 1001\n",
          "p.yaml:6: top: `1001` is not a number from 0 to 1000" },
        { "repositories:\n  path_components: 17\n",
          "p.yaml:6: path_components: `17` is not a number from 0 to 16" },
        { "repositories:\n  top: 2\n  share: 0\n",
          "p.yaml:7: share must be above 0" },
        { "repositories:\n  share: off\n",
          "p.yaml:6: share: cannot be switched off" },
        { "repositories:\n  renames: nowhere.tsv\n",
          "p.yaml:6: renames names a file that is not there: /base/nowhere.tsv" },
        { "repositories:\n  benchmarks: []\n",
          "p.yaml:6: benchmarks names at least one; without the key it is every benchmark" },
        { "repositories:\n  benchmarks: ~\n",
          "p.yaml:6: benchmarks must be a list of names" },
        { "repositories:\n  benchmarks: [[a]]\n",
          "p.yaml:6: benchmarks must be a list of names" },
        { "repositories:\n  benchmarks: [a, c]\n",
          "p.yaml:6: benchmarks: `c` has not `role: benchmark`" },
        { "repositories:\n  benchmarks: [nobody]\n",
          "p.yaml:6: benchmarks: no dataset is called `nobody`" },
    };
    static const struct refusal roles[] = {
        { "datasets: [{name: a, role: benchmark, files: a}]\nrepositories: {}\n",
          "p.yaml:2: repositories: no dataset has `role: corpus`" },
        { "datasets: [{name: a, role: corpus, files: a}]\nrepositories: {}\n",
          "p.yaml:2: repositories: no dataset has `role: benchmark`; its repositories are looked for" },
    };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", roles, sizeof roles / sizeof *roles);
}

/* A list of renames that is wrong is refused before anything is read. */
static void test_renames_wrong(void **unused)
{
    char          list[] = "/tmp/leakgraph-renames-XXXXXX", yaml[512];
    struct config config;
    struct err    err;

    (void)unused;
    assert_true(close(mkstemp(list)) == 0);
    write_file(list, "a/b\ta/b\n", 8);
    snprintf(yaml, sizeof yaml, DATASETS "repositories: {renames: %s}\n", list);
    assert_int_equal(settings_parse(&config, yaml, strlen(yaml), &err), -EINVAL);
    assert_non_null(strstr(err.text, "names in a circle"));
    config_free(&config);
    unlink(list);
}

static void test_help(void **unused)
{
    static const char *const keys[] = { "benchmarks", "renames", "path_components", "share", "top", NULL };

    (void)unused;
    settings_helped(repository_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_defaults), cmocka_unit_test(test_all),
                                        cmocka_unit_test(test_refused), cmocka_unit_test(test_renames_wrong),
                                        cmocka_unit_test(test_help) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
