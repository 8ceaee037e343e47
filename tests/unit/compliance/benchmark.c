/* tests/unit/compliance/benchmark.c -- which functions of files a benchmark takes, in what order. */
#include "compliance/benchmark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct benchmark benchmark;

#define BODY \
    "    total = 0\n    for x in a:\n        # add it\n        if x > 1 and x < 9:\n            total += x\n" \
    "        elif x:\n            total += 1\n        else:\n            continue\n    total *= 2\n    return total\n"
#define DOC "    \"\"\"Doc.\"\"\"\n"

static void add(const char *text, const char *license, const char *path, const char *repo)
{
    static struct bytes copy;
    struct err          err = { 0 };

    copy.len = 0;
    assert_int_equal(bytes_append_slice(&copy, slice_of(text)), 0);
    assert_int_equal(benchmark_add(&benchmark, bytes_slice(&copy), slice_of(license), slice_of(path), slice_of(repo),
                                   &err), 0);
    bytes_free(&copy);
}

static void dropped_is(enum benchmark_drop drop, uint64_t count)
{
    if (benchmark.dropped[drop] != count)
        fail_msg("%s: %llu", benchmark_drop_names[drop], (unsigned long long)benchmark.dropped[drop]);
}

static void assert_prompt(const struct benchmark_function *function, const char *header, const char *rest)
{
    assert_true(slice_equal(function->header, slice_of(header)));
    assert_true(slice_equal(function->prompt, slice_of(rest)));
}

static void test_filters(void **unused)
{
    (void)unused;
    benchmark.limits = benchmark_limits_default;
    add("# Copyright X\n# SPDX-License-Identifier: MIT\n\nimport os\n\ndef f(a):\n" DOC BODY, "", "a.py", "r1");
    assert_int_equal(benchmark.count, 1);
    add("def g(a):\n" DOC BODY, "", "b.py", "r1");
    dropped_is(DROP_UNLICENSED, 1);
    add("def g(a):\n" DOC BODY, "MIT OR GPL-2.0-only", "b.py", "r1");
    dropped_is(DROP_SEVERAL, 1);
    add("def g(a):\n" DOC BODY, "[\"MIT\", \"sold\"]", "b.py", "r1");      /* one that is not known holds, too */
    add("# SPDX-License-Identifier: MIT\n# SPDX-License-Identifier: LicenseRef-Own\ndef g(a):\n" DOC BODY, "", "b.py",
        "r1");
    dropped_is(DROP_SEVERAL, 3);
    add("class C:\n    def g(a):\n        return 1\n", "MIT", "b.py", "r1");
    dropped_is(DROP_METHOD, 1);
    add("def g(a):\n" BODY, "MIT", "b.py", "r1");
    dropped_is(DROP_UNDOCUMENTED, 1);
    add("def g(a):\n" DOC "    return 1\n", "MIT", "b.py", "r1");
    dropped_is(DROP_SHORT, 1);
    add("def g(a):\n" DOC "    b()\n    b()\n    b()\n    b()\n    b()\n    b()\n    b()\n    b()\n    b()\n    b()\n"
        "    b()\n", "MIT", "b.py", "r1");
    dropped_is(DROP_SIMPLE, 1);
    add("def g(a):\n" DOC "    if a:\n        b()\n    if c:\n        d()\n    if e:\n        f()\n"
        "    if g:\n        h()\n    i()\n    j()\n    k()\n", "MIT", "b.py", "r1");
    dropped_is(DROP_UNCOMMENTED, 1);
    add("def g(a):\n    \"\"\"Taken From elsewhere.\"\"\"\n" BODY, "MIT", "b.py", "r1");
    dropped_is(DROP_COPIED, 1);
    assert_int_equal(benchmark.count, 1);
}

static void test_order(void **unused)
{
    struct bytes line = { 0 };

    (void)unused;
    add("def h(a):\n" DOC BODY, "Apache-2.0", "c.py", "r1");
    add("def h(a):\n" DOC BODY "    # other\n", "MIT", "d.py", "r2");       /* the same head and documentation */
    add("def h(a):\n" DOC BODY, "MIT", "e.py", "r2");       /* a repository counts once */
    dropped_is(DROP_REPEATED, 2);
    assert_int_equal(benchmark.count, 2);
    benchmark_sort(&benchmark);
    assert_true(slice_equal(benchmark.at[0].signature, SLICE("def h(a):")));
    assert_int_equal(benchmark.at[0].reused, 2);
    assert_int_equal(benchmark.at[1].reused, 1);
    assert_true(slice_equal(benchmark.at[0].license, SLICE("Apache-2.0")));
    assert_prompt(&benchmark.at[1], "import os\n\n\n", "def f(a):\n" DOC);
    assert_true(slice_equal(benchmark.at[1].body, SLICE(BODY)));
    assert_true(slice_equal(benchmark.at[1].id, SLICE("a.py#f@6")));
    assert_true(benchmark.at[1].lines == 11 && benchmark.at[1].complexity == 5 && benchmark.at[1].comments == 1);
    assert_int_equal(benchmark_line(&benchmark.at[1], &line), 0);
    assert_non_null(memmem(line.at, line.len, "\"prompt\": \"import os\\n\\n\\ndef f(a):\\n ", 37));
    assert_non_null(memmem(line.at, line.len, "\"license_type\": \"permissive\"", 28));
    assert_int_equal(line.at[line.len - 1], '\n');
    bytes_free(&line);
    benchmark_free(&benchmark);
}

/* A header is kept once, whatever follows it; functions behind one that is too long are left out. */
static void test_header(void **unused)
{
    struct bytes text = { 0 };
    const char   long_line[] = "x = 'a table, one of many lines of a file that a program wrote: 0123456789'\n";
    const size_t lines = BENCHMARK_HEADER / (sizeof long_line - 1);

    (void)unused;
    benchmark.limits = benchmark_limits_default;
    for (int more = 0; more < 2; more++) {
        text.len = 0;
        for (size_t i = 0; i < lines + (size_t)more; i++)
            assert_int_equal(bytes_append_slice(&text, slice_of(long_line)), 0);
        for (int f = 0; f < 3; f++)
            assert_int_equal(bytes_printf(&text, "def h%d_%d(a):\n" DOC BODY, more, f), 0);
        assert_int_equal(bytes_append(&text, "", 1), 0);
        add(text.at, "MIT", more ? "b.py" : "a.py", "r1");
        dropped_is(DROP_HEADER, more ? 3 : 0);
        assert_int_equal(benchmark.count, 3);
    }
    assert_int_equal(benchmark.at[0].header.len, lines * (sizeof long_line - 1) + 1);
    assert_ptr_equal(benchmark.at[0].header.at, benchmark.at[2].header.at);
    add("# copied from there\nx = 1\ndef k(a):\n" DOC BODY "def l(a):\n" DOC BODY, "MIT", "c.py", "r1");
    dropped_is(DROP_COPIED, 2);
    add("def m(a):\n" DOC BODY, "MIT", "d.py", "r1");      /* nothing stays of the files before */
    assert_int_equal(benchmark.count, 4);
    assert_int_equal(benchmark.at[3].header.len, 0);
    bytes_free(&text);
    benchmark_free(&benchmark);
}

static void by_text(const char *text)
{
    benchmark.published = true;
    add(text, "", "a.py", "r1");
    dropped_is(DROP_UNPARSED, 1);
    dropped_is(DROP_UNDOCUMENTED, 1);                       /* g, whose body goes on to the end */
    assert_int_equal(benchmark.by_text, 1);
    assert_int_equal(benchmark.functions, 2);
    assert_int_equal(benchmark.count, 1);
    assert_prompt(&benchmark.at[0], "import os\n\n\n", "def f(a):\n" DOC);
    assert_true(slice_equal(benchmark.at[0].body, SLICE(BODY "    total = = 1\n\n")));
    assert_true(slice_equal(benchmark.at[0].id, SLICE("a.py#f@4")));
    assert_true(benchmark.at[0].complexity == 5 && benchmark.at[0].lines == 12 && benchmark.at[0].comments == 1);
}

/* A file that a parser cannot read: left out, or cut by text. */
static void test_published(void **unused)
{
    static const char text[] =
        "# SPDX-License-Identifier: MIT\nimport os\n\ndef f(a):\n" DOC BODY "    total = = 1\n\n"
        "def g(a):\n" BODY "class C:\n    def m(self):\n        pass\n";

    (void)unused;
    benchmark.limits = benchmark_limits_default;
    add(text, "", "a.py", "r1");
    assert_int_equal(benchmark.by_text, 0);
    dropped_is(DROP_UNPARSED, functions_exact_known(language_by_name(SLICE("python"))));
    if (benchmark.dropped[DROP_UNPARSED]) {                 /* there is a parser */
        assert_int_equal(benchmark.count, 0);
        by_text(text);
    }
    benchmark_free(&benchmark);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters), cmocka_unit_test(test_order), cmocka_unit_test(test_header),
        cmocka_unit_test(test_published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
