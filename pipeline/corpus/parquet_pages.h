/* corpus/parquet_pages.h -- the values of a column of one row group, as the pages that they are written as: the twin
 * of parquet_column.h.
 *
 * Texts begin with a dictionary; when it grows large, the pages that follow have their values as they are.  Pages are
 * data pages of version 1, packed with zstd, with a checksum.  In memory are the packed pages, the page at hand and the
 * dictionary, and they stay for the next row group. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_PAGES_H
#define LEAKGRAPH_CORPUS_PARQUET_PAGES_H

#include "base/table.h"
#include "corpus/parquet_footer.h"
#include "corpus/parquet_thrift_write.h"
#include "corpus/writer.h"

/* A column as its file declares it: BOOLEAN, INT64, DOUBLE, or BYTE_ARRAY, which is text in UTF-8. */
struct parquet_field { const char *name; enum parquet_type type; bool optional; };

/* A zeroed struct with `field` and `packer` set, both borrowed, is ready. */
struct parquet_pages {
    const struct parquet_field *field;
    struct packer              *packer;

    uint32_t     *level;                                    /* [count] of the page: 1, or 0 for null */
    size_t        count, level_room;
    struct bytes  plain;                                    /* the page's values as they are */
    uint32_t     *index;                                    /* [index_count] of the page: places in the dictionary */
    size_t        index_count, index_room;

    struct table  known;                                    /* hashes of the entries to their places */
    struct bytes  entries;                                  /* the dictionary, as it is written */
    uint32_t     *entry_at;                                 /* [known.count] where each begins */
    size_t        entry_room;
    bool          beyond;                                   /* it has grown too large, and takes no more */

    struct bytes  packed;                                   /* the pages, heads and all */
    struct bytes  page, body;                               /* what a page is made of */
    uint64_t      values, nulls, unpacked;                  /* of the row group; bytes before packing, heads counted */
    bool          indexed, direct;                          /* it has pages with indices, with values */
    bool          bounded, unordered;                       /* least and most are known; there is a NaN */
    union { int64_t number; double real; } least, most;
};

/* A value more: 0 or -ENOMEM with err set. */
int  parquet_pages_null(struct parquet_pages *pages, struct err *err);
int  parquet_pages_text(struct parquet_pages *pages, struct slice text, struct err *err);
int  parquet_pages_number(struct parquet_pages *pages, int64_t value, struct err *err);
int  parquet_pages_real(struct parquet_pages *pages, double value, struct err *err);
int  parquet_pages_flag(struct parquet_pages *pages, bool value, struct err *err);

size_t parquet_pages_bytes(const struct parquet_pages *pages);          /* held for the row group */

/* Ends the row group's last page: *dictionary, then pages->packed, are what the file has of the column, which begins
 * at `at`.  Appends what its footer says of it.  0 or -ENOMEM with err set. */
int  parquet_pages_end(struct parquet_pages *pages, uint64_t at, struct bytes *dictionary,
                       struct thrift_writer *footer, struct err *err);
void parquet_pages_reset(struct parquet_pages *pages);      /* for the next row group */
void parquet_pages_free(struct parquet_pages *pages);

#endif
