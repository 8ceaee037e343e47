/* tests/unit/cmd/audit.c -- the audits by their words. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_words(void **unused)
{
    (void)unused;
    gives(cmd_audit, "--help", 0, "licence ");
    gives(cmd_audit, "-h", 0, "usage: leakgraph audit AUDIT");
    gives(cmd_audit, "licence --help", 0, "usage: leakgraph audit licence");
    refuses(cmd_audit, "", "which one?");
    refuses(cmd_audit, "lisence", "did you mean `licence`?");
    refuses(cmd_audit, "licence", "which answers?");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
