/* tests/unit/corpus/pack.h -- what shards are made of: streams of every codec, archives. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PACK_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PACK_H

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

/* One zstd frame; length: its header has it. */
static inline void pack_frame(struct bytes *out, const char *at, size_t len, int level, bool length)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t     room = ZSTD_compressBound(len), got;

    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, length);
    assert_int_equal(bytes_reserve(out, out->len + room), 0);
    got = ZSTD_compress2(context, out->at + out->len, room, at, len);
    assert_false(ZSTD_isError(got));
    out->len += got;
    ZSTD_freeCCtx(context);
}

static inline void pack_zstd(struct bytes *out, const char *at, size_t len, int level)
{
    pack_frame(out, at, len, level, true);
}

/* One gzip member; rich: with every optional part of a header. */
static inline void pack_gzip(struct bytes *out, const char *at, size_t len, bool rich)
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

static inline la_ssize_t take_packed(struct archive *archive, void *out, const void *at, size_t len)
{
    (void)archive;
    return bytes_append(out, at, len) < 0 ? -1 : (la_ssize_t)len;
}

typedef int add_filter(struct archive *);

static inline void pack_filter(struct bytes *out, const char *at, size_t len, add_filter *filter)
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

static inline void pack_members(struct bytes *out, const struct member *member, size_t count, add_filter *format,
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

#endif
