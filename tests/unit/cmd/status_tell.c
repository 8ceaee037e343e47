/* cmd/status_tell: the lines, the object, and names that would steer a terminal. */
#include "cmd/status_tell.h"

#include "tests/unit/status_folder.h"

#include <cjson/cJSON.h>

static struct found_rank ranks[40];

static struct found example(void)
{
    struct found f = { .state = FOUND_RUNNING, .evidence = BY_LOCK, .told = true, .rank = ranks, .ranks = 2,
                       .counts = { .items = 3, .item_total = 10, .bytes = 2000000, .byte_total = 8000000,
                                   .documents = 50, .rejected = 4 },
                       .recent = 100000, .elapsed = 10, .left = 3725, .units = 7, .unit_bytes = 1300000000 };

    for (size_t r = 0; r < 40; r++) ranks[r] = (struct found_rank){ .record = status_example() };
    ranks[1].state = RANK_GONE;
    return f;
}

static void says(const struct found *f, const char *text)
{
    struct bytes out = { 0 };

    assert_int_equal(status_text("a/run", f, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    if (!strstr(out.at, text)) fail_msg("`%s' is not in:\n%s", text, out.at);
    bytes_free(&out);
}

static cJSON *object(const struct found *f)
{
    struct bytes out = { 0 };
    cJSON       *value;

    assert_int_equal(status_json("a\xff" "run", f, &out), 0);
    assert_int_equal(out.at[out.len - 1], '\n');
    value = cJSON_ParseWithLength(out.at, out.len);
    if (!value) fail_msg("not JSON: %.*s", (int)out.len, out.at);
    assert_ptr_equal(memchr(out.at, '\n', out.len), out.at + out.len - 1);      /* one line */
    bytes_free(&out);
    return value;
}

static double number(const cJSON *of, const char *key) { return cJSON_GetObjectItem(of, key)->valuedouble; }

static void test_running(void **unused)
{
    struct found f = example();
    cJSON       *value;

    (void)unused;
    says(&f, "a/run: running since 20");
    says(&f, "stage reading shards: 3 of 10 shards, 2.0 MB of 8.0 MB (25 %), 100 kB/s, for 0:10, ETA of this stage "
         "1:02:05\n");
    says(&f, "so far in it: 50 documents, 4 rejected records\n  rank 1: gone, ");
    says(&f, "\n  rank 0: lives, ");
    value = object(&f);
    assert_int_equal(number(value, "status_version"), STATUS_JSON_VERSION);
    assert_string_equal(cJSON_GetObjectItem(value, "state")->valuestring, "running");
    assert_int_equal(number(cJSON_GetObjectItem(value, "stage"), "seconds_left"), 3725);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(value, "ranks")), 2);
    assert_null(cJSON_GetObjectItem(value, "exit_status"));
    cJSON_Delete(value);

    f.ranks = 40;
    says(&f, "  and 8 more: --json has all\n");
    f.rank[0].silent = 100;
    says(&f, "no sign of life for 1:40: it is stopped, or its host is\n");
    f.remote = true;
    says(&f, ", or the clocks of the hosts differ\n");
}

static void test_over(void **unused)
{
    struct found_gate gate = { .outcome = GATE_FAILED };
    struct found      f = example();
    cJSON            *value;

    (void)unused;
    f.state = FOUND_DIED;
    says(&f, "last stage reading shards: 3 of 10");
    says(&f, "done: 7 units, 1.3 GB; the same `leakgraph run` goes on where it was\n");
    f.state = FOUND_ENDED;
    f.evidence = BY_RECORD;
    f.exit_status = 3;
    f.records = 100;
    f.rejected = 4;
    assert_int_equal(bytes_append_slice(&gate.sentence, slice_of("a gate\x1b[2J failed")), 0);
    f.gate = &gate;
    f.gates = 1;
    says(&f, "a/run: ended with exit status 3 at 20");
    says(&f, "100 records, 4 of them rejected\n");
    says(&f, "  a gate\\x1b[2J failed\n");
    value = object(&f);
    assert_int_equal(number(value, "exit_status"), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(value, "gates")), 1);
    cJSON_Delete(value);
    strcpy(ranks[0].record.error, "no space");
    says(&f, "  error: no space\n");
    bytes_free(&gate.sentence);

    f = (struct found){ .state = FOUND_DIED, .left = -1 };
    says(&f, "a/run: died: there is no graph.db, and nobody holds the folder's lock\n");
    cJSON_Delete(object(&f));
    f = (struct found){ .state = FOUND_RUNNING, .holder = "h\x1b 12", .left = -1 };
    says(&f, "a/run: running, and how far is not told yet: h\\x1b 12 holds the folder's lock\n");
    f = (struct found){ .state = FOUND_ENDED, .left = -1 };
    says(&f, "a/run: ended\n");
}

/* Every text of a record is anybody's. */
static void test_hostile(void **unused)
{
    struct found f = example();
    struct bytes out = { 0 };

    (void)unused;
    strcpy(ranks[0].record.stage, "a\x1b[31m\nb\xe2\x80\xae");
    strcpy(ranks[0].record.unit, "\x1b");
    strcpy(ranks[0].record.host, "\r\xff");
    strcpy(ranks[0].record.command, "\x9b");
    strcpy(ranks[0].record.version, "\"\\\x07");
    strcpy(ranks[1].record.stage, "\x1b]0;title\x07");
    assert_int_equal(status_text("d\x1b", &f, &out), 0);
    for (size_t i = 0; i < out.len; i++) assert_true(out.at[i] == '\n' || (out.at[i] >= ' ' && out.at[i] < 0x7f));
    bytes_free(&out);
    cJSON_Delete(object(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_running), cmocka_unit_test(test_over),
                                        cmocka_unit_test(test_hostile) };

    return cmocka_run_group_tests_name("cmd/status_tell", tests, NULL, NULL);
}
