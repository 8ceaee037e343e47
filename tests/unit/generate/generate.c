/* tests/unit/generate/generate.c -- outputs of a model of which every answer is recorded: the lines of the file, the
 * rows, what a second run does again. */
#include "generate/generate.h"
#include "tests/unit/small_run.h"

#include <zstd.h>

enum { OUTPUTS = 18 };                                      /* a block of 16, and another one */

static struct small_run        r;
static char                    path[96], file[128], name[] = "m", none[] = "", from[] = "a";
static struct model_options    model = { .name = name, .backend = MODEL_REPLAY, .path = path };
static struct generate_options options;
static struct generate_job     job;

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    small_write(&r, "a.jsonl", "{\"text\": \"def f():\\n\\n    pass\\n\"}\n{\"text\": \"x = 1\\ny\"}\n"
                "{\"text\": \"\"}\n{\"text\": \"alone\"}\n");
    small_write(&r, "answers", "{\"prompt\": \"def f():\", \"sampling\": {\"tokens\": 3}, \"generated\": {\"text\": "
                "\"\\n \\\"q\\\"\\u0001\xC3\", \"ids\": [1, 2, 3], \"prompt_ids\": [9], \"stopped\": false}}\n"
                "{\"prompt\": \"x = 1\", \"sampling\": {\"tokens\": 3}, \"generated\": {\"text\": \"\", \"ids\": [], "
                "\"prompt_ids\": [9], \"stopped\": true}}\n");
    snprintf(path, sizeof path, "%s/answers", r.folder);
    snprintf(file, sizeof file, "%s/generations/m.jsonl.zst", r.output);
    small_start(&r, "datasets:\n  - {name: a, role: benchmark, language: Python, files: a.jsonl}\nsensitive: {}\n");
    options = (struct generate_options){ .prompt = PROMPT_LINES, .from = from, .language = none, .lines = 1,
                                         .outputs = OUTPUTS, .sampling = { .tokens = 3, .top_p = 1 } };
    job = (struct generate_job){ .run = &r.run, .dataset_count = 1, .model = &model, .models = 1,
                                 .options = &options };
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    generate_release(&job);
    small_close(&r);
    return 0;
}

static void generate(void)
{
    struct err err = { 0 };

    generate_release(&job);
    if (generate_run(&job, &err) < 0) fail_msg("%s", err.text);
}

/* The lines of the file, with a NUL behind them. */
static void read_lines(struct bytes *out)
{
    struct bytes packed = { 0 };
    size_t       len;

    read_file(file, &packed);
    assert_int_equal(bytes_reserve(out, 1 << 16), 0);
    len = ZSTD_decompress(out->at, (1 << 16) - 1, packed.at, packed.len);
    assert_false(ZSTD_isError(len));
    out->at[len] = '\0';
    out->len = len;
    bytes_free(&packed);
}

static void test_outputs(void **unused)
{
    static const char *const texts[] = {
        "\"prompt\": 0, \"tokens\": 3, \"stopped\": false, \"text\": \"\\n \\\"q\\\"\\u0001\xEF\xBF\xBD\"}",
        "\"prompt\": 1, \"tokens\": 0, \"stopped\": true, \"text\": \"\"}",
        "\"prompt\": 2, \"tokens\": 0, \"stopped\": false, \"text\": \"\", \"refused\": \"",
    };
    struct bytes lines = { 0 };
    const char  *at;

    (void)unused;
    generate();
    assert_int_equal(job.prompts, 3);
    assert_int_equal(job.without, 1);
    assert_int_equal(job.made, 2);
    assert_int_equal(job.reused, 0);
    assert_int_equal(job.output_count, OUTPUTS);
    read_lines(&lines);
    at = lines.at;
    for (uint64_t i = 0; i < OUTPUTS; i++) {                /* prompts are taken in turn */
        const struct generate_output *output = &job.output[i];
        char                          wanted[256];
        const size_t                  len = (size_t)snprintf(
            wanted, sizeof wanted, "{\"id\": \"output:%llu\", \"model\": \"m\", \"output\": %llu, %s",
            (unsigned long long)i, (unsigned long long)i, texts[i % 3]);

        if (strncmp(at, wanted, len) != 0) fail_msg("%.200s\nis not\n%s", at, wanted);
        at = strchr(at, '\n') + 1;
        assert_true(output->number == i && output->prompt == (int64_t)(i % 3) && output->model == 0);
        assert_true(output->tokens == (i % 3 ? 0 : 3) && output->stopped == (i % 3 == 1) &&
                    output->refused == (i % 3 == 2));
    }
    assert_int_equal(*at, '\0');
    bytes_free(&lines);
}

/* A file that holds just that is not touched; one that does not is made from the outputs that are there. */
static void test_again(void **unused)
{
    struct stat  before, after;
    struct bytes first = { 0 }, second = { 0 };

    (void)unused;
    generate();
    read_lines(&first);
    assert_int_equal(stat(file, &before), 0);
    generate();
    assert_int_equal(job.made, 0);
    assert_int_equal(job.reused, 2);
    assert_int_equal(job.output_count, OUTPUTS);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    write_file(file, "x", 1);
    generate();
    assert_int_equal(job.reused, 2);
    read_lines(&second);
    assert_true(slice_equal(bytes_slice(&first), bytes_slice(&second)));
    options.outputs = 16;                                   /* its first block is there; the file is another one */
    generate();
    assert_int_equal(job.made, 0);
    assert_int_equal(job.reused, 1);
    read_lines(&second);
    assert_true(second.len < first.len && memcmp(first.at, second.at, second.len) == 0);
    options.sampling.seed = 5;                              /* other outputs, though the model gives the same */
    generate();
    assert_int_equal(job.made, 1);
    bytes_free(&first);
    bytes_free(&second);
}

/* Without a prompt there is one output after the model's begin of text. */
static void test_no_prompt(void **unused)
{
    struct bytes lines = { 0 };

    (void)unused;
    small_write(&r, "answers", "{\"prompt\": \"\", \"sampling\": {\"tokens\": 3}, \"generated\": {\"text\": \"z\", "
                "\"ids\": [4], \"prompt_ids\": []}}\n");
    options.prompt = PROMPT_NONE;
    options.outputs = 1;
    generate();
    assert_int_equal(job.prompts + job.without, 0);
    assert_true(job.output_count == 1 && job.output[0].prompt == -1 && job.output[0].tokens == 1);
    read_lines(&lines);
    assert_string_equal(lines.at, "{\"id\": \"output:0\", \"model\": \"m\", \"output\": 0, \"prompt\": -1, "
                                  "\"tokens\": 1, \"stopped\": false, \"text\": \"z\"}\n");
    bytes_free(&lines);
    generate_release(&job);
    assert_null(job.output);
}

static void test_decay(void **unused)
{
    struct model_sampling sampling = { .decay_from = 1, .decay_tokens = 1 };

    (void)unused;
    generate_decay(&sampling, DECAY_PUBLISHED);
    assert_true(sampling.decay_from == 10 && sampling.decay_tokens == 20);
    generate_decay(&sampling, DECAY_PAPER);                 /* 20, 19, ...: the twentieth is at 1 */
    assert_true(sampling.decay_from == 20 && sampling.decay_tokens == 19);
    generate_decay(&sampling, DECAY_NONE);
    assert_true(sampling.decay_from == 0 && sampling.decay_tokens == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_prompt, set_up, tear_down),
        cmocka_unit_test(test_decay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
