/* tests/unit/cmd/help.c -- the list of commands, here of two made ones: the real table is the program's alone. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static int made_run(int argc, char **argv, struct err *err)
{
    (void)err;
    printf("made was called with %d: %s\n", argc, argc > 1 ? argv[1] : "");
    return 5;
}

const struct command *command_at(size_t i)
{
    static const struct command commands[] = { { "made-up", made_run, "is made" }, { "help", cmd_help, "this" } };

    return i < 2 ? &commands[i] : NULL;
}

static void test_list(void **unused)
{
    (void)unused;
    gives(cmd_help, "", 0, "usage: leakgraph COMMAND");
    gives(cmd_help, "", 0, "\n  made-up     is made\n  help        this\n");
    gives(cmd_help, "--help", 0, "  made-up ");
    gives(cmd_help, "help", 0, "  made-up ");               /* not forever */
}

static void test_topics(void **unused)
{
    (void)unused;
    gives(cmd_help, "made-up", 5, "made was called with 2: --help\n");
    gives(cmd_help, "config", 0, "near_duplicates");
    gives(cmd_help, "graph", 0, "snippets");
    refuses(cmd_help, "a b", "help takes one command");
    refuses(cmd_help, "mad-up", "`mad-up` is no leakgraph command; did you mean `made-up`?");
    refuses(cmd_help, "zzzzzzzz", "`zzzzzzzz` is no leakgraph command; `leakgraph help` lists them");
}

static void test_unknown(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    assert_int_equal(command_unknown("halp", &err), -EINVAL);
    assert_string_equal(err.text, "`halp` is no leakgraph command; did you mean `help`?; `leakgraph help` lists them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list), cmocka_unit_test(test_topics), cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests_name("cmd/help", tests, NULL, NULL);
}
