/* export/format_parquet.c -- rows as Parquet: a column's type as the thing has it, the run's digest in the metadata. */
#include "export/format.h"

#include "corpus/parquet_writer.h"

#include <stdlib.h>

enum { LEVEL = 3 };                                         /* of zstd */

struct parquet_state { struct parquet_field *field; struct parquet_sink sink; struct parquet_writer *file; };

static int sink_take(void *context, struct slice bytes, struct err *err)
{
    return export_sink_write(context, bytes, err);
}

static int begin(struct export_writer *writer, struct err *err)
{
    static const enum parquet_type type[] = { [EXPORT_TEXT] = PARQUET_BYTE_ARRAY, [EXPORT_INTEGER] = PARQUET_INT64,
                                              [EXPORT_REAL] = PARQUET_DOUBLE, [EXPORT_FLAG] = PARQUET_BOOLEAN };
    struct parquet_state *state = writer->state;
    int                   rc;

    state->field = calloc(writer->count + 1, sizeof *state->field);
    if (!state->field) return err_memory(err, writer->count * sizeof *state->field, "columns");
    for (size_t c = 0; c < writer->count; c++) {
        const struct export_column *column = export_column_at(writer, c);

        state->field[c] = (struct parquet_field){ column->name, type[column->type], !column->never_null };
    }
    state->sink = (struct parquet_sink){ sink_take, writer->sink };
    rc = parquet_writer_open(&state->file, state->field, writer->count, &state->sink, LEVEL, err);
    if (rc == 0) rc = parquet_writer_tell(state->file, SLICE("leakgraph.thing"), slice_of(writer->thing->name), err);
    if (rc == 0) rc = parquet_writer_tell(state->file, SLICE("leakgraph.version"), writer->version, err);
    if (rc == 0) rc = parquet_writer_tell(state->file, SLICE("leakgraph.digest"), writer->digest, err);
    return rc;
}

static int put(struct parquet_pages *pages, enum export_type type, const struct export_value *value, struct err *err)
{
    if (value->null && pages->field->optional) return parquet_pages_null(pages, err);
    switch (type) {
    case EXPORT_TEXT:    return parquet_pages_text(pages, value->text, err);
    case EXPORT_REAL:    return parquet_pages_real(pages, value->real, err);
    case EXPORT_FLAG:    return parquet_pages_flag(pages, value->number != 0, err);
    case EXPORT_INTEGER: break;
    }
    return parquet_pages_number(pages, value->number, err);
}

static int row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    struct parquet_state *state = writer->state;
    int                   rc = 0;

    for (size_t c = 0; c < writer->count && rc == 0; c++)
        rc = put(parquet_writer_column(state->file, c), export_column_at(writer, c)->type, &value[c], err);
    return rc < 0 ? rc : parquet_writer_row(state->file, err);
}

static int end(struct export_writer *writer, struct err *err)
{
    return parquet_writer_finish(((struct parquet_state *)writer->state)->file, err);
}

static void close_file(struct export_writer *writer)
{
    struct parquet_state *state = writer->state;

    parquet_writer_close(state->file);
    free(state->field);
}

const struct export_format export_parquet = {
    .name = "parquet", .doc = "zstd, dictionaries; for DuckDB, pandas, Spark", .flags = EXPORT_BINARY,
    .state_size = sizeof(struct parquet_state), .begin = begin, .row = row, .end = end, .close = close_file,
};
