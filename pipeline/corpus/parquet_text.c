/* corpus/parquet_text.c -- a value of a column as the text that stands for it.  See parquet_column.h. */
#include "corpus/parquet_column.h"

#include <stdio.h>
#include <stdlib.h>

static size_t print_double(char out[PARQUET_TEXT_BYTES], double value, int first, int last)
{
    int n = 0;

    for (int digits = first; digits <= last; digits++) {
        n = snprintf(out, PARQUET_TEXT_BYTES, "%.*g", digits, value);
        if (last < 10 ? strtof(out, NULL) == (float)value : strtod(out, NULL) == value) break;
    }
    return (size_t)n;
}

/* Days since 1970-01-01 as a date of the Gregorian calendar, which is counted here in eras of 400 years that begin in
 * March (H. Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days). */
static size_t print_date(char out[PARQUET_TEXT_BYTES], int64_t days)
{
    int64_t since = days + 719468, era = (since >= 0 ? since : since - 146096) / 146097;
    int64_t day = since - era * 146097, year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    int64_t of_month = of_year - (153 * month + 2) / 5 + 1;

    month += month < 10 ? 3 : -9;
    return (size_t)snprintf(out, PARQUET_TEXT_BYTES, "%04lld-%02lld-%02lld",
                            (long long)(year + era * 400 + (month <= 2)), (long long)month, (long long)of_month);
}

/* ISO 8601, as finely as the unit is. */
static size_t print_time(char out[PARQUET_TEXT_BYTES], const struct parquet_node *node, int64_t ticks)
{
    static const struct { int64_t second; int digits; } units[] =
        { [PARQUET_MILLIS] = { 1000, 3 }, [PARQUET_MICROS] = { 1000000, 6 }, [PARQUET_NANOS] = { 1000000000, 9 } };
    int64_t second = units[node->time].second, part = ticks % second, seconds = ticks / second, of_day;
    size_t  n;

    if (part < 0) part += second, seconds--;
    of_day = seconds % 86400;
    if (of_day < 0) of_day += 86400;
    n = print_date(out, (seconds - of_day) / 86400);
    n += (size_t)snprintf(out + n, PARQUET_TEXT_BYTES - n, "T%02d:%02d:%02d.%0*lld%s", (int)(of_day / 3600),
                          (int)(of_day / 60 % 60), (int)(of_day % 60),
                          units[node->time].digits, (long long)part, node->utc ? "Z" : "");
    return n;
}

static size_t print_int(char out[PARQUET_TEXT_BYTES], const struct parquet_node *node, int64_t value)
{
    if (node->time == PARQUET_DATE) return print_date(out, value);
    if (node->time) return print_time(out, node, value);
    return (size_t)(node->unsigned_number ? snprintf(out, PARQUET_TEXT_BYTES, "%llu", (unsigned long long)value)
                                          : snprintf(out, PARQUET_TEXT_BYTES, "%lld", (long long)value));
}

struct slice parquet_text(const struct parquet_node *node, struct slice raw, char out[PARQUET_TEXT_BYTES])
{
    int32_t i32;
    int64_t i64;
    float   f32;
    double  f64;

    switch (node->type) {
    case PARQUET_BOOLEAN: return raw.at[0] ? SLICE("true") : SLICE("false");
    case PARQUET_INT32:
        memcpy(&i32, raw.at, sizeof i32);
        return (struct slice){ out, print_int(out, node, node->unsigned_number ? (int64_t)(uint32_t)i32 : i32) };
    case PARQUET_INT64:
        memcpy(&i64, raw.at, sizeof i64);
        return (struct slice){ out, print_int(out, node, i64) };
    case PARQUET_FLOAT:
        memcpy(&f32, raw.at, sizeof f32);
        return (struct slice){ out, print_double(out, (double)f32, 6, 9) };
    case PARQUET_DOUBLE:
        memcpy(&f64, raw.at, sizeof f64);
        return (struct slice){ out, print_double(out, f64, 15, 17) };
    default: return raw;
    }
}
