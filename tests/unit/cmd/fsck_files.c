/* tests/unit/cmd/fsck_files.c -- files that the manifest names, or does not: each kind of damage with what is said. */
#include "cmd/fsck_files.h"

#include "base/manifest.h"
#include "tests/unit/made_graph.h"

#include <stdlib.h>

static char         root[64];
static struct bytes said;
static const char  *unknown;

static void line(void *context, const char *check, const char *wrong)
{
    (void)context;
    assert_int_equal(bytes_printf(&said, "%s: %s\n", check, wrong ? wrong : "ok"), 0);
}

/* Failed checks; what was said is in said. */
static int checked(void)
{
    const struct check_report report = { line, NULL };
    struct err                err = { 0 };
    int                       failed;

    said.len = 0;
    failed = fsck_files(root, &report, &unknown, &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(bytes_append(&said, "", 1), 0);
    return failed;
}

static void wrong(const char *text)
{
    assert_int_equal(checked(), 1);
    assert_string_equal(said.at, text);
}

static void put(const char *place, const char *text)
{
    struct err err = { 0 };

    if (inside_write(root, place, slice_of(text), NULL, &err) < 0) fail_msg("%s", err.text);
}

static void drop(const char *place)
{
    struct err err = { 0 };

    assert_int_equal(inside_remove(root, place, &err), 0);
}

static void name_all(bool written)
{
    static const char *const place[] = { "clean/a", "clean/b", "report.md" };
    struct manifest          manifest = { 0 };
    struct err               err = { 0 };

    for (size_t i = 0; i < 3; i++) {
        struct manifest_entry *entry = manifest_add(&manifest, place[i]);

        assert_non_null(entry);
        assert_int_equal(inside_sum(root, place[i], &entry->sum, &err), 0);
        entry->written = i || written;
    }
    assert_int_equal(manifest_write(&manifest, root, &err), 0);
    manifest_free(&manifest);
}

static void test_files(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/leakgraph-fsck-XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(checked(), 0);
    assert_non_null(strstr(unknown, "there is no manifest.tsv"));
    put("clean/a", "1"), put("clean/b", "22"), put("report.md", "333");
    name_all(true);
    assert_int_equal(checked(), 0);
    assert_null(unknown);
    assert_string_equal(said.at, "manifest.tsv: 3 files: ok\n");
    put("run.log", "x");                                    /* of the folder itself only what is read with graph.db */
    assert_int_equal(checked(), 0);

    put("clean/b", "2");
    wrong("clean/b: has 1 bytes, 2 were written\n");
    put("clean/b", "23");
    assert_int_equal(checked(), 1);
    assert_non_null(strstr(said.at, "clean/b: has the xxh3-128 "));
    put("clean/b", "333");
    wrong("clean/b: holds what report.md held when it was written\n");
    drop("clean/b");
    wrong("clean/b: is not there\n");
    put("clean/b", "22");
    put("lists/x", "1");
    wrong("lists/x: is of no run: manifest.tsv does not name it\n");
    drop("lists/x");
    put("graph.db-wal", "1");
    wrong("graph.db-wal: is of no run: manifest.tsv does not name it\n");
    drop("graph.db-wal");
    put("clean/.leakgraph-0123456789abcdef.tmp", "of a killed run");
    assert_int_equal(checked(), 0);
    name_all(false);
    wrong("manifest.tsv: clean/a and 0 more are not finished: the same `leakgraph` command goes on where it was\n");
    put("manifest.tsv", "x");
    wrong("manifest: manifest.tsv: is no manifest, or is cut off\n");
    bytes_free(&said);
    remove_tree(root);
}

/* graph.db tells whether there has to be one. */
static void test_missing(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "");
    strcpy(root, g.folder);
    assert_int_equal(checked(), 0);
    assert_non_null(unknown);
    made_run(&g, "INSERT INTO run VALUES ('contents.run', '0')");
    wrong("manifest.tsv: is not there: the run that wrote graph.db wrote one\n");
    assert_null(unknown);
    bytes_free(&said);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_files), cmocka_unit_test(test_missing) };

    return cmocka_run_group_tests_name("cmd/fsck_files", tests, NULL, NULL);
}
