/* corpus/source_json: arrays, printed objects and lists of records, good and bad, wherever reads end. */
#include "tests/unit/corpus/shards.h"

#define T(n) "{\"text\":\"" n "\"}"

static const struct file { const char *name, *text, *records, *rejects; } json_files[] = {
    { "a.json", "[]", "", "" },
    { "a.json", " [ \n ] \n", "", "" },
    { "a.json", "[" T("1") "," T("2") "]\n", "0 1  1\n1 14  2\n", "" },
    { "a", "\xEF\xBB\xBF[\n  " T("1") ",\r\n  {\n\"id\" : [ 1,\n 2 ],\n\"text\"\n:\n\"2\"\n}\n]",
      "0 7  1\n1 24  2\n", "" },
    { "a.json", "[1,\"a,]\",[{}],null," T("2") "]", "4 19  2\n",
      "0 1 invalid-json\n1 3 invalid-json\n2 9 invalid-json\n3 14 invalid-json\n" },
    { "a.json", "[{\"text\":\"}, {\\\"]\"}]", "0 1  }, {\"]\n", "" },
    { "a.json", "[" T("1") "]\n[" T("2") "]", "0 1  1\n1 16  2\n", "" },
    /* cut */
    { "a.json", "[" T("1") ",", "0 1  1\n", "1 14 truncated\n" },
    { "a.json", "[" T("1") ",{\"text\":\"ab", "0 1  1\n", "1 14 truncated\n" },
    { "a.json", "[", "", "0 1 truncated\n" },
    /* damaged: reading goes on with the next object */
    { "a.json", "[" T("1") ",{\"text\":\"2, \"id\":3}, " T("3") "," T("4") "]", "0 1  1\n2 35  3\n3 48  4\n",
      "1 27 invalid-json\n" },
    { "a.json", "[{\"a\":{\"text\":\"1\"}, " T("2") "," T("3") "]", "1 20  2\n2 33  3\n", "0 20 invalid-json\n" },
    { "a.json", "[{\"text\":1]," T("2") "]", "1 12  2\n", "0 10 invalid-json\n" },
    { "a.json", "[{\"text\":\"a\nb\"}," T("2") "]", "1 16  2\n", "0 11 invalid-json\n" },
    { "a.json", "[{\"text\":\"1\"]]\n\x0e", "", "0 12 invalid-json\n1 13 invalid-json\n" },
    { "a.json", "[[1]x]", "", "0 1 invalid-json\n" },
    /* printed objects */
    { "a", "{\n \"text\" : \"1\"\n}\n{\n \"text\" : \"2\"\n}\n", "0 0  1\n1 18  2\n", "" },
    { "a.json", "{\"id\":1,\n\"text\":\"1\"}{}" T("3"), "0 0  1\n2 22  3\n", "1 20 missing-field\n" },
    { "a", "{\n\"text\":\"1\", \"tests\":[{\"text\":\"2\"}]}\n", "0 0  1\n", "" },
    /* lists of records */
    { "a", "{\n\"version\": 1, \"data\":\n[" T("1") "," T("2") "], \"n\":[2,{\"a\":[{}]}]\n}", "0 25  1\n1 38  2\n",
      "" },
    { "a.json", "{\"data\":[" T("1") "],\"more\":[ " T("2") "],\"x\":\"]}\\\"\"}", "0 9  1\n", "1 32 invalid-json\n" },
    { "a.json", "{\"data\":[" T("1") "],\"x\":\"", "0 9  1\n", "1 28 truncated\n" },
    /* lines, and texts */
    { "a.json", "{\"data\":[" T("1") "]}\n" T("2") "\n", "1 24  2\n", "0 0 missing-field\n" },
    { "a.jsonl", "{\n" T("1") "\n", "1 2  1\n", "0 1 invalid-json\n" },
    { "a", T("1") "\n" T("2"), "0 0  1\n1 13  2\n", "" },
    { "a.py", "[1]\n", "0 0 a.py [1]\n\n", "" },
    { "a.ini", "[{x}]\n", "0 0 a.ini [{x}]\n\n", "" },
};

static void test_elements(void **state)
{
    static const size_t  sizes[] = { 0, 1, 2, 3, 5, 7, 11, 13, 17, 64 };
    const struct dataset dataset = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof json_files / sizeof *json_files; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct seen seen;

            batch_bytes = sizes[s];
            read_bytes(&seen, &dataset, json_files[i].name, json_files[i].text, strlen(json_files[i].text));
            assert_text(&seen.records, json_files[i].records);
            assert_text(&seen.rejects, json_files[i].rejects);
            assert_true((seen.lost > 0) == (strstr(json_files[i].rejects, "truncated") != NULL));
            assert_true(seen.missing == (seen.lost > 0));
            seen_free(&seen);
        }
    batch_bytes = 0;
}

/* A list beside the one that is read is named, with the way to read it. */
static void test_two_lists(void **state)
{
    static const char    text[] = "{\n\"train\":[" T("1") "],\"test\":[" T("2") "]}";
    const struct dataset dataset = { 0 };
    struct seen          seen;

    (void)state;
    read_bytes(&seen, &dataset, "two.json", text, sizeof text - 1);
    assert_string_equal(seen.detail, "list test is not read, as train is: make it a file, jq .test");
    seen_free(&seen);
}

/* An element that is longer than a record may be, closed or not, is one reject, and little memory. */
static void test_long(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    struct bytes   text = { 0 };
    struct seen    seen, first = { 0 };

    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        text.len = 0;
        bytes_printf(&text, "[");
        for (int i = 0; i < 200000; i++) bytes_printf(&text, T("%06d") ",\n", i);
        bytes_printf(&text, "{\"text\":\"");
        for (int i = 0; i < 3000000; i++) bytes_append(&text, "y", 1);
        bytes_printf(&text, closed ? "\"}," T("1") "," T("2") "]" : "," T("1") "," T("2") "]");
        for (size_t size = 100; size <= SOURCE_BATCH_BYTES; size *= 100) {
            batch_bytes = size;
            read_bytes(&seen, &dataset, "long.json", text.at, text.len);
            assert_int_equal(seen.reasons, 1u << REJECT_TOO_LONG);
            assert_int_equal(seen.reject_count, 1);
            /* with what was passed over until the next record was found */
            assert_in_range(seen.rejected_bytes, 3000000, 3000040);
            /* where it is not closed, the one behind it is what its end is looked for in */
            assert_int_equal(seen.record_count, 200000 + 1 + closed);
            assert_true(seen.room < 4u << 20);
            if (size == 100 && !closed) first = seen;
            else {
                if (!closed) assert_same(&seen.records, &first.records, "records");
                seen_free(&seen);
            }
        }
    }
    batch_bytes = 0;
    seen_free(&first);
    bytes_free(&text);
}

/* Damage at random: the same is said whatever the batches, and what is whole and far behind it is read. */
static void test_damage(void **state)
{
    struct dataset dataset = { .max_record_bytes = 2000 };
    struct bytes   text = { 0 };

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct seen whole, seen;

        text.len = 0;
        bytes_printf(&text, "[");
        for (int i = 0; i < 400; i++)
            bytes_printf(&text, "{\"id\": {\"n\": [%d, \"%u\"]},%s\"text\": \"line %d\"}%s", i, random_below(100),
                         random_below(2) ? "\n" : " ", i, i < 399 ? ", " : "]");
        for (uint32_t n = 1 + random_below(3); n; n--)
            text.at[1 + random_below((uint32_t)text.len / 2)] = "{}[]\",:x\\"[random_below(9)];
        read_bytes(&whole, &dataset, "damage.json", text.at, text.len);
        assert_true(whole.record_count > 100);
        for (size_t size = 1; size < 5000; size = size * 7 + random_below(5)) {
            batch_bytes = size;
            read_bytes(&seen, &dataset, "damage.json", text.at, text.len);
            assert_same(&seen.records, &whole.records, "records");
            assert_same(&seen.rejects, &whole.rejects, "rejects");
            seen_free(&seen);
        }
        batch_bytes = 0;
        seen_free(&whole);
    }
    bytes_free(&text);
}

/* A hostile array of beginnings: time stays in proportion. */
static void test_hostile(void **state)
{
    struct dataset dataset = { .max_record_bytes = 4 << 20 };
    struct bytes   text = { 0 };
    struct seen    seen;

    (void)state;
    bytes_printf(&text, "[");
    while (text.len < 8u << 20) bytes_printf(&text, "{\"\":{},{}, {\"a\":{,");
    read_bytes(&seen, &dataset, "hostile.json", text.at, text.len);
    assert_true(seen.reject_count > 0);
    seen_free(&seen);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements), cmocka_unit_test(test_two_lists), cmocka_unit_test(test_long),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
