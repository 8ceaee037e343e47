/* tests/unit/code/lexer_shell.c -- what $ begins in the shell, and which ) ends a pattern of `case`. */
#include "tokens.h"

static void tokens_are(const char *text, const char *tokens)
{
    const char *got = tokens_of("shell", text, strlen(text), LEX_ALL);

    if (strcmp(got, tokens) != 0) fail_msg("%s\nexpected %s\ngot      %s", text, tokens, got);
}

static void dollars(void **unused)
{
    (void)unused;
    tokens_are("$a $1 $", "o:$ n:a o:$ d:1 o:$");
    tokens_are("$'a\\'b' c", "s:$'a\\'b' n:c");
    tokens_are("$\"a$b\" c", "s:$\"a$ n:b s:\" n:c");
    tokens_are("\\$'a'", "o:\\ o:$ s:'a'");
    tokens_are("${a:-b $c} d", "s:${ n:a s::-b $ n:c s:} n:d");
    tokens_are("${#a} ${!b} ${1} ${@}", "s:${# n:a s:} s:${! n:b s:} s:${1} s:${@}");
    tokens_are("${a[b+1]} c", "s:${ n:a s:[ n:b o:+ d:1 s:]} n:c");
    tokens_are("\"${a#\"b}\"}c\" d", "s:\"${ n:a s:#\"b}\"}c\" n:d");
    tokens_are("${a%'b}'} c", "s:${ n:a s:%'b}'} n:c");
    tokens_are("\"${a:-it's} ${a[b]:c:${d}}\" 'e'",
               "s:\"${ n:a s::-it's} ${ n:a s:[ n:b s:]: n:c o:: s:${ n:d s:} s:}\" s:'e'");
    tokens_are("\"$a\xE2\x80\xA6 $\xC3\xA9\" b", "s:\"$ n:a s:\xE2\x80\xA6 $\xC3\xA9\" n:b");
    tokens_are("${a", "s:${ n:a");
    tokens_are("$1_a ${1}_a $12 2a", "o:$ d:1 n:_a s:${1} n:_a o:$ d:1 d:2 d:2a");
}

static void code_in_strings(void **unused)
{
    (void)unused;
    tokens_are("\"$(a \"b\" $((c)))d\" e", "s:\"$( n:a s:\"b\" o:$ o:( o:( n:c o:) o:) s:)d\" n:e");
    tokens_are("\"`a 'b' (`c\" d", "s:\"` n:a s:'b' o:( s:`c\" n:d");
    tokens_are("\"$(a\nb", "s:\"$( n:a n:b");
}

static void patterns(void **unused)
{
    static const struct { const char *text; bool pattern; } cases[] = {
        { "case $a in b)", true }, { "case $a in\n b|c)", true }, { "d;; b)", true }, { "d;;\n b)", true },
        { "d ;; # e\n b)", false },                        /* no comment has been noted here */
        { "a; b)", false }, { "(b)", false }, { "a\n b)", false }, { "indent)", false }, { ";; esac)", false },
        { ";;\n esac 2>/dev/null)", false }, { ";;\n esacs)", true },
        { ")", false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice text = padded(cases[i].text);
        struct scan  scan = scan_of("shell", text);

        if (shell_pattern(&scan, text.len - 1) != cases[i].pattern) fail_msg("`%s`", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dollars), cmocka_unit_test(code_in_strings), cmocka_unit_test(patterns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
