/* tests/unit/cmd/query_graph.c -- copies, copies but for white space, and texts that no document is like. */
#include "cmd/query.h"
#include "tests/unit/cmd/finished.h"
#include "tests/unit/said.h"

#include <math.h>

static struct made_graph g;

static struct query_backend *opened(const struct query_options *options, const char *path)
{
    struct query_backend *backend;
    struct said           said;
    struct err            err = { 0 };
    int                   rc;

    said_begin(&said);
    rc = query_graph_open(&backend, path, options, &err);
    said_end(&said);
    if (rc < 0) fail_msg("%s", err.text);
    assert_non_null(strstr(said.text.at, "near duplicates are not looked for"));
    said_free(&said);
    return backend;
}

static void asks(const struct query_options *options, struct slice text, double expected, const char *line)
{
    struct query_backend *backend = opened(options, g.folder);
    const struct record   record = { .text = text };
    struct bytes          out = { 0 };
    struct err            err = { 0 };
    double                percent = 0;

    assert_int_equal(backend->text(backend, &(struct query_text){ &record, SLICE("n\x1b") }, &out, &percent, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, line);
    /* without an index no more than copies is looked for: nothing found says nothing */
    assert_true(expected > 0 ? percent == expected : isnan(percent));
    backend->close(backend);
    bytes_free(&out);
}

static void test_found(void **unused)
{
    const struct query_options lines = { 0 }, json = { .json = true };

    (void)unused;
    finished_open(&g);
    asks(&lines, SLICE("int a;"), 100, "copy           -        -           -              1  b//0  n\\x1b\n");
    asks(&lines, SLICE("int\n\tb;"), 100, "layout         -        -           -  1000000000008  c/x/7  n\\x1b\n");
    asks(&lines, SLICE("int c;"), 0, "none           -        -           -              -  -  n\\x1b\n");
    asks(&json, SLICE("intb;"), 100, "{\"name\": \"n\\u001b\", \"kind\": \"layout\", \"snippet\": 1000000000008, "
         "\"dataset\": \"c\", \"split\": \"x\", \"id_within_dataset\": 7, \"source_id\": \"second\", "
         "\"path\": \"p\\u001b.c\"}\n");
    asks(&json, SLICE("int c;"), 0, "{\"name\": \"n\\u001b\", \"kind\": \"none\"}\n");
    made_close(&g);
}

static void test_info(void **unused)
{
    const struct query_options lines = { 0 }, json = { .json = true };
    struct query_backend      *backend;
    struct bytes               out = { 0 };
    struct err                 err = { 0 };

    (void)unused;
    finished_open(&g);
    backend = opened(&lines, g.path);                       /* the file itself will do */
    assert_int_equal(backend->info(backend, &out, &err), 0);
    backend->close(backend);
    backend = opened(&json, g.folder);
    assert_int_equal(backend->info(backend, &out, &err), 0);
    backend->close(backend);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "b  1 documents stored\nc  1 documents stored\n"
                                "{\"dataset\": \"b\", \"stored_documents\": 1, \"index\": false}\n"
                                "{\"dataset\": \"c\", \"stored_documents\": 1, \"index\": false}\n");
    bytes_free(&out);
    made_close(&g);
}

/* An index that the run had, and whose units are gone, is no answer of `none`. */
static void test_gone(void **unused)
{
    const struct query_options options = { 0 };
    struct query_backend      *backend;
    struct err                 err = { 0 };

    (void)unused;
    finished_open(&g);
    made_run(&g, "INSERT INTO run VALUES ('near.index', '0123456789abcdef0123456789abcdef'), ('configuration', "
                 "'datasets: [{name: b, role: benchmark, files: x}]' || char(10) || 'near_duplicates: {}')");
    assert_true(query_graph_open(&backend, g.folder, &options, &err) < 0);
    backend->close(backend);
    unlink(g.path);
    assert_int_equal(query_graph_open(&backend, g.path, &options, &err), -ENOENT);
    backend->close(backend);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found), cmocka_unit_test(test_info), cmocka_unit_test(test_gone),
    };

    return cmocka_run_group_tests_name("cmd/query_graph", tests, NULL, NULL);
}
