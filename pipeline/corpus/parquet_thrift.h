/* corpus/parquet_thrift.h -- Thrift's compact protocol, as far as Parquet's footers and page headers use it.
 *
 * A reader that has met damage stays broken and gives zeros, so that a struct is read without looking at every step:
 * who reads one looks at `broken` when it is over.  Nothing is read past the end, and every loop takes bytes. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_THRIFT_H
#define LEAKGRAPH_CORPUS_PARQUET_THRIFT_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum thrift_type {
    THRIFT_STOP, THRIFT_TRUE, THRIFT_FALSE, THRIFT_BYTE, THRIFT_I16, THRIFT_I32, THRIFT_I64, THRIFT_DOUBLE,
        THRIFT_BINARY,
    THRIFT_LIST, THRIFT_SET, THRIFT_MAP, THRIFT_STRUCT, THRIFT_UUID
};

struct thrift {
    const unsigned char *at, *end;
    bool                 broken;                            /* damaged, or nested too deep */
    bool                 short_of_bytes;                    /* broken because the bytes end: more of them might do */
};

/* A field of a struct; start each struct from {0}. */
struct thrift_field { int id; enum thrift_type type; };

/* false at the struct's end, or broken */
bool         thrift_next_field(struct thrift *thrift, struct thrift_field *field);
int64_t      thrift_int(struct thrift *thrift);             /* I16, I32, I64 */
struct slice thrift_binary(struct thrift *thrift);          /* points into the reader's bytes */
uint64_t     thrift_varint(struct thrift *thrift);          /* LEB128, as Parquet's encodings use it too */

/* The head of a list or set: how many elements of which type follow.  Each of them takes a byte at least. */
uint32_t     thrift_list(struct thrift *thrift, enum thrift_type *type);

/* Passes over a field's value, and over an element of a list (where a bool is a byte). */
void         thrift_skip(struct thrift *thrift, enum thrift_type type);
void         thrift_skip_element(struct thrift *thrift, enum thrift_type type);

/* A field's value if it is of that type; another type's is passed over and false given. */
bool         thrift_take_int(struct thrift *thrift, const struct thrift_field *field, int64_t *out);
bool         thrift_expect(struct thrift *thrift, const struct thrift_field *field, enum thrift_type type);

static inline int64_t thrift_zigzag(uint64_t value) { return (int64_t)(value >> 1 ^ (0 - (value & 1))); }

#endif
