/* corpus/source_archive.c -- tar and cpio (however compressed), zip and 7z: each regular member is a document.
 *
 * tar and cpio are read as they are decoded.  zip and 7z have their directory at the end: where the file is not
 * compressed as a whole, libarchive may seek in it, which also finds the members that a zip written in one go declares
 * late. */
#include "corpus/source_state.h"
#include "corpus/archive_name.h"
#include "corpus/inner_records.h"
#include "base/ratio.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAR_BLOCK = 512, WINDOW_BYTES = 1 << 18, STEP_BYTES = 1 << 18, ZIP_END = 22, SEVENZIP_HEAD = 32,
       CPIO_BINARY = 26 };

/* Beyond what the headers of one member of a tar take, those of long names and attributes among them. */
enum { TAR_HEADERS_MAX = 1 << 20 };

/* What an archive says of a length is not believed beyond this, so that sums fit. */
static const uint64_t missing_max = 1ull << 46;

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

/* cpio's old header, of 16-bit words in either order: the magic, a mode that there is (none: the archive's end), and a
 * name, as long as is said, with its zero. */
static bool is_cpio_binary(const char *head, size_t len)
{
    const unsigned char *at = (const unsigned char *)head;
    const unsigned       modes = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 12;
    const bool           low_first = len >= 2 && at[0] == 0xC7 && at[1] == 0x71;
    size_t               name;
    unsigned             mode;

    if (len < CPIO_BINARY || (!low_first && (at[0] != 0x71 || at[1] != 0xC7))) return false;
    mode = (unsigned)at[6 + low_first] << 8 | at[7 - low_first];
    name = (size_t)at[20 + low_first] << 8 | at[21 - low_first];
    if (!(modes >> (mode >> 12) & 1) || name < 2) return false;
    if (name > len - CPIO_BINARY) return !memchr(head + CPIO_BINARY, 0, len - CPIO_BINARY);
    return memchr(head + CPIO_BINARY, 0, name) == head + CPIO_BINARY + name - 1;
}

/* cpio's two headers in letters: the magic, and nothing but digits to their end. */
static bool is_cpio_letters(const char *head, size_t len)
{
    const bool   newer = len >= 6 && (!memcmp(head, "070701", 6) || !memcmp(head, "070702", 6));
    const size_t header = newer ? 110 : 76;

    if (len < header || (!newer && memcmp(head, "070707", 6))) return false;
    for (size_t i = 6; i < header; i++)
        if (!memchr("0123456789ABCDEFabcdef", head[i], newer ? 22 : 8)) return false;
    return true;
}

static bool is_cpio(const char *head, size_t len) { return is_cpio_letters(head, len) || is_cpio_binary(head, len); }

bool source_is_archive(const char *head, size_t len)
{
    return is_tar(head, len) || is_zip(head, len) || is_7zip(head, len) || is_cpio(head, len);
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
    bool            cpio = !tar && is_cpio(source->head, source->head_len);
    bool            seekable = !tar && !cpio && !*source->codec.suffix;

    source->archive = archive;
    source->window = malloc(WINDOW_BYTES);
    source->tar = tar;
    source->cpio = cpio;
    source->seekable = seekable;
    source->seekable_zip = zip && seekable;
    if (!archive || !source->window) return err_memory(err, WINDOW_BYTES, "an archive");
    if (tar) {
        archive_read_support_format_tar(archive);
        /* Past an end mark too: what follows it is another archive, padding, or a reject.  So the stream is read to its
         * own end, where the checksums of its compression stand. */
        archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1");
    } else if (zip) archive_read_support_format_zip(archive);
    else if (cpio) archive_read_support_format_cpio(archive);
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
static int reject_member(struct source *source, struct batch *batch, const char *path, uint64_t byte, struct loss loss,
                         struct err *err)
{
    const char        *why = archive_error_string(source->archive);
    enum reject_reason reason = source->hit_end ? REJECT_TRUNCATED : REJECT_CORRUPT;
    char               detail[sizeof source->damage.detail];

    if (source->io_failed) return io_error(source, err);
    if (source->damage.there) {
        reason = source->damage.reason;
        why = source->damage.detail;
        loss = source->damage.loss;
    }
    if (!why) why = "broken archive";
    if (path) snprintf(detail, sizeof detail, "%.60s in %s", why, path);
    else snprintf(detail, sizeof detail, "%s", why);
    return source_reject(source, batch, byte, loss, reason, detail, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
}

/* ---- what is lost ---- */

/* n bytes of the archive in bytes of the file, which may be packed. */
static uint64_t in_file(const struct source *source, uint64_t n)
{
    return source->seekable ? n : source_in_file(source, n);
}

/* How far the archive was read, in bytes of the file. */
static uint64_t archive_at(const struct source *source)
{
    la_int64_t used = archive_filter_bytes(source->archive, -1);

    return in_file(source, used < 0 ? 0 : (uint64_t)used);
}

/* A 7z says at its start where its directory lies and how long it is: that is its end. */
static uint64_t missing_of_7zip(const struct source *source)
{
    uint64_t at = 0, len = 0, size = source->input.size;

    if (!source->seekable || !is_7zip(source->head, source->head_len) || source->head_len < SEVENZIP_HEAD) return 0;
    for (size_t i = 8; i-- > 0; ) {
        at = at << 8 | (unsigned char)source->head[12 + i];
        len = len << 8 | (unsigned char)source->head[20 + i];
    }
    if (at > missing_max || len > missing_max) return missing_max;
    return at + len + SEVENZIP_HEAD > size ? at + len + SEVENZIP_HEAD - size : 0;
}

/* All that is behind what was read.  A directory at the end leads into the file: without a member nothing was read. */
static struct loss rest_of_archive(const struct source *source, uint64_t missing)
{
    uint64_t at = source->seekable && source->record == 0 ? 0 : archive_at(source), told = missing_of_7zip(source);

    return source_rest(source, at, told ? told : missing);
}

/* The member that began at byte `from` of the file, of which len bytes were had: what they took, and as much in
 * proportion for the others.  declared: its length, 0 when that is not known. */
static struct loss loss_of_member(const struct source *source, uint64_t from, uint64_t declared, uint64_t len)
{
    uint64_t at = archive_at(source), took = at > from ? at - from : 0, bytes = took > declared ? took : declared;

    if (took && len) bytes = took + ratio_share(declared > len ? declared - len : 0, took, len);
    return (struct loss){ bytes < source_size(source) ? bytes : source_size(source), 0 };
}

/* What came of a member, a reject being told its path. */
static int name_member(struct batch *batch, struct slice path, int rc, struct err *err)
{
    if (rc != MEMBER_REJECTED || reject_set_path(&batch->rejects, path) == 0) return rc;
    return err_memory(err, path.len, "a path");
}

static bool is_bomb(const struct source *source)
{
    return source->unpacked > (64ull << 20) &&
        source->unpacked / dataset_max_ratio(source->dataset) > source->input.size;
}

/* libarchive gave no more of the member: broken data, a wrong checksum or length, or the file's end in it. */
static int reject_data(struct source *source, struct batch *batch, const char *path, uint64_t from, uint64_t declared,
                       uint64_t len, struct err *err)
{
    /* what a tar lacks of the member is known; a member of a zip takes less room than its bytes */
    uint64_t missing = source->tar && source->hit_end && declared > len ? in_file(source, declared - len) : 0;

    /* a zip that is read in one go hides behind a broken member where the next one is */
    if (!source->tar && !source->seekable)
        return reject_member(source, batch, path, len, source_rest(source, from, 0), err);
    if (source->finished)
        return reject_member(source, batch, path, len,
                             rest_of_archive(source, missing < missing_max ? missing : missing_max), err);
    return reject_member(source, batch, path, len, loss_of_member(source, from, declared, len), err);
}

/* A member is longer than it may be: text is what was read of it. */
static int end_long_member(struct source *source, struct batch *batch, const char *path, struct slice text,
                           uint64_t declared, struct err *err)
{
    const char        *inner = inner_records(&batch->fields, slice_of(path), text);
    const bool         binary = !inner && skip_of_text(text);
    const struct loss  loss = { declared > text.len ? declared : text.len, 0 };
    enum reject_reason reason = inner ? REJECT_RECORDS : binary ? REJECT_BINARY : REJECT_TOO_LONG;
    char               why[84] = "binary";

    source->skipping_member = !source->seekable_zip;        /* the directory leads past it for nothing */
    batch->skipped.files[SKIP_BINARY] += binary;
    if (inner) snprintf(why, sizeof why, INNER_RECORDS_WHY, inner);
    else if (!binary) snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
    return source_reject(source, batch, 0, loss, reason, why, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
}

/* Appends the member's bytes to raw.  declared: how many, 0 when that is not known. */
static int read_member(struct source *source, struct batch *batch, const char *path, uint64_t declared,
                       struct err *err)
{
    struct bytes *raw = &batch->raw;
    size_t        start = raw->len, len = 0;
    uint64_t      from = archive_at(source);
    char          why[84];
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
            return reject_data(source, batch, path, from, declared, len, err);
        }
        len += (size_t)got;
        source->unpacked += (uint64_t)got;
        if (is_bomb(source)) {
            source->finished = true;
            snprintf(why, sizeof why, "%llu bytes from %llu: more than max_ratio %u",
                     (unsigned long long)source->unpacked,
                     (unsigned long long)source->input.size, dataset_max_ratio(source->dataset));
            return source_reject(source, batch, len, rest_of_archive(source, 0), REJECT_RATIO, why, err) < 0 ? -ENOMEM
                : MEMBER_REJECTED;
        }
        if (len > source->max_record)
            return end_long_member(source, batch, path, (struct slice){ raw->at + start, len }, declared, err);
    }
    raw->len = start + len;
    return MEMBER_TAKEN;
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
        return source_reject(source, batch, 0, rest_of_archive(source, 0), REJECT_RATIO, "more than max_ratio",
                             err) < 0 ? -ENOMEM : MEMBER_REJECTED;
    return source->io_failed ? io_error(source, err) : MEMBER_PASSED;
}

/* Whether the archive that libarchive takes for a whole one has the end that a whole one has; *lacks: what is not
 * there.  A tar may stop between two members: it ends with a block of zeros.  A zip may have lost its directory: the
 * file ends with where that lies, and a comment of up to 64 KB. */
static bool end_is_there(struct source *source, const char **lacks, struct err *err)
{
    static const size_t most = ZIP_END + UINT16_MAX;
    const size_t        n = source->input.size < most ? (size_t)source->input.size : most;
    char               *tail;
    bool                there = false;

    *lacks = "the tar has no end mark";
    if (source->tar) return !source->hit_end || source->zeros == TAR_BLOCK || source->resumed;
    if (!source->seekable_zip) return true;
    *lacks = "the zip has no directory at its end";
    tail = malloc(n + 1);
    if (!tail) err_memory(err, n, "the end of a zip");
    if (tail && input_read_at(&source->input, source->input.size - n, tail, n, err) > 0)
        for (size_t i = 0; i + ZIP_END <= n && !there; i++)
            there = !memcmp(tail + i, "PK\5\6", 4) &&
                i + ZIP_END + ((size_t)(unsigned char)tail[i + 20] | (size_t)(unsigned char)tail[i + 21] << 8) <= n;
    free(tail);
    return there;
}

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
        const char *lacks;

        if (end_is_there(source, &lacks, &damaged)) return MEMBER_END;
        if (damaged.code < 0) return err_set(err, damaged.code, "%s", damaged.text);
        return source_reject(source, batch, 0, (struct loss){ 0 }, REJECT_TRUNCATED, lacks, err) < 0 ? -ENOMEM
            : MEMBER_REJECTED;
    }
    return reject_member(source, batch, NULL, 0, rest_of_archive(source, 0), err);
}

/* A header that is none of tar: the one behind it is looked for block by block. */
static void note_broken(struct source *source)
{
    const char *why = archive_error_string(source->archive);

    if (source->broken.there) return;
    source->broken = (struct damage){ .there = true,
                                      .reason = source->hit_end ? REJECT_TRUNCATED : REJECT_CORRUPT };
    snprintf(source->broken.detail, sizeof source->broken.detail, "%.80s", why ? why : "broken archive");
    source->broken_at = in_file(source, (uint64_t)archive_read_header_position(source->archive));
}

/* Another header was found behind a broken one, or the end: the reject comes first, what was found is kept. */
static int reject_broken(struct source *source, struct batch *batch, int rc, struct archive_entry *entry,
                         struct err *err)
{
    uint64_t at = rc == ARCHIVE_EOF || rc == ARCHIVE_FATAL ? archive_at(source)
        : in_file(source, (uint64_t)archive_read_header_position(source->archive));

    if (source->io_failed) return io_error(source, err);
    source->found = true;
    source->found_rc = rc;
    source->found_entry = entry;
    source->broken.there = false;
    source->resumed = rc == ARCHIVE_EOF;
    return source_reject(source, batch, 0,
                         (struct loss){ at > source->broken_at ? at - source->broken_at : 0, 0 }, source->broken.reason,
                         source->broken.detail, err) < 0 ? -ENOMEM : MEMBER_REJECTED;
}

/* A tar has zeros at its end, and more of them fill its last block; libarchive passes over any number of them, between
 * members too.  More than padding is a hole where members have been: the number of its bytes, or 0. */
static uint64_t hole_before(const struct source *source)
{
    const la_int64_t from = archive_read_header_position(source->archive);
    const la_int64_t at = archive_filter_bytes(source->archive, 0);

    return source->tar && !source->open_failed && at - from > CODEC_PADDING_MAX + TAR_HEADERS_MAX
        ? (uint64_t)(at - from) : 0;
}

/* What was found behind a hole is kept until that is told. */
static int reject_hole(struct source *source, struct batch *batch, int rc, struct archive_entry *entry, uint64_t hole,
                       struct err *err)
{
    char why[64];

    source->found = source->hole_told = true;
    source->found_rc = rc;
    source->found_entry = entry;
    snprintf(why, sizeof why, "%llu zero bytes where a member should be", (unsigned long long)hole);
    return source_reject(source, batch, 0, (struct loss){ in_file(source, hole), 0 }, REJECT_CORRUPT, why, err) < 0
        ? -ENOMEM : MEMBER_REJECTED;
}

/* As libarchive's, but that a header behind a broken one is given again once that is told. */
static int next_header(struct source *source, struct archive_entry **entry)
{
    if (source->found) {
        source->found = false;
        *entry = source->found_entry;
        return source->found_rc;
    }
    return source->open_failed ? ARCHIVE_FATAL : source->draining ? ARCHIVE_EOF
        : archive_read_next_header(source->archive, entry);
}

/* A zip that flags a name as UTF-8 which is none: libarchive drops it.  It is taken from the member's own header, which
 * ends where its data begin; where that cannot be found the entry stays without.  0, or <0 with err set. */
static int name_zip_entry(struct source *source, struct archive_entry *entry, struct err *err)
{
    enum { HEADER = 30, HEADER_MOST = HEADER + 2 * UINT16_MAX };
    const uint64_t end = archive_at(source);
    const size_t   n = end < HEADER_MOST ? (size_t)end : HEADER_MOST;
    unsigned char *at = malloc(n + 1);
    int            rc;

    if (!at) return err_memory(err, n, "a header");
    rc = input_read_at(&source->input, end - n, at, n, err);
    for (size_t i = n < HEADER ? 0 : n - HEADER + 1; rc > 0 && i-- > 0; ) {
        const size_t name = (size_t)at[i + 26] | (size_t)at[i + 27] << 8;
        const size_t more = (size_t)at[i + 28] | (size_t)at[i + 29] << 8;

        if (memcmp(at + i, "PK\3\4", 4) || i + HEADER + name + more != n) continue;
        at[i + HEADER + name] = '\0';
        archive_entry_copy_pathname(entry, (const char *)at + i + HEADER);
        break;
    }
    free(at);
    return rc < 0 ? rc : 0;
}

static int next_member(struct source *source, struct batch *batch, struct err *err)
{
    struct archive_entry *entry = NULL;
    const char           *path;
    uint64_t              declared, hole;
    enum skip_reason      reason = SKIP_LINK;
    bool                  link;
    size_t                start = batch->raw.len, path_at = source->paths.len;
    int                   rc;

    if (source->skipping_member) return skip_member(source, batch, err);
    rc = next_header(source, &entry);
    hole = source->hole_told || source->draining || rc == ARCHIVE_FATAL ? 0 : hole_before(source);
    source->hole_told = false;
    if (rc == ARCHIVE_RETRY) {
        note_broken(source);
        return MEMBER_PASSED;
    }
    if (source->broken.there) return reject_broken(source, batch, rc, entry, err);
    if (hole) return reject_hole(source, batch, rc, entry, hole, err);
    if (rc == ARCHIVE_EOF || rc == ARCHIVE_FATAL) return end_members(source, batch, rc, err);
    declared = archive_entry_size_is_set(entry) && archive_entry_size(entry) > 0 ? (uint64_t)archive_entry_size(entry)
        : 0;
    if (declared > missing_max) declared = missing_max;
    if (rc == ARCHIVE_WARN && source->seekable_zip && !archive_name_of(entry) &&
        name_zip_entry(source, entry, err) < 0) return err->code;
    if (rc != ARCHIVE_OK && !(rc == ARCHIVE_WARN && archive_name_is_odd(entry))) {
        /* this member only, of the length of those before it: its own header is not to be believed */
        path = rc == ARCHIVE_WARN ? archive_name_of(entry) : NULL;
        rc = reject_member(source, batch, path, 0, (struct loss){ archive_at(source) / (source->record + 1), 0 }, err);
        return name_member(batch, slice_of(path ? path : ""), rc, err);
    }
    path = archive_name_of(entry);
    if (!path) path = "";
    link = archive_entry_filetype(entry) == AE_IFLNK ||
        (archive_entry_hardlink(entry) && !(source->cpio && declared));         /* cpio has its bytes with the last */
    if (!link && archive_entry_filetype(entry) != AE_IFREG) return MEMBER_PASSED;
    if (skip_of_path(source->dataset, slice_of(path), &reason) || link) {
        batch->skipped.files[reason]++;
        return MEMBER_PASSED;
    }
    if (bytes_append(&source->paths, path, strlen(path)) < 0) return err_memory(err, strlen(path), "a path");
    rc = read_member(source, batch, path, declared, err);
    if (rc != MEMBER_TAKEN) {
        rc = name_member(batch, (struct slice){ source->paths.at + path_at, source->paths.len - path_at }, rc, err);
        source->paths.len = path_at;
        return rc;
    }
    if (source_add_item(source, batch, batch->raw.len - start, path_at, source->paths.len - path_at, err) < 0)
        return -ENOMEM;
    return MEMBER_TAKEN;
}

int source_fill_archive(struct source *source, struct batch *batch, struct err *err)
{
    const locale_t before = archive_name_enter();
    int            rc = MEMBER_TAKEN;

    source->paths.len = 0;
    /* A reject is the batch's last record, so that the records before it can be numbered by counting. */
    while ((rc == MEMBER_TAKEN || rc == MEMBER_PASSED) && !source->finished && !source_is_tired(source)
           && source_batch_has_room(source, batch, batch->raw.len)) rc = next_member(source, batch, err);
    archive_name_leave(before);
    if (rc < 0) return rc;
    for (size_t i = 0; i < batch->item_count; i++) batch->item[i].path_at += batch->raw.len;
    if (bytes_append_slice(&batch->raw, bytes_slice(&source->paths)) < 0)
        return err_memory(err, source->paths.len, "paths");
    /* tired before a record was there: an empty batch */
    return batch->record_count > 0 || !source->finished || skips_sum(&batch->skipped) > 0;
}
