/* tests/unit/test_report.c -- the document tree, its renderings of hostile text, and the report made from a graph.db. */
#include "tests/unit/sample_graph.h"

#include "graph/read.h"
#include "report/document.h"
#include "report/leakage.h"

#include <cjson/cJSON.h>

static uint64_t seed;

static const struct report_column columns[] = { { "name", "name" }, { "count", "count" }, { "percent", "%" }, { "share", "share" }, { "flag", "flag" } };

static void add_row(struct report_document *document, struct report_node *table, struct slice name)
{
    const struct report_cell cell[] = { report_cell_name(name), report_cell_count(1234567890123), report_cell_percent(1, 8), report_cell_share(0.5), report_cell_flag(true) };

    report_row(document, table, cell);
}

static void render(const struct report_document *document, struct bytes *markdown, cJSON **json)
{
    struct bytes text = { 0 };

    assert_int_equal(report_markdown(document, markdown), 0);
    assert_int_equal(report_json(document, &text), 0);
    assert_int_equal(bytes_append(markdown, "", 1), 0);     /* a NUL for strstr */
    *json = cJSON_ParseWithLength(text.at, text.len);
    assert_non_null(*json);
    bytes_free(&text);
}

static void test_shapes(void **state)
{
    struct report_document document;
    struct report_node    *section, *list, *item;
    struct bytes           markdown = { 0 };
    cJSON                 *json, *row;

    (void)state;
    report_open(&document, "Title");
    section = report_section(&document, document.root, "part", SLICE("A part"));
    report_paragraph(&document, section, "%d words", 3);
    add_row(&document, report_table(&document, section, "rows", columns, 5), SLICE("x"));
    list = report_list(&document, section, "items");
    for (int i = 0; i < 2; i++) {
        item = report_section(&document, list, NULL, SLICE("Item"));
        add_row(&document, report_facts(&document, item, "facts", columns, 5), SLICE(""));
        report_code(&document, item, "code", SLICE("text"), SLICE("c++"), SLICE("int a;"));
    }
    render(&document, &markdown, &json);
    assert_non_null(strstr(markdown.at, "# Title\n\n## A part\n\n3 words\n\n| name | count | % | share | flag |\n"));
    assert_non_null(strstr(markdown.at, "| x | 1234567890123 | 12.50 % | 0.500 | yes |\n"));
    assert_non_null(strstr(markdown.at, "### Item\n\n- count: 1234567890123\n"));
    assert_non_null(strstr(markdown.at, "text:\n\n```c\nint a;\n```\n"));
    row = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "part"), "rows"), 0);
    assert_true(cJSON_GetObjectItem(row, "count")->valuedouble == 1234567890123.0);
    assert_true(cJSON_GetObjectItem(row, "percent")->valuedouble == 12.5);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(row, "flag")));
    row = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "part"), "items");
    assert_int_equal(cJSON_GetArraySize(row), 2);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(row, 1), "code")->valuestring, "int a;");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetArrayItem(row, 1), "facts"), "name")));
    cJSON_Delete(json);
    bytes_free(&markdown);
    report_close(&document);
}

/* Nothing but printable characters, LF and TAB; no raw HTML; in tables as many cells as columns. */
static void assert_harmless(const char *markdown)
{
    size_t fence = 0, width = 0;

    for (const char *line = markdown; *line;) {
        size_t len = strcspn(line, "\n"), ticks = strspn(line, "`"), bars = 0;
        bool   in_table = !fence && line[0] == '|';

        for (size_t i = 0; i < len; i++) {
            unsigned char c = (unsigned char)line[i];

            assert_true(c >= 0x20 || c == '\t');
            assert_true(c != 0x7F);
            if (fence) continue;
            assert_true(c != '<' && c != '>');
            if (c == '|' && (i == 0 || line[i - 1] != '\\')) bars++;
        }
        if (!in_table) width = 0;
        else if (width == 0) width = bars;                  /* the header's */
        assert_int_equal(in_table ? bars : 0, width);
        if (!fence && ticks >= 3) fence = ticks;
        else if (fence && ticks >= fence && ticks == len) fence = 0;
        line += len + (line[len] == '\n');
    }
    assert_int_equal(fence, 0);                             /* every fence is closed by its own end */
}

static const char *const hostile[] = {
    "<script>alert(1)</script>", "a|b|c", "`code` ``", "line\nbreak\r\n# heading", "\x1b[2J\x07\x7f", "[link](http://x) ![i](j)", "\\| \\", "1. list", "- list", "&lt;",
    "www.example.org user@example.org", "\xE2\x80\xAEreversed", "\xff\xfe", "*bold* _it_ ~~s~~ $x$",
};

static void test_hostile_prose(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        struct report_document document;
        struct bytes           markdown = { 0 };
        cJSON                 *json;

        report_open(&document, hostile[i]);
        report_paragraph(&document, document.root, "%s", hostile[i]);
        add_row(&document, report_table(&document, document.root, "rows", columns, 2), slice_of(hostile[i]));
        render(&document, &markdown, &json);
        assert_harmless(markdown.at);
        assert_null(strstr(markdown.at, "link]("));
        assert_null(strstr(markdown.at, "\xE2\x80\xAE"));
        assert_null(strstr(markdown.at, "www.example"));
        assert_null(strstr(markdown.at, "r@e"));
        if (i < 11) assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rows"), 0), "name")->valuestring, hostile[i]);
        cJSON_Delete(json);
        bytes_free(&markdown);
        report_close(&document);
    }
}

static void test_hostile_code(void **state)
{
    static const char *const codes[] = { "```\n<b>\n```\n", "````````", "x\n", "", "a\x1b[31m\r\nb", "~~~\n", "\n```" };

    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct report_document document;
        struct bytes           markdown = { 0 };
        cJSON                 *json;

        report_open(&document, "T");
        report_code(&document, document.root, "code", SLICE("title"), SLICE("java`\n"), slice_of(codes[i]));
        report_paragraph(&document, document.root, "after");
        render(&document, &markdown, &json);
        assert_harmless(markdown.at);
        assert_non_null(strstr(markdown.at, "\n\nafter\n\n"));
        assert_string_equal(cJSON_GetObjectItem(json, "code")->valuestring, codes[i]);
        cJSON_Delete(json);
        bytes_free(&markdown);
        report_close(&document);
    }
}

/* The report of a run ------------------------------------------------------------------------------------------------------------------ */

static char *read_file(const char *folder, const char *name)
{
    char   path[128], *text = calloc(1, 1 << 22);
    FILE  *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rbe");
    assert_true(file && text);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    return text;
}

static void write_report(struct sample *sample, const char *folder)
{
    char       path[80], digest[33];
    struct err err = { 0 };

    snprintf(path, sizeof path, "%s/graph.db", folder);
    assert_int_equal(graph_digest(&sample->graph, digest, &err), 0);
    assert_int_equal(graph_write(&sample->graph, path, digest, &err), 0);
    if (leakage_write(folder, &err) < 0) fail_msg("%s", err.text);
}

static uint64_t most_matches(const struct sample *sample)
{
    uint64_t most = 0;

    for (size_t i = 0; i < sample->graph.document_count; i++)
        if (sample->dataset[sample->document[i].dataset].benchmark && sample->document[i].matches > most) most = sample->document[i].matches;
    return most;
}

static void test_leakage(void **state)
{
    char folder[64];

    (void)state;
    sample_folder(folder);
    for (uint64_t round = 0; round < 4; round++) {
        struct sample sample;
        char         *markdown, *text, *again;
        cJSON        *json, *items, *item;
        double        before = 1e9;

        sample_open(&sample, seed + round, 100 + 100 * round, 60 * round);
        write_report(&sample, folder);
        markdown = read_file(folder, "report.md");
        text = read_file(folder, "report.json");
        assert_harmless(markdown);
        json = cJSON_Parse(text);
        assert_non_null(json);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "compared"), "datasets")), SAMPLE_DATASETS);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "overlap"), "between")), 6);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "splits"), "within")), 2);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "rejects"), "examples")), 2);
        assert_int_equal(strlen(cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "run"), "settings"), "digest")->valuestring), 32);
        assert_non_null(strstr(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "run"), "configuration")->valuestring, "datasets:\n"));
        items = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "leaked"), "items");
        assert_true(cJSON_GetArraySize(items) <= LEAKAGE_ITEMS);
        assert_true((cJSON_GetArraySize(items) > 0) == (most_matches(&sample) > 0));
        cJSON_ArrayForEach(item, items) {
            double matches = cJSON_GetObjectItem(cJSON_GetObjectItem(item, "item"), "matches")->valuedouble;

            if (before > 1e8) assert_true(matches == (double)most_matches(&sample));
            assert_true(matches <= before && matches > 0);
            before = matches;
            assert_in_range(cJSON_GetArraySize(cJSON_GetObjectItem(item, "matches")), 1, LEAKAGE_MATCHES);
            assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(item, "matches")) == (int)(matches < LEAKAGE_MATCHES ? matches : LEAKAGE_MATCHES));
            assert_non_null(strstr(cJSON_GetObjectItem(item, "excerpt")->valuestring, "\n"));
        }
        assert_int_equal(leakage_write(folder, &(struct err){ 0 }), 0);     /* again: the same bytes */
        again = read_file(folder, "report.md");
        assert_string_equal(markdown, again);
        cJSON_Delete(json);
        free(markdown);
        free(text);
        free(again);
        sample_close(&sample);
    }
    sample_folder_remove(folder);
}

/* The sentence at the top and the percentages are those of the table. */
static void test_numbers(void **state)
{
    struct sample sample;
    char          folder[64], *markdown;

    (void)state;
    sample_folder(folder);
    sample_open(&sample, 5, 400, 100);
    for (size_t i = 0; i < SAMPLE_OVERLAPS; i++) sample.overlap[i].direct = 0;
    sample.overlap[0] = (struct graph_overlap){ 0, 2, SLICE(""), SLICE(""), SLICE(""), 200, 200, 25, 50, 3, 4, false };
    write_report(&sample, folder);
    markdown = read_file(folder, "report.md");
    assert_non_null(strstr(markdown, "12.50 % of codetrans (25 of 200 documents) have an exact or near duplicate in bigcode/stack."));
    assert_non_null(strstr(markdown, "| codetrans | all | bigcode/stack | all | all | 200 | 25 | 12.50 % | 50 | 25.00 % | 3 | 4 | no |"));
    assert_non_null(strstr(markdown, "lower bound"));
    free(markdown);
    sample_close(&sample);
    sample_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_hostile_prose), cmocka_unit_test(test_hostile_code), cmocka_unit_test(test_leakage), cmocka_unit_test(test_numbers),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
