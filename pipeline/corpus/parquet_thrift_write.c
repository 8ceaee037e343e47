/* corpus/parquet_thrift_write.c -- see parquet_thrift_write.h. */
#include "corpus/parquet_thrift_write.h"

#include <assert.h>

int thrift_append_varint(struct bytes *out, uint64_t value)
{
    char   byte[10];
    size_t n = 0;

    for (; value > 0x7F; value >>= 7) byte[n++] = (char)(value | 0x80);
    byte[n++] = (char)value;
    return bytes_append(out, byte, n);
}

static void put_byte(struct thrift_writer *writer, unsigned value)
{
    const char byte = (char)value;

    writer->failed |= bytes_append(writer->out, &byte, 1) < 0;
}

static void put_varint(struct thrift_writer *writer, uint64_t value)
{
    writer->failed |= thrift_append_varint(writer->out, value) < 0;
}

static uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (0 - (uint64_t)(value < 0)); }

/* The head of a field: the step from the one before it. */
static void put_field(struct thrift_writer *writer, int id, enum thrift_type type)
{
    int *const last = &writer->id[writer->depth], step = id - *last;

    assert(step > 0 && step < 16);
    put_byte(writer, (unsigned)step << 4 | (unsigned)type);
    *last = id;
}

void thrift_put_int_value(struct thrift_writer *writer, int64_t value) { put_varint(writer, zigzag(value)); }

void thrift_put_binary_value(struct thrift_writer *writer, struct slice value)
{
    put_varint(writer, value.len);
    writer->failed |= bytes_append_slice(writer->out, value) < 0;
}

void thrift_put_int(struct thrift_writer *writer, int id, enum thrift_type type, int64_t value)
{
    put_field(writer, id, type);
    thrift_put_int_value(writer, value);
}

void thrift_put_binary(struct thrift_writer *writer, int id, struct slice value)
{
    put_field(writer, id, THRIFT_BINARY);
    thrift_put_binary_value(writer, value);
}

void thrift_put_element(struct thrift_writer *writer)
{
    assert(writer->depth + 1 < THRIFT_NESTED);
    writer->id[++writer->depth] = 0;
}

void thrift_put_struct(struct thrift_writer *writer, int id)
{
    put_field(writer, id, THRIFT_STRUCT);
    thrift_put_element(writer);
}

void thrift_put_end(struct thrift_writer *writer)
{
    put_byte(writer, THRIFT_STOP);
    if (writer->depth) writer->depth--;
}

void thrift_put_list(struct thrift_writer *writer, int id, enum thrift_type type, uint64_t count)
{
    put_field(writer, id, THRIFT_LIST);
    put_byte(writer, (count < 15 ? (unsigned)count : 15) << 4 | (unsigned)type);
    if (count >= 15) put_varint(writer, count);
}
