/* tests/unit/repository/tables.c -- every number of a result in its row of the graph. */
#include "repository/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_rows(void **unused)
{
    const struct graph_repository_copy *copied;
    struct repository_index  index = { 0 };
    struct membership        row[] = { { 2, 3, 1, 1, 5, 6, 7, 8, true }, { 2, 4, 1, 0, 9, 0, 0, 0, false } };
    struct membership_copy   copy[] = { { 2, 3, 1, 0, 10, 11 } };
    struct repository_result result = { .row = row, .copy = copy, .count = 2, .copy_count = 1, .index = &index };
    struct graph_build       build = { 0 };
    struct err               err = { 0 };
    uint32_t                 name;

    (void)unused;
    assert_int_equal(repository_name_put(&index, SLICE(""), &name), 0);
    assert_int_equal(repository_name_put(&index, SLICE("o/a"), &name), 0);
    assert_int_equal(graph_add_repositories(&build, &result, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_repositories).count, 2);
    assert_int_equal(graph_rows_of(&build.graph, &table_repository_copies).count, 1);
    copied = graph_rows_of(&build.graph, &table_repository_copies).rows;
    for (size_t i = 0; i < 2; i++) {
        const struct graph_repository *made = graph_rows_of(&build.graph, &table_repositories).rows;

        made += i;
        assert_int_equal(made->benchmark, 2);
        assert_int_equal(made->corpus, row[i].corpus);
        assert_true(slice_equal(made->repo, SLICE("o/a")));
        assert_int_equal(made->documents, row[i].documents);
        assert_int_equal(made->files, row[i].files);
        assert_int_equal(made->exact, row[i].exact);
        assert_int_equal(made->near, row[i].near);
        assert_int_equal(made->elsewhere, row[i].elsewhere);
        assert_int_equal(made->by_name, i == 0);            /* one document says so */
        assert_int_equal(made->by_content, i == 0);
    }
    assert_true(copied->benchmark == 2 && copied->corpus == 3);
    assert_true(slice_equal(copied->repo, SLICE("o/a")));
    assert_int_equal(copied->other.len, 0);
    assert_int_equal(copied->exact, 10);
    assert_int_equal(copied->near, 11);
    graph_build_free(&build);
    repository_index_free(&index);
}

static void test_nothing(void **unused)
{
    struct repository_index  index = { 0 };
    struct repository_result result = { .index = &index };
    struct graph_build       build = { 0 };
    struct err               err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_repositories(&build, &result, &err), 0);
    assert_true(graph_rows_of(&build.graph, &table_repositories).count == 0 &&
                graph_rows_of(&build.graph, &table_repository_copies).count == 0);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
