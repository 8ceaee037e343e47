/* tests/unit/dedup/forecast.c -- what a plan says of a deduplication, for scripts: the numbers that were worked out,
 * the curve of its bands, and the warnings that are printed too. */
#include "dedup/forecast.h"
#include "dedup/task.h"
#include "view/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void number(const cJSON *of, const char *name, double wanted)
{
    const double value = cJSON_GetObjectItem(of, name)->valuedouble;

    if (fabs(value - wanted) > 1e-6 * fabs(wanted) + 1e-12) fail_msg("%s: %.17g is not %.17g", name, value, wanted);
}

static void try_json(enum dedup_method method, uint64_t memory, size_t curve)
{
    struct sample_dataset seen = { .documents = 100, .whole = true };
    uint32_t              features[] = { 1, 2, 3 };
    struct dedup_task     dedup = {
        .options = { .threshold = { 7, 10 }, .bands = 20, .rows = 5, .method = method },
        .sample = { .dataset = &seen, .features = features, .documents = 3 },
        .keys = { .largest_bucket = 17 },
        .plan = { .whole = true, .documents = 100, .pairs_least = 30, .pairs_most = 480, .state_bytes = 5000,
                  .matched_least = 360, .matched_most = 3600,
                  .recall = curve_candidate(0.7, 20, 5), .seconds = { [PLAN_VERIFY] = 9 } } };
    const struct task     task = { .of = &dedup_capability, .state = &dedup };
    struct config         config = { .dataset_count = 1 };
    const struct forecast forecast = { .config = &config, .machine = { .ranks = 1, .threads = 1, .memory = memory } };
    cJSON                *root = cJSON_CreateObject();
    const cJSON          *of, *warnings;
    char                  text[FORECAST_WARNING];
    size_t                warned = 0;
    bool                  failed = false;

    dedup_forecast_json(&task, &forecast, root, &failed);
    assert_false(failed);
    of = cJSON_GetObjectItem(root, "dedup");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(of, "exact")));
    number(of, "threshold", 0.7);
    number(of, "documents", 100);
    number(of, "candidates_least", 30);
    number(of, "candidates_most", 480);
    number(of, "largest_bucket", 17);
    number(of, "state_bytes_rank", 5000);
    number(of, "matched_bytes_least", 360);
    number(of, "matched_bytes_most", 3600);
    number(of, "seconds_verify", 9);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(of, "curve")), curve);
    if (curve) {
        number(cJSON_GetArrayItem(cJSON_GetObjectItem(of, "curve"), 4), "jaccard", 0.7);
        number(cJSON_GetArrayItem(cJSON_GetObjectItem(of, "curve"), 4), "found", curve_candidate(0.7, 20, 5));
    }
    warnings = cJSON_GetObjectItem(of, "warnings");
    for (; dedup_forecast_warn(&task, &forecast, warned, text); warned++)
        assert_string_equal(cJSON_GetArrayItem(warnings, (int)warned)->valuestring, text);
    assert_int_equal(cJSON_GetArraySize(warnings), warned);
    assert_true(memory > 5000 || warned > 0);               /* documents that do not fit */
    cJSON_Delete(root);
}

static void test_json(void **unused)
{
    (void)unused;
    try_json(DEDUP_LSH, 1 << 30, 8);
    try_json(DEDUP_LSH, 1000, 8);
    try_json(DEDUP_EXACT, 1 << 30, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_json) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
