/* tests/unit/page/clusters.c -- members and pairs of a cluster, each cluster once. */
#include "page/clusters.h"
#include "tests/unit/page/items_graph.h"

static void test_clusters(void **unused)
{
    struct made_graph g;
    struct clusters   clusters = { 0 };
    struct err        err = { 0 };
    int64_t           number;

    (void)unused;
    made_open(&g, items_sql);
    clusters.db = made_read(&g);
    assert_int_equal(clusters_add(&clusters, 4, &number, &err), 0);
    assert_int_equal(number, -1);
    assert_int_equal(clusters_add(&clusters, 2, &number, &err), 0);
    assert_int_equal(number, 0);
    assert_int_equal(clusters_add(&clusters, 1, &number, &err), 0);
    assert_int_equal(number, 0);
    assert_int_equal(bytes_append(&clusters.json, "", 1), 0);
    assert_string_equal(clusters.json.at,
                        "{\"members\":[[0,2,\"src/two.py\"],[0,1,\"src/one.py\"],[2,1,\"lib/x.py\"],[2,2,\"y\"]],"
                        "\"size\":4,"
                        "\"pairs\":[[1,0,1000,1],[1,2,800,0],[1,3,750,0]]}");
    graph_close(clusters.db);
    clusters_free(&clusters);
    made_close(&g);
}

/* A large one: the item is among those that are shown. */
static void test_large(void **unused)
{
    struct made_graph g;
    struct clusters   clusters = { 0 };
    struct bytes      sql = { 0 };
    struct err        err = { 0 };
    int64_t           number;
    size_t            members = 0;

    (void)unused;
    made_open(&g, items_sql);
    for (int i = 10; i < 110; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets SELECT %d, snippet, dataset, language, tokens, %d, "
                                      "split_within_dataset, 'n%d', NULL, repo, license, license_class, license_from, "
                                      "holders, shard, record, matches, features, distinct_features, admitted, xxh128, "
                                      "xxh128_squeezed, features_xxh128 FROM snippets WHERE id = 1; INSERT INTO "
                                      "clusters "
                                      "VALUES ('near', %d, 10);", i, i - 1, i, i), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    made_run(&g, sql.at);
    clusters.db = made_read(&g);
    assert_int_equal(clusters_add(&clusters, 109, &number, &err), 0);
    assert_int_equal(bytes_append(&clusters.json, "", 1), 0);
    assert_non_null(strstr(clusters.json.at, "[[0,109,\"n109\"],[0,10,\"n10\"],"));
    assert_non_null(strstr(clusters.json.at, "\"size\":100,"));
    for (const char *at = clusters.json.at; (at = strstr(at, ",\"n")); at++) members++;
    assert_int_equal(members, CLUSTER_MEMBERS);
    graph_close(clusters.db);
    clusters_free(&clusters);
    bytes_free(&sql);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_clusters), cmocka_unit_test(test_large) };

    return cmocka_run_group_tests_name("page/clusters", tests, NULL, NULL);
}
