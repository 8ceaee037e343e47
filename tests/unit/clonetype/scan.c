/* tests/unit/clonetype/scan.c -- functions of items and their clones in units, worked out by hand. */
#include "tests/unit/clonetype/small_clones.h"

static struct pass_unit unit;

/* The rows of the only unit of a shard, which has one part. */
static const void *rows_of(struct pass_scanner scanner, uint32_t shard, size_t size, size_t *count)
{
    struct err   err = { 0 };
    struct slice rows;

    assert_int_equal(pass_unit_load(&small.run, &scanner, shard, 0, &unit, &err), 1);
    assert_int_equal(unit.header->parts, 1);
    rows = pass_unit_section(&unit, 0, PART_ROWS);
    *count = rows.len / size;
    return rows.at;
}

static bool text_is(struct heap_string s, const char *expected)
{
    if (s.len == NO_STRING) return !expected;
    return expected && slice_equal((struct slice){ pass_unit_section(&unit, 0, PART_HEAP).at + s.at, s.len },
                                   slice_of(expected));
}

static bool span_is(const struct function_span *span, uint32_t at, uint32_t end, uint32_t line, uint32_t line_end)
{
    return span->at == at && span->end == end && span->line == line && span->line_end == line_end;
}

static void test_collected(void **unused)
{
    const struct fragment_row *row;
    const struct item_lines   *lines;
    size_t                     rows;

    (void)unused;
    clones_open("types: [1, 3]", small_items, small_corpus);
    row = rows_of(clonetype_collector(job), 0, sizeof *row, &rows);
    assert_int_equal(rows, 2);                              /* i has fewer than twelve tokens */
    assert_true(row[0].record == 0 && row[0].items == 6 && row[0].item_at == 0 && text_is(row[0].span.name, "f"));
    assert_true(row[1].record == 1 && row[1].items == 0 && text_is(row[1].span.name, "h"));
    assert_true(row[0].main == 1 && row[1].main == 1);
    assert_true(span_is(&row[0].span, 10, 86, 2, 7) && span_is(&row[1].span, 0, 34, 1, 2));
    assert_int_equal(pass_unit_section(&unit, 0, PART_VALUES).len, 6 * sizeof(uint64_t));
    lines = (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at;
    assert_int_equal(pass_unit_section(&unit, 0, PART_COUNTS).len, 6 * sizeof *lines);
    for (uint32_t i = 0; i < 6; i++) assert_true(lines[i].line == 2 + i && lines[i].line_end == 2 + i);
    unit_close(&unit.file);
    clones_close();
    /* half of the tokens of its item, and one less */
    clones_open("", TEXT("def h(a):\\n    return a.b(a, 1) + a\\nx = 1\\ny = 2\\nz = 3\\nu = 4\\nv = 5\\ndel w\\n")
                TEXT("def h(a):\\n    return a.b(a, 1) + a\\nx = 1\\ny = 2\\nz = 3\\nu = 4\\nv = 5\\nw()\\n"),
                small_corpus);
    row = rows_of(clonetype_collector(job), 0, sizeof *row, &rows);
    assert_true(rows == 2 && row[0].main == 1 && row[1].main == 0);
    unit_close(&unit.file);
    clones_close();
    clones_open("types: [1, 2]", small_items, small_corpus);         /* no type 3: nothing to compare for it */
    row = rows_of(clonetype_collector(job), 0, sizeof *row, &rows);
    assert_true(rows == 2 && row[0].items == 0);
    unit_close(&unit.file);
    clones_close();
    clones_open("unit: tokens", small_items, small_corpus);
    row = rows_of(clonetype_collector(job), 0, sizeof *row, &rows);
    assert_true(rows == 2 && row[0].items == 32 && row[1].items == 17 && row[1].item_at == 32);
    unit_close(&unit.file);
    clones_close();
}

static void test_found(void **unused)
{
    const struct clonetype_row *row;
    size_t                      rows;

    (void)unused;
    clones_open("types: [1, 2c, 2, 3]", small_items, small_corpus);
    row = rows_of(clonetype_searcher(job), 1, sizeof *row, &rows);
    assert_int_equal(rows, 5);
    for (size_t i = 0; i < rows; i++) {
        const struct fragment *fragment = &job->index->at[row[i].fragment];

        assert_int_equal(row[i].loosest, i == 3 ? CLONE_TYPE_3 : CLONE_TYPE_2);
        assert_int_equal(clonetype_type(job->options, fragment, row[i].exact, row[i].consistent, row[i].loosest),
                         i == 0 ? CLONE_TYPE_1 : i == 2 ? CLONE_TYPE_2 : i == 3 ? CLONE_TYPE_3 : CLONE_TYPE_2C);
    }
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(row[i].fragment, i == 4);
        assert_int_equal(row[i].record, i < 2 ? 0 : i < 4 ? 1 : 2);
        assert_true(text_is(row[i].path, i < 2 ? "p.py" : NULL) && text_is(row[i].repo, i < 2 ? "o/r" : NULL));
        assert_true(text_is(row[i].source_id, i < 2 ? "m" : NULL) && text_is(row[i].license, i < 2 ? "mit" : NULL));
        assert_true(text_is(row[i].span.class_name, i == 0 ? "K" : NULL));
    }
    assert_true(row[0].items == 6 && row[3].common == 6 && row[3].whole == 7);
    assert_true(text_is(row[0].span.name, "f") && text_is(row[3].span.name, "z") && text_is(row[4].span.name, "o"));
    assert_true(row[3].item == 0 && row[3].item_end == 6);  /* all that they have in common is in all of their lines */
    assert_true(row[3].aligned.line == row[3].span.line && row[3].aligned.line_end == row[3].span.line_end);
    assert_true(row[0].span.line == 2 && row[0].span.line_end == 7 && row[1].span.line == 8);
    assert_true(row[3].span.line == 7 && row[3].span.line_end == 13 && row[4].span.line == 1);
    unit_close(&unit.file);
    clones_close();
}

/* The lines of what is in common: without the statements before and behind it, to the end of the last one. */
static void test_aligned(void **unused)
{
    static const char items[] =
        TEXT("\\ndef f(a, b):\\n    del a\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    k(e,\\n      e)\\n    "
             "raise e\\n");
    static const char corpus[] =
        TEXT("class K:\\n    async def f(a, b):\\n        c = a + b\\n\\n        d = g(c, 1)\\n        # why\\n       "
             " e = [d]\\n"
             "        k(e, e)\\n        return e\\n");
    const struct clonetype_row *row;
    struct item_lines           lines;
    size_t                      rows;

    (void)unused;
    for (int tokens = 0; tokens < 2; tokens++) {
        clones_open(tokens ? "unit: tokens, dissimilarity: 0.3" : "dissimilarity: 0.5", items, corpus);
        row = rows_of(clonetype_searcher(job), 1, sizeof *row, &rows);
        assert_int_equal(rows, 1);
        assert_true(row->loosest == CLONE_TYPE_3 && row->span.line == 2 && row->span.line_end == 9);
        if (!tokens) assert_true(row->common == 4 && row->whole == 7);
        lines = clonetype_index_lines(job->index, 0, row->item, row->item_end);
        assert_true(lines.line == (tokens ? 2 : 4) && lines.line_end == (tokens ? 9 : 8));
        assert_int_equal(row->aligned.line, tokens ? 2 : 3);
        assert_int_equal(row->aligned.line_end, tokens ? 9 : 8);
        unit_close(&unit.file);
        clones_close();
    }
}

/* What units depend on is in their keys: other types (but whether 3 is one) and another threshold leave the functions
 * as they are. */
static void test_keys(void **unused)
{
    enum { CASES = 8 };
    struct clonetype_options o[CASES];
    struct unit_key          collector[CASES], searcher[CASES];

    (void)unused;
    clones_open("", small_items, small_corpus);
    for (int i = 0; i < CASES; i++) o[i] = *job->options;
    o[1].type[CLONE_TYPE_2] = false;
    o[2].dissimilarity = (struct ratio){ 4, 10 };
    o[3].type[CLONE_TYPE_3] = false;
    o[4].min_tokens++;
    o[5].min_lines++;
    o[6].unit = FORM_TOKENS;
    o[7].max_matches++;                                     /* only what is kept of the units */
    for (int i = 0; i < CASES; i++) {
        job->options = &o[i];
        collector[i] = clonetype_collector(job).key;
        searcher[i] = clonetype_searcher(job).key;
        for (int k = 0; k < i; k++) {
            assert_int_equal(memcmp(&searcher[i], &searcher[k], sizeof *searcher) == 0, i == 7 && k == 0);
            assert_int_equal(memcmp(&collector[i], &collector[k], sizeof *collector) == 0,
                             (i <= 2 || i == 7) && k <= 2);
        }
    }
    job->options = &o[0];
    clones_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_collected), cmocka_unit_test(test_found),
                                        cmocka_unit_test(test_keys), cmocka_unit_test(test_aligned) };

    return cmocka_run_group_tests_name("clonetype/scan", tests, NULL, NULL);
}
