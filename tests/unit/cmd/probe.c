/* tests/unit/cmd/probe.c -- what has to be given and what is refused; the settings that come of it, by their errors. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_probe, "usage: leakgraph probe", "--benchmark a=b");
    refuses(cmd_probe, "", "probe needs --model NAME=BACKEND:PATH and --benchmark NAME=GLOB");
    refuses(cmd_probe, "--model m=ngram:x", "and --benchmark NAME=GLOB");
    refuses(cmd_probe, "--benchmark a=b", "probe needs --model");
    refuses(cmd_probe, "--corpus c=d --model m=ngram:x", "and --benchmark NAME=GLOB");
    refuses(cmd_probe, "--generate 3 --benchmark a=b --model m=ngram:x", "and --corpus NAME=GLOB");
    refuses(cmd_probe, "--generate 3x", "--generate takes a number, not `3x`");
    refuses(cmd_probe, "--benchmark a", "--benchmark takes NAME=GLOB, not `a`");
    refuses(cmd_probe, "--metrics", "--metrics needs a value");
    refuses(cmd_probe, "--nonsense a", "probe does not know `--nonsense`");
    for (size_t i = 0; i < 4; i++) {
        static const char *const bad[] = { "m", "m=ngram", "=ngram:x", "m=ngram:" };
        char                     line[100], says[100];

        snprintf(line, sizeof line, "--benchmark a=b --model %s", bad[i]);
        snprintf(says, sizeof says, "--model takes NAME=BACKEND:PATH, as mine=ngram:mine.lm, not `%s`", bad[i]);
        refuses(cmd_probe, line, says);
    }
}

/* What the line says reaches the settings, which name it where it is wrong. */
static void test_settings(void **unused)
{
    char path[] = "/tmp/leakgraph-probe-XXXXXX", line[200];
    int  file = mkstemp(path);                              /* a model has to be there, but nobody looks into it */

    (void)unused;
    assert_true(file >= 0);
    close(file);
    refuses(cmd_probe, "--benchmark a=b --model m=nobody:x", "`nobody`");
    refuses(cmd_probe, "--benchmark a=b --model m=ngram:/no/such", "path names a file that is not there: /no/such");
    snprintf(line, sizeof line, "--benchmark a=b --model m=ngram:%s --metrics nll,unknown", path);
    refuses(cmd_probe, line, "`unknown`");
    refuses(cmd_probe, "--benchmark a=b --benchmark a=c --corpus a=d --model m=ngram:x", "two datasets are called `a`");
    refuses(cmd_probe, "--benchmark bench=/no/such/file --model m=http://x.org --language c --threads 1", "bench");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_settings) };

    return cmocka_run_group_tests_name("cmd/probe", tests, NULL, NULL);
}
