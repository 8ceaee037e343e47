/* tests/unit/cmd/query_portrait.c -- the verdict on a text that is in a portrait whole, in part, hardly, not at all. */
#include "cmd/query.h"
#include "base/log.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

#include <math.h>

#include <cjson/cJSON.h>

/* Sixteen letters without a repeated piece of four; what was put in is at every fourth. */
static const char text[] = "abcdefghijklmnop";

static void portrait_make(const char *folder, const char *of, char path[100])
{
    static const char yaml[] = "datasets:\n  - {name: c, role: corpus, files: c.jsonl}\n"
                               "portrait: {kind: windows, width: 4, stride: 4, name: p}\n";
    char line[300], shard[100];
    int  len = snprintf(shard, sizeof shard, "{\"text\": \"%s\"}\n", of);

    snprintf(path, 100, "%s/c.jsonl", folder);
    write_file(path, shard, (size_t)len);
    snprintf(path, 100, "%s/p.yaml", folder);
    write_file(path, yaml, sizeof yaml - 1);
    snprintf(line, sizeof line, "%s --output %s/run --threads 1 --quiet", path, folder);
    gives(cmd_run, line, 0, "");
    log_open(&(struct log_options){ 0 });
    snprintf(path, 100, "%s/run/p.portrait", folder);
}

static void judged(struct query_backend *backend, const char *asked, const char *verdict, double percent)
{
    const struct record record = { .text = slice_of(asked) };
    struct bytes        out = { 0 };
    struct err          err = { 0 };
    double              got = -1;
    cJSON              *json;

    assert_int_equal(backend->text(backend, &(struct query_text){ &record, SLICE("n\"") }, &out, &got, &err), 0);
    json = cJSON_ParseWithLength(out.at, out.len);
    assert_non_null(json);
    assert_string_equal(cJSON_GetObjectItem(json, "name")->valuestring, "n\"");
    if (strcmp(cJSON_GetObjectItem(json, "verdict")->valuestring, verdict) != 0 || got < percent - 0.01 ||
        got > percent + 0.01) fail_msg("%s: %.2f %.*s", asked, got, (int)out.len, out.at);
    cJSON_Delete(json);
    bytes_free(&out);
}

static void test_verdicts(void **unused)
{
    const struct query_options json = { .json = true }, lines = { 0 };
    const struct record        record = { .text = SLICE("abcdefgh") };
    struct query_backend      *backend;
    struct bytes               out = { 0 };
    struct err                 err = { 0 };
    char                       folder[] = "/tmp/leakgraph-query-XXXXXX", path[100];
    double                     percent = 0;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    portrait_make(folder, text, path);
    assert_int_equal(query_portrait_open(&backend, path, &json, &err), 0);
    judged(backend, text, "whole", 100);
    judged(backend, "abcd", "whole", 100);
    judged(backend, "abcdefghXXXXXXXX", "part", 50);        /* two pieces side by side */
    judged(backend, "abcdXXXXijklXXXX", "single", 50);
    judged(backend, "XXXXXXXX", "none", 0);
    judged(backend, "abc", "short", 0);
    backend->close(backend);

    assert_int_equal(query_portrait_open(&backend, path, &lines, &err), 0);
    assert_int_equal(backend->text(backend, &(struct query_text){ &record, SLICE("n\x1b") }, &out, &percent, &err), 0);
    assert_int_equal(backend->info(backend, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_int_equal(strncmp(out.at, "whole    100.00 ", 16), 0);
    assert_non_null(strstr(out.at, "  n\\x1b\n"));
    assert_non_null(strstr(out.at, "kind           windows\nwidth          4\nstride         4\n"));
    assert_non_null(strstr(out.at, "documents      1\n"));
    assert_non_null(strstr(out.at, "  c/c.jsonl\n"));
    backend->close(backend);
    bytes_free(&out);

    snprintf(path, sizeof path, "%s/absent.portrait", folder);
    assert_true(query_portrait_open(&backend, path, &lines, &err) < 0);
    assert_non_null(strstr(err.text, "absent.portrait"));
    if (backend) backend->close(backend);
    remove_tree(folder);
}

/* Documents that are all shorter than a window leave nothing to compare with: that is no zero. */
static void test_of_nothing(void **unused)
{
    const struct query_options options = { 0 };
    const struct record        record = { .text = slice_of(text) };
    struct query_backend      *backend;
    struct bytes               out = { 0 };
    struct err                 err = { 0 };
    char                       folder[] = "/tmp/leakgraph-query-XXXXXX", path[100];
    double                     percent = 0;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    portrait_make(folder, "abc", path);
    assert_int_equal(query_portrait_open(&backend, path, &options, &err), 0);
    assert_int_equal(backend->text(backend, &(struct query_text){ &record, SLICE("n") }, &out, &percent, &err), 0);
    assert_true(isnan(percent));
    bytes_free(&out);
    assert_int_equal(backend->info(backend, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "insertions     0\ndocuments      1\n"));
    backend->close(backend);
    bytes_free(&out);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_verdicts), cmocka_unit_test(test_of_nothing) };

    return cmocka_run_group_tests_name("cmd/query_portrait", tests, NULL, NULL);
}
