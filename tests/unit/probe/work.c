/* tests/unit/probe/work.c -- every block is done once, by sessions of a model that is opened once; failures end it. */
#include "probe/work.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 300 };

static char                 folder[] = "/tmp/leakgraph-work-XXXXXX", path[64], name[] = "mine";
static struct comm         *comm;
static struct model_options options = { .name = name, .backend = MODEL_REPLAY, .path = path };

/* What the blocks of a piece of work met; block `bad` fails. */
struct met { uint32_t done[BLOCKS]; uint64_t bad; };

static int block_do(const struct work *work, struct model_session *session, uint64_t number, struct err *err)
{
    struct met         *met = work->shared;
    struct model_tokens tokens;

    if (number == met->bad) return err_set(err, -EDQUOT, "the budget is used");
    assert_string_equal(work->info.name, name);             /* filled by then */
    assert_string_equal(work->info.backend, "replay");
    if (model_tokenize(session, SLICE("ab"), &tokens, err) < 0) return err->code;
    assert_int_equal(tokens.count, 2);
    __atomic_fetch_add(&met->done[number], 1, __ATOMIC_RELAXED);
    return number % 3 == 0;                                 /* the others were there already */
}

static int run(struct work *work, struct met *met, uint64_t blocks, int threads, struct err *err)
{
    *err = (struct err){ 0 };
    *work = (struct work){ .comm = comm, .options = &options, .threads = threads, .blocks = blocks, .block = block_do,
                           .shared = met };
    return work_run(work, err);
}

static void test_blocks(void **unused)
{
    static const uint64_t counts[] = { 0, 1, 2, BLOCKS };

    (void)unused;
    for (int threads = 1; threads <= 4; threads++)
        for (size_t c = 0; c < 4; c++) {
            struct met  met = { .bad = UINT64_MAX };
            struct work work;
            struct err  err;

            if (run(&work, &met, counts[c], threads, &err) < 0) fail_msg("%s", err.text);
            for (uint64_t b = 0; b < BLOCKS; b++) assert_int_equal(met.done[b], b < counts[c]);
            assert_int_equal(work.asked, (counts[c] + 2) / 3);
            assert_int_equal(work.found, counts[c] - (counts[c] + 2) / 3);
        }
}

/* The first failure is told with the model's name; what is done is done, and no block twice. */
static void test_failure(void **unused)
{
    struct met  met = { .bad = 7 };
    struct work work;
    struct err  err;
    uint64_t    done = 0;

    (void)unused;
    assert_int_equal(run(&work, &met, BLOCKS, 2, &err), -EDQUOT);
    assert_string_equal(err.text, "model mine: the budget is used");
    for (uint64_t b = 0; b < BLOCKS; b++) {
        assert_true(met.done[b] <= 1);
        done += met.done[b];
    }
    assert_int_equal(met.done[7], 0);
    assert_int_equal(work.asked + work.found, done);
}

static void test_no_model(void **unused)
{
    struct met  met = { .bad = UINT64_MAX };
    struct work work;
    struct err  err;

    (void)unused;
    options.path = (char[]){ "/nowhere/mine" };
    assert_int_equal(run(&work, &met, 2, 1, &err), -ENOENT);
    assert_null(strstr(err.text, "model mine: model"));     /* opening names it itself */
    assert_int_equal(met.done[0] + met.done[1], 0);
    assert_int_equal(work.asked + work.found, 0);
    options.path = path;
}

static int set_up(void **unused)
{
    static const char line[] =
        "{\"text\": \"ab\", \"tokens\": [[\"a\", 1], [\"b\", 2]], \"context\": 4, \"windows\": []}\n";
    struct err err = { 0 };

    (void)unused;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/answers.jsonl", folder);
    write_file(path, line, sizeof line - 1);
    return comm_open(&comm, &err);
}

static int tear_down(void **unused)
{
    (void)unused;
    comm_close(comm);
    remove_tree(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks), cmocka_unit_test(test_failure),
                                        cmocka_unit_test(test_no_model) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
