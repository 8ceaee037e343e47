/* sensitive/index: the benchmarks' different values in the order of their first places, from committed units. */
#include "sensitive/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static const char yaml[] =
    "datasets:\n"
    "  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl]}\n"
    "  - {name: b, role: benchmark, files: b.jsonl}\n"
    "  - {name: c, role: corpus, files: c.jsonl}\n"
    "sensitive: {datasets: [a, c]}\n";

static struct sensitive_job *job_start(struct small_run *r)
{
    struct sensitive_task *task;

    small_start(r, yaml);
    task = sensitive_task(&r->config);
    task->job = (struct sensitive_job){ .run = &r->run, .options = &task->options, .member = task->member };
    return &task->job;
}

static struct sensitive_job *runs_open(struct small_run *r, const char *last)
{
    small_open(r);
    small_write(r, "a1.jsonl", "{\"text\": \"mail two@b.org or one@b.org, two@b.org\"}\n");
    small_write(r, "a2.jsonl", last);
    small_write(r, "b.jsonl", "{\"text\": \"not-me@b.org\"}\n");
    small_write(r, "c.jsonl", "{\"text\": \"nor-me@b.org\"}\n");
    return job_start(r);
}

static bool is_value(const struct needle *needle, const char *value)
{
    const struct needle of = needle_of(slice_of(value));

    return needle->len == of.len && needle->hash.low == of.hash.low && needle->hash.high == of.hash.high;
}

static void index_of(struct sensitive_job *job)
{
    struct err err = { 0 };

    if (sensitive_prepare(job, &err) < 0) fail_msg("%s", err.text);
}

static void test_order(void **state)
{
    static const char *const values[] = { "two@b.org", "one@b.org", "three@b.org" };
    struct small_run         r;
    struct sensitive_job    *job;

    (void)state;
    job = runs_open(&r, "{\"text\": \"one@b.org\"}\n{\"text\": \"then three@b.org\"}\n");
    index_of(job);
    assert_int_equal(job->index->count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct needle *needle = &job->index->needle[i];

        if (!is_value(needle, values[i])) fail_msg("number %u is not %s", i, values[i]);
        assert_int_equal(table_find(&job->index->numbers, needle->hash.low, needle->hash.high), i);
    }
    sensitive_release(job);
    assert_null(job->index);
    small_close(&r);
}

/* The key is that of all that the numbers depend on: of the same shards the same, of a changed one another. */
static void test_key(void **state)
{
    struct small_run      r;
    struct unit_key       key[3];
    struct sensitive_job *job;

    (void)state;
    job = runs_open(&r, "{\"text\": \"\"}\n");
    for (int i = 0; i < 3; i++) {
        struct sensitive_index again;
        struct err             err = { 0 };

        index_of(job);
        key[i] = job->index->key;
        assert_int_equal(sensitive_index_read(job, &again, &err), 0);
        assert_memory_equal(&again.key, &key[i], sizeof key[i]);
        sensitive_index_free(&again);
        assert_null(again.needle);
        sensitive_release(job);
        small_stop(&r);
        if (i == 1) small_write(&r, "a2.jsonl", "{\"text\": \"another size\"}\n");
        job = job_start(&r);
    }
    small_close(&r);
    assert_memory_equal(&key[0], &key[1], sizeof key[0]);
    assert_memory_not_equal(&key[0], &key[2], sizeof key[0]);
}

static void test_gone(void **state)
{
    struct small_run       r;
    struct sensitive_job  *job;
    struct sensitive_index again;
    struct err             err = { 0 };

    (void)state;
    job = runs_open(&r, "{\"text\": \"x\"}\n{\"text\": \"y\"}\n");
    index_of(job);
    assert_int_equal(stage_clear(r.stage, &err), 0);
    assert_int_equal(sensitive_index_read(job, &again, &err), -EIO);
    assert_non_null(strstr(err.text, "a1.jsonl has disappeared or is damaged"));
    sensitive_index_free(&again);
    sensitive_release(job);
    small_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_key),
                                        cmocka_unit_test(test_gone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
