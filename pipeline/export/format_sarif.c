/* export/format_sarif.c -- leaks as results of a static analysis: SARIF 2.1.0 (OASIS, 2020), which code hosts show
 * beside the code.
 *
 * A result is at the item's place, with the best match as related location.  A document without a path is at its record
 * of the shard, counted from 1: in JSON lines that is the line. */
#include "export/format.h"

#include "corpus/writer.h"
#include "report/visible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What ties an item to its match.  level: as a code host ranks it. */
static const struct { const char *kind, *level, *text; } rules[] = {
    { "exact", "error", "The same text, byte by byte, is in another dataset." },
    { "copy", "error", "The same text but for white space is in another dataset." },
    { "near", "warning", "A near duplicate is in another dataset." },
    { "function", "warning", "A function of a corpus is a near duplicate of it." },
    { "type 1", "error", "A function of it is in a corpus, layout and comments aside." },
    { "type 2c", "warning", "A function of it is in a corpus with other names, consistently renamed." },
    { "type 2", "warning", "A function of it is in a corpus with other names." },
    { "type 3", "note", "A function of it is in a corpus with some statements changed." },
    { "contained", "note", "Most of it is inside a document of another dataset." },
    { "other", "warning", "Another dataset has it; its document is not in the tables." },
};
enum { RULES = sizeof rules / sizeof *rules };

struct sarif_state { struct bytes text; };

static int flush(struct export_writer *writer, int rc, struct err *err)
{
    return rc < 0 ? err_memory(err, writer->sink->buffer.len, "a result") : export_sink_flush(writer->sink, false, err);
}

static const char *level_of(struct slice kind)
{
    for (size_t r = 0; r < RULES; r++)
        if (slice_equal(kind, slice_of(rules[r].kind))) return rules[r].level;
    return "note";
}

static int begin(struct export_writer *writer, struct err *err)
{
    return flush(writer, bytes_printf(&writer->sink->buffer,
                                      "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": "
                                      "\"2.1.0\", \"runs\": [{\"results\": ["), err);
}

/* A relative reference (RFC 3986): no letter in it has a meaning but the slash. */
static int put_uri(struct bytes *out, struct slice path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    int               rc = path.len > 1 && memcmp(path.at, "//", 2) == 0 ? bytes_append(out, "/.", 2) : 0;

    for (size_t i = 0; i < path.len && rc == 0; i++)
        rc = memchr(plain, path.at[i], sizeof plain - 1) ? bytes_append(out, path.at + i, 1)
            : bytes_printf(out, "%%%02X", (unsigned char)path.at[i]);
    return rc;
}

static int64_t number_or(const struct export_value *value, int64_t other) { return value ? value->number : other; }

/* The place of a side, inside a location. */
static int put_place(struct export_writer *writer, const struct export_value *value, const char *prefix)
{
    struct sarif_state        *state = writer->state;
    const struct export_value *dataset = export_side(writer, value, prefix, "dataset"),
                              *path = export_side(writer, value, prefix, "path"),
                              *shard = export_side(writer, value, prefix, "shard"),
                              *end = export_side(writer, value, prefix, "line_end");
    const int64_t              record = number_or(export_side(writer, value, prefix, "record"), 0);
    const int64_t              line = number_or(export_side(writer, value, prefix, "line"), path ? 1 : record + 1);
    struct bytes              *out = &writer->sink->buffer;

    if (!dataset || !shard) return 0;
    state->text.len = 0;
    if (bytes_printf(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"") < 0 ||
        put_uri(out, path ? path->text : shard->text) < 0 ||
        bytes_printf(out, "\"}, \"region\": {\"startLine\": %lld", (long long)(line > 0 ? line : 1)) < 0)
        return -ENOMEM;
    if (end && end->number >= line && line > 0 && bytes_printf(out, ", \"endLine\": %lld", (long long)end->number) < 0)
        return -ENOMEM;
    if (bytes_printf(out, "}}, \"logicalLocations\": [{\"fullyQualifiedName\": ") < 0 ||
        export_append_place(&state->text, dataset->text, shard->text, record) < 0 ||
        json_append_string(out, bytes_slice(&state->text)) < 0) return -ENOMEM;
    return bytes_append(out, "}]", 2);
}

/* What a person calls a side: `dataset, path (licence)`; nothing in it steers a terminal or the eye. */
static int name_side(struct export_writer *writer, const struct export_value *value, const char *prefix,
                     struct bytes *out)
{
    const struct export_value *dataset = export_side(writer, value, prefix, "dataset"),
                              *path = export_side(writer, value, prefix, "path"),
                              *source = export_side(writer, value, prefix, "source_id"),
                              *licence = export_side(writer, value, prefix, "license");

    if (!dataset) return bytes_append_slice(out, SLICE("another dataset"));
    if (path) source = path;
    if (visible_append(out, dataset->text, true) < 0) return -ENOMEM;
    if (source && (bytes_append(out, ", ", 2) < 0 || visible_append(out, visible_cut(source->text, 300), true) < 0))
        return -ENOMEM;
    if (!licence) return 0;
    return bytes_append(out, " (", 2) < 0 || visible_append(out, visible_cut(licence->text, 100), true) < 0 ? -ENOMEM
        : bytes_append(out, ")", 1);
}

static int put_message(struct export_writer *writer, const struct export_value *value, struct slice kind)
{
    struct sarif_state        *state = writer->state;
    const struct export_value *alike = export_side(writer, value, "", writer->thing->similarity);
    struct bytes              *text = &state->text;

    text->len = 0;
    if (name_side(writer, value, writer->thing->from, text) < 0 || bytes_append(text, " is in ", 7) < 0 ||
        name_side(writer, value, writer->thing->to, text) < 0 || bytes_append(text, ": ", 2) < 0 ||
        visible_append(text, kind, true) < 0) return -ENOMEM;
    if (alike && bytes_printf(text, ", %.3g alike", alike->real) < 0) return -ENOMEM;
    if (bytes_printf(&writer->sink->buffer, ", \"message\": {\"text\": ") < 0) return -ENOMEM;
    return json_append_string(&writer->sink->buffer, bytes_slice(text));
}

static int put_related(struct export_writer *writer, const struct export_value *value)
{
    struct sarif_state *state = writer->state;
    struct bytes       *out = &writer->sink->buffer;

    if (!export_side(writer, value, writer->thing->to, "dataset")) return 0;
    state->text.len = 0;
    if (name_side(writer, value, writer->thing->to, &state->text) < 0 ||
        bytes_printf(out, ", \"relatedLocations\": [{\"id\": 1, \"message\": {\"text\": ") < 0 ||
        json_append_string(out, bytes_slice(&state->text)) < 0 || bytes_append(out, "}, ", 3) < 0 ||
        put_place(writer, value, writer->thing->to) < 0) return -ENOMEM;
    return bytes_append(out, "}]", 2);
}

static int row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    const struct export_value *kind = export_side(writer, value, "", writer->thing->kind);
    const struct slice         rule = kind ? kind->text : SLICE("other");
    struct bytes              *out = &writer->sink->buffer;
    int                        rc = bytes_printf(out, "%s\n{\"ruleId\": ", writer->rows ? "," : "");

    if (rc == 0) rc = json_append_string(out, rule);
    if (rc == 0) rc = bytes_printf(out, ", \"level\": \"%s\"", level_of(rule));
    if (rc == 0) rc = put_message(writer, value, rule);
    if (rc == 0) rc = bytes_printf(out, "}, \"locations\": [{");
    if (rc == 0) rc = put_place(writer, value, writer->thing->from);
    if (rc == 0) rc = bytes_printf(out, "}]");
    if (rc == 0) rc = put_related(writer, value);
    if (rc == 0) rc = bytes_printf(out, "}");
    return flush(writer, rc, err);
}

static int end(struct export_writer *writer, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = bytes_printf(out, "], \"tool\": {\"driver\": {\"name\": \"leakgraph\", \"version\": ");

    if (rc == 0) rc = json_append_string(out, writer->version);
    if (rc == 0) rc = bytes_printf(out, ", \"rules\": [");
    for (size_t r = 0; r < RULES && rc == 0; r++)
        rc = bytes_printf(out, "%s\n{\"id\": \"%s\", \"shortDescription\": {\"text\": \"%s\"}, "
                               "\"defaultConfiguration\": {\"level\": \"%s\"}}", r ? "," : "", rules[r].kind,
                          rules[r].text, rules[r].level);
    if (rc == 0) rc = bytes_printf(out, "]}}, \"properties\": {\"digest\": ");
    if (rc == 0) rc = json_append_string(out, writer->digest);
    if (rc == 0) rc = bytes_printf(out, "}}]}\n");
    return flush(writer, rc, err);
}

static void close_text(struct export_writer *writer)
{
    bytes_free(&((struct sarif_state *)writer->state)->text);
}

const struct export_format export_sarif = {
    .name = "sarif", .doc = "2.1.0: leaks as results, for code hosts", .flags = EXPORT_SIDES | EXPORT_LEAKS,
    .state_size = sizeof(struct sarif_state), .begin = begin, .row = row, .end = end, .close = close_text,
};
