/* tests/unit/graph/ids.c -- a document's id is its dataset's place and its number there, and is found again. */
#include "graph/ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

static const struct graph_document documents[] = {
    { .dataset = 0, .number = 0 }, { .dataset = 0, .number = 7 }, { .dataset = 2, .number = 0 },
    { .dataset = 2, .number = GRAPH_ID_STEP - 1 }, { .dataset = 3, .number = 0 },
};
static const uint64_t ids[] = { 1, 8, 2000000000001, 3000000000000, 3000000000001 };
enum { DOCUMENTS = sizeof documents / sizeof *documents };

static uint64_t made_id(void *source, size_t i)
{
    const struct graph_document *of = source;

    return graph_id(of[i].dataset, of[i].number);
}

static void test_formula(void **state)
{
    const struct graph held = { .documents = documents, .document_count = DOCUMENTS };
    const struct graph made = { .document_count = DOCUMENTS, .document_id = made_id, .source = (void *)documents };

    (void)state;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        assert_int_equal(graph_id_at(&held, i), ids[i]);
        assert_int_equal(graph_id_at(&made, i), ids[i]);
    }
    assert_true(graph_id(9000, GRAPH_ID_STEP - 1) < 1ull << 53);            /* exact as a JSON number */
}

/* Whatever document was found before; what is not there is not found, and is no index. */
static void test_find(void **state)
{
    static const uint64_t no[] = { 0, 2, 7, 9, 1000000000001, 2000000000000, 2000000000002, 2999999999999,
                                   3000000000002, UINT64_MAX };
    const struct graph graph = { .documents = documents, .document_count = DOCUMENTS };
    const struct graph empty = { .documents = documents };
    uint32_t           at;

    (void)state;
    for (uint32_t before = 0; before <= DOCUMENTS; before++) {
        for (uint32_t i = 0; i < DOCUMENTS; i++) {
            at = before;
            assert_true(graph_id_find(&graph, ids[i], &at));
            assert_int_equal(at, i);
        }
        for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
            at = before;
            assert_false(graph_id_find(&graph, no[i], &at));
        }
    }
    at = 0;
    assert_false(graph_id_find(&empty, 1, &at));
}

static void test_fit(void **state)
{
    const struct graph_dataset datasets[] = { { .name = SLICE("one") }, { .name = SLICE("two") } };
    struct graph_split         splits[] = { { .dataset = 0, .documents = GRAPH_ID_STEP },
                                            { .dataset = 1, .documents = GRAPH_ID_STEP - 1 },
                                            { .dataset = 1, .documents = 1 } };
    const struct graph         graph = { .datasets = datasets, .dataset_count = 2, .splits = splits,
                                         .split_count = 3 };
    struct err                 err = { 0 };

    (void)state;
    assert_int_equal(graph_ids_fit(&graph, &err), 0);
    splits[2].documents++;
    assert_int_equal(graph_ids_fit(&graph, &err), -EOVERFLOW);
    assert_non_null(strstr(err.text, "two: more than 1000000000000 documents"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_formula), cmocka_unit_test(test_find),
                                        cmocka_unit_test(test_fit) };

    return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
