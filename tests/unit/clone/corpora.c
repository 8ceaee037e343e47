/* tests/unit/clone/corpora.c -- the corpora's rows read back: their order, which of them begin a block, the lines
 * around it; and what goes wrong. */
#include "clone/corpora.h"
#include "clone/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static struct small_run small;

struct met { struct clone_row row; uint32_t shard; bool leading; };
static struct met  met[16];
static size_t      count;
static int         answer;

static int note(void *context, const struct clone_row *row, uint32_t shard, bool leading)
{
    assert_ptr_equal(context, &small);
    assert_true(count < 16);
    met[count++] = (struct met){ *row, shard, leading };
    return answer;
}

static const struct clone_job *open_run(void)
{
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"text\": \"A\\nB\\nC\\nD\"}\n");
    small_write(&small, "c.jsonl", "{\"text\": \"nothing\"}\n{\"text\": \"x\\nA\\nB\\nC\\n\\ny\\nC\\nD\"}\n");
    small_write(&small, "d.jsonl", "{\"text\": \"B\\nC\\ny\"}\n");
    small_start(&small, "datasets:\n"
                        "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                        "  - {name: code, role: corpus, files: [c.jsonl, d.jsonl]}\n"
                        "line_clones: {lines: 2}\n");
    small_pass(&small);
    return &clone_task(&small.config)->job;
}

static int read_rows(const struct clone_job *job, struct err *err)
{
    struct bytes pieces = { 0 };
    int          rc;

    count = 0;
    assert_int_equal(clone_pieces_read(job, &pieces, err), 0);
    rc = clone_corpora_read(job, (const struct clone_piece *)(const void *)pieces.at, 1, 0, note, &small, err);
    bytes_free(&pieces);
    return rc;
}

static void test_rows(void **unused)
{
    /* A B C, B C, C D, B C: of c.jsonl's second document and d.jsonl's first */
    static const struct { uint32_t index, number, length, shard; bool leading; } rows[] = {
        { 1, 2, 3, 1, true }, { 2, 3, 2, 1, false }, { 5, 7, 2, 1, true }, { 0, 1, 2, 2, true },
    };
    const struct clone_job *job = open_run();
    struct err              err = { 0 };

    (void)unused;
    answer = 0;
    if (read_rows(job, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_true(met[i].row.index == rows[i].index && met[i].row.number == rows[i].number);
        assert_true(met[i].row.length == rows[i].length && met[i].shard == rows[i].shard);
        assert_true(met[i].leading == rows[i].leading && met[i].row.record == (i < 3));
    }
    assert_true(met[1].row.behind == met[0].row.behind && met[3].row.behind == met[0].row.behind);      /* y */
    assert_true(met[2].row.before == met[0].row.behind && met[2].row.behind == 0);
    assert_true(met[0].row.before && met[0].row.before != met[1].row.before && met[3].row.before == 0);
    small_close(&small);
}

static void test_failures(void **unused)
{
    const struct clone_job *job = open_run();
    struct err              err = { 0 };

    (void)unused;
    answer = -EOVERFLOW;
    assert_int_equal(read_rows(job, &err), -EOVERFLOW);
    assert_int_equal(count, 1);
    assert_non_null(strstr(err.text, "set a smaller `memory`"));
    answer = -ENOMEM;
    assert_int_equal(read_rows(job, &err), -ENOMEM);
    small_close(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_failures) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
