/* corpus/tree: every file of a tree in the order of its path, their sum, the newest time, and the signature. */
#include "corpus/tree.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_file(const char *name, size_t len)
{
    char text[1000];

    memset(text, 'x', sizeof text);
    write_file(path_of(name), text, len);
}

static void set_time(const char *name, time_t seconds, long nanoseconds)
{
    struct timespec times[2] = { { seconds, nanoseconds }, { seconds, nanoseconds } };

    assert_int_equal(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_tree.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

static const struct dataset set;                            /* leaves nothing out */

static void list(struct tree *tree)
{
    struct err err = { 0 };

    if (tree_list(tree, folder, &set, &err) < 0) fail_msg("%s", err.text);
}

/* "path:bytes " of each file, in order. */
static void assert_files(const struct tree *tree, const char *want)
{
    struct bytes got = { 0 };

    bytes_append(&got, "", 0);
    for (size_t i = 0; i < tree->count; i++) {
        const char *path = tree->paths.at + tree->file[i].path_at;

        assert_int_equal(strlen(path), tree->file[i].path_len);
        bytes_printf(&got, "%s:%llu ", path, (unsigned long long)tree->file[i].bytes);
    }
    assert_int_equal(bytes_append(&got, "", 1), 0);
    assert_string_equal(got.at, want);
    bytes_free(&got);
}

static void test_files(void **state)
{
    struct tree tree;

    (void)state;
    list(&tree);
    assert_int_equal(tree.count, 0);
    assert_int_equal(tree.bytes, 0);
    tree_free(&tree);
    tree_free(&(struct tree){ 0 });

    assert_int_equal(mkdir(path_of("a"), 0700), 0);
    assert_int_equal(mkdir(path_of("a/deep"), 0700), 0);
    assert_int_equal(mkdir(path_of("a/.git"), 0700), 0);
    assert_int_equal(mkdir(path_of("empty"), 0700), 0);
    assert_int_equal(mkdir(path_of(".hidden"), 0700), 0);
    make_file("a/z", 1);
    make_file("a.c", 2);
    make_file("a-b", 3);
    make_file("a/deep/er", 4);
    make_file("a/.git/config", 5);
    make_file(".hidden/h", 6);
    make_file(".gitignore", 7);
    make_file("\xC3\xA9", 8);
    make_file("Z", 0);
    make_file(".git", 9);                                   /* a worktree's, passed over like the folder */
    assert_int_equal(symlink("a.c", path_of("link")), 0);
    assert_int_equal(symlink("nothing", path_of("dangling")), 0);
    assert_int_equal(symlink("..", path_of("a/cycle")), 0);
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    list(&tree);
    assert_files(&tree, ".gitignore:7 .hidden/h:6 Z:0 a-b:3 a.c:2 a/deep/er:4 a/z:1 \xC3\xA9:8 ");
    assert_int_equal(tree.bytes, 7 + 6 + 0 + 3 + 2 + 4 + 1 + 8);
    assert_int_equal(tree.skipped.files[SKIP_LINK], 3);
    assert_int_equal(tree.skipped.files[SKIP_VCS], 2);
    assert_int_equal(skips_sum(&tree.skipped), 5);
    tree_free(&tree);
    assert_true(!tree.file && !tree.paths.at && !tree.count);
}

/* What is in a folder that is passed over counts, however deep, but changes nothing of what the tree is. */
static void test_skipped(void **state)
{
    struct tree tree, more;

    (void)state;
    assert_int_equal(mkdir(path_of(".git"), 0700), 0);
    assert_int_equal(mkdir(path_of(".git/objects"), 0700), 0);
    assert_int_equal(mkdir(path_of("__pycache__"), 0700), 0);
    make_file("a", 1);
    make_file(".git/objects/b", 2);
    make_file("__pycache__/c", 3);
    set_time("", 1000, 0);
    list(&tree);
    assert_files(&tree, "a:1 ");
    assert_true(tree.skipped.files[SKIP_VCS] == 1 && tree.skipped.files[SKIP_CACHE] == 1);
    make_file(".git/objects/d", 4);
    assert_int_equal(symlink("d", path_of(".git/objects/e")), 0);
    assert_int_equal(mkfifo(path_of(".git/fifo"), 0600), 0);
    assert_int_equal(mkdir(path_of(".git/__pycache__"), 0700), 0);
    make_file(".git/__pycache__/f", 5);
    list(&more);
    assert_files(&more, "a:1 ");
    assert_true(more.skipped.files[SKIP_VCS] == 4 && skips_sum(&more.skipped) == 5);
    assert_true(more.signature == tree.signature && more.bytes == tree.bytes && more.mtime_ns == tree.mtime_ns);
    tree_free(&more);
    tree_free(&tree);
}

static uint64_t signature(void)
{
    struct tree   tree;
    XXH3_state_t *hash = XXH3_createState();
    uint64_t      want;

    list(&tree);
    XXH3_64bits_reset(hash);
    for (size_t i = 0; i < tree.count; i++) {
        struct stat is;

        assert_int_equal(stat(path_of(tree.paths.at + tree.file[i].path_at), &is), 0);
        assert_true(tree.file[i].mtime_ns == (int64_t)is.st_mtim.tv_sec * 1000000000 + is.st_mtim.tv_nsec);
        XXH3_64bits_update(hash, tree.paths.at + tree.file[i].path_at, tree.file[i].path_len + 1);
        XXH3_64bits_update(hash, &tree.file[i].bytes, 8);
        XXH3_64bits_update(hash, &tree.file[i].mtime_ns, 8);
    }
    want = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    assert_true(tree.signature == want);
    tree_free(&tree);
    return want;
}

static void test_signature(void **state)
{
    uint64_t first;

    (void)state;
    assert_int_equal(mkdir(path_of("a"), 0700), 0);
    make_file("a/b", 3);
    make_file("c", 4);
    set_time("a/b", 1000, 5);
    set_time("c", 2000, 0);
    first = signature();
    assert_true(signature() == first);
    set_time("a/b", 1000, 6);                               /* a nanosecond */
    assert_true(signature() != first);
    make_file("a/b", 4);
    set_time("a/b", 1000, 5);
    assert_true(signature() != first);
    make_file("a/b", 3);
    set_time("a/b", 1000, 5);
    assert_true(signature() == first);
    assert_int_equal(unlink(path_of("c")), 0);
    assert_true(signature() != first);
}

/* The newest of files and folders: a file that was taken away shows in its folder's time. */
static void test_newest(void **state)
{
    struct tree tree;

    (void)state;
    assert_int_equal(mkdir(path_of("a"), 0700), 0);
    make_file("a/b", 3);
    set_time("a/b", 3000, 7);
    set_time("a", 2000, 0);
    set_time("", 1000, 0);
    list(&tree);
    assert_true(tree.mtime_ns == 3000000000007);
    tree_free(&tree);
    set_time("a", 4000, 9);
    set_time("", 1000, 0);
    list(&tree);
    assert_true(tree.mtime_ns == 4000000000009);
    tree_free(&tree);
    set_time("", 5000, 1);
    list(&tree);
    assert_true(tree.mtime_ns == 5000000000001);
    tree_free(&tree);
}

/* More files and more depth than the lists have room for at first. */
static void test_many(void **state)
{
    struct tree tree;
    char        name[400] = "";

    (void)state;
    for (int depth = 0; depth < 100; depth++) {
        strcat(name, depth ? "/d" : "d");
        assert_int_equal(mkdir(path_of(name), 0700), 0);
    }
    strcat(name, "/bottom");
    make_file(name, 1);
    for (int i = 0; i < 600; i++) {
        snprintf(name, sizeof name, "f%d", i);
        close(open(path_of(name), O_CREAT | O_WRONLY, 0600));
    }
    list(&tree);
    assert_int_equal(tree.count, 601);
    for (size_t i = 1; i < tree.count; i++)
        assert_true(strcmp(tree.paths.at + tree.file[i - 1].path_at, tree.paths.at + tree.file[i].path_at) < 0);
    assert_int_equal(tree.file[0].path_len, 2 * 100 + 6);
    tree_free(&tree);
}

static void test_refused(void **state)
{
    struct tree tree = { .count = 77 };
    struct err  err = { 0 };

    (void)state;
    assert_int_equal(tree_list(&tree, path_of("none"), &set, &err), -EIO);
    assert_non_null(strstr(err.text, "/none: cannot read the folder: "));
    assert_true(!tree.file && !tree.paths.at && !tree.count);
    make_file("plain", 1);
    assert_int_equal(tree_list(&tree, path_of("plain"), &set, &err), -EIO);
    assert_non_null(strstr(err.text, "/plain: cannot read the folder: "));
}

/* A folder that may be listed but not searched hides what is in it from whoever is not root. */
static void test_not_searched(void **state)
{
    const uid_t was = geteuid();
    struct tree tree = { 0 };
    struct err  err = { 0 };

    (void)state;
    assert_int_equal(mkdir(path_of("sub"), 0755), 0);
    assert_int_equal(mkdir(path_of("sub/__pycache__"), 0755), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chmod(path_of("sub"), 0444), 0);
    assert_int_equal(was == 0 ? seteuid(65534) : 0, 0);
    assert_int_equal(tree_list(&tree, folder, &set, &err), 0);          /* what is passed over is no loss */
    tree_free(&tree);
    assert_int_equal(seteuid(was), 0);
    assert_int_equal(chmod(path_of("sub"), 0755), 0);
    make_file("sub/a.c", 1);
    assert_int_equal(chmod(path_of("sub"), 0444), 0);
    assert_int_equal(was == 0 ? seteuid(65534) : 0, 0);
    assert_int_equal(tree_list(&tree, folder, &set, &err), -EIO);
    assert_int_equal(seteuid(was), 0);
    assert_non_null(strstr(err.text, "/sub/a.c: cannot be read: Permission denied"));
    assert_int_equal(chmod(path_of("sub"), 0755), 0);
    tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_signature, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_newest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_searched, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
