/* tests/unit/code/lexer_script.c -- operands of JavaScript, and tags that are none. */
#include "tokens.h"

static void tokens_are(const char *language, const char *text, const char *tokens)
{
    const char *got = tokens_of(language, text, strlen(text), LEX_ALL);

    if (strcmp(got, tokens) != 0) fail_msg("%s: %s\nexpected %s\ngot      %s", language, text, tokens, got);
}

static void operands(void **unused)
{
    static const struct { const char *text; bool expected; } cases[] = {
        { "/", true }, { "= /", true }, { "return\n/", true }, { "typeof\t/", true }, { "a\n/", false },
        { "returned /", false }, { "1 /", false }, { "] /", false }, { "x.in /", false }, { "a++ /", false },
        { "a - /", true }, { "x! /", false }, { "= !/", true }, { "if (x) /", true }, { "if (f(\")\")) /", true },
        { "(x) /", false }, { "o.if(x) /", false }, { "while (a[0](1)) /", true }, { "f(x)\n/", false },
        { "{}\n/", true }, { "{} /", true }, { "= {} /", false }, { "return {} /", false },
        { "if (x) { '}' } /", true }, { "() => {} /", true }, { "else {} /", true }, { "} /", false },
        { "\"s\" /", false }, { "$ /", false }, { "=> /", true },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice text = padded(cases[i].text);
        struct scan  scan = scan_of("javascript", text);

        if (script_operand(&scan, text.len - 1) != cases[i].expected) fail_msg("`%s`", cases[i].text);
    }
    tokens_are("javascript", "a /* / */ // x\n / b /* c */ / d", "n:a o:/ n:b o:/ n:d");
    tokens_are("javascript", "return /* a */ /* b */\n // c\n /d'/g", "n:return s:/d'/g");
}

static void elements(void **unused)
{
    (void)unused;
    tokens_are("javascript", "x = <a.b data-x=\"\\\" y>it's {`${z}`} // c </a.b> / 2",
               "n:x o:= o:< n:a o:. n:b n:data-x o:= s:\"\\\" n:y o:> s:it's o:{ s:`${ n:z s:}` o:} s:// c o:< o:/ n:a "
               "o:. n:b o:> o:/ d:2");
    tokens_are("javascript", "(<>a<b/>c</>)", "o:( o:< o:> s:a o:< n:b o:/ o:> s:c o:< o:/ o:> o:)");
    tokens_are("javascript", "(<a {...p} f={() => {}} /* d' */ // e'\n g={<i>'</i>}/>)",
               "o:( o:< n:a o:{ o:... n:p o:} n:f o:= o:{ o:( o:) o:=> o:{ o:} o:} n:g o:= o:{ o:< n:i o:> s:' "
               "o:< o:/ n:i o:> o:} o:/ o:> o:)");
    tokens_are("typescript", "(<A<B> c='\n'>{/* d */}</A>)",
               "o:( o:< n:A o:< n:B o:> n:c o:= s:'\n' o:> o:{ o:} o:< o:/ n:A o:> o:)");
}

static void no_elements(void **unused)
{
    (void)unused;
    tokens_are("typescript", "f = <T,>(x: T) => 'y'", "n:f o:= o:< n:T o:, o:> o:( n:x o:: n:T o:) o:=> s:'y'");
    tokens_are("typescript", "f = <T extends U>(x) => 'y'",
               "n:f o:= o:< n:T n:extends n:U o:> o:( n:x o:) o:=> s:'y'");
    tokens_are("typescript", "x = <any>'y'", "n:x o:= o:< n:any o:> s:'y'");
    tokens_are("javascript", "a <b && c > '/b'", "n:a o:< n:b o:&& n:c o:> s:'/b'");
    tokens_are("javascript", "= <a", "o:= o:< n:a");
}

static void what_never_closes(void **unused)
{
    (void)unused;
    tokens_are("javascript", "= <a>{f()}{}</a>",            /* no operator twice */
               "o:= o:< n:a o:> o:{ n:f o:( o:) o:} o:{ o:} o:< o:/ n:a o:>");
    tokens_are("javascript", "= <a b={{}}/>", "o:= o:< n:a n:b o:= o:{ o:{ o:} o:} o:/ o:>");
    tokens_are("javascript", "= <a><b></a>", "o:= o:< n:a o:> o:< n:b o:> o:< o:/ n:a o:>");
    tokens_are("javascript", "= <a b={c", "o:= o:< n:a n:b o:= o:{ n:c");
    tokens_are("javascript", "= <a/>} </a>", "o:= o:< n:a o:/ o:> o:} o:< o:/ n:a o:>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands), cmocka_unit_test(elements), cmocka_unit_test(no_elements),
        cmocka_unit_test(what_never_closes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
