/* tests/unit/cmd/plan.c -- a plan of two small datasets, as text and as JSON; nothing is written. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

#include <cjson/cJSON.h>

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_plan, "usage: leakgraph plan", "a.yaml");
    refuses(cmd_plan, "--nonsense", "plan does not know `--nonsense`");
    refuses(cmd_plan, "a.yaml b.yaml", "`b.yaml` is a second");
    refuses(cmd_plan, "--ranks", "--ranks needs a value");
    refuses(cmd_plan, "--ranks 0", "--ranks takes a number from 1 to 1048576, not `0`");
    refuses(cmd_plan, "--ranks 1048577", "not `1048577`");
    refuses(cmd_plan, "--ranks 1.5", "not `1.5`");
    refuses(cmd_plan, "--sample 101", "--sample takes a percentage above 0, at most 100, not `101`");
    refuses(cmd_plan, "--sample 0", "--sample takes a percentage above 0, at most 100, not `0`");
    refuses(cmd_plan, "--sample nan", "not `nan`");
    refuses(cmd_plan, "--threads x", "--threads takes a number");
    refuses(cmd_plan, "--set", "--set needs a value");
}

static double number(const cJSON *root, const char *key)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(root, key);

    if (!cJSON_IsNumber(found)) fail_msg("no number %s", key);
    return found->valuedouble;
}

static void test_small(void **unused)
{
    static const char shard[] = "{\"text\": \"int f(int a) { return a; }\"}\n{\"text\": \"x\"}\n";
    static const char yaml[] = "datasets:\n  - {name: c, role: corpus, language: c, files: c.jsonl}\n"
                               "  - {name: d, role: corpus, language: c, files: c.jsonl}\n"
                               "dedup: {view: tokens, min_tokens: 5}\nmemory: 1GB\n";
    char              folder[] = "/tmp/leakgraph-plan-XXXXXX", path[64], line[200];
    struct said       said;
    struct err        err;
    cJSON            *root;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/c.jsonl", folder);
    write_file(path, shard, sizeof shard - 1);
    snprintf(path, sizeof path, "%s/p.yaml", folder);
    write_file(path, yaml, sizeof yaml - 1);
    snprintf(line, sizeof line, "%s --ranks 3 --threads 2 --json --set output=%s/run", path, folder);
    assert_int_equal(command_call(cmd_plan, line, &said, &err), 0);
    root = cJSON_Parse(said.text.at);
    assert_non_null(root);
    assert_true(number(root, "ranks") == 3 && number(root, "threads") == 2);
    assert_true(number(root, "sample_documents") == 4);     /* little data is read whole */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "datasets")), 2);
    cJSON_Delete(root);
    said_free(&said);
    snprintf(line, sizeof line, "%s --set output=%s/run", path, folder);
    gives(cmd_plan, line, 0, "features, up to");
    assert_int_equal(command_call(cmd_plan, line, &said, &err), 0);
    assert_null(strstr(said.text.at, "In no number here"));
    said_free(&said);
    snprintf(line, sizeof line, "%s --set output=%s/run --set portrait={}", path, folder);
    gives(cmd_plan, line, 0, "\n\nIn no number here: portrait.\n\nThis is a forecast.");
    snprintf(line, sizeof line, "%s --json --set output=%s/run --set portrait={}", path, folder);
    gives(cmd_plan, line, 0, "\"not_forecast\":\t[\"portrait\"]");
    snprintf(path, sizeof path, "%s/run", folder);
    assert_int_equal(access(path, F_OK), -1);
    snprintf(line, sizeof line, "%s/p.yaml --set dedup.treshold=1", folder);
    refuses(cmd_plan, line, "did you mean `threshold`?");
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_small) };

    return cmocka_run_group_tests_name("cmd/plan", tests, NULL, NULL);
}
