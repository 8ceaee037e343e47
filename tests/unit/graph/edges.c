/* tests/unit/graph/edges.c -- scores, names, lists of pairs, and a list on disk that is not one. */
#include "graph/edges.h"

#include "tests/unit/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* Scores of pairs without features, and the kinds that always have score 1. */
static void test_scores(void **state)
{
    struct graph_document documents[2] = { { .distinct = 0 }, { .distinct = 0 } };
    struct graph_fate     fates[2] = { { .distinct = 6 }, { .distinct = 10 } };
    const struct graph    graph = { .documents = documents, .document_count = 2, .fates = fates };
    struct graph_edge     edge = { 0, 1, EDGE_COPY, 0, 0, 0, 0 };

    (void)state;
    assert_true(edge_score(&graph, PASS_NEAR, &edge).set == 1 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_b == 1);
    edge.kind = EDGE_BELOW;
    assert_true(edge_score(&graph, PASS_NEAR, &edge).set == 0 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_a == 0);
    documents[0].distinct = 4;
    documents[1].distinct = 8;
    edge = (struct graph_edge){ 0, 1, EDGE_NEAR, 3, 9, 5, 20 };
    assert_true(edge_score(&graph, PASS_NEAR, &edge).containment_a == 0.75 &&
                edge_score(&graph, PASS_NEAR, &edge).containment_b == 0.375);
    assert_true(edge_score(&graph, PASS_NEAR, &edge).multiset == 0.25);
    /* The other pass counts features of its own view. */
    assert_true(edge_score(&graph, PASS_DEDUP, &edge).containment_a == 0.5 &&
                edge_score(&graph, PASS_DEDUP, &edge).containment_b == 0.3);
}

static void test_names(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < EDGE_KIND_COUNT; kind++)
        assert_int_equal(edge_kind_of(slice_of(edge_kind_names[kind])), kind);
    for (uint32_t pass = 0; pass < GRAPH_PASSES; pass++)
        assert_int_equal(edge_pass_of(slice_of(graph_pass_names[pass])), pass);
    assert_int_equal(edge_kind_of(SLICE("Exact")), EDGE_KIND_COUNT);
    assert_int_equal(edge_kind_of(SLICE("")), EDGE_KIND_COUNT);
    assert_int_equal(edge_pass_of(SLICE("nea")), GRAPH_PASSES);
}

static void test_list(void **state)
{
    struct edge_list list = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(edge_list_add(&list, &(struct graph_edge){ i, i + 1, EDGE_NEAR, 1, 2, 3, 4 }), 0);
    assert_int_equal(list.count, 10000);
    for (uint32_t i = 0; i < 10000; i++) assert_true(list.at[i].a == i && list.at[i].b == i + 1);
    edge_list_free(&list);
    assert_true(!list.at && list.count == 0);
    edge_list_free(&list);
}

/* ---- on disk ---- */

#define HEAD "pass\ta\tb\tkind\tshared\tunion\tmin_sum\tmax_sum\tset_similarity\tmultiset_similarity\t" \
             "containment_a\tcontainment_b\n"

static void pack(const char *path, const char *text)
{
    const size_t room = ZSTD_compressBound(strlen(text));
    char        *packed = malloc(room);
    FILE        *file = fopen(path, "wbe");
    size_t       len;

    assert_true(packed && file);
    len = ZSTD_compress(packed, room, text, strlen(text), 1);
    assert_false(ZSTD_isError(len));
    assert_int_equal(fwrite(packed, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    free(packed);
}

/* Lines as they are written, read again; and every kind of line that is none. */
static void test_disk(void **state)
{
    static const struct { const char *text, *said; } cases[] = {
        { HEAD "near\t1\t6\tnear\t3\t9\t5\t20\t0.3\t0.2\t0.7\t0.3\n"
          "dedup\t6\t1000000000001\tcopy\t0\t0\t0\t0\t1\t1\t1\t1\n", NULL },
        { HEAD, NULL },
        { "", ":1: cut off" }, { "a\n", ":1: not a list of edges" }, { HEAD "near\t1\t6\tnear\t3\t9\t5", ": cut off" },
        { HEAD "near\t1\t6\tnear\t3\t9\t5\n", ":2: not an edge" },
        { HEAD "far\t1\t6\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t6\t6\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t0\t6\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1\t4\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1000000000001\t6\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1\t10000000000000000000000006\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1\t18446744073709551622\tnear\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1\t6\todd\t3\t9\t5\t1\n", ":2: not an" },
        { HEAD "near\t1\t6\tnear\t3\t9\t5\t4294967296\n", ":2: not an" },
        { HEAD "near\t1\t6\tnear\t3\t9\t5\t-1\n", ":2: not an" },
        { HEAD "near\t1\t6\tnear\t\t9\t5\t1\n", ":2: not an" },
    };
    static const struct graph_document documents[] = { { .number = 0 }, { .number = 5 }, { .dataset = 1 } };
    const struct graph                 graph = { .documents = documents, .document_count = 3 };
    char folder[] = "/tmp/leakgraph-edges-XXXXXX", path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/" EDGES_FILE, folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct edge_list list[GRAPH_PASSES] = { 0 };
        struct err       err = { 0 };
        int              rc;

        pack(path, cases[i].text);
        rc = edges_read(path, &graph, list, &err);
        assert_int_equal(rc, cases[i].said ? -EBADMSG : 0);
        if (cases[i].said && (!strstr(err.text, path) || !strstr(err.text, cases[i].said))) fail_msg("%s", err.text);
        if (i == 0) {
            assert_true(list[PASS_NEAR].count == 1 && list[PASS_DEDUP].count == 1);
            assert_true(list[PASS_NEAR].at[0].a == 0 && list[PASS_NEAR].at[0].b == 1 &&
                        list[PASS_NEAR].at[0].max_sum == 20 && list[PASS_DEDUP].at[0].b == 2);
            assert_int_equal(list[PASS_DEDUP].at[0].kind, EDGE_COPY);
        }
        for (int pass = 0; pass < GRAPH_PASSES; pass++) edge_list_free(&list[pass]);
    }
    assert_int_equal(edges_read("/nonexistent-folder/x", &graph, (struct edge_list[GRAPH_PASSES]){ { 0 } },
                                &(struct err){ 0 }), -ENOENT);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores), cmocka_unit_test(test_names), cmocka_unit_test(test_list),
        cmocka_unit_test(test_disk),
    };

    return cmocka_run_group_tests_name("edges", tests, NULL, NULL);
}
