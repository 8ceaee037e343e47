/* tests/unit/near/matrix.c -- what the splits of a dataset share, as a matrix. */
#include "near/matrix.h"
#include "tests/unit/near/leaking_graph.h"

static int add(struct report_document *out, sqlite3 *db, struct err *err)
{
    return matrix_add(out, report_section(out, out->root, "part", SLICE("Part")), db, err);
}

static const struct report_part part = { .add = add };

static void test_matrix(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_report(&graph, &part, &report);
    made_json(&report, "part.matrix.0.direct_percent.0.split", "\"test\"");
    made_json(&report, "part.matrix.0.direct_percent.0.test", "null");       /* not with itself */
    made_json(&report, "part.matrix.0.direct_percent.0.train", "50");
    made_json(&report, "part.matrix.0.direct_percent.1.split", "\"train\"");
    made_json(&report, "part.matrix.0.direct_percent.1.test", "25");
    made_json(&report, "part.matrix.1", "");                /* the others have no splits */
    made_report_free(&report);
    made_close(&graph);
}

/* Sixteen splits have a matrix, seventeen are too wide for one. */
static void test_limit(void **unused)
{
    (void)unused;
    for (int splits = MATRIX_SPLITS; splits <= MATRIX_SPLITS + 1; splits++) {
        struct made_graph  graph;
        struct made_report report;
        struct bytes       sql = { 0 };

        assert_int_equal(bytes_printf(&sql, "INSERT INTO datasets VALUES ('d', '', 'corpus', 1);"), 0);
        for (int i = 0; i < splits; i++)
            assert_int_equal(bytes_printf(&sql, "INSERT INTO overlap VALUES "
                                                "('d', 's%d', 'd', 's%d', '', 8, 8, 2, 2, 0, 0, 1);",
                                          i, (i + 1) % splits), 0);
        made_open(&graph, sql.at);
        made_report(&graph, &part, &report);
        made_json(&report, "part.matrix.0.direct_percent.15.s0", splits == MATRIX_SPLITS ? "25" : "");
        made_report_free(&report);
        made_close(&graph);
        bytes_free(&sql);
    }
}

/* Names that look alike once they are masked are columns of their own; what a split is called, no column is. */
static int mask_alike(struct slice *text, bool program, struct bytes *masked)
{
    (void)program, (void)masked;
    if (text->len && text->at[0] == 't') *text = SLICE("split");
    return 0;
}

static int add_masked(struct report_document *out, sqlite3 *db, struct err *err)
{
    out->mask = mask_alike;
    return add(out, db, err);
}

static void test_masked(void **unused)
{
    static const struct report_part masked = { .add = add_masked };
    struct made_graph               graph;
    struct made_report              report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_report(&graph, &masked, &report);
    made_json(&report, "part.matrix.0.direct_percent.0.split", "\"split\"");
    made_json(&report, "part.matrix.0.direct_percent.0.split, 1", "null");
    made_json(&report, "part.matrix.0.direct_percent.0.split, 2", "50");
    made_json(&report, "part.matrix.0.direct_percent.1.split, 1", "25");
    made_says(&report, "| of these, in: | split | split |");
    made_silent(&report, "train");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_matrix), cmocka_unit_test(test_limit),
                                        cmocka_unit_test(test_masked) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
