/* tests/unit/capability/sample.c -- a sample of small shards is all of them, counted; of large ones it is a part. */
#include "capability/sample.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

/* Two datasets: a benchmark in two shards, and a corpus of one. */
struct small {
    char                  folder[64], glob[2][96];
    char                 *globs[2];
    struct dataset_split  split[2];
    struct dataset        dataset[2];
    struct shard_list     shards;
    struct view_options   view;
    bool                  wanted[2];
    struct sample_options options;
    struct sampled        sample;
};

static void put(const struct small *s, const char *name, const char *text)
{
    char path[96];

    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    write_file(path, text, strlen(text));
}

static void small_open(struct small *s)
{
    *s = (struct small){ .folder = "/tmp/leakgraph-sample-XXXXXX", .view = { .kind = VIEW_TOKENS },
                         .wanted = { true, true } };
    assert_non_null(mkdtemp(s->folder));
    for (size_t d = 0; d < 2; d++) {
        snprintf(s->glob[d], sizeof s->glob[d], "%s/%c*.jsonl", s->folder, "bc"[d]);
        s->globs[d] = s->glob[d];
        s->split[d] = (struct dataset_split){ .name = (char *)(uintptr_t)"", .globs = &s->globs[d], .glob_count = 1 };
        s->dataset[d] = (struct dataset){ .name = (char *)(uintptr_t)(d ? "c" : "b"), .language = "java",
                                          .role = d ? ROLE_CORPUS : ROLE_BENCHMARK, .splits = &s->split[d],
                                          .split_count = 1 };
    }
}

static void small_sample(struct small *s)
{
    struct err err = { 0 };

    if (shard_list_open(&s->shards, s->dataset, 2, "/", &err) < 0) fail_msg("%s", err.text);
    s->options = (struct sample_options){ .datasets = s->dataset, .dataset_count = 2, .shards = &s->shards,
                                          .wanted = s->wanted, .view = &s->view, .min_tokens = 3, .share = 0.01,
                                          .watcher = s->options.watcher };
    if (sample_read(&s->options, &s->sample, &err) < 0) fail_msg("%s", err.text);
}

static void small_close(struct small *s)
{
    sample_free(&s->sample);
    assert_null(s->sample.dataset);
    shard_list_free(&s->shards);
    remove_tree(s->folder);
}

struct watch { struct sample_watcher as; size_t documents, copies, admitted, batches; double full; };

static int watch_document(struct sample_watcher *watcher, struct sample_dataset *dataset,
                          const struct multiset *features, const struct record *record, bool admitted, bool copy,
                          struct err *err)
{
    struct watch *w = (struct watch *)watcher;

    (void)err;
    assert_non_null(dataset);
    assert_true(features->distinct <= record->text.len);
    w->documents++;
    w->copies += copy;
    w->admitted += admitted;
    return 0;
}

static int watch_batch(struct sample_watcher *watcher, struct slice records, struct err *err)
{
    (void)err;
    assert_true(records.len > 0);
    ((struct watch *)watcher)->batches++;
    return 0;
}

static double watch_filled(const struct sample_watcher *watcher) { return ((const struct watch *)watcher)->full; }

/* a; has two tokens, int a; three, so min_tokens 3 keeps the first out. */
static void test_whole(void **unused)
{
    struct watch                 watch = { { watch_document, watch_batch, watch_filled }, 0, 0, 0, 0, 0 };
    const uint32_t               expected[] = { 0, 2, 3, 3, 3, 4 };
    const struct sample_dataset *b, *c;
    struct small                 s;

    (void)unused;
    small_open(&s);
    put(&s, "b1.jsonl", "{\"text\": \"int a;\"}\n{\"text\": \"a;\"}\n");
    put(&s, "b2.jsonl", "{\"text\": \"\"}\nno JSON\n{\"text\": \"int a = a;\"}\n");
    put(&s, "c.jsonl", "{\"text\": \"int a;\"}\n{\"text\": \"int  a;\"}\n");
    s.options.watcher = &watch.as;
    small_sample(&s);
    b = &s.sample.dataset[0];
    c = &s.sample.dataset[1];
    assert_int_equal(s.sample.documents, 6);
    for (size_t i = 0; i < 6; i++) assert_int_equal(s.sample.features[i], expected[i]);
    assert_true(b->shards == 2 && b->shards_read == 2 && b->whole && c->shards == 1 && c->whole);
    assert_int_equal(b->bytes, s.shards.at[0].bytes + s.shards.at[1].bytes);
    assert_int_equal(b->bytes_read, b->bytes);
    assert_true(b->documents == 4 && b->rejected == 1 && b->empty == 1 && b->admitted == 2 && b->copies == 0);
    assert_int_equal(b->distinct, 3 + 4);
    assert_int_equal(b->text_bytes, 6 + 2 + 0 + 10);
    assert_true(c->documents == 2 && c->admitted == 2 && c->copies == 1);   /* with that of the benchmark */
    assert_true(watch.documents == 6 && watch.copies == 1 && watch.admitted == 4 && watch.batches == 3);
    small_close(&s);
}

static void test_unwanted(void **unused)
{
    struct small s;

    (void)unused;
    small_open(&s);
    put(&s, "b.jsonl", "{\"text\": \"int a;\"}\n");
    put(&s, "c.jsonl", "{\"text\": \"int a;\"}\n");
    s.wanted[0] = false;
    small_sample(&s);
    assert_int_equal(s.sample.documents, 1);
    assert_true(s.sample.dataset[0].shards == 0 && s.sample.dataset[0].bytes == 0);
    assert_int_equal(s.sample.dataset[1].copies, 0);
    small_close(&s);
}

/* A watcher that can hold no more ends it; each dataset has been looked into then. */
static void test_full(void **unused)
{
    struct watch watch = { { watch_document, watch_batch, watch_filled }, 0, 0, 0, 0, 1 };
    struct small s;

    (void)unused;
    small_open(&s);
    put(&s, "b1.jsonl", "{\"text\": \"int a;\"}\n");
    put(&s, "b2.jsonl", "{\"text\": \"int b;\"}\n");
    put(&s, "c.jsonl", "{\"text\": \"int c;\"}\n");
    s.options.watcher = &watch.as;
    small_sample(&s);
    assert_true(s.sample.dataset[0].shards_read == 1 && s.sample.dataset[1].shards_read == 1);
    assert_false(s.sample.dataset[0].whole);
    assert_int_equal(s.sample.documents, 2);
    small_close(&s);
}

static void test_failure(void **unused)
{
    struct small   s;
    struct sampled sample;
    struct err     err = { 0 };

    (void)unused;
    small_open(&s);
    put(&s, "b.jsonl", "{\"text\": \"int a;\"}\n");
    put(&s, "c.jsonl", "{\"text\": \"int a;\"}\n");
    small_sample(&s);
    assert_int_equal(unlink(s.shards.at[1].path), 0);
    assert_true(sample_read(&s.options, &sample, &err) < 0);
    assert_non_null(strstr(err.text, "c.jsonl"));
    assert_true(!sample.dataset && !sample.features);
    small_close(&s);
}

static void test_helpers(void **unused)
{
    const struct sample_dataset part = { .bytes = 100, .bytes_read = 25 }, unread = { .bytes = 100 };
    const struct sample_dataset whole = { .bytes = 100, .bytes_read = 25, .whole = true };
    struct table                table = { 0 };
    struct err                  err = { 0 };

    (void)unused;
    assert_true(sample_scaled(&part, 3) == 12 && sample_scaled(&unread, 3) == 3 && sample_scaled(&whole, 3) == 3);
    assert_int_equal(sample_met_before(&table, (struct content_hash){ 1, 2 }, &err), 0);
    assert_int_equal(sample_met_before(&table, (struct content_hash){ 1, 2 }, &err), 1);
    assert_int_equal(sample_met_before(&table, (struct content_hash){ 2, 1 }, &err), 0);
    table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole), cmocka_unit_test(test_unwanted), cmocka_unit_test(test_full),
        cmocka_unit_test(test_failure), cmocka_unit_test(test_helpers),
    };

    return cmocka_run_group_tests_name("capability/sample", tests, NULL, NULL);
}
