/* tests/unit/pass/item.c -- benchmarks' documents collected and read back. */
#include "passing.h"

#include "kernels/kernels.h"
#include "pass/item.h"

static const struct content files[] = {
    { "a0.jsonl", "{\"text\": \"int a\", \"id\": \"first\", \"path\": \"x.java\", \"repo\": \"r\", "
                  "\"license\": \"MIT\", \"split\": \"test\"}\nnone\n{\"text\": \"int  a\", \"id\": 2}\n" },
    { "a1.jsonl", "{\"text\": \"b\", \"tokens\": [\"b\"], \"path\": \"y.py\"}\n" },
    { "b.jsonl", "{\"text\": \"of the corpus\"}\n" },
};

static struct item_job job_of(struct passing *g, bool text, bool tokens)
{
    g->told.store_text = text;
    g->told.store_tokens = tokens;
    return (struct item_job){ .run = &g->told, .view = &g->pass.view };
}

static void documents_in_their_order(void **unused)
{
    struct passing      g;
    struct item_job     job;
    struct item_result  result;
    struct item_document *d;

    (void)unused;
    passing_open(&g, files, 3);
    job = job_of(&g, true, false);
    passing_must(&g, item_collect(&job, &g.err));
    assert_true(job.totals.documents == 3 && job.totals.rejected == 1 && job.totals.units == 2);
    passing_must(&g, item_result_read(&job, &result, &g.err));
    assert_int_equal(result.count, 3);                      /* the corpus has none */
    d = result.document;
    assert_true(d[0].row->record == 0 && d[1].row->record == 2 && d[2].row->record == 0);
    assert_true(d[0].shard == 0 && d[1].shard == 0 && d[2].shard == 1);
    assert_true(slice_equal(d[0].split, SLICE("test")) && slice_equal(d[0].language, SLICE("java")));
    assert_true(d[1].split.len == 0 && slice_equal(d[2].language, SLICE("python")));
    assert_true(slice_equal(item_string(&d[0], d[0].row->source_id), SLICE("first")));
    assert_true(slice_equal(item_string(&d[0], d[0].row->path), SLICE("x.java")));
    assert_true(slice_equal(item_string(&d[0], d[0].row->repo), SLICE("r")));
    assert_true(slice_equal(item_string(&d[0], d[0].row->license), SLICE("MIT")));
    assert_true(slice_equal(item_string(&d[0], d[0].row->text), SLICE("int a")));
    assert_true(slice_equal(item_string(&d[1], d[1].row->source_id), SLICE("2")));
    assert_null(item_string(&d[1], d[1].row->path).at);
    assert_null(item_string(&d[0], d[0].row->tokens).at);
    /* they differ by white space alone */
    assert_true(d[0].row->raw.low != d[1].row->raw.low && d[0].row->raw.low == content_hash_raw(SLICE("int a")).low);
    assert_true(d[0].row->squeezed.low == d[1].row->squeezed.low && d[0].row->squeezed.high == d[1].row->squeezed.high);
    assert_true(d[0].row->squeezed.low != d[2].row->squeezed.low);
    item_result_free(&result);
    assert_true(result.document == NULL && result.count == 0);
    passing_close(&g);
}

static void what_is_stored(void **unused)
{
    struct passing     g;
    struct item_job    job;
    struct item_result result;

    (void)unused;
    passing_open(&g, files, 3);
    job = job_of(&g, false, true);
    passing_must(&g, item_collect(&job, &g.err));
    passing_must(&g, item_result_read(&job, &result, &g.err));
    assert_null(item_string(&result.document[0], result.document[0].row->text).at);
    assert_true(slice_equal(item_string(&result.document[0], result.document[0].row->tokens),
                            SLICE("[\"int\", \"a\"]")));
    assert_true(slice_equal(item_string(&result.document[2], result.document[2].row->tokens), SLICE("[\"b\"]")));
    item_result_free(&result);
    passing_must(&g, item_collect(&job, &g.err));
    assert_true(job.totals.units == 0 && job.totals.units_reused == 2 && job.totals.documents == 3);
    job = job_of(&g, true, true);                           /* other units */
    passing_must(&g, item_collect(&job, &g.err));
    assert_int_equal(job.totals.units_reused, 0);
    job = job_of(&g, true, false);
    passing_must(&g, item_collect(&job, &g.err));
    assert_int_equal(job.totals.units_reused, 0);
    g.told.version = "other";
    passing_must(&g, item_collect(&job, &g.err));
    assert_int_equal(job.totals.units_reused, 0);
    passing_close(&g);
}

static void units_that_are_gone(void **unused)
{
    struct passing     g;
    struct item_job    job;
    struct item_result result;

    (void)unused;
    passing_open(&g, files, 3);
    job = job_of(&g, true, false);
    assert_int_equal(item_result_read(&job, &result, &g.err), -EIO);
    assert_true(strstr(g.err.text, "unit 0 of") && strstr(g.err.text, "a0.jsonl"));
    item_result_free(&result);
    passing_must(&g, item_collect(&job, &g.err));
    passing_must(&g, stage_remove(g.told.stage, "benchmarks", pass_unit_key(g.dataset, item_collector(&job).key,
                                                                       &g.shards.at[1], 0), &g.err));
    assert_int_equal(item_result_read(&job, &result, &g.err), -EIO);    /* the first shard's are mapped already */
    assert_non_null(strstr(g.err.text, "a1.jsonl"));
    assert_int_equal(result.count, 2);
    item_result_free(&result);
    passing_close(&g);
}

static void benchmarks_alone(void **unused)
{
    struct passing      g;
    struct item_job     job;
    struct item_result  result;
    struct pass_scanner scanner;

    (void)unused;
    passing_open(&g, files, 3);
    job = job_of(&g, true, false);
    scanner = item_collector(&job);
    assert_true(scanner.takes(scanner.shared, &g.dataset[0]) && !scanner.takes(scanner.shared, &g.dataset[1]));
    g.dataset[0].role = ROLE_CORPUS;
    passing_must(&g, item_collect(&job, &g.err));
    passing_must(&g, item_result_read(&job, &result, &g.err));
    assert_int_equal(result.count, 0);
    item_result_free(&result);
    passing_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_in_their_order), cmocka_unit_test(what_is_stored),
        cmocka_unit_test(units_that_are_gone), cmocka_unit_test(benchmarks_alone),
    };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
