/* clean/cut: lines cut out of texts and of records, against a text that is cut line by line; what is not cut stays byte
 * for byte. */
#include "clean/cut.h"

#include "corpus/json_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed % n;
}

/* Pieces of a text and how JSON may write them. */
static const struct { const char *text, *json; } piece[] = {
    { "a", "a" }, { "\n", "\\n" }, { "\n", "\\u000a" }, { "\n", "\\u000A" }, { "\r\n", "\\r\\n" },
    { "\r\n", "\\u000d\\n" }, { "\r", "\\r" }, { "\\n", "\\\\n" },
    { "\"", "\\\"" }, { "\\", "\\\\" }, { "\xC3\xA9", "\xC3\xA9" }, { "\xC3\xA9", "\\u00e9" }, { "\xFF", "\xFF" },
    { "  ", "  " }, { "u000a", "u000a" }, { "\t", "\\t" },
};
enum { PIECES = sizeof piece / sizeof *piece };

/* Is line `line` in one of the spans? */
static bool is_cut(const struct clean_span *span, size_t count, uint32_t line)
{
    for (size_t i = 0; i < count; i++)
        if (line >= span[i].first && line <= span[i].last) return true;
    return false;
}

static size_t random_spans(struct clean_span span[4])
{
    uint32_t line = 1;
    size_t   count = random_below(4);

    for (size_t i = 0; i < count; i++) {
        span[i].first = line + (uint32_t)random_below(4);
        span[i].last = span[i].first + (uint32_t)random_below(4);
        line = span[i].last + 2;
    }
    return count;
}

/* One text, as plain bytes and as JSON: both lose the same lines, and nothing else. */
static void try_text(void)
{
    struct bytes      text = { 0 }, json = { 0 }, wanted_text = { 0 }, wanted_json = { 0 }, got = { 0 }, line = { 0 },
        walked = { 0 }, scratch = { 0 };
    struct clean_span span[4];
    size_t            count = random_spans(span), pieces = random_below(30);
    uint32_t          number = 1, last = PIECES;
    struct field_map  map;
    struct record     record = { 0 };
    struct json_fault fault;
    uint64_t          gone;

    for (size_t i = 0; i < pieces; i++) {
        uint32_t p = (uint32_t)random_below(PIECES);

        /* would be one end */
        if (last < PIECES && strcmp(piece[last].text, "\r") == 0 && piece[p].text[0] == '\n') continue;
        last = p;
        bytes_append(&text, piece[p].text, strlen(piece[p].text));
        bytes_append(&json, piece[p].json, strlen(piece[p].json));
        if (!is_cut(span, count, number)) {
            bytes_append(&wanted_text, piece[p].text, strlen(piece[p].text));
            bytes_append(&wanted_json, piece[p].json, strlen(piece[p].json));
        }
        number += piece[p].text[0] == '\n' || piece[p].text[0] == '\r';
    }
    assert_int_equal(cut_lines(&got, bytes_slice(&text), false, span, count), 0);
    assert_true(slice_equal(bytes_slice(&got), bytes_slice(&wanted_text)));
    got.len = 0;
    assert_int_equal(cut_lines(&got, bytes_slice(&json), true, span, count), 0);
    if (!slice_equal(bytes_slice(&got), bytes_slice(&wanted_json))) fail_msg("%.*s", (int)json.len, json.at);

    bytes_printf(&line, "{ \"x\":[1, 2.50],\"id\" : 7,\"text\" :\"");
    bytes_append_slice(&line, bytes_slice(&json));
    bytes_printf(&line, "\" , \"caf\\u00e9\":\"\xFF\"}");
    assert_int_equal(bytes_reserve(&line, line.len + BYTES_PAD), 0);
    field_map_set(&map, &(struct dataset){ 0 });
    assert_int_equal(json_record_parse(&record, &map, bytes_slice(&line), 0, &walked, &scratch, &fault), 1);
    assert_true(slice_equal(record.text, bytes_slice(&text)));
    record.line = bytes_slice(&line);
    got.len = 0;
    scratch.len = 0;
    assert_int_equal(cut_record(&got, &record, span, count, &scratch, &gone), 0);
    assert_int_equal(gone, text.len - wanted_text.len);
    line.len = 0;
    bytes_printf(&line, "{ \"x\":[1, 2.50],\"id\" : 7,\"text\" :\"");
    bytes_append_slice(&line, bytes_slice(&wanted_json));
    bytes_printf(&line, "\" , \"caf\\u00e9\":\"\xFF\"}\n");
    if (!slice_equal(bytes_slice(&got), bytes_slice(&line))) fail_msg("%.*s", (int)got.len, got.at);
    bytes_free(&text), bytes_free(&json), bytes_free(&wanted_text), bytes_free(&wanted_json), bytes_free(&got),
        bytes_free(&line), bytes_free(&walked), bytes_free(&scratch);
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) try_text();
}

/* What was no JSON becomes an object with the shorter text. */
static void test_plain_record(void **state)
{
    const struct clean_span span = { 2, 3 };
    struct record           record = { .text = SLICE("one\ntwo\nthree\nfour") };
    struct bytes            got = { 0 }, scratch = { 0 };
    uint64_t                gone;

    (void)state;
    record.raw[FIELD_PATH] = SLICE("a/b.py");
    assert_int_equal(cut_record(&got, &record, &span, 1, &scratch, &gone), 0);
    assert_true(slice_equal(bytes_slice(&got), SLICE("{\"path\":\"a/b.py\",\"text\":\"one\\nfour\"}\n")));
    assert_int_equal(gone, 10);
    bytes_free(&got);
    bytes_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_plain_record) };
    const char             *given = getenv("SEED");

    seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u + 1;
    printf("seed=%llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
