/* tests/unit/cmd/report.c -- both files are written anew, also over those that are there; refusals. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/finished.h"

static void test_written(void **unused)
{
    struct made_graph g;
    struct bytes      text = { 0 };
    char              path[100], says[200];

    (void)unused;
    finished_open(&g);
    snprintf(path, sizeof path, "%s/report.md", g.folder);
    write_file(path, "old", 3);
    snprintf(says, sizeof says, "%s/report.md\n%s/report.json\n", g.folder, g.folder);
    gives(cmd_report, g.folder, 0, says);
    read_file(path, &text);
    assert_non_null(strstr(text.at, "# What these datasets share\n"));
    snprintf(path, sizeof path, "%s/report.json", g.folder);
    read_file(path, &text);
    assert_non_null(strstr(text.at, "\"What these datasets share\""));
    bytes_free(&text);

    unlink(g.path);
    snprintf(path, sizeof path, "%s/work", g.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    gives(cmd_report, g.folder, -ENOENT, "");               /* not finished */
    made_close(&g);
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_report, "usage: leakgraph report DIR\n", "a b");
    refuses(cmd_report, "", "report: one folder is needed");
    refuses(cmd_report, "a b", "report: one folder is needed");
    refuses(cmd_report, "--json a", "report: unknown option --json");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_written), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/report", tests, NULL, NULL);
}
