/* export/export: what may be asked of what; filters; the same bytes again; pairs that lie in a file. */
#include "tests/unit/export/exported.h"

static void assert_refused(const struct made_graph *g, struct export_request request, int code, const char *says)
{
    struct bytes out = { 0 };
    int          rc = exported(g, &request, &out);

    if (rc != code || !strstr(out.at, says)) fail_msg("%d: %s\nnot: %s", rc, out.at, says);
    bytes_free(&out);
}

static void test_refused(void **state)
{
    struct made_graph     g;
    struct export_request pairs = request_of("pairs", "tsv"), request;
    const char *const     no_similarity[] = { "half", "", "0x1p-1", "nan", "inf", "80", "-0.1", "0.9 ", "1e" };

    (void)state;
    made_open(&g, exported_sql);
    assert_refused(&g, request_of("clusters", "sarif"), -EINVAL,
                   "sarif cannot say clusters; these can: tsv, csv, jsonl, parquet");
    assert_refused(&g, request_of("removed", "sarif"), -EINVAL, "these can: tsv, csv, jsonl, parquet, graphml, gexf");
    request = pairs;
    request.filter[EXPORT_BENCHMARK] = "c";
    assert_refused(&g, request, -EINVAL, "--benchmark: the run has no benchmark `c`");
    request = pairs;
    request.filter[EXPORT_DATASET] = "nowhere";
    assert_refused(&g, request, -EINVAL, "--dataset: the run has no dataset `nowhere`");
    request = pairs;
    for (size_t i = 0; i < sizeof no_similarity / sizeof *no_similarity; i++) {
        request.filter[EXPORT_SIMILARITY] = no_similarity[i];
        assert_refused(&g, request, -EINVAL, "--min-similarity takes a number from 0 to 1");
    }
    request = pairs;
    request.columns = "kind,b_pth";
    assert_refused(&g, request, -EINVAL, "--columns: pairs have no column `b_pth`; did you mean `b_path`?");
    request.columns = "kind,b_path,kind";
    assert_refused(&g, request, -EINVAL, "--columns: `kind` stands twice");
    request.format = export_format_find("gexf");
    assert_refused(&g, request, -EINVAL, "gexf has no columns");
    request = request_of("items", "tsv");
    request.filter[EXPORT_DATASET] = "c";
    assert_refused(&g, request, -EINVAL, "items are not chosen by --dataset");
    made_run(&g, "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst')");
    assert_refused(&g, pairs, -EIO, "edges.tsv.zst:1: No such file or directory");
    request = request_of("items", "tsv");
    request.filter[EXPORT_LEAKED] = "";
    assert_refused(&g, request, -EINVAL, "which items leaked is not told without them; ask for `pairs --leaked`");
    made_close(&g);
}

static void assert_rows(const struct made_graph *g, struct export_request request, const char *rows)
{
    struct bytes out = { 0 };

    request.header = false;
    if (exported(g, &request, &out) < 0) fail_msg("%s", out.at);
    assert_string_equal(out.at, rows);
    bytes_free(&out);
}

static void test_filters(void **state)
{
    struct made_graph     g;
    struct export_request request;

    (void)state;
    made_open(&g, exported_sql);
    request = request_of("pairs", "tsv");
    request.columns = "kind,b_source_id";
    assert_rows(&g, request, "exact\tc0\nnear\tc1\nfunction\tc7\n");
    request.filter[EXPORT_BENCHMARK] = "b";
    request.filter[EXPORT_DATASET] = "c";
    request.filter[EXPORT_SIMILARITY] = "0.9";
    assert_rows(&g, request, "exact\tc0\nfunction\tc7\n");
    request.filter[EXPORT_KIND] = "exact";
    request.filter[EXPORT_LEAKED] = "";
    assert_rows(&g, request, "exact\tc0\n");
    request = request_of("items", "tsv");
    request.columns = "source_id";
    request.filter[EXPORT_LEAKED] = "";
    assert_rows(&g, request, "b0\nb1\n");
    request.filter[EXPORT_KIND] = "near";
    assert_rows(&g, request, "b0\n");
    request.filter[EXPORT_KIND] = "ea";                     /* no part of a rule's name is it */
    assert_rows(&g, request, "");
    request = request_of("removed", "tsv");
    request.columns = "output,what,source_id,why,similarity,kept,kept_source_id";
    assert_rows(&g, request, "dedup\tremoved\tc0\tindirect\t\t1\tb0\n");
    request = request_of("clusters", "tsv");
    request.columns = "cluster,source_id";
    assert_rows(&g, request, "1\tb0\n1\tc0\n1\tc1\n");
    request.filter[EXPORT_DATASET] = "b";
    assert_rows(&g, request, "1\tb0\n");
    made_close(&g);
}

static void test_same_bytes(void **state)
{
    struct made_graph g;
    struct bytes      first = { 0 }, again = { 0 };

    (void)state;
    made_open(&g, exported_sql);
    for (const struct export_thing *thing = export_things; thing->name; thing++)
        for (size_t i = 0; export_formats[i]; i++) {
            const struct export_request request = { .thing = thing, .format = export_formats[i], .header = true };

            if (!export_format_takes(export_formats[i], thing)) continue;
            if (exported(&g, &request, &first) < 0)
                fail_msg("%s %s: %s", thing->name, export_formats[i]->name, first.at);
            assert_int_equal(exported(&g, &request, &again), 0);
            assert_int_equal(first.len, again.len);
            assert_memory_equal(first.at, again.at, first.len);
        }
    made_close(&g);
    bytes_free(&first);
    bytes_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_filters),
                                        cmocka_unit_test(test_same_bytes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
