/* clean/rule: precedence, comparisons, reasons; what is refused and where. */
#include "clean/rule.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const columns[] = { "a", "b", "c", "llama3_8gram", NULL };

static struct rule *parse(const char *text)
{
    struct rule *rule;
    struct err   err = { 0 };

    if (rule_parse(&rule, text, columns, &err) < 0) fail_msg("%s: %s", text, err.text);
    return rule;
}

/* Every rule against the same condition in C, over all values of three columns. */
#define AGREES(text, condition) do { \
        struct rule *rule_ = parse(text); \
        for (int bits = 0; bits < 8; bits++) { \
            const bool   a = bits & 1, b = bits & 2, c = bits & 4; \
            const double value[] = { a ? 3 : 0, b ? 0.5 : 0, c ? 1 : 0, 0 }; \
            if (rule_holds(rule_, value) != (condition)) fail_msg("%s with a %d b %d c %d", text, a, b, c); \
        } \
        rule_free(rule_); \
    } while (0)

static void test_precedence(void **state)
{
    (void)state;
    AGREES("a or b and c", a || (b && c));
    AGREES("b and c or a", (b && c) || a);
    AGREES("(a or b) and c", (a || b) && c);
    AGREES("not a or b", !a || b);
    AGREES("not (a or b)", !(a || b));
    AGREES("not a and b", !a && b);
    AGREES("not not a", a);
    AGREES("not a > 2 and c", !a && c);
    AGREES("a and b and c or not a and not b and not c", (a && b && c) || (!a && !b && !c));
    AGREES("((((a))))\tand\n(b)", a && b);
    AGREES("a>=3 and(b=.5)or c<1", (a && b) || !c);
}

static void test_comparisons(void **state)
{
    static const struct { const char *text; bool below, at, above; } rows[] = {
        { "llama3_8gram >= 0.8", false, true, true }, { "llama3_8gram > 0.8", false, false, true },
        { "llama3_8gram <= 0.8", true, true, false },
        { "llama3_8gram < 0.8", true, false, false }, { "llama3_8gram = 0.8", false, true, false },
        { "not llama3_8gram = 0.8", true, false, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rule *rule = parse(rows[i].text);

        assert_int_equal(rule_columns(rule), 1 << 3);
        assert_int_equal(rule_holds(rule, (double[]){ 0, 0, 0, 79.0 / 100 }), rows[i].below);
        assert_int_equal(rule_holds(rule, (double[]){ 0, 0, 0, 80.0 / 100 }), rows[i].at);
        assert_int_equal(rule_holds(rule, (double[]){ 0, 0, 0, 81.0 / 100 }), rows[i].above);
        rule_free(rule);
    }
}

static void test_reasons(void **state)
{
    static const struct { const char *text; double a, b, c; const char *reasons; } rows[] = {
        { "a or b", 1, 0, 0, "a" },
        { "a or b", 1, 1, 0, "a; b" },
        { "a  >= 2 or (b and not c)", 1, 1, 0, "b; not c" },
        { "(a and b) or c", 1, 0, 1, "c" },
        { "a and not (b or c)", 1, 0, 0, "a; not (b or c)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rule *rule = parse(rows[i].text);
        struct bytes out = { 0 };

        assert_true(rule_holds(rule, (double[]){ rows[i].a, rows[i].b, rows[i].c, 0 }));
        assert_int_equal(rule_reasons(rule, (double[]){ rows[i].a, rows[i].b, rows[i].c, 0 }, &out, NULL), 0);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        assert_string_equal(out.at, rows[i].reasons);
        bytes_free(&out);
        rule_free(rule);
    }
}

static void test_refuse(void **state)
{
    static const struct { const char *text, *says; } bad[] = {
        { "", "at byte 1: a column" },                  { "   ", "at byte 4: a column" },
                        { "a or", "at byte 5: a column" },
        { "or a", "at byte 1: `or`" },                  { "a b", "at byte 3: `b`" },
                             { "(a", "at byte 3: `)`" },
        { "a)", "at byte 2: `)`" },                     { "a >=", "at byte 5: a decimal number" },
               { "a >= b", "at byte 6: `b`" },
        { "a >= -1", "at byte 6: `-`" },                { "a >= 1e5", "at byte 6: `1`" },
                       { "a >= 1.2.3", "at byte 6: `1.2`" },
        { "a < 1e999", "at byte 5: `1`" },              { "a < 0x10", "at byte 5: `0`" },
                        { "a = inf", "at byte 5: `inf`" },
        { "a = 9999999999999999999999999", "at byte 5: the number is too large" },
        { "a == 1", "at byte 4: `=`" },                 { "a != 1", "at byte 3: `!`" },
                          { "0.5 < a", "at byte 1: `0.5`" },
        { "a and lama3_8gram > 1", "at byte 7: there is no column `lama3_8gram`; did you mean `llama3_8gram`?" },
        { "not", "at byte 4: a column" },               { "a\xC3\xA9", "at byte 2" },
                            { "a; drop", "at byte 2: `;`" },
        { "()", "at byte 2: `)`" },                     { "A", "no column `A`" },
                                { "and", "at byte 1: `and`" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct rule *rule = (struct rule *)1;
        struct err   err = { 0 };

        assert_int_equal(rule_parse(&rule, bad[i].text, columns, &err), -EINVAL);
        assert_null(rule);
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, err.text);
    }
}

/* What a stranger may write: as deep as allowed and deeper, as long and longer. */
static void test_hostile(void **state)
{
    static char  text[3 * RULE_TEXT_MAX];
    struct rule *rule;
    struct err   err = { 0 };

    (void)state;
    for (int depth = RULE_DEPTH_MAX; depth <= RULE_DEPTH_MAX + 1; depth++) {
        memset(text, '(', (size_t)depth);
        text[depth] = 'a';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = '\0';
        assert_int_equal(rule_parse(&rule, text, columns, &err), depth <= RULE_DEPTH_MAX ? 0 : -EINVAL);
        rule_free(rule);
    }
    *text = '\0';
    for (int i = 0; i <= RULE_DEPTH_MAX; i++) strcat(text, "not ");
    assert_int_equal(rule_parse(&rule, strcat(text, "a"), columns, &err), -EINVAL);
    assert_non_null(strstr(err.text, "nested deeper"));

    *text = '\0';
    while (strlen(text) + 10 < RULE_TEXT_MAX) strcat(text, "a or ");
    assert_int_equal(rule_parse(&rule, strcat(text, "a"), columns, &err), 0);
    assert_true(rule_holds(rule, (double[]){ 1, 0, 0, 0 }));
    assert_false(rule_holds(rule, (double[]){ 0, 1, 1, 1 }));
    rule_free(rule);
    memset(text, 'a', RULE_TEXT_MAX);
    text[RULE_TEXT_MAX] = '\0';
    assert_int_equal(rule_parse(&rule, text, columns, &err), -EINVAL);
    assert_non_null(strstr(err.text, "longer than"));
    text[1000] = '\0';                                      /* one long unknown word */
    assert_int_equal(rule_parse(&rule, text, columns, &err), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence), cmocka_unit_test(test_comparisons), cmocka_unit_test(test_reasons),
            cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
