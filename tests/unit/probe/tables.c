/* tests/unit/probe/tables.c -- rows of models, items and values; what pairs in corpora say of an item. */
#include "probe/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static const struct graph_dataset datasets[] = { { .benchmark = true }, { .benchmark = false } };

#define EDGE(x, y, what)    { .a = x, .b = y, .kind = what, .shared = 5, .union_size = 6, .min_sum = 7, .max_sum = 8 }
#define TWINS(x, y) \
    { .a = x, .b = y, .kind = EDGE_EXACT, .shared = 5, .union_size = 5, .min_sum = 7, .max_sum = 7 }

/* Documents 0 to 6 are of the benchmark, 7 and 8 of a corpus. */
static void test_truth(void **unused)
{
    const struct graph_edge edges[] = {
        EDGE(0, 7, EDGE_NEAR), EDGE(1, 2, EDGE_NEAR), EDGE(2, 7, EDGE_BELOW), EDGE(3, 8, EDGE_CONTAINED),
        EDGE(4, 5, EDGE_NEAR), EDGE(6, 8, EDGE_COPY),
    };
    struct graph_document document[9] = { 0 };
    struct graph          graph = { .datasets = datasets, .dataset_count = 2, .documents = document,
                                    .document_count = 9, .passes[PASS_NEAR] = { .edges = edges, .edge_count = 6 } };
    static const int8_t   wanted[7] = { 1, 0, 0, 1, 0, -1, 1 };
    int8_t                truth[9];
    struct err            err = { 0 };

    (void)unused;
    document[7].dataset = document[8].dataset = 1;
    for (size_t d = 0; d < 9; d++) document[d].matches = d == 3 || d == 6 || d == 8 ? 0 : 1;
    document[5].matches = 2;                                /* one of them the graph does not have */
    document[0].matches = 5;                                /* known all the same */
    assert_int_equal(graph_truth_near(&graph, truth, &err), 0);
    for (size_t d = 0; d < 7; d++)
        if (truth[d] != wanted[d]) fail_msg("document %zu: %d", d, truth[d]);
}

/* Of equal documents whose pairs are a star, the middle speaks for all; of merely similar ones it does not. */
static void test_stars(void **unused)
{
    const struct graph_edge edges[] = { TWINS(0, 1), TWINS(0, 2), EDGE(0, 3, EDGE_NEAR), EDGE(0, 4, EDGE_NEAR),
                                        EDGE(4, 6, EDGE_NEAR), TWINS(5, 6) };
    struct graph_document   document[7] = { 0 };
    const struct graph      graph = { .datasets = datasets, .dataset_count = 2, .documents = document,
                                      .document_count = 7, .passes[PASS_NEAR] = { .edges = edges, .edge_count = 6 } };
    int8_t                  truth[7];
    struct err              err = { 0 };

    (void)unused;
    document[4].dataset = 1;
    for (size_t d = 0; d < 7; d++) document[d].matches = 4;
    assert_int_equal(graph_truth_near(&graph, truth, &err), 0);
    assert_int_equal(truth[0], 1);
    assert_int_equal(truth[1], 1);
    assert_int_equal(truth[2], 1);
    assert_int_equal(truth[3], -1);
    assert_int_equal(truth[5], 1);                          /* the middle may be the later one */
}

static bool is(struct slice text, const char *wanted) { return slice_equal(text, slice_of(wanted)); }

static void test_rows(void **unused)
{
    char                 first[] = "m/1", second[] = "m2";
    struct probe_options options = { .models = 2, .model = { { .name = first }, { .name = second } },
                                     .truth = TRUTH_FIELD };
    const struct probe_job job = { .options = &options,
                                   .model = { { .name = "not this", .backend = "ngram", .context = 0, .vocabulary = 9,
                                                .parameters = UINT64_MAX, .key = { 3, 4 } },
                                              { .backend = "http", .context = 2048, .parameters = 7 } } };
    /* record 1 of shard 0 is not stored */
    struct graph_document document[] = { { .shard = 0, .record = 0 }, { .shard = 0, .record = 2 },
                                         { .shard = 1, .record = 1 } };
    struct probe_asked    item[] = { { 0, 0, KNOWN_IN }, { 1, 0, KNOWN_IN }, { 2, 0, KNOWN_OUT }, { 1, 1, KNOWN_NOT } };
    struct probe_value    value[] = { { 0, 0.5, 0, 0, METRIC_NLL, 0 }, { 1, 9, 0, 0, METRIC_NLL, 0 },
                                      { 2, 1.5, 0, 1, METRIC_RATIO, 0 }, { 1, 2.5, 1, 0, METRIC_RATIO, 1 } };
    struct probe_gap      gap[] = { { 1, METRIC_ZLIB, 2, "because" }, { 0, METRIC_COUNT, 3, "none at all" },
                                      { 0, METRIC_ORDER, 1, "too long" } };
    struct probe_ordered  ordered[] = { { -1.5, 7, 0, 1, 2, 3, 4 } };
    const struct probe_result result = { .value = value, .count = 4, .gap = gap, .gaps = 3, .item = item, .items = 4,
                                         .ordered = ordered, .orders = 1 };
    struct graph_build    build = { .graph = { .documents = document, .document_count = 3 } };
    const struct graph   *g = &build.graph;
    const struct graph_model      *model;
    const struct graph_probe_item *asked;
    const struct graph_probe      *probe;
    const struct graph_probe_gap  *missing;
    const struct graph_probe_order *order;
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_probes(&build, &job, &result, &err), 0);
    model = graph_rows_of(g, &table_models).rows;
    asked = graph_rows_of(g, &table_probe_items).rows;
    probe = graph_rows_of(g, &table_probes).rows;
    missing = graph_rows_of(g, &table_probe_gaps).rows;
    assert_int_equal(graph_rows_of(g, &table_models).count, 2);
    assert_true(is(model[0].name, "m/1") && is(model[0].backend, "ngram") && model[0].context == -1 &&
                model[0].vocabulary == 9 && model[0].parameters == -1 && model[0].key_low == 3 &&
                model[0].key_high == 4);
    assert_true(model[1].context == 2048 && model[1].vocabulary == -1 && model[1].parameters == 7);

    assert_int_equal(graph_rows_of(g, &table_probe_items).count, 3);
    assert_true(asked[0].document == 0 && asked[0].truth == 1);
    assert_true(asked[1].document == 1 && asked[1].truth == 0);
    assert_true(asked[2].document == 2 && asked[2].truth == -1);

    assert_int_equal(graph_rows_of(g, &table_probes).count, 3);
    assert_true(probe[0].document == 0 && probe[0].value == 0.5 && is(probe[0].metric, "nll"));
    assert_true(probe[1].document == 1 && probe[1].model == 1 && is(probe[1].metric, "ratio:m/1"));
    assert_true(probe[2].document == 2 && probe[2].model == 0 && is(probe[2].metric, "ratio:m2"));

    order = graph_rows_of(g, &table_probe_orders).rows;
    assert_int_equal(graph_rows_of(g, &table_probe_orders).count, 1);
    assert_true(order->logprob == -1.5 && order->tokens == 7 && order->dataset == 0 && order->model == 1 &&
                order->shard == 2 && order->permutation == 3 && order->items == 4);

    assert_int_equal(graph_rows_of(g, &table_probe_gaps).count, 3);
    assert_true(missing[0].model == 1 && missing[0].items == 2 && is(missing[0].metric, "zlib") &&
                is(missing[0].reason, "because"));
    assert_true(missing[1].metric.len == 0);
    assert_true(is(missing[2].metric, "order"));
    graph_build_free(&build);
}

/* With `truth: near` it is the pairs that tell. */
static void test_near(void **unused)
{
    struct probe_options      options = { .truth = TRUTH_NEAR };
    const struct probe_job    job = { .options = &options };
    const struct graph_edge   edges[] = { EDGE(1, 2, EDGE_COPY) };
    struct graph_document     document[] = { { .record = 0 }, { .record = 1 }, { .dataset = 1, .shard = 1 } };
    struct probe_asked        item[] = { { 0, 0, KNOWN_IN }, { 1, 0, KNOWN_NOT } };
    const struct probe_result result = { .item = item, .items = 2 };
    struct graph_build        build = { .graph = { .datasets = datasets, .dataset_count = 2, .documents = document,
                                                   .document_count = 3,
                                                   .passes[PASS_NEAR] = { .edges = edges, .edge_count = 1 } } };
    struct err                err = { 0 };
    struct graph_rows         asked;

    (void)unused;
    assert_int_equal(graph_add_probes(&build, &job, &result, &err), 0);
    asked = graph_rows_of(&build.graph, &table_probe_items);
    assert_int_equal(asked.count, 2);
    assert_int_equal(((const struct graph_probe_item *)asked.rows)[0].truth, 0);
    assert_int_equal(((const struct graph_probe_item *)asked.rows)[1].truth, 1);
    assert_int_equal(graph_rows_of(&build.graph, &table_probes).count, 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_models).count, 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_probe_gaps).count, 0);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_truth), cmocka_unit_test(test_stars),
                                        cmocka_unit_test(test_rows), cmocka_unit_test(test_near) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
