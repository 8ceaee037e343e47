/* corpus/json_record: records out of JSON lines: picked fields, refusals with their place, and agreement with
 * cJSON. */
#include "corpus/json_record.h"
#include "corpus/record.h"
#include "base/utf8.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static void load(struct batch *batch, const struct dataset *dataset, const void *text, size_t len)
{
    batch->dataset = dataset;
    batch->kind = BATCH_JSON_LINES;
    batch->raw.len = batch->next_at = 0;
    batch->next_record = batch->first_record = 0;
    batch->rejects.count = 0;
    field_map_set(&batch->fields, dataset);
    assert_int_equal(bytes_append(&batch->raw, text, len), 0);
}

static void assert_slice(struct slice got, const char *want)
{
    assert_int_equal(got.len, strlen(want));
    if (got.len) assert_memory_equal(got.at, want, got.len);
}

/* Runs a check at every kernel level that this machine has. */
static void at_each_level(void (*check)(void))
{
    for (const struct kernels *const *k = kernels_all; *k; k++) {
        if ((*k)->need & ~kernels_cpu()) {
            printf("skipped: %s\n", (*k)->name);
            continue;
        }
        kernels = *k;
        check();
    }
}

/* ---- accepted and refused lines ---- */

static const struct { const char *line, *text; enum reject_reason reason; long byte; } cases[] = {
    /* text != NULL: accepted */
    { "{\"text\":\"a\"}", "a", 0, 0 },
    { " { \"text\" : \"a\" } \r", "a", 0, 0 },
    { "{\"id\":1,\"text\":\"a\\n\\t\\\"\\\\\\/\\u00e9\\ud83d\\ude00\"}", "a\n\t\"\\/\xC3\xA9\xF0\x9F\x98\x80", 0, 0 },
    { "{\"text\":\"\"}", "", 0, 0 },
    { "{\"content\":\"c\"}", "c", 0, 0 },
    { "{\"code\":\"d\"}", "d", 0, 0 },
    { "{\"code\":\"d\",\"content\":\"c\"}", "c", 0, 0 },
    { "{\"text\":\"t\",\"content\":\"c\",\"code\":5}", "t", 0, 0 },
    { "{\"code\":\"d\",\"text\":\"t\",\"content\":\"c\"}", "t", 0, 0 },
    { "{\"text\":\"first\",\"text\":\"last\"}", "last", 0, 0 },
    { "{\"t\\u0065xt\":\"escaped key\"}", "escaped key", 0, 0 },
    { "{\"x\":[1,{\"y\":\"]}\"}],\"text\":\"a\",\"z\":{\"q\":[]}}", "a", 0, 0 },
    { "{\"a\":true,\"b\":false,\"c\":null,\"d\":-1.5e+10,\"e\":0,\"text\":\"a\"}", "a", 0, 0 },
    { "{\"x\":NaN,\"y\":[-Infinity,{\"z\":Infinity}],\"text\":\"a\"}", "a", 0, 0 },
    { "{\"x\":{\"text\":\"inner\"},\"text\":\"outer\"}", "outer", 0, 0 },
    { "{\"\":1,\"text\":\"a\"}", "a", 0, 0 },
    /* refused */
    { "{}", NULL, REJECT_MISSING_FIELD, 0 },
    { "{\"x\":\"a\"}", NULL, REJECT_MISSING_FIELD, 0 },
    { "{\"text\":null}", NULL, REJECT_MISSING_FIELD, 8 },
    { "{\"text\":12}", NULL, REJECT_MISSING_FIELD, 8 },
    { "{\"text\":[\"a\"]}", NULL, REJECT_MISSING_FIELD, 8 },
    { "{\"text\":\"a\",\"text\":null}", NULL, REJECT_MISSING_FIELD, 19 },
    { "[1]", NULL, REJECT_INVALID_JSON, 0 },
    { "\"text\"", NULL, REJECT_INVALID_JSON, 0 },
    { "not json", NULL, REJECT_INVALID_JSON, 0 },
    { "{", NULL, REJECT_INVALID_JSON, 1 },
    { "{\"text\":\"a\"", NULL, REJECT_INVALID_JSON, 11 },
    { "{\"text\":\"a\"}}", NULL, REJECT_INVALID_JSON, 12 },
    { "{\"text\":\"a\"} x", NULL, REJECT_INVALID_JSON, 13 },
    { "{\"text\":\"a\",}", NULL, REJECT_INVALID_JSON, 12 },
    { "{,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 1 },
    { "{\"text\" \"a\"}", NULL, REJECT_INVALID_JSON, 8 },
    { "{\"text\":\"a\" \"b\":1}", NULL, REJECT_INVALID_JSON, 12 },
    { "{\"text\":}", NULL, REJECT_INVALID_JSON, 8 },
    { "{\"text\":", NULL, REJECT_INVALID_JSON, 8 },
    { "{\"text", NULL, REJECT_INVALID_JSON, 6 },
    { "{\"te\\", NULL, REJECT_INVALID_JSON, 4 },
    { "{\"te\\x\":1}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"te\txt\":1}", NULL, REJECT_INVALID_JSON, 4 },
    { "{text:\"a\"}", NULL, REJECT_INVALID_JSON, 1 },
    { "{\"text\":\"a}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"text\":\"a\tb\"}", NULL, REJECT_INVALID_JSON, 10 },
    { "{\"text\":\"a\\x\"}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"id\":\"a\\x\",\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"id\":\"a\tb\",\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 8 },
    { "{\"id\":\"a", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"x\":[1,2,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"x\":{\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"x\":\"a", NULL, REJECT_INVALID_JSON, -1 },
    { "{\"x\":01,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 6 },
    { "{\"x\":1.,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":1e,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":-,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":+1,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":nul,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":truee,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 9 },
    { "{\"x\":nan,\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 5 },
    { "{\"x\":\"unasked \\q\",\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 15 },
    { "{\"x\":[1,{\"y\":\"\\q\"}],\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 15 },
    { "{\"x\":[1,2}],\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 9 },
    { "{\"o\":{],\"text\":\"a\"}", NULL, REJECT_INVALID_JSON, 6 },
};

static void check_cases(void)
{
    const struct dataset dataset = { 0 };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch  batch = { 0 };
        struct record record;
        struct err    err = { 0 };
        int           rc;

        load(&batch, &dataset, cases[i].line, strlen(cases[i].line));
        rc = batch_next(&batch, &record, &err);
        if (rc != (cases[i].text != NULL)) fail_msg("%s: %d", cases[i].line, rc);
        if (cases[i].text) assert_slice(record.text, cases[i].text);
        else {
            assert_int_equal(batch.rejects.count, 1);
            if (batch.rejects.at[0].reason != cases[i].reason ||
                (cases[i].byte >= 0 && batch.rejects.at[0].byte != (uint64_t)cases[i].byte))
                fail_msg("%s: %s at %llu", cases[i].line, batch.rejects.at[0].detail,
                         (unsigned long long)batch.rejects.at[0].byte);
            assert_true(batch.rejects.at[0].detail[0] != '\0');
        }
        assert_int_equal(batch_next(&batch, &record, &err), 0);
        batch_free(&batch);
    }
}

static void test_cases(void **state) { (void)state; at_each_level(check_cases); }

/* ---- one rule, wherever a value stands ---- */

/* After the kinds of cases of JSONTestSuite (Seriot, "Parsing JSON is a minefield", 2016). */
static const char *const valid[] = {
    "[]", "{}", "[[]]", "[ ]", "{ }", "[\"\"]", "[false]", "[null]", "[true]", "[ 4]", "[1 ]", "[null, 1, \"1\", {}]",
    "[1,null,null,null,2]", "[\t1 ,\r 2]", "\"a\"", "\"\"", "1", "-1", "0", "-0", "true", "false", "null", "123e65",
    "0e+1", "0e1", "20e1", "1E22", "1E-2", "1E+2", "123e45", "123.456e78", "1e-2", "1e+2", "123.456789",
    "-0.000000000000000000000000000000000000000000001", "99999999999999999999999999", "{\"a\":\"b\"}",
    "{\"a\":\"b\",\"a\":\"c\"}", "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }",
    "{\"a\":[]}", "{\"x\":[{\"id\": \"x\"}], \"y\":{}}", "\"\\u0060\\u012a\\u12AB\"", "\"\\uD801\\udc37\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\\u0000\"", "\"a/*b*/c\"", "\"\x7F\"", "\"\xF4\x8F\xBF\xBF\"",
    "\"\\ud800\"", "\"\\uDFAA\"", "\"\\uD888\\u1234\"", "\"new\\u000Aline\"", "\"\xE2\x80\xA8\"",
    "[\"a\", \"b\" , \"c\"]",
    /* Python's */
    "NaN", "Infinity", "-Infinity",
};

static const char *const invalid[] = {
    "[1 true]", "[a]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
    "[3[4]]", "[\xFF]", "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",4,1,", "[1,]", "[1,,]", "[\"\va\"\f]", "[*]",
    "[1,{}}", "[{]", "[}", "{]", "{[}", "[fals]", "[nul]", "[tru]", "[True]", "[NULL]", "-NaN", "nan", "Inf", "+Inf",
    "+Infinity", "-Infinit", "- Infinity", "NaNN", "[NaN1]", "++1234", "+1", "-01", "-1.0.", "-2.", ".-1", ".2e-3",
    "0.1.2", "0.3e+", "0.3e", "0.e1", "0E+", "0E", "0e+", "0e", "1.0e+", "1.0e-", "1.0e", "1eE2", "2.e+3", "2.e-3",
    "2.e3", "9.e+", "1+2", "0x1", "0x42", "\xEF\xBC\x91", "-foo", "- 1", "-012", "-.123", "-1x", "1ea", "1.", ".123",
    "1.2a-3", "1.8011670033376514H-308", "012", "1_000", "1 000", "[\"x\", truth]", "{[: \"x\"}", "{\"x\", null}",
    "{\"x\"::\"b\"}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"\xB9\":\"0\",}", "{\"a\" b}", "{:\"b\"}",
    "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{\"id\":0,}", "{\"id\":0,,,,,}", "{'a':0}", "{\"a\":\"b\"}/**/",
    "{\"a\":\"b\"}#", "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }",
    "{null:null,null:null}", "{\"a\":true} x", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]",
    "[\"\\uD800\\u1x\"]", "[\xC3\xA9]", "[\"\\\x01\"]", "[\"\\x00\"]", "[\"\\\\\\\"]", "[\"\\\t\"]",
    "[\"\\\xF0\x9F\x8C\x80\"]", "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\a\"]", "[\"\\uqqqq\"]",
    "[\"\\\xE5\"]", "[\\u0020\"asd\"]", "[\\n]", "\"", "['single quote']", "abc", "[\"\\", "[\"a\x1F\"]", "[\"\t\"]",
    "\"\\UA66D\"", "\"x\"x", "<.>", "[<null>]", "[1]x", "[1]]", "{}}", "[][]", "]", "}", "a\xC3\xA5", "[True", "1]",
    "{\"x\": true,", "[[] ", "{\"asd\":\"asd\"", "[\f]", "[\xE2\x81\xA0]", "[\v1]", "", "*",
    "{\"a\":/*comment*/\"b\"}", "{\"\":", "[{\"\":[{\"\":[", "[\"asd", "{\"a\":1 \"b\":2}", "{\"a\":{\"b\":[1,2}]}",
};

/* In the record beside the text, before and behind it, as a field that is looked for, and inside other values. */
static const char *const places[] = {
    "{\"o\":%s,\"text\":\"a\"}", "{\"text\":\"a\",\"o\": %s }", "{\"id\":%s,\"text\":\"a\"}",
    "{\"text\":\"a\",\"path\":%s}", "{\"o\":[%s],\"text\":\"a\"}", "{\"o\":[0, %s ,\"\"],\"text\":\"a\"}",
    "{\"o\":{\"i\":%s},\"text\":\"a\"}", "{\"o\":{\"h\":[{}],\"i\":{\"j\":[[%s]]}},\"text\":\"a\"}",
    "{\"content\":%s,\"text\":\"a\"}", "{\"deep\":{\"x\":%s},\"text\":\"a\"}",
};

static void check_rule(void)
{
    static char          deep[] = "deep.id";
    const struct dataset dataset = { .fields = { [FIELD_REPO] = deep } };
    const size_t         good = sizeof valid / sizeof *valid, all = good + sizeof invalid / sizeof *invalid;

    for (size_t i = 0; i < all; i++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            const char   *value = i < good ? valid[i] : invalid[i - good];
            struct batch  batch = { 0 };
            struct record record;
            struct err    err = { 0 };
            char          line[512];
            int           rc;

            if (!*value && (p == 4 || p == 7)) continue;    /* an empty list */
            snprintf(line, sizeof line, places[p], value);
            load(&batch, &dataset, line, strlen(line));
            rc = batch_next(&batch, &record, &err);
            if (rc != (i < good))
                fail_msg("%s is %s: %s", line, rc ? "a record" : "none", rc ? "" : batch.rejects.at[0].detail);
            if (!rc) assert_int_equal(batch.rejects.at[0].reason, REJECT_INVALID_JSON);
            batch_free(&batch);
        }
}

static void test_rule(void **state) { (void)state; at_each_level(check_rule); }

/* However deep, each level closes as it was opened. */
static void test_depth(void **state)
{
    const struct dataset dataset = { 0 };

    (void)state;
    random_state = 1;
    for (size_t depth = 1; depth < 2000; depth += 1 + depth / 5)
        for (int wrong = 0; wrong < 2; wrong++) {
            struct bytes  line = { 0 };
            struct batch  batch = { 0 };
            struct record record;
            struct err    err = { 0 };
            char          close[2000];
            const size_t  turned = random_below((uint32_t)depth);

            bytes_printf(&line, "{\"o\":");
            for (size_t i = 0; i < depth; i++) {
                const bool object = random_below(2);

                bytes_printf(&line, object ? "{\"a\":" : "[");
                close[i] = object ^ (wrong && i == turned) ? '}' : ']';
            }
            bytes_printf(&line, "1");
            for (size_t i = depth; i-- > 0; ) bytes_append(&line, &close[i], 1);
            bytes_printf(&line, ",\"text\":\"a\"}");
            load(&batch, &dataset, line.at, line.len);
            assert_int_equal(batch_next(&batch, &record, &err), !wrong);
            batch_free(&batch);
            bytes_free(&line);
        }
}

/* ---- numbers and places in a batch ---- */

static void test_numbering(void **state)
{
    static const char lines[] = "{\"text\":\"0\"}\n\n{bad\n   \t\r\n{\"text\":\"2\"}\r\n{\"text\":3}\n{\"text\":\"4\"}";
    struct dataset    dataset = { 0 };
    struct batch      batch = { 0 };
    struct record     record;
    struct err        err = { 0 };

    (void)state;
    load(&batch, &dataset, lines, sizeof lines - 1);
    batch.byte = 1000;
    batch.first_record = batch.next_record = 70;
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_int_equal(record.number, 70);
    assert_int_equal(record.byte, 1000);
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_int_equal(record.number, 72);
    assert_int_equal(record.byte, 1025);
    assert_slice(record.text, "2");
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_int_equal(record.number, 74);
    assert_int_equal(batch_next(&batch, &record, &err), 0);
    assert_int_equal(batch.rejects.count, 2);
    assert_int_equal(batch.rejects.at[0].record, 71);
    assert_int_equal(batch.rejects.at[0].byte, 1015);
    assert_int_equal(batch.rejects.at[1].record, 73);
    assert_int_equal(batch.rejects.at[1].byte, 1039 + 8);
    assert_int_equal(batch.rejects.at[1].reason, REJECT_MISSING_FIELD);

    dataset.max_record_bytes = 12;                          /* the two bytes of CR LF are not the record's */
    load(&batch, &dataset, "{\"text\":\"2\"}\r\n{\"text\":\"23\"}\r\n", 28);
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_int_equal(batch_next(&batch, &record, &err), 0);
    assert_int_equal(batch.rejects.at[0].reason, REJECT_TOO_LONG);
    assert_int_equal(batch.rejects.at[0].record, 1);
    batch_free(&batch);
}

/* ---- fields ---- */

static void assert_field(const struct record *record, enum field field, const char *want)
{
    struct bytes out = { 0 };

    assert_int_equal(record_field(record, field, &out), want != NULL);
    if (want) assert_slice(bytes_slice(&out), want);
    bytes_free(&out);
}

static void test_fields(void **state)
{
    static const char line[] =
        "{\"id\":17,\"stars\":[1],\"date\":\"2024-02-30\",\"path\":\"a\\u002fb.c\",\"repo\":null,\"license\":[\"MIT\"],"
        "\"split\":\"\",\"language\":true,\"text\":\"x\","
                               "\"tokens\":[\"a\",\"b\"]}";
    struct dataset    dataset = { 0 };
    struct batch      batch = { 0 };
    struct record     record;
    struct err        err = { 0 };

    (void)state;
    load(&batch, &dataset, line, sizeof line - 1);
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_true(record.json);
    assert_field(&record, FIELD_ID, "17");
    assert_field(&record, FIELD_PATH, "a/b.c");
    assert_field(&record, FIELD_REPO, NULL);
    assert_field(&record, FIELD_LICENSE, "[\"MIT\"]");
    assert_field(&record, FIELD_SPLIT, "");
    assert_field(&record, FIELD_LANGUAGE, "true");
    assert_field(&record, FIELD_TEXT, "x");
    assert_field(&record, FIELD_TOKENS, NULL);              /* not asked for */
    assert_field(&record, FIELD_STARS, NULL);
    assert_field(&record, FIELD_DATE, NULL);
    assert_slice(record.raw[FIELD_PATH], "\"a\\u002fb.c\"");
    batch_free(&batch);
}

/* Each of the fields on demand, alone and with the others; by its own name and by a nested one. */
/* One key may be several fields; what is asked for on demand is not there unasked, and a key that loses as text is
 * still the other field. */
static void test_shared_names(void **state)
{
    static const char lines[] =
        "{\"path\":\"a/b.c\",\"tokens\":\"t\",\"text\":\"x\",\"content\":\"\\u0031\"}\n{\"content\":\"c\"}\n"
                                "{\"text\":\"x\",\"content\":\"bad "
                                "\\q\"}\n{\"path\":\"p\",\"text\":\"x\",\"path\":null}\n";
    const struct dataset dataset =
        { .fields = { [FIELD_ID] = "path", [FIELD_REPO] = "content", [FIELD_LICENSE] = "tokens" } };
    struct batch         batch = { 0 };
    struct record        record;
    struct err           err;

    (void)state;
    load(&batch, &dataset, lines, sizeof lines - 1);
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_slice(record.text, "x");
    assert_field(&record, FIELD_ID, "a/b.c");
    assert_field(&record, FIELD_PATH, "a/b.c");
    assert_field(&record, FIELD_LICENSE, "t");
    assert_field(&record, FIELD_TOKENS, NULL);
    assert_field(&record, FIELD_REPO, "1");
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_slice(record.text, "c");
    assert_field(&record, FIELD_REPO, "c");
    assert_int_equal(batch_next(&batch, &record, &err), 1);        /* the third one is no record */
    assert_int_equal(record.number, 3);
    assert_field(&record, FIELD_ID, NULL);
    assert_field(&record, FIELD_PATH, NULL);
    assert_int_equal(batch_next(&batch, &record, &err), 0);
    assert_int_equal(batch.rejects.count, 1);
    assert_int_equal(batch.rejects.at[0].reason, REJECT_INVALID_JSON);
    batch_free(&batch);
}

static void test_fields_on_demand(void **state)
{
    static const char    line[] =
        "{\"stars\":12,\"max\":{\"stars\":5e2},\"date\":\"2024-02-29\",\"tokens\":[],\"text\":\"x\"}";
    static char          max_stars[] = "max.stars";
    const enum field     field[] = { FIELD_TOKENS, FIELD_STARS, FIELD_DATE };
    const char *const    plain[] = { "[]", "12", "2024-02-29" }, *const mapped[] = { "[]", "5e2", "2024-02-29" };
    const struct dataset dataset[] = { { 0 }, { .fields = { [FIELD_STARS] = max_stars } } };

    (void)state;
    for (uint32_t want = 0; want < 8; want++) {
        for (size_t d = 0; d < 2; d++) {
            struct batch  batch = { 0 };
            struct record record;
            struct err    err = { 0 };

            for (size_t f = 0; f < 3; f++) batch.want_fields |= (want >> f & 1) << field[f];
            load(&batch, &dataset[d], line, sizeof line - 1);
            assert_int_equal(batch_next(&batch, &record, &err), 1);
            for (size_t f = 0; f < 3; f++)
                assert_field(&record, field[f], want >> f & 1 ? (d ? mapped : plain)[f] : NULL);
            batch_free(&batch);
        }
    }
}

/* fields: {text: doc.body.text, id: meta.id, path: meta, repo: a.b} */
static void test_nested(void **state)
{
    static char text[] = "doc.body.text", id[] = "meta.id", path[] = "meta", repo[] = "a.b";
    static const struct { const char *line, *text, *id, *path, *repo; } nested[] = {
        { "{\"doc\":{\"x\":{\"text\":\"no\"},\"body\":{\"text\":\"yes\",\"y\":[{}]}},\"meta\":{\"id\":\"m\"}}", "yes",
          "m", "{\"id\":\"m\"}", NULL },
        { "{\"doc\":{\"body\":{\"text\":\"a\"}},\"a\":{\"b\":1,\"c\":{\"b\":2}},\"b\":3}", "a", NULL, NULL, "1" },
        { "{\"doc\":{\"body\":{\"text\":\"a\"}},\"a.b\":4,\"meta\":5}", "a", NULL, "5", "4" },
        { "{\"doc\":{\"body\":{\"text\":\"old\"}},\"doc\":{\"body\":{\"text\":\"new\"}}}", "new", NULL, NULL, NULL },
        { "{\"doc\":{\"body\":{\"text\":\"old\"}},\"doc\":{}}", NULL, NULL, NULL, NULL },
        { "{\"doc\":{\"body\":{\"text\":\"old\"}},\"doc\":7}", NULL, NULL, NULL, NULL },
        { "{\"doc\":{\"body\":{}},\"text\":\"a\"}", NULL, NULL, NULL, NULL },
        { "{\"do\\u0063\":{\"bo\\u0064y\":{\"te\\u0078t\":\"esc\"}}}", "esc", NULL, NULL, NULL },
        { "{\"doc\":{\"body.text\":\"dotted\"}}", "dotted", NULL, NULL, NULL },
        { "{\"doc.body\":{\"text\":\"dotted\"}}", "dotted", NULL, NULL, NULL },
        { "{\"doc\":{\"body\":{\"text\":\"a\"}}", NULL, NULL, NULL, NULL },
        { "{\"doc\":{\"body\":{\"text\":\"a\"}]}", NULL, NULL, NULL, NULL },
    };
    struct dataset dataset =
        { .fields = { [FIELD_TEXT] = text, [FIELD_ID] = id, [FIELD_PATH] = path, [FIELD_REPO] = repo } };

    (void)state;
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        struct batch  batch = { 0 };
        struct record record;
        struct err    err = { 0 };

        load(&batch, &dataset, nested[i].line, strlen(nested[i].line));
        if (batch_next(&batch, &record, &err) != (nested[i].text != NULL)) fail_msg("%s", nested[i].line);
        if (nested[i].text) {
            assert_slice(record.text, nested[i].text);
            assert_field(&record, FIELD_ID, nested[i].id);
            assert_field(&record, FIELD_PATH, nested[i].path);
            assert_field(&record, FIELD_REPO, nested[i].repo);
        } else
            assert_int_equal(batch.rejects.count, 1);
        batch_free(&batch);
    }
}

/* ---- tokens ---- */

static void test_tokens(void **state)
{
    static const struct { const char *value; int rc; const char *tokens; } lists[] = {
        { "[]", 0, "" },              { "[ ]", 0, "" },
        { "[\"a\"]", 0, "a|" },       { "[ \"a\" , \"b\\n\\\"\" ,\"\"]", 0, "a|b\n\"||" },
        { "[\"\\ud83d\\ude00\"]", 0, "\xF0\x9F\x98\x80|" },
        { "[\"a\",1]", -EBADMSG, "a|" }, { "[[\"a\"]]", -EBADMSG, "" },       { "[\"a\",{}]", -EBADMSG, "a|" },
        { "\"a\"", -EBADMSG, "" },       { "null", -EBADMSG, "" },
        /* a null is no token */
        { "[null]", 0, "" }, { "[ null , null ]", 0, "" }, { "[null,\"a\",null ,null,\"b\", null]", 0, "a|b|" },
        { "[null,1]", -EBADMSG, "" }, { "[\"a\",null,[]]", -EBADMSG, "a|" },
    };
    struct dataset dataset = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct batch  batch = { .want_fields = 1u << FIELD_TOKENS };
        struct bytes  line = { 0 }, scratch = { 0 }, got = { 0 };
        struct record record;
        struct slice  token;
        struct err    err = { 0 };
        size_t        at = 0;
        int           rc;

        assert_int_equal(bytes_printf(&line, "{\"tokens\":%s,\"text\":\"\"}", lists[i].value), 0);
        load(&batch, &dataset, line.at, line.len);
        assert_int_equal(batch_next(&batch, &record, &err), 1);
        assert_int_equal(record_has_tokens(&record), lists[i].value[0] == '[');
        while ((rc = record_next_token(&record, &at, &scratch, &token)) > 0) {
            bytes_append_slice(&got, token);
            bytes_append(&got, "|", 1);
        }
        if (rc != lists[i].rc) fail_msg("%s: %d", lists[i].value, rc);
        assert_slice(bytes_slice(&got), lists[i].tokens);
        bytes_free(&line);
        bytes_free(&scratch);
        bytes_free(&got);
        batch_free(&batch);
    }
}

/* ---- nesting ---- */

static void test_deep(void **state)
{
    enum { DEPTH = 1000000 };
    static const char *const opens[] = { "[", "{\"a\":" }, *const closes[] = { "]", "}" };
    struct dataset dataset = { 0 };

    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int closed = 0; closed < 2; closed++) {
            struct batch  batch = { 0 };
            struct bytes  line = { 0 };
            struct record record;
            struct err    err = { 0 };

            bytes_printf(&line, "{\"x\":");
            for (int i = 0; i < DEPTH; i++) bytes_append(&line, opens[kind], strlen(opens[kind]));
            bytes_printf(&line, "1");
            for (int i = 0; closed && i < DEPTH; i++) bytes_append(&line, closes[kind], 1);
            bytes_printf(&line, ",\"text\":\"deep\"}\n{\"text\":\"next\"}\n");
            load(&batch, &dataset, line.at, line.len);
            if (closed) {
                assert_int_equal(batch_next(&batch, &record, &err), 1);
                assert_slice(record.text, "deep");
            }
            assert_int_equal(batch_next(&batch, &record, &err), 1);
            assert_slice(record.text, "next");
            assert_int_equal(batch.rejects.count, !closed);
            bytes_free(&line);
            batch_free(&batch);
        }
}

/* ---- UTF-8 ---- */

static const struct { const char *bad, *repaired; long at; } broken[] = {
    { "plain", "plain", -1 },
    { "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", -1 },
    { "a\xFF" "b", "a\xEF\xBF\xBD" "b", 1 },
    { "\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD", 0 },
    { "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 0 },
    { "x\xE2\x82", "x\xEF\xBF\xBD", 1 },
    { "x\xE2\x82y", "x\xEF\xBF\xBDy", 1 },
    { "\xF0\x9F\x98", "\xEF\xBF\xBD", 0 },
    { "\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 0 },
    { "\xE0\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 0 },
    { "0123456789012345678901234567890123456789012345678901234567890123456789\x80",
      "0123456789012345678901234567890123456789012345678901234567890123456789\xEF\xBF\xBD", 70 },
};

static void test_utf8(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (int policy = UTF8_KEEP; policy <= UTF8_REJECT; policy++) {
            struct dataset dataset = { .utf8 = (enum utf8_policy)policy };
            struct batch   batch = { 0 };
            struct bytes   line = { 0 };
            struct record  record;
            struct err     err = { 0 };
            bool           rejected = policy == UTF8_REJECT && broken[i].at >= 0;

            bytes_printf(&line, "{\"text\":\"%s\"}\n", broken[i].bad);
            load(&batch, &dataset, line.at, line.len);
            assert_int_equal(batch_next(&batch, &record, &err), !rejected);
            if (rejected) {
                assert_int_equal(batch.rejects.at[0].reason, REJECT_INVALID_UTF8);
                assert_int_equal(batch.rejects.at[0].byte, 9 + broken[i].at);
            } else
                assert_slice(record.text, policy == UTF8_REPAIR ? broken[i].repaired : broken[i].bad);
            bytes_free(&line);
            batch_free(&batch);
        }
}

/* ---- agreement with cJSON on random objects ---- */

static void add_random_string(struct bytes *out)
{
    static const char *const pieces[] = { "a", "text", "\\n", "\\\"", "\\\\", "\\u0041", "\\u00e9", "\\ud83d\\ude00",
                                          "{", "}", "[", "]", ",", ":", " ",
                                          "\xC3\xA9", "\xE2\x82\xAC", "0123456789012345678901234567890123456789", "/",
                                              "\\/", "\\b\\f\\r\\t" };

    bytes_append(out, "\"", 1);
    for (uint32_t n = random_below(random_below(8) ? 6 : 60); n; n--)
        bytes_printf(out, "%s", pieces[random_below(sizeof pieces / sizeof *pieces)]);
    bytes_append(out, "\"", 1);
}

static void add_blanks(struct bytes *out)
{
    for (uint32_t n = random_below(3) ? 0 : random_below(3); n; n--) bytes_append(out, random_below(2) ? " " : "\t", 1);
}

static void add_random_value(struct bytes *out, int depth)
{
    static const char *const scalars[] = { "0", "-1", "3.25", "1e5", "true", "false", "null", "12345678901" };
    uint32_t                 kind = random_below(depth > 3 ? 2 : 4);

    add_blanks(out);
    if (kind == 0) bytes_printf(out, "%s", scalars[random_below(8)]);
    else if (kind == 1) add_random_string(out);
    else {
        bytes_append(out, kind == 2 ? "[" : "{", 1);
        for (uint32_t n = random_below(4), i = 0; i < n; i++) {
            if (i) bytes_append(out, ",", 1);
            add_blanks(out);
            if (kind == 3) {
                add_random_string(out);
                bytes_append(out, ":", 1);
            }
            add_random_value(out, depth + 1);
        }
        add_blanks(out);
        bytes_append(out, kind == 2 ? "]" : "}", 1);
    }
    add_blanks(out);
}

static void add_random_object(struct bytes *out)
{
    static const char *const keys[] = { "text", "content", "code", "id", "path", "repo", "license", "tokens", "stars",
                                        "date", "x", "te\\u0078t", "", "texts" };

    bytes_append(out, "{", 1);
    for (uint32_t n = random_below(9), i = 0; i < n; i++) {
        bytes_printf(out, "%s\"%s\"", i ? "," : "", keys[random_below(14)]);
        add_blanks(out);
        bytes_append(out, ":", 1);
        if (random_below(3)) add_random_string(out);
        else add_random_value(out, 0);
    }
    bytes_append(out, "}", 1);
}

/* The last member of a name, as Python's and most other parsers have it. */
static const cJSON *last_member(const cJSON *object, const char *name)
{
    const cJSON *found = NULL, *item;

    cJSON_ArrayForEach(item, object) if (!strcmp(item->string, name)) found = item;
    return found;
}

static void check_against_cjson(void)
{
    struct dataset dataset = { 0 };
    struct batch   batch = { .want_fields = 1u << FIELD_TOKENS | 1u << FIELD_STARS | 1u << FIELD_DATE };
    struct bytes   line = { 0 };

    for (int round = 0; round < 20000; round++) {
        const cJSON  *text;
        cJSON        *object;
        struct record record;
        struct err    err = { 0 };
        int           rc;

        line.len = 0;
        add_random_object(&line);
        object = cJSON_ParseWithLength(line.at, line.len);
        assert_non_null(object);
        load(&batch, &dataset, line.at, line.len);
        rc = batch_next(&batch, &record, &err);
        text = last_member(object, "text");
        if (!text) text = last_member(object, "content");
        if (!text) text = last_member(object, "code");
        if (rc != (text && cJSON_IsString(text)))
            fail_msg("%.*s: %s", (int)line.len, line.at, batch.rejects.count ? batch.rejects.at[0].detail : "");
        if (rc) {
            assert_slice(record.text, text->valuestring);
            for (enum field f = FIELD_ID; f < FIELD_COUNT; f++) {
                const cJSON *field = last_member(object, field_names[f]);
                struct bytes out = { 0 };

                if (!field || cJSON_IsNull(field)) assert_false(record_field(&record, f, &out));
                else {
                    assert_true(record_field(&record, f, &out));
                    if (cJSON_IsString(field)) assert_slice(bytes_slice(&out), field->valuestring);
                }
                bytes_free(&out);
            }
        } else
            assert_int_equal(batch.rejects.at[0].reason, REJECT_MISSING_FIELD);
        cJSON_Delete(object);
    }
    bytes_free(&line);
    batch_free(&batch);
}

static void test_against_cjson(void **state) { (void)state; at_each_level(check_against_cjson); }

/* Damaged objects: each line is a record or a reject, and all levels say the same of it. */
static void test_damaged(void **state)
{
    struct dataset dataset = { .utf8 = UTF8_REPAIR };
    struct bytes   line = { 0 };

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct bytes first = { 0 };

        line.len = 0;
        add_random_object(&line);
        for (uint32_t n = 1 + random_below(3); n && line.len; n--) {
            if (random_below(4)) line.at[random_below((uint32_t)line.len)] = "{}[]\",:\\u0 \x01\xFF"[random_below(14)];
            else line.len -= random_below((uint32_t)line.len);
        }
        for (const struct kernels *const *k = kernels_all; *k; k++) {
            struct batch  batch = { .want_fields = 1u << FIELD_TOKENS };
            struct bytes  said = { 0 };
            struct record record;
            struct err    err = { 0 };

            if ((*k)->need & ~kernels_cpu()) continue;
            kernels = *k;
            load(&batch, &dataset, line.at, line.len);
            while (batch_next(&batch, &record, &err) > 0)
                bytes_printf(&said, "%zu:%.*s;", record.text.len, (int)record.text.len, record.text.at);
            for (size_t i = 0; i < batch.rejects.count; i++)
                bytes_printf(&said, "%s@%llu;", batch.rejects.at[i].detail,
                             (unsigned long long)batch.rejects.at[i].byte);
            if (!first.at) first = said;
            else {
                assert_int_equal(first.len, said.len);
                assert_memory_equal(first.at, said.at, said.len);
                bytes_free(&said);
            }
            batch_free(&batch);
        }
        bytes_free(&first);
    }
    bytes_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_rule), cmocka_unit_test(test_depth),
         cmocka_unit_test(test_numbering), cmocka_unit_test(test_fields),
                   cmocka_unit_test(test_nested),
        cmocka_unit_test(test_tokens), cmocka_unit_test(test_deep),      cmocka_unit_test(test_utf8),
                     cmocka_unit_test(test_against_cjson),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_shared_names), cmocka_unit_test(test_fields_on_demand),
    };
    const char *seed = getenv("SEED");

    random_state = seed ? strtoull(seed, NULL, 0) : 20240229;
    printf("seed=%llu\n", (unsigned long long)random_state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
