/* corpus/parquet_writer.h -- a Parquet file written row by row, in row groups of bounded memory: flat columns, pages of
 * zstd, dictionaries, a footer with what the columns hold.
 *
 * The bytes depend on the rows, the level and the version of libzstd alone.  Format: github.com/apache/parquet-format,
 * README.md, Encodings.md and parquet.thrift. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_WRITER_H
#define LEAKGRAPH_CORPUS_PARQUET_WRITER_H

#include "corpus/parquet_pages.h"

/* Where the bytes go, in order: 0, or <0 with err set. */
struct parquet_sink { int (*write)(void *context, struct slice bytes, struct err *err); void *context; };

struct parquet_writer;

/* fields[count] and sink are borrowed until close; level: of zstd.  0, or <0 with err set; then *out is NULL. */
int  parquet_writer_open(struct parquet_writer **out, const struct parquet_field *fields, size_t count,
                         const struct parquet_sink *sink, int level, struct err *err);

/* The pages of a column, to which each row gives one value of its type, or null where it is optional. */
struct parquet_pages *parquet_writer_column(struct parquet_writer *writer, size_t column);

/* Ends the row.  0, or <0 with err set: of the sink, -ENOMEM. */
int  parquet_writer_row(struct parquet_writer *writer, struct err *err);

/* What the file says of itself besides: key and value are copied.  Before finish. */
int  parquet_writer_tell(struct parquet_writer *writer, struct slice key, struct slice value, struct err *err);

/* Writes what is left and the footer.  A file without it is none. */
int  parquet_writer_finish(struct parquet_writer *writer, struct err *err);
void parquet_writer_close(struct parquet_writer *writer);   /* accepts NULL */

#endif
