/* tests/unit/corpus/source.c -- shards of every kind and codec, whole, cut and damaged, read to the end. */
#include "corpus/record.h"
#include "corpus/source.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char     folder[64];                                 /* everything is written below it */
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *at, size_t len)
{
    FILE *out = fopen(path_of(name), "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(at, 1, len, out), len);
    assert_int_equal(fclose(out), 0);
}

/* ---- packing ---- */

static void pack_zstd(struct bytes *out, const char *at, size_t len, int level)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t     room = ZSTD_compressBound(len), got;

    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    assert_int_equal(bytes_reserve(out, out->len + room), 0);
    got = ZSTD_compress2(context, out->at + out->len, room, at, len);
    assert_false(ZSTD_isError(got));
    out->len += got;
    ZSTD_freeCCtx(context);
}

/* One gzip member; rich: with every optional part of a header. */
static void pack_gzip(struct bytes *out, const char *at, size_t len, bool rich)
{
    unsigned char extra[300] = { 'x' };
    gz_header     header = { .extra = extra, .extra_len = sizeof extra, .name = (Bytef *)"name",
                             .comment = (Bytef *)"comment", .hcrc = 1 };
    z_stream      stream = { 0 };

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    if (rich) assert_int_equal(deflateSetHeader(&stream, &header), Z_OK);
    assert_int_equal(bytes_reserve(out, out->len + len + 1000), 0);
    stream.next_in = (Bytef *)(uintptr_t)at;
    stream.avail_in = (uInt)len;
    stream.next_out = (Bytef *)out->at + out->len;
    stream.avail_out = (uInt)(len + 1000);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out->len += stream.total_out;
    deflateEnd(&stream);
}

static la_ssize_t take_packed(struct archive *archive, void *out, const void *at, size_t len)
{
    (void)archive;
    return bytes_append(out, at, len) < 0 ? -1 : (la_ssize_t)len;
}

typedef int add_filter(struct archive *);

static void pack_filter(struct bytes *out, const char *at, size_t len, add_filter *filter)
{
    struct archive       *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    assert_int_equal(filter(archive), ARCHIVE_OK);
    archive_write_set_format_raw(archive);
    archive_write_set_bytes_in_last_block(archive, 1);
    archive_write_set_filter_option(archive, NULL, "compression-level", "1");
    assert_int_equal(archive_write_open(archive, out, NULL, take_packed, NULL), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    if (len) assert_int_equal(archive_write_data(archive, at, len), len);
    archive_entry_free(entry);
    archive_write_close(archive);
    archive_write_free(archive);
}

struct member { const char *path, *text; size_t len; mode_t type; const char *link; };

static void pack_members(struct bytes *out, const struct member *member, size_t count, add_filter *format,
                         add_filter *filter)
{
    struct archive *archive = archive_write_new();

    assert_int_equal(format(archive), ARCHIVE_OK);
    if (filter) assert_int_equal(filter(archive), ARCHIVE_OK);
    archive_write_set_bytes_in_last_block(archive, 1);
    assert_int_equal(archive_write_open(archive, out, NULL, take_packed, NULL), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *entry = archive_entry_new();

        archive_entry_copy_pathname(entry, member[i].path);
        archive_entry_set_filetype(entry, member[i].type ? member[i].type : AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)member[i].len);
        if (member[i].link && member[i].type == AE_IFLNK) archive_entry_set_symlink(entry, member[i].link);
        else if (member[i].link) archive_entry_set_hardlink(entry, member[i].link);
        if (archive_write_header(archive, entry) >= ARCHIVE_WARN && member[i].len)
            assert_int_equal(archive_write_data(archive, member[i].text, member[i].len), member[i].len);
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
}

/* ---- reading ---- */

/* What a shard gave: one line for each record (number, byte, path, text) and for each reject (number, byte, reason). */
struct seen {
    struct bytes records, rejects;
    uint64_t     record_count, reject_count, counted, xxh3;
    size_t       batches, empty, room;                      /* room: of the largest batch */
    uint32_t     units;
    char         detail[104];                               /* of the last reject */
    unsigned     reasons;                                   /* bit r: some reject has reason r */
};

static void seen_free(struct seen *seen)
{
    bytes_free(&seen->records);
    bytes_free(&seen->rejects);
}

static int read_shard(struct seen *seen, const struct dataset *dataset, const struct shard *shard, uint64_t unit_bytes,
                      struct err *err)
{
    struct source *source;
    struct batch   batch = { 0 };
    struct record  record;
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, shard, err);

    *seen = (struct seen){ 0 };
    if (rc < 0) return rc;
    if (unit_bytes) source_set_unit_bytes(source, unit_bytes);
    else unit_bytes = SOURCE_UNIT_BYTES;
    while ((rc = source_next(source, &batch, err)) > 0) {
        uint64_t used = 0;

        if (batch.record_count) {
            assert_true(batch.unit + 1 >= seen->units);     /* units never decrease */
            if (batch.unit + 1 > seen->units) seen->units = batch.unit + 1;
        } else {
            assert_int_equal(batch.rejects.count, 0);
            assert_int_equal(batch.unit + 1, seen->units ? seen->units : 1);
            seen->empty++;
        }
        assert_int_equal(batch.first_record, next);
        next += batch.record_count;
        while ((rc = batch_next(&batch, &record, err)) > 0) {
            assert_int_equal(record.byte / unit_bytes, batch.unit);
            assert_in_range(record.number, batch.first_record, batch.first_record + batch.record_count - 1);
            assert_int_equal(bytes_printf(&seen->records, "%llu %llu %.*s ", (unsigned long long)record.number,
                                          (unsigned long long)record.byte,
                                          record.json ? 0 : (int)record.raw[FIELD_PATH].len, record.raw[FIELD_PATH].at
                                              ? record.raw[FIELD_PATH].at : ""), 0);
            bytes_append_slice(&seen->records, record.text);
            bytes_append(&seen->records, "\n", 1);
            used++;
        }
        assert_int_equal(rc, 0);
        assert_int_equal(used + batch.rejects.count, batch.record_count);       /* nothing is lost in silence */
        for (size_t i = 0; i < batch.rejects.count; i++) {
            const struct reject *reject = &batch.rejects.at[i];

            assert_in_range(reject->record, batch.first_record, batch.first_record + batch.record_count - 1);
            bytes_printf(&seen->rejects, "%llu %llu %s\n", (unsigned long long)reject->record,
                         (unsigned long long)reject->byte, reject_names[reject->reason]);
            seen->reasons |= 1u << reject->reason;
            memcpy(seen->detail, reject->detail, sizeof seen->detail);
        }
        seen->record_count += used;
        seen->reject_count += batch.rejects.count;
        seen->batches++;
        if (batch.raw.room > seen->room) seen->room = batch.raw.room;
    }
    if (rc == 0) {
        seen->xxh3 = source_xxh3(source);
        if (!shard->tree) assert_int_equal(source_bytes_read(source), shard->bytes);
    }
    batch_free(&batch);
    source_close(source);
    return rc;
}

/* Writes the bytes as a file of that name, reads it as a shard. */
static void read_bytes(struct seen *seen, const struct dataset *dataset, const char *name, const void *at, size_t len)
{
    char         path[256];
    struct shard shard = { .path = path, .name = (char *)(uintptr_t)name, .bytes = len };
    struct err   err = { 0 };

    write_file(name, at, len);
    snprintf(path, sizeof path, "%s", path_of(name));
    if (read_shard(seen, dataset, &shard, 0, &err) < 0) fail_msg("%s: %s", name, err.text);
    assert_true(seen->xxh3 == XXH3_64bits(at, len));
}

static void assert_same(const struct bytes *got, const struct bytes *want, const char *what)
{
    if (got->len != want->len || (got->len && memcmp(got->at, want->at, got->len)))
        fail_msg("%s: %zu bytes said, %zu wanted", what, got->len, want->len);
}

static void assert_text(const struct bytes *got, const char *want)
{
    if (got->len != strlen(want) || (got->len && memcmp(got->at, want, got->len)))
        fail_msg("said:\n%.*swanted:\n%s", (int)got->len, got->at ? got->at : "", want);
}

static void make_lines(struct bytes *out, int count)
{
    for (int i = 0; i < count; i++) {
        bytes_printf(out, "{\"id\":%d,\"text\":\"line %d", i, i);
        for (uint32_t n = random_below(20); n; n--) bytes_printf(out, " word%u\\n", random_below(1000));
        bytes_printf(out, "\"}\n");
    }
}

/* ---- codecs ---- */

static void test_codecs(void **state)
{
    static add_filter *const filters[] = { archive_write_add_filter_xz, archive_write_add_filter_bzip2,
                                           archive_write_add_filter_lz4,
                                           archive_write_add_filter_lzip, archive_write_add_filter_compress };
    static const char *const names[] = { "a.xz", "a.bz2", "a.lz4", "a.lz", "a.Z" };
    const struct dataset     dataset = { 0 };
    struct bytes             text = { 0 }, packed = { 0 };
    struct seen              plain, seen;
    size_t                   half;

    (void)state;
    make_lines(&text, 12000);
    half = text.len / 2;
    read_bytes(&plain, &dataset, "a.jsonl", text.at, text.len);
    assert_int_equal(plain.record_count, 12000);
    assert_int_equal(plain.reject_count, 0);
    assert_true(plain.batches > 1);
    for (int form = 0; form < 8; form++) {
        packed.len = 0;
        if (form == 0) pack_zstd(&packed, text.at, text.len, 3);
        if (form == 1) {                                    /* frames, one of them empty, and skippable frames around */
            bytes_append(&packed, "\x51\x2A\x4D\x18\3\0\0\0abc", 11);
            pack_zstd(&packed, text.at, half, 1);
            pack_zstd(&packed, text.at, 0, 1);
            bytes_append(&packed, "\x5F\x2A\x4D\x18\0\0\0\0", 8);
            pack_zstd(&packed, text.at + half, text.len - half, 5);
        }
        if (form == 2) pack_gzip(&packed, text.at, text.len, false);
        if (form == 3) pack_gzip(&packed, text.at, text.len, true);
        if (form == 4) {
            pack_gzip(&packed, text.at, half, true);
            pack_gzip(&packed, text.at, 0, false);
            pack_gzip(&packed, text.at + half, text.len - half, false);
        }
        if (form == 5) {                                    /* padded, as on tapes */
            pack_gzip(&packed, text.at, text.len, false);
            for (int i = 0; i < 1000; i++) bytes_append(&packed, "", 1);
        }
        if (form == 6)                                      /* many members, as bgzip makes them */
            for (size_t at = 0; at < text.len; at += 5000)
                pack_gzip(&packed, text.at + at, text.len - at < 5000 ? text.len - at : 5000, at % 2);
        if (form == 7) {
            pack_filter(&packed, text.at, half, archive_write_add_filter_xz);
            pack_filter(&packed, text.at + half, text.len - half, archive_write_add_filter_xz);
        }
        read_bytes(&seen, &dataset, "a", packed.at, packed.len);
        assert_same(&seen.records, &plain.records, form < 2 ? "zstd" : form < 7 ? "gzip" : "xz");
        assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    for (size_t i = 0; i < 5; i++) {
        packed.len = 0;
        pack_filter(&packed, text.at, text.len, filters[i]);
        read_bytes(&seen, &dataset, names[i], packed.at, packed.len);
        assert_same(&seen.records, &plain.records, names[i]);
        assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    /* Garbage behind a stream is said, and costs no record. */
    for (int form = 0; form < 2; form++) {
        packed.len = 0;
        if (form) pack_gzip(&packed, text.at, text.len, false);
        else pack_zstd(&packed, text.at, text.len, 3);
        bytes_append(&packed, "garbage", 7);
        read_bytes(&seen, &dataset, "a", packed.at, packed.len);
        assert_same(&seen.records, &plain.records, "garbage");
        assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
        seen_free(&seen);
    }
    seen_free(&plain);
    bytes_free(&text);
    bytes_free(&packed);
}

/* ---- archives ---- */

static const struct member members[] = {
    { "src", NULL, 0, AE_IFDIR, NULL },
    { "src/b.c", "int b;\n", 7, 0, NULL },
    { "src/link.c", NULL, 0, AE_IFLNK, "b.c" },
    { "src/empty.c", "", 0, 0, NULL },
    { "src/a.c", "int a;", 6, 0, NULL },
    { "picture", "\x89PNG\0\0", 6, 0, NULL },
    { "caf\xC3\xA9.c", "int c;\n", 7, 0, NULL },
};

static const char member_records[] =
    "0 0 src/b.c int b;\n\n1 7 src/empty.c \n2 7 src/a.c int a;\n4 19 caf\xC3\xA9.c int c;\n\n";
static const char member_rejects[] = "3 4 invalid-utf8\n";

static void test_archives(void **state)
{
    static const struct { const char *name; add_filter *format, *filter; } forms[] = {
        { "a.tar", archive_write_set_format_ustar, NULL },
        { "b.tar", archive_write_set_format_gnutar, NULL },
        { "c.tar", archive_write_set_format_pax, NULL },
        { "d.tar", archive_write_set_format_v7tar, NULL },
        { "a.tgz", archive_write_set_format_ustar, archive_write_add_filter_gzip },
        { "a.tar.zst", archive_write_set_format_pax, archive_write_add_filter_zstd },
        { "a.tar.xz", archive_write_set_format_ustar, archive_write_add_filter_xz },
        { "a.tar.bz2", archive_write_set_format_ustar, archive_write_add_filter_bzip2 },
        { "a.zip", archive_write_set_format_zip, NULL },
        { "named.jsonl", archive_write_set_format_zip, NULL },
    };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        packed.len = 0;
        pack_members(&packed, members, sizeof members / sizeof *members, forms[i].format, forms[i].filter);
        read_bytes(&seen, &dataset, forms[i].name, packed.at, packed.len);
        if (seen.reject_count != 1) fail_msg("%s: %.*s", forms[i].name, (int)seen.rejects.len, seen.rejects.at);
        assert_text(&seen.records, member_records);
        assert_text(&seen.rejects, member_rejects);
        seen_free(&seen);
    }
    bytes_free(&packed);
}

/* libarchive's writer of 7z wants a file to seek in. */
static void test_7zip(void **state)
{
    static const char *const names[] = { "0.c", "1.c", "2.c" };
    struct archive          *archive = archive_write_new();
    struct dataset           dataset = { 0 };
    char                     path[256], name[] = "made.7z";
    struct shard             shard = { .path = path, .name = name };
    struct seen              seen;
    struct stat              st;
    struct err               err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    archive_write_set_format_7zip(archive);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (int i = 0; i < 3; i++) {
        struct archive_entry *entry = archive_entry_new();

        archive_entry_copy_pathname(entry, names[i]);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, 4);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(archive, "abc\n", 4), 4);
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    assert_int_equal(stat(path, &st), 0);
    shard.bytes = (uint64_t)st.st_size;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.records, "0 0 0.c abc\n\n1 4 1.c abc\n\n2 8 2.c abc\n\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
}

/* A zip within gzip cannot be sought in: read in one go, from what stands before each member. */
static void test_packed_zip(void **state)
{
    const struct member  two[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", "b", 1, 0, NULL } };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_members(&packed, two, 2, archive_write_set_format_zip, archive_write_add_filter_gzip);
    read_bytes(&seen, &dataset, "a.zip.gz", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a.c int a;\n\n1 7 b.c b\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&packed);
}

/* A hard link repeats a member that is there already. */
static void test_hard_links(void **state)
{
    const struct member  linked[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", NULL, 0, 0, "a.c" } };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_members(&packed, linked, 2, archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a.c int a;\n\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&packed);
}

/* Members longer than a record may be, between ones that are not. */
static void test_long_members(void **state)
{
    enum { LONG = 3000000 };
    struct dataset dataset = { .max_record_bytes = 1000000 };
    char          *text = malloc(LONG);
    struct member  list[5];
    struct bytes   packed = { 0 };
    struct seen    seen;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', LONG);
    for (int i = 0; i < 5; i++) list[i] = (struct member){ "m", text, i % 2 ? LONG : 3, 0, NULL };
    pack_members(&packed, list, 5, archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 m xxx\n2 3 m xxx\n4 6 m xxx\n");
    assert_text(&seen.rejects, "1 0 too-long\n3 0 too-long\n");
    seen_free(&seen);
    bytes_free(&packed);
    free(text);
}

/* ---- damage ---- */

enum form { FORM_ZSTD, FORM_GZIP, FORM_XZ, FORM_BZIP2, FORM_LZ4, FORM_TAR, FORM_TAR_GZIP, FORM_ZIP, FORM_COUNT };
static const char *const form_names[FORM_COUNT] = { "d.jsonl.zst", "d.jsonl.gz", "d.jsonl.xz", "d.jsonl.bz2",
                                                    "d.jsonl.lz4", "d.tar", "d.tar.gz", "d.zip" };

static void pack_form(struct bytes *out, enum form form)
{
    static const struct member two[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", "int b = 2;\n", 11, 0, NULL } };
    struct bytes               text = { 0 };

    out->len = 0;
    make_lines(&text, 10);
    switch (form) {
    case FORM_ZSTD:
        pack_zstd(out, text.at, text.len / 2, 3);
        pack_zstd(out, text.at + text.len / 2, text.len - text.len / 2, 3);
        break;
    case FORM_GZIP:
        pack_gzip(out, text.at, text.len / 2, true);
        pack_gzip(out, text.at + text.len / 2, text.len - text.len / 2, false);
        break;
    case FORM_XZ:       pack_filter(out, text.at, text.len, archive_write_add_filter_xz); break;
    case FORM_BZIP2:    pack_filter(out, text.at, text.len, archive_write_add_filter_bzip2); break;
    case FORM_LZ4:      pack_filter(out, text.at, text.len, archive_write_add_filter_lz4); break;
    case FORM_TAR:      pack_members(out, two, 2, archive_write_set_format_ustar, NULL); break;
    case FORM_TAR_GZIP: pack_members(out, two, 2, archive_write_set_format_ustar, archive_write_add_filter_gzip); break;
    case FORM_ZIP:      pack_members(out, two, 2, archive_write_set_format_zip, NULL); break;
    case FORM_COUNT:    break;
    }
    bytes_free(&text);
}

/* Cut at every byte: what is delivered is a beginning of what the whole gives, and the cut is said. */
static void test_truncated(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;

    (void)state;
    for (enum form form = 0; form < FORM_COUNT; form++) {
        /* Two frames or members make a valid file of the first alone; libarchive writes one, tar pads after its end
         * mark. */
        size_t silent = 0, step = form == FORM_TAR ? 37 : 1, half_records = 0;

        pack_form(&packed, form);
        read_bytes(&whole, &dataset, form_names[form], packed.at, packed.len);
        assert_int_equal(whole.reject_count, 0);
        for (size_t cut = 0; cut < packed.len; cut += step) {
            read_bytes(&seen, &dataset, form_names[form], packed.at, cut);
            if (seen.records.len > whole.records.len ||
                (seen.records.len && memcmp(seen.records.at, whole.records.at, seen.records.len)))
                fail_msg("%s cut at %zu: other records", form_names[form], cut);
            half_records += seen.record_count > 0 && seen.record_count < whole.record_count;
            if (!(seen.reasons & (1u << REJECT_TRUNCATED | 1u << REJECT_CORRUPT | 1u << REJECT_INVALID_JSON |
                                  1u << REJECT_INVALID_UTF8))) {
                /* Allowed where nothing is missing that the reader would need, or where nothing is left to be told from
                 * an empty text. */
                if (seen.record_count < whole.record_count && !(form >= FORM_TAR && cut < 512))
                    fail_msg("%s cut at %zu: not a word", form_names[form], cut);
                silent++;
            }
            if (form <= FORM_GZIP && seen.record_count && seen.record_count < whole.record_count
                && !(seen.reasons & (1u << REJECT_TRUNCATED |
                                     1u << REJECT_INVALID_JSON))) fail_msg("%s cut at %zu: not said to be truncated",
                                                                           form_names[form], cut);
            seen_free(&seen);
        }
        if (form == FORM_ZSTD || form == FORM_GZIP || form == FORM_TAR || form == FORM_TAR_GZIP)
            assert_true(half_records > 0);
        if (form < FORM_TAR) assert_true(silent == 0);
        seen_free(&whole);
    }
    bytes_free(&packed);
}

/* One bit wrong at each byte: no crash, no hang; where checksums cover the data, wrong text is never taken in silence.
 */
static void test_flipped(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;

    (void)state;
    for (enum form form = 0; form < FORM_COUNT; form++) {
        pack_form(&packed, form);
        read_bytes(&whole, &dataset, form_names[form], packed.at, packed.len);
        for (size_t at = 0; at < packed.len; at += form == FORM_TAR ? 11 : 1) {
            char bit = (char)(1 << random_below(8));

            packed.at[at] ^= bit;
            read_bytes(&seen, &dataset, form_names[form], packed.at, packed.len);
            if ((form <= FORM_XZ || form == FORM_TAR_GZIP) && !seen.reject_count)
                assert_same(&seen.records, &whole.records, form_names[form]);
            packed.at[at] ^= bit;
            seen_free(&seen);
        }
        seen_free(&whole);
    }
    bytes_free(&packed);
}

static void pack_numbered(struct bytes *out, size_t count, add_filter *format, add_filter *filter)
{
    static char   names[16][24], texts[16][400];
    struct member list[16];

    for (size_t i = 0; i < count; i++) {
        int len = snprintf(texts[i], sizeof texts[i], "int number_%zu;\n", i);

        for (; len < 350; len++) texts[i][len] = (char)('a' + random_below(26));
        snprintf(names[i], sizeof names[i], "m%zu.c", i);
        list[i] = (struct member){ names[i], texts[i], 350, 0, NULL };
    }
    out->len = 0;
    pack_members(out, list, count, format, filter);
}

/* One bit of a tar.gz wrong, at every byte, also of its trailer: all documents are there, or something is said. */
static void test_flipped_tar_gzip(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;
    size_t               said = 0;

    (void)state;
    pack_numbered(&packed, 11, archive_write_set_format_ustar, archive_write_add_filter_gzip);
    read_bytes(&whole, &dataset, "f.tar.gz", packed.at, packed.len);
    assert_int_equal(whole.record_count, 11);
    assert_int_equal(whole.reject_count, 0);
    for (size_t at = 0; at < packed.len; at++) {
        char bit = (char)(1 << random_below(8));

        packed.at[at] ^= bit;
        read_bytes(&seen, &dataset, at % 2 ? "f.tar.gz" : "f.tgz", packed.at, packed.len);
        if (!seen.reject_count) assert_same(&seen.records, &whole.records, "a flipped tar.gz");
        said += seen.reject_count > 0;
        packed.at[at] ^= bit;
        seen_free(&seen);
    }
    assert_true(said > packed.len - 20);                    /* but for the header's time, system and flags */
    seen_free(&whole);
    bytes_free(&packed);
}

/* A tar header that is damaged costs its member, is said once, and those behind it are read; so is an archive behind
 * another. */
static void test_damaged_tar(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 }, twice = { 0 };
    struct seen          seen;

    (void)state;
    pack_numbered(&packed, 5, archive_write_set_format_ustar, NULL);
    bytes_append_slice(&twice, bytes_slice(&packed));
    bytes_append_slice(&twice, bytes_slice(&packed));
    packed.at[2 * 1024] ^= 1;                               /* of "m2.c" */
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_int_equal(seen.record_count, 4);
    assert_text(&seen.rejects, "2 0 corrupt\n");
    seen_free(&seen);
    read_bytes(&seen, &dataset, "a.tar", twice.at, twice.len);
    assert_int_equal(seen.record_count, 10);
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    for (size_t i = 0; i < 512; i++) bytes_append(&twice, &"garbage"[i % 7], 1);
    read_bytes(&seen, &dataset, "a.tar", twice.at, twice.len);
    assert_int_equal(seen.record_count, 10);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
    seen_free(&seen);
    bytes_free(&packed);
    bytes_free(&twice);
}

/* Wrong bytes of a zip's member are a reject that names it, however the member is packed, and cost no other member. */
static void test_damaged_zip(void **state)
{
    static add_filter *const methods[] = { archive_write_zip_set_compression_store,
                                           archive_write_zip_set_compression_deflate };
    const struct dataset     dataset = { 0 };
    struct bytes             packed = { 0 };
    struct seen              seen;

    (void)state;
    for (size_t method = 0; method < 2; method++)
        for (int outer = 0; outer < 2; outer++) {
            struct archive *archive = archive_write_new();
            struct bytes    gzip = { 0 };
            char           *name, *data;

            packed.len = 0;
            archive_write_set_format_zip(archive);
            methods[method](archive);
            archive_write_set_bytes_in_last_block(archive, 1);
            assert_int_equal(archive_write_open(archive, &packed, NULL, take_packed, NULL), ARCHIVE_OK);
            for (int i = 0; i < 4; i++) {
                struct archive_entry *entry = archive_entry_new();
                char                  path[16], text[300];

                snprintf(path, sizeof path, "m%d.c", i);
                memset(text, 'a' + i, sizeof text);
                for (size_t k = 0; k < sizeof text; k += 3) text[k] = (char)('a' + random_below(26));
                archive_entry_copy_pathname(entry, path);
                archive_entry_set_filetype(entry, AE_IFREG);
                archive_entry_set_size(entry, sizeof text);
                assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
                assert_int_equal(archive_write_data(archive, text, sizeof text), sizeof text);
                archive_entry_free(entry);
            }
            archive_write_close(archive);
            archive_write_free(archive);
            name = memmem(packed.at, packed.len, "m1.c", 4);
            assert_non_null(name);
            data = name + 80;                               /* behind the header's extra field */
            *data ^= 0x10;
            if (outer) pack_gzip(&gzip, packed.at, packed.len, false);
            else bytes_append_slice(&gzip, bytes_slice(&packed));
            read_bytes(&seen, &dataset, outer ? "a.zip.gz" : "a.zip", gzip.at, gzip.len);
            /* read in one go, a broken member hides where the next one is */
            if (!outer) {
                assert_int_equal(seen.record_count, 3);
                assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
            }
            assert_int_equal(seen.reject_count, 1);
            if (!strstr(seen.detail, "m1.c")) fail_msg("the reject is: %s", seen.detail);
            seen_free(&seen);
            bytes_free(&gzip);
        }
    bytes_free(&packed);
}

/* The checksum of a packed zip's stream stands behind all members. */
static void test_packed_zip_trailer(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_numbered(&packed, 3, archive_write_set_format_zip, archive_write_add_filter_gzip);
    packed.at[packed.len - 6] ^= 1;
    read_bytes(&seen, &dataset, "a.zip.gz", packed.at, packed.len);
    assert_int_equal(seen.record_count, 3);
    assert_text(&seen.rejects, "3 0 corrupt\n");
    seen_free(&seen);
    bytes_free(&packed);
}

/* Names that promise a compression or an archive, and bytes that are neither. */
static void test_misnamed(void **state)
{
    static const struct { const char *name, *text, *records, *rejects; enum dataset_format format; } files[] = {
        { "a.jsonl.gz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.zst", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.xz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.bz2", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.tgz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.parquet", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.gz", "{\"text\":\"1\"}\n", "0 0  1\n", "", FORMAT_AUTO },
        { "a.gz", "one\n", "0 0  one\n", "", FORMAT_LINES },
    };
    const struct dataset lines = { .format = FORMAT_LINES };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dataset dataset = { .format = files[i].format };

        read_bytes(&seen, &dataset, files[i].name, files[i].text, strlen(files[i].text));
        assert_text(&seen.records, files[i].records);
        if (files[i].rejects[0]) assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
        else assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    read_bytes(&seen, &lines, "a.gz", "\x1F\x0B\x08\0\0\n\0", 7);
    assert_int_equal(seen.record_count, 0);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
    seen_free(&seen);
}

/* Tables in formats that are not read are refused with the way to convert them; nothing else that looks a little like
 * one is. */
static void test_tables(void **state)
{
    static const struct { const char *name, *text, *word; enum dataset_format format; } files[] = {
        { "a", "PARE\x15\x04", "encrypted", FORMAT_AUTO },
                   { "a.parquet", "PAR1\x15\x04", "Parquet", FORMAT_LINES },
        { "a.csv", "text\nint a;\n", "read_csv", FORMAT_AUTO },
        { "a.tsv", "text\nint a;\n", "read_csv", FORMAT_AUTO },
              { "a.json", " \n[{\"text\":\"1\"}]", "jq -c '.[]'", FORMAT_AUTO },
        { "a.csv", "text\n", NULL, FORMAT_LINES },                { "a.json", "[1]\n", NULL, FORMAT_LINES },
        { "a.json", "\"text\"\n", NULL, FORMAT_AUTO },            { "a.json", "{\"text\":\"1\"}\n", NULL, FORMAT_AUTO },
        { "a.py", "[1]\n", NULL, FORMAT_AUTO },                   { "a.json", "", NULL, FORMAT_AUTO },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int gzip = 0; gzip < 2; gzip++) {
            const struct dataset dataset = { .format = files[i].format };
            struct bytes         packed = { 0 };
            struct source       *source;
            struct err           err = { 0 };
            char                 path[256], name[64];
            struct shard         shard = { .path = path, .name = name };
            int                  rc;

            snprintf(name, sizeof name, "%s%s", files[i].name, gzip ? ".gz" : "");
            snprintf(path, sizeof path, "%s", path_of(name));
            if (gzip) pack_gzip(&packed, files[i].text, strlen(files[i].text), false);
            else bytes_append(&packed, files[i].text, strlen(files[i].text));
            write_file(name, packed.at, packed.len);
            rc = source_open(&source, &dataset, &shard, &err);
            if (rc != (files[i].word ? -EINVAL : 0)) fail_msg("%s: %d %s", name, rc, err.text);
            if (files[i].word && !strstr(err.text, files[i].word)) fail_msg("%s: %s", name, err.text);
            source_close(source);
            bytes_free(&packed);
        }
}

static void test_ratio(void **state)
{
    enum { REPEATS = 220000 };
    static const char line[] = "{\"text\":\"";
    struct dataset    dataset = { .max_ratio = 500 };
    struct bytes      text = { 0 }, packed = { 0 };
    struct seen       seen;

    (void)state;
    assert_int_equal(bytes_reserve(&text, REPEATS * 1001ul), 0);
    for (int i = 0; i < REPEATS; i++) {
        bytes_append(&text, line, sizeof line - 1);
        memset(text.at + text.len, 'a', 988);
        text.len += 988;
        bytes_append(&text, "\"}\n", 3);
    }
    pack_zstd(&packed, text.at, text.len, 1);
    read_bytes(&seen, &dataset, "bomb.zst", packed.at, packed.len);
    assert_int_equal(seen.reasons, 1u << REJECT_RATIO);
    assert_int_equal(seen.reject_count, 1);
    assert_in_range(seen.record_count, 60000, 100000);
    seen_free(&seen);
    dataset.max_ratio = 1000000;
    read_bytes(&seen, &dataset, "bomb.zst", packed.at, packed.len);
    assert_int_equal(seen.record_count, REPEATS);
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&text);
    bytes_free(&packed);
}

/* ---- lines ---- */

static void test_lines(void **state)
{
    static const struct { const char *name, *text, *records,
                          *rejects; enum dataset_format format; size_t len; } files[] = {
        { "a.jsonl", "", "", "", FORMAT_AUTO, 0 },
        { "a.jsonl", "\n\n", "", "", FORMAT_AUTO, 2 },
        { "a", "{\"text\":\"1\"}", "0 0  1\n", "", FORMAT_AUTO, 12 },
        { "a", "{\"text\":\"1\"}\r\n\r\n{\"text\":\"2\"}\r\n", "0 0  1\n1 16  2\n", "", FORMAT_AUTO, 30 },
        { "a", "\xEF\xBB\xBF{\"text\":\"1\"}\n", "0 3  1\n", "", FORMAT_AUTO, 16 },
        { "a", "\n \t\n{\"text\":\"1\"}\n \n", "0 4  1\n", "", FORMAT_AUTO, 19 },
        { "a", "{\"text\":\"a\0b\"}\n{\"text\":\"2\"}\n", "1 15  2\n", "0 10 invalid-json\n", FORMAT_AUTO, 28 },
        { "a.jsonl", "oops\n{\"text\":\"2\"}\n", "1 5  2\n", "0 0 invalid-json\n", FORMAT_AUTO, 18 },
        { "a.txt", "oops\n{\"text\":\"2\"}\n", "0 0 a.txt oops\n{\"text\":\"2\"}\n\n", "", FORMAT_AUTO, 18 },
        { "a.c", "", "0 0 a.c \n", "", FORMAT_AUTO, 0 },
        { "a.o", "\x7f" "ELF\0\0", "", "0 4 invalid-utf8\n", FORMAT_AUTO, 6 },
        { "a", "", "", "", FORMAT_LINES, 0 },
        { "a", "\n", "0 0  \n", "", FORMAT_LINES, 1 },
        { "a", "one\n\ntwo\r\n three", "0 0  one\n1 4  \n2 5  two\n3 10   three\n", "", FORMAT_LINES, 16 },
        { "a", "\xEF\xBB\xBF" "x\n{\n", "0 3  x\n1 5  {\n", "", FORMAT_LINES, 7 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dataset dataset = { .format = files[i].format };
        struct bytes   packed = { 0 };
        struct seen    seen;

        read_bytes(&seen, &dataset, files[i].name, files[i].text, files[i].len);
        assert_text(&seen.records, files[i].records);
        assert_text(&seen.rejects, files[i].rejects);
        seen_free(&seen);
        pack_gzip(&packed, files[i].text, files[i].len, false);
        if (!strcmp(files[i].name, "a.txt")) {              /* a packed document is called what it is inside */
            read_bytes(&seen, &dataset, "a.txt.gz", packed.at, packed.len);
            assert_text(&seen.records, files[i].records);
            seen_free(&seen);
        }
        bytes_free(&packed);
    }
}

/* Lines longer than a record may be are refused with number and place, wherever batches happen to end, and never are in
 * memory whole. */
static void test_long_lines(void **state)
{
    static const size_t lengths[] = { 10, 990, 1000, 1001, 1002, 1003, 5000, 1048570, 1048576, 3000000, 40000000, 20 };
    struct dataset      dataset = { .max_record_bytes = 1000 };
    struct bytes        text = { 0 }, records = { 0 }, rejects = { 0 };
    struct seen         seen;

    (void)state;
    for (int crlf = 0; crlf < 2; crlf++) {
        text.len = records.len = rejects.len = 0;
        for (size_t i = 0; i < 200; i++) {
            size_t len = lengths[i < 12 ? i : random_below(random_below(20) ? 7 : 9)];

            if (len > 1000) bytes_printf(&rejects, "%zu %zu too-long\n", i, text.len);
            else if (len < 11) bytes_printf(&rejects, "%zu %zu invalid-json\n", i, text.len + len);
            else bytes_printf(&records, "%zu %zu  ", i, text.len);
            bytes_append(&text, "{\"text\":\"", 9);
            assert_int_equal(bytes_reserve(&text, text.len + len), 0);
            if (len >= 11) {
                memset(text.at + text.len, 'y', len - 11);
                if (len <= 1000) {
                    bytes_append(&records, text.at + text.len, len - 11);
                    bytes_append(&records, "\n", 1);
                }
                text.len += len - 11;
            }
            /* a line of 10 bytes lacks its brace */
            bytes_append(&text, len < 11 ? "\"" : "\"}", len < 11 ? 1 : 2);
            bytes_append(&text, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
        }
        read_bytes(&seen, &dataset, "long", text.at, text.len);
        assert_same(&seen.records, &records, "records");
        assert_same(&seen.rejects, &rejects, "rejects");
        assert_true(seen.room < 4u << 20);
        seen_free(&seen);
    }
    bytes_free(&text);
    bytes_free(&records);
    bytes_free(&rejects);
}

/* ---- bounded calls ---- */

enum { HUGE_BYTES = 140 << 20 };

/* A file of that name: at, zeros (a hole) up to HUGE_BYTES, tail. */
static void write_sparse(const char *name, const char *at, const char *tail)
{
    FILE *out = fopen(path_of(name), "wb");

    assert_non_null(out);
    assert_true(fputs(at, out) >= 0);
    assert_int_equal(fseek(out, HUGE_BYTES, SEEK_SET), 0);
    assert_true(fputs(tail, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The caller is given a chance every 64 MB, while a line is passed over, blank lines are, and the rest of a damaged
 * file is hashed. */
static void test_empty_batches(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    char           path[256], name[32];
    struct shard   shard = { .path = path, .name = name };
    struct seen    seen;
    struct bytes   blank = { 0 };
    struct err     err = { 0 };

    (void)state;
    snprintf(name, sizeof name, "huge.jsonl");
    snprintf(path, sizeof path, "%s", path_of(name));
    write_sparse(name, "{\"text\":\"1\"}\n{\"text\":\"", "\"}\n{\"text\":\"2\"}\n");
    shard.bytes = HUGE_BYTES + 16;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 100 << 20, &err), 0);
    assert_text(&seen.records, "0 0  1\n2 146800643  2\n");
    assert_text(&seen.rejects, "1 13 too-long\n");
    assert_int_equal(seen.empty, 2);
    assert_int_equal(seen.units, 2);
    seen_free(&seen);

    /* Damage at the start of a gzip file: the rest is not decoded. */
    snprintf(name, sizeof name, "huge.gz");
    snprintf(path, sizeof path, "%s", path_of(name));
    write_sparse(name, "\x1F\x8B\x08\xFF", "x");
    shard.bytes = HUGE_BYTES + 1;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_int_equal(seen.reject_count, 1);
    assert_int_equal(seen.empty, 2);
    seen_free(&seen);

    assert_int_equal(bytes_reserve(&blank, 70 << 20), 0);
    memset(blank.at, '\n', 70 << 20);
    blank.len = 70 << 20;
    read_bytes(&seen, &dataset, "blank.jsonl", blank.at, blank.len);
    assert_int_equal(seen.record_count + seen.reject_count, 0);
    assert_int_equal(seen.empty, 1);
    seen_free(&seen);
    bytes_free(&blank);
    unlink(path_of("huge.jsonl"));
    unlink(path_of("huge.gz"));
    unlink(path_of("blank.jsonl"));
}

/* So it is for a member that is too long. */
static void test_huge_member(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    size_t         len = 70 << 20;
    char          *text = calloc(1, len);
    struct bytes   packed = { 0 };
    struct seen    seen;

    (void)state;
    assert_non_null(text);
    pack_members(&packed, (struct member[]){ { "a", "1", 1, 0, NULL }, { "b", text, len, 0, NULL },
                                             { "c", "2", 1, 0, NULL } }, 3,
                 archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a 1\n2 1 c 2\n");
    assert_text(&seen.rejects, "1 0 too-long\n");
    assert_int_equal(seen.empty, 1);
    seen_free(&seen);
    bytes_free(&packed);
    free(text);
    unlink(path_of("a.tar"));
}

/* ---- units ---- */

/* The same records whatever the unit; that a batch keeps to one unit is seen to by read_shard. */
static void test_units(void **state)
{
    static const uint64_t sizes[] = { 1, 100, 1000, 65536, 100003 };
    const struct dataset  dataset = { 0 };
    struct bytes          text = { 0 }, packed = { 0 };
    struct seen           whole, seen;

    (void)state;
    make_lines(&text, 2000);
    for (int tar = 0; tar < 2; tar++) {
        char         path[256], name[32];
        struct shard shard = { .path = path, .name = name };

        snprintf(name, sizeof name, "units%d", tar);
        if (tar) {
            struct member *list = calloc(3000, sizeof *list);

            assert_non_null(list);
            for (size_t i = 0; i < 3000; i++)
                list[i] = (struct member){ "m.c", text.at + i, random_below(700), 0, NULL };
            pack_members(&packed, list, 3000, archive_write_set_format_ustar, NULL);
            free(list);
        } else
            bytes_append_slice(&packed, bytes_slice(&text));
        read_bytes(&whole, &dataset, name, packed.at, packed.len);
        shard.bytes = packed.len;
        snprintf(path, sizeof path, "%s", path_of(name));
        for (size_t i = 0; i < 5; i++) {
            struct err err = { 0 };

            assert_int_equal(read_shard(&seen, &dataset, &shard, sizes[i], &err), 0);
            assert_same(&seen.records, &whole.records, "units");
            assert_true(seen.units > 1);
            seen_free(&seen);
        }
        seen_free(&whole);
        packed.len = 0;
    }
    bytes_free(&text);
    bytes_free(&packed);
}

/* ---- trees ---- */

static void test_tree(void **state)
{
    struct dataset dataset = { .max_record_bytes = 100 };
    char           path[256], long_text[200], name[] = "tree";
    struct shard   shard = { .path = path, .name = name, .tree = true };
    struct seen    seen, again;
    struct err     err = { 0 };
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

    (void)state;
    memset(long_text, 'l', sizeof long_text);
    mkdir(path_of("tree"), 0755);
    mkdir(path_of("tree/a"), 0755);
    mkdir(path_of("tree/.git"), 0755);
    mkdir(path_of("tree/.hidden"), 0755);
    write_file("tree/.git/config", "no", 2);
    write_file("tree/.hidden/h.c", "h\n", 2);
    write_file("tree/a.c", "a.c\n", 4);
    write_file("tree/a/z.c", "z", 1);
    write_file("tree/a-b.c", "", 0);
    write_file("tree/bin", "b\0n", 3);
    write_file("tree/long.c", long_text, sizeof long_text);
    assert_int_equal(symlink("a.c", path_of("tree/link.c")), 0);
    assert_int_equal(symlink("nothing", path_of("tree/dangling.c")), 0);
    assert_int_equal(symlink("..", path_of("tree/cycle")), 0);
    assert_int_equal(mkfifo(path_of("tree/fifo"), 0600), 0);
    snprintf(path, sizeof path, "%s", path_of("tree"));
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.records, "0 0 .hidden/h.c h\n\n1 2 a-b.c \n2 2 a.c a.c\n\n3 6 a/z.c z\n6 10 link.c a.c\n\n");
    assert_text(&seen.rejects, "4 1 invalid-utf8\n5 0 unreadable\n7 0 too-long\n");
    assert_int_equal(read_shard(&again, &dataset, &shard, 3, &err), 0);
    assert_same(&again.records, &seen.records, "tree in units");
    assert_true(again.xxh3 == seen.xxh3);
    seen_free(&again);
    write_file("tree/a/z.c", "y", 1);
    assert_int_equal(utimensat(AT_FDCWD, path_of("tree/a/z.c"), old, 0), 0);
    assert_int_equal(read_shard(&again, &dataset, &shard, 0, &err), 0);
    assert_true(again.xxh3 != seen.xxh3);
    seen_free(&again);
    seen_free(&seen);
}

static void test_missing(void **state)
{
    struct dataset dataset = { 0 };
    char           path[256], name[] = "none";
    struct shard   shard = { .path = path, .name = name };
    struct source *source;
    struct err     err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of("none"));
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -ENOENT);
    assert_null(source);
    assert_non_null(strstr(err.text, path));
    shard.tree = true;
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -EIO);
    snprintf(path, sizeof path, "%s", folder);
    shard.tree = false;
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -EIO);
    source_close(NULL);
}

static int make_folder(void **state)
{
    const char *base = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof folder, "%.40s/leakgraph.XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codecs),       cmocka_unit_test(test_archives),  cmocka_unit_test(test_hard_links),
            cmocka_unit_test(test_packed_zip),
        cmocka_unit_test(test_7zip),         cmocka_unit_test(test_long_members),
        cmocka_unit_test(test_flipped_tar_gzip), cmocka_unit_test(test_damaged_tar), cmocka_unit_test(test_damaged_zip),
        cmocka_unit_test(test_packed_zip_trailer), cmocka_unit_test(test_misnamed), cmocka_unit_test(test_tables),
        cmocka_unit_test(test_empty_batches), cmocka_unit_test(test_huge_member),
        cmocka_unit_test(test_truncated),    cmocka_unit_test(test_flipped),   cmocka_unit_test(test_ratio),
                 cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_lines),   cmocka_unit_test(test_units),     cmocka_unit_test(test_tree),
                  cmocka_unit_test(test_missing),
    };
    const char *seed = getenv("SEED");

    random_state = seed ? strtoull(seed, NULL, 0) : 20240229;
    printf("seed=%llu\n", (unsigned long long)random_state);
    kernels = kernels_select(kernels_cpu(), NULL);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
