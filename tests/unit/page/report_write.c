/* tests/unit/page/report_write.c -- the three files of a report: all of them, the same bytes again on any
 * number of threads, or none. */
#include "page/report_write.h"
#include "tests/unit/page/items_graph.h"

#include <errno.h>

static int fails(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    (void)out, (void)found, (void)db;
    return err_set(err, -EIO, "it cannot");
}

static const struct report_part failing = { .summarise = fails };

static void read_into(const struct made_graph *g, const char *name, struct bytes *out)
{
    char path[120];

    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    out->len = 0;
    read_file(path, out);
}

/* says: in all three */
static void expect_same(const char *sql, const char *says)
{
    struct made_graph g;
    struct err        err = { 0 };
    struct bytes      first = { 0 }, second = { 0 };

    made_open(&g, sql);
    for (size_t i = 0; i < REPORT_WRITE_FILES; i++) {
        assert_int_equal(report_write(g.folder, capability_reports(), capability_tables(), NULL, 1, &err), 0);
        read_into(&g, report_write_names[i], &first);
        if (!memmem(first.at, first.len, says, strlen(says)))
            fail_msg("%s does not say %s", report_write_names[i], says);
        for (int threads = 2; threads < 5; threads++) {
            assert_int_equal(report_write(g.folder, capability_reports(), capability_tables(), NULL, threads, &err),
                             0);
            read_into(&g, report_write_names[i], &second);
            assert_true(slice_equal(bytes_slice(&first), bytes_slice(&second)));
        }
    }
    bytes_free(&first);
    bytes_free(&second);
    made_close(&g);
}

/* So many documents that tables are asked ahead: pairs of dedup, of which the second is removed, and items that leak
 * from documents with licences. */
#define MANY \
    "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 0), ('code', '', 'corpus', 0);" \
    "INSERT INTO run VALUES ('near.view', 'identifiers'), ('dedup.method', 'both'), ('dedup.documents', '9000'), " \
    "('dedup.removed', '4500');" \
    "CREATE TEMP TABLE number AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 8999) " \
    "SELECT n FROM c;" \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, license, license_class, shard, " \
    "record, matches, features, distinct_features, admitted, xxh128) SELECT iif(n < 100, n + 1, 1000000000001 + n), " \
    "'', iif(n < 100, 'bench', 'code'), 'c', '[]', n, iif(n % 3, 'MIT', 'GPL-2.0'), iif(n % 3, 'permissive', 'strong " \
    "copyleft'), 's', n, 1, 30, 20, 1, n FROM number;" \
    "INSERT INTO edges SELECT 'near', n + 1, 1000000000001 + 200 + n, 'near', 8, 10, 8, 10, 0.8, 0.8, 0.9, 0.9 FROM " \
    "number WHERE n < 100;" \
    "INSERT INTO edges SELECT 'dedup', 1000000000001 + n, 1000000000002 + n, iif(n % 4, 'near', 'exact'), 8, 10, 8, " \
    "10, 0.8, 0.8, 0.9, 0.9 FROM number WHERE n >= 100 AND n % 2 = 0;" \
    "INSERT INTO dedup (snippet, kept, canonical, cluster_size, features, distinct_features) SELECT 1000000000001 + " \
    "n, n % 2 = 0, 1000000000001 + n - n % 2, 2, 30, 20 FROM number WHERE n >= 100;" \
    "DROP TABLE number;"

static void test_files(void **unused)
{
    (void)unused;
    expect_same("INSERT INTO run VALUES ('version', '1.0 <b>')", "1.0");
    expect_same(items_sql, "bench");
    expect_same(MANY, "strong copyleft");
}

static void expect_none(const struct made_graph *g)
{
    char path[120];

    for (size_t i = 0; i < REPORT_WRITE_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", g->folder, report_write_names[i]);
        assert_int_equal(access(path, F_OK), -1);
    }
}

static int no_text(void *context, struct show_text *text, size_t count, struct err *err)
{
    (void)context, (void)text, (void)count;
    return err_set(err, -EIO, "no text can be read");
}

/* The items of the page fail, and the document does not: that is told, but the document's own failure before it. */
static void test_items(void **unused)
{
    static const struct show_reader reader = { no_text, NULL };
    const struct report_part *const parts[] = { &failing, NULL };
    struct made_graph g;

    (void)unused;
    made_open(&g, items_sql);
    for (int threads = 1; threads < 4; threads++) {
        struct err err = { 0 };

        assert_int_equal(report_write(g.folder, capability_reports(), capability_tables(), &reader, threads, &err),
                         -EIO);
        assert_string_equal(err.text, "no text can be read");
        assert_int_equal(report_write(g.folder, parts, capability_tables(), &reader, threads, &err), -EIO);
        assert_string_equal(err.text, "it cannot");
    }
    expect_none(&g);
    made_close(&g);
}

static void test_none(void **unused)
{
    const struct report_part *const parts[] = { &failing, NULL };
    struct made_graph g;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, "");
    for (int threads = 1; threads < 4; threads++) {
        err = (struct err){ 0 };
        assert_int_equal(report_write(g.folder, parts, capability_tables(), NULL, threads, &err), -EIO);
        assert_string_equal(err.text, "it cannot");
    }
    expect_none(&g);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_files), cmocka_unit_test(test_items),
                                        cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("page/report_write", tests, NULL, NULL);
}
