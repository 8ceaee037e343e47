/* tests/unit/repository/names.c -- names as they are compared, and lists of renames. */
#include "repository/repository.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_names(void **state)
{
    static const struct { const char *name, *expected; } cases[] = {
        { "Owner/Name", "owner/name" },
        { "  owner/name\t", "owner/name" },
        { "owner/name/", "owner/name" },
        { "owner/name.git", "owner/name" },
        { "owner/name.git/", "owner/name" },
        { "https://github.com/Owner/Name.git", "owner/name" },
        { "http://user@host:80/owner/name", "owner/name" },
        { "git@github.com:Owner/Name.git", "owner/name" },
        { "github.com/Owner/Name.git", "owner/name" },
        { " //GitHub.com/owner/name/", "owner/name" },
        { "www.github.com/owner/name", "owner/name" },
        { "gitlab.com/group/sub/name", "group/sub/name" },
        { "github.com", "" },
        { "github.community/name", "github.community/name" },
        { "my.group/sub/name", "my.group/sub/name" },       /* a group of GitLab may be called so */
        { "ssh://git@host/owner/name", "owner/name" },
        { "/owner/name", "owner/name" },
        { "name", "name" },
        { "owner/.github", "owner/.github" },
        { "https://github.com", "" },
        { "https://", "" },
        { ".git", "" },
        { "///", "" },
        { " ", "" },
        { "", "" },
        { "\xC3\x84rger/X", "\xC3\x84rger/x" },             /* of other letters the case stays */
        { "J\xE4rg/X", "j\xEF\xBF\xBDrg/x" },               /* no UTF-8: as graph.db has it */
        { "owner/name /", "owner/name" },
        { "owner/name.GIT", "owner/name" },
        { "owner/.git", "owner" },
        { "https://host//owner/name", "owner/name" },
        { "//owner//name", "owner//name" },
        { "owner/@scope:name", "owner/@scope:name" },       /* no user@host: before it */
        { "a/b/c", "a/b/c" },
        { "https://git@", "" },
        { "git@host:", "" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(repository_normalise(slice_of(cases[i].name), &out), 0);
        if (!slice_equal(bytes_slice(&out), slice_of(cases[i].expected)))
            fail_msg("`%s` became `%.*s`, not `%s`", cases[i].name, (int)out.len, out.at, cases[i].expected);
    }
    assert_int_equal(repository_normalise((struct slice){ "\0A\0b\0", 5 }, &out), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("a b")));
    bytes_free(&out);
}

static void test_paths(void **state)
{
    static const struct { uint32_t components; const char *repo, *path, *expected; } cases[] = {
        { 2, "a/b", "c/d/e", "a/b" },
        { 2, "", "C/d/e/f.c", "c/d" },
        { 2, "", "./c/d/e", "c/d" },
        { 2, "", "/c/d/e", "c/d" },
        { 2, "", "c/d", "" },                               /* the file itself is no folder */
        { 1, "", "c/d", "c" },
        { 0, "", "c/d/e", "" },
        { 3, "", "host/c/d/e", "host/c/d" },
        { 2, " ", "", "" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct repository_options options = { .path_components = cases[i].components };

        assert_int_equal(repository_of(&options, slice_of(cases[i].repo), slice_of(cases[i].path), &out), 0);
        if (!slice_equal(bytes_slice(&out), slice_of(cases[i].expected)))
            fail_msg("`%s` of `%s` became `%.*s`, not `%s`", cases[i].path, cases[i].repo, (int)out.len, out.at,
                     cases[i].expected);
    }
    bytes_free(&out);
}

/* A list with this content, read. */
static int read_list(const char *content, struct repository_renames *out, struct err *err)
{
    char path[] = "/tmp/test_repository.XXXXXX";
    int  file = mkstemp(path), rc;

    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), (ssize_t)strlen(content));
    close(file);
    rc = repository_renames_read(out, path, err);
    unlink(path);
    return rc;
}

static void test_renames(void **state)
{
    struct repository_renames renames;
    struct err                err = { 0 };

    (void)state;
    assert_int_equal(read_list("# what was\n\nA/B\tc/d\r\nc/d\thttps://host/E/f.git\nx/y\tz/z", &renames, &err), 0);
    assert_int_equal(renames.count, 3);
    assert_true(slice_equal(repository_renamed(&renames, SLICE("a/b")), SLICE("e/f")));
    assert_true(slice_equal(repository_renamed(&renames, SLICE("c/d")), SLICE("e/f")));
    assert_true(slice_equal(repository_renamed(&renames, SLICE("e/f")), SLICE("e/f")));
    assert_true(slice_equal(repository_renamed(&renames, SLICE("x/y")), SLICE("z/z")));
    assert_true(slice_equal(repository_renamed(&renames, SLICE("none")), SLICE("none")));
    repository_renames_free(&renames);
    assert_int_equal(read_list("\xEF\xBB\xBF" "a/b\tc/d\n", &renames, &err), 0);           /* as Notepad writes it */
    assert_true(slice_equal(repository_renamed(&renames, SLICE("a/b")), SLICE("c/d")));
    repository_renames_free(&renames);
    assert_int_equal(read_list("\xEF\xBB\xBF# what was\na/b\tc/d\n", &renames, &err), 0);
    assert_int_equal(renames.count, 1);
    repository_renames_free(&renames);

    assert_int_equal(repository_renames_read(&renames, "", &err), 0);
    assert_true(slice_equal(repository_renamed(&renames, SLICE("a/b")), SLICE("a/b")));
    repository_renames_free(&renames);
}

/* Chains and circles as long as the list: work that grows with its square would not end here. */
static void test_renames_long(void **state)
{
    enum { NAMES = 100000 };
    struct repository_renames renames;
    struct bytes              list = { 0 };
    struct err                err = { 0 };
    char                      name[32];

    (void)state;
    for (int i = 0; i < NAMES; i++) assert_int_equal(bytes_printf(&list, "r/%d\tr/%d\n", i, i + 1), 0);
    assert_int_equal(read_list(list.at, &renames, &err), 0);
    for (int i = 0; i <= NAMES; i++) {
        snprintf(name, sizeof name, "r/%d", i);
        assert_true(slice_equal(repository_renamed(&renames, slice_of(name)), SLICE("r/100000")));
    }
    repository_renames_free(&renames);

    assert_int_equal(bytes_printf(&list, "r/%d\tr/77\n", NAMES), 0);
    assert_int_equal(read_list(list.at, &renames, &err), -EINVAL);
    assert_non_null(strstr(err.text, "in a circle"));
    repository_renames_free(&renames);
    bytes_free(&list);
}

static void test_renames_wrong(void **state)
{
    static const struct { const char *list, *said; } cases[] = {
        { "a/b c/d\n", ":1: a line must be" },
        { "a/b\tc/d\te/f\n", ":1: a line must be" },
        { "a/b\tc/d\na/b\te/f\n", ":2: this name is renamed" },
        { "a/b\t\n", ":1: an empty name" },
        { "\tc/d\n", ":1: an empty name" },
        { "a/b\ta/b\n", "in a circle" },
        { "a/b\tc/d\nc/d\te/f\ne/f\ta/b\n", "in a circle" },
        { "x\ta/b\na/b\tc/d\nc/d\ta/b\n", "in a circle" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct repository_renames renames;
        struct err                err = { 0 };

        assert_int_equal(read_list(cases[i].list, &renames, &err), -EINVAL);
        if (!strstr(err.text, cases[i].said)) fail_msg("`%s` said: %s", cases[i].list, err.text);
        repository_renames_free(&renames);
    }
}

/* No list: no names.  A list that is not there is an error that names it. */
static void test_renames_missing(void **state)
{
    struct repository_renames renames;
    struct err                err = { 0 };

    (void)state;
    assert_int_equal(repository_renames_read(&renames, NULL, &err), 0);
    assert_int_equal(renames.count, 0);
    repository_renames_free(&renames);
    assert_int_equal(repository_renames_read(&renames, "/nowhere/renames.tsv", &err), -EIO);
    assert_non_null(strstr(err.text, "/nowhere/renames.tsv"));
    repository_renames_free(&renames);
    repository_renames_free(&renames);                      /* twice is once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_paths), cmocka_unit_test(test_renames),
            cmocka_unit_test(test_renames_long),
        cmocka_unit_test(test_renames_wrong), cmocka_unit_test(test_renames_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
