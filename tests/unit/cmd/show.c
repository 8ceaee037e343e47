/* tests/unit/cmd/show.c -- a document and a pair by each of their names, and refusals. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/finished.h"

static struct made_graph g;

static void shows(const char *what, int status, const char *says)
{
    char line[160];

    snprintf(line, sizeof line, "%s %s", g.folder, what);
    gives(cmd_show, line, status, says);
}

static void test_names(void **unused)
{
    (void)unused;
    finished_open(&g);
    shows("1", 0, "snippet 1  b//0");
    shows("1", 0, "\nint a;\n");
    shows("b//0", 0, "snippet 1  ");
    shows("c/x/7", 0, "snippet 1000000000008  c/x/7");
    shows("c:second", 0, "snippet 1000000000008  ");
    shows("c:second", 0, "p\\x1b.c");                       /* harmless, and no colours in a file */
    shows("1 c:second", 0, "\n!int [-a-]{+b+};\n");
    shows("c/x/7 1", 0, "\n!int [-b-]{+a+};\n");            /* in the order asked for */
    shows("3", -ENOENT, "");
    shows("1 c:third", -ENOENT, "");
    made_close(&g);
}

static void test_refused(void **unused)
{
    struct err err;

    (void)unused;
    helps(cmd_show, "usage: leakgraph show DIR ID ", "a");
    refuses(cmd_show, "", "a folder and one or two documents are needed");
    refuses(cmd_show, "dir", "a folder and one or two documents are needed");
    refuses(cmd_show, "dir 1 2 3", "a folder and one or two documents are needed");
    refuses(cmd_show, "dir --color 1", "show: unknown option --color");
    assert_int_equal(command_call(cmd_show, "/no/such 1", NULL, &err), -ENOENT);
    assert_non_null(strstr(err.text, "/no/such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/show", tests, NULL, NULL);
}
