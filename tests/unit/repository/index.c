/* tests/unit/repository/index.c -- names, files and texts of the benchmarks' repositories, numbered. */
#include "repository/index.h"
#include "repository/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static const char yaml[] = "datasets:\n"
                           "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                           "  - {name: second, role: benchmark, files: [s.jsonl]}\n"
                           "  - {name: code, role: corpus, files: [b.jsonl]}\n"
                           "repositories: {renames: old.tsv}\n";

static void test_names(void **unused)
{
    struct repository_index index = { 0 };
    uint32_t                name;
    char                    text[32];

    (void)unused;
    assert_int_equal(repository_name_find(&index, SLICE("a/b")), TABLE_NONE);
    assert_int_equal(repository_name_put(&index, SLICE(""), &name), 0);     /* documents without one */
    assert_int_equal(name, 0);
    for (uint32_t i = 1; i < 1000; i++) {
        snprintf(text, sizeof text, "owner/%u", i);
        assert_int_equal(repository_name_put(&index, slice_of(text), &name), 0);
        assert_int_equal(name, i);
        assert_int_equal(repository_name_put(&index, slice_of(text), &name), 0);
        assert_int_equal(name, i);
    }
    assert_int_equal(index.name_count, 1000);
    assert_int_equal(repository_name(&index, 0).len, 0);
    for (uint32_t i = 1; i < 1000; i++) {
        snprintf(text, sizeof text, "owner/%u", i);
        assert_true(slice_equal(repository_name(&index, i), slice_of(text)));
        assert_int_equal(repository_name_find(&index, slice_of(text)), i);
    }
    assert_int_equal(repository_name_find(&index, SLICE("owner/1000")), TABLE_NONE);
    repository_index_free(&index);
    assert_int_equal(index.name_count, 0);
    repository_index_free(&index);
}

static void collect(struct small_run *small, struct repository_job *job)
{
    struct repository_task *task = repository_task(&small->config);
    struct pass             pass = { .run = &small->run, .unit_bytes = 8 };         /* several units a shard */
    struct err              err = { 0 };

    *job = (struct repository_job){ .run = &small->run, .options = &task->options, .benchmark = task->benchmark };
    if (pass_add(&pass, repository_collector(job), &err) < 0 || pass_stream(&pass, small->shards.count, &err) < 0)
        fail_msg("%s", err.text);
}

static void test_files(void **unused)
{
    /* record, dataset, name, text, layout: by hand */
    static const struct repository_file expected[] = {
        { 0, 0, 0, 0, 0, 0 }, { 1, 0, 0, 1, 1, 0 }, { 4, 0, 0, 1, 2, 1 }, { 5, 0, 0, 1, 0, 0 }, { 0, 1, 1, 0, 2, 1 },
    };
    struct small_run        small;
    struct repository_job   job;
    struct repository_index index, again;
    struct err              err = { 0 };

    (void)unused;
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"repo\": \"o/a\", \"text\": \"x y\"}\n"
                                   "{\"repo\": \"o/b\", \"text\": \"xy\"}\n"          /* the same but for a blank */
                                   "{\"repo\": \"o/a\", \"text\": \"\\n \"}\n"        /* blank: no file */
                                   "{\"text\": \"no repository\"}\n"                  /* none of a repository */
                                   "{\"repo\": \"o/old\", \"text\": \"second\"}\n"    /* o/b now */
                                   "{\"repo\": \"o/b\", \"text\": \"x y\"}\n");
    small_write(&small, "s.jsonl", "{\"repo\": \"o/a\", \"text\": \"second\"}\n");
    small_write(&small, "old.tsv", "o/old\to/b\n");
    small_start(&small, yaml);
    collect(&small, &job);
    if (repository_index_read(&job, &index, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(index.file_count, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct repository_file *file = &index.file[i];

        assert_int_equal(file->record, expected[i].record);
        assert_int_equal(file->shard, expected[i].shard);
        assert_int_equal(file->dataset, expected[i].dataset);
        assert_int_equal(file->name, expected[i].name);
        assert_int_equal(file->text, expected[i].text);
        assert_int_equal(file->layout, expected[i].layout);
        assert_int_equal(index.layout_of[file->text], file->layout);
    }
    assert_true(index.name_count == 2 && index.text_count == 3 && index.layout_count == 2);
    assert_true(slice_equal(repository_name(&index, 1), SLICE("o/b")));

    /* renames are part of what the numbers depend on */
    small_write(&small, "old.tsv", "o/old\to/c\n");
    if (repository_index_read(&job, &again, &err) < 0) fail_msg("%s", err.text);
    assert_true(again.key.low != index.key.low);
    assert_int_equal(again.name_count, 3);
    repository_index_free(&again);
    repository_index_free(&index);

    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(repository_index_read(&job, &index, &err), -EIO);
    assert_non_null(strstr(err.text, "b.jsonl has disappeared or is damaged"));
    repository_index_free(&index);
    small_close(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_files) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
