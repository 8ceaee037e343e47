/* tests/unit/cmd/compare.c -- the command line: what is refused, and what becomes of files. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/compared.h"

static struct made_graph g;

static void file_make(const char *name, const char *text)
{
    char  path[160];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", g.folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* % is the run's folder. */
static void line_make(const char *line, char *whole, size_t room)
{
    size_t at = 0;

    for (; *line; line++) {
        assert_true(at + sizeof g.folder < room);
        if (*line != '%') whole[at++] = *line;
        else at += (size_t)snprintf(whole + at, room - at, "%s", g.folder);
    }
    whole[at] = '\0';
}

static void compares(const char *line, const char *says)
{
    char whole[1024];

    line_make(line, whole, sizeof whole);
    gives(cmd_compare, whole, 0, says);
}

static void refused(const char *line, const char *says)
{
    char whole[1024];

    line_make(line, whole, sizeof whole);
    refuses(cmd_compare, whole, says);
}

static int set_up(void **unused)
{
    (void)unused;
    compared_open(&g);
    file_make("x", "{\"id\": \"a\", \"x\": 1}\n{\"id\": \"c\", \"x\": 2}\n");
    file_make("none", "{\"id\": \"y\"}\n{\"id\": \"z\"}\n");
    file_make("list", "[\"p\", \"q\", \"r\", \"s\"]");
    file_make("references", "[\"p\", \"other\", \"r\", \"s\"]");
    file_make("a=b", "[\"s\"]");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    made_close(&g);
    return 0;
}

static void test_answers(void **unused)
{
    (void)unused;
    compares("% --benchmark b %/x", "2 of 4 items of b leaked (rule: leaked)");
    compares("% --benchmark b org/m@7=%/x --csv", "model,seed,dup,non_dup,full\norg/m,7,2,1,1.5\n");
    compares("% --benchmark b --split test %/x --leaked near", "1 of 2 items of b, split test leaked (rule: near)");
    compares("% --benchmark b %/list --references %/references --metric exact --csv",
             "model,seed,dup,non_dup,full\n,,100,50,75\n");
    compares("% --benchmark b --split test %/a=b --references %/references --metric edit --csv",
             "non_dup,full\n,,0,,0\n");
    compares("% --benchmark b %/x --json --draws 100 --seed 9", "\"metric\":\t\"x\"");
    compares("% --benchmark b m@1=%/x m@2=%/x --csv", "m,1,2,1,1.5\nm,2,2,1,1.5\n");
    compares("% --benchmark b %/x --tables", "nothing to set beside each other");
}

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_compare, "usage: leakgraph compare RUN --benchmark NAME", "run");
    refused("", "compare: the folder of a run, --benchmark NAME and files of scores are needed");
    refused("% --benchmark b", "files of scores are needed");
    refused("% %/x", "--benchmark NAME");
    refused("% --benchmark", "--benchmark needs a value");
    refused("% --benchmark b %/x --nothing y", "unknown option --nothing");
    refused("% --benchmark b %/x --draws 5", "--draws takes a number from 100 to 10000000, not `5`");
    refused("% --benchmark b %/x --seed -1", "--seed takes a number");
    refused("% --benchmark b %/x --words some", "--words takes prose or space, not `some`");
    refused("% --benchmark b %/x --json --csv", "one at a time");
    refused("% --benchmark b =%/x", "is no [MODEL[@SEED]=]FILE");
    refused("% --benchmark b m=", "is no [MODEL[@SEED]=]FILE");
    refused("% --benchmark b %/x m=%/x %/./x", "/./x is there twice: its rows would be twice as many tries");
    refused("% --benchmark b m@1=%/x m@1=%/x", "is there twice");
    refused("% --benchmark n %/x", "has no benchmark `n`; it has b, o");
    refused("% --benchmark b %/x --metric bleu", "metric `bleu`: the files have columns x;");
    refused("% --benchmark b %/list --references %/none", "none of its 2 rows is of an item of b");
    refused("% --benchmark o %/x", "x: none of its rows is of an item of o: its ids are like `y`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("cmd/compare", tests, NULL, NULL);
}
