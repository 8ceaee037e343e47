/* tests/unit/clean/blocks.c -- where the blocks of line clones are in the documents of a corpus, joined. */
#include "clone/task.h"
#include "tests/unit/clean/world.h"

static struct world       w;
static struct clone_small small;

/* The benchmark has the lines a to g in a row; a letter of a corpus' document is a line, upper case ones are its
 * own. */
static void start(const char *const *documents, size_t count, uint64_t memory)
{
    struct bytes lines = { 0 };
    struct err   err = { 0 };

    world_open(&w, "sensitive: {kinds: key}\n");
    counts_free(&w.counts);
    small_stop(&w.r);
    small_write(&w.r, "a1.jsonl", "{\"text\": \"a\\nb\\nc\\nd\\ne\\nf\\ng\"}\n");
    small_write(&w.r, "a2.jsonl", "{\"text\": \"x\\ny\\nz\"}\n");
    for (size_t d = 0; d < count; d++) {
        assert_int_equal(bytes_printf(&lines, "{\"text\": \""), 0);
        for (const char *c = documents[d]; *c; c++) assert_int_equal(bytes_printf(&lines, "%c\\n", *c), 0);
        assert_int_equal(bytes_printf(&lines, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&lines, "", 1), 0);
    small_write(&w.r, "c.jsonl", lines.at);
    bytes_free(&lines);
    small_start(&w.r, "datasets:\n  - {name: a, role: benchmark, language: text, splits: {train: a1.jsonl, test: "
                "a2.jsonl}}\n  - {name: c, role: corpus, language: text, files: c.jsonl}\n"
                "line_clones: {lines: 2, normalisation: exact}\n");
    w.r.run.draft = w.g.path;
    w.r.run.memory = memory;
    small_pass(&w.r);
    world_count(&w);
    w.member[0] = false, w.member[1] = true;
    w.output.drop = CLEAN_SPANS;
    w.job.clones = &clone_task(&w.r.config)->job;
    if (clone_small_read(w.job.clones, &small, &err) < 0) fail_msg("%s", err.text);
    w.job.small = &small;
}

static void stop(void)
{
    clone_small_free(&small);
    world_close(&w);
}

static void assert_blocks(const char *rule, const char *expected)
{
    struct clean_shards shards = { .job = &w.job, .output = &w.output, .action = CLEAN_CUT_BLOCKS };
    struct err          err = { 0 };

    world_rule(&w, rule);
    if (decide_blocks(&shards, &err) < 0) fail_msg("%s", err.text);
    assert_choices(&shards.choices, expected);
    shards_free(&shards);
}

static void assert_match(const char *rule, const char *expected)
{
    struct clean_shards shards = { .job = &w.job, .output = &w.output, .action = CLEAN_CUT_BLOCKS };
    struct err          err = { 0 };

    world_rule(&w, rule);
    if (decide_blocks(&shards, &err) < 0) fail_msg("%s", err.text);
    assert_true(slice_equal(choices_match(&shards.choices, 0), slice_of(expected)));
    shards_free(&shards);
}

static void test_blocks(void **unused)
{
    /* one; none; apart; touching; overlapping in the benchmark's order; of both documents */
    static const char *const documents[] = { "QabcQ", "aQb", "abQcd", "abef", "abcbcd", "xyabQ" };

    (void)unused;
    start(documents, 6, 0);
    /* lines from 0, the last one included */
    assert_blocks("clone", "2:0 1-3 clone, 2:2 0-1 3-4 clone, 2:3 0-3 clone, 2:4 0-5 clone, 2:5 0-3 clone");
    assert_blocks("clone >= 4", "2:2 0-1 3-4 clone >= 4, 2:3 0-3 clone >= 4, 2:4 0-5 clone >= 4, 2:5 0-3 clone >= 4");
    assert_blocks("clone = 6", "2:4 0-5 clone = 6");
    assert_blocks("clone > 6", "");
    w.member[1] = false;
    assert_blocks("clone", "");
    stop();
}

/* The document of the benchmark that has the longest block: of xyabQ both are as long, the first counts. */
static void test_match(void **unused)
{
    static const char *const documents[] = { "xyQabc", "xyabQ", "yzQxyz" };

    (void)unused;
    start(documents, 3, 0);
    assert_match("clone = 5", "a\t0\ta1.jsonl\t0\t\tclone\t");
    assert_match("clone = 4", "a\t1\ta2.jsonl\t0\t\tclone\t");
    stop();
}

/* Of all pieces of the small side, when its index does not fit at once. */
static void test_pieces(void **unused)
{
    static const char *const documents[] = { "QabcQ", "xyabQ" };
    struct bytes             pieces = { 0 };
    struct err               err = { 0 };

    (void)unused;
    start(documents, 2, 4800);
    assert_int_equal(clone_pieces_read(w.job.clones, &pieces, &err), 0);
    assert_int_equal(pieces.len, 2 * sizeof(struct clone_piece));
    bytes_free(&pieces);
    assert_blocks("clone", "2:0 1-3 clone, 2:1 0-3 clone");
    stop();
}

static void test_gone(void **unused)
{
    static const char *const documents[] = { "ab" };
    struct clean_shards      shards = { .job = &w.job, .output = &w.output };
    struct err               err = { 0 };

    (void)unused;
    start(documents, 1, 0);
    world_rule(&w, "clone");
    assert_int_equal(stage_clear(w.r.stage, &err), 0);
    assert_int_equal(decide_blocks(&shards, &err), -EIO);
    shards_free(&shards);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks), cmocka_unit_test(test_match),
                                        cmocka_unit_test(test_pieces),
                                        cmocka_unit_test(test_gone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
