/* export/sink: a file is there complete or not at all; what is no file is refused. */
#include "export/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/unit/folder.h"

static char folder[64], path[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_sink.XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.tsv", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

static size_t files(void)
{
    struct dirent *entry;
    DIR           *list = opendir(folder);
    size_t         count = 0;

    assert_non_null(list);
    while ((entry = readdir(list))) count += *entry->d_name != '.' || entry->d_name[1] > '.';
    closedir(list);
    return count;
}

static void test_commit(void **state)
{
    struct export_sink sink;
    struct stat        there;
    struct err         err = { 0 };

    (void)state;
    assert_int_equal(export_sink_open(&sink, path, &err), 0);
    assert_int_equal(bytes_append(&sink.buffer, "text", 4), 0);
    assert_int_equal(export_sink_flush(&sink, false, &err), 0);
    assert_int_equal(sink.buffer.len, 4);                   /* too little to be written */
    assert_int_equal(export_sink_flush(&sink, true, &err), 0);
    assert_int_equal(export_sink_write(&sink, SLICE(" more"), &err), 0);
    assert_int_not_equal(stat(path, &there), 0);
    assert_int_equal(export_sink_commit(&sink, &err), 0);
    export_sink_close(&sink);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_size, 9);
    assert_int_equal(files(), 1);
}

static void test_abandon(void **state)
{
    struct export_sink sink;
    struct err         err = { 0 };

    (void)state;
    assert_int_equal(export_sink_open(&sink, path, &err), 0);
    assert_int_equal(export_sink_write(&sink, SLICE("half"), &err), 0);
    export_sink_close(&sink);
    assert_int_equal(files(), 0);
}

static void test_refused(void **state)
{
    struct export_sink sink;
    struct err         err = { 0 };
    char               below[160];

    (void)state;
    assert_int_equal(export_sink_open(&sink, "/dev/null", &err), -EINVAL);
    export_sink_close(&sink);
    assert_int_equal(export_sink_open(&sink, folder, &err), -EINVAL);
    export_sink_close(&sink);
    snprintf(below, sizeof below, "%s/nowhere/a.tsv", folder);
    assert_int_equal(export_sink_open(&sink, below, &err), -ENOENT);
    export_sink_close(&sink);
    assert_int_equal(files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_commit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
