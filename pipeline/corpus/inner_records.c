/* corpus/inner_records.c -- see inner_records.h. */
#include "corpus/inner_records.h"

#include "corpus/json_record.h"
#include "corpus/line.h"

static bool ends_in(struct slice name, const char *ending)
{
    const size_t len = strlen(ending);

    return name.len >= len && !memcmp(name.at + name.len - len, ending, len);
}

static bool is_lines(struct slice name) { return ends_in(name, ".jsonl") || ends_in(name, ".ndjson"); }

static bool is_packed_lines(struct slice name, struct slice text)
{
    static const struct { const char *ending, *magic; size_t len; } packed[] = {
        { ".gz", "\x1F\x8B\x08", 3 }, { ".zst", "\x28\xB5\x2F\xFD", 4 }, { ".xz", "\xFD" "7zXZ", 5 },
        { ".bz2", "BZh", 3 }, { ".lz4", "\x04\x22\x4D\x18", 4 },
    };

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_in(name, packed[i].ending) && text.len >= packed[i].len &&
            !memcmp(text.at, packed[i].magic, packed[i].len))
            return is_lines((struct slice){ name.at, name.len - strlen(packed[i].ending) });
    return false;
}

/* Whether the first line is a record. */
static bool begins_with_record(const struct field_map *fields, struct slice text)
{
    struct bytes      value = { 0 }, scratch = { 0 };
    struct record     record = { 0 };
    struct json_fault fault;
    struct slice      line = { 0 };
    size_t            at = 0;
    bool              is = false;

    if (text.len >= 3 && !memcmp(text.at, "\xEF\xBB\xBF", 3)) text = (struct slice){ text.at + 3, text.len - 3 };
    while (line_next(text, &at, &line) && line_is_blank(line)) continue;
    if (line.len) is = json_record_parse(&record, fields, line, 0, &value, &scratch, &fault) == 1;
    bytes_free(&value);
    bytes_free(&scratch);
    return is;
}

const char *inner_records(const struct field_map *fields, struct slice path, struct slice text)
{
    if (text.len >= 4 && !memcmp(text.at, "PAR1", 4)) return "Parquet";
    if (is_packed_lines(path, text)) return "packed JSON lines";
    return is_lines(path) && begins_with_record(fields, text) ? "JSON lines" : NULL;
}
