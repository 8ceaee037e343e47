/* tests/unit/config/datasets.c -- the list `datasets` by itself: what each key becomes, how it is printed, refusals. */
#include "config/private.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

static const struct capability near = { .traits = CAPABILITY_ROLES };

/* `near_duplicates` is on where a role has to be there. */
static int read_datasets(struct config *config, struct task *task, const char *yaml, struct err *err)
{
    struct node root;
    int         rc;

    *config = (struct config){ .base = (char *)(uintptr_t)"/base", .task = task, .task_count = 1 };
    if (node_parse(&root, "p.yaml", yaml, strlen(yaml), err) < 0) fail_msg("%s", err->text);
    rc = config_read_datasets(config, &root, "p.yaml", err);
    node_free(&root);                                       /* nothing is borrowed from it */
    return rc;
}

static void datasets_free(struct config *config)
{
    for (size_t d = 0; d < config->dataset_count; d++) dataset_free(&config->datasets[d]);
    free(config->datasets);
}

static const char every[] =
    "datasets:\n"
    "  - {name: a.B_c-1, role: benchmark, language: C++, files: [x, '/y*']}\n"
    "  - name: b\n"
    "    language: MyOwn\n"
    "    format: lines\n"
    "    self_join: exact\n"
    "    utf8: reject\n"
    "    max_record_bytes: 2KiB\n"
    "    max_ratio: 9\n"
    "    url: http://x\n"
    "    splits: {test: t, 'tr ain': [u, v]}\n"
    "    fields: {text: a.b, stars: s}\n";

static void test_every(void **unused)
{
    struct task           task = { .of = &near };
    struct config         config;
    struct err            err = { 0 };
    const struct dataset *a, *b;

    (void)unused;
    assert_int_equal(read_datasets(&config, &task, every, &err), 0);
    assert_int_equal(config.dataset_count, 2);
    a = &config.datasets[0];
    b = &config.datasets[1];
    assert_string_equal(a->name, "a.B_c-1");
    assert_true(a->role == ROLE_BENCHMARK && b->role == ROLE_CORPUS);       /* the default */
    assert_string_equal(a->language, "cpp");                /* an alias becomes the name, others are lowered */
    assert_string_equal(b->language, "myown");
    assert_true(a->format == FORMAT_AUTO && a->utf8 == UTF8_KEEP && !a->self_join);
    assert_true(b->format == FORMAT_LINES && b->utf8 == UTF8_REJECT && b->self_join);
    assert_true(a->max_record_bytes == 64 << 20 && a->max_ratio == 1000);
    assert_true(b->max_record_bytes == 2048 && b->max_ratio == 9);
    assert_true(a->split_count == 1 && a->splits[0].glob_count == 2 && b->split_count == 2);
    assert_string_equal(a->splits[0].name, "");
    assert_string_equal(a->splits[0].globs[1], "/y*");
    assert_string_equal(b->splits[1].name, "tr ain");
    assert_string_equal(b->splits[1].globs[1], "v");
    assert_string_equal(b->fields[FIELD_TEXT], "a.b");
    assert_string_equal(b->fields[FIELD_STARS], "s");
    assert_string_equal(b->url, "http://x");
    datasets_free(&config);
}

/* What is printed reads back as the same, with globs from the root; the folder's own wildcards are no wildcards. */
static void test_print(void **unused)
{
    struct task   task = { .of = &near };
    struct config config, again;
    struct bytes  first = { 0 }, second = { 0 };
    struct err    err = { 0 };

    (void)unused;
    assert_int_equal(read_datasets(&config, &task, every, &err), 0);
    config.base = (char *)(uintptr_t)"/no/such[1]*";
    assert_int_equal(config_print_datasets(&config, &first), 0);
    assert_int_equal(bytes_append(&first, "", 1), 0);
    first.len--;
    assert_non_null(strstr(first.at, "  - name: a.B_c-1\n    role: benchmark\n    language: cpp\n"));
    assert_non_null(strstr(first.at, "/no/such\\\\[1]\\\\*/x\", "));
    assert_non_null(strstr(first.at, "/y*"));
    assert_int_equal(read_datasets(&again, &task, first.at, &err), 0);
    assert_string_equal(again.datasets[0].splits[0].globs[0], "/no/such\\[1]\\*/x");
    again.base = (char *)(uintptr_t)"/elsewhere";
    assert_int_equal(config_print_datasets(&again, &second), 0);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.at, second.at, first.len);

    again.made = 1;                                         /* what the run writes itself is no setting */
    second.len = 0;
    assert_int_equal(config_print_datasets(&again, &second), 0);
    assert_int_equal(bytes_append(&second, "", 1), 0);
    assert_non_null(strstr(second.at, "a.B_c-1"));
    assert_null(strstr(second.at, "name: b\n"));
    bytes_free(&first);
    bytes_free(&second);
    datasets_free(&again);
    datasets_free(&config);
}

static void refuses(const char *yaml, bool near_is_on, const char *says)
{
    struct task   task = { .of = &near, .on = near_is_on };
    struct config config;
    struct err    err = { 0 };
    int           rc = read_datasets(&config, &task, yaml, &err);

    if (!says ? rc != 0 : rc != -EINVAL || !strstr(err.text, says)) fail_msg("%s: %d: %s", yaml, rc, err.text);
    datasets_free(&config);
}

static void test_refused(void **unused)
{
    char name[300] = "datasets: [{files: x, name: ", *end = name + strlen(name);

    (void)unused;
    refuses("a: 1\n", false, "p.yaml: `datasets` is missing");
    refuses("datasets:\n  - {name: a, files: x}\n", false, NULL);
    refuses("datasets:\n  - {name: a, files: x}\n", true, "p.yaml:2: datasets.a: `role` is missing");
    refuses("datasets:\n  - {name: a, files: x}\n  - {files: y}\n", false, "p.yaml:3: ");
    refuses("datasets:\n  - {name: a, files: x}\n  - {name: b, files: y}\n  - {name: a, files: z}\n", false,
            "p.yaml:4: two datasets are called `a`");
    refuses("datasets:\n  - {name: a}\n", false, "p.yaml:2: datasets.a: `files` or `splits` is missing");
    refuses("datasets:\n  - name: a\n    fields: {text: a..b}\n    files: x\n", false, "p.yaml:3: ");
    memset(end, 'n', 200);
    memcpy(end + 200, "}]\n", 4);
    refuses(name, false, NULL);
    memcpy(end + 200, "n}]\n", 5);
    refuses(name, false, "is not 1 to 200 letters");
}

static void test_help(void **unused)
{
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(config_help_datasets(&out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    for (size_t f = 0; f < FIELD_COUNT; f++) assert_non_null(strstr(out.at, field_names[f]));
    assert_non_null(strstr(out.at, "self_join"));
    assert_non_null(strstr(out.at, " python"));
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every), cmocka_unit_test(test_print), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_help),
    };

    return cmocka_run_group_tests_name("config/datasets", tests, NULL, NULL);
}
