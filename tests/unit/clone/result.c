/* tests/unit/clone/result.c -- the blocks of a small example, worked out by hand with the rule of clone.h. */
#include "clone/result.h"
#include "clone/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

/* A B C; x, nothing, A B */
static const char bench[] = "{\"text\": \"A\\nB\\nC\\n\"}\n{\"text\": \"\"}\n{\"text\": \"x\\n\\nA\\nB  \\nz\"}\n";
static const char code[] = "{\"text\": \"nothing of it\"}\n{\"text\": \"A\\nB\\nC\\n\\ny\\nA\\nB\"}\n";

static struct small_run    small;
static struct clone_job   *job;
static struct clone_result result;

static void open_texts(const char *bench_text, const char *code_text, const char *settings, uint64_t memory)
{
    struct err err = { 0 };
    char       yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "line_clones: {lines: 2, %s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", bench_text);
    small_write(&small, "c.jsonl", code_text);
    small_start(&small, yaml);
    small.run.memory = memory;
    small_pass(&small);
    job = &clone_task(&small.config)->job;
    if (clone_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
}

static void open_result(const char *settings, uint64_t memory) { open_texts(bench, code, settings, memory); }

static void close_all(void)
{
    clone_result_free(&result);
    assert_true(!result.block && !result.place && !result.span);
    small_close(&small);
}

static const struct clone_block *block_of(uint32_t length)
{
    const struct clone_block *found = NULL;

    for (size_t b = 0; b < result.block_count; b++) {
        if (b) assert_true(result.block[b].fingerprint_high > result.block[b - 1].fingerprint_high);
        if (result.block[b].length == length) found = &result.block[b];
    }
    assert_non_null(found);
    return found;
}

static void check_place(const struct clone_block *block, uint32_t i, uint32_t shard, uint64_t record, uint32_t line)
{
    const struct clone_block_place *place = &result.place[block->place + i];

    assert_true(i < block->places && place->block == block - result.block);
    assert_true(place->shard == shard && place->record == record && place->line == line);
}

static void check_blocks(bool text)
{
    const struct clone_block *abc, *ab;

    assert_int_equal(result.block_count, 2);
    abc = block_of(3);
    ab = block_of(2);
    assert_true(abc->small_count == 1 && abc->corpus_count == 1 && abc->places == 2 && abc->first == 0);
    check_place(abc, 0, 0, 0, 1);
    check_place(abc, 1, 1, 1, 1);
    assert_true(ab->small_count == 2 && ab->corpus_count == 2 && ab->places == 4);
    check_place(ab, 0, 0, 0, 1);
    check_place(ab, 1, 0, 2, 3);                            /* lines are counted with those that are none */
    check_place(ab, 2, 1, 1, 1);
    check_place(ab, 3, 1, 1, 6);
    assert_int_equal(result.place_count, 6);
    assert_true(slice_equal(clone_block_text(&result, abc), text ? SLICE("A\nB\nC") : SLICE("")));
    assert_true(slice_equal(clone_block_text(&result, ab), text ? SLICE("A\nB") : SLICE("")));
    /* what of the benchmark is in them */
    assert_true(result.shared[0] == 3 && result.shared[1] == 0 && result.shared[2] == 2);
    assert_int_equal(result.span_count, 2);
    assert_true(result.span[0].document == 0 && result.span[0].first == 1 && result.span[0].last == 3);
    assert_true(result.span[1].document == 2 && result.span[1].first == 3 && result.span[1].last == 4);
}

static void test_blocks(void **unused)
{
    uint64_t low, high;

    (void)unused;
    open_result("places: 10", 0);
    check_blocks(true);
    low = block_of(3)->fingerprint_low;
    high = block_of(3)->fingerprint_high;
    close_all();
    /* in pieces of a document or two it is all the same */
    open_result("places: 10", clone_index_memory(7, 1) + 200);
    {
        struct bytes pieces = { 0 };
        struct err   err = { 0 };

        assert_int_equal(clone_pieces_read(job, &pieces, &err), 0);
        assert_true(pieces.len > sizeof(struct clone_piece));
        bytes_free(&pieces);
    }
    check_blocks(true);
    assert_true(block_of(3)->fingerprint_low == low && block_of(3)->fingerprint_high == high);
    close_all();
}

static void test_places(void **unused)
{
    (void)unused;
    open_result("places: 1", 0);                            /* counted all, kept the first on either side */
    assert_true(block_of(2)->small_count == 2 && block_of(2)->corpus_count == 2 && block_of(2)->places == 2);
    check_place(block_of(2), 0, 0, 0, 1);
    check_place(block_of(2), 1, 1, 1, 1);
    close_all();
}

static void test_self(void **unused)
{
    (void)unused;
    open_result("self: true", 0);
    assert_int_equal(result.block_count, 1);
    assert_true(block_of(2)->small_count == 2 && block_of(2)->corpus_count == 0 && block_of(2)->places == 2);
    assert_true(result.shared[0] == 2 && result.shared[2] == 2);
    close_all();
}

/* Q R stands alone nowhere, but once behind a line that begins no longer block than itself: that is enough. */
static void test_as_long(void **unused)
{
    (void)unused;
    open_texts("{\"text\": \"P\\nQ\\nR\"}\n{\"text\": \"Z\\nQ\\nR\"}\n",
               "{\"text\": \"P\\nQ\"}\n{\"text\": \"Z\\nQ\\nR\"}\n", "", 0);
    assert_int_equal(result.block_count, 3);                /* P Q, Q R, Z Q R */
    assert_true(block_of(3)->small_count == 1 && block_of(3)->corpus_count == 1);
    close_all();
}

static void test_find(void **unused)
{
    struct clone_side_document document[] = { { .first = 0 }, { .first = 0 }, { .first = 3 }, { .first = 3 },
                                              { .first = 8 } };
    struct clone_small         side = { .document = document, .count = 5, .lines = 9 };

    (void)unused;
    assert_ptr_equal(clone_small_find(&side, 0), &document[1]);         /* empty ones before it begin there too */
    assert_ptr_equal(clone_small_find(&side, 2), &document[1]);
    assert_ptr_equal(clone_small_find(&side, 3), &document[3]);
    assert_ptr_equal(clone_small_find(&side, 7), &document[3]);
    assert_ptr_equal(clone_small_find(&side, 8), &document[4]);
}

static void test_text(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    open_result("", 0);
    clone_result_free(&result);
    small.run.store_text = false;                           /* other units, that are not there */
    assert_int_equal(clone_result_read(job, &result, &err), -EIO);
    clone_result_free(&result);
    small_pass(&small);
    assert_int_equal(clone_result_read(job, &result, &err), 0);
    check_blocks(false);
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks), cmocka_unit_test(test_places),
                                        cmocka_unit_test(test_self), cmocka_unit_test(test_as_long),
                                        cmocka_unit_test(test_find), cmocka_unit_test(test_text) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
