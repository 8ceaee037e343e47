/* tests/unit/base/inside.c -- files below a run folder: written, removed, walked, and never through a link. */
#include "base/inside.h"

#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char root[64], other[64];

static const char *at(const char *folder, const char *name)
{
    static char path[2][FILE_NAME_MAX];
    static int  turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static bool is_there(const char *path)
{
    struct stat is;

    return lstat(path, &is) == 0;
}

static int set_up(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/leakgraph-inside-XXXXXX");
    strcpy(other, "/tmp/leakgraph-other-XXXXXX");
    return mkdtemp(root) && mkdtemp(other) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    remove_tree(root);
    remove_tree(other);
    return 0;
}

static void test_write(void **unused)
{
    struct inside_file file;
    struct file_sum    sum, read;
    XXH128_hash_t      whole;
    struct bytes       text = { 0 };
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(inside_write(root, "a/b/c", SLICE("text"), &sum, &err), 0);
    read_file(at(root, "a/b/c"), &text);
    assert_string_equal(text.at, "text");
    assert_int_equal(inside_sum(root, "a/b/c", &read, &err), 0);
    assert_true(sum.bytes == 4 && memcmp(&sum, &read, sizeof sum) == 0);
    whole = XXH3_128bits("text", 4);
    assert_true(sum.high == whole.high64 && sum.low == whole.low64);
    assert_int_equal(inside_create(&file, root, "a/b/c", &err), 0);
    assert_int_equal(inside_append(&file, "x", 1, &err), 0);
    inside_abandon(&file);
    inside_abandon(&file);
    read_file(at(root, "a/b/c"), &text);
    assert_string_equal(text.at, "text");
    assert_int_equal(inside_sum(root, "a/none", &read, &err), -ENOENT);
    assert_int_equal(inside_sum(root, "a/b", &read, &err), -EBADMSG);
    assert_int_equal(inside_remove(root, "a/b/c", &err), 0);
    assert_false(is_there(at(root, "a/b/c")));
    assert_int_equal(inside_remove(root, "a/b/c", &err), 0);
    assert_int_equal(inside_remove(root, "none/c", &err), 0);
    assert_int_equal(err.code, 0);
    bytes_free(&text);
}

static void test_links(void **unused)
{
    struct file_sum sum;
    struct err      err = { 0 };

    (void)unused;
    write_file(at(other, "victim"), "x", 1);
    assert_int_equal(symlink(other, at(root, "link")), 0);
    assert_int_equal(symlink(at(other, "victim"), at(root, "file")), 0);
    assert_int_equal(inside_write(root, "link/victim", SLICE("y"), NULL, &err), -ELOOP);
    assert_non_null(strstr(err.text, "link: is a symbolic link"));
    assert_int_equal(inside_remove(root, "link/victim", &err), -ELOOP);
    assert_int_equal(inside_write(root, "file/below", SLICE("y"), NULL, &err), -ELOOP);
    assert_int_equal(inside_sum(root, "file", &sum, &err), -ELOOP);
    assert_int_equal(inside_sum(root, "link/victim", &sum, &err), -ELOOP);
    assert_int_equal(inside_write(root, "file", SLICE("mine"), NULL, &err), 0);     /* the link is replaced */
    assert_int_equal(inside_sum(root, "file", &sum, &err), 0);
    assert_int_equal(symlink(at(other, "victim"), at(root, "gone")), 0);
    assert_int_equal(inside_remove(root, "gone", &err), 0);                         /* the link goes */
    assert_false(is_there(at(root, "gone")));
    assert_int_equal(inside_sum(other, "victim", &sum, &err), 0);
    assert_int_equal(sum.bytes, 1);

    assert_int_equal(inside_write(root, "../x", SLICE("y"), NULL, &err), -EINVAL);
    assert_int_equal(inside_write(root, "a/..", SLICE("y"), NULL, &err), -EINVAL);
    assert_int_equal(inside_write(root, "a/", SLICE("y"), NULL, &err), -EINVAL);
    assert_int_equal(inside_write(root, "file/b", SLICE("y"), NULL, &err), -ENOTDIR);
}

static int list(void *context, const struct inside_entry *entry, struct err *err)
{
    (void)err;
    return bytes_printf(context, "%s%s ", entry->place, entry->plain ? "" : "!");
}

static void test_walk(void **unused)
{
    static const char aside[] = ".leakgraph-0123456789abcdef.tmp";
    struct bytes      seen = { 0 };
    struct err        err = { 0 };
    char              used[FILE_NAME_MAX], place[64];
    int               file;

    (void)unused;
    assert_int_equal(inside_write(root, "a/b/c", SLICE("x"), NULL, &err), 0);
    assert_int_equal(symlink(other, at(root, "a/b/link")), 0);
    write_file(at(other, aside), "x", 1);
    assert_int_equal(inside_walk(root, "a", list, &seen, &err), 0);
    assert_int_equal(bytes_append(&seen, "", 1), 0);
    assert_true(strcmp(seen.at, "a/b/c a/b/link! ") == 0 || strcmp(seen.at, "a/b/link! a/b/c ") == 0);
    bytes_free(&seen);
    assert_int_equal(inside_walk(root, "none", list, &seen, &err), 0);
    assert_int_equal(inside_walk(root, "a/b/link", list, &seen, &err), -ELOOP);

    /* What a killed run has left goes, not what is in use, and nothing behind a link. */
    snprintf(place, sizeof place, "a/b/%s", aside);
    write_file(at(root, place), "x", 1);
    file = file_create_aside(at(root, "a/b"), used, &err);
    assert_true(file >= 0);
    assert_int_equal(inside_sweep(root, "a", &err), 0);
    assert_false(is_there(at(root, place)));
    assert_true(is_there(used));
    assert_true(is_there(at(other, aside)) && is_there(at(root, "a/b/c")));
    close(file);
    assert_int_equal(inside_sweep(root, "a", &err), 0);
    assert_false(is_there(used));
    write_file(at(other, aside), "x", 1);
    file_sweep_folder(other, FILE_FRESH);                   /* others may be about to lock it */
    assert_true(is_there(at(other, aside)));
    file_sweep_folder(other, 0);
    assert_false(is_there(at(other, aside)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_walk, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("base/inside", tests, NULL, NULL);
}
