/* export/format_sarif: what SARIF 2.1.0 requires of a run; places, levels, and nothing that steers a terminal. */
#include "tests/unit/export/exported.h"

static const cJSON *at(const cJSON *from, const char *path)
{
    char name[64];

    for (size_t len; from && *path; path += len + (path[len] == '.')) {
        len = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)len, path);
        from = cJSON_IsArray(from) ? cJSON_GetArrayItem(from, atoi(name))
            : cJSON_GetObjectItemCaseSensitive(from, name);
    }
    return from;
}

static const char *text_at(const cJSON *from, const char *path)
{
    const cJSON *value = at(from, path);

    if (!cJSON_IsString(value)) fail_msg("no text at %s", path);
    return value->valuestring;
}

static void test_items(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("items", "sarif");
    cJSON                *log;
    const cJSON          *run;

    (void)state;
    made_open(&g, exported_sql);
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_non_null(log = cJSON_Parse(out.at));
    assert_string_equal(text_at(log, "version"), "2.1.0");
    run = at(log, "runs.0");
    assert_string_equal(text_at(run, "tool.driver.name"), "leakgraph");
    assert_string_equal(text_at(run, "properties.digest"), "abcdef");
    assert_int_equal(cJSON_GetArraySize(at(run, "results")), 2);        /* the third is clean */
    assert_string_equal(text_at(run, "results.0.ruleId"), "exact");
    assert_string_equal(text_at(run, "results.0.level"), "error");
    assert_string_equal(text_at(run, "results.0.message.text"),
                        "b, b0 is in c, a\\x09b\\x0ac\\x0dd\"e\",<f>&g\\h (MIT): exact, 1 alike");
    assert_string_equal(text_at(run, "results.0.locations.0.physicalLocation.artifactLocation.uri"), "b.jsonl");
    assert_int_equal(at(run, "results.0.locations.0.physicalLocation.region.startLine")->valueint, 1);
    assert_string_equal(text_at(run, "results.0.relatedLocations.0.physicalLocation.artifactLocation.uri"),
                        "a%09b%0Ac%0Dd%22e%22%2C%3Cf%3E%26g%5Ch");
    assert_string_equal(text_at(run, "results.1.level"), "warning");
    assert_string_equal(text_at(run, "results.1.locations.0.physicalLocation.artifactLocation.uri"), "x/b1.c");
    assert_int_equal(at(run, "results.1.relatedLocations.0.physicalLocation.region.startLine")->valueint, 12);
    assert_int_equal(at(run, "results.1.relatedLocations.0.physicalLocation.region.endLine")->valueint, 20);
    assert_string_equal(text_at(run, "results.1.relatedLocations.0.logicalLocations.0.fullyQualifiedName"), "c:t:7");
    for (int r = 0; r < cJSON_GetArraySize(at(run, "tool.driver.rules")); r++) {
        assert_non_null(text_at(cJSON_GetArrayItem(at(run, "tool.driver.rules"), r), "id"));
        assert_non_null(text_at(cJSON_GetArrayItem(at(run, "tool.driver.rules"), r), "shortDescription.text"));
    }
    cJSON_Delete(log);
    bytes_free(&out);
    made_close(&g);
}

/* An empty run is a log too; a path that begins with two slashes is no host. */
static void test_edges(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("pairs", "sarif");
    cJSON                *log;

    (void)state;
    made_open(&g, "");
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_non_null(log = cJSON_Parse(out.at));
    assert_true(cJSON_IsArray(at(log, "runs.0.results")));
    cJSON_Delete(log);
    made_run(&g, exported_sql);
    made_run(&g, "UPDATE snippets SET path = '//host/a' WHERE id = 1; DELETE FROM function_pairs");
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_non_null(log = cJSON_Parse(out.at));
    assert_int_equal(cJSON_GetArraySize(at(log, "runs.0.results")), 2);
    assert_string_equal(text_at(log, "runs.0.results.1.locations.0.physicalLocation.artifactLocation.uri"),
                        "/.//host/a");
    cJSON_Delete(log);
    /* matches that are counted and not listed */
    made_run(&g, "DELETE FROM edges");
    request = request_of("items", "sarif");
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_non_null(log = cJSON_Parse(out.at));
    assert_string_equal(text_at(log, "runs.0.results.0.ruleId"), "other");
    assert_string_equal(text_at(log, "runs.0.results.0.message.text"), "b, //host/a is in another dataset: other");
    assert_null(at(log, "runs.0.results.0.relatedLocations"));
    cJSON_Delete(log);
    bytes_free(&out);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items), cmocka_unit_test(test_edges) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
