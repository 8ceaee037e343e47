/* tests/unit/cmd/extract.c -- functions of one file on standard output; refusals. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static const char source[] = "def f():\n    return 1\n";

static void test_written(void **unused)
{
    char folder[] = "/tmp/leakgraph-unit-XXXXXX", path[100], line[200];

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.py", folder);
    write_file(path, source, sizeof source - 1);
    snprintf(line, sizeof line, "--quiet %s", path);
    gives(cmd_extract, line, 0,
          "{\"id\": \"a.py#f@1\", \"text\": \"def f():\\n    return 1\", \"name\": \"f\", "
          "\"signature\": \"def f():\", \"path\": \"a.py\", \"language\": \"python\", \"line\": 1, \"line_end\": 2, "
          "\"byte\": 0, \"byte_end\": 21, \"body_byte\": 8, \"complexity\": 1, \"body_lines\": 1, \"comments\": 0, "
          "\"comment_lines\": 0}\n");
    snprintf(line, sizeof line, "--quiet --min-lines 3 %s", path);
    gives(cmd_extract, line, 0, "");
    unlink(path);
    rmdir(folder);
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_extract, "usage: leakgraph extract [--unit function|file] [...] FILE...\n", "");
    refuses(cmd_extract, "", "extract: which files?");
    refuses(cmd_extract, "--unit a b", "extract: --unit takes function or file, not `a`");
    refuses(cmd_extract, "--field a.text=b c", "extract: --field takes NAME=FIELD here");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_written), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/extract", tests, NULL, NULL);
}
