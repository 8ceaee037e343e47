/* tests/unit/passage/scan.c -- the scanner finds what counting all runs of all items finds; and says where. */
#include "tests/unit/passage/small_passages.h"

enum { ITEMS = 60, DOCUMENTS = 80, RUN = 3, LEAST = 4, WORDS = 7, LONG = 60 };

struct text { int word[LONG], count; };

static uint32_t state = 1;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

static void text_print(struct bytes *out, const struct text *text)
{
    assert_int_equal(bytes_printf(out, "{\"language\": \"python\", \"text\": \""), 0);
    for (int i = 0; i < text->count; i++) assert_int_equal(bytes_printf(out, "w%d%s", text->word[i], i % 5 ? " "
        "" : "\\n"), 0);
    assert_int_equal(bytes_printf(out, "\"}\n"), 0);
}

static bool same_run(const struct text *a, int i, const struct text *b, int k)
{
    return memcmp(a->word + i, b->word + k, RUN * sizeof *a->word) == 0;
}

/* Of the different runs of an item, *all, those that the document has. */
static int runs_in(const struct text *item, const struct text *document, int *all)
{
    int found = 0;

    *all = 0;
    for (int i = 0; i + RUN <= item->count; i++) {
        bool before = false, there = false;

        for (int k = 0; k < i; k++) before |= same_run(item, i, item, k);
        for (int k = 0; k + RUN <= document->count; k++) there |= same_run(item, i, document, k);
        *all += !before;
        found += !before && there;
    }
    return found;
}

static struct text item[ITEMS], document[DOCUMENTS];

static void texts_make(struct bytes *items, struct bytes *documents)
{
    for (int i = 0; i < ITEMS; i++) {
        item[i].count = 2 + draw(20);
        for (int w = 0; w < item[i].count; w++) item[i].word[w] = draw(WORDS);
        if (i % 7 == 6) item[i] = item[i - 1];
        text_print(items, &item[i]);
    }
    for (int d = 0; d < DOCUMENTS; d++) {
        const struct text *of = &item[draw(ITEMS)];

        document[d].count = 5 + draw(LONG - 5);
        for (int w = 0; w < document[d].count; w++) document[d].word[w] = draw(WORDS);
        if (d % 2 && of->count < document[d].count)
            memcpy(document[d].word + draw(document[d].count - of->count), of->word,
                   (size_t)of->count * sizeof *of->word);
        text_print(documents, &document[d]);
    }
    assert_true(bytes_append(items, "", 1) == 0 && bytes_append(documents, "", 1) == 0);
}

static void test_all(void **unused)
{
    struct bytes               items = { 0 }, documents = { 0 };
    struct pass_scanner        scanner;
    struct pass_unit           unit;
    const struct passage_row  *row;
    struct err                 err = { 0 };
    size_t                     rows, expected = 0;

    (void)unused;
    texts_make(&items, &documents);
    passages_open(PASSAGE_SETTINGS, items.at, documents.at);
    passages_scan();
    scanner = passage_scanner(&passages_job);
    assert_int_equal(pass_unit_load(&small.run, &scanner, 1, 0, &unit, &err), 1);
    assert_int_equal(unit.header->parts, 1);
    row = (const void *)pass_unit_section(&unit, 0, PART_ROWS).at;
    rows = pass_unit_section(&unit, 0, PART_ROWS).len / sizeof *row;
    for (int d = 0; d < DOCUMENTS; d++) {
        bool asked[ITEMS] = { false };

        for (uint32_t i = 0; i < passages_job.index->items; i++) {
            const struct passage_of *of = &passages_job.index->item[i];
            int                      all, found = runs_in(&item[of->record], &document[d], &all);
            bool                     there = false;

            if (asked[of->entry]) continue;
            asked[of->entry] = true;
            assert_true(all >= LEAST);
            for (size_t r = 0; r < rows; r++)
                if (row[r].record == (uint64_t)d && row[r].entry == of->entry) {
                    there = true;
                    assert_int_equal(row[r].found, found);
                    assert_true(row[r].line >= 1 && row[r].line_end >= row[r].line && row[r].end > row[r].at);
                }
            assert_int_equal(there, 4 * found >= 3 * all &&
                             document[d].count >= item[of->record].count + (item[of->record].count + 3) / 4);
            expected += there;
        }
    }
    assert_true(expected == rows && rows > 20);
    unit_close(&unit.file);
    passages_end();
    bytes_free(&items);
    bytes_free(&documents);
}

/* The stretch that has most of the item, not the first word of it. */
static void test_place(void **unused)
{
    static const char          corpus[] =
        PASSAGE_TEXT("a b c\\nx1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 y3 y4\\n\\n  a b c d\\n  e f g\\nz\\n");
    struct pass_scanner        scanner;
    struct pass_unit           unit;
    const struct passage_row  *row;
    struct err                 err = { 0 };

    (void)unused;
    passages_open(PASSAGE_SETTINGS, PASSAGE_TEXT("a b c d e f g"), corpus);
    passages_scan();
    scanner = passage_scanner(&passages_job);
    assert_int_equal(pass_unit_load(&small.run, &scanner, 1, 0, &unit, &err), 1);
    assert_int_equal(pass_unit_section(&unit, 0, PART_ROWS).len, sizeof *row);
    row = (const void *)pass_unit_section(&unit, 0, PART_ROWS).at;
    assert_true(row->found == 5 && row->line == 4 && row->line_end == 5);
    assert_int_equal(row->end - row->at, strlen("a b c d\n  e f g"));
    unit_close(&unit.file);
    passages_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_place) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/scan", tests, NULL, NULL);
}
