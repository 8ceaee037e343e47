/* tests/unit/cmd/version.c -- what a bug report needs. */
#include "cmd/version.h"
#include "code/function.h"
#include "kernels/kernels.h"
#include "tests/unit/cmd/command_line.h"

#include <ctype.h>
#include <sqlite3.h>

static void test_version(void **unused)
{
    struct err err;
    char       line[200];
    unsigned   part[3];
    int        len = 0;

    (void)unused;
    assert_int_equal(sscanf(leakgraph_version(), "%u.%u.%u%n", &part[0], &part[1], &part[2], &len), 3);
    assert_int_equal(leakgraph_version()[len], '\0');
    assert_true(*leakgraph_commit() && !isspace((unsigned char)*leakgraph_commit()));
    snprintf(line, sizeof line, "leakgraph %s (%s)\ncompiler  ", leakgraph_version(), leakgraph_commit());
    gives(cmd_version, "", 0, line);
    snprintf(line, sizeof line, "\nkernels   %s\n", kernels->name);
    gives(cmd_version, "", 0, line);
    snprintf(line, sizeof line, "SQLite %s, ", sqlite3_libversion());
    gives(cmd_version, "", 0, line);
    gives(cmd_version, "", 0, functions_exact_check("", &err) == 0 ? "\nfunctions fast, exact (tree-sitter)\n"
                                                                   : "\nfunctions fast; exact is left out: ");
}

static void test_usage(void **unused)
{
    (void)unused;
    helps(cmd_version, "usage: leakgraph version\n", "");
    refuses(cmd_version, "now", "version takes no argument, but `now` was given");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_version), cmocka_unit_test(test_usage) };

    return cmocka_run_group_tests_name("cmd/version", tests, NULL, NULL);
}
