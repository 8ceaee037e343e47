/* tests/unit/cmd/audit_licence.c -- what the command line takes and refuses; tests/cli/audit_licence.sh has results. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

#include <stdio.h>

static void test_refused(void **unused)
{
    (void)unused;
    helps(audit_licence, "usage: leakgraph audit licence", "--quiet");
    refuses(audit_licence, "", "which answers?");
    refuses(audit_licence, "--nonsense x", "audit licence does not know `--nonsense`");
    refuses(audit_licence, "--pairs", "--pairs needs a value");
    refuses(audit_licence, "--pairs m=", "--pairs takes [NAME=]FILE");
    refuses(audit_licence, "--fail-on nan --pairs a", "--fail-on takes a number from 0 to 1, not `nan`");
    refuses(audit_licence, "--build a --pairs a", "one at a time");
    refuses(audit_licence, "--build a --benchmark b", "one at a time");
    refuses(audit_licence, "--benchmark a", "--benchmark needs --model");
    refuses(audit_licence, "--benchmark a --model m=ngram:x", "and --output DIR");
    refuses(audit_licence, "--model m=ngram:x", "--model needs --benchmark");
    refuses(audit_licence, "--benchmark a --output o --model m", "--model takes NAME=BACKEND:PATH");
    refuses(audit_licence, "--build a --lines -1", "--lines takes a number from 0 to 1000000, not `-1`");
    refuses(audit_licence, "--build a --compat paper", "--compat takes published or none, not `paper`");
    refuses(audit_licence, "--build a --field path=x", "--build takes --field text=FIELD");
}

/* What the line says reaches the settings, which name it where it is wrong. */
static void test_settings(void **unused)
{
    static const char file[] = "--pairs a=tests/golden/licence_build/mixed.py ";
    static const struct { const char *words, *says; } lines[] = {
        { "--similarity 1.5", "--similarity: similarity: " }, { "--similarity nan", "--similarity: " },
        { "--lines -1", "--lines: " }, { "--complexity 99999999", "--complexity: " },
        { "--comments x", "--comments: " },
        { "--compat paper", "--compat: " }, { "--tokens http:x", "--tokens: " }, { "--rules none", "--rules: " },
        { "--template chat", "--template: " }, { "--new-tokens 0", "--new-tokens: " }, { "--asked x", "--asked: " },
        { "--field b.text=x", "b.text" },
        { "--benchmark a --model m=gram:x --output o", "--model: " },
        { "--benchmark a --model m=http:x --http key_envy=A --output o", "did you mean `key_env`" },
    };
    char line[300];

    (void)unused;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "%s%s", file, lines[i].words);
        refuses(audit_licence, line, lines[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_settings) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
