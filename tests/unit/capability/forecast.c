/* tests/unit/capability/forecast.c -- sums, quantiles, and numbers as people read them. */
#include "capability/forecast.h"
#include "tests/unit/folder.h"
#include "tests/unit/said.h"

#include <string.h>

static void test_sums(void **unused)
{
    struct sample_dataset dataset[] = {
        { .shards = 2, .documents = 10, .admitted = 7, .bytes = 100, .bytes_read = 50, .text_bytes = 40, .seconds = 1,
          .whole = true },
        { 0 },                                              /* not wanted: nothing of it is missing */
        { .shards = 1, .documents = 5, .admitted = 5, .bytes = 20, .bytes_read = 10, .text_bytes = 8, .seconds = 0.5,
          .whole = true },
    };
    struct sampled     sample = { .dataset = dataset };
    struct sample_sums sums = sample_sum(&sample, 3);

    (void)unused;
    assert_true(sums.documents == 15 && sums.unadmitted == 3 && sums.bytes == 120 && sums.read == 60);
    assert_true(sums.text == 48 && sums.seconds == 1.5 && sums.whole);
    dataset[2].whole = false;
    assert_false(sample_sum(&sample, 3).whole);
    assert_true(sample_sum(&sample, 2).whole);
    assert_true(sample_sum(&sample, 0).documents == 0);
}

static void test_text(void **unused)
{
    char out[32];

    (void)unused;
    assert_true(forecast_percent(1, 8) == 12.5 && forecast_percent(1, 0) == 0);
    assert_string_equal(forecast_size(0, out), "0 bytes");
    assert_string_equal(forecast_size(999, out), "999 bytes");
    assert_string_equal(forecast_size(1000, out), "1.00 KB");
    assert_string_equal(forecast_size(1.234e9, out), "1.23 GB");
    assert_string_equal(forecast_size(5e18, out), "5000.00 PB");    /* the largest unit */
    assert_string_equal(forecast_count(1234567, true, out), "1234567");
    assert_string_equal(forecast_count(999, false, out), "~999");
    assert_string_equal(forecast_count(999.6, false, out), "~1.00 k");
    assert_string_equal(forecast_count(12345, false, out), "~12.3 k");
    assert_string_equal(forecast_count(123456, false, out), "~123 k");
    assert_string_equal(forecast_count(9996, false, out), "~10.0 k");
    assert_string_equal(forecast_count(99960, false, out), "~100 k");
    assert_string_equal(forecast_count(2e15, false, out), "~2000 T");
    assert_string_equal(forecast_time(1.25, out), "1.2 s");
    assert_string_equal(forecast_time(9.96, out), "10 s");
    assert_string_equal(forecast_time(119, out), "119 s");
    assert_string_equal(forecast_time(120, out), "2 min");
    assert_string_equal(forecast_time(7200, out), "2.0 h");
}

/* The least number that a share of the documents does not exceed. */
static void test_quantiles(void **unused)
{
    uint32_t       features[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    struct sampled eleven = { .features = features, .documents = 11 }, ten = { .features = features, .documents = 10 };
    struct sampled one = { .features = features + 6, .documents = 1 }, none = { 0 };
    struct said    said;
    cJSON         *json = cJSON_CreateObject();
    bool           failed = false;
    char          *text;

    (void)unused;
    said_begin(&said);
    forecast_features(&ten);
    forecast_features(&one);
    forecast_features(&none);
    forecast_fact("label", "%d of %s", 3, "x");
    said_end(&said);
    assert_string_equal(said.text.at,
        "  features, up to    1 (10 %), 5 (half), 9 (90 %), 10 (99 %), 10 (all) of documents\n"
        "  features, up to    7 (10 %), 7 (half), 7 (90 %), 7 (99 %), 7 (all) of documents\n"
        "  features, up to    0 (10 %), 0 (half), 0 (90 %), 0 (99 %), 0 (all) of documents\n"
        "  label              3 of x\n");
    said_free(&said);
    forecast_features_json(&eleven, json, &failed);         /* shares of eleven are rounded up */
    text = cJSON_PrintUnformatted(json);
    assert_string_equal(text, "{\"features\":{\"p10\":2,\"p50\":6,\"p90\":10,\"p99\":11,\"most\":11}}");
    assert_false(failed);
    cJSON_free(text);
    cJSON_Delete(json);
}

static void test_json(void **unused)
{
    cJSON *root = cJSON_CreateObject(), *list;
    bool   failed = false;
    char  *text;

    (void)unused;
    list = forecast_put(root, "list", cJSON_CreateArray(), &failed);
    assert_non_null(list);
    forecast_put(list, NULL, cJSON_CreateBool(true), &failed);
    forecast_number(root, "n", 1.5, &failed);
    assert_false(failed);
    assert_null(forecast_put(NULL, "x", cJSON_CreateTrue(), &failed));      /* freed: its parent could not be made */
    assert_true(failed);
    failed = false;
    assert_null(forecast_put(root, "x", NULL, &failed));
    assert_true(failed);
    text = cJSON_PrintUnformatted(root);
    assert_string_equal(text, "{\"list\":[true],\"n\":1.5}");
    cJSON_free(text);
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums), cmocka_unit_test(test_text), cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests_name("capability/forecast", tests, NULL, NULL);
}
