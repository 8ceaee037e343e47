/* corpus/parquet_writer.c -- see parquet_writer.h. */
#include "corpus/parquet_writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* A row group is ended with so many rows, or bytes held for it. */
enum { GROUP_ROWS = 1 << 17, GROUP_BYTES = 32 << 20 };
enum { CONVERTED_UTF8 = 0 };
#define MAGIC "PAR1"

struct parquet_writer {
    const struct parquet_field *field;
    const struct parquet_sink  *sink;
    struct packer              *packer;
    struct parquet_pages       *column;                     /* [count] */
    size_t                      count, groups;
    uint64_t                    rows, group_rows, at;       /* at: bytes written */
    struct bytes                dictionary, told, told_groups;
    size_t                      told_count;
};

static int put(struct parquet_writer *writer, struct slice bytes, struct err *err)
{
    writer->at += bytes.len;
    return writer->sink->write(writer->sink->context, bytes, err);
}

int parquet_writer_open(struct parquet_writer **out, const struct parquet_field *fields, size_t count,
                        const struct parquet_sink *sink, int level, struct err *err)
{
    struct parquet_writer *writer = calloc(1, sizeof *writer);
    int                    rc = -ENOMEM;

    *out = NULL;
    if (writer) {
        *writer = (struct parquet_writer){ .field = fields, .sink = sink, .count = count,
                                           .column = calloc(count + 1, sizeof *writer->column) };
        rc = writer->column ? packer_open(&writer->packer, level, err) : -ENOMEM;
    }
    if (rc < 0) {
        parquet_writer_close(writer);
        return err_memory(err, count * sizeof *writer->column, "a Parquet file");
    }
    for (size_t c = 0; c < count; c++) {
        writer->column[c].field = &fields[c];
        writer->column[c].packer = writer->packer;
    }
    if ((rc = put(writer, SLICE(MAGIC), err)) < 0) parquet_writer_close(writer);
    else *out = writer;
    return rc;
}

struct parquet_pages *parquet_writer_column(struct parquet_writer *writer, size_t column)
{
    assert(column < writer->count);
    return &writer->column[column];
}

/* ---- row groups ---- */

static int column_write(struct parquet_writer *writer, struct parquet_pages *column, struct thrift_writer *footer,
                        uint64_t *unpacked, struct err *err)
{
    int rc = parquet_pages_end(column, writer->at, &writer->dictionary, footer, err);

    *unpacked += column->unpacked;
    if (rc == 0) rc = put(writer, bytes_slice(&writer->dictionary), err);
    if (rc == 0) rc = put(writer, bytes_slice(&column->packed), err);
    parquet_pages_reset(column);
    return rc;
}

/* RowGroup of parquet.thrift, an element of the footer's list. */
static int group_write(struct parquet_writer *writer, struct err *err)
{
    struct thrift_writer footer = { .out = &writer->told_groups };
    const uint64_t       start = writer->at;
    uint64_t             unpacked = 0;
    int                  rc = 0;

    if (!writer->group_rows) return 0;
    thrift_put_list(&footer, 1, THRIFT_STRUCT, writer->count);
    for (size_t c = 0; c < writer->count && rc == 0; c++)
        rc = column_write(writer, &writer->column[c], &footer, &unpacked, err);
    if (rc < 0) return rc;
    thrift_put_int(&footer, 2, THRIFT_I64, (int64_t)unpacked);
    thrift_put_int(&footer, 3, THRIFT_I64, (int64_t)writer->group_rows);
    thrift_put_int(&footer, 5, THRIFT_I64, (int64_t)start);
    thrift_put_int(&footer, 6, THRIFT_I64, (int64_t)(writer->at - start));
    thrift_put_end(&footer);
    writer->group_rows = 0;
    writer->groups++;
    return footer.failed ? err_memory(err, writer->told_groups.len, "a footer") : 0;
}

int parquet_writer_row(struct parquet_writer *writer, struct err *err)
{
    size_t held = 0;

    writer->rows++;
    writer->group_rows++;
    for (size_t c = 0; c < writer->count; c++) {
        assert(writer->column[c].values == writer->group_rows);
        held += parquet_pages_bytes(&writer->column[c]);
    }
    return writer->group_rows == GROUP_ROWS || held >= GROUP_BYTES ? group_write(writer, err) : 0;
}

/* ---- the footer ---- */

int parquet_writer_tell(struct parquet_writer *writer, struct slice key, struct slice value, struct err *err)
{
    struct thrift_writer out = { .out = &writer->told };

    thrift_put_binary(&out, 1, key);
    thrift_put_binary(&out, 2, value);
    thrift_put_end(&out);
    writer->told_count++;
    return out.failed ? err_memory(err, value.len, "a footer") : 0;
}

static void put_field(struct thrift_writer *out, const struct parquet_field *field)
{
    thrift_put_element(out);
    thrift_put_int(out, 1, THRIFT_I32, field->type);
    thrift_put_int(out, 3, THRIFT_I32, field->optional);    /* REQUIRED, OPTIONAL */
    thrift_put_binary(out, 4, slice_of(field->name));
    if (field->type == PARQUET_BYTE_ARRAY) {
        thrift_put_int(out, 6, THRIFT_I32, CONVERTED_UTF8);
        thrift_put_struct(out, 10);                         /* LogicalType: STRING */
        thrift_put_struct(out, 1);
        thrift_put_end(out);
        thrift_put_end(out);
    }
    thrift_put_end(out);
}

static void put_schema(struct thrift_writer *out, const struct parquet_writer *writer)
{
    thrift_put_list(out, 2, THRIFT_STRUCT, writer->count + 1);
    thrift_put_element(out);
    thrift_put_binary(out, 4, SLICE("schema"));
    thrift_put_int(out, 5, THRIFT_I32, (int64_t)writer->count);
    thrift_put_end(out);
    for (size_t c = 0; c < writer->count; c++) put_field(out, &writer->field[c]);
}

/* The order of each column's least and most: as its type has it. */
static void put_orders(struct thrift_writer *out, const struct parquet_writer *writer)
{
    thrift_put_list(out, 7, THRIFT_STRUCT, writer->count);
    for (size_t c = 0; c < writer->count; c++) {
        thrift_put_element(out);
        thrift_put_struct(out, 1);
        thrift_put_end(out);
        thrift_put_end(out);
    }
}

int parquet_writer_finish(struct parquet_writer *writer, struct err *err)
{
    struct bytes         footer = { 0 };
    struct thrift_writer out = { .out = &footer };
    char                 tail[8] = { 0, 0, 0, 0, 'P', 'A', 'R', '1' };
    int                  rc = group_write(writer, err);

    thrift_put_int(&out, 1, THRIFT_I32, 1);
    put_schema(&out, writer);
    thrift_put_int(&out, 3, THRIFT_I64, (int64_t)writer->rows);
    thrift_put_list(&out, 4, THRIFT_STRUCT, writer->groups);
    out.failed |= bytes_append_slice(&footer, bytes_slice(&writer->told_groups)) < 0;
    if (writer->told_count) {
        thrift_put_list(&out, 5, THRIFT_STRUCT, writer->told_count);
        out.failed |= bytes_append_slice(&footer, bytes_slice(&writer->told)) < 0;
    }
    thrift_put_binary(&out, 6, SLICE("leakgraph"));
    put_orders(&out, writer);
    thrift_put_end(&out);
    for (int i = 0; i < 4; i++) tail[i] = (char)(footer.len >> 8 * i);
    out.failed |= bytes_append(&footer, tail, sizeof tail) < 0;
    if (rc == 0 && out.failed) rc = err_memory(err, footer.len, "a footer");
    if (rc == 0) rc = put(writer, bytes_slice(&footer), err);
    bytes_free(&footer);
    return rc;
}

void parquet_writer_close(struct parquet_writer *writer)
{
    if (!writer) return;
    for (size_t c = 0; c < writer->count && writer->column; c++) parquet_pages_free(&writer->column[c]);
    free(writer->column);
    packer_close(writer->packer);
    bytes_free(&writer->dictionary);
    bytes_free(&writer->told);
    bytes_free(&writer->told_groups);
    free(writer);
}
