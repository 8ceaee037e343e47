/* export/format_lines.c -- a line a row: TSV as the report's lists have it, CSV for spreadsheets, JSON lines.
 *
 * CSV is RFC 4180, with one change of what is written: a text that begins with = + - @ TAB or CR would be a formula to
 * a spreadsheet, and may come from anybody, so it gets an apostrophe in front. */
#include "export/format.h"

#include "corpus/writer.h"
#include "report/csv.h"
#include "report/tsv.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int no_memory(struct export_writer *writer, struct err *err)
{
    return err_memory(err, writer->sink->buffer.len, "a line");
}

/* A number or a flag, as all of these have it. */
static int put_plain(struct bytes *out, const struct export_column *column, const struct export_value *value)
{
    if (column->type == EXPORT_REAL) return isfinite(value->real) ? export_append_real(out, value->real) : 0;
    return export_append_integer(out, value->number);
}

static int line_end(struct export_writer *writer, const char *end, int rc, struct err *err)
{
    if (rc < 0 || bytes_append(&writer->sink->buffer, end, strlen(end)) < 0) return no_memory(writer, err);
    return export_sink_flush(writer->sink, false, err);
}

static int nothing(struct export_writer *writer, struct err *err)
{
    (void)writer, (void)err;
    return 0;
}

/* ---- TSV ---- */

static int tsv_begin(struct export_writer *writer, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = 0;

    for (size_t c = 0; c < writer->count && writer->header && rc == 0; c++)
        rc = bytes_printf(out, "%s%s", c ? "\t" : "", export_column_at(writer, c)->name);
    return line_end(writer, writer->header ? "\n" : "", rc, err);
}

static int tsv_row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = 0;

    for (size_t c = 0; c < writer->count && rc == 0; c++) {
        const struct export_column *column = export_column_at(writer, c);

        if (c) rc = bytes_append(out, "\t", 1);
        if (rc == 0 && !value[c].null)
            rc = column->type == EXPORT_TEXT ? report_tsv_text(value[c].text, out) : put_plain(out, column, &value[c]);
    }
    return line_end(writer, "\n", rc, err);
}

const struct export_format export_tsv = {
    .name = "tsv", .doc = "TAB between cells; in texts TAB, LF, CR and backslash are \\t \\n \\r \\\\",
    .begin = tsv_begin, .row = tsv_row, .end = nothing,
};

/* ---- CSV ---- */

static int csv_begin(struct export_writer *writer, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = 0;

    for (size_t c = 0; c < writer->count && writer->header && rc == 0; c++)
        rc = bytes_printf(out, "%s%s", c ? "," : "", export_column_at(writer, c)->name);
    return line_end(writer, writer->header ? "\r\n" : "", rc, err);
}

static int csv_row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = 0;

    for (size_t c = 0; c < writer->count && rc == 0; c++) {
        const struct export_column *column = export_column_at(writer, c);

        if (c) rc = bytes_append(out, ",", 1);
        if (rc == 0 && !value[c].null)
            rc = column->type == EXPORT_TEXT ? csv_text(value[c].text, out) : put_plain(out, column, &value[c]);
    }
    if (rc == 0 && writer->count == 1 && value[0].null) rc = bytes_append(out, "\"\"", 2);    /* or no row to readers */
    return line_end(writer, "\r\n", rc, err);
}

const struct export_format export_csv = {
    .name = "csv", .doc = "RFC 4180; a text that a spreadsheet takes for a formula (= + - @) begins with '",
    .begin = csv_begin, .row = csv_row, .end = nothing,
};

/* ---- JSON lines ---- */

static int jsonl_cell(struct bytes *out, const struct export_column *column, const struct export_value *value)
{
    if (value->null || (column->type == EXPORT_REAL && !isfinite(value->real))) return bytes_append(out, "null", 4);
    if (column->type == EXPORT_TEXT) return json_append_string(out, value->text);
    if (column->type == EXPORT_FLAG) return bytes_append_slice(out, value->number ? SLICE("true") : SLICE("false"));
    return put_plain(out, column, value);
}

static int jsonl_row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = 0;

    for (size_t c = 0; c < writer->count && rc == 0; c++) {
        const struct export_column *column = export_column_at(writer, c);

        rc = bytes_append(out, c ? ", \"" : "{\"", c ? 3 : 2);
        if (rc == 0) rc = bytes_append_slice(out, slice_of(column->name));
        if (rc == 0) rc = bytes_append(out, "\": ", 3);
        if (rc == 0) rc = jsonl_cell(out, column, &value[c]);
    }
    return line_end(writer, "}\n", rc, err);
}

const struct export_format export_jsonl = {
    .name = "jsonl", .doc = "an object a line; what there is nothing to say of is null", .begin = nothing,
    .row = jsonl_row, .end = nothing,
};
