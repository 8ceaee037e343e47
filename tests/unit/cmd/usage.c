/* tests/unit/cmd/usage.c -- a command's help, taken apart. */
#include "cmd/usage.h"
#include "tests/unit/folder.h"

#include <string.h>

static const char help[] =
    "usage: leakgraph made DIR [--to FILE]...     what it makes\n"
    "       leakgraph made [A]...\n"
    "                      [--json]\n"
    "Two lines.  Of\n"
    "one paragraph:\n"
    "  name       of what it is; here\n"
    "             and there\n"
    "               apart\n"
    "  loose line\n"
    "Another.\n"
    "  --to FILE, --as a|b, -v   where.  Then\n"
    "                            how\n"
    "  --a-very-long-one [DATASET.]NAME=FIELD\n"
    "                            what\n"
    "  -1 or 0    no option\n"
    "\n"
    "On hosts:\n"
    "  mpirun leakgraph\n"
    "    --more\n"
    "\n"
    "Example: how much?\n"
    "  leakgraph made     # here\n"
    "\n"
    "  leakgraph made .\n"
    "Environment:\n"
    "  X  it\n";

static void test_parts(void **unused)
{
    static const struct { enum usage_kind kind; const char *term, *text; } parts[] = {
        { USAGE_CALL, "leakgraph made DIR [--to FILE]...", "what it makes" },
        { USAGE_CALL, "leakgraph made [A]... [--json]", "" },
        { USAGE_TEXT, "", "Two lines.  Of one paragraph:" },
        { USAGE_ROW, "name", "of what it is; here and there\napart" },
        { USAGE_TEXT, "", "loose line" },
        { USAGE_TEXT, "", "Another." },
        { USAGE_ROW, "--to FILE, --as a|b, -v", "where.  Then how" },
        { USAGE_ROW, "--a-very-long-one [DATASET.]NAME=FIELD", "what" },
        { USAGE_ROW, "-1 or 0", "no option" },
        { USAGE_TEXT, "", "On hosts:" },
        { USAGE_LINES, "", "mpirun leakgraph\n  --more" },
        { USAGE_HEAD, "Examples", "" },
        { USAGE_TEXT, "", "how much?" },
        { USAGE_LINES, "", "leakgraph made     # here" },
        { USAGE_LINES, "", "leakgraph made ." },
        { USAGE_HEAD, "Environment", "" },
        { USAGE_ROW, "X", "it" },
    };
    struct usage usage;

    (void)unused;
    assert_int_equal(usage_read(&usage, SLICE(help)), 0);
    for (size_t i = 0; i < usage.count && i < sizeof parts / sizeof *parts; i++) {
        const struct usage_part *part = &usage.part[i];

        assert_int_equal(part->kind, parts[i].kind);
        assert_string_equal(part->term.at ? part->term.at : "", parts[i].term);
        assert_string_equal(part->text.at ? part->text.at : "", parts[i].text);
    }
    assert_int_equal(usage.count, sizeof parts / sizeof *parts);
    usage_free(&usage);
    assert_int_equal(usage_read(&usage, SLICE("")), 0);
    assert_int_equal(usage.count, 0);
    usage_free(&usage);
}

static void test_options(void **unused)
{
    static const char *const said[] = { "--to", "FILE", "--as", "a|b", "-v", "", "--a-very-long-one",
                                        "[DATASET.]NAME=FIELD" };
    struct usage        usage;
    struct usage_option option;
    size_t              count = 0;

    (void)unused;
    assert_int_equal(usage_read(&usage, SLICE(help)), 0);
    for (size_t i = 0; i < usage.count; i++)
        for (size_t at = 0; usage_option_next(&usage.part[i], &at, &option); count += 2) {
            assert_true(count < sizeof said / sizeof *said);
            assert_true(slice_equal(option.name, slice_of(said[count])));
            assert_true(slice_equal(option.value, slice_of(said[count + 1])));
        }
    assert_int_equal(count, sizeof said / sizeof *said);
    usage_free(&usage);
}

static void test_column(void **unused)
{
    size_t next;

    (void)unused;
    assert_int_equal(usage_column(SLICE("off  what"), &next), 3);
    assert_int_equal(next, 5);
    assert_int_equal(usage_column(SLICE("one sentence.  Two"), &next), 18);
    assert_int_equal(next, 18);
}

static int prints(int argc, char **argv, struct err *err)
{
    (void)err;
    printf("%s %d %s\n", argv[0], argc, argv[1]);
    return 0;
}

static int refuses(int argc, char **argv, struct err *err)
{
    (void)argc;
    (void)argv;
    return err_set(err, -EINVAL, "not now");
}

/* What the command prints is caught, and what is printed before and after goes where it did. */
static void test_print(void **unused)
{
    const struct command made = { "made", prints, "" }, word = { "word", prints, "" }, bad = { "bad", refuses, "" };
    struct bytes         text = { 0 };
    struct err           err = { 0 };

    (void)unused;
    assert_int_equal(usage_print(&made, NULL, &text, &err), 0);
    assert_int_equal(usage_print(&made, &word, &text, &err), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, "made 2 --help\nword 2 --help\n");
    assert_int_equal(usage_print(&bad, NULL, &text, &err), -EINVAL);
    assert_true(strncmp(err.text, "the help of bad cannot be read", 30) == 0);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_options), cmocka_unit_test(test_column),
        cmocka_unit_test(test_print),
    };

    return cmocka_run_group_tests_name("cmd/usage", tests, NULL, NULL);
}
