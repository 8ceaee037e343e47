/* export/format_graph: each document is one node, each pair an edge with its numbers; texts stay in their places. */
#include "tests/unit/export/exported.h"

static size_t times(const struct bytes *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text->at; (at = strstr(at, part)); at++) count++;
    return count;
}

static void test_graphml(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("pairs", "graphml");

    (void)state;
    made_open(&g, exported_sql);
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_int_equal(times(&out, "<node "), 5);             /* b0, b1, c0, c1, c7 */
    assert_int_equal(times(&out, "<edge "), 3);
    assert_says(&out, "<key id=\"e_similarity\" for=\"edge\" attr.name=\"similarity\" attr.type=\"double\"/>");
    assert_says(&out, "<edge source=\"b:b.jsonl:0\" target=\"c:t:0\"><data key=\"e_pass\">near</data>");
    assert_says(&out, "<node id=\"c:t:0\"><data key=\"n_dataset\">c</data>");
    assert_says(&out, "<data key=\"n_path\">a&#9;b&#10;c&#13;d&quot;e&quot;,&lt;f&gt;&amp;g\\h</data>");
    assert_says(&out, "<data key=\"n_path\">\xEF\xBF\xBD" "A" "\xEF\xBF\xBD\xE2\x80\xAE\xEF\xBF\xBD</data>");
    assert_null(strstr(out.at, "key=\"e_a_path\""));
    /* an item without a match is a document alone */
    request.thing = export_thing_find("items");
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_int_equal(times(&out, "<node "), 5);             /* the three items, c0, c7 */
    assert_int_equal(times(&out, "<edge "), 2);
    /* only what is chosen */
    request = request_of("pairs", "graphml");
    request.filter[EXPORT_KIND] = "function";
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_int_equal(times(&out, "<node "), 2);
    made_close(&g);
    bytes_free(&out);
}

static void test_gexf(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("pairs", "gexf");

    (void)state;
    made_open(&g, exported_sql);
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_int_equal(times(&out, "<node "), 5);
    assert_says(&out, "</nodes>\n<edges>\n<edge id=\"0\" source=\"b:b.jsonl:0\" target=\"c:t:0\" weight=\"1\">");
    assert_says(&out, "<node id=\"c:t:7\" label=\"src/c7.c\">");
    assert_says(&out, "</edges>\n</graph>\n</gexf>\n");
    request.filter[EXPORT_KIND] = "of none";
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_int_equal(times(&out, "<node "), 0);
    assert_says(&out, "<nodes>\n</nodes>\n<edges>\n</edges>");
    made_close(&g);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_graphml), cmocka_unit_test(test_gexf) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
