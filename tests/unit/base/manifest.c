/* tests/unit/base/manifest.c -- the list of a run's files: written, read back, and every damage to it told. */
#include "base/manifest.h"

#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char root[64], path[128];

static int set_up(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/leakgraph-manifest-XXXXXX");
    if (!mkdtemp(root)) return -1;
    snprintf(path, sizeof path, "%s/" MANIFEST_FILE, root);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    remove_tree(root);
    return 0;
}

static const char *const places[] = { "graph.db", "clean/b", "clean/a\tb\nc\\d", "clean/\xFF" };

static void write_some(void)
{
    struct manifest manifest = { 0 };
    struct err      err = { 0 };

    for (size_t i = 0; i < 4; i++) {
        struct manifest_entry *entry = manifest_add(&manifest, places[i]);

        assert_non_null(entry);
        entry->written = i != 1;
        entry->sum = (struct file_sum){ 10 + i, 0xABC0 + i, ~0ull - i };
    }
    assert_int_equal(manifest_write(&manifest, root, &err), 0);
    manifest_free(&manifest);
}

static void test_round_trip(void **unused)
{
    struct manifest manifest;
    struct err      err = { 0 };

    (void)unused;
    assert_int_equal(manifest_read(&manifest, root, &err), 0);
    manifest_free(&manifest);
    assert_int_equal(manifest_read(&manifest, "/nowhere", &err), 0);
    manifest_free(&manifest);
    write_some();
    assert_int_equal(manifest_read(&manifest, root, &err), 1);
    assert_int_equal(manifest.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct manifest_entry *entry = manifest_find(&manifest, places[i]);

        assert_non_null(entry);
        assert_int_equal(entry->written, i != 1);
        if (entry->written) assert_true(entry->sum.bytes == 10 + i && entry->sum.low == 0xABC0 + i);
        assert_ptr_equal(manifest_add(&manifest, places[i]), entry);
    }
    assert_null(manifest_find(&manifest, "clean"));
    manifest_free(&manifest);
}

/* A bit, a cut, a line more. */
static void test_damage(void **unused)
{
    struct manifest manifest;
    struct bytes    text = { 0 };
    struct err      err = { 0 };

    (void)unused;
    write_some();
    read_file(path, &text);
    for (size_t i = 0; i < text.len * 8; i++) {
        text.at[i / 8] ^= (char)(1 << i % 8);
        write_file(path, text.at, text.len);
        /* letters of the last line's digits may stand in either case */
        if (manifest_read(&manifest, root, &err) != -EBADMSG) assert_true(i / 8 >= text.len - 37 && i % 8 == 5);
        manifest_free(&manifest);
        text.at[i / 8] ^= (char)(1 << i % 8);
    }
    for (size_t len = 0; len < text.len; len++) {
        write_file(path, text.at, len);
        assert_int_equal(manifest_read(&manifest, root, &err), -EBADMSG);
        manifest_free(&manifest);
    }
    bytes_free(&text);
}

/* Places that lead elsewhere, with a right last line. */
static void test_places(void **unused)
{
    static const char *const wrong[] = { "../x", "/etc/x", "a/../../x", "a//b", "a/", "./a", "" };
    struct err               err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct manifest       manifest;
        struct manifest_entry entry = { .place = (char *)(uintptr_t)wrong[i], .written = true };

        assert_int_equal(manifest_write(&(struct manifest){ .at = &entry, .count = 1 }, root, &err), 0);
        assert_int_equal(manifest_read(&manifest, root, &err), -EBADMSG);
        assert_non_null(strstr(err.text, "line 2"));
        manifest_free(&manifest);
    }
    unlink(path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    {
        struct manifest manifest;

        assert_int_equal(manifest_read(&manifest, root, &err), -EBADMSG);
        manifest_free(&manifest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("base/manifest", tests, NULL, NULL);
}
