/* tests/unit/cmd/overlap.c -- the settings that a command line stands for, as the run folder has them, and refusals. */
#include "base/log.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_overlap, "usage: leakgraph overlap", "--benchmark a=b");
    refuses(cmd_overlap, "", "overlap needs --benchmark NAME=GLOB");
    refuses(cmd_overlap, "--benchmark x.jsonl", "--benchmark takes NAME=GLOB, not `x.jsonl`");
    refuses(cmd_overlap, "--corpus", "--corpus needs a value");
    refuses(cmd_overlap, "--bench a=b", "overlap does not know `--bench`");
    refuses(cmd_overlap, "--benchmark a=b --min-tokens 5x", "--min-tokens takes a number or auto, not `5x`");
    refuses(cmd_overlap, "--benchmark a=b --min-tokens -1", "not `-1`");
    refuses(cmd_overlap, "--benchmark mine=/no/such/file", "dataset mine: ");
    refuses(cmd_overlap, "--benchmark a=/no/such/file --corpus a=/no/such/other",
            "--corpus: two datasets are called `a`");
    refuses(cmd_overlap, "--benchmark a=b --view bogus", "--view: unknown view `bogus`");
    refuses(cmd_overlap, "--benchmark a=b --field b.text=x", "--field b.text=x: ");
    refuses(cmd_overlap, "--corpus a=b", "give --benchmark NAME=GLOB, or --self-join");
}

static void test_settings(void **unused)
{
    static const char text[] = "{\"text\": \"int f(int a) { return a; }\"}\n";
    char              folder[] = "/tmp/leakgraph-overlap-XXXXXX", line[600], path[64];
    struct bytes      yaml = { 0 };
    struct stat       is;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%c.jsonl", folder, "abc"[i]);
        write_file(path, text, sizeof text - 1);
    }
    snprintf(line, sizeof line, "--benchmark b=%s/a.jsonl --corpus c=%s/b.jsonl --benchmark b=%s/c.jsonl --self-join "
             "--language java --view tokens --min-tokens 7 --output %s/run --threads 1 --quiet --set memory=1GB",
             folder, folder, folder, folder);
    gives(cmd_overlap, line, 0, "");
    snprintf(path, sizeof path, "%s/run/config.resolved.yaml", folder);
    read_file(path, &yaml);
    assert_non_null(strstr(yaml.at, "  - name: b\n    role: benchmark\n    language: java\n"));
    assert_non_null(strstr(yaml.at, "  - name: c\n    role: corpus\n    language: java\n"));
    assert_non_null(strstr(yaml.at, "/a.jsonl, "));         /* one dataset of two files */
    assert_non_null(strstr(yaml.at, "    self_join: exact\n"));
    assert_non_null(strstr(yaml.at, "  view: tokens\n"));
    assert_non_null(strstr(yaml.at, "  min_tokens: 7\n"));
    assert_non_null(strstr(yaml.at, "memory: 1"));
    snprintf(path, sizeof path, "%s/run/graph.db", folder);
    assert_int_equal(stat(path, &is), 0);
    log_open(&(struct log_options){ 0 });
    bytes_free(&yaml);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_settings) };

    return cmocka_run_group_tests_name("cmd/overlap", tests, NULL, NULL);
}
