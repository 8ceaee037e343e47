/* tests/unit/cmd/extract_filter.c -- which functions are left out, and for which reason. */
#include "cmd/extract_filter.h"
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* The names of the functions of the text that are taken, each with a space behind it. */
static const char *taken(struct extract_filters *filters, const char *language, const char *source)
{
    static char            out[1024], room[4096];
    const struct language *row = language_by_name(slice_of(language));
    const struct slice     text = { strcpy(room, source), strlen(source) };
    struct lexer           lexer = { 0 };
    struct functions       functions = { 0 };
    struct measures        measures = { 0 };
    struct err             err = { 0 };
    size_t                 at = 0;

    kernels = &kernels_scalar;
    assert_int_equal(lexer_run(&lexer, row, text, LEX_ALL | LEX_COMMENTS, &err), 0);
    assert_int_equal(functions_find(&functions, row, &lexer, text, &err), 0);
    assert_int_equal(measures_take(&measures, row, &lexer, &functions, text, &err), 0);
    out[0] = '\0';
    for (size_t i = 0; i < functions.count; i++) {
        const struct function *f = &functions.at[i];
        const struct span      doc = measures.at[i].docstring;
        const int rc = extract_filter_takes(filters, &(struct extracted){ f, &measures.at[i], row, &lexer, text,
                                            { text.at + doc.at, doc.end - doc.at } });

        assert_in_range(rc, 0, 1);
        if (rc) at += (size_t)snprintf(out + at, sizeof out - at, "%.*s ", (int)(f->name_end - f->name_at),
                                       text.at + f->name_at);
    }
    lexer_free(&lexer);
    functions_free(&functions);
    measures_free(&measures);
    return out;
}

static void standard(void **unused)
{
    static const char *const cases[][3] = {
        { "python", "def __a__(): 1\ndef __b(): 1\ndef toString(): 1\ndef ____(): 1\n", "__b toString ____ " },
        { "java", "class A { A() { } void equals() { } void equal() { } void __str__() { } }", "equal __str__ " },
        { "cpp", "int a;\nA::A() { }\nA::~A() { }\nint A::f() { }", "f " },
        { "ruby", "class A\n def initialize; end\n def <=>(o); end\n def a; end\nend", "a " },
        { "php", "<?php class A { function __get($a) { } function get() { } }", "get " },
        { "typescript", "class A { constructor() { } a() { } }", "a " },
        { "go", "package a\nfunc String() { }\n", "String " },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct extract_filters filters = { .standard = true };

        assert_string_equal(taken(&filters, cases[i][0], cases[i][1]), cases[i][2]);
        extract_filter_free(&filters);
    }
}

/* The first reason counts, and a function that is left out is no copy of those behind it. */
static void reasons(void **unused)
{
    struct extract_filters filters = { 0 };
    struct bytes           said = { 0 };

    (void)unused;
    assert_int_equal(extract_filter_say(&filters, &said), 0);
    assert_int_equal(said.len, 0);
    assert_int_equal(extract_filter_option(&filters, "--no-tests"), 1);
    assert_int_equal(extract_filter_option(&filters, "--dedupe"), 1);
    assert_int_equal(extract_filter_option(&filters, "--dedup"), 0);
    filters.least_lines = 2;
    assert_string_equal(taken(&filters, "python", "def testA(): 1\ndef TESTb():\n  1\ndef a(b, c):\n  b + c\n"
                              "def a(c, b):\n  c + b\ndef a(c, b):\n  c + c\ndef a(b, c):\n  # d\n  b + c\n"), "a a ");
    assert_int_equal(filters.left_out[FILTER_LINES], 1);
    assert_int_equal(filters.left_out[FILTER_TESTS], 1);
    assert_int_equal(filters.left_out[FILTER_DUPLICATES], 2);
    assert_int_equal(extract_filter_say(&filters, &said), 0);
    assert_int_equal(bytes_append(&said, "", 1), 0);
    assert_string_equal(said.at, "; left out: 1 of too few lines, 1 tests, 2 duplicates");
    bytes_free(&said);
    extract_filter_free(&filters);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(standard), cmocka_unit_test(reasons) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
