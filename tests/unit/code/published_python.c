/* tests/unit/code/published_python.c -- the published Python tokenizer: what the first pass blanks out, what makes
 * either pass fail, and that neither looks past the text's end. */
#include "tokens.h"

#include <sys/mman.h>
#include <unistd.h>

static void gives(const char *text, const char *tokens)
{
    const char *got = tokens_of("python", text, strlen(text), LEX_ALL | LEX_PUBLISHED);

    if (strcmp(got, tokens) != 0) fail_msg("`%s` gives `%s`, not `%s`", text, got, tokens);
}

static void comments_and_docstrings(void **unused)
{
    (void)unused;
    gives("a # b\n# c\nd", "n:a n:d");
    gives("def f():\n  '''a'''\n  b = 'c'\n", "n:def n:f o:( o:) o:: n:b o:= s:'c'");
    gives("x = [\n'a',\n 'b']", "n:x o:= o:[ o:, s:'b' o:]");       /* every string at column 0 */
    gives("a\n'b'\n", "n:a");
    gives("if a:\n  b\n\n  'c'\n", "n:if n:a o:: n:b s:'c'");       /* an empty line's NL stands before it */
    gives("x = rb'a' + F\"b\"", "n:x o:= p:rb'a' o:+ p:F\"b\"");
    gives("x = bu'a'", "n:x o:= n:bu s:'a'");
}

static void what_fails(void **unused)
{
    static const char *const dropped[] = {
        "x = (1\n", "x = 1)\ny", "x = '''a", "if a:\n    b\n  c\n", "x \\\n", "x = 'a\\\n",
        "def f():\n\tx\n\ty\n",                             /* the tab becomes one blank of the second pass, once */
    };

    (void)unused;
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) gives(dropped[i], "dropped");
    gives("x = {(1)}", "n:x o:= o:{ o:( d:1 o:) o:}");
    gives("if a:\n    b\nc\n", "n:if n:a o:: n:b n:c");
    gives("x = 'a\\\nb'", "n:x o:= s:'a\\\nb'");
    gives("x = 1 \\\n + 2", "n:x o:= d:1 o:+ d:2");
}

/* Characters that begin no token are errors of their own, and so is each blank before them. */
static void errors_are_strays(void **unused)
{
    (void)unused;
    gives("a $ b", "n:a x:  x:$ n:b");
    gives("a  ?b", "n:a x:  x:  x:? n:b");
    gives("x='a", "n:x o:= x:' n:a");
    gives("a != b ! c", "n:a o:!= n:b x:  x:! n:c");
    gives("a\xE2\x82\xAC", "n:a x:\xE2\x82\xAC");
    gives("caf\xC3\xA9", "n:caf\xC3\xA9");
}

static void only_what_is_wanted(void **unused)
{
    static const char text[] = "a = 1 + 'b' $ f'c'";

    (void)unused;
    assert_string_equal(tokens_of("python", text, sizeof text - 1, LEX_NAMES | LEX_PUBLISHED), "n:a p:f'c'");
    assert_string_equal(tokens_of("python", text, sizeof text - 1, LEX_LITERALS | LEX_PUBLISHED),
                        "n:a d:1 s:'b' p:f'c'");
    assert_string_equal(tokens_of("python", "", 0, LEX_ALL | LEX_PUBLISHED), "");
}

/* Indentation of 1,023 levels is followed; one more drops the text. */
static void deepest_indentation(void **unused)
{
    enum { LEVELS = 1024, ROOM = LEVELS * (LEVELS + 4) };
    static char  text[ROOM + 64];
    struct lexer lexer = { 0 };
    struct err   err = { 0 };

    (void)unused;
    for (size_t levels = LEVELS - 1; levels <= LEVELS; levels++) {
        size_t len = 0;

        for (size_t level = 0; level <= levels && len < ROOM; level++) {
            memset(text + len, ' ', level);
            memcpy(text + len + level, "a\n", 2);
            len += level + 2;
        }
        assert_int_equal(lexer_run(&lexer, row_of("python"), (struct slice){ text, len }, LEX_PUBLISHED, &err), 0);
        assert_int_equal(lexer.dropped, levels == LEVELS);
        assert_int_equal(lexer.count, levels == LEVELS ? 0 : LEVELS);
    }
    lexer_free(&lexer);
}

/* What follows the text has no part in it: a line end there continues no line. */
static void nothing_after_the_text_counts(void **unused)
{
    static const char *const texts[] = { "a \\\r", "a \\", "a !", "a = '", "a \\\r\n", "1.", "'''", "a = ''", "\r" };
    char                     room[64 + 64], alone[256];

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t       len = strlen(texts[i]);
        struct lexer lexer = { 0 };
        struct err   err = { 0 };

        snprintf(alone, sizeof alone, "%s", tokens_of("python", texts[i], len, LEX_ALL | LEX_PUBLISHED));
        for (const char *after = "\n='\\"; *after; after++) {
            memset(room, *after, sizeof room);
            memcpy(room, texts[i], len);
            assert_int_equal(published_python(&lexer, row_of("python"), (struct slice){ room, len }, LEX_ALL, &err), 0);
            if (lexer.dropped != (strcmp(alone, "dropped") == 0)) fail_msg("`%s` before %d", texts[i], *after);
            lexer.count = 0;
            lexer.dropped = false;
        }
        lexer_free(&lexer);
    }
    gives("a \\\r", "n:a x:  x:\\");
}

/* The last byte of the text is the last one of its memory. */
static void the_text_may_end_where_memory_does(void **unused)
{
    static const char whole[] = "if a:\n  \"\"\"b\"\"\"\n  c = 'd\\\r\ne' "
        "!= 1.5e-3 \\\r\n + $[f'g', '''h''']\n\xC3\xA9\\\r";
    size_t            page = (size_t)sysconf(_SC_PAGESIZE);
    char             *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct lexer      lexer = { 0 };
    struct err        err = { 0 };

    (void)unused;
    assert_true(at != MAP_FAILED);
    assert_int_equal(mprotect(at + page, page, PROT_NONE), 0);
    for (size_t from = 0; from < sizeof whole; from++)
        for (size_t len = 0; from + len < sizeof whole; len++) {
            memcpy(at + page - len, whole + from, len);
            assert_int_equal(published_python(&lexer, row_of("python"), (struct slice){ at + page - len, len }, LEX_ALL,
                                              &err), 0);
            lexer.count = 0;
            assert_int_equal(published_python_comments(&lexer, row_of("python"),
                                                       (struct slice){ at + page - len, len }, &err), 0);
            lexer.count = 0;
        }
    lexer_free(&lexer);
    munmap(at, 2 * page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_docstrings), cmocka_unit_test(what_fails), cmocka_unit_test(errors_are_strays),
        cmocka_unit_test(only_what_is_wanted), cmocka_unit_test(deepest_indentation),
        cmocka_unit_test(nothing_after_the_text_counts), cmocka_unit_test(the_text_may_end_where_memory_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
