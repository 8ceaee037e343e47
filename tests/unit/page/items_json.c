/* tests/unit/page/items_json.c -- columns that a reader puts together again, whatever texts hold. */
#include "page/items_json.h"
#include "tests/unit/page/items_graph.h"

/* Masks the letter w. */
static int mask(struct slice *text, bool program, struct bytes *masked)
{
    (void)program;
    if (text->len == 0 || !memchr(text->at, 'w', text->len)) return 0;
    for (size_t i = 0; i < text->len; i++)
        if (bytes_append(masked, text->at[i] == 'w' ? "*" : &text->at[i], 1) < 0) return -ENOMEM;
    *text = bytes_slice(masked);
    return 0;
}

static cJSON *columns_of(const struct items *items, size_t limit, size_t *shown)
{
    struct bytes out = { 0 };
    cJSON       *json;

    assert_int_equal(bytes_append(&out, "{", 1), 0);
    assert_int_equal(items_json(items, mask, limit, shown, &out), 0);
    assert_int_equal(bytes_append(&out, "}", 2), 0);
    assert_null(strchr(out.at, '<'));
    json = cJSON_Parse(out.at);
    assert_non_null(json);
    bytes_free(&out);
    return json;
}

/* The texts of a column, as items.js does it; they are ASCII here. */
static void texts_are(const cJSON *json, const char *key, size_t count, const char *const *expected)
{
    const cJSON *pair = cJSON_GetObjectItem(json, key), *lengths = cJSON_GetArrayItem(pair, 0),
                *rests = cJSON_GetArrayItem(pair, 1);
    char         text[200] = "";

    assert_int_equal(cJSON_GetArraySize(lengths), count);
    for (int i = 0; i < (int)count; i++) {
        const size_t kept = (size_t)cJSON_GetArrayItem(lengths, i)->valuedouble;

        assert_true(kept <= strlen(text));
        snprintf(text + kept, sizeof text - kept, "%s", cJSON_GetArrayItem(rests, i)->valuestring);
        assert_string_equal(text, expected[i]);
    }
}

static double number_at(const cJSON *json, const char *key, int row)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(json, key), row)->valuedouble;
}

static void test_columns(void **unused)
{
    static const char *const sources[] = { "one", "three</script>", "four", "t*o", "there", "alone", "five" },
                            *const paths[] = { "src/one.py", "", "", "src/t*o.py", "", "", "" },
                            *const places[] = { "lib/x.py", "lib/f.py#g@5", "there", "y", "four", "", "four" };
    struct made_graph g;
    struct items      items;
    struct err        err = { 0 };
    size_t            shown = 0;
    sqlite3          *db;
    cJSON            *json;

    (void)unused;
    made_open(&g, items_sql);
    db = made_read(&g);
    assert_int_equal(items_read(&items, db, &err), 0);
    json = columns_of(&items, 1 << 20, &shown);
    assert_int_equal(shown, 7);
    texts_are(json, "source", 7, sources);
    texts_are(json, "path", 7, paths);
    texts_are(json, "place", 7, places);
    assert_true(number_at(json, "alike", 0) == 800 && number_at(json, "match_number", 0) == 1);
    assert_true(number_at(json, "match_number", 1) == 0 && number_at(json, "line", 1) == 5);
    assert_true(number_at(json, "own", 6) == 1 && number_at(json, "own", 0) == 0);
    assert_true(number_at(json, "kind", 5) == -1 && number_at(json, "match_dataset", 5) == -1);
    assert_true(cJSON_GetObjectItem(json, "total")->valuedouble == 7);
    cJSON_Delete(json);

    json = columns_of(&items, 1, &shown);                   /* what does not fit is left out, the worst stay */
    assert_int_equal(shown, 1);
    texts_are(json, "source", 1, sources);
    assert_true(cJSON_GetObjectItem(json, "total")->valuedouble == 7 &&
                cJSON_GetObjectItem(json, "rows")->valuedouble == 1);
    cJSON_Delete(json);
    items_free(&items);
    graph_close(db);
    made_close(&g);
}

/* What rows share is counted in UTF-16 units, and no character is split. */
static void test_characters(void **unused)
{
    struct item  item[3] = { { .source = SLICE("\xF0\x9F\x98\x80\xC3\xA9") },
                             { .source = SLICE("\xF0\x9F\x98\x80\xC3\xA8") },
                             { .source = SLICE("\xE2\x80\xAE\x1b\xff") } };
    struct items items = { .at = item, .count = 3 };
    struct bytes out = { 0 };
    size_t       shown;

    (void)unused;
    assert_int_equal(items_json(&items, NULL, 1 << 20, &shown, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "\"source\":[[0,2,0],[\"\xF0\x9F\x98\x80\xC3\xA9\",\"\xC3\xA8\","
                                   "\"\\\\u202e\\\\x1b\xEF\xBF\xBD\"]]"));
    bytes_free(&out);
}

/* Names that look alike are told apart, as the page finds each by what it shows. */
static void test_alike(void **unused)
{
    struct slice splits[] = { SLICE("w"), SLICE("*, 3"), SLICE("*"), SLICE("*w"), SLICE("w*") };
    struct items items = { .splits = { .at = splits, .count = sizeof splits / sizeof *splits } };
    struct bytes out = { 0 };
    size_t       shown;

    (void)unused;
    assert_int_equal(items_json(&items, mask, 1 << 20, &shown, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "\"splits\":[\"*\",\"*, 3\",\"*, 4\",\"**\",\"**, 5\"]"));
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_columns), cmocka_unit_test(test_characters),
                                        cmocka_unit_test(test_alike) };

    return cmocka_run_group_tests_name("page/items_json", tests, NULL, NULL);
}
