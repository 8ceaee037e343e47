/* tests/unit/near/forecast.c -- what a plan says of the join, for scripts. */
#include "near/forecast.h"
#include "near/task.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double number(const cJSON *of, const char *name) { return cJSON_GetObjectItem(of, name)->valuedouble; }

/* Residents need memory by their documents, features and, where they are kept, texts; all of them take time. */
static void test_json(void **unused)
{
    char                  bench[] = "bench", own[] = "own", code[] = "code";
    struct dataset        dataset[] = { { .name = bench, .role = ROLE_BENCHMARK },
                                        { .name = own, .role = ROLE_CORPUS, .self_join = true },
                                        { .name = code, .role = ROLE_CORPUS } };
    /* of the second a half was read */
    struct sample_dataset seen[] = {
        { .bytes = 100, .bytes_read = 100, .documents = 10, .distinct = 200, .text_bytes = 5000, .seconds = 1,
          .whole = true },
        { .bytes = 100, .bytes_read = 50, .documents = 10, .distinct = 200, .text_bytes = 5000, .seconds = 1 },
        { .bytes = 100, .bytes_read = 100, .documents = 900, .distinct = 90000, .text_bytes = 1, .seconds = 9,
          .whole = true },
    };
    uint32_t              features[] = { 1, 2, 3 };
    struct near_task      near = { .sample = { .dataset = seen, .features = features, .documents = 3 } };
    struct task           task = { .of = &near_capability, .state = &near };
    struct config         config = { .datasets = dataset, .dataset_count = 3, .store = STORE_NONE };
    struct forecast       forecast = { .config = &config, .machine = { .ranks = 2, .threads = 3 } };
    double                bytes[2];

    (void)unused;
    for (int store = 0; store < 2; store++) {
        cJSON       *root = cJSON_CreateObject();
        const cJSON *of;
        bool         failed = false;

        config.store = store ? STORE_TEXT : STORE_NONE;
        near_forecast_json(&task, &forecast, root, &failed);
        assert_false(failed);
        of = cJSON_GetObjectItem(root, "near_duplicates");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(of, "resident")), 2);
        assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(of, "resident"), 1)->valuestring, "own");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(of, "streamed")), 1);
        assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(of, "streamed"), 0)->valuestring, "code");
        assert_true(fabs(number(of, "seconds_read") - (1 + 2 + 9) / 6.0) < 1e-3);
        bytes[store] = number(of, "resident_bytes");
        cJSON_Delete(root);
    }
    /* texts once and, as a half was read, twice; what is streamed needs nothing */
    assert_true(fabs(bytes[1] - bytes[0] - 15000) < 1e-3);
    assert_true(bytes[0] > 30 * sizeof(struct near_row) + 600 * 12 && bytes[0] < 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_json) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
