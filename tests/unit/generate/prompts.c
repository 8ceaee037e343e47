/* tests/unit/generate/prompts.c -- prompts of the documents of a dataset, and of the blocks of an earlier run. */
#include "generate/prompts.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static struct small_run        r;
static char                    from[80];
static struct generate_options options;
static struct generate_job     job;

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    /* Python by name; of no known language; another language; without a function; line feeds are collapsed */
    small_write(&r, "a.jsonl", "{\"text\": \"def f(x):\\n\\n\\n    return x\\n\", \"language\": \"Python\"}\n"
                "{\"no\": 1}\n{\"text\": \"def g():\\n    pass\\n\"}\n"
                "{\"text\": \"def h():\\n    pass\\n\", \"language\": \"Java\"}\n"
                "{\"text\": \"x = 1\\n\\n\\ny = 2\\nz = 3\\n\", \"language\": \"Python\"}\n");
    small_write(&r, "b.jsonl", "{\"text\": \"def not_this():\\n    pass\\n\"}\n");
    small_start(&r, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\n"
                "  - {name: a, role: benchmark, files: a.jsonl}\nsensitive: {}\n");
    strcpy(from, "a");
    options = (struct generate_options){ .from = from, .lines = 2 };
    job = (struct generate_job){ .run = &r.run, .dataset_count = 2, .options = &options };
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    small_close(&r);
    return 0;
}

static void assert_prompts(const char *const *wanted, size_t count, uint64_t without)
{
    struct prompts prompts;
    struct err     err = { 0 };

    if (prompts_collect(&job, &prompts, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(prompts.count, count);
    assert_int_equal(prompts.without, without);
    for (size_t i = 0; i < count; i++)
        if (!slice_equal(prompts.at[i], slice_of(wanted[i])))
            fail_msg("%zu: `%.*s`", i, (int)prompts.at[i].len, prompts.at[i].at);
    prompts_free(&prompts);
    assert_null(prompts.at);
}

static void assert_refused(int code, const char *message)
{
    struct prompts prompts;
    struct err     err = { 0 };

    assert_int_equal(prompts_collect(&job, &prompts, &err), code);
    if (!strstr(err.text, message)) fail_msg("%s", err.text);
    prompts_free(&prompts);
}

static void test_none(void **unused)
{
    (void)unused;
    options.prompt = PROMPT_NONE;
    assert_prompts(NULL, 0, 0);
}

static void test_head(void **unused)
{
    (void)unused;
    options.prompt = PROMPT_HEAD;
    assert_prompts((const char *const[]){ "def f(x):", "def g():" }, 2, 2);
}

static void test_lines(void **unused)
{
    (void)unused;
    options.prompt = PROMPT_LINES;                          /* of any language */
    assert_prompts((const char *const[]){ "def f(x):\n    return x", "def g():\n    pass", "def h():\n    pass",
                                          "x = 1\ny = 2" }, 4, 0);
    options.lines = 1;
    assert_prompts((const char *const[]){ "def f(x):", "def g():", "def h():", "x = 1" }, 4, 0);
    small_stop(&r);
    small_write(&r, "a.jsonl", "{\"text\": \"\"}\n");
    small_start(&r, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\n"
                "  - {name: a, role: benchmark, files: a.jsonl}\nsensitive: {}\n");
    assert_refused(-EINVAL, "generate: no document of `a` gives a prompt (1 were read)");
}

static void test_blocks(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO clones VALUES (1, 'aa', 2, 3, 9, 'three'), (2, 'bb', 1, 7, 1, 'seven' || char(10) || "
                  "'lines'), (3, 'cc', 1, 3, 2, 'also three'), (4, 'dd', 1, 8, 1, '')");
    options.prompt = PROMPT_BLOCKS;
    snprintf(from, sizeof from, "%s", g.folder);
    assert_prompts((const char *const[]){ "seven\nlines", "three", "also three" }, 3, 0);
    made_run(&g, "UPDATE clones SET text = ''");
    assert_refused(-EINVAL, "graph.db holds no block of lines with its text");
    made_run(&g, "DROP TABLE clones");
    assert_refused(-EBADMSG, "it must be the folder of a finished run with line_clones");
    made_close(&g);
    assert_refused(-EINVAL, "it must be the folder of a finished run with line_clones");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_none, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_head, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
