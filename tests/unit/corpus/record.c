/* corpus/record: a field's value as text, and lists of tokens one by one, well-formed or not. */
#include "corpus/record.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* As batches lay records out: the value has readable bytes behind it. */
static struct record record_of(struct bytes *room, bool json, enum field field, const char *value)
{
    struct record record = { .json = json };

    room->len = 0;
    assert_int_equal(bytes_append(room, value, strlen(value)), 0);
    record.raw[field] = bytes_slice(room);
    return record;
}

static void test_field(void **state)
{
    static const struct { bool json; const char *raw, *want; } values[] = {
        { true, "\"plain\"", "plain" },         { true, "\"\"", "" },
        { true, "\"a\\n\\\"b\\\\\"", "a\n\"b\\" },
        { true, "\"\\u20AC\\ud83d\\ude00\"", "\xE2\x82\xAC\xF0\x9F\x98\x80" },
        { true, "12.50", "12.50" },             { true, "true", "true" },
        { true, "[1, \"2\"]", "[1, \"2\"]" },   { true, "{\"a\": null}", "{\"a\": null}" },
        { true, "null", NULL },                 { true, "\"null\"", "null" },
        { false, "null", "null" },              { false, "\"quoted\\n\"", "\"quoted\\n\"" },
        { false, "", "" },                      { false, "src/a.c", "src/a.c" },
    };
    struct bytes room = { 0 }, out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct record record = record_of(&room, values[i].json, FIELD_PATH, values[i].raw);

        out.len = 0;
        assert_int_equal(bytes_append(&out, "before", 6), 0);
        assert_int_equal(record_field(&record, FIELD_PATH, &out), values[i].want != NULL);
        assert_int_equal(out.len, 6 + (values[i].want ? strlen(values[i].want) : 0));
        assert_memory_equal(out.at, "before", 6);
        if (values[i].want) assert_memory_equal(out.at + 6, values[i].want, out.len - 6);
        assert_false(record_field(&record, FIELD_ID, &out));                    /* the others are absent */
        assert_int_equal(out.len, 6 + (values[i].want ? strlen(values[i].want) : 0));
    }
    bytes_free(&room);
    bytes_free(&out);
}

/* Each token and a `|` behind it, then the code of the end. */
static int tokens_of(const char *list, char got[256])
{
    struct bytes  room = { 0 }, scratch = { 0 };
    struct record record = record_of(&room, true, FIELD_TOKENS, list);
    struct slice  token;
    size_t        at = 0;
    int           rc;

    *got = '\0';
    while ((rc = record_next_token(&record, &at, &scratch, &token)) > 0)
        snprintf(got + strlen(got), 256 - strlen(got), "%.*s|", (int)token.len, token.at);
    bytes_free(&room);
    bytes_free(&scratch);
    return rc;
}

static void test_tokens(void **state)
{
    static const struct { const char *list, *want; int rc; } lists[] = {
        { "[]", "", 0 },                        { "[ \t\r]", "", 0 },
        { "[\"a\"]", "a|", 0 },                 { "[\"\"]", "|", 0 },
        { "[\"a\",\"b\"]", "a|b|", 0 },         { "[ \"a\" , \"b\"\t,\r\"c\" ]", "a|b|c|", 0 },
        { "[\"\\\"\",\"x\",\"\\\\\"]", "\"|x|\\|", 0 },
        { "[\"a\\tb\",\"\\u0041\"]", "a\tb|A|", 0 },
        { "[\"]\",\",\"]", "]|,|", 0 },
        { "", "", -EBADMSG },                   { "\"a\"", "", -EBADMSG },      { "{}", "", -EBADMSG },
        { "[", "", -EBADMSG },                  { "[1]", "", -EBADMSG },        { "[null]", "", 0 },
        { "[\"a\"", "a|", -EBADMSG },           { "[\"a", "", -EBADMSG },       { "[\"a\\", "", -EBADMSG },
        { "[\"a\\\"", "", -EBADMSG },           { "[\"a\",]", "a|", -EBADMSG }, { "[,\"a\"]", "", -EBADMSG },
        { "[\"a\" \"b\"]", "a|", -EBADMSG },    { "[\"a\"]x", "a|", -EBADMSG }, { "[]x", "", -EBADMSG },
        { "[\"a\",2]", "a|", -EBADMSG },        { "[\"a\",[\"b\"]]", "a|", -EBADMSG },
        { "[null,\"a\",null , null]", "a|", 0 },  { "[null,]", "", -EBADMSG },  { "[nullx]", "", -EBADMSG },
        { "[\"a\",null", "a|", -EBADMSG },        { "[null null]", "", -EBADMSG },
        { "[\"a\nb\"]", "", -EBADMSG },         { "[\"\\x\"]", "", -EBADMSG },
    };

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char got[256];
        int  rc = tokens_of(lists[i].list, got);

        if (rc != lists[i].rc || strcmp(got, lists[i].want)) fail_msg("%s: %d %s", lists[i].list, rc, got);
    }
}

/* Several at once give the same, ends and errors too. */
static void expect_same(const char *list)
{
    struct bytes  room = { 0 }, scratch[2] = { { 0 }, { 0 } };
    struct record record = record_of(&room, true, FIELD_TOKENS, list);
    struct slice  many[RECORD_TOKENS], one;
    size_t        at = 0, one_at = 0;
    int           count, rc;

    while ((count = record_next_tokens(&record, &at, &scratch[0], many)) > 0)
        for (int i = 0; i < count; i++) {
            rc = record_next_token(&record, &one_at, &scratch[1], &one);
            if (rc != 1 || !slice_equal(many[i], one)) fail_msg("%s: at %zu %d", list, one_at, rc);
        }
    rc = record_next_token(&record, &one_at, &scratch[1], &one);
    if (rc != count) fail_msg("%s: ends with %d, not %d", list, count, rc);
    bytes_free(&room);
    bytes_free(&scratch[0]);
    bytes_free(&scratch[1]);
}

/* Each byte at each place of a token behind others, of which there are more than are looked at together; and lists of
 * pieces that lists are made of, in any order. */
static void test_several(void **state)
{
    static const char *const pieces[] = { "\"", "\"a\"", "\"long name\"", ", ", ", ", ", ", ",", " ", "]", "[", "null",
                                          "\\\"", "\\n", "\n", "\"\"", "\"\\u0041\"", "\x80", "1" };
    char     list[2000];
    uint64_t random = 1;

    (void)state;
    for (size_t before = 0; before < 90; before += 1 + before / 3)
        for (size_t at = 0; at < 3; at++)
            for (int c = 1; c < 256; c++) {
                size_t len = 1;

                list[0] = '[';
                for (size_t i = 0; i < before; i++) len += (size_t)snprintf(list + len, 16, "\"name%zu\", ", i % 7);
                snprintf(list + len, 32, "\"abc\", \"behind\"]");
                list[len + 1 + at] = (char)c;
                expect_same(list);
            }
    for (int round = 0; round < 20000; round++) {
        size_t len = 1;

        list[0] = '[';
        list[1] = '\0';
        for (int i = 0; i < round % 40; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            len += (size_t)snprintf(list + len, 24, "%s", pieces[(random >> 40) % (sizeof pieces / sizeof *pieces)]);
        }
        expect_same(list);
    }
}

/* Tables give lists as JSON in records that are none. */
static void test_has_tokens(void **state)
{
    struct bytes  room = { 0 }, scratch = { 0 };
    struct record record = { 0 };
    struct slice  token;
    size_t        at = 0;

    (void)state;
    assert_false(record_has_tokens(&record));
    assert_int_equal(record_next_token(&record, &at, &scratch, &token), -EBADMSG);
    record = record_of(&room, true, FIELD_TOKENS, "null");
    assert_false(record_has_tokens(&record));
    record = record_of(&room, true, FIELD_TOKENS, "");
    assert_false(record_has_tokens(&record));
    record = record_of(&room, false, FIELD_TOKENS, "[\"x\"]");
    assert_true(record_has_tokens(&record));
    assert_int_equal(record_next_token(&record, &at, &scratch, &token), 1);
    assert_true(slice_equal(token, SLICE("x")) && token.at == room.at + 2);     /* no copy */
    assert_int_equal(record_next_token(&record, &at, &scratch, &token), 0);
    record = record_of(&room, false, FIELD_TEXT, "[\"x\"]");
    assert_false(record_has_tokens(&record));
    bytes_free(&room);
    bytes_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_field), cmocka_unit_test(test_tokens),
                                        cmocka_unit_test(test_several), cmocka_unit_test(test_has_tokens) };

    kernels = kernels_select(kernels_cpu(), NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
