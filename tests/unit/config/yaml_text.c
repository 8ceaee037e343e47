/* tests/unit/config/yaml_text.c -- NAME=GLOB taken apart, and the datasets written as settings that read back. */
#include "config/yaml_text.h"
#include "base/option.h"
#include "tests/unit/folder.h"

#include <string.h>

static void test_parse(void **unused)
{
    static const char *const bad[] = { "", "=", "a=", "=b", "ab" };
    struct named_glob glob;
    char              value[300];

    (void)unused;
    assert_true(named_glob_parse(&glob, "mine=data/*.jsonl"));
    assert_string_equal(glob.name, "mine");
    assert_string_equal(glob.glob, "data/*.jsonl");
    assert_true(named_glob_parse(&glob, "a=b=c"));          /* a path may have one too */
    assert_string_equal(glob.name, "a");
    assert_string_equal(glob.glob, "b=c");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(named_glob_parse(&glob, bad[i]));
    memset(value, 'n', sizeof value);
    memcpy(value + sizeof glob.name - 1, "=x", 3);          /* as long as a name may be */
    assert_true(named_glob_parse(&glob, value));
    assert_int_equal(strlen(glob.name), sizeof glob.name - 1);
    memcpy(value + sizeof glob.name - 1, "n=x", 4);
    assert_false(named_glob_parse(&glob, value));
}

static void writes(const struct named_glob *glob, size_t count, const char *language, bool self_join,
                   const char *expected)
{
    struct bytes out = { 0 };
    struct node  root;
    struct err   err = { 0 };

    assert_int_equal(yaml_datasets(&out, glob, count, language, self_join), 0);
    if (node_parse(&root, "made", out.at, out.len, &err) < 0) fail_msg("%s", err.text);
    node_free(&root);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
}

static void test_datasets(void **unused)
{
    const struct named_glob glob[] = {
        { "b", "1", true, "--benchmark" }, { "c", "x: *", false, NULL }, { "b", "2", true, "--benchmark" },
        { "b", "3", false, "--corpus" }, { "c", "4", false, NULL },
    };

    (void)unused;
    writes(glob, 1, NULL, true, "datasets:\n  - name: b  # --benchmark\n    role: benchmark\n"
           "    files: [\"1\"]  # --benchmark\n");
    writes(glob + 1, 1, "C++", true,
           "datasets:\n  - name: c\n    role: corpus\n    language: C++  # --language\n"
           "    self_join: exact  # --self-join\n"
           "    files: [\"x: *\"]\n");
    /* each at the place of its first glob; one name with two roles is two, which the reader refuses */
    writes(glob, 5, NULL, false,
           "datasets:\n  - name: b  # --benchmark\n    role: benchmark\n    files: [\"1\", \"2\"]  # --benchmark\n"
           "  - name: c\n    role: corpus\n    files: [\"x: *\", \"4\"]\n"
           "  - name: b  # --corpus\n    role: corpus\n    files: [\"3\"]  # --corpus\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_parse), cmocka_unit_test(test_datasets) };

    return cmocka_run_group_tests_name("config/yaml_text", tests, NULL, NULL);
}
