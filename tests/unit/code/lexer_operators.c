/* tests/unit/code/lexer_operators.c -- where numbers and operators end, in each style. */
#include "tokens.h"

/* The number that begins at the first digit of the text, which starts with it or with a point before it. */
static void numbers_of(const char *language, const char *const cases[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slice text = padded(cases[i][0]);
        bool         fraction = text.at[0] == '.';
        size_t       end = number_end(row_of(language), text.at, fraction, text.len, fraction);

        if (end != strlen(cases[i][1]) || strncmp(text.at, cases[i][1], end) != 0)
            fail_msg("%s: `%s` gives `%.*s`", language, cases[i][0], (int)end, text.at);
    }
}

#define NUMBERS(language, ...) do { \
        static const char *const cases[][2] = { __VA_ARGS__ }; \
        numbers_of(language, cases, sizeof cases / sizeof *cases); \
    } while (0)

static void python_numbers(void **unused)
{
    (void)unused;
    NUMBERS("python", { "0", "0" }, { "1_000", "1_000" }, { "1__0", "1" }, { "1_", "1" }, { "1_a", "1" },
            { "0x1F_a", "0x1F_a" }, { "0x_1", "0x_1" }, { "0x", "0" }, { "0xg", "0" }, { "0o17", "0o17" },
            { "0o18", "0o1" }, { "0b102", "0b10" }, { "0777", "0" }, { "00_0", "00_0" }, { "00_1", "00" },
            { "1.", "1." }, { "1.5.2", "1.5" }, { "1..2", "1." }, { "1e5", "1e5" }, { "1e", "1" }, { "1e+", "1" },
            { "1e-5x", "1e-5" }, { "1.e5", "1.e5" }, { "0e0", "0e0" }, { "10j", "10j" }, { "1.5J", "1.5J" },
            { "09.5", "09.5" }, { "10l", "10" }, { ".5", ".5" }, { ".5e3j", ".5e3j" }, { ".5.5", ".5" });
}

/* A name right behind is a factor of its own. */
static void julia_numbers(void **unused)
{
    (void)unused;
    NUMBERS("julia", { "2x", "2" }, { "1.5im", "1.5" }, { "1_000.5e-3x", "1_000.5e-3" }, { "1f0", "1f0" },
            { "1e", "1" }, { "0x1Fg", "0x1F" }, { "0x1p3", "0x1p3" }, { "0b102", "0b10" }, { "0o17", "0o17" },
            { "1..2", "1" }, { "1.x", "1" }, { ".5e3", ".5e3" });
}

static void java_numbers(void **unused)
{
    (void)unused;
    NUMBERS("java", { "0", "0" }, { "10L", "10L" }, { "10LL", "10L" }, { "1__0", "1__0" }, { "1_", "1" },
            { "0x1FL", "0x1FL" }, { "0x1.8p3f", "0x1.8p3f" }, { "0x1.8", "0x1" }, { "0x1p-2", "0x1p-2" },
            { "0b12", "0b1" }, { "017", "017" }, { "1.", "1." }, { "1.5f", "1.5f" }, { "1.5L", "1.5" },
            { "1e5d", "1e5d" }, { "1e", "1" }, { "1.e+5", "1.e+5" }, { ".5", ".5" }, { ".5L", ".5" }, { ".5F", ".5F" });
}

static void c_numbers(void **unused)
{
    (void)unused;
    NUMBERS("c", { "0", "0" }, { "10ul", "10ul" }, { "0x1F", "0x1F" }, { "1'000'000", "1'000'000" }, { "1''0", "1" },
            { "1e+5", "1e+5" }, { "1e+x", "1e+x" }, { "0xe+1", "0xe" }, { "0x1p+1", "0x1p+1" }, { "1.5.2", "1.5.2" },
            { "1..2", "1..2" }, { "3abc", "3abc" }, { "1+2", "1" }, { ".5f", ".5f" });
}

static void other_numbers(void **unused)
{
    (void)unused;
    NUMBERS("go", { "0", "0" }, { "1_000", "1_000" }, { "1'0", "1" }, { "1.5", "1.5" }, { "1.", "1" }, { "1..2", "1" },
            { "1.5.2", "1.5" }, { "1e-5", "1e-5" }, { "1e-x", "1e" }, { "0xe-1", "0xe" }, { "10px", "10px" },
            { ".5.5", ".5" });
    NUMBERS("r", { "1.", "1." }, { "1. - x", "1." }, { "1.e5", "1.e5" }, { "4.E+5)", "4.E+5" }, { "1.5.", "1.5" },
            { "1L", "1L" });
    NUMBERS("sql", { "1..2", "1" }, { "1.x", "1" }, { "1.e", "1" }, { "4664.E+5,", "4664.E+5" }, { "1.)", "1." });
}

/* A number is not looked for past the text's end. */
static void ends_of_texts(void **unused)
{
    static const char *const languages[] = { "python", "java", "c", "go" };

    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(number_end(row_of(languages[i]), "12345", 0, 3, false), 3);
        assert_int_equal(number_end(row_of(languages[i]), "1.5e+10", 0, 3, false), 3);
        assert_int_equal(number_end(row_of(languages[i]), "1e55", 0, 1, false), 1);
    }
    assert_int_equal(operator_length(row_of("c"), ">>=", 2), 2);
    assert_int_equal(operator_length(row_of("c"), ">>=", 1), 1);
}

static void operators(void **unused)
{
    static const struct { const char *language, *text; size_t length; } cases[] = {
        { "c", ">>=", 3 }, { "c", ">>x", 2 }, { "c", "->*", 3 }, { "c", "->", 2 }, { "c", "+ +", 1 }, { "c", "((", 1 },
        { "c", "*/", 1 }, { "java", ">>", 1 }, { "java", ">>>=", 4 }, { "java", ">>=", 3 }, { "java", "<<", 2 },
        { "python", "**=", 3 }, { "python", "//", 2 }, { "python", ":=", 2 }, { "python", "<>", 1 },
        { "javascript", "===", 3 }, { "javascript", "\?\?=", 3 }, { "r", "%>%", 3 }, { "r", "<-", 2 },
        { "text", "==", 1 }, { "go", "&^=", 3 }, { "c", "+x", 1 }, { "c", "]]", 1 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice text = padded(cases[i].text);

        if (operator_length(row_of(cases[i].language), text.at, text.len) != cases[i].length)
            fail_msg("%s: %s is not %zu long", cases[i].language, cases[i].text, cases[i].length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(python_numbers), cmocka_unit_test(java_numbers), cmocka_unit_test(julia_numbers),
        cmocka_unit_test(c_numbers),
        cmocka_unit_test(other_numbers), cmocka_unit_test(ends_of_texts), cmocka_unit_test(operators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
