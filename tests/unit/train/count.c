/* tests/unit/train/count.c -- the ranges of n-grams together are all rows of the tokens, sorted, each with its
 * count. */
#include "training.h"

struct rows { uint32_t *row; uint64_t *count; size_t rows; };

static uint32_t order;

static int by_tokens(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    for (uint32_t i = 0; i < order; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* From the units of tokens, with qsort. */
static struct rows plain_rows(struct training *g)
{
    struct unit     unit;
    struct rows     out = { 0 };
    size_t          all = 0, begin = 0, count;
    const uint32_t *token;

    assert_int_equal(stage_load(g->run.stage, TRAIN_TOKENS, g->t.unit[0].key, &unit, &g->err), 1);
    token = (const uint32_t *)(const void *)unit.section[1].at;
    count = unit.section[1].len / sizeof *token;
    out.row = malloc((count * order + 1) * sizeof *out.row);
    out.count = calloc(count + 1, sizeof *out.count);
    assert_true(out.row && out.count && unit.count == 2);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < order; k++)
            out.row[all * order + k] = i + k + 1 >= begin + order ? token[i + k + 1 - order] : LM_BEGIN;
        all++;
        if (token[i] == LM_END) begin = i + 1;
    }
    qsort(out.row, all, order * sizeof *out.row, by_tokens);
    for (size_t i = 0; i < all; i++) {
        if (!out.rows || by_tokens(out.row + (out.rows - 1) * order, out.row + i * order) != 0)
            memmove(out.row + out.rows++ * order, out.row + i * order, order * sizeof *out.row);
        out.count[out.rows - 1]++;
    }
    unit_close(&unit);
    return out;
}

static void check_ranges(struct training *g)
{
    struct rows wanted = plain_rows(g);
    size_t      at = 0;

    for (size_t r = 0; r < g->t.range_count; r++) {
        struct unit unit;
        size_t      rows;

        assert_int_equal(stage_load(g->run.stage, TRAIN_ROWS, g->t.range[r], &unit, &g->err), 1);
        assert_int_equal(unit.count, 2);
        rows = unit.section[1].len / sizeof(uint64_t);
        assert_int_equal(unit.section[0].len, rows * order * sizeof(uint32_t));
        assert_true(at + rows <= wanted.rows);
        if (rows) {
            assert_memory_equal(unit.section[0].at, wanted.row + at * order, unit.section[0].len);
            assert_memory_equal(unit.section[1].at, wanted.count + at, unit.section[1].len);
        }
        at += rows;
        unit_close(&unit);
    }
    assert_int_equal(at, wanted.rows);
    free(wanted.row);
    free(wanted.count);
}

/* With all the memory that is asked for, and with hardly any: then there are many ranges, each a walk. */
static void ranges_are_all_rows(void **unused)
{
    (void)unused;
    for (int round = 0; round < 4; round++) {
        struct bytes    lines = random_lines((uint64_t)round, 60, 100);
        struct training g;

        order = round < 2 ? 3 : LM_ORDER_MAX;
        training_open(&g, lines.at, order, 1, 1 + round % 2);
        training_number(&g);
        g.options.memory = round % 2 ? 1 << 26 : 1;
        training_must(&g, train_count(&g.t, &g.err));
        assert_int_equal(g.t.tokens, 60 * 101);
        if (round % 2) assert_int_equal(g.t.range_count, 1);
        else assert_in_range(g.t.range_count, 4, 8);        /* some 1,024 rows each */
        check_ranges(&g);
        training_close(&g);
        bytes_free(&lines);
    }
}

/* One row is nearly all there is: its range is settled again and again. */
static void one_row_everywhere(void **unused)
{
    static char     line[20000];
    struct bytes    lines = { 0 };
    struct training g;

    (void)unused;
    memset(line, '+', sizeof line - 1);
    line_add(&lines, line);
    line_add(&lines, "-+-");
    order = 2;
    training_open(&g, lines.at, order, 1, 2);
    training_number(&g);
    g.options.memory = 1;
    training_must(&g, train_count(&g.t, &g.err));
    check_ranges(&g);
    training_close(&g);
    bytes_free(&lines);
}

static void empty_documents(void **unused)
{
    static const char *const none[] = { "", "{\"text\": \"\"}\n{\"text\": \"\"}\n" };

    (void)unused;
    order = 4;
    for (size_t i = 0; i < 2; i++) {
        struct training g;

        training_open(&g, none[i], order, 1, 1);
        training_number(&g);
        training_must(&g, train_count(&g.t, &g.err));
        assert_true(g.t.tokens == 2 * i && g.t.range_count == 1);
        if (i) check_ranges(&g);
        training_close(&g);
    }
}

/* Ranges that are there are not counted again; tokens that are gone are told. */
static void counting_resumes(void **unused)
{
    struct training g;
    struct bytes    lines = random_lines(9, 60, 100);
    struct unit     unit;
    const uint64_t  mark = 77;
    uint32_t        row[] = { 1, 1, 3 };

    (void)unused;
    order = 3;
    training_open(&g, lines.at, order, 1, 2);
    training_number(&g);
    g.options.memory = 1;
    training_must(&g, train_count(&g.t, &g.err));
    training_must(&g, stage_commit(g.run.stage, TRAIN_ROWS, g.t.range[1],
                                   (struct slice[]){ { (const char *)row, sizeof row },
                                                     { (const char *)&mark, sizeof mark } }, 2, &g.err));
    training_must(&g, stage_remove(g.run.stage, TRAIN_ROWS, g.t.range[0], &g.err));
    free(g.t.range);
    g.t.tokens = 0;
    g.options.memory = 1 << 18;                             /* the same ranges, both in one walk */
    training_must(&g, train_count(&g.t, &g.err));
    assert_int_equal(stage_load(g.run.stage, TRAIN_ROWS, g.t.range[1], &unit, &g.err), 1);
    assert_true(unit.section[1].len == sizeof mark && memcmp(unit.section[1].at, &mark, sizeof mark) == 0);
    unit_close(&unit);
    assert_int_equal(stage_load(g.run.stage, TRAIN_ROWS, g.t.range[0], &unit, &g.err), 1);
    unit_close(&unit);

    training_must(&g, stage_remove(g.run.stage, TRAIN_TOKENS, g.t.unit[0].key, &g.err));
    free(g.t.range);
    g.t.range = NULL;
    assert_int_equal(train_count(&g.t, &g.err), -EIO);
    assert_true(strstr(g.err.text, "c.jsonl") && strstr(g.err.text, "disappeared"));
    training_close(&g);
    bytes_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_all_rows), cmocka_unit_test(one_row_everywhere),
        cmocka_unit_test(empty_documents), cmocka_unit_test(counting_resumes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
