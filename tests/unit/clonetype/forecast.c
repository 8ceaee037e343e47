/* tests/unit/clonetype/forecast.c -- what a plan says of clones: functions as a run collects them, and what they
 * take. */
#include "clonetype/forecast.h"

#include "tests/unit/clonetype/small_clones.h"

#include <math.h>

static struct task    *task;
static struct forecast forecast;

static void look(const char *settings, uint64_t memory)
{
    const struct sampled *sample;
    struct err            err = { 0 };
    char                  yaml[512];

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "clones: {min_tokens: 12, %s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", small_items);
    small_write(&small, "c.jsonl", small_corpus);
    small_start(&small, yaml);
    task = NULL;
    FOR_EACH_TASK(t, &small.config)
        if (t->of == &clonetype_capability) task = t;
    forecast = (struct forecast){ &small.config, &small.shards, 1, { .ranks = 1, .threads = 2, .memory = memory } };
    if (clonetype_forecast_look(task, &forecast, &sample, &err) < 0) fail_msg("%s", err.text);
    assert_true(sample->dataset[0].documents == 3 && sample->dataset[1].documents == 3);
}

static bool is(const cJSON *of, const char *name, double wanted)
{
    return fabs(cJSON_GetObjectItem(of, name)->valuedouble - wanted) < 1e-6;
}

/* The benchmark's functions are two, of six statements and too few; the corpus has five, the first three with one blind
 * form but for the statement more of the fourth, and the last too short for type 3. */
static void test_json(void **unused)
{
    const cJSON *of, *within;
    cJSON       *root = cJSON_CreateObject();
    bool         failed = false;
    char         text[FORECAST_WARNING];

    (void)unused;
    look("within: [code]", 1 << 30);
    clonetype_forecast_json(task, &forecast, root, &failed);
    assert_false(failed);
    of = cJSON_GetObjectItem(root, "clones");
    assert_true(is(of, "functions", 2) && is(of, "bytes", (double)clonetype_index_need(2, 6, 2)));
    within = cJSON_GetArrayItem(cJSON_GetObjectItem(of, "within"), 0);
    assert_string_equal(cJSON_GetObjectItem(within, "dataset")->valuestring, "code");
    assert_true(is(within, "functions", 5) && is(within, "classes", 2));
    assert_true(is(within, "bytes", (double)(clonetype_index_need(2, 13, 2) +
                                             5 * (sizeof(struct within_function) + 8))));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(of, "warnings")), 0);
    assert_int_equal(clonetype_forecast_warn(task, &forecast, 0, text), 0);
    cJSON_Delete(root);
    small_close(&small);
}

/* What would end a run is warned of, of each index. */
static void test_warnings(void **unused)
{
    char text[FORECAST_WARNING];

    (void)unused;
    look("within: [code], types: [1, 3]", 1000);
    assert_true(clonetype_forecast_warn(task, &forecast, 0, text) > 0);
    assert_non_null(strstr(text, "functions of code need about"));
    assert_true(clonetype_forecast_warn(task, &forecast, 1, text) > 0);
    assert_non_null(strstr(text, "functions of the benchmarks need about"));
    assert_int_equal(clonetype_forecast_warn(task, &forecast, 2, text), 0);
    small_close(&small);
    look("types: [1]", clonetype_index_need(2, 0, 2));      /* of types 1 to 2 no statements are kept */
    assert_int_equal(clonetype_forecast_warn(task, &forecast, 0, text), 0);
    small_close(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_json), cmocka_unit_test(test_warnings) };

    return cmocka_run_group_tests_name("clonetype/forecast", tests, NULL, NULL);
}
