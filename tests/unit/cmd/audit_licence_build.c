/* tests/unit/cmd/audit_licence_build.c -- a benchmark of one function, from a file in a folder. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

static void test_one(void **unused)
{
    (void)unused;
    refuses(audit_licence, "--build", "--build needs a value");
    gives(audit_licence, "--build tests/golden/licence_build", 0, "\"signature\": \"def mixed(values, limit):\"");
    gives(audit_licence, "--build tests/golden/licence_build", 0, "1 functions of 1 Python files with 2 functions");
    gives(audit_licence, "--build tests/golden/licence_build --lines 12", 0, "left out: 1 methods, 1 too short;");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_one) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
