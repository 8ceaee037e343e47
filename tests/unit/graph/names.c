/* tests/unit/graph/names.c -- documents stand in the order of their names' bytes, whoever makes them. */
#include "graph/names.h"

#include "tests/unit/sample_graph.h"

#include "graph/ids.h"

static uint64_t seed;

/* The name as names.h tells it. */
static void name_of(const struct graph *graph, uint32_t document, struct bytes *out)
{
    const struct graph_document *d = &graph->documents[document];

    out->len = 0;
    assert_int_equal(graph_names_escape(out, graph->datasets[d->dataset].name), 0);
    assert_int_equal(bytes_append(out, "/", 1), 0);
    assert_int_equal(graph_names_escape(out, d->split), 0);
    assert_int_equal(bytes_printf(out, "/%llu", (unsigned long long)d->number), 0);
}

/* Every rank has the name of its document, at most as long as is said, and one larger than that before it. */
static void check(const struct graph_names *names, const struct graph *graph)
{
    struct bytes expected = { 0 }, before = { 0 };
    char        *at = malloc(graph_names_most(names));

    assert_non_null(at);
    for (uint32_t rank = 0; rank < graph->document_count; rank++) {
        const struct slice name = { at, (size_t)(graph_names_put(names, at, rank) - at) };

        assert_int_equal(names->rank[names->document[rank]], rank);
        assert_true(name.len <= graph_names_most(names));
        name_of(graph, names->document[rank], &expected);
        assert_true(slice_equal(name, bytes_slice(&expected)));
        if (rank) assert_true(slice_compare(bytes_slice(&before), name) < 0);
        before.len = 0;
        assert_int_equal(bytes_append_slice(&before, name), 0);
    }
    free(at);
    bytes_free(&expected);
    bytes_free(&before);
}

static const struct sample *made_from;

static void make(void *source, size_t i, struct graph_document *out)
{
    (void)source;
    *out = made_from->document[i];
}

static uint64_t make_id(void *source, size_t i)
{
    (void)source;
    return graph_id(made_from->document[i].dataset, made_from->document[i].number);
}

static void test_order(void **state)
{
    (void)state;
    for (size_t round = 0; round < 4; round++) {
        struct sample      sample;
        struct graph_names names;
        struct graph       made;

        sample_open(&sample, seed + round, 40 + round * 700, 10);       /* numbers of up to three digits */
        assert_int_equal(graph_names_open(&names, &sample.graph), 0);
        check(&names, &sample.graph);
        graph_names_free(&names);
        made = sample.graph;                                /* documents that are made one at a time */
        made_from = &sample;
        made.documents = NULL;
        made.make_document = make;
        made.document_id = make_id;
        assert_int_equal(graph_names_open(&names, &made), 0);
        check(&names, &sample.graph);
        graph_names_free(&names);
        sample_close(&sample);
    }
}

static void test_escapes(void **state)
{
    struct bytes out = { 0 };

    (void)state;
    assert_int_equal(graph_names_escape(&out, SLICE("a/b\\c\t\x7f\xc3\xa4\xff")), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("a\\x2fb\\x5cc\\x09\\x7f\xc3\xa4\xef\xbf\xbd")));
    bytes_free(&out);
}

static void test_numbers(void **state)
{
    static const uint64_t values[] = { 0, 7, 10, 4294967296, UINT64_MAX };
    char                  text[21], expected[21];

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        *graph_names_put_number(text, values[i]) = '\0';
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)values[i]);
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_escapes),
                                        cmocka_unit_test(test_numbers) };

    seed = sample_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
