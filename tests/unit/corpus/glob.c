/* corpus/glob: the paths that a pattern stands for, by hand and against a matcher that walks every path. */
#include "corpus/glob.h"
#include "tests/unit/corpus/sample_folder.h"
#include "tests/unit/draw.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

/* The matches, each with a blank behind it, the base left off. */
static void assert_glob(const char *pattern, const char *want)
{
    struct glob_paths paths = { 0 };
    char              got[2048] = "";
    struct err        err = { 0 };

    assert_int_equal(glob_expand(&paths, folder, pattern, &err), 0);
    for (size_t i = 0; i < paths.count; i++) {
        assert_memory_equal(paths.at[i], folder, strlen(folder));
        strcat(got, paths.at[i] + strlen(folder) + 1);
        strcat(got, " ");
    }
    if (strcmp(got, want)) fail_msg("%s: \"%s\" instead of \"%s\"", pattern, got, want);
    glob_paths_free(&paths);
}

static void test_glob(void **state)
{
    (void)state;
    assert_glob("data/a.zst", "data/a.zst ");
    assert_glob("./data//a.zst", "data/a.zst ");
    assert_glob("data/none", "");
    assert_glob("none/*", "");
    assert_glob("data/a.zst/*", "");
    assert_glob("data/*.zst", "data/B.zst data/a.zst data/b.zst ");
    assert_glob("data/?.zst", "data/B.zst data/a.zst data/b.zst ");
    assert_glob("data/[a-b].zst", "data/a.zst data/b.zst ");
    assert_glob("data/[!a].zst", "data/B.zst data/b.zst ");
    assert_glob("data/.*", "data/.hidden data/.secret ");
    assert_glob("data/\\[x\\].name", "data/[x].name ");
    assert_glob("data/*/c.zst", "data/deep/c.zst data/linked/c.zst ");
    assert_glob("data/**/c.zst", "data/deep/c.zst data/deep/er/c.zst ");
    assert_glob("**/c.zst", "data/deep/c.zst data/deep/er/c.zst ");
    assert_glob("data/deep/**", "data/deep/c.zst data/deep/er/c.zst data/deep/er/d.zst ");
    assert_glob("**/deep/**/*.zst", "data/deep/c.zst data/deep/er/c.zst data/deep/er/d.zst ");
    assert_glob("**/**/d.zst", "data/deep/er/d.zst ");
    assert_glob("data/deep", "data/deep ");
    assert_glob("data/de*/", "data/deep ");
    assert_glob(".", ". ");
    assert_glob(".//./", ". ");
    assert_glob("", "");
    /* What exists by the pattern's very name is meant by it. */
    assert_glob("odd/[br].py", "odd/[br].py ");
    assert_glob("odd/./*.py", "odd/*.py ");
    assert_glob("odd/?.py", "odd/*.py odd/b.py ");
    assert_glob("o[d]d/[br].py", "odd/b.py ");
}

static void assert_folder(const char *base, const char *pattern, const char *want)
{
    struct bytes out = { 0 };

    assert_int_equal(glob_literal_folder(&out, base, pattern), 0);
    assert_string_equal(out.at, want);
    bytes_free(&out);
}

static void test_append(void **state)
{
    struct glob_paths paths = { 0 };
    struct err        err = { 0 };
    char              whole[512], was[512];

    (void)state;
    /* Ascending within a call, behind what was there, and that again when it is asked for again. */
    assert_int_equal(glob_expand(&paths, path_of("data"), "b*", &err), 0);
    assert_int_equal(glob_expand(&paths, path_of("data/"), "[abB].zst", &err), 0);
    snprintf(whole, sizeof whole, "%s", path_of("data/deep/**/*.zst"));
    assert_int_equal(glob_expand(&paths, "/none", whole, &err), 0);             /* the base is of no account */
    assert_int_equal(paths.count, 1 + 3 + 3);
    assert_string_equal(paths.at[0], path_of("data/b.zst"));
    assert_string_equal(paths.at[1], path_of("data/B.zst"));
    assert_string_equal(paths.at[3], path_of("data/b.zst"));
    assert_string_equal(paths.at[6], path_of("data/deep/er/d.zst"));
    glob_paths_free(&paths);
    assert_true(!paths.at && !paths.count);
    glob_paths_free(&paths);

    assert_non_null(getcwd(was, sizeof was));
    assert_int_equal(chdir(path_of("odd")), 0);
    assert_int_equal(glob_expand(&paths, NULL, "./b*", &err), 0);
    assert_int_equal(glob_expand(&paths, "", "**", &err), 0);
    assert_int_equal(chdir(was), 0);
    assert_int_equal(paths.count, 1 + 3);
    assert_string_equal(paths.at[0], "b.py");
    assert_string_equal(paths.at[1], "*.py");
    glob_paths_free(&paths);

    assert_int_equal(symlink("loop", path_of("loop")), 0);
    assert_int_equal(glob_expand(&paths, folder, "loop/*", &err), -EIO);
    assert_int_equal(strncmp(err.text, path_of("loop: cannot read the folder: "), strlen(folder) + 31), 0);
    glob_paths_free(&paths);
}

/* A folder that may be listed but not searched hides what is in it from whoever is not root. */
static void test_not_searched(void **state)
{
    static const char *const patterns[] = { "locked/a.zst", "*/a.zst", "locked/*", "locked/**", "**" };
    const uid_t       was = geteuid();
    struct glob_paths paths = { 0 };
    char              base[] = "/tmp/leakgraph.XXXXXX", locked[64], file[96];

    (void)state;
    assert_non_null(mkdtemp(base));
    snprintf(locked, sizeof locked, "%s/locked", base);
    snprintf(file, sizeof file, "%s/a.zst", locked);
    assert_int_equal(mkdir(locked, 0755), 0);
    write_file(file, "x", 1);
    assert_int_equal(chmod(base, 0755), 0);
    assert_int_equal(chmod(locked, 0444), 0);
    assert_int_equal(was == 0 ? seteuid(65534) : 0, 0);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct err err = { 0 };

        assert_int_equal(glob_expand(&paths, base, patterns[i], &err), -EIO);
        assert_non_null(strstr(err.text, "locked/a.zst: cannot be read: Permission denied"));
        glob_paths_free(&paths);
    }
    assert_int_equal(seteuid(was), 0);
    assert_int_equal(chmod(locked, 0755), 0);
    remove_tree(base);
}

static void test_literal_folder(void **state)
{
    (void)state;
    assert_folder("", "a.zst", "");
    assert_folder("", "a/b/c.zst", "a/b");
    assert_folder("x/", "a/b/*.zst", "x/a/b");
    assert_folder("x", "a/*/c.zst", "x/a");
    assert_folder("x", "**", "x");
    assert_folder("x", "/a/b.zst", "/a");
    assert_folder("x", "/*", "/");
    assert_folder("x", "./a//b/./c", "x/a/b");
    assert_folder("x", "a\\*b/c", "x/a*b");
    assert_folder("x*", "a/b", "x*/a");
}

/* ---- against every path ---- */

static struct { char path[128]; bool folder; } all[200];
static size_t all_count;

static int note(const char *path, const struct stat *is, int kind, struct FTW *place)
{
    (void)is;
    if (place->level) {
        snprintf(all[all_count].path, sizeof all->path, "%s", path + strlen(folder) + 1);
        all[all_count++].folder = kind == FTW_D;
    }
    return 0;
}

/* Whether the path is one that the pattern stands for; neither has links or components that mean nothing. */
static bool matches(const char *pattern, const char *path, bool is_folder)
{
    size_t part = strcspn(pattern, "/"), own = strcspn(path, "/");
    bool   last = !pattern[part], bottom = !path[own];
    char   word[64], name[64];

    snprintf(word, sizeof word, "%.*s", (int)part, pattern);
    snprintf(name, sizeof name, "%.*s", (int)own, path);
    if (strcmp(word, "**") != 0)
        return fnmatch(word, name, FNM_PERIOD) == 0 &&
            (last || bottom ? last && bottom : matches(pattern + part + 1, path + own + 1, is_folder));
    if (last && bottom) return name[0] != '.' && !is_folder;
    return (!last && matches(pattern + part + 1, path, is_folder)) ||
        (!bottom && name[0] != '.' && matches(pattern, path + own + 1, is_folder));
}

static int by_bytes(const void *a, const void *b) { return strcmp(a, b); }

static void test_random(void **state)
{
    static const char *const piece[] = { "a", "b", ".h", "*", "?", "[a-c]", "**", "**", "a*", "*b", "\\a", ".*" };
    static const char *const names[] = { "a", "b", "ab", ".h", "bb" };
    uint64_t                 random = seed_of_run();
    size_t                   found = 0;
    char                     was[sizeof folder];

    (void)state;
    strcpy(was, folder);
    strcpy(folder, path_of("random"));
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i < 60; i++) {                          /* folders that are there already, files in place of them */
        char name[128] = "";

        for (uint64_t depth = 1 + draw(&random) % 4; depth; depth--) {
            snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", *name ? "/" : "",
                     names[draw(&random) % 5]);
            if (depth > 1) mkdir(path_of(name), 0700);
            else if (access(path_of(name), F_OK) < 0) close(open(path_of(name), O_CREAT | O_WRONLY, 0600));
        }
    }
    nftw(folder, note, 16, FTW_PHYS);
    qsort(all, all_count, sizeof *all, by_bytes);
    for (int round = 0; round < 3000; round++) {
        struct glob_paths paths = { 0 };
        struct err        err = { 0 };
        char              pattern[64] = "";
        size_t            at = 0;

        for (uint64_t parts = 1 + draw(&random) % 4; parts; parts--)
            snprintf(pattern + strlen(pattern), sizeof pattern - strlen(pattern), "%s%s", *pattern ? "/" : "",
                     piece[draw(&random) % (sizeof piece / sizeof *piece)]);
        assert_int_equal(glob_expand(&paths, folder, pattern, &err), 0);
        for (size_t i = 0; i < all_count; i++) {
            if (!matches(pattern, all[i].path, all[i].folder)) continue;
            if (at == paths.count || strcmp(paths.at[at] + strlen(folder) + 1, all[i].path))
                fail_msg("%s: %s instead of %s", pattern, at < paths.count ? paths.at[at] : "nothing", all[i].path);
            at++;
        }
        if (at < paths.count) fail_msg("%s: %s too", pattern, paths.at[at]);
        found += at;
        glob_paths_free(&paths);
    }
    assert_true(all_count > 20 && found > 3000);
    strcpy(folder, was);
}

static void test_matches(void **state)
{
    static const struct { const char *pattern, *path; bool want; } cases[] = {
        { "a.c", "a.c", true },           { "a.c", "b/a.c", false },        { "*.c", "a.c", true },
        { "*.c", "b/a.c", false },        { "**/*.c", "a.c", true },        { "**/*.c", "b/d/a.c", true },
        { "tests", "tests", true },       { "tests", "tests/a/b.c", true }, { "tests", "src/tests/a.c", false },
        { "**/tests", "src/tests/a.c", true },                              { "**/tests", "src/mytests/a.c", false },
        { "tests/**", "tests/a", true },  { "tests/**", "tests", false },   { "**", "a/b", true },
        { "a/**/b", "a/b", true },        { "a/**/b", "a/x/y/b/c", true },  { "a/**/b", "a/x/y/c", false },
        { "a/**/b/**/c", "a/b/x/b/y/c", true },                             { "a/**/b/**/c", "a/x/c/b", false },
        { "*", ".hidden", true },         { "**/*.py", ".venv/x.py", true }, { "[ab].c", "b.c", true },
        { "a/b", "./a//b", true },        { "./a", "a", true },             { "a/b/c", "a/b", false },
        { "\\*.c", "*.c", true },         { "\\*.c", "a.c", false },        { ".", "a", false },
        { "a", "", false },               { "**", "", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (glob_matches(cases[i].pattern, slice_of(cases[i].path)) != cases[i].want)
            fail_msg("%s %s: not %d", cases[i].pattern, cases[i].path, cases[i].want);
}

/* Many `**` against a long path that does not match: no more work than lengths multiplied. */
static void test_matches_long(void **state)
{
    char   pattern[400] = "", path[4000];

    (void)state;
    for (size_t i = 0; i < 60; i++) strcat(pattern, "**/a/");
    strcat(pattern, "b");
    for (size_t i = 0; i < sizeof path; i += 2) memcpy(path + i, "a/", 2);
    assert_false(glob_matches(pattern, (struct slice){ path, sizeof path }));
    path[sizeof path - 2] = 'b';
    assert_true(glob_matches(pattern, (struct slice){ path, sizeof path }));
    assert_false(glob_matches("x", (struct slice){ memset(path, 'x', sizeof path), sizeof path }));
}

static void test_from(void **state)
{
    static const struct { const char *base, *pattern, *want; } cases[] = {
        { "/a", "b*", "/a/b*" }, { "/", "b", "/b" }, { "/[a]*?\\", "c/*", "/\\[a]\\*\\?\\\\/c/*" },
        { "/a", "/b/*", "/b/*" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(glob_from(&out, cases[i].base, cases[i].pattern), 0);
        assert_string_equal(out.at, cases[i].want);
        assert_int_equal(out.len, strlen(cases[i].want) + 1);
    }
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_matches), cmocka_unit_test(test_matches_long),
        cmocka_unit_test(test_glob), cmocka_unit_test(test_append),
                                        cmocka_unit_test(test_literal_folder), cmocka_unit_test(test_from),
                                        cmocka_unit_test(test_not_searched),
                                        cmocka_unit_test(test_random) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
