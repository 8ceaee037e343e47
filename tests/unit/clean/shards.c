/* tests/unit/clean/shards.c -- shards written again: without records, without lines, or of the chosen ones alone. */
#include "clone/task.h"
#include "tests/unit/clean/world.h"

static struct world w;

static int set_up(void **unused)
{
    (void)unused;
    world_open(&w, "line_clones: {lines: 1, normalisation: exact}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    world_close(&w);
    return 0;
}

/* Chooses a document of the world, by its number there, with spans. */
static void choose(struct clean_shards *shards, int d, const struct clean_span *span, size_t spans)
{
    const struct clean_choice choice = {
        .shard = d < 2 ? 0 : d < 4 ? 1 : 2, .record = (uint64_t)world_document[d].record,
        .hash = content_hash_raw(slice_of(world_document[d].text)),
        .span_at = shards->choices.span.len / sizeof *span, .span_count = spans };

    assert_int_equal(bytes_append(&shards->choices.span, span, spans * sizeof *span), 0);
    assert_int_equal(choices_add(&shards->choices, &choice, SLICE("because"), MATCH_NONE), 0);
}

static struct clean_shards shards_of(enum clean_action action)
{
    return (struct clean_shards){ .job = &w.job, .output = &w.output, .folder = "out", .action = action };
}

static void write_shards(struct clean_shards *shards)
{
    struct err err = { 0 };

    if (shards_write(shards, &err) < 0) fail_msg("%s", err.text);
    shards_free(shards);
}

static void test_choices(void **unused)
{
    const struct clean_choice first = { .shard = 1, .record = 2 }, second = { .shard = 3, .record = 4 };
    struct clean_choices      choices = { 0 };

    (void)unused;
    assert_int_equal(choices_add(&choices, &first, SLICE(""), MATCH_NONE), 0);
    assert_int_equal(choices_add(&choices, &second, SLICE("why not"), MATCH_NONE), 0);
    assert_choices(&choices, "1:2 , 3:4 why not");
    choices_free(&choices);
    assert_null(choices.why.at);
}

/* Lines stay as they stand; records that are no documents are in none. */
static void test_remove(void **unused)
{
    struct clean_shards shards = shards_of(CLEAN_REMOVE);
    char                whole[512];
    struct stat         is;

    (void)unused;
    choose(&shards, 1, NULL, 0);
    choose(&shards, 2, NULL, 0);
    choose(&shards, 3, NULL, 0);
    write_shards(&shards);
    snprintf(whole, sizeof whole, "%s\n", world_document[0].line);
    assert_file(&w, "cleaned/out/a/a1.jsonl.zst", whole);
    snprintf(whole, sizeof whole, "%s/cleaned/out/a/a2.jsonl.zst", w.r.output);
    assert_int_equal(stat(whole, &is), -1);                 /* nothing is left */
    snprintf(whole, sizeof whole, "%s/cleaned/out/c", w.r.output);
    assert_int_equal(stat(whole, &is), -1);                 /* no member */

    shards = shards_of(CLEAN_REMOVE);                       /* of nothing that is chosen all is left */
    write_shards(&shards);
    snprintf(whole, sizeof whole, "%s\n%s\n", world_document[2].line, world_document[3].line);
    assert_file(&w, "cleaned/out/a/a2.jsonl.zst", whole);
}

static void test_take(void **unused)
{
    struct clean_shards shards = shards_of(CLEAN_TAKE);
    char                line[256], path[256];
    struct stat         is;

    (void)unused;
    choose(&shards, 2, NULL, 0);
    write_shards(&shards);
    snprintf(line, sizeof line, "%s\n", world_document[2].line);
    snprintf(path, sizeof path, "%s/cleaned/out/a/a1.jsonl.zst", w.r.output);
    assert_int_equal(stat(path, &is), -1);
    assert_file(&w, "cleaned/out/a/a2.jsonl.zst", line);
}

/* Shards of two splits are never one file. */
static void test_together(void **unused)
{
    struct clean_shards shards = shards_of(CLEAN_REMOVE);
    bool                both[] = { true, true };
    char                whole[512];

    (void)unused;
    w.output.shard_size = 1 << 20;
    w.output.member = both;
    choose(&shards, 1, NULL, 0);
    write_shards(&shards);
    snprintf(whole, sizeof whole, "%s\n", world_document[0].line);
    assert_file(&w, "cleaned/out/a/a1.jsonl.zst", whole);
    snprintf(whole, sizeof whole, "%s\n%s\n", world_document[2].line, world_document[3].line);
    assert_file(&w, "cleaned/out/a/a2.jsonl.zst", whole);

    small_stop(&w.r);
    counts_free(&w.counts);
    small_start(&w.r, "datasets:\n  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl, c.jsonl]}\n"
                "sensitive: {kinds: key}\n");
    w.r.run.draft = w.g.path;
    world_count(&w);
    shards = shards_of(CLEAN_REMOVE);
    choose(&shards, 1, NULL, 0);
    choose(&shards, 2, NULL, 0);
    choose(&shards, 3, NULL, 0);
    write_shards(&shards);
    snprintf(whole, sizeof whole, "%s\n%s\n%s\n", world_document[0].line, world_document[4].line,
             world_document[5].line);
    assert_file(&w, "cleaned/out/a/a1+2.jsonl.zst", whole);
}

static void test_cut(void **unused)
{
    static const struct clean_span spans[] = { { 1, 1 }, { 3, 3 } };
    struct clean_shards            shards = shards_of(CLEAN_CUT);

    (void)unused;
    choose(&shards, 0, spans, 2);
    choose(&shards, 2, spans, 1);
    write_shards(&shards);
    assert_file(&w, "cleaned/out/a/a1.jsonl.zst",
                "{\"id\": \"x0\", \"text\": \"two\\n\", \"language\": \"java\"}\n"
                "{\"text\": \"four\", \"language\": \"java\"}\n");
    assert_file(&w, "cleaned/out/a/a2.jsonl.zst",
                "{\"id\": \"x\\t2\", \"text\": \"six\", \"language\": \"java\"}\n"
                "{\"text\": \"seven\", \"language\": \"python\"}\n");
}

/* Spans of significant lines, from 0: empty ones are none.  There is no hash. */
static void test_cut_blocks(void **unused)
{
    static const struct clean_span spans[] = { { 1, 1 } }, beyond[] = { { 0, 2 } };
    struct clean_shards            shards = shards_of(CLEAN_CUT_BLOCKS);
    const struct clean_choice      last = { .shard = 0, .record = 0, .span_count = 1 };
    struct err                     err = { 0 };

    (void)unused;
    small_stop(&w.r);
    small_write(&w.r, "a1.jsonl", "{\"text\": \"one\\n\\n\\ntwo\\n\"}\n");
    counts_free(&w.counts);
    small_start(&w.r, "datasets:\n  - {name: a, role: benchmark, files: a1.jsonl}\n"
                "  - {name: c, role: corpus, files: c.jsonl}\nline_clones: {lines: 1, normalisation: exact}\n");
    w.r.run.draft = w.g.path;
    w.job.clones = &clone_task(&w.r.config)->job;
    clone_task(&w.r.config)->job.options = &clone_task(&w.r.config)->options;
    world_count(&w);
    assert_int_equal(bytes_append(&shards.choices.span, spans, sizeof spans), 0);
    assert_int_equal(choices_add(&shards.choices, &last, SLICE(""), MATCH_NONE), 0);
    write_shards(&shards);
    assert_file(&w, "cleaned/out/a/a1.jsonl.zst", "{\"text\": \"one\\n\\n\\n\"}\n");

    shards = shards_of(CLEAN_CUT_BLOCKS);
    assert_int_equal(bytes_append(&shards.choices.span, beyond, sizeof beyond), 0);
    assert_int_equal(choices_add(&shards.choices, &last, SLICE(""), MATCH_NONE), 0);
    assert_int_equal(shards_write(&shards, &err), -EIO);
    assert_non_null(strstr(err.text, "has changed while the run was going on"));
    shards_free(&shards);
}

/* A record that is another one than was compared, or is not there any more. */
static void test_changed(void **unused)
{
    struct clean_shards       shards = shards_of(CLEAN_REMOVE);
    const struct clean_choice other = { .shard = 0, .record = 0, .hash = { 1, 2 } },
        nowhere = { .shard = 0, .record = 1 };
    struct err                err = { 0 };

    (void)unused;
    assert_int_equal(choices_add(&shards.choices, &other, SLICE(""), MATCH_NONE), 0);
    assert_int_equal(shards_write(&shards, &err), -EIO);
    assert_non_null(strstr(err.text, "the text of record 0 is another one"));
    shards_free(&shards);

    shards = shards_of(CLEAN_REMOVE);
    assert_int_equal(choices_add(&shards.choices, &nowhere, SLICE(""), MATCH_NONE), 0);
    assert_int_equal(shards_write(&shards, &err), -EIO);
    assert_non_null(strstr(err.text, "0 of 1 chosen records were met again"));
    shards_free(&shards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),
        cmocka_unit_test_setup_teardown(test_remove, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_take, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
