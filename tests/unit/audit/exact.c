/* tests/unit/audit/exact.c -- elements by role: each name once, where it stands first. */
#include "tests/unit/audit/text.h"

#include <stdio.h>

static void finds(const char *language, const char *source, const char *want)
{
    static char           room[4096];
    struct audit_reader   reader = { 0 };
    struct audit_elements found = { 0 };
    struct err            err = { 0 };
    char                  got[1024] = "";
    size_t                len = 0;
    const struct slice    text = { room, strlen(source) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    memset(room, 0, sizeof room);
    memcpy(room, source, text.len);
    if (audit_find_exact(&reader, language_by_name(slice_of(language)), text, &found, &err) < 0)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < found.count; i++)
        len += (size_t)snprintf(got + len, sizeof got - len, "%s%s:%.*s@%zu-%zu", i ? "|" : "",
                                audit_category_names[found.at[i].category],
                                (int)(found.at[i].end - found.at[i].at), room + found.at[i].at, found.at[i].line,
                                found.at[i].line_end);
    assert_string_equal(got, want);
    audit_elements_free(&found);
    audit_reader_free(&reader);
}

static void test_python(void **unused)
{
    (void)unused;
    finds("python", "class Shape:\n    '''What\n    it is'''\n    def area(self, width):\n        # times\n"
          "        total = width * self.height\n        return total\nprint(\"a total\", total)\n",
          "class:Shape@1-1|docstring:'''What\n    it is'''@2-3|function:area@4-4|variable:self@4-4|variable:width@4-4|"
          "comment:# times@5-5|variable:total@6-6|string:\"a total\"@8-8");
    /* it is used before it is declared, so it is known there */
    finds("python", "helper(1)\ndef helper(value): pass\n", "variable:value@2-2");
}

static void test_others(void **unused)
{
    (void)unused;
    finds("java", "/** Adds. */\nint adder(int left) { return left + 1; } // done\n",
          "docstring:/** Adds. */@1-1|function:adder@2-2|variable:left@2-2|comment:// done@2-2");
    finds("cobol", "MOVE ALPHA TO BETA", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_python), cmocka_unit_test(test_others) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
