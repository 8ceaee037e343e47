/* export/edge_list: a run whose pairs are in a list gives the same as one that has them in graph.db; damage is told. */
#include "export/edge_list.h"

#include "tests/unit/export/exported.h"

#include "graph/edges.h"
#include "graph/store.h"
#include "tests/unit/sample_graph.h"

#include <unistd.h>

enum { EDGES = 3000 };

/* The same graph twice: with its pairs, and with a list of them. */
struct world { struct made_graph whole, aside; };

static void write_graph(struct sample *sample, struct made_graph *g, uint64_t limit)
{
    struct err err = { 0 };

    *g = (struct made_graph){ .folder = "/tmp/leakgraph-list-XXXXXX" };
    assert_non_null(mkdtemp(g->folder));
    snprintf(g->path, sizeof g->path, "%s/graph.db", g->folder);
    if (store_write(&sample->graph, capability_tables(), g->path,
                    (char[33]){ "0123456789abcdef0123456789abcdef" }, limit, 1, &err) < 0)
        fail_msg("%s", err.text);
}

static void open_world(struct world *w)
{
    struct sample sample;

    sample_open(&sample, 5, 400, EDGES);
    sample_add_dedup(&sample);
    write_graph(&sample, &w->whole, UINT64_MAX);
    write_graph(&sample, &w->aside, 10);
    sample_close(&sample);
}

static void close_world(struct world *w)
{
    made_close(&w->whole);
    made_close(&w->aside);
}

static void test_same(void **state)
{
    struct world          w;
    struct bytes          whole = { 0 }, aside = { 0 };
    struct export_request request = request_of("pairs", "tsv");

    (void)state;
    open_world(&w);
    request.columns = "pass,kind,a,a_dataset,a_path,b,b_split,b_record,shared,union,min_sum,max_sum";
    assert_int_equal(exported(&w.whole, &request, &whole), 0);
    if (exported(&w.aside, &request, &aside) < 0) fail_msg("%s", aside.at);
    assert_string_equal(whole.at, aside.at);
    assert_true(whole.len > 10000);
    /* all of it: nodes are a query of their own over the same list */
    request = request_of("pairs", "graphml");
    request.filter[EXPORT_KIND] = "exact";
    assert_int_equal(exported(&w.whole, &request, &whole), 0);
    assert_int_equal(exported(&w.aside, &request, &aside), 0);
    assert_string_equal(whole.at, aside.at);                /* exact pairs have no digits to be cut */
    close_world(&w);
    bytes_free(&whole);
    bytes_free(&aside);
}

static void test_damage(void **state)
{
    struct world          w;
    struct bytes          out = { 0 };
    struct export_request request = request_of("pairs", "tsv");
    char                  path[100];

    (void)state;
    open_world(&w);
    snprintf(path, sizeof path, "%s/" EDGES_FILE, w.aside.folder);
    assert_int_equal(truncate(path, 400), 0);
    assert_true(exported(&w.aside, &request, &out) < 0);
    assert_says(&out, EDGES_FILE);
    assert_says(&out, "cut off");
    assert_int_equal(truncate(path, 0), 0);
    assert_true(exported(&w.aside, &request, &out) < 0);
    assert_says(&out, "no list");
    assert_int_equal(unlink(path), 0);
    assert_true(exported(&w.aside, &request, &out) < 0);
    assert_says(&out, "No such file");
    close_world(&w);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same), cmocka_unit_test(test_damage) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
