/* tests/unit/near/summary.c -- the table that a run ends with, read from standard output. */
#include "near/summary.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

static const struct graph_dataset datasets[] = { { SLICE("bench"), SLICE(""), true, true },
                                                 { SLICE("code"), SLICE(""), false, false } };

/* What is printed, with a NUL behind it. */
static void print(const struct graph_overlap *row, size_t count, bool contained, struct bytes *out)
{
    const struct graph graph = { .datasets = datasets, .dataset_count = 2, .overlaps = row, .overlap_count = count };
    char               path[] = "/tmp/leakgraph-summary-XXXXXX";
    int                file = mkstemp(path), before;
    struct err         err = { 0 };

    assert_true(file >= 0);
    fflush(stdout);
    before = dup(STDOUT_FILENO);
    assert_true(before >= 0 && dup2(file, STDOUT_FILENO) >= 0);
    assert_int_equal(summary_table(&graph, contained, &err), 0);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    close(file);
    read_file(path, out);
    unlink(path);
}

static void test_table(void **unused)
{
    const struct graph_overlap row[] = {
        { 0, 1, SLICE(""), SLICE(""), SLICE(""), 8, 7, 2, 3, 1, 0, false },
        { 0, 1, SLICE(""), SLICE(""), SLICE("java"), 8, 7, 2, 3, 1, 0, false },         /* of a language: not here */
        { 0, 1, SLICE("test"), SLICE(""), SLICE(""), 4, 4, 0, 0, 0, 0, false },         /* nothing found */
        { 0, 0, SLICE("te\x1b[2J"), SLICE("train"), SLICE(""), 5, 5, 5, 5, 0, 0, true },
        { 1, 0, SLICE(""), SLICE(""), SLICE(""), 0, 0, 0, 0, 0, 0, true },              /* whole ones always */
    };
    struct bytes out = { 0 };

    (void)unused;
    print(row, 5, false, &out);
    assert_non_null(strstr(out.at, "source target split"));
    assert_non_null(strstr(out.at, "        8        7        2  25.00      1          3  37.50+\n"));
    assert_non_null(strstr(out.at, ">train"));
    assert_non_null(strstr(out.at, "        5        5        5 100.00      0          5 100.00\n"));
    assert_non_null(strstr(out.at, "        0        0        0   0.00      0          0   0.00\n"));
    assert_null(strchr(out.at, '\x1b'));
    assert_null(strstr(out.at, "test "));
    assert_null(strstr(out.at, "contained"));
    assert_non_null(strstr(out.at, "+ a lower bound"));
    assert_non_null(strstr(out.at, "1 rows without a match are in graph.db\n"));
    print(row + 4, 1, true, &out);                          /* asked for, so it is shown */
    assert_non_null(strstr(out.at, "% contained copies"));
    assert_non_null(strstr(out.at, "        0   0.00         0      0          0   0.00\n"));
    assert_null(strstr(out.at, "lower bound"));
    assert_null(strstr(out.at, "without a match"));
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
