/* tests/unit/code/lexer_python.c -- which strings follow INDENT or NEWLINE: every triple-quoted string below that
 * stands first on its line is asked about, in order; those that are docstrings say so. */
#include "tokens.h"

static void ask(const char *text)
{
    struct slice        slice = padded(text);
    struct python_lines lines = { .fresh = true, .newline = true };
    size_t              asked = 0;

    for (const char *hit = strstr(text, "\"\"\""); hit; hit = strstr(hit, "\"\"\"")) {
        size_t at = (size_t)(hit - text);
        bool   says = strncmp(hit + 3, "yes", 3) == 0;

        if (!says && strncmp(hit + 3, "no", 2) != 0) fail_msg("`%s` says nothing at %zu", text, at);
        if (python_docstring(&lines, slice.at, at, slice.len) != says) fail_msg("at %zu of `%s`", at, text);
        hit = strstr(hit + 3, "\"\"\"") + 3;
        asked++;
    }
    assert_true(asked > 0);
}

static void first_of_a_block(void **unused)
{
    (void)unused;
    ask("\"\"\"yes\"\"\"\n");
    ask("def f():\n    \"\"\"yes\"\"\"\n    return\n");
    ask("def f():\n\t\"\"\"yes\"\"\"\n");
    ask("class A:\n  \"\"\"yes\"\"\"\n  def f():\n    \"\"\"yes\"\"\"\n");
    ask("a = 1\n\"\"\"yes\"\"\"\n");                         /* a NEWLINE comes before it */
    ask("def f():\r\n  \"\"\"yes\"\"\"\r\n");
}

/* The NL of a line without code comes between; after an INDENT, and where no code is yet, it does not matter. */
static void after_lines_without_code(void **unused)
{
    (void)unused;
    ask("a = 1\n\n\"\"\"no\"\"\"\n");
    ask("a = 1\n# c\n\"\"\"no\"\"\"\n");
    ask("def f():\n\n    # c\n    \"\"\"yes\"\"\"\n");
    ask("\n# c\n\"\"\"yes\"\"\"\n\n\"\"\"no\"\"\"\n");        /* nothing but comments before it */
}

static void inside_a_logical_line(void **unused)
{
    (void)unused;
    ask("f(a,\n\"\"\"no\"\"\")\n");
    ask("f(')',\n\"\"\"no\"\"\")\n");
    ask("f([1,\n2],\n\"\"\"no\"\"\")\n");
    ask("f() # (\n\"\"\"yes\"\"\"\n");
    ask("a = \\\n\"\"\"no\"\"\"\n");
    ask("a = \\\r\n\"\"\"no\"\"\"\n");
    ask("a = '''\n(\n'''\n\"\"\"yes\"\"\"\n");
    ask("f(\n)\n\"\"\"yes\"\"\"\n");
}

/* Where a block ends, DEDENT comes before the string. */
static void after_a_block(void **unused)
{
    (void)unused;
    ask("def f():\n    a\n\"\"\"no\"\"\"\n");
    ask("def f():\n    a\n    \"\"\"yes\"\"\"\n");
    ask("if a:\n  \tb\n        \"\"\"yes\"\"\"\n");          /* a tab reaches to column 8 */
    ask("if a:\n     b\n   \f     \"\"\"yes\"\"\"\n");       /* a form feed begins at column 0 */
}

/* What one question has read, the next does not read again: the answers are those of questions asked alone. */
static void questions_build_on_each_other(void **unused)
{
    (void)unused;
    ask("\"\"\"yes\"\"\"\nclass A:\n  \"\"\"yes\"\"\"\n  x = (\n  \"\"\"no\"\"\"\n  )\n  \"\"\"yes\"\"\"\n\n"
        "  \"\"\"no\"\"\"\n  def f():\n    \"\"\"yes\"\"\"\n    return \\\n    \"\"\"no\"\"\"\nb\n\"\"\"yes\"\"\"\n");
}

/* What the tokens before the last string tell of it. */
static int told(const char *text)
{
    struct slice slice = padded(text);
    struct lexer lexer = { 0 };
    struct err   err;
    size_t       at = (size_t)(strstr(text, "\"\"\"") - text);
    int          says;

    if (!kernels) kernels = &kernels_scalar;
    assert_int_equal(lexer_run(&lexer, row_of("python"), (struct slice){ slice.at, at }, LEX_ALL, &err), 0);
    says = python_docstring_told(slice.at, 0, lexer.token, lexer.count,
                                 lexer.count ? lexer.token[lexer.count - 1].at + lexer.token[lexer.count - 1].len : 0,
                                 at, 0);
    lexer_free(&lexer);
    return says;
}

static void told_by_tokens(void **unused)
{
    (void)unused;
    assert_int_equal(told("a\ndef f(b):\n    \"\"\"x\"\"\""), 1);
    assert_int_equal(told("a\nf(1)\n\"\"\"x\"\"\""), 1);
    assert_int_equal(told("a\nf(1,\n  2)\n\"\"\"x\"\"\""), 1);                  /* the line began before its brackets */
    assert_int_equal(told("a\nf(1)\n\n\"\"\"x\"\"\""), 0);
    assert_int_equal(told("a\n  b\n\"\"\"x\"\"\""), 0);
    assert_int_equal(told("\"\"\"x\"\"\""), -1);                              /* nothing stands before it */
    assert_int_equal(told("def f(b):\n    \"\"\"x\"\"\""), -1);               /* nor before its line */
    assert_int_equal(told("a\nb = \\\n\"\"\"x\"\"\""), -1);
    assert_int_equal(told("a\nb # c\n\"\"\"x\"\"\""), -1);                 /* not read past yet: no operators */
    assert_int_equal(told("a\n\tb\n    \"\"\"x\"\"\""), -1);                  /* columns that take reading */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_of_a_block), cmocka_unit_test(after_lines_without_code),
        cmocka_unit_test(inside_a_logical_line), cmocka_unit_test(after_a_block),
        cmocka_unit_test(questions_build_on_each_other), cmocka_unit_test(told_by_tokens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
