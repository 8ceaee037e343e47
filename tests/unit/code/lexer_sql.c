/* tests/unit/code/lexer_sql.c -- what quotes, brackets and comments are in SQL, and how its dialects are told apart. */
#include "tokens.h"

static void tokens_are(const char *text, const char *tokens)
{
    const char *got = tokens_of("sql", text, strlen(text), LEX_ALL);

    if (strcmp(got, tokens) != 0) fail_msg("%s\nexpected %s\ngot      %s", text, tokens, got);
}

static void names_in_quotes(void **unused)
{
    (void)unused;
    tokens_are("\"a b\".\"c\"\"d\" \"\" \"e", "q:a b o:. q:c\"\"d s:\"\" s:\"e");
    tokens_are("`a` \"b\"", "q:a s:\"b\"");
    tokens_are("[a b].[#c] d[e] [f, g] [1] [h",
               "q:a b o:. q:#c n:d o:[ n:e o:] o:[ n:f o:, n:g o:] o:[ d:1 o:] o:[ n:h");
}

static void strings_by_dialect(void **unused)
{
    (void)unused;
    tokens_are("'a\\' b 'c''d' 'e\\'f'", "s:'a\\' n:b s:'c''d' s:'e\\'f'");
    tokens_are("'a\\' b 'c \\'d\\' e' 'f\\'' g", "s:'a\\' n:b s:'c \\'d\\' e' s:'f\\'' n:g");
    tokens_are("`x` 'a\\' b'", "q:x s:'a\\' b'");
    tokens_are("E'a\\' b' n'c' fe'd'", "p:E'a\\' b' p:n'c' n:fe s:'d'");
    tokens_are("U&'a' u&b & 'c'", "p:U&'a' n:u o:& n:b o:& s:'c'");
    tokens_are("a$b $1 a$ $$c$$ $d", "n:a$b o:$ d:1 n:a$ s:$$c$$ n:$d");
    tokens_are("q'{a'b}' Nq'|a'|' q'a'", "p:q'{a'b}' p:Nq'|a'|' n:q s:'a'");
    tokens_are("# a\nb # c\n#d", "n:b o:# n:c o:# n:d");
    tokens_are("`b` # c\n#d", "q:b");
    tokens_are("-- `b`\n# c\na # d", "n:a o:# n:d");
}

static void comments(void **unused)
{
    (void)unused;
    tokens_are("/* a /* b */ c */ d", "n:d");
    tokens_are("/* a /* b */ c", "n:c");
    tokens_are("/* a /* b", "");
    tokens_are("a / b * c */ d", "n:a o:/ n:b o:* n:c o:* o:/ n:d");
}

static void what_psql_reads(void **unused)
{
    (void)unused;
    tokens_are("\\set a 'b\nc \\d", "n:c x:\\ n:d");
    tokens_are("COPY a FROM STDIN WITH CSV;\n1,it's\n\\.\nb",
               "n:COPY n:a n:FROM n:STDIN n:WITH n:CSV o:; s:1,it's\n\\. n:b");
    tokens_are("a stdin;\nb\n\\.", "n:a n:stdin o:; n:b");
    tokens_are("from stdin;\nb", "n:from n:stdin o:; n:b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_quotes), cmocka_unit_test(strings_by_dialect), cmocka_unit_test(comments),
        cmocka_unit_test(what_psql_reads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
