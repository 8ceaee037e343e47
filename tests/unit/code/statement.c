/* tests/unit/code/statement.c -- where statements end, whatever the layout. */
#include "code/statement.h"

#include "functions.h"

/* The statements of a text, each ended by |, their tokens with spaces between. */
static void expect(const char *language, const char *source, const char *statements)
{
    const struct slice text = padded(source);
    struct lexer       lexer = { 0 };
    struct err         err = { 0 };
    uint32_t           number[256], last = 0, count;
    char               out[2048] = "", *at = out;

    assert_int_equal(lexer_run(&lexer, row_of(language), text, LEX_ALL, &err), 0);
    assert_true(lexer.count <= 256);
    count = statements_number(row_of(language), &lexer, text, 0, lexer.count, number);
    for (size_t i = 0; i < lexer.count; i++) {
        if (number[i] == STATEMENT_NONE) continue;
        assert_true(number[i] < count && number[i] >= last);
        at += sprintf(at, "%s%.*s", at == out ? "" : number[i] > last ? "|" : " ", (int)lexer.token[i].len,
                      text.at + lexer.token[i].at);
        last = number[i];
    }
    assert_string_equal(out, statements);
    assert_int_equal(count, *out ? last + 1 : 0);
    lexer_free(&lexer);
}

static void braces(void **unused)
{
    static const char want[] = "int f ( int a )|for ( i = 0 ; i < a ; i ++ )|g ( i )|return a";

    (void)unused;
    expect("java", "int f(int a) {\n  for (i = 0; i < a; i++) {\n    g(i);\n  }\n  return a;\n}", want);
    expect("java", "int f(int a)\n{ for (i = 0;\n i < a; i++) { g(\ni); } return\n a; } // b", want);
    expect("java", "a(() -> { b(); c(); }, d); e;", "a ( ( ) ->|b ( )|c ( )|, d )|e");
    expect("java", "{};;}", "");
}

static void lines(void **unused)
{
    (void)unused;
    expect("python", "def f(a,\n      b):\n  c = {1: 2,\n    3: 4}\n  d = 1; e\n  return c",
           "def f ( a , b ) :|c = { 1 : 2 , 3 : 4 }|d = 1|e|return c");
    expect("python", "a = b + \\\n  c\r\nd", "a = b + c|d");
    expect("python", ")\na", ")|a");
    expect("javascript", "function f() {\n  a\n  b(c,\n   d); e\n}", "function f ( )|a|b ( c , d )|e");
    expect("ruby", "def f\n  a { b }\nend", "def f|a { b }|end");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(braces), cmocka_unit_test(lines) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
