/* tests/unit/corpus/parquet_put.h -- Parquet laid byte by byte: numbers, fields and texts of Thrift. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_PUT_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_PUT_H

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline void put(struct bytes *out, const void *at, size_t len)
{
    assert_int_equal(bytes_append(out, at, len), 0);
}

static inline void put_byte(struct bytes *out, unsigned byte) { put(out, &(char){ (char)byte }, 1); }

static inline void put_varint(struct bytes *out, uint64_t value)
{
    for (; value > 0x7F; value >>= 7) put_byte(out, (unsigned)(value & 0x7F) | 0x80);
    put_byte(out, (unsigned)value);
}

/* An integer field `step` after the field before it. */
static inline void put_int(struct bytes *out, unsigned step, int64_t value)
{
    put_byte(out, step << 4 | 6);
    put_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void put_text(struct bytes *out, const char *text)
{
    put_varint(out, strlen(text));
    put(out, text, strlen(text));
}

#endif
