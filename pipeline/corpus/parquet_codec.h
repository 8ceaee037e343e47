/* corpus/parquet_codec.h -- the compressions of Parquet's pages, each unpacked in one call, because a page knows its
 * length. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_CODEC_H
#define LEAKGRAPH_CORPUS_PARQUET_CODEC_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum parquet_codec {
    PARQUET_PLAIN, PARQUET_SNAPPY, PARQUET_GZIP, PARQUET_LZO, PARQUET_BROTLI, PARQUET_LZ4_HADOOP, PARQUET_ZSTD,
        PARQUET_LZ4_RAW
};

/* 0 when pages of this codec are read; else PARQUET_UNKNOWN with err naming it. */
int  parquet_codec_known(int codec, struct err *err);

/* What unpacking needs from page to page.  A zeroed struct is ready. */
struct parquet_unpacker { void *zstd, *gzip; };

/* Unpacks n bytes into exactly m.  BYTES_PAD bytes behind both may be read, and behind out written.  0; PARQUET_CORRUPT
 * when the data are damaged or of another length, PARQUET_UNKNOWN, -ENOMEM with err set. */
int  parquet_unpack(struct parquet_unpacker *unpacker, int codec, const void *in, size_t n, void *out, size_t m,
                    struct err *err);
void parquet_unpacker_close(struct parquet_unpacker *unpacker);

uint32_t parquet_crc32(const void *at, size_t n);           /* the checksum of a page as it lies in the file */

#endif
