/* corpus/parquet_encoding.h -- Parquet's encodings of numbers, taken apart value by value; and those that the writer
 * uses, put together.
 *
 * Encoded bytes are borrowed; BYTES_PAD bytes behind their end may be read.  Nothing is expanded in advance, so a run
 * of a billion values costs nothing until somebody asks for them. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_ENCODING_H
#define LEAKGRAPH_CORPUS_PARQUET_ENCODING_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* RLE / bit-packing hybrid: levels, dictionary indices, booleans. */
struct hybrid {
    const unsigned char *at, *end;                          /* of the runs that have not begun */
    const unsigned char *run, *run_end;                     /* a bit-packed run */
    unsigned             width;                             /* bits of a value, up to 32 */
    uint64_t             left;                              /* values of the run at hand */
    uint64_t             bit;                               /* place in run */
    uint32_t             value;                             /* of a repeated run */
    bool                 packed;
};

static inline void hybrid_open(struct hybrid *out, const unsigned char *at, const unsigned char *end, unsigned width)
{
    *out = (struct hybrid){ .at = at, .end = end, .width = width };
}

/* Begins the next run.  False when there is none, or it runs past the end. */
bool hybrid_next_run(struct hybrid *hybrid);

/* The next value; false when the data are over or damaged.  Values of no bits are zeros without end. */
static inline bool hybrid_next(struct hybrid *hybrid, uint32_t *value)
{
    uint64_t word;

    if (!hybrid->width) {
        *value = 0;
        return true;
    }
    while (!hybrid->left) if (!hybrid_next_run(hybrid)) return false;
    hybrid->left--;
    *value = hybrid->value;
    if (!hybrid->packed) return true;
    if (hybrid->bit + hybrid->width > 8 * (uint64_t)(hybrid->run_end - hybrid->run)) return false;
    memcpy(&word, hybrid->run + hybrid->bit / 8, sizeof word);
    *value = (uint32_t)(word >> hybrid->bit % 8 & ((1ull << hybrid->width) - 1));
    hybrid->bit += hybrid->width;
    return true;
}

/* Appends values of `width` bits, up to 32: eight equal ones and more as a run, others packed.  What hybrid_next reads.
 * 0 or -ENOMEM. */
int hybrid_append(struct bytes *out, const uint32_t *value, size_t count, unsigned width);

/* DELTA_BINARY_PACKED: integers, lengths. */
struct delta {
    const unsigned char *at, *end;                          /* behind the last miniblock that has begun */
    const unsigned char *widths, *run;                      /* of the block's miniblocks; the bits of the one at hand */
    uint64_t             left;                              /* values */
    uint64_t             per_miniblock, miniblock_left, bit;
    uint32_t             miniblocks, miniblock;
    unsigned             width;
    /* the last value; the block's least delta: they wrap around */
    uint64_t             value, least;
    bool                 first;                             /* the first value stands in the header */
};

bool delta_open(struct delta *out, const unsigned char *at, const unsigned char *end);      /* false: damaged */
bool delta_next(struct delta *delta, int64_t *value);       /* false: over, or damaged */

/* Where the bytes behind the values begin, NULL: damaged.  *delta is left as it is. */
const unsigned char *delta_end(const struct delta *delta);

#endif
