/* tests/unit/audit/published.c -- the published tool's elements, quirks and all. */
#include "tests/unit/audit/text.h"

#include <stdio.h>

/* All elements as "category:value@line-line", those of parentheses as "category(:...", joined by |. */
static void finds(const char *text, const char *want)
{
    struct audit_elements found = { 0 };
    struct err            err = { 0 };
    char                  got[1024] = "";
    size_t                len = 0;

    assert_int_equal(audit_find_published(slice_of(text), &found, &err), 0);
    for (size_t i = 0; i < found.count; i++) {
        const struct audit_element *e = &found.at[i];

        len += (size_t)snprintf(got + len, sizeof got - len, "%s%s%s:%.*s@%zu-%zu", i ? "|" : "",
                                audit_category_names[e->category], e->inside ? "(" : "", (int)(e->end - e->at),
                                text + e->at, e->line, e->line_end);
    }
    assert_string_equal(got, want);
    audit_elements_free(&found);
}

static void test_worked_examples(void **unused)
{
    (void)unused;
    finds("x = 1; y = 2", "variable:y@1-1");
    finds("def f(a): return g(a)", "function:f@1-1|function(:a): return g(a@1-1");
    finds("# this class is great", "class:is@1-1|comment:# this class is great@1-1");
    finds("def h(a,\n b):", "");
    finds("s = 'a\\'b'", "variable:s@1-1|string:'a\\'@1-1");
    finds("x = 1 # c1\n# c2", "variable:x@1-1|comment: # c1@1-1|comment:\n# c2@1-2");
}

static void test_heads(void **unused)
{
    (void)unused;
    finds("async def f(): pass", "function:f@1-1|function(:@1-1");
    finds("undef f (x)", "function:f@1-1|function(:x@1-1");
    finds("def\n f\n (x)", "function:f@1-3|function(:x@1-3");
    finds("def f(def g(x)", "function:f@1-1|function(:def g(x@1-1");
    finds("def f(def g(x", "");
    finds("class A: pass", "class:A@1-1");
    finds("class A(B, C): (D)", "class:A@1-1|class(:B, C@1-1");
    finds("class A(B,\n C):", "class:A@1-1");
    finds("class A \n(B)", "class:A@1-2|class(:B@1-2");
    finds("class\xC2\xA0" "A", "class:A@1-1");
    finds("class A(b): class B:", "class:B@1-1");
}

static void test_variables(void **unused)
{
    (void)unused;
    finds("a == b", "variable:a@1-1");
    finds("f(k=1, d = 2)", "variable:d@1-1");
    finds("x: int = 5", "variable:int@1-1");
    finds("a, b = c", "variable:b@1-1");
    finds("a += 1; b <= c; d[i] = e; h := 1", "");
    finds("self.x\n\n= 1", "variable:x@1-3");
    finds("9a = 1", "variable:a@1-1");
}

static void test_strings(void **unused)
{
    (void)unused;
    finds("\"\"\"doc\"\"\"", "docstring:\"\"\"doc\"\"\"@1-1|string:\"\"@1-1");
    finds("'''doc'''", "string:''@1-1");
    finds("\"a\nb\"", "");
    finds("\"\"\"a\nb\"\"\"", "docstring:\"\"\"a\nb\"\"\"@1-2|string:\"\"@1-1|string:\"\"@2-2");
    finds("\"it's\" + 'x'", "string:'x'@1-1");
    finds("", "");
}

/* Nothing is read again and again, whatever is opened and not closed. */
static void test_linear(void **unused)
{
    static const char *const patterns[] = {
        "def f(", "class A(", "class ", "\"'", "'a'", "#", " ", "a ", "a=", "\"\"\"", "def f()", "def ", "\xC2\xA0",
    };
    const size_t              most = 1 << 20;
    char                     *text = malloc(most);

    (void)unused;
    assert_non_null(text);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct audit_elements found = { 0 };
        struct err            err = { 0 };
        const size_t          len = strlen(patterns[p]);

        for (size_t i = 0; i < most; i++) text[i] = patterns[p][i % len];
        assert_int_equal(audit_find_published((struct slice){ text, most }, &found, &err), 0);
        for (size_t i = 0; i < found.count; i++) assert_true(found.at[i].end <= most);
        audit_elements_free(&found);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_examples), cmocka_unit_test(test_heads), cmocka_unit_test(test_variables),
        cmocka_unit_test(test_strings), cmocka_unit_test(test_linear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
