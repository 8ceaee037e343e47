/* base/file: whole files appear complete or not at all, folders with their parents, names that are too long. */
#include "base/file.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];                                     /* everything is written below it */

static const char *path_of(const char *name)
{
    static char path[4][512];
    static int  next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_file.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

static void assert_content(const char *path, const char *want, size_t len)
{
    struct bytes got = { 0 };

    read_file(path, &got);
    assert_int_equal(got.len, len);
    assert_memory_equal(got.at, want, len);
    bytes_free(&got);
}

/* Files that lie in a folder, those of file_create_aside counted apart. */
static int count_files(const char *path, int *aside)
{
    DIR           *in = opendir(path);
    struct dirent *entry;
    int            count = 0;

    assert_non_null(in);
    *aside = 0;
    while ((entry = readdir(in))) {
        if (file_is_aside(entry->d_name)) (*aside)++;
        else count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(in);
    return count;
}

/* ---- names ---- */

static void test_names(void **state)
{
    static const struct { const char *path, *folder; } known[] = {
        { "a", "." }, { "", "." }, { "/a", "/" }, { "/", "/" }, { "a/b", "a" }, { "/a/b/c", "/a/b" }, { "./a", "." },
        { "a/", "a" },
    };
    char       out[FILE_NAME_MAX], longest[FILE_NAME_MAX + 4];
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(file_folder(known[i].path, out, &err), 0);
        assert_string_equal(out, known[i].folder);
    }
    assert_int_equal(file_join("a/b", "c", out, &err), 0);
    assert_string_equal(out, "a/b/c");
    for (size_t len = FILE_NAME_MAX - 3; len < FILE_NAME_MAX + 2; len++) {
        memset(longest, 'x', len);
        longest[len] = '\0';                                /* `len` and "/y" */
        assert_int_equal(file_join(longest, "y", out, &err), len + 2 < FILE_NAME_MAX ? 0 : -ENAMETOOLONG);
        if (len + 2 < FILE_NAME_MAX) assert_int_equal(strlen(out), len + 2);
        else assert_non_null(strstr(err.text, "xxx...: name too long"));
        longest[len] = '/';
        longest[len + 1] = '\0';
        assert_int_equal(file_folder(longest, out, &err), len < FILE_NAME_MAX ? 0 : -ENAMETOOLONG);
        if (len < FILE_NAME_MAX) assert_int_equal(strlen(out), len);
    }
    assert_true(file_same_system(folder, "/tmp"));
    assert_false(file_same_system(folder, "/proc"));
    assert_true(file_same_system(path_of("none"), "/proc"));
    assert_true(file_is_aside(".leakgraph-0123456789abcdef.tmp"));
    assert_false(file_is_aside(".leakgraph-0123456789abcde.tmp"));
    assert_false(file_is_aside(".leakgraph-0123456789abcdef.txt"));
    assert_false(file_is_aside(".leakGraph-0123456789abcdef.tmp"));
    assert_false(file_is_aside(""));
}

/* ---- folders ---- */

static void test_make_folder(void **state)
{
    struct err  err = { 0 };
    struct stat is;

    (void)state;
    assert_int_equal(file_make_folder(path_of("a/b/c"), &err), 0);
    assert_true(stat(path_of("a/b/c"), &is) == 0 && S_ISDIR(is.st_mode));
    assert_int_equal(file_make_folder(path_of("a/b/c"), &err), 0);              /* is there */
    assert_int_equal(file_make_folder(path_of("a//d/"), &err), 0);
    assert_true(stat(path_of("a/d"), &is) == 0 && S_ISDIR(is.st_mode));
    assert_int_equal(file_make_folder("/", &err), 0);
    assert_int_equal(symlink("d", path_of("a/link")), 0);
    assert_int_equal(file_make_folder(path_of("a/link/e"), &err), 0);
    assert_int_equal(access(path_of("a/d/e"), F_OK), 0);

    write_file(path_of("plain"), "x", 1);
    assert_int_equal(file_make_folder(path_of("plain"), &err), -ENOTDIR);
    assert_non_null(strstr(err.text, "/plain: is not a folder"));
    assert_int_equal(file_make_folder(path_of("plain/below/more"), &err), -ENOTDIR);
    assert_non_null(strstr(err.text, "/plain: is not a folder"));
    assert_true(file_make_folder("/proc/none/below", &err) < 0);
    assert_int_equal(strncmp(err.text, "/proc/none: cannot make the folder: ", 36), 0);
    assert_int_equal(file_make_folder("", &err), -ENOENT);
}

/* ---- files ---- */

static void test_aside(void **state)
{
    char       name[2][FILE_NAME_MAX];
    struct err err = { 0 };
    int        file[2], aside;

    (void)state;
    for (int i = 0; i < 2; i++) {
        file[i] = file_create_aside(folder, name[i], &err);
        assert_true(file[i] >= 0);
        assert_int_equal(strncmp(name[i], folder, strlen(folder)), 0);
        assert_true(file_is_aside(name[i] + strlen(folder) + 1));
        assert_content(name[i], "", 0);
    }
    assert_string_not_equal(name[0], name[1]);
    assert_int_equal(count_files(folder, &aside), 0);
    assert_int_equal(aside, 2);
    close(file[0]);
    close(file[1]);
    assert_int_equal(file_create_aside(path_of("none"), name[0], &err), -ENOENT);
    assert_non_null(strstr(err.text, "/none: cannot create a file: No such file"));
    memset(name[1], 'x', FILE_NAME_MAX - 10);
    name[1][FILE_NAME_MAX - 10] = '\0';
    assert_int_equal(file_create_aside(name[1], name[0], &err), -ENAMETOOLONG);
}

static void test_write(void **state)
{
    enum { LONG = (1 << 20) + 7 };
    char      *text = malloc(LONG);
    uint64_t   random = seed_of_run();
    struct err err = { 0 };
    int        aside, file;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < LONG; i++) text[i] = (char)draw(&random);
    assert_int_equal(file_write(path_of("out"), (struct slice){ text, LONG }, &err), 0);
    assert_content(path_of("out"), text, LONG);
    assert_int_equal(file_write(path_of("out"), SLICE("new"), &err), 0);        /* replaces */
    assert_content(path_of("out"), "new", 3);
    assert_int_equal(file_write(path_of("empty"), (struct slice){ NULL, 0 }, &err), 0);
    assert_content(path_of("empty"), "", 0);
    assert_int_equal(count_files(folder, &aside), 2);
    assert_int_equal(aside, 0);

    /* Failures leave what was there, and nothing besides. */
    assert_int_equal(mkdir(path_of("taken"), 0700), 0);
    assert_int_equal(file_write(path_of("taken"), SLICE("x"), &err), -EISDIR);
    assert_non_null(strstr(err.text, "/taken: cannot rename to it: "));
    assert_int_equal(file_write(path_of("none/out"), SLICE("x"), &err), -ENOENT);
    assert_int_equal(count_files(folder, &aside), 3);
    assert_int_equal(aside, 0);
    file = open(path_of("out"), O_RDONLY);
    assert_int_equal(file_write_all(file, "out.txt", "x", 1, &err), -EBADF);
    assert_non_null(strstr(err.text, "out.txt: cannot write: "));
    assert_int_equal(file_write_all(file, "out.txt", NULL, 0, &err), 0);
    close(file);
    assert_content(path_of("out"), "new", 3);
    free(text);
}

/* A file of 3 MiB and a bit that lies in `from` gets the name `path`; every byte of it, whatever was there before. */
static void assert_moves(const char *from, const char *path)
{
    enum { LONG = (3 << 20) + 5 };
    char      *text = malloc(LONG), name[FILE_NAME_MAX];
    struct err err = { 0 };
    int        file = file_create_aside(from, name, &err);

    assert_true(text && file >= 0);
    for (size_t i = 0; i < LONG; i++) text[i] = (char)(i * 7 + (i >> 10));
    write_file(path, "old", 3);
    assert_int_equal(file_write_all(file, name, text, LONG, &err), 0);
    if (file_move(file, name, path, &err) < 0) fail_msg("%s", err.text);
    close(file);
    assert_int_equal(access(name, F_OK), -1);
    assert_content(path, text, LONG);
    free(text);
}

/* A move that fails: the text names `says`, `path` is as it was, the file is still under its name. */
static void assert_stays(const char *from, const char *path, int code, const char *says)
{
    char       name[FILE_NAME_MAX];
    struct err err = { 0 };
    int        file = file_create_aside(from, name, &err);

    assert_true(file >= 0);
    assert_int_equal(file_write_all(file, name, "kept", 4, &err), 0);
    assert_int_equal(file_move(file, name, path, &err), code);
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    assert_content(name, "kept", 4);
    close(file);
    unlink(name);
}

static void test_move(void **state)
{
    char other[] = "/dev/shm/test_file.XXXXXX";
    int  aside;

    (void)state;
    assert_int_equal(mkdir(path_of("taken"), 0700), 0);
    assert_moves(folder, path_of("out"));
    assert_stays(folder, path_of("none/out"), -ENOENT, "/none/out: cannot rename to it: ");
    assert_stays(folder, path_of("taken"), -EISDIR, "/taken: cannot rename to it: ");
    if (mkdtemp(other)) {                                   /* on most machines another file system: by a copy */
        assert_moves(other, path_of("out"));
        assert_stays(other, path_of("taken"), -EISDIR, "/taken: cannot rename to it: ");
        assert_stays(other, path_of("none/out"), -ENOENT, "/none");
        assert_int_equal(count_files(other, &aside), 0);
        assert_int_equal(aside, 0);
        remove_tree(other);
    }
    assert_int_equal(count_files(folder, &aside), 2);
    assert_int_equal(aside, 0);
}

static void test_real_path(void **unused)
{
    struct err err = { 0 };
    char      *root, *real;

    (void)unused;
    assert_int_equal(file_real_path(folder, &root, &err), 0);
    assert_non_null(root);
    assert_int_equal(symlink(root, path_of("link")), 0);
    assert_int_equal(file_real_path(path_of("link/link/link"), &real, &err), 0);
    assert_string_equal(real, root);
    free(real);
    assert_int_equal(file_real_path(path_of("nothing"), &real, &err), 0);
    assert_null(real);
    unlink(path_of("link"));
    free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_real_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_make_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_aside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_move, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
