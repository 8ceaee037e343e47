/* tests/unit/clone/scan.c -- what the units have of the small side and of corpora, worked out by hand. */
#include "clone/stages.h"
#include "clone/task.h"
#include "tests/unit/small_run.h"

static struct small_run  small;
static struct clone_job *job;
static struct pass_unit  unit;

static void open_run(const char *settings, const char *bench, const char *code)
{
    struct pass pass = { 0 };
    struct err  err = { 0 };
    char        yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "line_clones: {%s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    small_write(&small, "c.jsonl", code);
    small_start(&small, yaml);
    pass.run = &small.run;
    job = &clone_task(&small.config)->job;
    *job = (struct clone_job){ .run = &small.run, .options = &clone_task(&small.config)->options };
    if (clone_prepare(job, &err) < 0 || pass_add(&pass, clone_scanner(job), &err) < 0 ||
        pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
}

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

static void close_all(void)
{
    clone_release(job);
    small_close(&small);
}

static bool text_is(struct heap_string s, const char *expected)
{
    if (s.len == NO_STRING) return !expected;
    return expected && slice_equal((struct slice){ pass_unit_section(&unit, 0, PART_HEAP).at + s.at, s.len },
                                   slice_of(expected));
}

static void test_small_side(void **unused)
{
    static const char            bench[] = "{\"id\": \"x1\", \"path\": \"p.c\", \"text\": \"a\\n\\n b \\r\\nb\"}\n"
                                           "{\"text\": \"\"}\n";
    const struct clone_document *row;
    const struct clone_line     *line;
    size_t                       count;

    (void)unused;
    for (int store = 0; store < 2; store++) {
        open_run("lines: 1", bench, bench);
        if (!store) {                                       /* once more, without texts */
            struct err err = { 0 };

            clone_release(job);
            small.run.store_text = false;
            if (clone_prepare(job, &err) < 0) fail_msg("%s", err.text);
        }
        row = rows_of(clone_collector(job), 0, sizeof *row, &count);
        line = (const void *)pass_unit_section(&unit, 0, PART_VALUES).at;
        assert_int_equal(count, 2);
        assert_true(row[0].record == 0 && row[0].line_at == 0 && row[0].line_count == 3);
        assert_true(text_is(row[0].source_id, "x1") && text_is(row[0].path, "p.c"));
        assert_true(text_is(row[0].text, store ? "a\n\n b \r\nb" : NULL));
        assert_true(line[0].number == 1 && line[1].number == 3 && line[2].number == 4);
        assert_true(line[0].byte == 0 && line[1].byte == 3 && line[2].byte == 8);
        assert_true(line[1].low != line[2].low);            /* white space before a line is part of it */
        assert_true(row[1].record == 1 && row[1].line_count == 0 && text_is(row[1].path, NULL));
        unit_close(&unit.file);
        close_all();
    }
}

/* record, index, number, length of the rows */
static void check_rows(const struct clone_row *row, size_t count, const uint32_t (*expected)[4], size_t expectations)
{
    assert_int_equal(count, expectations);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(row[i].record, expected[i][0]);
        assert_int_equal(row[i].index, expected[i][1]);
        assert_int_equal(row[i].number, expected[i][2]);
        assert_int_equal(row[i].length, expected[i][3]);
    }
}

static void test_corpus(void **unused)
{
    static const char bench[] = "{\"text\": \"a\\nb\\nc\\nd\\ne\"}\n{\"text\": \"f\\na\\nb\"}\n";
    static const char code[] =
        "{\"text\": \"a\\nb\\nc\\nd\\ne\"}\n"               /* all */
        "{\"text\": \"b\\nc\"}\n"                           /* too short for three lines */
        "{\"text\": \"x\\n\\nb\\nc\\n\\nd\\nx\\nb\\nc\\nd\\ne\"}\n"    /* twice, with what is no line in between */
        "{\"text\": \"d\\ne\\nf\\na\\nb\\nc\"}\n"           /* no block goes on past a document's end */
        "{\"text\": \"c\\nb\\na\"}\n";                      /* lines that are known, but no block */
    static const uint32_t three[][4] = {
        { 0, 0, 1, 5 }, { 0, 1, 2, 4 }, { 0, 2, 3, 3 }, { 2, 1, 3, 3 }, { 2, 5, 8, 4 }, { 2, 6, 9, 3 }, { 3, 2, 3, 3 },
        { 3, 3, 4, 3 },
    };
    static const uint32_t five[][4] = { { 0, 0, 1, 5 } };
    const struct clone_row *row;
    size_t                  count;

    (void)unused;
    open_run("lines: 3", bench, code);
    assert_false(clone_scanner(job).takes(job, &small.config.datasets[0]));
    assert_true(clone_scanner(job).takes(job, &small.config.datasets[1]));
    row = rows_of(clone_scanner(job), 1, sizeof *row, &count);
    check_rows(row, count, three, sizeof three / sizeof *three);
    unit_close(&unit.file);
    close_all();
    open_run("lines: 5", bench, code);
    row = rows_of(clone_scanner(job), 1, sizeof *row, &count);
    check_rows(row, count, five, 1);
    unit_close(&unit.file);
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_small_side), cmocka_unit_test(test_corpus) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
