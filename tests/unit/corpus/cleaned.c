/* tests/unit/corpus/cleaned.c -- values that can stand in a list; what is swept away, and what is not. */
#include "corpus/cleaned.h"

#include "base/file.h"
#include "tests/unit/folder.h"

#include <stdlib.h>

static void test_values(void **unused)
{
    static const struct { struct slice value; const char *written; } rows[] = {
        { SLICE(""), "" }, { SLICE("plain \xC3\xA9"), "plain \xC3\xA9" },
        { SLICE("a\tb\nc\\d"), "a\\x09b\\x0Ac\\x5Cd" },
        { SLICE("\xFFx\xC3"), "\\xFFx\\xC3" }, { SLICE("\x7F\0\x1F "), "\\x7F\\x00\\x1F " },
    };
    struct bytes out = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        out.len = 0;
        assert_int_equal(cleaned_value(&out, rows[i].value), 0);
        if (!slice_equal(bytes_slice(&out), slice_of(rows[i].written))) fail_msg("%.*s", (int)out.len, out.at);
    }
    bytes_free(&out);
}

static char root[64];

static const char *in_root(const char *name)
{
    static char path[FILE_NAME_MAX];

    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static bool is_there(const char *name) { return access(in_root(name), F_OK) == 0; }

/* Of the suffix alone, not what is kept, and nothing behind a link. */
static void test_sweep(void **unused)
{
    static const char *const name[] = { "in/a.jsonl.zst", "in/deep/b.jsonl.zst", "in/keep.jsonl.zst", "in/.jsonl.zst",
                                        "in/c.tsv.zst", "out/d.jsonl.zst" };
    char                     folder[FILE_NAME_MAX], aside[FILE_NAME_MAX], *keep;
    struct err               err = { 0 };
    int                      file;

    (void)unused;
    strcpy(root, "/tmp/test_cleaned.XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(mkdir(in_root("in"), 0777), 0);
    assert_int_equal(mkdir(in_root("in/deep"), 0777), 0);
    assert_int_equal(mkdir(in_root("out"), 0777), 0);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) write_file(in_root(name[i]), "x", 1);
    assert_int_equal(symlink("../out", in_root("in/link")), 0);
    keep = strdup(in_root("in/keep.jsonl.zst"));
    strcpy(folder, in_root("in"));
    file = file_create_aside(folder, aside, &err);
    assert_true(file >= 0);
    close(file);

    assert_int_equal(cleaned_sweep(folder, &keep, 1, CLEANED_SHARD, &err), 0);
    assert_false(is_there("in/a.jsonl.zst") || is_there("in/deep/b.jsonl.zst") || access(aside, F_OK) == 0);
    assert_true(is_there("in/keep.jsonl.zst") && is_there("in/.jsonl.zst") && is_there("in/c.tsv.zst"));
    assert_true(is_there("out/d.jsonl.zst"));
    assert_int_equal(cleaned_sweep(folder, NULL, 0, CLEANED_SHARD, &err), 0);
    assert_false(is_there("in/keep.jsonl.zst"));
    free(keep);
    remove_tree(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_sweep) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
