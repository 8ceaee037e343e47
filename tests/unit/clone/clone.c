/* tests/unit/clone/clone.c -- the small side collected, cut into pieces that fit in memory, indexed. */
#include "clone/stages.h"
#include "clone/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

enum { DOCUMENTS = 12, LINES = 40 };

static struct small_run small;

static void open_run(struct clone_job *job, const char *settings)
{
    struct bytes text = { 0 };
    char         yaml[512];

    for (int d = 0; d < DOCUMENTS; d++) {
        assert_int_equal(bytes_printf(&text, "{\"text\": \""), 0);
        for (int l = 0; l < LINES; l++) assert_int_equal(bytes_printf(&text, "line %d of %d\\n", l, d % 5), 0);
        assert_int_equal(bytes_printf(&text, "\"}\n"), 0);
    }
    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl, e.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "line_clones: {%s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", text.at);
    small_write(&small, "e.jsonl", "");
    small_write(&small, "c.jsonl", text.at);
    small_start(&small, yaml);
    bytes_free(&text);
    *job = (struct clone_job){ .run = &small.run, .options = &clone_task(&small.config)->options };
}

static void close_all(struct clone_job *job)
{
    clone_release(job);
    assert_null(job->index);
    clone_release(job);
    small_close(&small);
}

static void test_small(void **unused)
{
    struct clone_job   job;
    struct clone_small side;
    struct bytes       pieces = { 0 };
    struct err         err = { 0 };

    (void)unused;
    open_run(&job, "");
    if (clone_prepare(&job, &err) < 0 || clone_small_read(&job, &side, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(job.totals.documents, DOCUMENTS);      /* of the benchmarks; the corpora come with the pass */
    clone_totals_add(&job, &(struct pass){ .totals = { .documents = 3, .bytes = 5 } });
    assert_int_equal(job.totals.documents, DOCUMENTS + 3);
    assert_true(side.count == DOCUMENTS && side.lines == DOCUMENTS * LINES);
    for (size_t d = 0; d < DOCUMENTS; d++) {
        assert_true(side.document[d].row->record == d && side.document[d].shard == 0);
        assert_true(side.document[d].first == d * LINES && side.document[d].row->line_count == LINES);
        assert_int_equal(side.document[d].line[LINES - 1].number, LINES);
    }
    assert_true(side.document[0].line[3].low == side.document[5].line[3].low);
    assert_int_equal(clone_pieces_read(&job, &pieces, &err), 0);
    assert_int_equal(pieces.len, sizeof(struct clone_piece));           /* all fits */
    assert_true(job.piece.from == 0 && job.piece.to == DOCUMENTS && job.piece.lines == DOCUMENTS * LINES);
    assert_int_equal(job.index->header->lines, DOCUMENTS * LINES);
    clone_small_free(&side);
    assert_true(!side.document && !side.count);
    clone_small_free(&side);
    bytes_free(&pieces);
    close_all(&job);
}

/* Pieces cover all documents in their order, none needs more than it may, and fewer would. */
static void check_pieces(uint64_t each)
{
    struct clone_job          job;
    struct bytes              pieces = { 0 };
    const struct clone_piece *piece;
    struct err                err = { 0 };
    uint64_t                  documents = 0, lines = 0, memory = clone_index_memory((each + 1) * LINES, each + 1);
    size_t                    count;

    open_run(&job, "lines: 3");
    small.run.memory = memory;
    if (clone_prepare(&job, &err) < 0 || clone_pieces_read(&job, &pieces, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(job.memory, memory);
    piece = (const void *)pieces.at;
    count = pieces.len / sizeof *piece;
    assert_int_equal(count, DOCUMENTS / each);              /* one more, and the small side itself, are too many */
    for (size_t p = 0; p < count; p++) {
        assert_true(piece[p].from == documents && piece[p].first == lines && piece[p].to == documents + each);
        assert_int_equal(piece[p].lines, each * LINES);
        documents = piece[p].to;
        lines += piece[p].lines;
    }
    assert_int_equal(documents, DOCUMENTS);
    assert_int_equal(job.piece.from, DOCUMENTS - each);     /* the last one is for the pass of all */
    assert_int_equal(job.index->header->lines, each * LINES);
    for (size_t p = 0; p + 1 < count; p++) {                /* the corpora have gone past the others */
        struct pass_scanner matcher = clone_matcher(&job, &piece[p]);
        struct pass_unit    unit;

        assert_int_equal(pass_unit_load(&small.run, &matcher, 2, 0, &unit, &err), 1);
        unit_close(&unit.file);
    }
    bytes_free(&pieces);
    close_all(&job);
}

static void test_pieces(void **unused)
{
    (void)unused;
    check_pieces(3);
    check_pieces(1);
}

static void test_refused(void **unused)
{
    struct clone_job job;
    struct err       err = { 0 };

    (void)unused;
    open_run(&job, "");
    small.run.memory = clone_index_memory(LINES, 1);        /* of one document alone, but there are others */
    assert_int_equal(clone_prepare(&job, &err), -ENOMEM);
    assert_non_null(strstr(err.text, "line_clones: record 0 of "));
    assert_non_null(strstr(err.text, "its 40 lines and the 12 documents"));
    assert_non_null(strstr(err.text, "raise it"));
    close_all(&job);
}

/* An index is of its piece and its length; the lines do not depend on the latter. */
static void test_keys(void **unused)
{
    struct clone_job   job;
    struct clone_piece one = { 0, 3, 0, 30 }, other = { 3, 6, 30, 30 };
    struct unit_key    key, lines;
    struct err         err = { 0 };
    struct bytes       pieces = { 0 };

    (void)unused;
    open_run(&job, "");
    key = clone_index_key(&job, &one);
    lines = clone_collector(&job).key;
    assert_true(clone_index_key(&job, &other).low != key.low);
    clone_task(&small.config)->options.lines = 7;
    assert_true(clone_index_key(&job, &one).low != key.low && clone_collector(&job).key.low == lines.low);
    clone_task(&small.config)->options.lines = 6;
    clone_task(&small.config)->options.places = 99;
    assert_true(clone_index_key(&job, &one).low == key.low);
    clone_task(&small.config)->options.normal = CLONE_SIMIAN;
    assert_true(clone_index_key(&job, &one).low != key.low && clone_collector(&job).key.low != lines.low);
    assert_int_equal(clone_pieces_read(&job, &pieces, &err), -EIO);     /* nobody has cut them */
    assert_non_null(strstr(err.text, "the pieces of line_clones have disappeared"));
    bytes_free(&pieces);
    close_all(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_small), cmocka_unit_test(test_pieces),
                                        cmocka_unit_test(test_refused), cmocka_unit_test(test_keys) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
