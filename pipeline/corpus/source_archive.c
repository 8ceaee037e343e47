/* corpus/source_archive.c -- tar (however compressed), zip and 7z: each regular member is a document.
 *
 * tar is read as it is decoded.  zip and 7z have their directory at the end: where the file is not compressed as a
 * whole, libarchive may seek in it, which also finds the members that a zip written in one go declares late. */
#include "corpus/source_state.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAR_BLOCK = 512, WINDOW_BYTES = 1 << 18, STEP_BYTES = 1 << 18 };
/* or <0; passed: no document */
enum { MEMBER_END = 0, MEMBER_TAKEN = 1, MEMBER_REJECTED = 2, MEMBER_PASSED = 3 };

/* A tar header carries the sum of its bytes, its own field counted as blanks, in octal.  A block of zeros is an empty
 * tar. */
static bool is_tar(const char *head, size_t len)
{
    unsigned long sum = 0, told = 0;
    size_t        i;

    if (len < TAR_BLOCK) return false;
    for (i = 0; i < TAR_BLOCK; i++) sum += i >= 148 && i < 156 ? ' ' : (unsigned char)head[i];
    if (sum == 8ul * ' ') return true;
    for (i = 148; i < 156 && head[i] == ' '; i++) { }
    for (; i < 156 && head[i] >= '0' && head[i] <= '7'; i++) told = told * 8 + (unsigned long)(head[i] - '0');
    return told == sum;
}

static bool is_zip(const char *head, size_t len)
{
    return len >= 4 && (!memcmp(head, "PK\3\4", 4) || !memcmp(head, "PK\5\6", 4));
}

static bool is_7zip(const char *head, size_t len) { return len >= 6 && !memcmp(head, "7z\xBC\xAF\x27\x1C", 6); }

bool source_is_archive(const char *head, size_t len)
{
    return is_tar(head, len) || is_zip(head, len) || is_7zip(head, len);
}

/* ---- what libarchive reads from ---- */

/* Keeps the number of zero bytes that everything given so far ends with: a tar ends with a block of them. */
static void count_zeros(struct source *source, const char *at, size_t n)
{
    size_t i = n;

    while (i > 0 && n - i < TAR_BLOCK && !at[i - 1]) i--;
    source->zeros = i == 0 ? source->zeros + n : n - i;
    if (source->zeros > TAR_BLOCK) source->zeros = TAR_BLOCK;
}

static la_ssize_t give_decoded(struct archive *archive, void *state, const void **out)
{
    struct source *source = state;
    struct err     err = { 0 };
    ssize_t        got = source_read(source, source->window, WINDOW_BYTES, &err);

    *out = source->window;
    if (got < 0) {
        archive_set_error(archive, err.code == -ENOMEM ? ENOMEM : EIO, "%s", err.text);
        source->io_failed = true;
        return -1;
    }
    count_zeros(source, source->window, (size_t)got);
    source->hit_end |= got == 0;
    return (la_ssize_t)got;
}

static la_ssize_t give_file(struct archive *archive, void *state, const void **out)
{
    struct source *source = state;
    struct err     err = { 0 };
    ssize_t        got = input_read(&source->input, source->window, WINDOW_BYTES, &err);

    *out = source->window;
    if (got < 0) {
        archive_set_error(archive, EIO, "%s", err.text);
        source->io_failed = true;
        return -1;
    }
    source->hit_end |= got == 0;
    source->worked += (uint64_t)got;
    return (la_ssize_t)got;
}

static la_int64_t seek_file(struct archive *archive, void *state, la_int64_t offset, int whence)
{
    struct source *source = state;
    la_int64_t     from = whence == SEEK_SET ? 0 : (la_int64_t)(whence == SEEK_CUR ? input_taken(&source->input)
                                                                : source->input.size);

    (void)archive;
    if (offset < -from || offset > INT64_MAX - from) return ARCHIVE_FATAL;
    input_seek(&source->input, (uint64_t)(from + offset));
    return from + offset;
}

int source_open_archive(struct source *source, struct err *err)
{
    struct archive *archive = archive_read_new();
    bool            tar = is_tar(source->head, source->head_len), zip = is_zip(source->head, source->head_len);
    bool            seekable = !tar && !*source->codec.suffix;

    source->archive = archive;
    source->window = malloc(WINDOW_BYTES);
    source->tar = tar;
    source->seekable = seekable;
    source->seekable_zip = zip && seekable;
    if (!archive || !source->window) return err_memory(err, WINDOW_BYTES, "an archive");
    if (tar) {
        archive_read_support_format_tar(archive);
        /* Past an end mark too: what follows it is another archive, padding, or a reject.  So the stream is read to its
         * own end, where the checksums of its compression stand. */
        archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1");
    } else if (zip) archive_read_support_format_zip(archive);
    else archive_read_support_format_7zip(archive);
    archive_read_set_callback_data(archive, source);
    archive_read_set_read_callback(archive, seekable ? give_file : give_decoded);
    if (seekable) {
        archive_read_set_seek_callback(archive, seek_file);
        input_seek(&source->input, 0);
    }
    /* What cannot be opened is damage, and told as such by the first fill. */
    source->finished = false;
    source->open_failed = archive_read_open1(archive) != ARCHIVE_OK;
    return source->io_failed ? err_set(err, -EIO, "%s", archive_error_string(archive)) : 0;
}

void source_close_archive(struct source *source)
{
    if (source->archive) archive_read_free(source->archive);
    source->archive = NULL;
}

/* ---- members ---- */

static int io_error(struct source *source, struct err *err)
{
    return err_set(err, archive_errno(source->archive) == ENOMEM ? -ENOMEM : -EIO, "%s",
                   archive_error_string(source->archive));
}

/* The record at hand cannot be had.  Damage of the compressed stream explains more than what libarchive makes of it.
 * path: NULL when the member is not known. */
static int reject_member(struct source *source, struct batch *batch, const char *path, uint64_t byte, struct err *err)
{
    const char        *why = archive_error_string(source->archive);
    enum reject_reason reason = source->hit_end ? REJECT_TRUNCATED : REJECT_CORRUPT;
    char               detail[sizeof source->damage.detail];

    if (source->io_failed) return io_error(source, err);
    if (source->damage.there) {
        reason = source->damage.reason;
        why = source->damage.detail;
    }
    if (!why) why = "broken archive";
    if (path) snprintf(detail, sizeof detail, "%.70s in %s", why, path);
    else snprintf(detail, sizeof detail, "%s", why);
    return source_reject(source, batch, byte, reason, detail, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
}

static bool is_bomb(const struct source *source)
{
    return source->unpacked > (64ull << 20) &&
        source->unpacked / dataset_max_ratio(source->dataset) > source->input.size;
}

/* Appends the member's bytes to raw. */
static int read_member(struct source *source, struct batch *batch, const char *path, struct err *err)
{
    struct bytes *raw = &batch->raw;
    size_t        start = raw->len, len = 0;
    char          why[104];
    la_ssize_t    got;

    for (;;) {
        if (bytes_reserve(raw, start + len + STEP_BYTES) < 0) return err_memory(err, start + len, "a member");
        got = archive_read_data(source->archive, raw->at + start + len, STEP_BYTES);
        if (got == 0) break;
        /* a wrong checksum or length is a mere warning to libarchive */
        if (got < 0) {
            /* A zip's directory leads to the next member whatever this one is like; elsewhere a fatal error leaves no
             * way to go. */
            source->finished = got == ARCHIVE_FATAL && !source->seekable_zip;
            return reject_member(source, batch, path, len, err);
        }
        len += (size_t)got;
        source->unpacked += (uint64_t)got;
        if (is_bomb(source)) {
            source->finished = true;
            snprintf(why, sizeof why, "%llu bytes from %llu: more than max_ratio %u",
                     (unsigned long long)source->unpacked,
                     (unsigned long long)source->input.size, dataset_max_ratio(source->dataset));
            return source_reject(source, batch, len, REJECT_RATIO, why, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
        }
        if (len > source->max_record) {
            snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
            source->skipping_member = !source->seekable_zip;            /* the directory leads past it for nothing */
            return source_reject(source, batch, 0, REJECT_TOO_LONG, why, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
        }
    }
    raw->len = start + len;
    return MEMBER_TAKEN;
}

/* The name as UTF-8 where the archive says what it is written in, else its bytes as they are. */
static const char *member_path(struct archive_entry *entry)
{
    const char *path = archive_entry_pathname_utf8(entry);

    if (!path) path = archive_entry_pathname(entry);
    return path ? path : "";
}

/* Passes over the rest of a member that is too long, in pieces: libarchive would do it in one call, however long that
 * takes.  Damage ends it, and is told when the next header is looked for. */
static int skip_member(struct source *source, struct batch *batch, struct err *err)
{
    la_ssize_t got;

    if (bytes_reserve(&batch->raw, batch->raw.len + STEP_BYTES) < 0)
        return err_memory(err, batch->raw.len + STEP_BYTES, "a member");
    got = archive_read_data(source->archive, batch->raw.at + batch->raw.len, STEP_BYTES);
    if (got > 0) source->unpacked += (uint64_t)got;
    source->skipping_member = got > 0;
    source->finished = is_bomb(source);
    if (source->finished)
        return source_reject(source, batch, 0, REJECT_RATIO, "more than max_ratio", err) < 0 ? -ENOMEM
            : MEMBER_REJECTED;
    return source->io_failed ? io_error(source, err) : MEMBER_PASSED;
}

/* Warnings that a name cannot be had in this process's character set: names are taken as bytes or as UTF-8, so nothing
 * is lost. */
static bool is_about_a_name(const char *why) { return why && strstr(why, "can't be converted"); }

/* The archive is over, or its next header cannot be read. */
static int end_members(struct source *source, struct batch *batch, int rc, struct err *err)
{
    struct err damaged = { 0 };
    ssize_t    got = 1;

    if (source->io_failed) return io_error(source, err);
    /* A packed zip or 7z ends before its stream does, whose last checksum is still to come. */
    while (rc == ARCHIVE_EOF && !source->seekable && got > 0 && !source_is_tired(source)) {
        got = source_read(source, source->window, WINDOW_BYTES, &damaged);
        if (got < 0) return err_set(err, damaged.code, "%s", damaged.text);
    }
    source->draining = rc == ARCHIVE_EOF && !source->seekable && got > 0;
    if (source->draining) return MEMBER_PASSED;
    source->finished = true;
    if (rc == ARCHIVE_EOF && !source->damage.there) {
        /* libarchive takes a tar that stops between two members for a whole one; a whole one ends with a block of
         * zeros. */
        if (!source->tar || !source->hit_end || source->zeros == TAR_BLOCK || source->resuming) return MEMBER_END;
        return source_reject(source, batch, 0, REJECT_TRUNCATED, "the tar has no end mark", err) < 0 ? -ENOMEM
            : MEMBER_REJECTED;
    }
    return reject_member(source, batch, NULL, 0, err);
}

static int next_member(struct source *source, struct batch *batch, struct err *err)
{
    struct archive_entry *entry;
    const char           *path;
    size_t                start = batch->raw.len, path_at = source->paths.len;
    int                   rc;

    if (source->skipping_member) return skip_member(source, batch, err);
    rc = source->open_failed ? ARCHIVE_FATAL : source->draining ? ARCHIVE_EOF
        : archive_read_next_header(source->archive, &entry);
    if (rc == ARCHIVE_EOF || rc == ARCHIVE_FATAL) return end_members(source, batch, rc, err);
    /* no tar header: the one behind it is looked for block by block */
    if (rc == ARCHIVE_RETRY) {
        if (source->resuming) return MEMBER_PASSED;
        source->resuming = true;
        return reject_member(source, batch, NULL, 0, err);
    }
    source->resuming = false;
    if (rc != ARCHIVE_OK && !(rc == ARCHIVE_WARN && is_about_a_name(archive_error_string(source->archive))))
        /* this member only */
        return reject_member(source, batch, rc == ARCHIVE_WARN ? member_path(entry) : NULL, 0, err);
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) return MEMBER_PASSED;
    path = member_path(entry);
    if (dataset_excludes(source->dataset, slice_of(path))) return MEMBER_PASSED;
    if (bytes_append(&source->paths, path, strlen(path)) < 0) return err_memory(err, strlen(path), "a path");
    rc = read_member(source, batch, path, err);
    if (rc != MEMBER_TAKEN) {
        source->paths.len = path_at;
        return rc;
    }
    if (source_add_item(source, batch, batch->raw.len - start, path_at, source->paths.len - path_at, err) < 0)
        return -ENOMEM;
    return MEMBER_TAKEN;
}

int source_fill_archive(struct source *source, struct batch *batch, struct err *err)
{
    int rc = MEMBER_TAKEN;

    source->paths.len = 0;
    /* A reject is the batch's last record, so that the records before it can be numbered by counting. */
    while ((rc == MEMBER_TAKEN || rc == MEMBER_PASSED) && !source->finished && !source_is_tired(source)
           && source_batch_has_room(source, batch, batch->raw.len)) rc = next_member(source, batch, err);
    if (rc < 0) return rc;
    for (size_t i = 0; i < batch->item_count; i++) batch->item[i].path_at += batch->raw.len;
    if (bytes_append_slice(&batch->raw, bytes_slice(&source->paths)) < 0)
        return err_memory(err, source->paths.len, "paths");
    return batch->record_count > 0 || !source->finished;    /* tired before a record was there: an empty batch */
}
