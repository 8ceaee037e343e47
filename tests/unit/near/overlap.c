/* tests/unit/near/overlap.c -- what datasets share, counted document by document. */
#include "near/overlap.h"

#include "tests/unit/near/made_result.h"

static void compute(const struct made_near *m, struct graph_overlap **row, size_t *count)
{
    struct classes c;
    struct err     err = { 0 };

    assert_int_equal(classes_open(&c, &m->job, &m->result, &err), 0);
    assert_int_equal(overlap_compute(&c, row, count, &err), 0);
    classes_free(&c);
}

static bool meet(const struct made_near *m, uint32_t a, uint32_t b)
{
    return roles_meet(role_of_dataset(&m->dataset[a]), role_of_dataset(&m->dataset[b]));
}

/* One number of a row by going through all pairs: direct, copies, contained. */
static void count_row(const struct made_near *m, uint32_t source, uint32_t target, uint64_t out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (size_t x = 0; x < m->result.document_count; x++) {
        bool found[3] = { false, false, false };

        for (size_t y = 0; y < m->result.document_count && m->document[x].dataset == source; y++) {
            struct near_link link = { 0 };

            if (m->document[y].dataset != target) continue;
            found[1] |= m->result.copy_of[x] != NO_CLASS && m->result.copy_of[x] == m->result.copy_of[y];
            if (m->result.class_of[x] == NO_CLASS || m->result.class_of[y] == NO_CLASS) continue;
            if (m->result.class_of[x] == m->result.class_of[y]) found[0] = true;
            else if (made_link_of(m, x, y, &link)) {
                found[0] |= (link.marks & NEAR_SIMILAR) != 0;
                found[2] |= (link.marks & NEAR_FIRST_INSIDE && source == 0) ||
                    (link.marks & NEAR_SECOND_INSIDE && target == 0);
            }
        }
        for (int i = 0; i < 3; i++) out[i] += found[i];
    }
}

static void test_random(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct made_near     *m = made_random(seed);
        struct graph_overlap *row;
        size_t                count, at = 0;

        compute(m, &row, &count);
        for (uint32_t source = 0; source < MADE_DATASETS; source++) {
            for (uint32_t target = 0; target < MADE_DATASETS; target++) {
                uint64_t expected[3];

                if (source == target || !meet(m, source, target)) continue;
                count_row(m, source, target, expected);
                for (int language = 0; language < 2; language++, at++) {
                    assert_true(at < count && row[at].source == source && row[at].target == target);
                    assert_int_equal(row[at].language.len, language ? 4 : 0);
                    assert_int_equal(row[at].documents, m->cell[source].documents);
                    assert_int_equal(row[at].admitted, m->cell[source].admitted);
                    assert_int_equal(row[at].direct, expected[0]);
                    assert_int_equal(row[at].copies, expected[1]);
                    assert_int_equal(row[at].contained, expected[2]);
                    assert_true(row[at].transitive >= row[at].direct);
                    assert_false(row[at].complete);         /* the third is streamed, and there are two corpora */
                }
            }
        }
        assert_int_equal(count, at);
        free(row);
        made_free(m);
    }
}

/* A chain of three: the ends have no pair, but one cluster. */
static void test_transitive(void **unused)
{
    static const struct made_document document[] = { { 0, 0, 1 }, { 0, 1, 2 }, { 1, 2, 3 } };
    struct made_near     *m = made_near(document, 3);
    struct graph_overlap *row;
    size_t                count;

    (void)unused;
    made_link(m, 0, 1, NEAR_SIMILAR, 18);
    made_link(m, 1, 2, NEAR_SIMILAR, 18);
    m->dataset[2].self_join = true;                         /* nothing is streamed: all is known */
    compute(m, &row, &count);
    assert_true(row[0].source == 0 && row[0].target == 1 && row[0].direct == 1 && row[0].transitive == 2);
    assert_true(row[0].complete);
    free(row);
    made_free(m);
}

/* Two splits of the benchmark: each against the other, and neither against itself. */
static void test_splits(void **unused)
{
    static const struct made_document document[] = { { 0, 0, 1 }, { 0, 0, 2 }, { 0, 1, 3 } };
    struct made_near     *m = made_near(document, 3);
    struct scan_cell      cell[] = { { 0, SLICE("test"), SLICE(""), 1, 1, 0, 0, 0 },
                                     { 0, SLICE("train"), SLICE(""), 2, 2, 0, 0, 0 },
                                     { 1, SLICE(""), SLICE(""), 0, 0, 0, 0, 0 } };
    struct graph_overlap *row;
    size_t                count, inside = 0;

    (void)unused;
    m->brief[0].cell = 0;
    m->brief[1].cell = m->brief[2].cell = 1;
    m->result.counts.cell = cell;
    m->result.counts.cell_count = 3;
    compute(m, &row, &count);
    for (size_t r = 0; r < count; r++) {
        if (row[r].source != row[r].target) continue;
        inside++;
        if (slice_equal(row[r].split, SLICE("train"))) {
            assert_true(slice_equal(row[r].target_split, SLICE("test")));
            assert_true(row[r].documents == 2 && row[r].direct == 1);
        } else assert_true(slice_equal(row[r].split, SLICE("test")) && row[r].documents == 1 && row[r].direct == 1);
    }
    assert_int_equal(inside, 2);
    free(row);
    made_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_transitive),
                                        cmocka_unit_test(test_splits) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
