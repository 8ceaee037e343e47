/* tests/unit/corpus/parquet_put.h -- Parquet laid byte by byte: numbers, fields and texts of Thrift; whole files. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_PUT_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_PUT_H

#include "base/bytes.h"
#include "corpus/parquet_footer.h"

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

/* ---- a file of one required column of strings, called text ---- */

/* A row group with one data page; page: its values, plain, or where there is a dictionary their places in it.  at,
 * dictionary_at: where put_groups has laid them; more: rows that the file's count has beside its. */
struct put_group { int64_t rows; struct slice dictionary, page; int64_t at, dictionary_at, more; };

static inline void put_one_page(struct bytes *out, const struct put_group *group, struct slice page, bool dictionary)
{
    put_int(out, 1, dictionary ? 2 : 0);                    /* type, bytes and packed bytes, head */
    put_int(out, 1, (int64_t)page.len);
    put_int(out, 1, (int64_t)page.len);
    put_byte(out, (dictionary ? 4u : 2u) << 4 | 12);
    put_int(out, 1, dictionary ? 1 : group->rows);
    put_int(out, 1, !dictionary && group->dictionary.len ? 8 : 0);
    if (!dictionary) put_int(out, 1, 3);
    if (!dictionary) put_int(out, 1, 3);
    put_byte(out, 0);
    put_byte(out, 0);
    put(out, page.at, page.len);
}

/* What the footer says of a row group that ends at `end`. */
static inline void put_group_told(struct bytes *out, const struct put_group *group, int64_t end)
{
    const int64_t bytes = end - (group->dictionary.len ? group->dictionary_at : group->at);

    put_byte(out, 0x19);                                    /* 1: columns */
    put_byte(out, 1 << 4 | 12);
    put_int(out, 2, 0);
    put_byte(out, 0x1C);                                    /* 3: their metadata */
    put_int(out, 1, PARQUET_BYTE_ARRAY);
    put_int(out, 3, 0);                                     /* 4: codec, 5: values, 6, 7: bytes, 9, 11: places */
    put_int(out, 1, group->rows);
    put_int(out, 1, bytes);
    put_int(out, 1, bytes);
    put_int(out, 2, group->at);
    if (group->dictionary.len) put_int(out, 2, group->dictionary_at);
    put_byte(out, 0);
    put_byte(out, 0);
    put_int(out, 1, bytes);
    put_int(out, 1, group->rows);
    put_byte(out, 0);
}

static inline void put_groups(struct bytes *out, struct put_group *group, size_t count)
{
    int64_t  rows = 0;
    size_t   footer_at;
    uint32_t len;

    put(out, "PAR1", 4);
    for (size_t g = 0; g < count; g++) {
        group[g].dictionary_at = (int64_t)out->len;
        if (group[g].dictionary.len) put_one_page(out, &group[g], group[g].dictionary, true);
        group[g].at = (int64_t)out->len;
        put_one_page(out, &group[g], group[g].page, false);
        rows += group[g].rows + group[g].more;
    }
    footer_at = out->len;
    put_int(out, 1, 1);
    put_byte(out, 0x19);                                    /* 2: schema */
    put_byte(out, 2 << 4 | 12);
    put_byte(out, 0x48);
    put_text(out, "root");
    put_int(out, 1, 1);
    put_byte(out, 0);
    put_int(out, 1, PARQUET_BYTE_ARRAY);
    put_int(out, 2, 0);
    put_byte(out, 0x18);
    put_text(out, "text");
    put_byte(out, 0);
    put_int(out, 1, rows);
    put_byte(out, 0x19);                                    /* 4: row groups */
    put_byte(out, 0xFC);
    put_varint(out, count);
    for (size_t g = 0; g < count; g++)
        put_group_told(out, &group[g], g + 1 < count ? group[g + 1].dictionary_at : (int64_t)footer_at);
    put_byte(out, 0);
    len = (uint32_t)(out->len - footer_at);
    put(out, &len, 4);
    put(out, "PAR1", 4);
}

#endif
