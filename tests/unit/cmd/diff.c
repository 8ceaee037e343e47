/* tests/unit/cmd/diff.c -- a run with itself and with another; the gate; refusals. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/finished.h"

static void test_said(void **unused)
{
    struct made_graph a, b;
    char              line[200];

    (void)unused;
    finished_open(&a);
    finished_open(&b);
    made_run(&a, "DELETE FROM edges");
    snprintf(line, sizeof line, "%s %s/graph.db", a.folder, a.folder);
    gives(cmd_diff, line, 0, "Nothing changed.");
    snprintf(line, sizeof line, "%s %s --fail-on new-leaks=0", a.folder, a.folder);     /* of what nobody looked for */
    gives(cmd_diff, line, 3, "Items of b were not compared: neither run looked for pairs.\n\nNothing changed.");
    made_run(&a, "INSERT INTO run VALUES ('near.view', 'identifiers')");
    made_run(&b, "INSERT INTO run VALUES ('near.view', 'identifiers')");
    snprintf(line, sizeof line, "%s %s --fail-on new-leaks=0", a.folder, a.folder);
    gives(cmd_diff, line, 0, "Nothing changed.");
    snprintf(line, sizeof line, "%s %s", a.folder, b.folder);
    gives(cmd_diff, line, 0, "b in c: 1 newly leaked.");
    gives(cmd_diff, line, 0, "c/t:7 p\\\\x1b.c");           /* what a path holds is shown, never obeyed */
    snprintf(line, sizeof line, "%s --fail-on new-leaks=1 %s", a.folder, b.folder);
    gives(cmd_diff, line, 0, "1 newly leaked");
    snprintf(line, sizeof line, "%s --fail-on new-leaks=0 %s", a.folder, b.folder);
    gives(cmd_diff, line, 3, "1 newly leaked");
    snprintf(line, sizeof line, "--json %s %s", a.folder, b.folder);
    gives(cmd_diff, line, 0, "\"new_leaks\":\t1");
    made_run(&b, "UPDATE datasets SET id = 'other' WHERE id = 'b'");
    snprintf(line, sizeof line, "%s --fail-on new-leaks=9 %s", a.folder, b.folder);
    gives(cmd_diff, line, 3, "Items of b were not compared");           /* nobody knows */
    made_run(&b, "PRAGMA user_version = 3");
    gives(cmd_diff, line, -EBADMSG, "");
    made_close(&a);
    made_close(&b);
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_diff, "usage: leakgraph diff OLD NEW", "a b");
    refuses(cmd_diff, "", "diff: two folders of runs are needed");
    refuses(cmd_diff, "a", "diff: two folders of runs are needed");
    refuses(cmd_diff, "a b c", "diff: two runs are compared; `c` is a third");
    refuses(cmd_diff, "a b --nonsense", "diff: unknown option --nonsense");
    refuses(cmd_diff, "a b --fail-on", "diff: --fail-on takes new-leaks=N, a number of items, not ``");
    refuses(cmd_diff, "a b --fail-on 3", "not `3`");
    refuses(cmd_diff, "a b --fail-on new-leaks=", "not `new-leaks=`");
    refuses(cmd_diff, "a b --fail-on new-leaks=3x", "not `new-leaks=3x`");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_said), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/diff", tests, NULL, NULL);
}
