/* tests/unit/cmd/audit_inclusion.c -- what has to be given and what is refused. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(audit_inclusion, "usage: leakgraph audit inclusion", "--files a");
    refuses(audit_inclusion, "", "audit inclusion needs --model NAME=BACKEND:PATH and --files GLOB");
    refuses(audit_inclusion, "--model m=ngram:x", "and --files GLOB");
    refuses(audit_inclusion, "--files a", "needs --model NAME=BACKEND:PATH");
    refuses(audit_inclusion, "--files", "--files needs a value");
    refuses(audit_inclusion, "--nonsense a", "audit inclusion does not know `--nonsense`");
    refuses(audit_inclusion, "--files a --model m", "--model takes NAME=BACKEND:PATH, as mine=ngram:mine.lm, not `m`");
}

/* What the line says reaches the settings, which name it where it is wrong. */
static void test_settings(void **unused)
{
    (void)unused;
    refuses(audit_inclusion, "--files a --model m=ngram:/dev/null --prompt gpt", "--prompt");
    refuses(audit_inclusion, "--files a --model m=ngram:/dev/null --elements some", "--elements");
    refuses(audit_inclusion, "--files a --model m=ngram:/dev/null --ask files", "--ask");
    refuses(audit_inclusion, "--others a --model m=ngram:/dev/null --per-category many", "--per-category");
    refuses(audit_inclusion, "--trained a --model m=none:x", "--model");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_settings) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
