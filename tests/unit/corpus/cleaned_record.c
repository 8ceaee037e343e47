/* tests/unit/corpus/cleaned_record.c -- a record of a cleaned shard: a line of JSON as it stands but for its own count,
 * anything else as an object. */
#include "corpus/cleaned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_record(const struct record *record, uint32_t cluster, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(bytes_append_slice(&out, SLICE("before ")), 0);
    assert_int_equal(cleaned_record(&out, record, cluster), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_memory_equal(out.at, "before ", 7);
    assert_string_equal(out.at + 7, expected);
    bytes_free(&out);
}

static void assert_line(const char *line, uint32_t cluster, const char *expected)
{
    assert_record(&(struct record){ .json = true, .line = slice_of(line) }, cluster, expected);
}

/* Alone it stays as it stands; else the count is its last member. */
static void test_lines(void **unused)
{
    (void)unused;
    assert_line("{ \"text\" : \"\\u0061\", \"n\":1.50e1 }", 1, "{ \"text\" : \"\\u0061\", \"n\":1.50e1 }\n");
    assert_line("{\"text\":\"a\",\"duplicate_count\":9}", 1, "{\"text\":\"a\",\"duplicate_count\":9}\n");
    assert_line("{\"text\":\"a\",\"duplicate_count\":9}", 0, "{\"text\":\"a\",\"duplicate_count\":9}\n");
    assert_line("{\r\n\"text\"\n:\"a\\n\"\n}", 1, "{  \"text\" :\"a\\n\" }\n");            /* printed over lines */
    assert_line("{\n\"n\":[\n1],\n\"duplicate_count\":\n2\n}", 3,
                "{ \"n\":[ 1], \"duplicate_count\": 3 }\n");
    assert_line("{\"text\":\"}\"} \t", 3, "{\"text\":\"}\",\"duplicate_count\":3} \t\n");
}

/* A count of an earlier run is replaced where it stands, whatever it is; only a member of the record itself counts. */
static void test_own_counts(void **unused)
{
    static const struct { const char *line, *counted; } rows[] = {
        { "{\"text\":\"a\",\"duplicate_count\" : 41 ,\"b\":1}", "{\"text\":\"a\",\"duplicate_count\" : 2 ,\"b\":1}\n" },
        { "{ \"duplicate_count\":{\"duplicate_count\":[1,\"}\"]}, \"text\":\"b\"}",
          "{ \"duplicate_count\":2, \"text\":\"b\"}\n" },
        { "{\"text\":\"c\",\"duplicate_count\":\"x\\\"}\"}", "{\"text\":\"c\",\"duplicate_count\":2}\n" },
        { "{\"text\":\"d\",\"duplicate_count\":1,\"e\":[{}],\"duplicate_count\":null}",
          "{\"text\":\"d\",\"duplicate_count\":1,\"e\":[{}],\"duplicate_count\":2}\n" },
        { "{\"text\":\"e\",\"deep\":{\"duplicate_count\":7}}",
          "{\"text\":\"e\",\"deep\":{\"duplicate_count\":7},\"duplicate_count\":2}\n" },
        { "{\"text\":\"\\\"duplicate_count\\\":7\",\"f\":\"duplicate_count\"}",
          "{\"text\":\"\\\"duplicate_count\\\":7\",\"f\":\"duplicate_count\",\"duplicate_count\":2}\n" },
        { "{\"a\":\"duplicate_count\",\"text\":\"g\"}",
          "{\"a\":\"duplicate_count\",\"text\":\"g\",\"duplicate_count\":2}\n" },
        { "{\"\":0,\"text\":\"h\",\"duplicate_count\":12345678901}",
          "{\"\":0,\"text\":\"h\",\"duplicate_count\":2}\n" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_line(rows[i].line, 2, rows[i].counted);
}

/* What was no JSON: the fields that it has, as UTF-8. */
static void test_objects(void **unused)
{
    struct record record = { .text = SLICE("a\n\"\xFF") };

    (void)unused;
    assert_record(&record, 1, "{\"text\":\"a\\n\\\"\xEF\xBF\xBD\"}\n");
    record.raw[FIELD_PATH] = SLICE("b/c.py");
    assert_record(&record, 1, "{\"path\":\"b/c.py\",\"text\":\"a\\n\\\"\xEF\xBF\xBD\"}\n");
    assert_record(&record, 4, "{\"path\":\"b/c.py\",\"text\":\"a\\n\\\"\xEF\xBF\xBD\",\"duplicate_count\":4}\n");
    record = (struct record){ .text = SLICE("a") };
    record.raw[FIELD_DATE] = SLICE("2024-01-02");
    record.raw[FIELD_STARS] = SLICE("7");
    record.raw[FIELD_TOKENS] = SLICE("[ \"a\" ,\n\"\\u0062\\n\xFF\", null]");
    assert_record(&record, 1, "{\"tokens\":[\"a\",\"b\\n\xEF\xBF\xBD\"],\"stars\":\"7\",\"date\":\"2024-01-02\","
                  "\"text\":\"a\"}\n");
    record.raw[FIELD_TOKENS] = SLICE("[]");
    record.raw[FIELD_STARS] = record.raw[FIELD_DATE] = (struct slice){ 0 };
    assert_record(&record, 1, "{\"tokens\":[],\"text\":\"a\"}\n");
    record.raw[FIELD_TOKENS] = SLICE("[\"a\", \"b");
    assert_record(&record, 1, "{\"tokens\":\"[\\\"a\\\", \\\"b\",\"text\":\"a\"}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines), cmocka_unit_test(test_own_counts),
                                        cmocka_unit_test(test_objects) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
