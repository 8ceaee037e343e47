/* tests/unit/near/build.c -- which documents a graph stores, with or without their texts, and its clusters. */
#include "near/build.h"

#include "graph/ids.h"

#include "tests/unit/near/made_result.h"

static void test_stored(void **unused)
{
    /* an item with a streamed copy and one with nothing; two alike in the corpus; three that nobody asks about */
    static const struct made_document document[] = {
        { 0, 0, 1 }, { 0, 1, 2 }, { 0, -1, 3 }, { 1, 2, 4 }, { 1, 3, 5 }, { 1, 2, 6 }, { 2, 3, 7 }, { 2, 0, 8 },
    };
    static const struct { uint32_t dataset; uint64_t number, matches; bool text; } stored[] = {
        { 0, 0, 1, true }, { 0, 1, 0, true }, { 0, 2, 0, true }, { 1, 0, 1, false }, { 1, 2, 1, false },
        { 2, 1, 1, true },
    };
    static const uint32_t cluster[] = { 0, GRAPH_NO_DOCUMENT, GRAPH_NO_DOCUMENT, 3, 3, 0 };
    struct made_near  *m = made_near(document, 8);
    const struct graph_edge *edge;
    struct graph_build build;
    struct graph_document first;
    struct err         err = { 0 };

    (void)unused;
    if (near_build(&build, &m->job, &m->result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(build.graph.document_count, 6);
    for (size_t d = 0; d < 6; d++) {
        struct graph_document        scratch;
        const struct graph_document *g = graph_document_at(&build.graph, d, &scratch);

        assert_int_equal(graph_id_at(&build.graph, d), graph_id(g->dataset, g->number));
        assert_int_equal(build.graph.document_distinct(build.graph.source, d), g->distinct);
        assert_true(g->dataset == stored[d].dataset && g->number == stored[d].number);
        assert_int_equal(g->matches, stored[d].matches);
        assert_int_equal(g->text.len, stored[d].text ? 4 : 0);
        assert_int_equal(g->admitted, d != 2);
        assert_int_equal(g->features, d != 2 ? MADE_TOTAL : MADE_SHORT);
        assert_true(slice_equal(g->language, SLICE("java")) && g->distinct == 20);
        assert_true(g->class_low == 0 && !g->path.at);
    }
    assert_int_equal(build.graph.passes[PASS_NEAR].edge_count, 2);
    edge = build.graph.passes[PASS_NEAR].edges;
    assert_true(edge[0].a == 0 && edge[0].b == 5);        /* places among those stored */
    assert_true(edge[1].a == 3 && edge[1].b == 4);
    assert_int_equal(build.graph.passes[PASS_NEAR].clustered, 4);
    for (size_t d = 0; d < 6; d++) assert_int_equal(build.graph.passes[PASS_NEAR].cluster[d], cluster[d]);
    assert_true(build.graph.overlap_count > 0 && build.graph.dataset_count == 3 && build.graph.shard_count == 3);
    assert_true(!m->result.class_of && !m->result.copy_of && !m->result.same);
    graph_build_free(&build);
    made_free(m);
    m = made_near(document, 8);
    m->run.store_text = false;
    m->options.keep_index = true;
    m->row[0].class_low = 77;
    assert_int_equal(near_build(&build, &m->job, &m->result, &err), 0);
    build.graph.make_document(build.graph.source, 0, &first);
    assert_true(first.text.len == 0 && first.class_low == 77);
    graph_build_free(&build);
    made_free(m);
}

static void test_nothing(void **unused)
{
    struct made_near  *m = made_near(NULL, 0);
    struct graph_build build;
    struct err         err = { 0 };

    (void)unused;
    assert_int_equal(near_build(&build, &m->job, &m->result, &err), 0);
    assert_true(build.graph.document_count == 0 && build.graph.passes[PASS_NEAR].edge_count == 0);
    graph_build_free(&build);
    made_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stored), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
