/* tests/unit/regress/formula.c -- what formulas ask for, and those that are refused, with the place. */
#include "regress/formula.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What was understood: `response[/trials] ~ [1] terms | groups`, variables of a set in the order of their first use. */
static void tell_variable(struct formula_variable v, char *out, size_t room)
{
    const char  *function = formula_function_names[v.function];
    const size_t used = strlen(out);

    snprintf(out + used, room - used, "%s%s%.*s%s", function, *function ? "(" : "", (int)v.name.len, v.name.at,
             *function ? ")" : "");
}

static void tell_set(const struct formula *f, uint32_t set, char *out, size_t room)
{
    bool begun = false;

    strcat(out, " ");
    for (size_t i = 0; i < f->variables; i++)
        if (set >> i & 1) {
            if (begun) strcat(out, ":");
            tell_variable(f->variable[i], out, room);
            begun = true;
        }
}

static void means(const char *text, const char *wanted)
{
    struct formula f;
    struct err     err = { 0 };
    char           told[1000] = "";

    if (formula_parse(&f, slice_of(text), &err) < 0) fail_msg("%s: %s", text, err.text);
    tell_variable(f.response, told, sizeof told);
    if (f.trials.name.at) {
        strcat(told, "/");
        tell_variable(f.trials, told, sizeof told);
    }
    strcat(told, " ~");
    if (f.intercept) strcat(told, " 1");
    for (size_t i = 0; i < f.terms; i++) tell_set(&f, f.term[i], told, sizeof told);
    if (f.groups) strcat(told, " |");
    for (size_t i = 0; i < f.groups; i++) tell_set(&f, f.group[i], told, sizeof told);
    if (strcmp(told, wanted) != 0) fail_msg("%s: \"%s\", not \"%s\"", text, told, wanted);
}

static void test_meaning(void **unused)
{
    (void)unused;
    means("y ~ 1", "y ~ 1");
    means("y~x", "y ~ 1 x");
    means("nll ~ overlap + length + (1 | item)", "nll ~ 1 overlap length | item");
    means("log(nll)~log1p(copies)+scale(tokens)+factor(n)", "log(nll) ~ 1 log1p(copies) scale(tokens) factor(n)");
    means("y ~ 0 + a", "y ~ a");
    means("y ~ a - 1", "y ~ a");
    means("y ~ -1 + a", "y ~ a");
    means("y ~ a + 0 + 1", "y ~ 1 a");
    means("y ~ a:b", "y ~ 1 a:b");
    means("y ~ a*b", "y ~ 1 a b a:b");
    means("y ~ a*b*c", "y ~ 1 a b c a:b a:c b:c a:b:c");
    means("y ~ a*b:c", "y ~ 1 a b:c a:b:c");
    means("y ~ a:b + b + a:b + a", "y ~ 1 b a a:b");        /* the lower first, none twice; sets by first use */
    means("y ~ log(a)*a", "y ~ 1 log(a) a log(a):a");
    means("y ~ (1|g)", "y ~ 1 | g");
    means("y ~ (1|g) + x + (1|h)", "y ~ 1 x | g h");
    means("y ~ (1|a/b)", "y ~ 1 | a a:b");
    means("y ~ (1|a/b/c)", "y ~ 1 | a a:b a:b:c");
    means("y ~ (1|a:b)+(1|a/b)", "y ~ 1 | a:b a");
    means("hits/trials ~ x", "hits/trials ~ 1 x");
    means("`pass@1` ~ `a b` + `ratio:clean` + log(`x y`)", "pass@1 ~ 1 a b ratio:clean log(x y)");
    means(" y\t~\n x ", "y ~ 1 x");
    means("metrics.nll ~ a_1.b2 + \xC3\xA9t\xC3\xA9", "metrics.nll ~ 1 a_1.b2 \xC3\xA9t\xC3\xA9");
}

struct wrong { const char *text, *says; };

static void test_refused(void **unused)
{
    static const struct wrong wrong[] = {
        { "", "character 1: it ends where a column is wanted" }, { " ", "character 2: it ends" },
        { "y", "character 2: it ends where `~` is wanted" }, { "~", "character 1: `~` where a column" },
        { "~ x", "a column" }, { "y ~", "character 4: it ends where a column" }, { "y ~ +", "`+` where a column" },
        { "y ~ x +", "character 8: it ends" }, { "y ~ + x", "character 5: `+`" }, { "y ~ x x", "`x` where `+`" },
        { "y ~ x ~ z", "`~` where `+`" }, { "y = x", "`=` where `~`" }, { "y ~ x = 1", "`=` where `+`" },
        { "y ~~ x", "`~` where" }, { "1 ~ x", "`1` where a column" }, { "y ~ 2", "`2` where a column" },
        { "y ~ 10", "`10` where" }, { "y ~ x + 3", "`3` where" }, { "y ~ - x", "only the intercept is taken away" },
        { "y ~ x - z", "only the intercept" }, { "y ~ x - 0", "only the intercept" }, { "y ~ x - 2", "only the" },
        { "y ~ x - (1 | g)", "only the intercept" }, { "y ~ .", "`.` where a column" },
        { "y ~ x^2", "powers are no terms" }, { "y ~ x %in% z", "`%`" }, { "y ~ (x + z)^2", "a bracket begins" },
        { "y ~ (x)", "a bracket begins a random intercept" }, { "y ~ (x | g)", "slopes of groups" },
        { "y ~ (1 + x | g)", "`|` is wanted" }, { "y ~ (0 + x | g)", "a bracket begins" },
        { "y ~ (1 || g)", "`|` where a column" }, { "y ~ (1 | g", "ends where `)`" }, { "y ~ (1 | )", "`)` where" },
        { "y ~ (1 |", "it ends" }, { "y ~ (1", "`|` is wanted" }, { "y ~ (", "a bracket begins" },
        { "y ~ ()", "a bracket begins" }, { "y ~ )", "`)` where" }, { "y ~ x)", "`)` where `+`" },
        { "y ~ (1 | g))", "`)` where `+`" }, { "y ~ (1 | g) (1 | h)", "`(` where `+`" },
        { "y ~ (1 | g + h)", "`+` where `)`" }, { "y ~ (1 | g/)", "`)` where a column" },
        { "y ~ (1 | g*h)", "`*` where `)`" }, { "y ~ (1 | 1)", "`1` where" }, { "y ~ 1 | g", "`|` where `+`" },
        { "y ~ x/z", "`/` stands in a group" }, { "y ~ (1|a)/b", "`/` stands in a group" },
        { "y ~ sqrt(x)", "`sqrt` is no function" }, { "y ~ I(x)", "`I` is no function" },
        { "y ~ Log(x)", "did you mean `log`" }, { "y ~ log1(x)", "did you mean `log" },
        { "y ~ poly(x, 2)", "`poly` is no function" }, { "y ~ s(x)", "`s` is no function" },
        { "y ~ log()", "`)` where a column" }, { "y ~ log(x", "ends where `)`" }, { "y ~ log(x, 2)", "`,` where `)`" },
        { "y ~ log(1)", "`1` where a column" }, { "y ~ log(log(x))", "`(` where `)`" },
        { "y ~ log(x + 1)", "`+` where `)`" }, { "`log`(x) ~ 1", "`(` where `~`" },
        { "y ~ log(x)(z)", "`(` where `+`" }, { "y ~ `x`(z)", "`(` where `+`" }, { "y ~ offset(x)", "no function" },
        { "cbind(a, b) ~ x", "HITS/TRIALS" }, { "cbind ~ x", "HITS/TRIALS" }, { "y/ ~ x", "`~` where a column" },
        { "/n ~ x", "`/` where a column" }, { "y/n/m ~ x", "`/` where `~`" }, { "y + z ~ x", "`+` where `~`" },
        { "y:z ~ x", "`:` where `~`" }, { "-y ~ x", "`-` where a column" }, { "(y) ~ x", "`(` where a column" },
        { "y ~ x:", "it ends" }, { "y ~ :x", "`:` where" }, { "y ~ x::z", "`:` where a column" },
        { "y ~ x*", "it ends" }, { "y ~ *x", "`*` where" }, { "y ~ x**2", "`*` where" }, { "y ~ x:1", "`1` where" },
        { "y ~ x*1", "`1` where" }, { "y ~ x:(1 | g)", "`(` where" }, { "y ~ 1:x", "`:` where `+`" },
        { "y ~ 1x", "`1x` where" }, { "y ~ 0x", "`0x` where" }, { "y ~ 1 1", "`1` where `+`" },
        { "y ~ `", "a backquote" }, { "y ~ ``", "a backquote" }, { "y ~ `x", "a backquote" },
        { "`y ~ x", "a backquote" },
        { "y ~ x`", "a backquote" }, { "y ~ $x", "`$` where" }, { "y ~ x$z", "`$` where `+`" },
        { "y ~ \"x\"", "`\"` where" }, { "y ~ 'x'", "`'` where" }, { "y ~ x; z", "`;` where `+`" },
        { "y ~ x, z", "`,` where `+`" }, { "y ~ x & z", "`&` where `+`" }, { "y ~ !x", "`!` where" },
        { "y ~ x[1]", "`[` where `+`" }, { "y ~ {x}", "`{` where" }, { "y ~ x\x01", "character 6" },
        { "y ~ x @ z", "`@` where `+`" }, { "y ~ x # z", "`#` where `+`" }, { "y ~ x -> z", "only the intercept" },
        { "y <- x", "`<` where `~`" }, { "y ~ x + -1", "`-` where" }, { "y ~ --1", "only the intercept" },
        { "y ~ (1|a)+(1|b)+(1|c)+(1|d)+(1|e)", "more than 4 grouping factors" },
        { "y ~ a*b*c*d*e*f*g", "more than 64 terms" },
    };

    (void)unused;
    assert_true(sizeof wrong / sizeof *wrong >= 100);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct formula f;
        struct err     err = { 0 };
        const int      rc = formula_parse(&f, slice_of(wrong[i].text), &err);

        if (rc != -EINVAL || strncmp(err.text, "formula, character ", 19) != 0 || !strstr(err.text, wrong[i].says))
            fail_msg("\"%s\": %d, \"%s\" does not say \"%s\"", wrong[i].text, rc, err.text, wrong[i].says);
    }
}

static void test_sizes(void **unused)
{
    struct formula f;
    struct err     err = { 0 };
    char           text[FORMULA_LONGEST + 2] = "y ~ x0";

    (void)unused;
    for (int i = 1; i < FORMULA_VARIABLES; i++) sprintf(text + strlen(text), " + x%d", i);
    assert_int_equal(formula_parse(&f, slice_of(text), &err), 0);
    assert_int_equal(f.variables, FORMULA_VARIABLES);
    strcat(text, " + z");
    assert_int_equal(formula_parse(&f, slice_of(text), &err), -EINVAL);
    assert_non_null(strstr(err.text, "more than 32 columns"));
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_int_equal(formula_parse(&f, slice_of(text), &err), -EINVAL);
    assert_non_null(strstr(err.text, "more than 4096 bytes"));
    assert_int_equal(formula_parse(&f, (struct slice){ "y ~ x\0+ z", 9 }, &err), -EINVAL);
    assert_non_null(strstr(err.text, "a byte 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meaning), cmocka_unit_test(test_refused), cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
