/* tests/unit/compliance/study_tables.c -- tables of two groups, as the report's JSON has them. */
#include "compliance/study.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Cases whose numbers are given, not computed. */
static void group_make(struct study *study, const char *name, const double *most, size_t count)
{
    struct err err = { 0 };

    assert_int_equal(study_open_group(study, slice_of(name), &err), 0);
    for (size_t i = 0; i < count; i++) {
        struct study_group *group = &study->group[study->groups - 1];

        assert_int_equal(ARRAY_GROW(group->at, group->room, group->count), 0);
        group->at[group->count++] = (struct study_case){
            .score = { .most = most[i], .bleu = most[i], .shared = i % 2, .lines = 11, .complexity = (uint32_t)i + 1 },
            .striking = most[i] > 0.6 && i % 2 && i > 2 };
    }
}

static const cJSON *row_of(const cJSON *table, const char *key, const char *value, const char *metric)
{
    const cJSON *row;

    cJSON_ArrayForEach(row, table)
        if (strcmp(cJSON_GetObjectItem(row, key)->valuestring, value) == 0 &&
            (!metric || strcmp(cJSON_GetObjectItem(row, "metric")->valuestring, metric) == 0)) return row;
    fail_msg("no row of %s %s", value, metric ? metric : "");
    return NULL;
}

static double number(const cJSON *row, const char *key) { return cJSON_GetObjectItem(row, key)->valuedouble; }

static void test_tables(void **unused)
{
    static const double    first[] = { 0.7, 0.8, 0.9, 1, 0.1 }, second[] = { 0.2, 0.3, 0.25, 0.05 };
    struct study           study = { .limits = score_limits_default, .tokens = "tokens" };
    struct report_document document = { .failed = false };
    struct bytes           json = { 0 };
    struct err             err = { 0 };
    cJSON                 *root;
    const cJSON           *row;

    (void)unused;
    group_make(&study, "seen", first, 5);
    group_make(&study, "unseen", second, 4);
    assert_int_equal(study_document(&study, &document, &err), 0);
    assert_int_equal(report_json(&document, &json), 0);
    root = cJSON_ParseWithLength(json.at, json.len);
    assert_non_null(root);
#define TABLE(section) cJSON_GetObjectItem(cJSON_GetObjectItem(root, section), section)
    row = row_of(TABLE("limits"), "group", "seen", NULL);
    assert_true(number(row, "similarity") > 3 && number(row, "similarity") < 5);
    assert_int_equal((int)number(row, "comments"), 2);
    assert_int_equal((int)number(row, "lines"), 5);
    assert_int_equal((int)number(row, "complexity"), 2);
    assert_int_equal((int)number(row, "all"), 1);
    row = row_of(TABLE("distribution"), "group", "seen", NULL);
    assert_int_equal((int)number(row, "0.9"), 2);           /* 0.9 and 1 */
    assert_int_equal((int)number(row, "0.1"), 1);
    row = row_of(TABLE("metrics"), "group", "unseen", "largest similarity");
    assert_true(fabs(number(row, "median") - 0.225) < 1e-9 && fabs(number(row, "mean") - 0.2) < 1e-9);
    row = row_of(TABLE("differences"), "group", "seen", "largest similarity");
    assert_string_equal(cJSON_GetObjectItem(row, "other")->valuestring, "unseen");
    assert_true(fabs(number(row, "delta") - 0.7) < 1e-9);   /* 17 of 20 pairs */
    assert_string_equal(cJSON_GetObjectItem(row, "level")->valuestring, "large");
    assert_string_equal(cJSON_GetObjectItem(row, "p")->valuestring, "0.111");
    row = row_of(TABLE("differences"), "group", "striking", "complexity");
    assert_true(number(row, "median") > 3.9 && number(row, "median_other") < 2.6);
    cJSON_Delete(root);
    bytes_free(&json);
    report_close(&document);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tables) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
