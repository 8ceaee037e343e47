/* corpus/parquet_text: numbers that read back, dates against a calendar that is walked day by day, times against the C
 * library's. */
#include "corpus/parquet_column.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

/* The text of a value that lies at `raw`, with a NUL behind it; in a buffer with a guard behind that. */
static const char *text_of(const struct parquet_node *node, const void *raw, size_t len)
{
    static struct { char text[PARQUET_TEXT_BYTES], guard[8]; } out;
    static char  copy[PARQUET_TEXT_BYTES];
    struct slice got;

    memcpy(out.guard, "guarded", 8);
    got = parquet_text(node, (struct slice){ raw, len }, out.text);
    assert_string_equal(out.guard, "guarded");
    assert_true(got.len < sizeof copy);
    memcpy(copy, got.at, got.len);
    copy[got.len] = '\0';
    return copy;
}

static const char *int64_text(const struct parquet_node *node, int64_t value)
{
    return text_of(node, &value, sizeof value);
}

static const char *int32_text(const struct parquet_node *node, int32_t value)
{
    return text_of(node, &value, sizeof value);
}

static void test_integers(void **state)
{
    const struct parquet_node i32 = { .type = PARQUET_INT32 }, u32 = { .type = PARQUET_INT32, .unsigned_number = true },
                              i64 = { .type = PARQUET_INT64 }, u64 = { .type = PARQUET_INT64, .unsigned_number = true },
                              boolean = { .type = PARQUET_BOOLEAN };

    (void)state;
    assert_string_equal(int32_text(&i32, 0), "0");
    assert_string_equal(int32_text(&i32, -1), "-1");
    assert_string_equal(int32_text(&i32, INT32_MIN), "-2147483648");
    assert_string_equal(int32_text(&u32, -1), "4294967295");
    assert_string_equal(int64_text(&i64, INT64_MIN), "-9223372036854775808");
    assert_string_equal(int64_text(&i64, INT64_MAX), "9223372036854775807");
    assert_string_equal(int64_text(&u64, -1), "18446744073709551615");
    assert_string_equal(text_of(&boolean, "\0", 1), "false");
    assert_string_equal(text_of(&boolean, "\1", 1), "true");
}

/* What is bytes stays where it is. */
static void test_bytes(void **state)
{
    static const enum parquet_type types[] = { PARQUET_BYTE_ARRAY, PARQUET_FIXED, PARQUET_INT96 };
    char                           out[PARQUET_TEXT_BYTES];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        static const char         raw[] = "some \0 bytes";
        const struct parquet_node node = { .type = types[i] };
        struct slice              got = parquet_text(&node, (struct slice){ raw, sizeof raw }, out);

        assert_true(got.at == raw && got.len == sizeof raw);
    }
}

static void test_floats(void **state)
{
    static const struct { double value; const char *text; } doubles[] = {
        { 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { 0.1, "0.1" }, { -2.5, "-2.5" }, { 1e300, "1e+300" }, { 5e-324, NULL },
        { 1.0 / 3, "0.3333333333333333" }, { 0.1 + 0.2, "0.30000000000000004" }, { 123456789012345, "123456789012345" },
        { INFINITY, "inf" }, { -INFINITY, "-inf" }, { 1.7976931348623157e308, "1.7976931348623157e+308" },
    };
    static const struct { float value; const char *text; } floats[] = {
        { 0.1f, "0.1" }, { 16777216, "16777216" }, { 3.4028235e38f, "3.4028235e+38" }, { 1.0f / 3, "0.33333334" },
        { 1e-45f, "1.4013e-45" },
    };
    const struct parquet_node f32 = { .type = PARQUET_FLOAT }, f64 = { .type = PARQUET_DOUBLE };
    uint64_t                  random = seed_of_run();
    double                    not_a_number = NAN;

    (void)state;
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (doubles[i].text) assert_string_equal(text_of(&f64, &doubles[i].value, 8), doubles[i].text);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        assert_string_equal(text_of(&f32, &floats[i].value, 4), floats[i].text);
    assert_non_null(strstr(text_of(&f64, &not_a_number, 8), "nan"));
    for (int i = 0; i < 20000; i++) {                       /* any bits that are a number read back */
        uint64_t bits = draw(&random);
        double   d, d_back;
        float    f, f_back;

        memcpy(&d, &bits, 8);
        memcpy(&f, &bits, 4);
        d_back = strtod(text_of(&f64, &d, 8), NULL);
        f_back = strtof(text_of(&f32, &f, 4), NULL);
        assert_true(isnan(d) || memcmp(&d, &d_back, 8) == 0);
        assert_true(isnan(f) || memcmp(&f, &f_back, 4) == 0);
    }
}

/* From the year 1 to 2600, forth from 1970 and back from it. */
static void test_dates(void **state)
{
    static const int          days_of[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const struct parquet_node date = { .type = PARQUET_INT32, .time = PARQUET_DATE };

    (void)state;
    for (int forth = 0; forth < 2; forth++) {
        int year = 1970, month = 1, day = 1;

        for (int32_t n = 0; year > 0 && year < 2600; n += forth ? 1 : -1) {
            int  leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            char want[40];

            snprintf(want, sizeof want, "%04d-%02d-%02d", year, month, day);
            if (strcmp(int32_text(&date, n), want) != 0) fail_msg("day %d: %s", n, int32_text(&date, n));
            if (forth && ++day > days_of[month - 1] + (month == 2 && leap)) {
                day = 1;
                if (++month > 12) month = 1, year++;
            }
            if (!forth && --day < 1) {
                if (--month < 1) month = 12, year--;
                leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
                day = days_of[month - 1] + (month == 2 && leap);
            }
        }
    }
    assert_string_equal(int32_text(&date, INT32_MAX), "5881580-07-11");
    assert_string_equal(int32_text(&date, INT32_MIN), "-5877641-06-23");
}

static void test_times(void **state)
{
    static const struct { enum parquet_time time; int64_t ticks; const char *text; } known[] = {
        { PARQUET_MILLIS, 0, "1970-01-01T00:00:00.000" },
        { PARQUET_MILLIS, -1, "1969-12-31T23:59:59.999" },
        { PARQUET_MICROS, 1, "1970-01-01T00:00:00.000001" },
        { PARQUET_NANOS, INT64_MAX, "2262-04-11T23:47:16.854775807" },
        { PARQUET_NANOS, INT64_MIN, "1677-09-21T00:12:43.145224192" },
        { PARQUET_MICROS, INT64_MAX, "294247-01-10T04:00:54.775807" },
        { PARQUET_MICROS, INT64_MIN, "-290308-12-21T19:59:05.224192" },
        { PARQUET_MILLIS, INT64_MAX, "292278994-08-17T07:12:55.807" },
    };
    uint64_t random = seed_of_run();

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct parquet_node node = { .type = PARQUET_INT64, .time = known[i].time };
        char                zoned[PARQUET_TEXT_BYTES];

        assert_string_equal(int64_text(&node, known[i].ticks), known[i].text);
        node.utc = true;
        snprintf(zoned, sizeof zoned, "%sZ", known[i].text);
        assert_string_equal(int64_text(&node, known[i].ticks), zoned);
    }
    for (int i = 0; i < 20000; i++) {
        const struct parquet_node node = { .type = PARQUET_INT64, .time = PARQUET_MILLIS };
        int64_t                   seconds = (int64_t)(draw(&random) % 300000000000) - 60000000000;     /* from 68 on */
        int                       part = (int)(draw(&random) % 1000);
        time_t                    clock = seconds;
        struct tm                 parts;
        char                      want[64];

        assert_non_null(gmtime_r(&clock, &parts));
        if (parts.tm_year + 1900 > 9999) continue;
        snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02d.%03d", parts.tm_year + 1900, parts.tm_mon + 1,
                 parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, part);
        assert_string_equal(int64_text(&node, seconds * 1000 + part), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_bytes), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_dates),    cmocka_unit_test(test_times),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
