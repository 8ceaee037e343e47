/* tests/unit/cmd/audit_licence_ask.c -- models and benchmarks that cannot be asked; tests/cli/audit_model.sh asks. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

#include <stdio.h>
#include <stdlib.h>

static void test_refused(void **unused)
{
    char  folder[] = "/tmp/leakgraph-ask.XXXXXX", file[64], line[512];
    FILE *out;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/b.jsonl", folder);
    out = fopen(file, "w");
    assert_non_null(out);
    fputs("{\"reference\": \"    return 1\\n\", \"prompt\": \"def f():\\n\"}\n", out);
    assert_int_equal(fclose(out), 0);
    for (const char *const *model = (const char *const[]){ "ngram:x", "=ngram:x", "m=ngram:", "m=gpt:x", NULL }; *model;
         model++) {
        snprintf(line, sizeof line, "--benchmark %s --output %s/o --quiet --model %s", file, folder, *model);
        refuses(audit_licence, line, "--model takes NAME=BACKEND:PATH");
    }
    out = fopen(file, "w");
    assert_non_null(out);
    fputs("{\"reference\": \"    return 1\\n\"}\n", out);
    assert_int_equal(fclose(out), 0);
    snprintf(line, sizeof line, "--benchmark %s --output %s/o --quiet --model m=ngram:x", file, folder);
    gives(audit_licence, line, -EBADMSG, "b.jsonl: record 0: has no `prompt`");
    snprintf(line, sizeof line, "rm -rf %s", folder);
    assert_int_equal(system(line), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
