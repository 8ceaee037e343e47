/* sensitive/result: values of all shards put together, their order, and what the corpora have of them. */
#include "sensitive/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

/* "dataset kind/pattern masked documents/occurrences corpus" a line; corpus: documents/occurrences or -. */
static void print(const struct sensitive_result *result, char *out, size_t room)
{
    size_t len = 0;

    for (size_t i = 0; i < result->count; i++) {
        const struct sensitive_value *v = &result->value[i];
        const struct slice            pattern = sensitive_pattern(result, v), masked = sensitive_masked(result, v);

        len += (size_t)snprintf(out + len, room - len, "%u %s/%.*s %.*s %llu/%llu %lld/%lld at %u:%llu:%u\n",
                                v->dataset, sensitive_names[v->kind], (int)pattern.len, pattern.at, (int)masked.len,
                                masked.at, (unsigned long long)v->documents, (unsigned long long)v->occurrences,
                                (long long)v->corpus_documents, (long long)v->corpus_occurrences, v->shard,
                                (unsigned long long)v->record, v->at);
    }
    assert_true(len < room);
    out[len] = '\0';
}

static void assert_result(struct small_run *r, const char *yaml, const char *expected)
{
    struct sensitive_task *task;
    char                   got[2048];
    struct err             err = { 0 };

    small_start(r, yaml);
    small_pass(r);
    task = sensitive_task(&r->config);
    if (sensitive_result_read(&task->job, &task->result, &err) < 0) fail_msg("%s", err.text);
    print(&task->result, got, sizeof got);
    assert_string_equal(got, expected);
    sensitive_result_free(&task->result);
    assert_null(task->result.value);
    small_stop(r);
}

#define DOTS "\xE2\x80\xA6"

static void test_result(void **state)
{
    struct small_run r;

    (void)state;
    small_open(&r);
    /* the second shard has the first value of the first again, and one of a kind that is told before */
    small_write(&r, "a1.jsonl", "{\"text\": \"93.184.216.34\"}\n{\"text\": \"x\"}\n"
                "{\"text\": \"npm_" "q7Xz9Kp2Vw4Jt6MbYc5Ng1Ld0Rs7Qx2Wa4Zt AKIA" "Q7XZ9KP2VW4JT6MB\"}\n");
    small_write(&r, "a2.jsonl", "{\"text\": \"b@c.org b@c.org 93.184.216.34\"}\n"
                "{\"text\": \"93.184.216.34 a@c.org\"}\n");
    small_write(&r, "b.jsonl", "{\"text\": \"b@c.org\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"b@c.org, b@c.org, own@c.org\"}\n{\"text\": \"b@c.org\"}\n");
    small_write(&r, "d.jsonl", "{\"text\": \"b@c.org own@c.org\"}\n");
    assert_result(&r, "datasets:\n  - {name: a, role: benchmark, files: a*.jsonl}\n"
                  "  - {name: b, role: benchmark, files: b.jsonl}\n  - {name: c, role: corpus, files: c.jsonl}\n"
                  "  - {name: d, role: corpus, files: d.jsonl}\nsensitive: {datasets: [a, b, c]}\n",
                  "0 email/ b" DOTS "g (7) 1/2 3/4 at 1:0:0\n"
                  "0 email/ a" DOTS "g (7) 1/1 0/0 at 1:1:14\n"
                  "0 ip/ 9" DOTS "4 (13) 3/3 0/0 at 0:0:0\n"
                  "0 key/aws A" DOTS "B (20) 1/1 0/0 at 0:2:41\n"
                  "0 key/npm n" DOTS "t (40) 1/1 0/0 at 0:2:0\n"
                  "1 email/ b" DOTS "g (7) 1/1 3/4 at 2:0:0\n"
                  "2 email/ b" DOTS "g (7) 2/3 -1/-1 at 3:0:0\n"
                  "2 email/ o" DOTS "g (9) 1/1 -1/-1 at 3:0:18\n");
    /* without corpora nothing was looked for, which is not the same as nothing found */
    assert_result(&r, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\nsensitive: {}\n",
                  "0 email/ b" DOTS "g (7) 1/1 -1/-1 at 0:0:0\n");
    assert_result(&r, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\nsensitive: {kinds: key}\n", "");
    small_close(&r);
}

static void test_gone(void **state)
{
    struct small_run r;
    struct sensitive_result result;
    struct err       err = { 0 };

    (void)state;
    small_open(&r);
    small_write(&r, "b.jsonl", "{\"text\": \"b@c.org\"}\n");
    small_start(&r, "datasets:\n  - {name: b, role: benchmark, files: b.jsonl}\nsensitive: {}\n");
    small_pass(&r);
    assert_int_equal(stage_clear(r.stage, &err), 0);
    assert_int_equal(sensitive_result_read(&sensitive_task(&r.config)->job, &result, &err), -EIO);
    sensitive_result_free(&result);
    small_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_result), cmocka_unit_test(test_gone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
