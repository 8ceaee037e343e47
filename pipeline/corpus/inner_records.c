/* corpus/inner_records.c -- see inner_records.h. */
#include "corpus/inner_records.h"

#include "base/utf8.h"
#include "corpus/csv.h"
#include "corpus/json_record.h"
#include "corpus/line.h"
#include "kernels/kernels.h"

#include <stdint.h>

/* Of an array or a table so many records are looked at. */
enum { LOOKED_AT = 16 };

/* What records are parsed into. */
struct parsing { const struct field_map *fields; struct bytes value, scratch; struct record record; };

static bool is_lines(struct slice name) { return slice_ends_in(name, ".jsonl") || slice_ends_in(name, ".ndjson"); }

static bool is_packed_lines(struct slice name, struct slice text)
{
    static const struct { const char *ending, *magic; size_t len; } packed[] = {
        { ".gz", "\x1F\x8B\x08", 3 }, { ".zst", "\x28\xB5\x2F\xFD", 4 }, { ".xz", "\xFD" "7zXZ", 5 },
        { ".bz2", "BZh", 3 }, { ".lz4", "\x04\x22\x4D\x18", 4 }, { ".lz", "LZIP\1", 5 }, { ".Z", "\x1F\x9D", 2 },
    };

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (slice_ends_in(name, packed[i].ending) && text.len >= packed[i].len &&
            !memcmp(text.at, packed[i].magic, packed[i].len))
            return is_lines((struct slice){ name.at, name.len - strlen(packed[i].ending) });
    return false;
}

/* A text of more than a word: codes of countries and errors, which sources come with as data, are in columns and
 * fields of the same names. */
static bool has_words(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (line_is_space(text.at[i])) return true;
    return false;
}

static bool is_record(struct parsing *parsing, struct slice object)
{
    struct json_fault fault;

    return json_record_parse(&parsing->record, parsing->fields, object, 0, &parsing->value, &parsing->scratch,
                             &fault) == 1;
}

/* Whether the first line is a record. */
static bool begins_with_record(struct parsing *parsing, struct slice text)
{
    struct slice line = { 0 };
    size_t       at = 0;

    while (line_next(text, &at, &line) && line_is_blank(line)) continue;
    return line.len && is_record(parsing, line);
}

static size_t skip_space(struct slice text, size_t at)
{
    while (at < text.len && line_is_space(text.at[at])) at++;
    return at;
}

/* An array of objects, or objects one after the other: one alone is a file of settings or the like.  NULL: neither, or
 * none of the first ones is a record with words. */
static const char *json_records(struct parsing *parsing, struct slice text)
{
    size_t     at = skip_space(text, 0), len;
    const bool array = at < text.len && text.at[at] == '[';
    bool       words = false;

    at = skip_space(text, at + array);
    for (int i = 0; i < LOOKED_AT && at < text.len && text.at[at] == '{'; i++) {
        if (words) return "JSON objects";
        len = kernels->json_container_end(text.at + at, text.len - at);
        if (!len) break;
        words = is_record(parsing, (struct slice){ text.at + at, len }) && has_words(parsing->record.text);
        if (words && array) return "a JSON array";
        at = skip_space(text, at + len);
        if (array && at < text.len && text.at[at] == ',') at = skip_space(text, at + 1);
    }
    return NULL;
}

/* The row at *at, which moves behind it; false: there is none, or it is not whole. */
static bool next_row(struct slice text, char separator, size_t *at, struct slice *row)
{
    const struct slice rest = { text.at + *at, text.len - *at };
    enum csv_place     place = CSV_FIELD;
    size_t             used;
    const enum csv_end end = csv_scan(&place, rest, separator, &used);

    if (!used || end == CSV_BROKEN || (end == CSV_MORE && place == CSV_QUOTED)) return false;
    *row = csv_row_without_end((struct slice){ rest.at, used });
    *at += used;
    return true;
}

/* The number of the column that has the text, by the line of names; SIZE_MAX: there is none. */
static size_t text_column(const struct field_map *fields, struct slice names, char separator)
{
    struct slice name;
    size_t       at = 0, found = SIZE_MAX;
    unsigned     best = UINT32_MAX;
    bool         quoted;

    for (size_t column = 0; csv_next_field(names, separator, &at, &name, &quoted); column++)
        for (size_t i = 0; i < fields->count; i++)
            if (fields->at[i].fields & 1u << FIELD_TEXT && fields->at[i].rank < best &&
                slice_equal(fields->at[i].name, name)) {
                best = fields->at[i].rank;
                found = column;
            }
    return found;
}

/* A table whose line of names has the text, which has words in one of the first rows. */
static bool is_table(const struct field_map *fields, struct slice text, char separator)
{
    struct slice row, value;
    size_t       at = 0, column, field;
    bool         quoted;

    if (skip_of_text(text) || !next_row(text, separator, &at, &row)) return false;
    if ((column = text_column(fields, row, separator)) == SIZE_MAX) return false;
    for (int i = 0; i < LOOKED_AT && next_row(text, separator, &at, &row); i++) {
        field = 0;
        for (size_t c = 0; csv_next_field(row, separator, &field, &value, &quoted); c++)
            if (c == column && has_words(value)) return true;
    }
    return false;
}

const char *inner_records(const struct field_map *fields, struct slice path, struct slice text)
{
    struct parsing parsing = { .fields = fields };
    const char    *is = NULL;

    if (text.len >= 4 && !memcmp(text.at, "PAR1", 4)) return "Parquet";
    if (is_packed_lines(path, text)) return "packed JSON lines";
    text = utf8_without_mark(text);
    if (slice_ends_in(path, ".csv") && is_table(fields, text, ',')) return "CSV";
    if (slice_ends_in(path, ".tsv") && is_table(fields, text, '\t')) return "TSV";
    if (is_lines(path) && begins_with_record(&parsing, text)) is = "JSON lines";
    else if (is_lines(path) || slice_ends_in(path, ".json")) is = json_records(&parsing, text);
    bytes_free(&parsing.value);
    bytes_free(&parsing.scratch);
    return is;
}
