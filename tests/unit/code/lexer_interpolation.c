/* tests/unit/code/lexer_interpolation.c -- code in strings: where it begins and ends, and what never closes. */
#include "tokens.h"

static void tokens_are(const char *language, const char *text, const char *tokens)
{
    const char *got = tokens_of(language, text, strlen(text), LEX_ALL);

    if (strcmp(got, tokens) != 0) fail_msg("%s: %s\nexpected %s\ngot      %s", language, text, tokens, got);
}

static void quotes_in_code_close_nothing_outside(void **unused)
{
    (void)unused;
    tokens_are("javascript", "`a${ {b: `c${1}`} }d` e", "s:`a${ o:{ n:b o:: s:`c${ d:1 s:}` o:} s:}d` n:e");
    tokens_are("javascript", "`a${ '}`' }` b", "s:`a${ s:'}`' s:}` n:b");
    tokens_are("javascript", "`a\\`\\${b` c", "s:`a\\`\\${b` n:c");
    tokens_are("javascript", "`${ /`}/ /* } */ }` b", "s:`${ s:/`}/ s:}` n:b");
    tokens_are("kotlin", "\"${m[\"a\"]} $b$1\" c", "s:\"${ n:m o:[ s:\"a\" o:] s:} $ n:b s:$1\" n:c");
    tokens_are("kotlin", "\"\"\"${m[\"\"\"a\"\"\"]}\\\"\"\"\" c",
               "s:\"\"\"${ n:m o:[ s:\"\"\"a\"\"\" o:] s:}\\\"\"\"\" n:c");
    tokens_are("swift", "\"\\(f(\"a\", (1)))\\\\(x)\" c",
               "s:\"\\( n:f o:( s:\"a\" o:, o:( d:1 o:) o:) s:)\\\\(x)\" n:c");
    tokens_are("swift", "#\"\\(x) \\#(y) \\#\"#\"# c", "s:#\"\\(x) \\#( n:y s:) \\#\"#\"# n:c");
    tokens_are("csharp", "$\"{x[\"a\"]:N2}{{z}}\" + $@\"\"\"{y}\" c",
               "s:$\"{ n:x o:[ s:\"a\" o:] s::N2}{{z}}\" o:+ s:$@\"\"\"{ n:y s:}\" n:c");
    tokens_are("csharp", "$$\"\"\"\"{a} \"\"\" {{b}}\"\"\"\" c", "s:$$\"\"\"\"{a} \"\"\" {{ n:b s:}}\"\"\"\" n:c");
    tokens_are("csharp", "$\"{global::A}\" c", "s:$\"{ n:global o::: n:A s:}\" n:c");
    tokens_are("scala", "s\"$a${f(\"x\")}$$b\" + \"$c\"", "p:s\"$ n:a s:${ n:f o:( s:\"x\" o:) s:}$$b\" o:+ s:\"$c\"");
    tokens_are("php", "\"{$a[\"x\"]} $b[k] $c->d ${e} \\$f {g}\" h",
               "s:\"{ o:$ n:a o:[ s:\"x\" o:] s:} $ n:b s:[ n:k s:] $ n:c s:-> n:d s: ${ n:e s:} \\$f {g}\" n:h");
    tokens_are("python", "f'{a['b']!r:>{w}.2f}{{c}}' 'd{e}'",
               "p:f'{ n:a o:[ s:'b' o:] s:!r:>{ n:w s:}.2f}{{c}}' s:'d{e}'");
    tokens_are("python", "f'{x != y}{d[1:2]}\\N{DASH}\\{z}' e",
               "p:f'{ n:x o:!= n:y s:}{ n:d o:[ d:1 o:: d:2 o:] s:}\\N{DASH}\\{ n:z s:}' n:e");
}

static void here_documents_have_code(void **unused)
{
    (void)unused;
    tokens_are("php", "<<<E\n{$a} $b\nE;\nc", "s:<<<E s:{ o:$ n:a s:} $ n:b s:\nE o:; n:c");
    tokens_are("php", "<<<'E'\n{$a} $b\nE;\nc", "s:<<<'E' s:{$a} $b\nE o:; n:c");
    tokens_are("php", "<<<E\n{$a\nE;\nc", "s:<<<E s:{ o:$ n:a n:E o:; n:c");
}

static void what_never_closes(void **unused)
{
    (void)unused;
    tokens_are("javascript", "`a${ b", "s:`a${ n:b");
    tokens_are("kotlin", "\"a$b\nc", "s:\"a$ n:b n:c");
    tokens_are("kotlin", "\"$", "s:\"$");
    tokens_are("python", "f'{x:'\ny", "p:f'{ n:x s::' n:y");
    tokens_are("swift", "\"\\(a\nb", "s:\"\\( n:a n:b");
}

/* A string that could have code and has none: the brackets before it count once, and what follows is a docstring. */
static void docstrings_behind(void **unused)
{
    (void)unused;
    tokens_are("python", "x = (1, f'a')\ndef f():\n    'doc'\n",
               "n:x o:= o:( d:1 o:, p:f'a' o:) n:def n:f o:( o:) o::");
    tokens_are("python", "x = (f'{a}')\ndef f():\n    'doc'\n",
               "n:x o:= o:( p:f'{ n:a s:}' o:) n:def n:f o:( o:) o::");
    tokens_are("python", "x = [f'a'\n, 'no doc']\n", "n:x o:= o:[ p:f'a' o:, s:'no doc' o:]");
}

/* Beyond OPENED_MAX a string is text throughout; what is above it is not hurt. */
static void deep(void **unused)
{
    char         text[OPENED_MAX * 6 + 40] = "", *at = text;
    struct lexer lexer = { 0 };
    struct err   err;

    (void)unused;
    for (int i = 0; i < OPENED_MAX + 1; i++)
        at += sprintf(at, "`${");
    at += sprintf(at, "x");
    for (int i = 0; i < OPENED_MAX; i++)
        at += sprintf(at, "}`");
    sprintf(at, " y");
    (void)tokens_of("javascript", "", 0, LEX_ALL);          /* chooses the kernels */
    assert_int_equal(lexer_run(&lexer, row_of("javascript"), padded(text), LEX_ALL, &err), 0);
    assert_int_equal(lexer.token[lexer.count - 1].kind, TOKEN_NAME);
    assert_int_equal(lexer.token[lexer.count - 1].len, 1);
    lexer_free(&lexer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_in_code_close_nothing_outside), cmocka_unit_test(here_documents_have_code),
        cmocka_unit_test(what_never_closes),
        cmocka_unit_test(docstrings_behind), cmocka_unit_test(deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
