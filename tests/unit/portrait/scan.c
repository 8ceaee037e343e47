/* tests/unit/portrait/scan.c -- units of keys, and the list of what is to go into a portrait. */
#include "portrait/private.h"
#include "portrait/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static struct small_run r;

static struct portrait_job *job_start(const char *settings)
{
    char                  yaml[512];
    struct portrait_task *task;
    struct pass           pass;
    struct err            err = { 0 };

    snprintf(yaml, sizeof yaml, "datasets:\n  - {name: no, role: corpus, files: b.jsonl}\n"
             "  - {name: yes, role: corpus, files: [a1.jsonl, a2.jsonl]}\nportrait: {datasets: yes, %s}\n", settings);
    small_start(&r, yaml);
    task = portrait_task(&r.config);
    task->job = (struct portrait_job){ .run = &r.run, .member = task->member, .options = &task->options };
    pass = (struct pass){ .run = &r.run };
    if (pass_add(&pass, portrait_scanner(&task->job), &err) < 0 || pass_stream(&pass, r.shards.count, &err) < 0)
        fail_msg("%s", err.text);
    return &task->job;
}

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    small_write(&r, "a1.jsonl", "{\"text\": \"one\\ntwo\\none\"}\n{\"text\": \"two\"}\n{\"bad\": 1}\n");
    small_write(&r, "a2.jsonl", "{\"text\": \" two\\n\\nthree\"}\n");
    small_write(&r, "b.jsonl", "{\"text\": \"not this\"}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    small_close(&r);
    return 0;
}

static bool is(const struct portrait_content *content, uint32_t at, uint32_t len, const char *name)
{
    return slice_equal((struct slice){ content->names.at + at, len }, slice_of(name));
}

static void test_list(void **unused)
{
    const struct portrait   none = { 0 };
    struct portrait_job    *job = job_start("kind: lines");
    struct portrait_content content;
    struct err              err = { 0 };

    (void)unused;
    if (portrait_list(job, &none, &content, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(content.shard_count, 2);
    assert_int_equal(content.unit_count, 2);
    assert_true(content.unit[0].shard == 1 && content.unit[1].shard == 2 && content.unit[1].number == 0);
    assert_true(is(&content, content.shard[0].dataset_at, content.shard[0].dataset_len, "yes"));
    assert_true(is(&content, content.shard[0].name_at, content.shard[0].name_len, "a1.jsonl"));
    assert_true(is(&content, content.shard[1].name_at, content.shard[1].name_len, "a2.jsonl"));
    assert_int_equal(content.shard[0].documents, 2);
    assert_int_equal(content.shard[0].insertions, 2);       /* one and two: what repeats in a part is kept once */
    assert_int_equal(content.shard[1].insertions, 2);
    assert_int_equal(content.shard[0].bytes, r.shards.at[1].bytes);
    assert_true(content.shard[0].xxh3 != content.shard[1].xxh3);
    assert_int_equal(content.documents, 3);
    assert_int_equal(content.insertions, 4);
    assert_int_equal(content.text_bytes, 11 + 3 + 11);
    portrait_content_free(&content);
    assert_null(content.unit);
    assert_int_equal(stage_clear(r.stage, &err), 0);
    assert_int_equal(portrait_list(job, &none, &content, &err), -EIO);
    assert_non_null(strstr(err.text, "a1.jsonl has disappeared or is damaged"));
    portrait_content_free(&content);
}

/* Ascending and distinct, those that the text is cut into. */
static void test_keys(void **unused)
{
    struct portrait_job      *job = job_start("kind: windows, width: 2, stride: 1");
    const struct pass_scanner scanner = portrait_scanner(job);
    struct portrait_pieces    pieces = { 0 };
    struct pass_unit          unit;
    struct slice              keys;
    const uint64_t           *key;
    struct err                err = { 0 };

    (void)unused;
    assert_false(scanner.takes(job, &r.config.datasets[0]));
    assert_true(scanner.takes(job, &r.config.datasets[1]));
    assert_int_equal(pass_unit_load(&r.run, &scanner, 1, 0, &unit, &err), 1);
    assert_int_equal(unit.header->parts, 1);
    keys = pass_unit_section(&unit, 0, PART_VALUES);
    key = (const uint64_t *)(const void *)keys.at;
    /* on ne e_ _t tw wo o_ _o: on, ne, e_, _t, tw, wo, o_, _o; two adds nothing */
    assert_int_equal(keys.len / sizeof *key, 8);
    for (size_t i = 1; i < 8; i++) assert_true(key[i - 1] < key[i]);
    assert_int_equal(portrait_cut(&job->options->scheme, SLICE("one\ntwo\none"), false, &pieces, &err), 0);
    for (size_t p = 0; p < pieces.count; p++) {
        size_t i = 0;

        while (i < 8 && key[i] != pieces.at[p].key) i++;
        assert_true(i < 8);
    }
    portrait_pieces_free(&pieces);
    unit_close(&unit.file);
}

/* The content of a shard once, whatever its name; shards without documents may be alike. */
static void test_twice(void **unused)
{
    struct portrait_job    *job;
    const struct portrait   none = { 0 };
    struct portrait         base = { .head = { .shards = 1, .names_bytes = 3 }, .names = "old", .map = &base };
    struct portrait_shard   before;
    struct portrait_content content;
    struct err              err = { 0 };

    (void)unused;
    small_write(&r, "a1.jsonl", "{\"bad\": 1}\n");
    small_write(&r, "a2.jsonl", "{\"bad\": 1}\n");
    job = job_start("kind: content");
    assert_int_equal(portrait_list(job, &none, &content, &err), 0);
    assert_int_equal(content.insertions, 0);
    portrait_content_free(&content);
    small_stop(&r);

    small_write(&r, "a2.jsonl", "{\"text\": \"x\"}\n");
    job = job_start("kind: content");
    assert_int_equal(portrait_list(job, &none, &content, &err), 0);
    before = content.shard[1];
    before.name_at = 0, before.name_len = 3;
    portrait_content_free(&content);
    base.shard = &before;
    assert_int_equal(portrait_list(job, &base, &content, &err), -EINVAL);
    assert_non_null(strstr(err.text, "shard a2.jsonl has the content of old, which is in the portrait that is extended "
                                     "already"));
    portrait_content_free(&content);
    before.xxh3++;
    assert_int_equal(portrait_list(job, &base, &content, &err), 0);
    portrait_content_free(&content);
    small_stop(&r);

    small_write(&r, "a1.jsonl", "{\"text\": \"x\"}\n");
    job = job_start("kind: content");
    assert_int_equal(portrait_list(job, &none, &content, &err), -EINVAL);
    assert_non_null(strstr(err.text, "shard a2.jsonl has the content of a1.jsonl, which is among the shards already"));
    portrait_content_free(&content);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_list, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_twice, set_up, tear_down) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
