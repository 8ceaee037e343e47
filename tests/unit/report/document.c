/* tests/unit/report/document.c -- the document tree, its renderings of hostile text, and the report made from a
 * graph.db. */
#include "tests/unit/sample_graph.h"

#include "graph/ids.h"
#include "graph/read.h"
#include "page/report_write.h"
#include "report/advice.h"
#include "report/document.h"
#include "config/capabilities.h"
#include "near/report.h"
#include "near/leaked.h"

#include <cjson/cJSON.h>
#include <errno.h>

static uint64_t seed;

static const struct report_column columns[] = { { "name", "name" }, { "count", "count" }, { "percent", "%" },
                                                { "share", "share" }, { "flag", "flag" } };

static int mask_secret(struct slice *text, bool program, struct bytes *masked)
{
    (void)masked;
    if (!program && text->len >= 6 && memcmp(text->at, "secret", 6) == 0) *text = SLICE("***");
    return 0;
}

static void add_row(struct report_document *document, struct report_node *table, struct slice name)
{
    const struct report_cell cell[] = { report_cell_name(name), report_cell_count(1234567890123),
                                        report_cell_percent(1, 8), report_cell_share(0.5), report_cell_flag(true) };

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

/* Columns with names of the data: masked, and no key twice. */
static void test_named_columns(void **state)
{
    static const char *const     names[] = { "secret 1", "name", "secret 2", "***", "***, 3" };
    static const char *const     keys[] = { "***", "name, 2", "***, 3", "***, 4", "***, 3, 5" };
    struct report_column         column[6] = { { "name", "name" } };
    struct report_document       document;

    (void)state;
    report_open(&document, "Report");
    document.mask = mask_secret;
    for (size_t i = 0; i < 5; i++) {
        column[i + 1] = report_column_named(&document, column, i + 1, slice_of(names[i]));
        assert_string_equal(column[i + 1].key, keys[i]);
        assert_string_equal(column[i + 1].label, i == 0 || i == 2 ? "***" : names[i]);
    }
    report_close(&document);
}

/* A program is masked as one. */
static void test_masks(void **state)
{
    struct report_document document;
    struct bytes           markdown = { 0 };
    cJSON                 *json;

    (void)state;
    report_open(&document, "Report");
    document.mask = mask_secret;
    report_code(&document, document.root, "code", SLICE("secret title"), SLICE("c"), SLICE("secret = 1;\n"));
    report_paragraph(&document, document.root, "secret prose");
    render(&document, &markdown, &json);
    assert_non_null(strstr(markdown.at, "secret = 1;"));
    assert_null(strstr(markdown.at, "title"));
    assert_null(strstr(markdown.at, "prose"));
    cJSON_Delete(json);
    bytes_free(&markdown);
    report_close(&document);
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
    "<script>alert(1)</script>", "a|b|c", "`code` ``", "line\nbreak\r\n# heading", "\x1b[2J\x07\x7f",
        "[link](http://x) ![i](j)", "\\| \\", "1. list", "- list", "&lt;",
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
        if (i < 11)
            assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rows"), 0),
                                                    "name")->valuestring, hostile[i]);
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

/* ---- the report of a run ---- */

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
    assert_int_equal(graph_write(&sample->graph, capability_tables(), path, digest, 1, &err), 0);
    if (report_write(folder, capability_reports(), capability_tables(), NULL, 1, &err) < 0) fail_msg("%s", err.text);
}

/* Pairs of a document, of any kind but below. */
static uint64_t count_pairs(const struct sample *sample, uint64_t id)
{
    uint64_t pairs = 0;

    for (size_t i = 0; i < sample->graph.passes[PASS_NEAR].edge_count; i++)
        pairs += sample->edge[i].kind != EDGE_BELOW && (graph_id_at(&sample->graph, sample->edge[i].a) == id ||
                                                        graph_id_at(&sample->graph, sample->edge[i].b) == id);
    return pairs;
}

static uint64_t most_matches(const struct sample *sample)
{
    uint64_t most = 0;

    for (size_t i = 0; i < sample->graph.document_count; i++)
        if (sample->dataset[sample->document[i].dataset].benchmark && sample->document[i].matches > most)
            most = sample->document[i].matches;
    return most;
}

/* Two splits of the first dataset, each in percent of the other: its overlaps are the sample's last two. */
static void check_matrix(const struct sample *sample, const cJSON *matrix)
{
    const cJSON *rows = cJSON_GetObjectItem(cJSON_GetArrayItem(matrix, 0), "direct_percent");

    assert_int_equal(cJSON_GetArraySize(matrix), 1);
    assert_int_equal(cJSON_GetArraySize(rows), 2);
    for (int i = 0; i < 2; i++) {
        const struct graph_overlap *overlap = &sample->overlap[6 + i];
        const cJSON                *row = cJSON_GetArrayItem(rows, i), *own = cJSON_GetArrayItem(row, 1 + i),
            *other = cJSON_GetArrayItem(row, 2 - i);

        assert_int_equal(cJSON_GetArraySize(row), 3);
        assert_true(cJSON_IsNull(own));
        assert_true(other->valuedouble > 100.0 * (double)overlap->direct / (double)overlap->documents - 0.01);
        assert_true(other->valuedouble < 100.0 * (double)overlap->direct / (double)overlap->documents + 0.01);
    }
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
        size_t        sections = 0;

        sample_open(&sample, seed + round, 100 + 100 * round, 60 * round);
        write_report(&sample, folder);
        markdown = read_file(folder, "report.md");
        text = read_file(folder, "report.json");
        assert_harmless(markdown);
        json = cJSON_Parse(text);
        assert_non_null(json);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "compared"), "datasets")),
                         SAMPLE_DATASETS);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "overlap"), "between")), 6);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "splits"), "within")), 2);
        check_matrix(&sample, cJSON_GetObjectItem(cJSON_GetObjectItem(json, "splits"), "matrix"));
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "rejects"), "examples")), 2);
        assert_int_equal(strlen(cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "run"), "settings"),
                                                    "digest")->valuestring), 32);
        assert_non_null(strstr(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "run"), "configuration")->valuestring,
                               "datasets:\n"));
        items = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "leaked"), "items");
        assert_true(cJSON_GetArraySize(items) <= LEAKAGE_ITEMS);
        assert_true((cJSON_GetArraySize(items) > 0) == (most_matches(&sample) > 0));
        cJSON_ArrayForEach(item, items) {
            double   matches = cJSON_GetObjectItem(cJSON_GetObjectItem(item, "item"), "matches")->valuedouble;

            if (before > 1e8) assert_true(matches == (double)most_matches(&sample));
            uint64_t pairs = count_pairs(&sample, (uint64_t)cJSON_GetObjectItem(cJSON_GetObjectItem(item, "item"),
                                                                                "id")->valuedouble);

            assert_true(matches <= before);
            before = matches;
            assert_true(pairs > 0);
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(item, "matches")), pairs < LEAKAGE_MATCHES ? pairs
                             : LEAKAGE_MATCHES);
            assert_non_null(strstr(cJSON_GetObjectItem(item, "excerpt")->valuestring, "\n"));
            /* no two texts of the sample are equal */
            assert_non_null(strstr(cJSON_GetObjectItem(item, "diff")->valuestring, "\n"));
        }
        for (const char *at = markdown; (at = strstr(at, "\n- snippet: ")); at++) sections++;
        assert_int_equal(sections, cJSON_GetArraySize(items) < LEAKAGE_SHOWN ? cJSON_GetArraySize(items)
                         : LEAKAGE_SHOWN);
        /* again: the same bytes */
        assert_int_equal(report_write(folder, capability_reports(), capability_tables(), NULL, 2, &(struct err){ 0 }),
                         0);
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
    for (size_t i = 0; i < SAMPLE_OVERLAPS; i++)
        sample.overlap[i].direct = sample.overlap[i].transitive = sample.overlap[i].copies =
            sample.overlap[i].contained = 0;
    sample.overlap[0] = (struct graph_overlap){ 0, 2, SLICE(""), SLICE(""), SLICE(""), 200, 150, 25, 50, 3, 0, false };
    write_report(&sample, folder);
    markdown = read_file(folder, "report.md");
    assert_non_null(strstr(markdown, "14.00 % of codetrans (28 of 200 documents) are in bigcode/stack: 25 have an "
                                     "exact or near duplicate there, 3 are copies of documents too short to be "
                                     "compared.\n"));
    assert_non_null(strstr(markdown, "| codetrans | all | bigcode/stack | all | all | 200 | 150 | 75.00 % | 25 | "
                                     "12.50 % | 0 | 0.00 % | 3 | 50 | 25.00 % | no |"));
    assert_non_null(strstr(markdown, "lower bound"));
    assert_non_null(strstr(markdown, "5 rows without a match are left out here"));
    assert_null(strstr(markdown, "## By language"));
    free(markdown);
    sample_close(&sample);
    sample_folder_remove(folder);
}

/* A document with a contained pair and a near one is direct, and counted once; one with a contained pair alone is
 * contained. */
static void test_leaked(void **state)
{
    struct graph_edge  edge[] = { { 0, 300, EDGE_NEAR, 18, 20, 30, 40 },
                                       { 0, 301, EDGE_CONTAINED, 18, 30, 30, 60 },
                                       { 1, 302, EDGE_CONTAINED, 18, 30, 30, 60 },
                                  { 1, 303, EDGE_CONTAINED, 18, 30, 30, 60 }, { 2, 304, EDGE_BELOW, 10, 30, 10, 60 } };
    struct sample      sample;
    struct leaked_list leaked;
    struct err         err = { 0 };
    sqlite3           *db;
    char               folder[64], path[80], *markdown;

    (void)state;
    sample_folder(folder);
    sample_open(&sample, 5, 400, 0);
    for (size_t i = 0; i < SAMPLE_OVERLAPS; i++)
        sample.overlap[i].direct = sample.overlap[i].transitive = sample.overlap[i].copies =
            sample.overlap[i].contained = 0;
    sample.overlap[0] = (struct graph_overlap){ 0, 2, SLICE(""), SLICE(""), SLICE(""), 200, 200, 1, 1, 3, 2, true };
    sample.graph.passes[PASS_NEAR].edges = edge;
    sample.graph.passes[PASS_NEAR].edge_count = sizeof edge / sizeof edge[0];
    sample.document[0].matches = sample.document[300].matches = 1;
    write_report(&sample, folder);
    markdown = read_file(folder, "report.md");
    assert_non_null(strstr(markdown, "2.50 % of codetrans (5 of 200 documents) are in bigcode/stack: 1 have an exact "
                                     "or near duplicate there, 1 are contained in a document of it, 3 are copies"));
    assert_non_null(strstr(markdown, "| contained | 3 |"));
    assert_non_null(strstr(markdown, "| below | 1 |"));
    snprintf(path, sizeof path, "%s/graph.db", folder);
    assert_int_equal(graph_open(&db, path, &err), 0);
    assert_int_equal(leaked_read(&leaked, db, &err), 0);
    assert_int_equal(leaked.count, 4);                      /* two benchmarks, two others each */
    for (size_t i = 0; i < leaked.count; i++)
        assert_int_equal(leaked.at[i].target_is_corpus, slice_equal(leaked.at[i].target, SLICE("bigcode/stack")));
    leaked_free(&leaked);
    graph_close(db);
    free(markdown);
    sample_close(&sample);
    sample_folder_remove(folder);
}

static void hear(void *context, const char *sentence)
{
    char *heard = context;

    assert_true(strlen(heard) + strlen(sentence) + 2 < 4096);
    strcat(strcat(heard, sentence), "\n");
}

static void advise(struct sample *sample, const char *folder, char heard[4096], struct err *err)
{
    char     path[80];
    sqlite3 *db;

    write_report(sample, folder);
    snprintf(path, sizeof path, "%s/graph.db", folder);
    assert_int_equal(graph_open(&db, path, err), 0);
    *heard = '\0';
    assert_int_equal(advice_give(db, capability_reports(), &(struct advice_listener){ hear, heard }, err), 0);
    advice_check_usable(db, capability_reports(), err);
    graph_close(db);
}

static void test_advice(void **state)
{
    struct graph_setting settings[] = { { "near.across_languages", SLICE("false") } };
    struct sample        sample;
    struct err           err = { 0 };
    char                 folder[64], heard[4096], *markdown;

    (void)state;
    sample_folder(folder);
    sample_open(&sample, 5, 400, 0);
    sample.graph.settings = settings;
    sample.graph.setting_count = 1;
    sample.reject[0].reason = sample.reject[1].reason = SLICE("invalid-json");
    for (size_t i = 0; i < SAMPLE_SPLITS; i++) sample.split[i].rejected = 0;
    advise(&sample, folder, heard, &err);
    assert_string_equal(heard, "");                         /* nothing to say of a sound run */

    sample.split[3].language = SLICE("python");             /* the corpus, against two benchmarks in java */
    sample.split[0].rejected = 50;
    sample.reject[1].reason = SLICE("truncated");
    advise(&sample, folder, heard, &err);
    assert_non_null(strstr(heard, "codetrans is java, bigcode/stack is python: no pair of theirs was compared"));
    assert_non_null(strstr(heard, "code is java, bigcode/stack is python"));
    assert_null(strstr(heard, "codetrans is java, code is java"));
    assert_non_null(strstr(heard, "codetrans: 50 of 250 records (20.0 %) were rejected, most often invalid-json, "
                                  "first in dir/shard-1.jsonl.zst, record 3: expected"));
    assert_non_null(strstr(heard, "bigcode/stack: 1 of its shards could not be read to the end; the first is "
                                  "dir/shard-3.jsonl.zst (truncated)"));
    assert_int_equal(err.code, 0);
    markdown = read_file(folder, "report.md");
    assert_non_null(strstr(markdown, "## Before you trust these numbers\n\ncodetrans is java"));
    free(markdown);

    settings[0].value = SLICE("true");                      /* languages were compared with each other */
    sample.split[2].documents = sample.split[2].admitted = 0;
    sample.split[2].rejected = 7;
    advise(&sample, folder, heard, &err);
    assert_null(strstr(heard, "no pair of theirs"));
    assert_int_equal(err.code, -EBADMSG);
    assert_non_null(strstr(err.text, "benchmark code: none of its 7 records could be used"));

    sample.split[2].rejected = 0;
    sample.split[3].admitted = 0;
    err = (struct err){ 0 };
    advise(&sample, folder, heard, &err);
    assert_non_null(strstr(heard, "code has no documents: all 2 files were passed over\n"));
    assert_non_null(strstr(heard, "no document of bigcode/stack has min_tokens features"));
    assert_int_equal(err.code, 0);

    sample.shard[2].xxh3 = 0;                               /* nobody has looked at it */
    advise(&sample, folder, heard, &err);
    assert_non_null(strstr(heard, "code was not read: no pass of this run asks for it\n"));
    assert_null(strstr(heard, "code has no documents"));

    sample.split[3].rejected = sample.split[3].documents;   /* a corpus too */
    sample.split[3].documents = 0;
    advise(&sample, folder, heard, &err);
    assert_int_equal(err.code, -EBADMSG);
    assert_non_null(strstr(err.text, "bigcode/stack: none of its"));
    sample_close(&sample);
    sample_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_columns), cmocka_unit_test(test_masks),
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_hostile_prose), cmocka_unit_test(test_hostile_code),
            cmocka_unit_test(test_leakage), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_leaked), cmocka_unit_test(test_advice),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
