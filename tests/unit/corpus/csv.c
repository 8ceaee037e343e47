/* corpus/csv: where rows end, byte by byte too, and what their fields are. */
#include "corpus/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Scans the text in pieces of `step` bytes: "end place used", as far as one row goes. */
static void scan(char out[64], const char *text, size_t step)
{
    enum csv_place place = CSV_FIELD;
    enum csv_end   met = CSV_MORE;
    size_t         at = 0, used, len = strlen(text);

    while (met == CSV_MORE && at < len) {
        met = csv_scan(&place, (struct slice){ text + at, len - at < step ? len - at : step }, ',', &used);
        at += used;
    }
    snprintf(out, 64, "%c %zu%s", met == CSV_ROW ? 'r' : met == CSV_BROKEN ? 'b' : 'm', at,
             met == CSV_MORE && place == CSV_QUOTED ? " open" : "");
}

static void rows_end(void **state)
{
    static const struct { const char *text, *want; } rows[] = {
        { "a,b\nc", "r 4" },           { "a,b\r\nc", "r 5" },       { "\n", "r 1" },           { "a,b", "m 3" },
        { "\"a\nb\",c\nd", "r 8" },    { "\"a\"\"b\"\nc", "r 7" },  { "\"a\"\r\nc", "r 5" },   { "\"\"\nc", "r 3" },
        { "a\"b,c\"\nd", "r 7" },      { "\"a\nb", "m 4 open" },    { "\"a\"b\nc", "b 3" },    { "\"a\"\rb", "b 4" },
        { "\"a\" ,b\n", "b 3" },       { "a,\"b\"\"", "m 6 open" }, { "a,\"b\"", "m 5" },      { "\"\"\"\"\nx", "r 5" },
        { ",,\n", "r 3" },             { "\"a,\n\",\"\n\"\nx", "r 10" },
    };
    char got[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t step = 1; step < 12; step++) {
            scan(got, rows[i].text, step);
            assert_string_equal(got, rows[i].want);
        }
}

static void fields_are(void **state)
{
    static const struct { const char *row, *want; } rows[] = {
        { "a,b", "a|b|" },                { "", "|" },                 { ",", "||" },       { "a,", "a||" },
        { "\"a,\nb\",c", "a,\nb'|c|" },   { "\"a\"\"b\"", "a\"b'|" },  { "\"\"", "'|" },    { "\"\"\"\"", "\"'|" },
        { "a\"b\",c", "a\"b\"|c|" },      { "\"a\",", "a'||" },        { "\"\"\"a\"\"\",\"\"", "\"a\"'|'|" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char         got[64] = "", one[64];
        size_t       at = 0;
        struct slice value;
        bool         quoted;

        while (csv_next_field(slice_of(rows[i].row), ',', &at, &value, &quoted)) {
            size_t len = quoted ? csv_unquote(one, value) : value.len;

            if (!quoted) memcpy(one, value.at, len);
            snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s%s|", (int)len, one, quoted ? "'" : "");
        }
        assert_int_equal(at, SIZE_MAX);
        assert_string_equal(got, rows[i].want);
    }
}

static void ends_are_cut(void **state)
{
    (void)state;
    assert_int_equal(csv_row_without_end(SLICE("a\r\n")).len, 1);
    assert_int_equal(csv_row_without_end(SLICE("a\n")).len, 1);
    assert_int_equal(csv_row_without_end(SLICE("a\r")).len, 2);
    assert_int_equal(csv_row_without_end(SLICE("\n")).len, 0);
    assert_int_equal(csv_row_without_end(SLICE("")).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_end), cmocka_unit_test(fields_are), cmocka_unit_test(ends_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
