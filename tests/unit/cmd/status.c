/* cmd/status: what it is asked, and with which status it ends; what it finds is tested beside status_find. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/status_folder.h"

static void test_ends(void **unused)
{
    struct status_folder f;
    struct status_record r;
    struct err           err;
    char                 line[128];

    (void)unused;
    status_folder_open(&f);
    gives(cmd_status, f.dir, 0, ": died: there is no graph.db");
    r = status_example();
    r.state = STATUS_ENDED;
    r.exit_status = 3;
    status_folder_put(&f, r);
    gives(cmd_status, f.dir, 0, ": ended with exit status 3 at ");
    snprintf(line, sizeof line, "--json %s", f.dir);
    gives(cmd_status, line, 0, "{\"status_version\": 1, ");
    snprintf(line, sizeof line, "--watch %s", f.dir);
    gives(cmd_status, line, 3, ": ended with exit status 3 at ");
    r.exit_status = 77;                                         /* no status of ours */
    r.sequence++;
    status_folder_put(&f, r);
    snprintf(line, sizeof line, "%s --watch 0.5", f.dir);
    gives(cmd_status, line, 1, ": ended");
    r.state = STATUS_RUNNING;
    r.born++;
    r.sequence++;
    status_folder_put(&f, r);
    gives(cmd_status, line, 1, ": died, last heard of at ");
    assert_int_equal(command_call(cmd_status, "/nowhere/at/all", NULL, &err), -ENOENT);
    status_folder_close(&f);
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_status, "usage: leakgraph status DIR", "a");
    refuses(cmd_status, "", "status: one folder is needed");
    refuses(cmd_status, "a b", "status: one folder is needed");
    refuses(cmd_status, "a --fix", "status: unknown option --fix");
    refuses(cmd_status, "a --watch 0", "status: --watch takes seconds from 0.1 to 86400, not `0`");
    refuses(cmd_status, "a --watch nan", "status: --watch takes seconds");
    refuses(cmd_status, "a --watch b", "status: one folder is needed");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ends), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/status", tests, NULL, NULL);
}
