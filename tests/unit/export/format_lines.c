/* export/format_lines: hostile texts in TSV, CSV and JSON lines: a row is a line, and a cell says what it is. */
#include "tests/unit/export/exported.h"

static void of_pairs(const struct made_graph *g, const char *format, struct bytes *out)
{
    struct export_request request = request_of("pairs", format);

    request.columns = "b_path,b_repo,a_split,similarity,b,b_line";
    if (exported(g, &request, out) < 0) fail_msg("%s", out->at);
}

static void test_tsv(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("items", "tsv");

    (void)state;
    made_open(&g, exported_sql);
    of_pairs(&g, "tsv", &out);
    assert_string_equal(out.at, "b_path\tb_repo\ta_split\tsimilarity\tb\tb_line\n"
                                "a\\tb\\nc\\rd\"e\",<f>&g\\\\h\t=1+1\ttest\t1\t1000000000001\t\n"
                                "\xEF\xBF\xBD" "A" "\xEF\xBF\xBD\xE2\x80\xAE\x1B\to/r\ttest\t0.8888888888888888\t"
                                "1000000000002\t\nsrc/c7.c\t@o/r\ttest\t0.9\t\t12\n");
    request.columns = "id,leaked";
    request.header = false;
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_string_equal(out.at, "1\t1\n2\t1\n3\t0\n");
    made_close(&g);
    bytes_free(&out);
}

/* What a spreadsheet would take for a formula is told to be text; an empty text is not null. */
static void test_csv(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("rules", "csv");

    (void)state;
    made_open(&g, exported_sql);
    of_pairs(&g, "csv", &out);
    assert_string_equal(out.at, "b_path,b_repo,a_split,similarity,b,b_line\r\n"
                                "\"a\tb\nc\rd\"\"e\"\",<f>&g\\h\",\"'=1+1\",test,1,1000000000001,\r\n"
                                "\xEF\xBF\xBD" "A" "\xEF\xBF\xBD\xE2\x80\xAE\x1B,o/r,test,0.8888888888888888,"
                                "1000000000002,\r\nsrc/c7.c,\"'@o/r\",test,0.9,,12\r\n");
    made_run(&g, "INSERT INTO gates VALUES ('lost', 'passed', '', 'c', 0, 1, 1, 1, 1, 1, '', '')");
    request.columns = "rule,dataset,mean";
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_says(&out, "\r\nlost,\"\",\r\n");
    request.columns = "mean";                               /* a line that is empty is no row to most readers */
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_says(&out, "\r\n\"\"\r\n");
    assert_null(strstr(out.at, "\r\n\r\n"));
    made_close(&g);
    bytes_free(&out);
}

static void test_jsonl(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("items", "jsonl");
    cJSON                *row;

    (void)state;
    made_open(&g, exported_sql);
    of_pairs(&g, "jsonl", &out);
    row = cJSON_Parse(out.at);                              /* the first line; what follows is not read */
    assert_string_equal(cJSON_GetObjectItem(row, "b_path")->valuestring, HOSTILE_PATH);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "b_line")));
    cJSON_Delete(row);
    row = cJSON_Parse(strchr(out.at, '\n') + 1);
    assert_true(cJSON_GetObjectItem(row, "similarity")->valuedouble == 8 / 9.0);
    cJSON_Delete(row);
    request.columns = "id,leaked,rules";
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_string_equal(out.at, "{\"id\": 1, \"leaked\": true, \"rules\": \"exact,near\"}\n{\"id\": 2, \"leaked\": "
                                "true, \"rules\": \"function\"}\n{\"id\": 3, \"leaked\": false, \"rules\": null}\n");
    made_close(&g);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tsv), cmocka_unit_test(test_csv),
                                        cmocka_unit_test(test_jsonl) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
