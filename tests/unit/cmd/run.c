/* tests/unit/cmd/run.c -- refusals, and a small run: its settings and exit status. */
#include "cmd/run.h"
#include "cmd/command.h"
#include "base/log.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    char       *was = threads ? strdup(threads) : NULL;

    (void)unused;
    helps(cmd_run, "usage: leakgraph run", "--quiet");
    refuses(cmd_run, "--nonsense", "run does not know `--nonsense`");
    refuses(cmd_run, "a.yaml b.yaml", "`b.yaml` is a second");
    refuses(cmd_run, "--set", "--set needs a value");
    refuses(cmd_run, "--threads 0 a.yaml", "--threads takes a number from 1 to 1024, not `0`");
    refuses(cmd_run, "--threads 1025", "not `1025`");
    refuses(cmd_run, "--threads 2x", "not `2x`");
    setenv("OMP_NUM_THREADS", "many", 1);
    refuses(cmd_run, "a.yaml", "OMP_NUM_THREADS must be a number from 1 to 1024, not `many`");
    setenv("OMP_NUM_THREADS", "2,", 1);
    refuses(cmd_run, "a.yaml", "not `2,`");
    if (was) setenv("OMP_NUM_THREADS", was, 1);
    else unsetenv("OMP_NUM_THREADS");
    free(was);
}

/* Two equal items of four are in the corpus. */
static void test_whole(void **unused)
{
    static const char  record[] =
        "{\"text\": \"int %c(int a) { return a + %d; } int %c2(int b) { return b * %d; }\"}\n";
    char               folder[] = "/tmp/leakgraph-run-XXXXXX", line[400], path[64];
    struct bytes       text = { 0 };
    struct stat        is;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 4; i++) assert_int_equal(bytes_printf(&text, record, 'a' + i, i, 'a' + i, i), 0);
    snprintf(path, sizeof path, "%s/b.jsonl", folder);
    write_file(path, text.at, text.len);
    snprintf(path, sizeof path, "%s/c.jsonl", folder);
    write_file(path, text.at, text.len / 2);
    snprintf(path, sizeof path, "%s/p.yaml", folder);
    text.len = 0;
    assert_int_equal(bytes_printf(&text, "datasets:\n  - {name: b, role: benchmark, language: c, files: b.jsonl}\n"
                                         "  - {name: c, role: corpus, language: c, files: c.jsonl}\n"
                                         "near_duplicates: {across_languages: true, view: tokens}\n"
                                         "fail_on: {leakage: 40}\n"), 0);
    write_file(path, text.at, text.len);
    snprintf(line, sizeof line, "%s --output %s/run --threads 1", path, folder);
    gives(cmd_run, line, 3, "gate fail_on.leakage failed: ");
    gives(cmd_run, line, 3, "reused=");                     /* it goes on where it was */
    snprintf(line, sizeof line, "%s --output %s/run --threads 1 --quiet --set fail_on.leakage=60", path, folder);
    gives(cmd_run, line, 0, "");                            /* another limit is no other configuration */
    snprintf(line, sizeof line, "%s --output %s/run --threads 1 --set near_duplicates.view=lines", path, folder);
    refuses(cmd_run, line, "another configuration (near_duplicates: there `view: tokens`, here `view: lines`)");
    strcat(line, " --replace");
    gives(cmd_run, line, 3, "replacing the results of another configuration");
    snprintf(path, sizeof path, "%s/run/report.json", folder);
    assert_int_equal(stat(path, &is), 0);
    log_open(&(struct log_options){ 0 });
    bytes_free(&text);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_whole),
    };

    return cmocka_run_group_tests_name("cmd/run", tests, NULL, NULL);
}
