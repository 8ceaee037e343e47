/* tests/unit/cmd/texts.c -- records of files, in their order; options; what cannot be read. */
#include "cmd/texts.h"
#include "tests/unit/cmd/command_line.h"

struct heard { struct bytes text; struct texts *texts; };

static int hear(void *context, const struct shard *shard, const struct batch *batch, const struct record *record,
                struct err *err)
{
    struct heard *heard = context;

    (void)batch;
    if (slice_equal(record->text, SLICE("none"))) return texts_reject(heard->texts, shard, record, "is none");
    if (slice_equal(record->text, SLICE("stop"))) return err_set(err, -ECANCELED, "stopped");
    return bytes_printf(&heard->text, "%.*s;", (int)record->text.len, record->text.at);
}

/* What is read of one file with this content, and how it ends. */
static void reads(const char *content, const char *field, int status, const char *texts, const char *says)
{
    char         folder[] = "/tmp/leakgraph-unit-XXXXXX", path[100], *file[] = { path };
    struct heard heard = { 0 };
    struct texts t = { .command = "test", .take = hear, .context = &heard };
    struct err   err = { 0 };

    heard.texts = &t;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.jsonl", folder);
    write_file(path, content, strlen(content));
    if (field) assert_int_equal(texts_option(&t, "--field", field, &err), 1);
    assert_int_equal(texts_read(&t, file, 1, &err), status);
    assert_int_equal(heard.text.len, strlen(texts));
    if (*texts) assert_memory_equal(heard.text.at, texts, strlen(texts));
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    bytes_free(&heard.text);
    unlink(path);
    rmdir(folder);
}

static void test_read(void **unused)
{
    (void)unused;
    reads("{\"text\": \"a\"}\n{\"text\": \"b\"}\n", NULL, 0, "a;b;", "");
    reads("{\"body\": \"a\"}\n", "text=body", 0, "a;", "");
    reads("{\"text\": \"a\"}\nno\n{\"text\": \"b\"}\n", NULL, -EBADMSG, "a;b;", "test: 1 record could not be read");
    reads("{\"text\": \"a\"}\n{\"text\": \"none\"}\n{\"text\": \"none\"}\n", NULL, -EBADMSG, "a;",
          "test: 2 records could not be read");
    reads("{\"body\": \"a\"}\n", NULL, -EINVAL, "", "text=body");
    reads("{\"text\": \"a\"}\n{\"text\": \"stop\"}\n{\"text\": \"b\"}\n", NULL, -ECANCELED, "a;", "stopped");
}

static void test_options(void **unused)
{
    struct texts t = { .command = "test" };
    struct err   err = { 0 };

    (void)unused;
    assert_int_equal(texts_option(&t, "--language", "java", &err), 1);
    assert_string_equal(t.dataset.language, "java");
    assert_int_equal(texts_option(&t, "--other", "x", &err), 0);
    assert_int_equal(texts_option(&t, "--language", "pyhton", &err), -EINVAL);
    assert_non_null(strstr(err.text, "test: --language: `pyhton` is no language that is known; did you mean"));
    assert_int_equal(texts_option(&t, "--field", "a.text=b", &err), -EINVAL);
    assert_non_null(strstr(err.text, "test: --field takes NAME=FIELD here"));
    assert_int_equal(texts_option(&t, "--field", "nonsense=b", &err), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_options) };

    return cmocka_run_group_tests_name("cmd/texts", tests, NULL, NULL);
}
