/* corpus/parquet_thrift_write.h -- Thrift's compact protocol written, as far as Parquet's footers and page headers need
 * it: the twin of parquet_thrift.h.
 *
 * Fields of a struct are put in ascending order of their ids.  A writer that lacked memory stays failed, so that a
 * struct is put without looking at every step: who puts one looks at `failed` when it is over. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_THRIFT_WRITE_H
#define LEAKGRAPH_CORPUS_PARQUET_THRIFT_WRITE_H

#include "base/bytes.h"
#include "corpus/parquet_thrift.h"

enum { THRIFT_NESTED = 8 };                                 /* Parquet's own structs are 6 deep */

/* id: of the field put last in each open struct.  Start from { .out = ... }: the outermost struct is open. */
struct thrift_writer { struct bytes *out; int id[THRIFT_NESTED]; unsigned depth; bool failed; };

void thrift_put_int(struct thrift_writer *writer, int id, enum thrift_type type, int64_t value);   /* I16, I32, I64 */
void thrift_put_binary(struct thrift_writer *writer, int id, struct slice value);

/* A struct as a field, and one as an element of a list; either is ended by thrift_put_end, as the outermost is. */
void thrift_put_struct(struct thrift_writer *writer, int id);
void thrift_put_element(struct thrift_writer *writer);
void thrift_put_end(struct thrift_writer *writer);

/* A list of so many elements, which follow: structs, or values of their own. */
void thrift_put_list(struct thrift_writer *writer, int id, enum thrift_type type, uint64_t count);
void thrift_put_int_value(struct thrift_writer *writer, int64_t value);
void thrift_put_binary_value(struct thrift_writer *writer, struct slice value);

/* LEB128, as Parquet's encodings use it too: 0 or -ENOMEM. */
int  thrift_append_varint(struct bytes *out, uint64_t value);

#endif
