/* tests/unit/pass/counts.c -- cells, shards and rejects from units, and the numbers of documents. */
#include "passing.h"

#include "pass/counts.h"

/* ---- units made by hand ---- */

/* A part: groups of documents, and rejects by their records. */
struct made {
    struct unit_header header;
    struct part_group  group[3];
    struct reject      reject[3];
    size_t             groups, rejects;
    const char        *heap;
};

static struct pass_unit unit_of(const struct made *made, struct slice section[1 + PART_SECTIONS])
{
    section[1 + PART_GROUPS] = (struct slice){ (const char *)made->group, made->groups * sizeof *made->group };
    section[1 + PART_REJECTS] = (struct slice){ (const char *)made->reject, made->rejects * sizeof *made->reject };
    section[1 + PART_HEAP] = slice_of(made->heap);
    return (struct pass_unit){ { .section = section, .count = 1 + PART_SECTIONS }, &made->header, 0 };  /* one part */
}

static void add(struct scan_counts *counts, const struct made *made, uint32_t shard, struct err *err)
{
    struct slice     section[1 + PART_SECTIONS] = { { 0 } };
    struct pass_unit unit = unit_of(made, section);

    unit.shard = shard;
    if (counts_add_unit(counts, &unit, err) < 0) fail_msg("%s", err->text);
}

static const struct scan_cell *cell_is(const struct scan_counts *counts, size_t i, uint32_t dataset, const char *split,
                                       const char *language)
{
    const struct scan_cell *cell = &counts->cell[i];

    assert_true(i < counts->cell_count);
    if (cell->dataset != dataset || !slice_equal(cell->split, slice_of(split)) ||
        !slice_equal(cell->language, slice_of(language)))
        fail_msg("cell %zu: dataset %u, `%.*s`, `%.*s`", i, cell->dataset, (int)cell->split.len, cell->split.at,
                 (int)cell->language.len, cell->language.at);
    return cell;
}

/* The shards a0, a1, b0 and b1; a is of Java by its settings, b's split is listed as `test`. */
static const struct content files[] = {
    { "a0.jsonl", "" }, { "a1.jsonl", "" }, { "b0.jsonl", "" }, { "b1.jsonl", "" },
};

static void open_counts(struct passing *g, struct scan_counts *counts)
{
    passing_open(g, files, 4);
    g->dataset[0].language = "Java";
    free(g->split[1].name);
    g->split[1].name = strdup("test");
    g->dataset[1].url = g->split[1].name;
    passing_must(g, counts_open(counts, g->dataset, &g->shards, &g->err));
}

static void units_add_up(void **unused)
{
    /* split at 0, language behind it */
    const struct made first = { { .parts = 1, .documents = 6, .rejected = 2, .xxh3 = 7 },
                                { { 0, 1, 1, 1, 4, 3, 40 }, { 1, 1, 2, 1, 2, 1, 20 } },
                                { { .record = 1, .records = 1 }, { .record = 4, .records = 1 } }, 2, 2, "zyx" };
    const struct made second = { { .parts = 1, .documents = 1, .xxh3 = 8 }, { { 0, 1, 1, 1, 1, 1, 5 } }, { { 0 } }, 1,
                                 0, "zy" };
    const struct made other = { { .parts = 1, .documents = 3, .rejected = 10, .xxh3 = 9,
                                  .skipped.files = { [SKIP_BINARY] = 2 } }, { { 0, 0, 0, 1, 3, 0, 6 } },
                                { { .record = 0, .records = 10 } }, 1, 1, "y" };
    struct passing          g;
    struct scan_counts      counts;
    uint32_t               *place, cell, same;
    const struct scan_cell *found;

    (void)unused;
    open_counts(&g, &counts);
    g.shards.at[0].skipped.files[SKIP_LINK] = 3;            /* of its listing */
    add(&counts, &first, 0, &g.err);
    add(&counts, &second, 0, &g.err);
    add(&counts, &other, 1, &g.err);
    passing_must(&g, counts_cell(&counts, 0, SLICE("z"), SLICE("y"), &cell, &g.err));
    passing_must(&g, counts_cell(&counts, 0, SLICE(""), SLICE("zy"), &same, &g.err));
    assert_int_not_equal(cell, same);
    passing_must(&g, counts_finish(&counts, &place, &g.err));
    /* by dataset, split, language; rejects under the language of the settings; b, of which nothing is known, behind */
    assert_int_equal(counts.cell_count, 6);
    found = cell_is(&counts, 0, 0, "", "java");
    assert_true(found->rejected == 12 && found->documents == 0 && found->skipped == 5);
    assert_true(skips_sum(&counts.shard[0].skipped) == 3 && counts.shard[1].skipped.files[SKIP_BINARY] == 2);
    found = cell_is(&counts, 1, 0, "", "y");
    assert_true(found->documents == 3 && found->admitted == 0 && found->bytes == 6);
    cell_is(&counts, 2, 0, "", "zy");
    found = cell_is(&counts, 3, 0, "y", "x");
    assert_true(found->documents == 2 && found->admitted == 1 && found->bytes == 20 && found->rejected == 0);
    found = cell_is(&counts, 4, 0, "z", "y");
    assert_true(found->documents == 5 && found->admitted == 4 && found->bytes == 45);
    cell_is(&counts, 5, 1, "test", "");
    assert_true(place[cell] == 4 && place[same] == 2);      /* where those that were asked for went */
    assert_true(counts.shard[0].documents == 7 && counts.shard[0].rejected == 2 && counts.shard[0].xxh3 == 8);
    assert_true(counts.shard[1].documents == 3 && counts.shard[1].rejected == 10 && counts.shard[1].xxh3 == 9);
    free(place);
    counts_free(&counts);
    assert_true(counts.cell == NULL && counts.cell_count == 0);
    passing_close(&g);
}

/* Numbers count the documents of a dataset's shards, past the rejects before them: one by one, the long way. */
static void documents_are_numbered(void **unused)
{
    /* a0: records 0 r 2 3 s 5 6, s being a binary file; a1: r r r r 4 5 (one reject for four); b0: 0 1 2; b1: r */
    const struct made  made[] = {
        { { .parts = 1, .documents = 5, .rejected = 1 }, { { 0 } },
          { { .record = 1, .records = 1 }, { .record = 4, .records = 1, .reason = REJECT_BINARY } }, 0, 2, "" },
        { { .parts = 1, .documents = 2, .rejected = 4 }, { { 0 } }, { { .record = 0, .records = 4 } }, 0, 1, "" },
        { { .parts = 1, .documents = 3 }, { { 0 } }, { { 0 } }, 0, 0, "" },
        { { .parts = 1, .rejected = 1 }, { { 0 } }, { { .record = 0, .records = 1 } }, 0, 1, "" },
    };
    static const struct { uint32_t shard; uint64_t record, number; } numbers[] = {
        { 0, 0, 0 }, { 0, 2, 1 }, { 0, 3, 2 }, { 0, 5, 3 }, { 0, 6, 4 }, { 1, 4, 5 }, { 1, 5, 6 }, { 2, 0, 0 },
        { 2, 1, 1 }, { 2, 2, 2 },
    };
    struct passing     g;
    struct scan_counts counts;
    uint32_t          *place;

    (void)unused;
    open_counts(&g, &counts);
    for (uint32_t s = 4; s-- > 0;) add(&counts, &made[s], s, &g.err);    /* shards in any order */
    passing_must(&g, counts_finish(&counts, &place, &g.err));
    assert_true(counts.shard[0].first == 0 && counts.shard[1].first == 5 && counts.shard[2].first == 0 &&
                counts.shard[3].first == 3);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (counts_number(&counts, numbers[i].shard, numbers[i].record) != numbers[i].number)
            fail_msg("shard %u, record %d", numbers[i].shard, (int)numbers[i].record);
    assert_int_equal(counts.reject_count, 4);
    for (size_t i = 1; i < counts.reject_count; i++)
        assert_true(counts.reject[i - 1].shard < counts.reject[i].shard ||
                    counts.reject[i - 1].reject.record < counts.reject[i].reject.record);
    assert_true(counts.reject[1].until == 2 && counts.reject[2].until == 4 && counts.reject[3].until == 1);
    free(place);
    counts_free(&counts);
    passing_close(&g);
}

/* Each shard is told by the first scanner that takes it. */
static void counts_from_units(void **unused)
{
    static const struct content some[] = {
        { "a.jsonl", "{\"text\": \"x\"}\nnone\n{\"text\": \"y\"}\n" },
        { "b.jsonl", "{\"text\": \"z\", \"split\": \"s\"}\n" },
    };
    struct passing     g;
    struct scan_counts counts;

    (void)unused;
    passing_open(&g, some, 2);
    passing_add(&g, "b", PASS_GROUPS, true);
    passing_add(&g, "all", PASS_RECORDS, false);
    passing_must(&g, pass_stream(&g.pass, g.shards.count, &g.err));
    passing_must(&g, counts_read(&counts, &g.pass, &g.shards, &g.err));
    assert_true(counts.shard[0].documents == 2 && counts.shard[0].rejected == 1 && counts.shard[1].documents == 1);
    assert_int_equal(counts.cell_count, 2);
    assert_int_equal(cell_is(&counts, 0, 0, "", "")->rejected, 1);
    assert_int_equal(cell_is(&counts, 1, 1, "s", "text")->documents, 1);
    assert_int_equal(counts_number(&counts, 0, 2), 1);
    counts_free(&counts);
    passing_clear(&g);
    assert_int_equal(counts_read(&counts, &g.pass, &g.shards, &g.err), -EIO);
    assert_true(strstr(g.err.text, "unit 0 of") && strstr(g.err.text, "a.jsonl"));
    counts_free(&counts);
    g.pass.scanner_count = 1;                               /* nobody takes a: it has a cell all the same */
    passing_must(&g, pass_stream(&g.pass, g.shards.count, &g.err));
    passing_must(&g, counts_read(&counts, &g.pass, &g.shards, &g.err));
    assert_true(counts.cell_count == 2 && counts.shard[0].documents == 0);
    counts_free(&counts);
    passing_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_add_up), cmocka_unit_test(documents_are_numbered), cmocka_unit_test(counts_from_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
