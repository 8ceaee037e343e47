/* tests/unit/config/said.c -- lines of settings that nobody wrote, and settings that stand for other options, told in
 * the words of the command line. */
#include "config/said.h"
#include "tests/unit/folder.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "datasets:\n  - name: a  # --benchmark\n    role: benchmark\nview: x  # --view";
static const char *const set[] = { "datasets.*.fields.text=code", "datasets.mi.fields.text=a=bcd", "dedup.view=t",
                                   "dedup.view=u", "output=" };
static const struct said_option said[] = { { "--field", "text=code" }, { "--field", "mi.text=a=bcd" }, { NULL, NULL },
                                    { "--view", "u" }, { "--output", "" } };

static void becomes(const char *before, const char *after)
{
    struct err err = { 0 };

    err_set(&err, -1, "%s", before);
    said_explain(&err, "overlap", text, set, said, sizeof set / sizeof *set);
    assert_string_equal(err.text, after);
}

static void test_lines(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    becomes("overlap:4: unknown view `x`", "--view: unknown view `x`");
    becomes("overlap:2: two datasets", "--benchmark: two datasets");
    becomes("overlap:1: nothing to compare", "overlap: nothing to compare");
    becomes("overlap:3: role", "overlap: role");
    becomes("overlap:9: beyond the end", "overlap: beyond the end");
    becomes("overlap: without a line", "overlap: without a line");
    becomes("overlap:x", "overlap:x");
    becomes("a file overlap:4: x", "a file overlap:4: x");
    err_set(&err, -1, "run.yaml:4: x");                     /* a file has lines */
    said_explain(&err, "run.yaml", NULL, NULL, NULL, 0);
    assert_string_equal(err.text, "run.yaml:4: x");
}

static void test_settings(void **unused)
{
    (void)unused;
    becomes("--set datasets.mo.fields.text=code: no item", "--field text=code: no item");
    becomes("--set datasets.0.fields.text: twice", "--field text=code: twice");
    becomes("--set datasets.mi.fields.text=a=bcd: no item", "--field mi.text=a=bcd: no item");
    becomes("--set datasets.mi.fields.text=a=b: cut", "--field mi.text=a=bcd: cut");
    becomes("--set dedup.view: unknown", "--view u: unknown");                      /* the last one counts */
    becomes("--set output: has no value", "--output: has no value");
    becomes("--set dedup.viewer: unknown", "--set dedup.viewer: unknown");
    becomes("--set datasets.mi.fields.id: x", "--set datasets.mi.fields.id: x");
    becomes("folder: --set output: x", "folder: --output: x");
}

static void test_long(void **unused)
{
    char       value[300];
    struct err err = { 0 };

    (void)unused;
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    err_set(&err, -1, "--set output: %0*d", (int)sizeof err.text - 15, 0);
    said_explain(&err, "overlap", text, &(const char *){ "output=v" }, &(struct said_option){ "--output", value }, 1);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_memory_equal(err.text, "--output vvv", 12);
    assert_memory_equal(err.text + 9 + 200, ": 000", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines), cmocka_unit_test(test_settings),
                                        cmocka_unit_test(test_long) };

    return cmocka_run_group_tests_name("config/said", tests, NULL, NULL);
}
