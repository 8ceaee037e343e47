/* tests/unit/cmd/fsck.c -- a sound folder, and one fault after the other in it. */
#include "base/stage.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/made_graph.h"

static void put(const struct made_graph *g, const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    write_file(path, text, strlen(text));
}

static void test_folder(void **unused)
{
    struct made_graph g;
    struct err        err;
    char              path[128];

    (void)unused;
    made_open(&g, "");
    put(&g, "report.json", "{\"a\": [1]}\n");
    gives(cmd_fsck, g.folder, 0, "ok    report.json: 1 check\n");
    snprintf(path, sizeof path, "%s --verbose", g.folder);
    gives(cmd_fsck, path, 0, "ok    report.json is JSON\n");
    gives(cmd_fsck, g.folder, 0, "ok    no units: there is no work/\n");
    put(&g, "report.json", "{\"a\": [1}\n");
    gives(cmd_fsck, g.folder, 1, "not JSON at byte 8\n");
    put(&g, "report.json", "{}\n");
    snprintf(path, sizeof path, "%s/work", g.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    put(&g, "work/other", "not looked at");
    gives(cmd_fsck, g.folder, 0, "ok    work/: 0 units\n");
    put(&g, "work/x.unit", "no unit");
    gives(cmd_fsck, g.folder, 1, "FAIL  units: ");
    snprintf(path, sizeof path, "%s/work/x.unit", g.folder);
    unlink(path);
    made_run(&g, "INSERT INTO clusters VALUES ('near', 1, 1)");
    gives(cmd_fsck, g.folder, 1, "FAIL  ");                 /* of a document that is not there */
    unlink(g.path);
    gives(cmd_fsck, g.folder, 1, "FAIL  graph.db is there: ");
    snprintf(path, sizeof path, "%s/work/other", g.folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/work", g.folder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(command_call(cmd_fsck, g.folder, NULL, &err), -ENOENT);
    assert_non_null(strstr(err.text, "is no folder of a run: it has neither graph.db nor work/"));
    made_close(&g);
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_fsck, "usage: leakgraph fsck DIR\n", "a");
    refuses(cmd_fsck, "", "fsck: one folder is needed");
    refuses(cmd_fsck, "a b", "fsck: one folder is needed");
    refuses(cmd_fsck, "--fix a", "fsck: unknown option --fix");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_folder), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/fsck", tests, NULL, NULL);
}
