/* tests/unit/ngram/ngram.c -- what is done before the scan: items collected, the table built once and mapped. */
#include "base/log.h"
#include "ngram/index.h"
#include "ngram/task.h"
#include "tests/unit/small_run.h"

static const char yaml[] = "datasets:\n"
                           "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                           "  - {name: second, role: benchmark, files: [s.jsonl]}\n"
                           "  - {name: code, role: corpus, files: [b.jsonl]}\n"
                           "ngrams: {n: [2, 4], fields: {text: ~, test: tests}}\n";

/* What was logged, with a NUL behind it. */
static void logged(const struct small_run *small, struct bytes *out)
{
    char path[160];

    log_close();
    snprintf(path, sizeof path, "%s/log", small->folder);
    read_file(path, out);
}

static void test_prepare(void **unused)
{
    struct small_run small;
    struct ngram_job job;
    struct bytes     said = { 0 };
    struct err       err = { 0 };
    char             path[160];

    (void)unused;
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"text\": \"a b c\", \"tests\": \"t\"}\n{\"text\": \"d\"}\n");
    small_write(&small, "s.jsonl", "{\"text\": \"e f\", \"test\": \"t\"}\n");
    small_start(&small, yaml);
    snprintf(path, sizeof path, "%s/log", small.folder);
    log_open(&(struct log_options){ .quiet = true, .path = path });
    job = (struct ngram_job){ .run = &small.run, .options = &ngram_task(&small.config)->options };
    if (ngram_prepare(&job, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(job.index->entries, 4);                /* two texts and a test, a text */
    assert_int_equal(job.index->lines, 8);
    assert_true(job.index->entry[3].shard == 1 && job.index->entry[3].field == 0);
    logged(&small, &said);
    assert_non_null(strstr(said.at, "no record of second has a text in its field `tests` (fields.test)"));
    assert_null(strstr(said.at, "no record of bench"));
    ngram_release(&job);
    assert_null(job.index);
    ngram_release(&job);

    /* All is committed: nothing is read again, even when it is gone. */
    snprintf(path, sizeof path, "%s/b.jsonl", small.folder);
    assert_int_equal(unlink(path), 0);
    if (ngram_prepare(&job, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(job.index->entries, 4);
    ngram_release(&job);

    /* Otherwise the error is the shard's, and the release ends that too. */
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_true(ngram_prepare(&job, &err) < 0);
    assert_non_null(strstr(err.text, "b.jsonl"));
    ngram_release(&job);
    assert_null(job.index);
    bytes_free(&said);
    small_close(&small);
}

/* The table is within `memory` while it is made; of what the threads may have of it besides there is a warning. */
static void test_memory(void **unused)
{
    struct small_run small;
    struct ngram_job job;
    struct err       err = { 0 };

    (void)unused;
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"text\": \"a b c d e f g\", \"tests\": \"t\"}\n{\"text\": \"d\"}\n");
    small_write(&small, "s.jsonl", "{\"text\": \"e f\", \"test\": \"t\"}\n");
    small_start(&small, yaml);
    job = (struct ngram_job){ .run = &small.run, .options = &ngram_task(&small.config)->options };
    small.run.memory = 300;
    assert_int_equal(ngram_prepare(&job, &err), -ENOMEM);
    assert_non_null(strstr(err.text, "ngrams: n-grams of the benchmarks need about 1 MB in memory"));
    ngram_release(&job);
    small.run.memory = 1 << 20;
    if (ngram_prepare(&job, &err) < 0) fail_msg("%s", err.text);
    assert_false(ngram_warn_scan(&job));
    small.run.memory = job.index->file.bytes + (uint64_t)small.run.threads * ngram_scan_need(&job);
    assert_false(ngram_warn_scan(&job));
    small.run.memory--;
    assert_true(ngram_warn_scan(&job));
    assert_true(ngram_scan_need(&job) > 12 * job.index->grams + 64 * job.index->lines);
    ngram_release(&job);
    small_close(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_prepare), cmocka_unit_test(test_memory) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
