/* corpus/source_parquet: Parquet against JSON lines of the same rows, and Parquet that is damaged or lies.
 *
 * The fixtures of tests/golden/parquet are another writer's (make.mjs there); what no writer makes is laid byte by byte
 * here. */
#include "corpus/parquet_codec.h"
#include "corpus/parquet_column.h"
#include "corpus/record.h"
#include "corpus/source.h"
#include "kernels/kernels.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/corpus/parquet_read.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- 1. Fixtures ---- */

static void test_fixtures(void **state)
{
    struct dataset dataset = fixture_fields();
    struct seen    want, got;
    struct err     err = { 0 };
    struct bytes   file = { 0 };
    DIR           *folder = opendir(GOLDEN);
    unsigned       files = 0;

    (void)state;
    assert_non_null(folder);
    assert_int_equal(read_path(&want, &dataset, GOLDEN "rows.jsonl", 0, &err), 0);
    assert_true(want.count > 30 && want.reject_count > 3);
    for (struct dirent *entry; (entry = readdir(folder)); ) {
        char path[512];

        if (!strstr(entry->d_name, "-v")) continue;
        files++;
        snprintf(path, sizeof path, GOLDEN "%s", entry->d_name);
        if (read_path(&got, &dataset, path, 0, &err) < 0) fail_msg("%s: %s", path, err.text);
        if (strcmp(got.records.at, want.records.at) != 0)
            fail_msg("%s: got\n%s\nrejects\n%s\nwant\n%s", path, got.records.at, got.rejects.at, want.records.at);
        assert_int_equal(got.reject_count, want.reject_count);
        assert_int_equal(got.reasons, 1u << REJECT_MISSING_FIELD);
        read_file(&file, path);
        assert_int_equal(got.xxh3, XXH3_64bits(file.at, file.len));
        seen_free(&got);
    }
    closedir(folder);
    assert_int_equal(files, 6 * 4 * 2);                     /* codecs, encodings, page versions */
    bytes_free(&file);
    seen_free(&want);
}

static void test_small_files(void **state)
{
    struct dataset dataset = fixture_fields();
    struct seen    one, all;
    struct err     err = { 0 };
    struct bytes   file = { 0 };

    (void)state;
    assert_int_equal(read_path(&one, &dataset, GOLDEN "empty.parquet", 0, &err), 0);
    assert_int_equal(one.count + one.reject_count, 0);
    read_file(&file, GOLDEN "empty.parquet");
    assert_int_equal(one.xxh3, XXH3_64bits(file.at, file.len));
    seen_free(&one);
    assert_int_equal(read_path(&one, &dataset, GOLDEN "one.parquet", 0, &err), 0);
    assert_int_equal(read_path(&all, &dataset, GOLDEN "rows.jsonl", 0, &err), 0);
    assert_int_equal(one.count, 1);
    assert_int_equal(one.reject_count, 0);
    assert_memory_equal(one.records.at, all.records.at, one.records.len - 1);
    seen_free(&one);
    seen_free(&all);
    bytes_free(&file);
}

/* Units and the largest record are those of every other source. */
static void test_units_and_limits(void **state)
{
    struct dataset dataset = fixture_fields();
    struct seen    all, cut;
    struct err     err = { 0 };

    (void)state;
    assert_int_equal(read_path(&all, &dataset, GOLDEN "zstd-plain-v1.parquet", 0, &err), 0);
    assert_int_equal(all.units, 1);
    assert_int_equal(read_path(&cut, &dataset, GOLDEN "zstd-plain-v1.parquet", 500, &err), 0);
    assert_true(cut.units > 5);
    assert_string_equal(cut.records.at, all.records.at);
    seen_free(&cut);
    dataset.max_record_bytes = 200;
    assert_int_equal(read_path(&cut, &dataset, GOLDEN "zstd-plain-v1.parquet", 0, &err), 0);
    assert_int_equal(cut.reasons, 1u << REJECT_TOO_LONG | 1u << REJECT_MISSING_FIELD);
    assert_int_equal(cut.count + cut.reject_count, all.count + all.reject_count);
    assert_true(cut.count > 5 && cut.count < all.count);
    seen_free(&cut);
    seen_free(&all);
}

/* What is asked for and cannot be had is told when the file is opened; what nobody asked for is nobody's trouble. */
static void test_columns(void **state)
{
    static const struct { enum field field; char *name; const char *word; } asked[] = {
        { FIELD_TEXT, "nothing", "the columns are idx, file.body" }, { FIELD_TEXT, "file", "a group" },
        { FIELD_TEXT, "tokens", "a list" }, { FIELD_TEXT, "tokens.list.item", "a list" },
        { FIELD_TOKENS, "tokens.list.item", NULL },
        { FIELD_PATH, "tokens", "a list" }, { FIELD_TOKENS, "path", "not a list" },
        { FIELD_ID, "repo.name", "a group" },
        { FIELD_ID, "nothing", NULL }, { FIELD_TOKENS, "nothing", NULL }, { FIELD_TEXT, "path", NULL },
        { FIELD_TEXT, "idx", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct dataset dataset = fixture_fields();
        struct seen    seen;
        struct err     err = { 0 };
        int            rc;

        dataset.fields[asked[i].field] = asked[i].name;
        rc = read_path(&seen, &dataset, GOLDEN "snappy-plain-v2.parquet", 0, &err);
        if (rc != (asked[i].word ? -EINVAL : 0)) fail_msg("%zu: %d %s", i, rc, err.text);
        if (asked[i].word && !strstr(err.text, asked[i].word)) fail_msg("%zu: %s", i, err.text);
        if (rc == 0) assert_true(seen.count > 20);
        if (rc == 0) seen_free(&seen);
    }
}

/* ---- 2. Damage ---- */

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

/* One byte wrong, anywhere: the run goes on, and a record lost is a reject.  (Pages that are not packed have no
 * checksum here, so a changed text is not noticed.) */
static void test_flipped_bytes(void **state)
{
    static const char *const names[] = { "plain-dictionary-v1", "snappy-delta-v1", "zstd-length-v2", "gzip-plain-v1",
                                         "lz4-dictionary-v2", "brotli-delta-v2" };
    struct dataset           dataset = fixture_fields();
    struct bytes             file = { 0 };
    unsigned                 rounds = getenv("LONG") && *getenv("LONG") ? 20000 : 700, rejects = 0, whole = 0;

    (void)state;
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        char path[256];

        snprintf(path, sizeof path, GOLDEN "%s.parquet", names[f]);
        read_file(&file, path);
        for (unsigned i = 0; i < rounds; i++) {
            size_t      at = random_below((uint32_t)file.len);
            char        old = file.at[at];
            struct err  err = { 0 };
            struct seen seen;

            file.at[at] = (char)(old ^ (1 << random_below(8)));
            if (read_bytes(&seen, &dataset, file.at, file.len, &err) == 0) {
                rejects += (seen.reasons & ~(1u << REJECT_MISSING_FIELD)) != 0;
                whole += seen.reasons == 1u << REJECT_MISSING_FIELD;
                seen_free(&seen);
                if (i % 8 == 0) check_parts_of_bytes(&dataset, file.at, file.len, 200 + 300 * random_below(8));
            }
            file.at[at] = old;
        }
    }
    assert_true(rejects > rounds && whole > rounds / 10);
    bytes_free(&file);
}

static void test_cut_files(void **state)
{
    struct dataset dataset = fixture_fields();
    struct bytes   file = { 0 };

    (void)state;
    read_file(&file, GOLDEN "zstd-dictionary-v1.parquet");
    for (size_t len = 4; len < file.len; len += 7) {
        struct err  err = { 0 };
        struct seen seen;

        assert_int_equal(read_bytes(&seen, &dataset, file.at, len, &err), 0);
        assert_int_equal(seen.count, 0);
        assert_int_equal(seen.reject_count, 1);
        assert_int_equal(seen.reasons, 1u << REJECT_TRUNCATED);
        assert_true(seen.lost == len + 1 && seen.missing == 1);         /* without the footer nothing is known */
        seen_free(&seen);
    }
    bytes_free(&file);
}

/* ---- 3. Files laid byte by byte ---- */

/* A file of one required column of strings (or the type given) called text, in one row group with one data page; what
 * is not set is as it should be. */
struct laid {
    int64_t      rows, group_rows, values, column_at, column_bytes, unpacked, packed, encoding, codec, type,
        page_values, kind, nodes, converted;
    struct slice page, dictionary, logical;                 /* logical: the union LogicalType as it is written */
    int64_t      fixed;                                     /* bytes of a value of PARQUET_FIXED */
    unsigned     nested;                                    /* lists in lists in an unknown field */
    bool         no_groups, no_columns, crc, optional, encrypted;
    unsigned     empty;                                     /* row groups without rows, before the other */
    const char  *created_by;
    int64_t      column_short;                              /* what the column's bytes lack */
};

static void put_page(struct bytes *out, const struct laid *laid, struct slice page, int64_t kind, int64_t values)
{
    put_int(out, 1, kind);
    put_int(out, 1, laid->unpacked && kind != 2 ? laid->unpacked : (int64_t)page.len);
    put_int(out, 1, laid->packed && kind != 2 ? laid->packed : (int64_t)page.len);
    if (laid->crc) put_int(out, 1, (int32_t)parquet_crc32(page.at, page.len));
    put_byte(out, (unsigned)(kind == 2 ? 7 - 3 - laid->crc : 5 - 3 - laid->crc) << 4 | 12);
    put_int(out, 1, values);
    put_int(out, 1, kind == 2 ? 0 : laid->encoding);
    if (kind == 0) put_int(out, 1, 3);
    if (kind == 0) put_int(out, 1, 3);
    put_byte(out, 0);
    put_byte(out, 0);
    put(out, page.at, page.len);
}

static void lay(struct bytes *out, const struct laid *laid)
{
    int64_t  rows = laid->rows ? laid->rows : 2, values = laid->values ? laid->values : rows;
    size_t   page_at, data_at, footer_at;
    uint32_t len;

    out->len = 0;
    put(out, "PAR1", 4);
    page_at = out->len;
    if (laid->dictionary.len) put_page(out, laid, laid->dictionary, 2, 2);
    data_at = out->len;
    put_page(out, laid, laid->page, laid->kind, laid->page_values ? laid->page_values : values);
    footer_at = out->len;
    put_int(out, 1, 1);
    put_byte(out, 0x19);                                    /* 2: schema */
    put_byte(out, (laid->no_columns ? 1u : 2u) << 4 | 12);
    put_byte(out, 0x48);                                    /* 4: name */
    put_text(out, "root");
    put_int(out, 1, laid->nodes ? laid->nodes : !laid->no_columns);
    put_byte(out, 0);
    if (!laid->no_columns) {
        put_int(out, 1, laid->type ? laid->type : PARQUET_BYTE_ARRAY);
        if (laid->type == PARQUET_FIXED) put_int(out, 1, laid->fixed);
        put_int(out, laid->type == PARQUET_FIXED ? 1 : 2, laid->optional);
        put_byte(out, 0x18);
        put_text(out, "text");
        if (laid->converted) put_int(out, 2, laid->converted);
        if (laid->logical.len) put_byte(out, (laid->converted ? 4u : 6u) << 4 | 12);
        put(out, laid->logical.at, laid->logical.len);
        put_byte(out, 0);
    }
    put_int(out, 1, rows);
    put_byte(out, 0x19);                                    /* 4: row groups */
    put_byte(out, (laid->no_groups ? 0u : laid->empty + 1) << 4 | 12);
    for (unsigned g = 0; g < laid->empty; g++) {
        put(out, "\x19\x1C\x26\0\x1C", 5);                 /* 1: columns, 2: offset, 3: their metadata */
        put_int(out, 1, PARQUET_BYTE_ARRAY);
        put_int(out, 3, 0);
        put_int(out, 1, 0);                                 /* values, bytes, offset */
        put_int(out, 2, 0);
        put_int(out, 2, 0);
        put(out, "\0\0", 2);
        put_int(out, 1, 0);
        put_int(out, 1, 0);
        put_byte(out, 0);
    }
    if (!laid->no_groups) {
        put_byte(out, 0x19);                                /* 1: columns */
        put_byte(out, 1 << 4 | 12);
        put_int(out, 2, 0);
        put_byte(out, 0x1C);                                /* 3: their metadata */
        put_int(out, 1, laid->type ? laid->type : PARQUET_BYTE_ARRAY);
        put_int(out, 3, laid->codec);
        put_int(out, 1, values);
        put_int(out, 1, 100);
        put_int(out, 1, laid->column_bytes ? laid->column_bytes : (int64_t)(footer_at - page_at) -
                laid->column_short);
        put_int(out, 2, laid->column_at ? laid->column_at : (int64_t)data_at);
        if (laid->dictionary.len) put_int(out, 2, (int64_t)page_at);
        put_byte(out, 0);
        if (laid->encrypted) put(out, "\x5C\0", 2);         /* 8: crypto metadata */
        put_byte(out, 0);
        put_int(out, 1, 100);
        put_int(out, 1, laid->group_rows ? laid->group_rows : rows);
        put_byte(out, 0);
    }
    if (laid->created_by) {
        put_byte(out, 0x28);                                /* 6 */
        put_text(out, laid->created_by);
    }
    if (laid->nested) {
        put_byte(out, 0x19);
        for (unsigned i = 0; i < laid->nested; i++) put_byte(out, 0x19);
        put_byte(out, 0x03);
    }
    put_byte(out, 0);
    len = (uint32_t)(out->len - footer_at);
    put(out, &len, 4);
    put(out, "PAR1", 4);
}

#define TWO { "\1\0\0\0a\2\0\0\0bc", 11 }

static void test_lies(void **state)
{
    static const struct { struct laid laid; unsigned count; int reason; const char *word; } files[] = {
        { { .page = TWO }, 2, -1, "" },
        { { .page = TWO, .crc = true }, 2, -1, "" },
        { { .page = TWO, .empty = 1 }, 2, -1, "" },
        { { .page = TWO, .empty = 5 }, 2, -1, "" },
        { { .page = TWO, .nested = 20 }, 2, -1, "" },
        { { .page = TWO, .nested = 100000 }, 0, REJECT_CORRUPT, "footer" },
        { { .page = TWO, .no_groups = true }, 0, REJECT_CORRUPT, "counts 2 rows" },
        { { .page = TWO, .no_columns = true }, 0, REJECT_CORRUPT, "without columns" },
        { { .page = TWO, .nodes = 3 }, 0, REJECT_CORRUPT, "more columns" },
        { { .page = TWO, .nodes = -1 }, 0, REJECT_CORRUPT, "fewer than no" },
        { { .page = TWO, .column_at = 1ll << 40 }, 0, REJECT_CORRUPT, "not lie inside" },
        { { .page = TWO, .column_at = -5 }, 0, REJECT_CORRUPT, "not lie inside" },
        { { .page = TWO, .column_bytes = 1ll << 40 }, 0, REJECT_CORRUPT, "not lie inside" },
        { { .page = TWO, .column_bytes = -1 }, 0, REJECT_CORRUPT, "not lie inside" },
        { { .page = TWO, .column_bytes = 3 }, 0, REJECT_CORRUPT, "ends before" },
        { { .page = TWO, .group_rows = 1 }, 0, REJECT_CORRUPT, "number of values" },
        { { .page = TWO, .rows = 1ll << 40 }, 0, REJECT_CORRUPT, "own header" },
        { { .page = TWO, .rows = 1ll << 40, .page_values = 2 }, 2, REJECT_CORRUPT, "ends before" },
        { { .page = TWO, .page_values = 1000 }, 0, REJECT_CORRUPT, "more values" },
        { { .page = TWO, .page_values = 1 }, 1, REJECT_CORRUPT, "ends before" },
        { { .page = TWO, .page_values = -7 }, 0, REJECT_CORRUPT, "own header" },
        { { .page = TWO, .rows = 3 }, 2, REJECT_CORRUPT, "run past" },
        { { .page = TWO, .unpacked = 1ll << 31 }, 0, REJECT_CORRUPT, "impossible size" },
        { { .page = TWO, .packed = 1ll << 31 }, 0, REJECT_CORRUPT, "impossible size" },
        { { .page = TWO, .packed = -1 }, 0, REJECT_CORRUPT, "impossible size" },
        { { .page = TWO, .unpacked = 0x7FFFFFFF }, 0, REJECT_RATIO, "max_ratio" },
        { { .page = TWO, .unpacked = 12 }, 0, REJECT_CORRUPT, "broken" },
        { { .page = TWO, .kind = 5 }, 0, REJECT_CORRUPT, "unknown kind" },
        { { .page = TWO, .encoding = 77 }, 0, REJECT_UNREADABLE, "encoding 77" },
        { { .page = TWO, .encoding = 8 }, 0, REJECT_CORRUPT, "index" },
        { { .page = { "\1\4\0", 3 }, .encoding = 8, .dictionary = TWO }, 2, -1, "" },
        { { .page = { "\1\2\0\2\1", 5 }, .encoding = 8, .dictionary = TWO }, 2, -1, "" },
        { { .page = { "\1\4\0", 3 }, .encoding = 8, .dictionary = TWO, .column_short = 13,
            .created_by = "parquet-mr version 1.2.8 (build abc)" }, 2, -1, "" },
        { { .page = { "\1\4\0", 3 }, .encoding = 8, .dictionary = TWO, .column_short = 13,
            .created_by = "parquet-mr version 1.2.9" }, 0, REJECT_CORRUPT, "" },
        { { .page = { "\1\4\0", 3 }, .encoding = 8, .dictionary = TWO, .column_short = 13,
            .created_by = "parquet-cpp version 1.0.0" }, 0, REJECT_CORRUPT, "" },
        { { .page = { "\2\4\3", 3 }, .encoding = 8, .dictionary = TWO }, 0, REJECT_CORRUPT, "index 3 of 2" },
        { { .page = { "\x21\4\0\0\0\0\0", 7 }, .encoding = 8, .dictionary = TWO }, 0, REJECT_CORRUPT, "width" },
        { { .page = { "\1\2\0", 3 }, .encoding = 8, .dictionary = TWO }, 1, REJECT_CORRUPT, "run past" },
        { { .page = { "\1\3", 2 }, .encoding = 8, .dictionary = TWO }, 0, REJECT_CORRUPT, "run past" },
        { { .page = { "\0", 1 }, .encoding = 8, .dictionary = TWO, .rows = 1 << 30 }, 1 << 22, REJECT_RATIO,
          "max_ratio" },
        { { .page = { "\0", 1 }, .encoding = 8, .dictionary = { "\1\0\0\0a\2\0\0\0b", 10 } }, 0, REJECT_CORRUPT,
          "inside a value" },
        { { .page = { "\2\0\0\0\4\0\1\0\0\0a", 11 }, .optional = true }, 0, -1, "" },
        { { .page = { "\2\0\0\0\4\1\1\0\0\0a\1\0\0\0b", 16 }, .optional = true }, 2, -1, "" },
        { { .page = { "\2\0\0\0\4\2\1\0\0\0a", 11 }, .optional = true }, 0, REJECT_CORRUPT, "level that is none" },
        { { .page = { "\2\0\0\0\2\1\1\0\0\0a", 11 }, .optional = true }, 1, REJECT_CORRUPT, "run past" },
        { { .page = { "\x20\0\0\0\2\1\1\0\0\0a", 11 }, .optional = true }, 0, REJECT_CORRUPT, "longer than" },
        { { .page = { "\x80\1\4\2\2\0\0\0\0\0ab", 12 }, .encoding = 6 }, 2, -1, "" },
        { { .page = { "\x80\1\4\2\xFE\1\0\0\0\0\0ab", 13 }, .encoding = 6 }, 0, REJECT_CORRUPT, "run past" },
        { { .page = { "\x80\1\0\2\2", 5 }, .encoding = 6 }, 0, REJECT_CORRUPT, "damaged encoding" },
        { { .page = { "\x80\1\4\xFF\xFF\xFF\xFF\x0F\2\0\0\0\0\0", 14 }, .encoding = 6 }, 0, REJECT_CORRUPT,
          "damaged encoding" },
        { { .page = { "\x80\1\4\2\2\2\x41\0\0\0ab", 12 }, .encoding = 6 }, 0, REJECT_CORRUPT, "damaged encoding" },
        { { .page = { "\x80\1\4\2\2\0\0\0\0\0\x80\1\4\2\2\0\0\0\0\0ab", 22 }, .encoding = 7 }, 0, REJECT_CORRUPT,
          "run past" },
        { { .page = TWO, .encoding = 5 }, 0, REJECT_CORRUPT, "another type" },
        { { .page = TWO, .codec = 1 }, 0, REJECT_CORRUPT, "snappy" },
        { { .page = TWO, .codec = 2 }, 0, REJECT_CORRUPT, "gzip" },
        { { .page = TWO, .codec = 4 }, 0, REJECT_CORRUPT, "brotli" },
        { { .page = TWO, .codec = 6 }, 0, REJECT_CORRUPT, "zstd" },
        { { .page = TWO, .codec = 7 }, 0, REJECT_CORRUPT, "lz4" },
    };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err  err = { 0 };
        struct seen seen;

        lay(&file, &files[i].laid);
        if (read_bytes(&seen, &dataset, file.at, file.len, &err) < 0) fail_msg("%zu: %s", i, err.text);
        if (files[i].laid.optional && files[i].count == 0 && files[i].reason < 0) {
            assert_int_equal(seen.reasons, 1u << REJECT_MISSING_FIELD);         /* nulls, which are no damage */
            assert_int_equal(seen.reject_count, 2);
        } else {
            if (seen.reasons != (files[i].reason < 0 ? 0 : 1u << files[i].reason) ||
                !strstr(seen.rejects.at, files[i].word))
                fail_msg("%zu: %llu records; %s", i, (unsigned long long)seen.count, seen.rejects.at);
            if (files[i].reason == REJECT_RATIO && files[i].count)
                assert_in_range(seen.count, files[i].count / 2, files[i].count * 2);
            else assert_int_equal(seen.count, files[i].count);
            /* its row group's, and that the footer counts another row */
            assert_int_equal(seen.reject_count, (files[i].reason >= 0) + (files[i].laid.group_rows > 0));
        }
        seen_free(&seen);
    }
    bytes_free(&file);
}

static void test_refused(void **state)
{
    static const struct { struct laid laid; const char *word; } files[] = {
        { { .page = TWO, .codec = 3 }, "LZO" },     { { .page = TWO, .codec = 5 }, "Hadoop" },
        { { .page = TWO, .codec = 99 }, "99" },     { { .page = TWO, .encrypted = true }, "encrypted" },
        { { .page = TWO, .type = PARQUET_INT96 }, "96 bits" },
        { { .page = TWO, .converted = 5 }, "datasets.d.fields.text: column text is of the type DECIMAL" },
        { { .page = TWO, .type = PARQUET_INT64, .logical = { "\x5C\x15\4\x15\x12\0\0", 7 } }, "DECIMAL" },
        { { .page = TWO, .type = PARQUET_FIXED, .fixed = 16, .logical = { "\xEC\0\0", 3 } }, "UUID" },
        { { .page = TWO, .type = PARQUET_FIXED, .fixed = 2, .logical = { "\xFC\0\0", 3 } }, "FLOAT16" },
        { { .page = TWO, .type = PARQUET_FIXED, .fixed = 12, .converted = 21 }, "INTERVAL" },
        { { .page = TWO, .type = PARQUET_INT32, .converted = 7 }, "TIME" },
        { { .page = TWO, .converted = 20 }, "BSON" },
    };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 };
    struct seen    seen;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err err = { 0 };

        lay(&file, &files[i].laid);
        assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), -EINVAL);
        if (!strstr(err.text, files[i].word)) fail_msg("%zu: %s", i, err.text);
    }
    for (int i = 0; i < 3; i++) {
        static const char *const words[] = { "encrypted", "encrypted", "lines" };
        struct dataset           lines = { .name = (char[]){ "d" }, .format = i == 2 ? FORMAT_LINES : FORMAT_AUTO };
        struct err               err = { 0 };

        lay(&file, &(struct laid){ .page = TWO });
        if (i < 2) memcpy(i ? file.at : file.at + file.len - 4, "PARE", 4);
        assert_int_equal(read_bytes(&seen, &lines, file.at, file.len, &err), -EINVAL);
        if (!strstr(err.text, words[i])) fail_msg("%d: %s", i, err.text);
    }
    bytes_free(&file);
}

/* A checksum that is there is looked at: the page's only protection when it is not packed. */
static void test_checksum(void **state)
{
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 };
    struct err     err = { 0 };
    struct seen    seen;
    char          *at;

    (void)state;
    lay(&file, &(struct laid){ .page = TWO, .crc = true });
    at = memmem(file.at, file.len, "bc", 2);
    *at = 'x';
    assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
    assert_non_null(strstr(seen.rejects.at, "checksum"));
    seen_free(&seen);
    bytes_free(&file);
}

/* A damaged row group costs its rows, not those behind it. */
static void test_next_group(void **state)
{
    struct dataset dataset = fixture_fields();
    struct bytes   file = { 0 };
    struct err     err = { 0 };
    struct seen    whole, seen;
    char          *page;

    (void)state;
    read_file(&file, GOLDEN "zstd-plain-v1.parquet");
    assert_int_equal(read_bytes(&whole, &dataset, file.at, file.len, &err), 0);
    page = memmem(file.at, file.len, "\x28\xB5\x2F\xFD", 4);
    /* of idx in the first row group: 15 rows, of which 2 have no text */
    assert_non_null(page);
    *page ^= 0x10;
    assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT | 1u << REJECT_MISSING_FIELD);
    assert_int_equal(strncmp(seen.rejects.at,
                             "0 @4 corrupt parquet: broken zstd data: page at byte 4, column idx\n", 67), 0);
    /* the share of the file that its rows are of all */
    assert_true(seen.lost == 15 * file.len / (whole.count + whole.rejected) && seen.missing == 0 && whole.lost == 0);
    assert_int_equal(seen.count, whole.count - 13);
    assert_int_equal(seen.reject_count, whole.reject_count - 2 + 1);
    assert_int_equal(seen.rejected, 15 + whole.reject_count - 2);
    assert_int_equal(seen.count + seen.rejected, whole.count + whole.rejected);
    /* and have the numbers that they would have */
    assert_string_equal(seen.records.at, strstr(whole.records.at, "15 text="));
    seen_free(&seen);
    seen_free(&whole);
    bytes_free(&file);
}

/* Dates and timestamps are ISO 8601, whichever way the column says what it is. */
static void test_times(void **state)
{
    static const struct { struct laid laid; const char *text; } files[] = {
        { { .rows = 2, .type = PARQUET_INT32, .converted = 6, .page = { "\x46\x4D\0\0\xFF\xFF\xFF\xFF", 8 } },
          "0 text=2024-02-29\n1 text=1969-12-31\n" },
        { { .rows = 1, .type = PARQUET_INT32, .logical = { "\x6C\0\0", 3 }, .page = { "\x30\x5D\xF5\xFF", 4 } },
          "0 text=0061-07-27\n" },
        { { .rows = 1, .type = PARQUET_INT64, .logical = { "\x8C\x11\x1C\x1C\0\0\0\0", 8 },
            .page = { "\x7B\xE0\xA6\x9A\xDD\x00\x00\x00", 8 } },
          "0 text=2000-02-29T00:00:00.123Z\n" },
        { { .rows = 1, .type = PARQUET_INT64, .logical = { "\x8C\x12\x1C\x2C\0\0\0\0", 8 },
            .page = { "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8 } },
          "0 text=1969-12-31T23:59:59.999999\n" },
        { { .rows = 1, .type = PARQUET_INT64, .converted = 9, .page = { "\0\0\0\0\0\0\0\x80", 8 } },
          "0 text=-292275055-05-16T16:47:04.192Z\n" },
        /* no date has 64 bits */
        { { .rows = 1, .type = PARQUET_INT64, .converted = 6, .page = { "\1\0\0\0\0\0\0\0", 8 } }, "0 text=1\n" },
    };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err  err = { 0 };
        struct seen seen;

        lay(&file, &files[i].laid);
        assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
        assert_string_equal(seen.records.at, files[i].text);
        seen_free(&seen);
    }
    bytes_free(&file);
}

/* Texts in large pages are pointed to: they outlive the source, while it goes on to other pages. */
static void test_held(void **state)
{
    enum { ROWS = 3000, BATCHES = 64 };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 }, page = { 0 }, dictionary = { 0 }, text = { 0 };
    struct batch   batch[BATCHES] = { 0 };
    struct err     err = { 0 };
    struct record  record;
    uint32_t       len;

    (void)state;
    for (unsigned form = 0; form < 2; form++) {
        struct shard   shard = { .name = (char[]){ "a.parquet" } };
        struct source *source;
        char           path[64];
        int            fd = memfd_create("shard", MFD_CLOEXEC), rc;
        size_t         batches = 0, row = 0;

        page.len = dictionary.len = 0;
        for (unsigned i = 0; i < (form ? 2u : ROWS); i++) {
            text.len = 0;
            for (unsigned k = 0; k < (form ? 300u : 1u); k++)
                bytes_printf(&text, "%u:%*u ", i, (int)((i + 1) * 7919 % 2000), k);
            len = (uint32_t)text.len;
            put(form ? &dictionary : &page, &len, sizeof len);
            put(form ? &dictionary : &page, text.at, text.len);
        }
        if (form) put(&page, "\1\x08\0\x08\1", 5);         /* four rows of the one value, four of the other */
        lay(&file, &(struct laid){ .rows = form ? 8 : ROWS, .page = bytes_slice(&page), .encoding = form ? 8 : 0,
                                   .dictionary = bytes_slice(&dictionary) });
        assert_true(fd >= 0 && write(fd, file.at, file.len) == (ssize_t)file.len);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        shard.path = path;
        dataset.max_ratio = 1000000;
        assert_int_equal(source_open(&source, &dataset, &shard, &err), 0);
        while ((rc = source_next(source, &batch[batches], &err)) > 0)
            assert_true(batch[batches++].held != NULL && batches < BATCHES);
        assert_int_equal(rc, 0);
        assert_true(batches > 1);
        source_close(source);
        for (size_t b = 0; b < batches; b++) {
            while ((rc = batch_next(&batch[b], &record, &err)) > 0) {
                unsigned i = (unsigned)(form ? row / 4 : row);

                text.len = 0;
                for (unsigned k = 0; k < (form ? 300u : 1u); k++)
                    bytes_printf(&text, "%u:%*u ", i, (int)((i + 1) * 7919 % 2000), k);
                assert_int_equal(record.number, row);
                assert_int_equal(record.text.len, text.len);
                assert_memory_equal(record.text.at, text.at, text.len);
                row++;
            }
            assert_int_equal(rc, 0);
        }
        assert_int_equal(row, form ? 8 : ROWS);
        close(fd);
    }
    for (size_t b = 0; b < BATCHES; b++) batch_free(&batch[b]);
    bytes_free(&file);
    bytes_free(&page);
    bytes_free(&dictionary);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures), cmocka_unit_test(test_small_files), cmocka_unit_test(test_units_and_limits),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_cut_files), cmocka_unit_test(test_lies),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_checksum), cmocka_unit_test(test_next_group),
        cmocka_unit_test(test_flipped_bytes), cmocka_unit_test(test_times), cmocka_unit_test(test_held),
    };

    kernels = kernels_select(kernels_cpu(), NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
