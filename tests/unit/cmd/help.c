/* tests/unit/cmd/help.c -- the list of commands, here of two made ones: the real table is the program's alone. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static int made_run(int argc, char **argv, struct err *err)
{
    (void)err;
    if (argc != 2 || strcmp(argv[1], "--help") != 0) return 5;
    printf("usage: leakgraph made-up [FILE]...\n\nMakes `it` up.\n\nOptions:\n"
           "  --to DIR, --now      where to; at once\n  --as plain|rich      how\n\nExample:\n"
           "  leakgraph made-up --to .\n");
    return 0;
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
    gives(cmd_help, "", 0, "\n  made-up      is made\n  help         this\n");
    gives(cmd_help, "", 0, "\nFiles:\n");
    helps(cmd_help, "usage: leakgraph help [COMMAND]\n", "");
    gives(cmd_help, "help", 0, "usage: leakgraph help [COMMAND]\n");
    refuses(cmd_help, "--nonsense", "help does not know `--nonsense`");
}

static void test_topics(void **unused)
{
    (void)unused;
    gives(cmd_help, "made-up", 0, "usage: leakgraph made-up [FILE]...\n");
    gives(cmd_help, "config", 0, "near_duplicates");
    gives(cmd_help, "config near_duplicates.view", 0, "  view  ");
    gives(cmd_help, "graph", 0, "snippets");
    gives(cmd_help, "graph edges", 0, "\n## edges\n");
    gives(cmd_help, "--man", 0, "leakgraph-made-up.1\nleakgraph-help.1\n");
    gives(cmd_help, "--man leakgraph-made-up.1", 0, ".SH NAME\nleakgraph\\-made\\-up \\- is made\n");
    gives(cmd_help, "--completion bash", 0, "complete -F _leakgraph leakgraph\n");
    refuses(cmd_help, "config near_duplicate", "did you mean `near_duplicates`?");
    refuses(cmd_help, "graph edge", "graph.db has no table or view `edge`; did you mean `edges`?");
    refuses(cmd_help, "--man leakgraph-make-up.1", "did you mean `leakgraph-made-up.1`?");
    refuses(cmd_help, "--completion", "takes the name of a shell");
    refuses(cmd_help, "--completion tcsh", "no completion for the shell `tcsh`");
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
