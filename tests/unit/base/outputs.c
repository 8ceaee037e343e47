/* tests/unit/base/outputs.c -- places of a run folder: claimed, written, killed, claimed again, and those of others. */
#include "base/outputs.h"

#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char          root[64];
static struct stage *stage;
static struct err    err;

static void again(void)
{
    stage_close(stage);
    stage = NULL;
    err = (struct err){ 0 };
    if (stage_open(&stage, root, true, &err) < 0) fail_msg("%s", err.text);
}

static int set_up(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/leakgraph-outputs-XXXXXX");
    if (!mkdtemp(root)) return -1;
    again();
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    stage_close(stage);
    stage = NULL;
    remove_tree(root);
    return 0;
}

static void put(const char *place, const char *text)
{
    struct file_sum sum;

    if (inside_write(root, place, slice_of(text), &sum, &err) < 0) fail_msg("%s", err.text);
}

static void make(const char *place, const char *text)
{
    struct file_sum sum;

    if (inside_write(root, place, slice_of(text), &sum, &err) < 0 || outputs_wrote(stage, place, &sum, &err) < 0)
        fail_msg("%s", err.text);
}

static bool is_there(const char *place)
{
    struct file_sum sum;
    struct err      ignored = { 0 };

    return inside_sum(root, place, &sum, &ignored) == 0;
}

/* What the manifest on disk says of a place: '-' not named, '?' not written, '=' as it is, '!' another content. */
static char said(const char *place)
{
    struct manifest              manifest;
    const struct manifest_entry *entry;
    struct file_sum              sum;
    struct err                   ignored = { 0 };
    char                         out;

    assert_true(manifest_read(&manifest, root, &ignored) >= 0);
    entry = manifest_find(&manifest, place);
    if (!entry) out = '-';
    else if (!entry->written) out = '?';
    else out = inside_sum(root, place, &sum, &ignored) == 0 && memcmp(&sum, &entry->sum, sizeof sum) == 0 ? '=' : '!';
    manifest_free(&manifest);
    return out;
}

static const char *const ab[] = { "clean/b", "clean/a" };

static void test_run(void **unused)
{
    (void)unused;
    assert_int_equal(outputs_renew(stage, "clean/", ab, NULL, 2, &err), 0);
    assert_true(said("clean/a") == '?' && said("clean/b") == '?');
    make("clean/a", "1");
    assert_int_equal(outputs_finish(stage, &err), 0);
    assert_true(said("clean/a") == '=' && said("clean/b") == '-');          /* nothing stays in b */

    /* another run: b is new, a is there already; what is there besides goes */
    again();
    make("clean/b", "2");
    assert_int_equal(outputs_renew(stage, "clean/", ab, (const bool[]){ false, true }, 2, &err), -EEXIST);
    assert_non_null(strstr(err.text, "clean/b: is there, and manifest.tsv does not name it"));
    assert_true(is_there("clean/b"));
    again();
    assert_int_equal(outputs_renew(stage, "clean/", ab + 1, (const bool[]){ true }, 1, &err), 0);
    assert_int_equal(outputs_finish(stage, &err), 0);
    assert_true(said("clean/a") == '=' && is_there("clean/b"));
    again();
    assert_int_equal(outputs_renew(stage, "clean/", NULL, NULL, 0, &err), 0);
    assert_true(said("clean/a") == '-' && !is_there("clean/a") && is_there("clean/b"));
}

/* A run is killed, and another goes on, or never writes those files. */
static void test_killed(void **unused)
{
    (void)unused;
    assert_int_equal(outputs_renew(stage, "clean/", ab, NULL, 2, &err), 0);
    make("clean/a", "1");
    again();
    assert_int_equal(outputs_renew(stage, "clean/", ab, (const bool[]){ false, true }, 2, &err), 0);
    assert_true(is_there("clean/a"));
    make("clean/b", "2");
    put("clean/a", "changed behind the note");
    assert_int_equal(outputs_finish(stage, &err), 0);
    assert_true(said("clean/a") == '=' && said("clean/b") == '=');

    again();
    assert_int_equal(outputs_renew(stage, "clean/", ab, NULL, 2, &err), 0);
    assert_false(is_there("clean/a"));
    make("clean/a", "1");
    again();
    assert_int_equal(outputs_renew(stage, "lists/", NULL, NULL, 0, &err), 0);
    assert_int_equal(outputs_finish(stage, &err), 0);
    assert_true(!is_there("clean/a") && said("clean/a") == '-');
}

/* A file that a killed run has written, but not entered, is found whole by the next one. */
static void test_kept(void **unused)
{
    static const char *const place[] = { "a.portrait" };

    (void)unused;
    assert_int_equal(outputs_replace(stage, place, 1, false, &err), 0);
    put("a.portrait", "1");
    again();
    assert_int_equal(outputs_keep(stage, place[0], &err), 0);
    assert_int_equal(said("a.portrait"), '?');
    assert_int_equal(outputs_finish(stage, &err), 0);
    assert_true(is_there("a.portrait") && said("a.portrait") == '=');
    again();
    assert_int_equal(outputs_keep(stage, place[0], &err), 0);
    assert_int_equal(said("a.portrait"), '=');
}

static void test_twice(void **unused)
{
    (void)unused;
    assert_int_equal(outputs_renew(stage, "clean/", ab, NULL, 2, &err), 0);
    assert_int_equal(outputs_renew(stage, "clean/a", ab + 1, NULL, 1, &err), -EEXIST);
    assert_non_null(strstr(err.text, "clean/a: two results would be written to this file"));
    assert_int_equal(outputs_replace(stage, ab, 1, true, &err), -EEXIST);
    assert_int_equal(outputs_renew(stage, "clean/", ab, NULL, 2, &err), 0);  /* the same part again */
}

static void test_replace(void **unused)
{
    static const char *const report[] = { "report.md" };

    (void)unused;
    put("report.md", "old");
    assert_int_equal(outputs_replace(stage, report, 1, false, &err), -EEXIST);
    assert_int_equal(outputs_replace(stage, report, 1, true, &err), 0);
    assert_true(is_there("report.md") && said("report.md") == '?');
    put("report.md", "new");
    assert_int_equal(outputs_settle(stage, "report.md", &err), 0);
    assert_int_equal(said("report.md"), '=');
    /* a damaged manifest names nothing */
    put(MANIFEST_FILE, "x");
    again();
    assert_int_equal(outputs_renew(stage, "report.md", report, NULL, 1, &err), -EEXIST);
    assert_true(is_there("report.md"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replace, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("base/outputs", tests, NULL, NULL);
}
