/* tests/unit/page/pairs.c -- items beside their matches: stored texts, texts of a reader, and why there are none. */
#include "page/pairs.h"
#include "tests/unit/page/items_graph.h"

/* A reader that has record 7 of shard s of code, and nothing else. */
static int reader(void *context, struct show_text *text, size_t count, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < count; i++) {
        ++*(int *)context;
        text[i].read = slice_equal(bytes_slice(&text[i].place->dataset), SLICE("code")) && text[i].place->record == 7;
        assert_int_equal(bytes_append_slice(text[i].read ? &text[i].text : &text[i].note,
                                            text[i].read ? SLICE("1\n2\n3\n4\ndef g():\n    secret\n7\n")
                                            : SLICE("its shard is <gone>")), 0);
    }
    return 0;
}

static int mask(struct slice *text, bool program, struct bytes *masked)
{
    const char *found = text->len ? memmem(text->at, text->len, "secret", 6) : NULL;

    (void)program;
    if (!found) return 0;
    if (bytes_append(masked, text->at, (size_t)(found - text->at)) < 0 || bytes_append(masked, "***", 3) < 0 ||
        bytes_append(masked, found + 6, text->len - 6 - (size_t)(found - text->at)) < 0) return -ENOMEM;
    *text = bytes_slice(masked);
    return 0;
}

/* "pairs" and "clusters" of the graph, with a NUL behind them. */
static void make(struct made_graph *g, const struct show_reader *of, struct bytes *out, cJSON **json)
{
    struct items items;
    struct err   err = { 0 };
    sqlite3     *db = made_read(g);

    assert_int_equal(items_read(&items, db, &err), 0);
    assert_int_equal(bytes_append(out, "{", 1), 0);
    assert_int_equal(pairs_json(&items, items.count, db, of, mask, out, &err), 0);
    assert_int_equal(bytes_append(out, "}", 2), 0);
    assert_null(strchr(out->at, '<'));
    *json = cJSON_Parse(out->at);
    assert_non_null(*json);
    items_free(&items);
    graph_close(db);
}

static void test_pairs(void **unused)
{
    struct made_graph        g;
    struct bytes             out = { 0 };
    int                      asked = 0;
    const struct show_reader of = { reader, &asked };
    cJSON                   *json;

    (void)unused;
    made_open(&g, items_sql);
    made_run(&g, "UPDATE snippets SET snippet = 'def g():' || char(10) || '    other' WHERE id = 3;");
    make(&g, &of, &out, &json);
    assert_int_equal(asked, 1);                             /* the others are stored */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "pairs")), 6);
    assert_non_null(strstr(out.at, "{\"row\":0,\"a\":[\"bench\",\"s\",0],\"b\":[\"code\",\"s\",0],\"cluster\":0,"
                                   "\"same\":"
                                   "false,\"laid\":false,\"coarse\":false,\"from\":[1,2,2],\"to\":[1,2,2],\"rows\":["
                                   "[0,1,1,\"a = 1\"],\n[3,2,2,[0,\"b = \",1,\"2\",2,\"3\"]]],\"left_out\":0}"));
    /* inside a document: its lines, masked */
    assert_non_null(strstr(out.at, "{\"row\":1,\"a\":[\"bench\",\"s\",2],\"b\":[\"code\",\"s\",7],\"same\":false,"));
    assert_non_null(strstr(out.at, "\"to\":[5,6,7],\"rows\":[[0,1,5,\"def g():\"],\n[1,2,\"    other\"],\n"
                                   "[2,6,\"    ***\"]]"));
    /* contained: where it is */
    assert_non_null(strstr(out.at, "\"to\":[3,3,4],\"rows\":[[0,1,3,\"c = 3\"]]"));
    assert_non_null(strstr(out.at, "\"same\":true"));
    assert_null(strstr(out.at, "secret"));
    cJSON_Delete(json);
    bytes_free(&out);
    made_close(&g);
}

static void test_missing(void **unused)
{
    struct made_graph        g;
    struct bytes             out = { 0 };
    int                      asked = 0;
    const struct show_reader of = { reader, &asked };
    cJSON                   *json;

    (void)unused;
    made_open(&g, items_sql);
    make(&g, &of, &out, &json);                             /* the third item's own text is not stored */
    assert_int_equal(asked, 2);
    assert_non_null(strstr(out.at, "\"why\":\"its shard is \\u003cgone\\u003e\""));
    cJSON_Delete(json);
    out.len = 0;
    make(&g, NULL, &out, &json);
    assert_non_null(strstr(out.at, "\"why\":\"graph.db does not store its text\""));
    cJSON_Delete(json);
    bytes_free(&out);
    made_close(&g);
}

/* More items than are shown, of two benchmarks: each has its share. */
static void test_shares(void **unused)
{
    struct made_graph g;
    struct bytes      sql = { 0 }, out = { 0 };
    size_t            other = 0;
    cJSON            *json;

    (void)unused;
    made_open(&g, items_sql);
    for (int i = 10; i < 500; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets SELECT %d%09d, snippet, '%s', language, tokens, %d, "
                                      "split_within_dataset, 'n%d', NULL, repo, license, license_class, license_from, "
                                      "holders, shard, record, matches, features, distinct_features, admitted, xxh128, "
                                      "xxh128_squeezed, features_xxh128 FROM snippets WHERE id = 1; INSERT INTO edges "
                                      "VALUES ('near', %d%09d, " CODE " + 1, 'near', 1, 2, 3, 4, %s, 0.5, 0.5, 0.5);",
                                      i < 300 ? 0 : 1000, i, i < 300 ? "bench" : "other", i - 1, i,
                                      i < 300 ? 0 : 1000, i, i < 300 ? "0.9" : "0.7"), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    made_run(&g, sql.at);
    make(&g, NULL, &out, &json);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "pairs")), PAIRS_MOST);
    for (const char *at = out.at; (at = strstr(at, "\"a\":[\"other\"")); at++) other++;
    assert_int_equal(other, PAIRS_MOST / 2);
    cJSON_Delete(json);
    bytes_free(&out);
    bytes_free(&sql);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs), cmocka_unit_test(test_missing),
                                        cmocka_unit_test(test_shares) };

    return cmocka_run_group_tests_name("page/pairs", tests, NULL, NULL);
}
