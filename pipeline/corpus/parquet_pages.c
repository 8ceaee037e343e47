/* corpus/parquet_pages.c -- see parquet_pages.h. */
#include "corpus/parquet_pages.h"

#include "corpus/parquet_codec.h"
#include "corpus/parquet_column.h"
#include "corpus/parquet_encoding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A page is ended with so many values or bytes of them, a dictionary with so many bytes. */
enum { PAGE_VALUES = 20000, PAGE_BYTES = 1 << 20, DICTIONARY_BYTES = 1 << 20 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

static int no_memory(const struct parquet_pages *pages, struct err *err)
{
    return err_memory(err, pages->plain.len + pages->packed.len, "a column of Parquet");
}

static int append_number(struct bytes *out, uint64_t value, size_t bytes)
{
    char low_first[8];

    for (size_t i = 0; i < bytes; i++) low_first[i] = (char)(value >> 8 * i);
    return bytes_append(out, low_first, bytes);
}

/* Bits that tell so many values apart. */
static unsigned width_of(size_t count)
{
    unsigned width = 1;

    while (width < 32 && count > 1ull << width) width++;
    return width;
}

/* ---- pages ---- */

/* Head and packed body of a page behind *out.  values: nulls counted. */
static int append_page(struct parquet_pages *pages, int kind, size_t values, enum parquet_encoding encoding,
                       struct slice body, struct bytes *out, struct err *err)
{
    struct thrift_writer head = { .out = out };
    const size_t         before = out->len;

    pages->body.len = 0;
    if (packer_frame(pages->packer, body, &pages->body, err) < 0) return err->code;
    thrift_put_int(&head, 1, THRIFT_I32, kind);
    thrift_put_int(&head, 2, THRIFT_I32, (int64_t)body.len);
    thrift_put_int(&head, 3, THRIFT_I32, (int64_t)pages->body.len);
    thrift_put_int(&head, 4, THRIFT_I32, (int32_t)parquet_crc32(pages->body.at, pages->body.len));
    thrift_put_struct(&head, kind == DATA_PAGE ? 5 : 7);
    thrift_put_int(&head, 1, THRIFT_I32, (int64_t)values);
    thrift_put_int(&head, 2, THRIFT_I32, encoding);
    if (kind == DATA_PAGE) {
        thrift_put_int(&head, 3, THRIFT_I32, PARQUET_ENCODING_RLE);
        thrift_put_int(&head, 4, THRIFT_I32, PARQUET_ENCODING_RLE);
    }
    thrift_put_end(&head);
    thrift_put_end(&head);
    pages->unpacked += out->len - before + body.len;
    return head.failed || bytes_append_slice(out, bytes_slice(&pages->body)) < 0 ? no_memory(pages, err) : 0;
}

/* In front of the values: the levels, behind their length. */
static int put_levels(struct parquet_pages *pages)
{
    size_t len;

    if (!pages->field->optional) return 0;
    if (append_number(&pages->page, 0, 4) < 0 || hybrid_append(&pages->page, pages->level, pages->count, 1) < 0)
        return -ENOMEM;
    len = pages->page.len - 4;
    for (int i = 0; i < 4; i++) pages->page.at[i] = (char)(len >> 8 * i);
    return 0;
}

/* Eight a byte, the lowest bit first. */
static int put_flags(struct parquet_pages *pages)
{
    for (size_t i = 0; i < pages->plain.len; i += 8) {
        char byte = 0;

        for (size_t bit = 0; bit < 8 && i + bit < pages->plain.len; bit++)
            byte = (char)(byte | pages->plain.at[i + bit] << bit);
        if (bytes_append(&pages->page, &byte, 1) < 0) return -ENOMEM;
    }
    return 0;
}

static int put_indices(struct parquet_pages *pages)
{
    const unsigned width = width_of(pages->known.count);

    return append_number(&pages->page, width, 1) < 0 ? -ENOMEM
        : hybrid_append(&pages->page, pages->index, pages->index_count, width);
}

static int page_end(struct parquet_pages *pages, struct err *err)
{
    const bool indexed = pages->index_count > 0;            /* nulls alone need no dictionary */
    int        rc;

    if (!pages->count) return 0;
    pages->page.len = 0;
    rc = put_levels(pages);
    if (rc == 0)
        rc = indexed ? put_indices(pages) : pages->field->type == PARQUET_BOOLEAN ? put_flags(pages)
            : bytes_append_slice(&pages->page, bytes_slice(&pages->plain));
    if (rc < 0) return no_memory(pages, err);
    rc = append_page(pages, DATA_PAGE, pages->count, indexed ? PARQUET_ENCODING_DICTIONARY : PARQUET_ENCODING_PLAIN,
                     bytes_slice(&pages->page), &pages->packed, err);
    pages->indexed |= indexed;
    pages->direct |= !indexed;
    pages->count = pages->index_count = pages->plain.len = 0;
    return rc;
}

/* ---- values ---- */

static int add_level(struct parquet_pages *pages, bool there, struct err *err)
{
    if (ARRAY_GROW(pages->level, pages->level_room, pages->count) < 0) return no_memory(pages, err);
    pages->level[pages->count++] = there;
    pages->values++;
    pages->nulls += !there;
    return pages->count == PAGE_VALUES || pages->plain.len >= PAGE_BYTES ? page_end(pages, err) : 0;
}

int parquet_pages_null(struct parquet_pages *pages, struct err *err) { return add_level(pages, false, err); }

static struct slice entry_text(const struct parquet_pages *pages, uint32_t place)
{
    const unsigned char *at = (const unsigned char *)pages->entries.at + pages->entry_at[place];

    return (struct slice){ (const char *)at + 4, at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 |
                                                     (size_t)at[3] << 24 };
}

/* The text's place in the dictionary, where it is put when it is new.  1; 0 when there is no room, or another text has
 * its hash; -ENOMEM. */
static int entry_find(struct parquet_pages *pages, struct slice text, uint32_t *place)
{
    const XXH128_hash_t hash = XXH3_128bits(text.at, text.len);
    const uint32_t      next = (uint32_t)pages->known.count;
    bool                added = false;

    *place = table_find(&pages->known, hash.low64, hash.high64);
    if (*place != TABLE_NONE) return slice_equal(entry_text(pages, *place), text);
    if (pages->entries.len + text.len + 4 > DICTIONARY_BYTES) return 0;
    if (ARRAY_GROW(pages->entry_at, pages->entry_room, (size_t)next) < 0) return -ENOMEM;
    pages->entry_at[next] = (uint32_t)pages->entries.len;
    if (append_number(&pages->entries, text.len, 4) < 0 || bytes_append_slice(&pages->entries, text) < 0)
        return -ENOMEM;
    *place = table_put(&pages->known, hash.low64, hash.high64, next, &added);
    return *place == TABLE_NONE ? -ENOMEM : 1;
}

static int text_index(struct parquet_pages *pages, struct slice text)
{
    uint32_t place;
    int      rc = entry_find(pages, text, &place);

    if (rc <= 0) return rc;
    if (ARRAY_GROW(pages->index, pages->index_room, pages->index_count) < 0) return -ENOMEM;
    pages->index[pages->index_count++] = place;
    return 1;
}

int parquet_pages_text(struct parquet_pages *pages, struct slice text, struct err *err)
{
    int rc = pages->beyond ? 0 : text_index(pages, text);

    if (rc < 0) return no_memory(pages, err);
    if (rc == 1) return add_level(pages, true, err);
    if (text.len > INT32_MAX / 2)
        return err_set(err, -EFBIG, "column %s: a text of %zu bytes is too long for Parquet", pages->field->name,
                       text.len);
    if (!pages->beyond && (rc = page_end(pages, err)) < 0) return rc;
    pages->beyond = true;
    if (append_number(&pages->plain, text.len, 4) < 0 || bytes_append_slice(&pages->plain, text) < 0)
        return no_memory(pages, err);
    return add_level(pages, true, err);
}

int parquet_pages_number(struct parquet_pages *pages, int64_t value, struct err *err)
{
    if (!pages->bounded || value < pages->least.number) pages->least.number = value;
    if (!pages->bounded || value > pages->most.number) pages->most.number = value;
    pages->bounded = true;
    if (append_number(&pages->plain, (uint64_t)value, 8) < 0) return no_memory(pages, err);
    return add_level(pages, true, err);
}

int parquet_pages_real(struct parquet_pages *pages, double value, struct err *err)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (!pages->bounded || value < pages->least.real) pages->least.real = value;
    if (!pages->bounded || value > pages->most.real) pages->most.real = value;
    pages->bounded = true;
    pages->unordered |= isnan(value);
    if (append_number(&pages->plain, bits, 8) < 0) return no_memory(pages, err);
    return add_level(pages, true, err);
}

int parquet_pages_flag(struct parquet_pages *pages, bool value, struct err *err)
{
    if (bytes_append(&pages->plain, &(char){ value }, 1) < 0) return no_memory(pages, err);
    return add_level(pages, true, err);
}

/* ---- the row group's end ---- */

size_t parquet_pages_bytes(const struct parquet_pages *pages)
{
    return pages->packed.len + pages->plain.len + pages->entries.len + pages->count * sizeof *pages->level +
        pages->index_count * sizeof *pages->index;
}

/* Zero has two signs, of which a reader may look for either (parquet.thrift, ColumnOrder). */
static void put_bound(struct parquet_pages *pages, struct thrift_writer *out, int id, bool least)
{
    const bool   real = pages->field->type == PARQUET_DOUBLE;
    double       value = least ? pages->least.real : pages->most.real;
    char         bytes[8];
    uint64_t     bits = (uint64_t)(least ? pages->least.number : pages->most.number);

    if (real && value == 0) value = least ? -0.0 : 0.0;
    if (real) memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) bytes[i] = (char)(bits >> 8 * i);
    thrift_put_binary(out, id, (struct slice){ bytes, 8 });
}

static void put_statistics(struct parquet_pages *pages, struct thrift_writer *out)
{
    thrift_put_struct(out, 12);
    thrift_put_int(out, 3, THRIFT_I64, (int64_t)pages->nulls);
    if (pages->bounded && !pages->unordered) {
        put_bound(pages, out, 5, false);
        put_bound(pages, out, 6, true);
    }
    thrift_put_end(out);
}

/* ColumnChunk of parquet.thrift, an element of a list. */
static void put_chunk(struct parquet_pages *pages, uint64_t at, uint64_t dictionary, struct thrift_writer *out)
{
    const struct parquet_field *field = pages->field;

    thrift_put_element(out);
    thrift_put_int(out, 2, THRIFT_I64, 0);
    thrift_put_struct(out, 3);
    thrift_put_int(out, 1, THRIFT_I32, field->type);
    thrift_put_list(out, 2, THRIFT_I32, 1u + (pages->direct || dictionary) + pages->indexed);
    thrift_put_int_value(out, PARQUET_ENCODING_RLE);
    if (pages->direct || dictionary) thrift_put_int_value(out, PARQUET_ENCODING_PLAIN);
    if (pages->indexed) thrift_put_int_value(out, PARQUET_ENCODING_DICTIONARY);
    thrift_put_list(out, 3, THRIFT_BINARY, 1);
    thrift_put_binary_value(out, slice_of(field->name));
    thrift_put_int(out, 4, THRIFT_I32, PARQUET_ZSTD);
    thrift_put_int(out, 5, THRIFT_I64, (int64_t)pages->values);
    thrift_put_int(out, 6, THRIFT_I64, (int64_t)pages->unpacked);
    thrift_put_int(out, 7, THRIFT_I64, (int64_t)(dictionary + pages->packed.len));
    thrift_put_int(out, 9, THRIFT_I64, (int64_t)(at + dictionary));
    if (dictionary) thrift_put_int(out, 11, THRIFT_I64, (int64_t)at);
    put_statistics(pages, out);
    thrift_put_end(out);
    thrift_put_end(out);
}

int parquet_pages_end(struct parquet_pages *pages, uint64_t at, struct bytes *dictionary,
                      struct thrift_writer *footer, struct err *err)
{
    int rc = page_end(pages, err);

    dictionary->len = 0;
    if (rc == 0 && pages->indexed)
        rc = append_page(pages, DICTIONARY_PAGE, pages->known.count, PARQUET_ENCODING_PLAIN,
                         bytes_slice(&pages->entries), dictionary, err);
    if (rc == 0) put_chunk(pages, at, dictionary->len, footer);
    return rc == 0 && footer->failed ? no_memory(pages, err) : rc;
}

void parquet_pages_reset(struct parquet_pages *pages)
{
    table_clear(&pages->known);
    pages->entries.len = pages->packed.len = pages->plain.len = pages->count = pages->index_count = 0;
    pages->values = pages->nulls = pages->unpacked = 0;
    pages->beyond = pages->indexed = pages->direct = pages->bounded = pages->unordered = false;
}

void parquet_pages_free(struct parquet_pages *pages)
{
    table_free(&pages->known);
    bytes_free(&pages->plain);
    bytes_free(&pages->entries);
    bytes_free(&pages->packed);
    bytes_free(&pages->page);
    bytes_free(&pages->body);
    free(pages->level);
    free(pages->index);
    free(pages->entry_at);
    *pages = (struct parquet_pages){ 0 };
}
