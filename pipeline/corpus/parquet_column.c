/* corpus/parquet_column.c -- see parquet_column.h.
 *
 *   1. Pages: headers, unpacking, levels
 *   2. Values of a page, by encoding
 *   3. Values of a column */
#include "corpus/parquet_column.h"

#include "corpus/parquet_thrift.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

_Static_assert(PARQUET_BOMB == -EOVERFLOW, "codes");

/* a header has statistics, whose values may be texts */
enum { WINDOW_BYTES = 1 << 16, HEADER_BYTES_MAX = 16 << 20 };
enum { HUGE_BYTES = 2 << 20 };                              /* a large page of memory */
enum { PAGE_DATA = 0, PAGE_INDEX = 1, PAGE_DICTIONARY = 2, PAGE_DATA_V2 = 3 };

bool parquet_is_bomb(uint64_t made, uint64_t from, uint32_t max_ratio)
{
    return made > (64ull << 20) && made / max_ratio > from;
}

__attribute__((format(printf, 4, 5)))
static int fail(const struct parquet_column *column, int code, struct err *err, const char *format, ...)
{
    char    what[160];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return err_set(err, code, "parquet: %s: page at byte %llu, column %.*s", what,
                   (unsigned long long)column->page_byte,
                   (int)column->path.len, column->path.at);
}

static int corrupt(const struct parquet_column *column, struct err *err, const char *what)
{
    return fail(column, PARQUET_CORRUPT, err, "%s", what);
}

/* ---- 1. Pages ---- */

struct page {
    int64_t kind, unpacked, packed, crc;
    int64_t values, encoding, definition_encoding, repetition_encoding;
    int64_t definition_bytes, repetition_bytes;             /* v2: they lie before what is packed */
    bool    has_crc, has_header, is_packed;
};

static void read_data_header(struct thrift *t, struct page *page, bool second)
{
    struct thrift_field field = { 0 };

    page->has_header = true;
    while (thrift_next_field(t, &field)) {
        if (field.id == 1) thrift_take_int(t, &field, &page->values);
        else if (field.id == (second ? 4 : 2)) thrift_take_int(t, &field, &page->encoding);
        else if (second && field.id == 5) thrift_take_int(t, &field, &page->definition_bytes);
        else if (second && field.id == 6) thrift_take_int(t, &field, &page->repetition_bytes);
        else if (!second && field.id == 3) thrift_take_int(t, &field, &page->definition_encoding);
        else if (!second && field.id == 4) thrift_take_int(t, &field, &page->repetition_encoding);
        else {
            if (second && field.id == 7) page->is_packed = field.type != THRIFT_FALSE;
            thrift_skip(t, field.type);
        }
    }
}

static void read_header(struct thrift *t, struct page *page)
{
    struct thrift_field field = { 0 };

    *page = (struct page){ .kind = -1, .unpacked = -1, .packed = -1, .values = -1, .is_packed = true,
                           .definition_encoding = PARQUET_ENCODING_RLE, .repetition_encoding = PARQUET_ENCODING_RLE };
    while (thrift_next_field(t, &field)) {
        if (field.id == 1) thrift_take_int(t, &field, &page->kind);
        else if (field.id == 2) thrift_take_int(t, &field, &page->unpacked);
        else if (field.id == 3) thrift_take_int(t, &field, &page->packed);
        else if (field.id == 4) page->has_crc = thrift_take_int(t, &field, &page->crc);
        else if (field.type == THRIFT_STRUCT && ((field.id == 5 && page->kind == PAGE_DATA) ||
                                                 (field.id == 7 && page->kind == PAGE_DICTIONARY)
                                                 || (field.id == 8 && page->kind == PAGE_DATA_V2)))
            read_data_header(t, page, page->kind == PAGE_DATA_V2);
        else thrift_skip(t, field.type);
    }
}

/* Has the chunk's bytes from column->taken on in the window, n of them or as many as there are; *have: how many. */
static int look(struct parquet_column *column, uint64_t n, uint64_t *have, struct err *err)
{
    struct bytes *window = &column->window;
    uint64_t      rest = column->chunk.bytes - column->taken, at = column->chunk.at + column->taken, kept;
    int           rc;

    if (n > rest) n = rest;
    /* pages are taken in order: at lies in the window, or at its end */
    kept = column->window_at + window->len - at;
    if (kept < n) {
        uint64_t more = n - kept < WINDOW_BYTES ? WINDOW_BYTES : n - kept;

        if (more > rest - kept) more = rest - kept;
        if (kept) memmove(window->at, window->at + (window->len - kept), (size_t)kept);
        window->len = (size_t)kept;
        column->window_at = at;
        if (bytes_reserve(window, (size_t)(kept + more)) < 0) return err_memory(err, kept + more, "a page");
        if ((rc = input_read_at(column->input, at + kept, window->at + kept, (size_t)more, err)) < 0) return rc;
        if (rc == 0) return fail(column, PARQUET_TRUNCATED, err, "the file became shorter");
        window->len += (size_t)more;
        column->bytes_read += more;
        kept += more;
    }
    *have = kept < rest ? kept : rest;
    return 0;
}

static const unsigned char *looked_at(const struct parquet_column *column)
{
    return (const unsigned char *)column->window.at + (column->chunk.at + column->taken - column->window_at);
}

/* Takes a page's header and has its bytes at *at.  The window grows with what the header needs. */
static int next_header(struct parquet_column *column, struct page *page, const unsigned char **at, struct err *err)
{
    uint64_t have, seen = 0;

    column->page_byte = column->chunk.at + column->taken;
    for (uint64_t want = 256; ; want *= 4) {
        struct thrift t;
        int           rc = look(column, want, &have, err);

        if (rc < 0) return rc;
        if (have == seen) return corrupt(column, err, "the column ends before its values do");
        t = (struct thrift){ .at = looked_at(column), .end = looked_at(column) + have };
        seen = have;
        read_header(&t, page);
        if (!t.broken) {
            column->taken += (uint64_t)(t.at - looked_at(column));
            break;
        }
        if (!t.short_of_bytes || have >= HEADER_BYTES_MAX) return corrupt(column, err, "a damaged page header");
    }
    if (page->packed < 0 || page->unpacked < 0 || page->packed > INT32_MAX || page->unpacked > INT32_MAX)
        return corrupt(column, err, "a page of an impossible size");
    if ((uint64_t)page->packed > column->chunk.bytes - column->taken)
        return corrupt(column, err, "a page that is longer than its column");
    if (parquet_is_bomb((uint64_t)page->unpacked, (uint64_t)page->packed, column->max_ratio))
        return fail(column, PARQUET_BOMB, err, "%lld bytes from %lld: more than max_ratio %u",
                    (long long)page->unpacked, (long long)page->packed, column->max_ratio);
    if (look(column, (uint64_t)page->packed, &have, err) < 0) return err->code;
    *at = looked_at(column);
    column->taken += (uint64_t)page->packed;
    if (page->has_crc && parquet_crc32(*at, (size_t)page->packed) != (uint32_t)page->crc)
        return corrupt(column, err, "a page's checksum is wrong");
    return 0;
}

/* Makes *to writable for as many bytes: what somebody points into stays as it is, and another takes its place.  0 or
 * -ENOMEM. */
static int renew(struct parquet_column *column, struct shared **to, size_t bytes)
{
    struct bytes *of;
    size_t        room;

    for (size_t s = 0; s < sizeof column->spare / sizeof *column->spare && *to && !shared_is_mine(*to); s++) {
        struct shared *spare = column->spare[s];

        column->spare[s] = *to;
        *to = spare;
    }
    if (*to && !shared_is_mine(*to)) {
        shared_release(*to);
        *to = NULL;
    }
    if (!*to && !(*to = shared_new())) return -ENOMEM;
    of = &(*to)->bytes;
    room = of->room;
    if (bytes_reserve(of, bytes) < 0) return -ENOMEM;
    of->len = bytes;
    /* fewer faults and misses; nothing is lost when the advice is not taken */
    if (of->room > room && of->room >= 2 * HUGE_BYTES) {
        uintptr_t from = ((uintptr_t)of->at + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES,
            end = (uintptr_t)(of->at + of->room) / HUGE_BYTES * HUGE_BYTES;

        madvise((void *)from, end - from, MADV_HUGEPAGE);
    }
    return 0;
}

/* Unpacks a page's n bytes into *in, behind `before` bytes that are there. */
static int unpack(struct parquet_column *column, const struct page *page, const unsigned char *at, size_t n,
                  struct shared **in, size_t before, struct err *err)
{
    size_t        m = (size_t)page->unpacked - before;
    struct bytes *to;
    int           rc;

    if (renew(column, in, (size_t)page->unpacked) < 0) return err_memory(err, (uint64_t)page->unpacked, "a page");
    to = &(*in)->bytes;
    if (!n && !m) return 0;
    rc = parquet_unpack(&column->unpacker, page->is_packed ? column->chunk.codec : PARQUET_PLAIN, at, n,
                        to->at + before, m, err);
    if (rc == -ENOMEM) return rc;
    return rc < 0 ? fail(column, rc, err, "%s", err->text + (strncmp(err->text, "parquet: ", 9) ? 0 : 9)) : 0;
}

static bool is_fixed(const struct parquet_column *column, uint32_t *bytes)
{
    static const uint32_t width[PARQUET_TYPE_COUNT] =
        { [PARQUET_INT32] = 4, [PARQUET_INT64] = 8, [PARQUET_FLOAT] = 4, [PARQUET_DOUBLE] = 8 };

    *bytes = column->node->type == PARQUET_FIXED ? column->node->type_bytes : width[column->node->type];
    return *bytes > 0;
}

/* A PLAIN value of a fixed length, or with its length before it.  False: it runs past the end. */
static bool plain_value(const struct parquet_column *column, const unsigned char **at, const unsigned char *end,
                        struct slice *value)
{
    uint32_t bytes;

    if (!is_fixed(column, &bytes)) {
        if (end - *at < 4) return false;
        memcpy(&bytes, *at, sizeof bytes);
        *at += 4;
    }
    if ((uint64_t)(end - *at) < bytes) return false;
    *value = (struct slice){ (const char *)*at, bytes };
    *at += bytes;
    return true;
}

static int read_dictionary(struct parquet_column *column, const struct page *page, const unsigned char *at,
                           struct err *err)
{
    const unsigned char *from, *end;
    size_t               count = (size_t)page->values;
    uint32_t             least;                             /* bytes of a value */
    int                  rc;

    if (column->entry_count || column->values_left < column->chunk.values)
        return corrupt(column, err, "a second dictionary");
    if (page->encoding != PARQUET_ENCODING_PLAIN && page->encoding != PARQUET_ENCODING_PLAIN_DICTIONARY)
        return fail(column, PARQUET_UNKNOWN, err, "a dictionary in encoding %lld is not read",
                    (long long)page->encoding);
    if ((rc = unpack(column, page, at, (size_t)page->packed, &column->dictionary, 0, err)) < 0) return rc;
    if (!is_fixed(column, &least)) least = 4;               /* its length */
    if (column->node->type == PARQUET_BOOLEAN || count > (size_t)page->unpacked / least)
        return corrupt(column, err, "a dictionary of more values than it has");
    /* short values: what points to them is larger */
    if (parquet_is_bomb(count * (uint64_t)sizeof *column->entry, (uint64_t)page->packed, column->max_ratio))
        return fail(column, PARQUET_BOMB, err, "a dictionary of %zu values from %lld bytes: more than max_ratio %u",
                    count, (long long)page->packed, column->max_ratio);
    if (count > column->entry_room) {
        struct slice *grown = realloc(column->entry, count * sizeof *grown);

        if (!grown) return err_memory(err, count * sizeof *grown, "a dictionary");
        column->entry = grown;
        column->entry_room = count;
    }
    from = (const unsigned char *)column->dictionary->bytes.at;
    end = from + column->dictionary->bytes.len;
    for (size_t i = 0; i < count; i++)
        if (!plain_value(column, &from, end, &column->entry[i]))
            return corrupt(column, err, "a dictionary that ends inside a value");
    column->entry_count = count;
    return 0;
}

static unsigned bits_for(uint32_t most) { return most ? 32 - (unsigned)__builtin_clz(most) : 0; }

/* v1: levels stand before the values, each kind behind its length. */
static bool take_levels(struct hybrid *out, const unsigned char **at, const unsigned char *end, uint32_t most)
{
    uint32_t bytes;

    hybrid_open(out, *at, *at, bits_for(most));
    if (!most) return true;
    if (end - *at < 4) return false;
    memcpy(&bytes, *at, sizeof bytes);
    *at += 4;
    if (bytes > (uint64_t)(end - *at)) return false;
    hybrid_open(out, *at, *at + bytes, bits_for(most));
    *at += bytes;
    return true;
}

static int read_data(struct parquet_column *column, const struct page *page, const unsigned char *raw, struct err *err)
{
    const struct parquet_node *node = column->node;
    const unsigned char       *at, *end;
    int                        rc;

    if ((uint64_t)page->values > column->values_left)
        return corrupt(column, err, "a page of more values than its column has");
    if (page->kind == PAGE_DATA_V2) {
        size_t levels = (size_t)page->repetition_bytes + (size_t)page->definition_bytes;

        if (page->repetition_bytes < 0 || page->definition_bytes < 0 || page->repetition_bytes > page->packed ||
            page->definition_bytes > page->packed
            || levels > (size_t)page->packed || levels > (size_t)page->unpacked) return corrupt(column, err,
                    "levels that are longer than their page");
        if ((rc = unpack(column, page, raw + levels, (size_t)page->packed - levels, &column->page, levels, err)) < 0)
            return rc;
        if (levels) memcpy(column->page->bytes.at, raw, levels);
        at = (const unsigned char *)column->page->bytes.at;
        hybrid_open(&column->repetition, at, at + page->repetition_bytes, bits_for(node->max_repetition));
        at += page->repetition_bytes;
        hybrid_open(&column->definition, at, at + page->definition_bytes, bits_for(node->max_definition));
        at += page->definition_bytes;
        end = (const unsigned char *)column->page->bytes.at + column->page->bytes.len;
    } else {
        if ((node->max_repetition && page->repetition_encoding != PARQUET_ENCODING_RLE) ||
            (node->max_definition && page->definition_encoding != PARQUET_ENCODING_RLE))
            return fail(column, PARQUET_UNKNOWN, err, "levels in another encoding than RLE are not read");
        if ((rc = unpack(column, page, raw, (size_t)page->packed, &column->page, 0, err)) < 0) return rc;
        at = (const unsigned char *)column->page->bytes.at;
        end = at + column->page->bytes.len;
        if (!take_levels(&column->repetition, &at, end, node->max_repetition) ||
            !take_levels(&column->definition, &at, end, node->max_definition))
            return corrupt(column, err, "levels that are longer than their page");
    }
    column->values = (struct parquet_values){ .encoding = (enum parquet_encoding)page->encoding, .at = at, .end = end };
    column->page_left = (uint64_t)page->values;
    column->values_left -= (uint64_t)page->values;
    return 0;
}

/* 1; 0 when the column has no more pages. */
static int next_page(struct parquet_column *column, struct err *err)
{
    const unsigned char *at = NULL;
    struct page          page;
    int                  rc;

    if (!column->values_left) return 0;
    if ((rc = next_header(column, &page, &at, err)) < 0) return rc;
    if (page.kind == PAGE_INDEX) return 1;
    if (page.kind < PAGE_DATA || page.kind > PAGE_DATA_V2) return corrupt(column, err, "a page of an unknown kind");
    if (!page.has_header || page.values < 0 || page.values > INT32_MAX)
        return corrupt(column, err, "a page without its own header");
    rc = page.kind == PAGE_DICTIONARY ? read_dictionary(column, &page, at, err) : read_data(column, &page, at, err);
    return rc < 0 ? rc : 1;
}

/* ---- 2. Values of a page ---- */

static int open_dictionary(struct parquet_column *column, struct parquet_values *v, struct err *err)
{
    if (v->at == v->end || *v->at > 32) return corrupt(column, err, "dictionary indices of an impossible width");
    hybrid_open(&v->index, v->at + 1, v->end, *v->at);
    return 0;
}

/* Lengths, and behind them the bytes. */
static bool open_lengths(struct parquet_values *v)
{
    return delta_open(&v->delta, v->at, v->end) && (v->at = delta_end(&v->delta)) != NULL;
}

static int open_values(struct parquet_column *column, struct err *err)
{
    struct parquet_values *v = &column->values;
    enum parquet_type      type = column->node->type;
    bool                   bytes = type == PARQUET_BYTE_ARRAY, fine = true, fits = true;
    uint32_t               width = 0, length;

    is_fixed(column, &width);
    v->opened = true;
    column->built.len = 0;
    switch (v->encoding) {
    case PARQUET_ENCODING_PLAIN: break;
    case PARQUET_ENCODING_PLAIN_DICTIONARY:
    case PARQUET_ENCODING_DICTIONARY: return open_dictionary(column, v, err);
    case PARQUET_ENCODING_RLE:                              /* booleans, behind their length */
        fits = type == PARQUET_BOOLEAN;
        fine = v->end - v->at >= 4;
        if (!fits || !fine) break;
        memcpy(&length, v->at, sizeof length);
        fine = length <= (uint64_t)(v->end - v->at - 4);
        if (fine) hybrid_open(&v->index, v->at + 4, v->at + 4 + length, 1);
        break;
    case PARQUET_ENCODING_DELTA:
        fits = type == PARQUET_INT32 || type == PARQUET_INT64;
        fine = delta_open(&v->delta, v->at, v->end);
        break;
    case PARQUET_ENCODING_DELTA_LENGTH:
        fits = bytes;
        fine = open_lengths(v);
        break;
    case PARQUET_ENCODING_DELTA_STRINGS:
        fits = bytes || type == PARQUET_FIXED;
        fine = delta_open(&v->prefix, v->at, v->end) && (v->at = delta_end(&v->prefix)) != NULL && open_lengths(v);
        break;
    case PARQUET_ENCODING_SPLIT:
        fits = width > 0;
        v->count = fits ? (uint64_t)(v->end - v->at) / width : 0;
        break;
    default: return fail(column, PARQUET_UNKNOWN, err, "encoding %d is not read", (int)v->encoding);
    }
    if (!fits) return fail(column, PARQUET_CORRUPT, err, "encoding %d for a column of another type", (int)v->encoding);
    return fine ? 0 : corrupt(column, err, "values in a damaged encoding");
}

/* A value whose length is the next of v->delta. */
static bool delta_length_value(struct parquet_values *v, struct slice *value)
{
    int64_t length;

    if (!delta_next(&v->delta, &length) || length < 0 || length > v->end - v->at) return false;
    *value = (struct slice){ (const char *)v->at, (size_t)length };
    v->at += length;
    return true;
}

/* The first bytes of the value before, and what follows them.  1, 0 when damaged, -ENOMEM. */
static int delta_string_value(struct parquet_column *column, struct slice *value)
{
    struct slice rest;
    int64_t      shared;

    if (!delta_next(&column->values.prefix, &shared) || shared < 0 || (uint64_t)shared > column->built.len) return 0;
    if (!delta_length_value(&column->values, &rest)) return 0;
    column->built.len = (size_t)shared;
    if (bytes_append_slice(&column->built, rest) < 0) return -ENOMEM;
    *value = bytes_slice(&column->built);
    return column->node->type != PARQUET_FIXED || value->len == column->node->type_bytes;
}

/* Byte b of all values lies together.  As delta_string_value. */
static int split_value(struct parquet_column *column, struct slice *value)
{
    struct parquet_values *v = &column->values;
    uint32_t               width;

    is_fixed(column, &width);
    if (v->next == v->count) return 0;
    column->built.len = 0;
    if (bytes_reserve(&column->built, width) < 0) return -ENOMEM;
    for (uint64_t b = 0; b < width; b++) column->built.at[b] = (char)v->at[b * v->count + v->next];
    column->built.len = width;
    v->next++;
    *value = bytes_slice(&column->built);
    return 1;
}

/* A boolean is a byte here. */
static bool bit_value(struct parquet_column *column, struct slice *value)
{
    struct parquet_values *v = &column->values;
    uint32_t               bit;

    if (v->encoding == PARQUET_ENCODING_RLE) {
        if (!hybrid_next(&v->index, &bit)) return false;
    } else {
        if (v->next == 8 * (uint64_t)(v->end - v->at)) return false;
        bit = v->at[v->next / 8] >> v->next % 8 & 1;
        v->next++;
    }
    column->number[0] = (unsigned char)bit;
    *value = (struct slice){ (const char *)column->number, 1 };
    return true;
}

static bool delta_number(struct parquet_column *column, struct slice *value)
{
    int64_t number;

    if (!delta_next(&column->values.delta, &number)) return false;
    memcpy(column->number, &number, sizeof number);
    *value = (struct slice){ (const char *)column->number, column->node->type == PARQUET_INT32 ? 4 : 8 };
    return true;
}

/* The next value as its bytes. */
static int next_raw(struct parquet_column *column, struct slice *value, struct err *err)
{
    struct parquet_values *v = &column->values;
    uint32_t               index;
    int                    fine;

    if (!v->opened && open_values(column, err) < 0) return err->code;
    switch (v->encoding) {
    case PARQUET_ENCODING_PLAIN_DICTIONARY:
    case PARQUET_ENCODING_DICTIONARY:
        fine = hybrid_next(&v->index, &index);
        if (fine && index >= column->entry_count)
            return fail(column, PARQUET_CORRUPT, err, "dictionary index %u of %zu", index, column->entry_count);
        if (fine) *value = column->entry[index];
        break;
    case PARQUET_ENCODING_DELTA:         fine = delta_number(column, value); break;
    case PARQUET_ENCODING_DELTA_LENGTH:  fine = delta_length_value(v, value); break;
    case PARQUET_ENCODING_DELTA_STRINGS: fine = delta_string_value(column, value); break;
    case PARQUET_ENCODING_SPLIT:         fine = split_value(column, value); break;
    default:
        fine = column->node->type == PARQUET_BOOLEAN ? bit_value(column, value)
            : plain_value(column, &v->at, v->end, value);
    }
    if (fine < 0) return err_memory(err, column->built.len, "a value");
    return fine ? 1 : corrupt(column, err, "values that run past the end");
}

/* ---- 3. Values of a column ---- */

void parquet_column_start(struct parquet_column *column, const struct parquet_chunk *chunk)
{
    column->chunk = *chunk;
    column->values_left = chunk->values;
    column->taken = column->page_left = 0;
    column->entry_count = 0;
    column->looked = false;
    column->window.len = 0;
    column->window_at = column->page_byte = chunk->at;
}

void parquet_column_close(struct parquet_column *column)
{
    parquet_unpacker_close(&column->unpacker);
    bytes_free(&column->window);
    shared_release(column->dictionary);
    shared_release(column->page);
    for (size_t s = 0; s < sizeof column->spare / sizeof *column->spare; s++) shared_release(column->spare[s]);
    bytes_free(&column->built);
    free(column->entry);
    column->entry = NULL;
}

/* Has a value of a page before it: 1, 0 at the chunk's end. */
static int find_value(struct parquet_column *column, struct err *err)
{
    int rc = 1;

    while (!column->page_left && rc > 0) rc = next_page(column, err);
    if (rc <= 0 || column->looked || !column->node->max_repetition) return rc;
    if (!hybrid_next(&column->repetition, &column->next_repetition) ||
        column->next_repetition > column->node->max_repetition)
        return corrupt(column, err, "a repetition level that is none");
    column->looked = true;
    return 1;
}

int parquet_column_next(struct parquet_column *column, struct slice *value, uint32_t *definition, struct err *err)
{
    const struct parquet_node *node = column->node;
    int                        rc = find_value(column, err);

    if (rc <= 0) return rc;
    column->looked = false;
    column->page_left--;
    *definition = 0;
    if (node->max_definition && !hybrid_next(&column->definition, definition))
        return corrupt(column, err, "definition levels that run past the end");
    if (*definition > node->max_definition) return corrupt(column, err, "a definition level that is none");
    *value = (struct slice){ 0 };
    if (*definition < node->max_definition) return 1;
    if ((rc = next_raw(column, value, err)) < 0) return rc;
    *value = parquet_text(node, *value, column->text);
    if (!value->at) value->at = "";
    return 1;
}

static bool lies_in(const struct shared *shared, struct slice value)
{
    return shared && value.at >= shared->bytes.at && value.at + value.len <= shared->bytes.at + shared->bytes.len;
}

struct shared *parquet_column_owner(const struct parquet_column *column, struct slice value)
{
    if (lies_in(column->page, value)) return column->page;
    return lies_in(column->dictionary, value) ? column->dictionary : NULL;
}

int parquet_column_continues(struct parquet_column *column, struct err *err)
{
    int rc = find_value(column, err);

    return rc <= 0 ? rc : column->next_repetition > 0;
}
