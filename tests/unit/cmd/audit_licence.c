/* tests/unit/cmd/audit_licence.c -- what the command line takes and refuses; tests/cli/audit_licence.sh has results. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(audit_licence, "usage: leakgraph audit licence", "--quiet");
    refuses(audit_licence, "", "which answers?");
    refuses(audit_licence, "--nonsense x", "unknown option --nonsense");
    refuses(audit_licence, "--pairs", "--pairs needs a value");
    refuses(audit_licence, "--similarity 1.5 --pairs a", "--similarity takes a number from 0 to 1, not `1.5`");
    refuses(audit_licence, "--similarity nan --pairs a", "not `nan`");
    refuses(audit_licence, "--lines -1 --pairs a", "--lines takes a number");
    refuses(audit_licence, "--comments x --pairs a", "--comments takes a number");
    refuses(audit_licence, "--complexity 99999999 --pairs a", "up to 1000000");
    refuses(audit_licence, "--compat paper --pairs a", "--compat takes published or none");
    refuses(audit_licence, "--tokens http:x --pairs a", "--tokens takes llama:FILE, ngram:FILE or a tok");
    refuses(audit_licence, "--field b.text=x --pairs a", "--field takes text=FIELD");
    refuses(audit_licence, "--build a --pairs a", "one at a time");
    refuses(audit_licence, "--build a --benchmark b", "one at a time");
    refuses(audit_licence, "--benchmark a", "--benchmark needs --model");
    refuses(audit_licence, "--benchmark a --model m=ngram:x", "and --output DIR");
    refuses(audit_licence, "--model m=ngram:x", "--model needs --benchmark");
    refuses(audit_licence, "--template chat --pairs a", "--template takes plain or instruct, not `chat`");
    refuses(audit_licence, "--new-tokens 0 --pairs a", "from 1 on");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
