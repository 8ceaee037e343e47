/* corpus/source.c -- opening a shard, telling what it is, and what all kinds have in common.  See source.h. */
#include "corpus/source.h"
#include "base/ratio.h"
#include "base/utf8.h"
#include "corpus/json_record.h"
#include "corpus/line.h"
#include "corpus/shared.h"
#include "corpus/source_state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

ssize_t source_read(struct source *source, void *out, size_t n, struct err *err)
{
    struct codec_place place;
    uint64_t           taken;
    ssize_t            got;

    if (source->head_at < source->head_len) {
        size_t have = source->head_len - source->head_at;

        if (n > have) n = have;
        memcpy(out, source->head + source->head_at, n);
        source->head_at += n;
        return (ssize_t)n;
    }
    if (source->ended) return 0;
    got = codec_read(&source->codec, out, n, err);
    if (got == CODEC_CORRUPT || got == CODEC_TRUNCATED) {
        source->damage = (struct damage){ .there = true, .reason = got == CODEC_CORRUPT ? REJECT_CORRUPT
                                          : REJECT_TRUNCATED };
        place = codec_place(&source->codec);
        source->damage.loss = source_rest(source, place.taken, place.missing);
        snprintf(source->damage.detail, sizeof source->damage.detail, "%.*s", (int)sizeof source->damage.detail - 1,
                 err->text);
        *err = (struct err){ 0 };
        got = 0;
    }
    if (got <= 0) {
        source->ended = got == 0;
        return got;
    }
    source->decoded += (uint64_t)got;
    source->worked += (uint64_t)got;
    taken = input_taken(&source->input);
    if (source->decoded > SOURCE_RATIO_FREE && source->decoded / dataset_max_ratio(source->dataset) > taken) {
        source->damage = (struct damage){ .there = true, .reason = REJECT_RATIO,
                                          .loss = source_rest(source, taken, 0) };
        snprintf(source->damage.detail, sizeof source->damage.detail, "%llu bytes from %llu: more than max_ratio %u",
                 (unsigned long long)source->decoded, (unsigned long long)taken, dataset_max_ratio(source->dataset));
        source->ended = true;
        got = 0;
    }
    return got;
}

int source_changed(struct err *err, const char *format, ...)
{
    char    how[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(how, sizeof how, format, arguments);
    va_end(arguments);
    return err_set(err, -EIO, "has changed while the run was going on (%s): the same command again reads it anew", how);
}

uint64_t source_size(const struct source *source)
{
    return source->shard->bytes > source->input.size ? source->shard->bytes : source->input.size;
}

uint64_t source_in_file(const struct source *source, uint64_t n)
{
    return source->decoded ? ratio_share(n, codec_place(&source->codec).taken, source->decoded) : n;
}

struct loss source_rest(const struct source *source, uint64_t at, uint64_t missing)
{
    uint64_t size = source_size(source);

    return (struct loss){ (at < size ? size - at : 0) + missing, missing };
}

int source_reject(struct source *source, struct batch *batch, uint64_t byte, struct loss loss,
                  enum reject_reason reason, const char *detail, struct err *err)
{
    if (reject_is_damage(reason)) {
        uint64_t there = loss.bytes - loss.missing, left = source_size(source) - source->lost;

        if (there > left) there = left;
        if (reason == REJECT_TRUNCATED && !loss.missing) loss.missing = 1;
        if (!there && !loss.missing) there = 1;
        loss.bytes = there + loss.missing;
        source->lost += there < left ? there : left;
        source->cut |= reason == REJECT_TRUNCATED;
    }
    if (reject_add(&batch->rejects, source->record, byte, loss.bytes, reason, "%s", detail) < 0)
        return err_memory(err, batch->rejects.count, "rejects");
    batch->rejects.at[batch->rejects.count - 1].missing = loss.missing;
    source->record++;
    batch->record_count++;
    return 0;
}

int source_add_item(struct source *source, struct batch *batch, uint64_t len, uint64_t path_at, uint64_t path_len,
                    struct err *err)
{
    if (batch->item_count == batch->item_room) {
        size_t             room = batch->item_room ? batch->item_room * 2 : 64;
        struct batch_item *item = realloc(batch->item, room * sizeof *item);

        if (!item) return err_memory(err, room * sizeof *item, "a batch");
        batch->item = item;
        batch->item_room = room;
    }
    batch->item[batch->item_count++] = (struct batch_item){ source->at - batch->byte, len, path_at, path_len };
    batch->record_count++;
    source->record++;
    source->at += len;
    return 0;
}

bool source_batch_has_room(const struct source *source, const struct batch *batch, uint64_t bytes)
{
    return batch->record_count == 0 || (bytes < SOURCE_BATCH_BYTES && source->at / source->unit_bytes == batch->unit);
}

/* A file that is no archive and no JSON lines: one document. */
static int fill_single(struct source *source, struct batch *batch, struct err *err)
{
    const char *path = source->shard->name;
    size_t      path_len = strlen(path), tail = strlen(source->codec.suffix);
    char        why[64];
    ssize_t     got = 1;

    if (source->finished) return 0;
    source->finished = true;
    while (got > 0 && batch->raw.len <= source->max_record) {
        if (bytes_reserve(&batch->raw, batch->raw.len + SOURCE_BATCH_BYTES) < 0)
            return err_memory(err, batch->raw.len, "a document");
        got = source_read(source, batch->raw.at + batch->raw.len, SOURCE_BATCH_BYTES, err);
        if (got < 0) return (int)got;
        batch->raw.len += (size_t)got;
    }
    if (source->damage.there)                               /* half a document is none: all of it is lost */
        return source_reject(source, batch, batch->raw.len, source_rest(source, 0, source->damage.loss.missing),
                             source->damage.reason, source->damage.detail, err) < 0 ? -ENOMEM : 1;
    if (batch->raw.len > source->max_record) {
        struct loss loss = { *source->codec.suffix ? batch->raw.len : source_size(source), 0 };

        snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
        batch->raw.len = 0;
        return source_reject(source, batch, 0, loss, REJECT_TOO_LONG, why, err) < 0 ? -ENOMEM : 1;
    }
    if (path_len > tail && slice_ends_in(slice_of(path), source->codec.suffix)) path_len -= tail;
    if (source_add_item(source, batch, batch->raw.len, batch->raw.len, path_len, err) < 0) return -ENOMEM;
    return bytes_append(&batch->raw, path, path_len) < 0 ? err_memory(err, path_len, "a path") : 1;
}

bool source_ends_in(const struct source *source, const char *ending)
{
    struct slice name = slice_of(source->shard->name);
    const size_t tail = strlen(source->codec.suffix);

    if (name.len > tail && slice_ends_in(name, source->codec.suffix)) name.len -= tail;
    return slice_ends_in(name, ending);
}

static bool name_is_json_lines(const struct source *source)
{
    return source_ends_in(source, ".jsonl") || source_ends_in(source, ".ndjson");
}

/* The start of an archive is short enough to look like a small text: here it is the name that says something is
 * missing. */
static bool name_is_archive(const struct source *source)
{
    return source_ends_in(source, ".tar") || source_ends_in(source, ".tgz") || source_ends_in(source, ".zip") ||
           source_ends_in(source, ".7z") || source_ends_in(source, ".cpio");
}

/* A name that promises a compression which the bytes are not in: its magic is damaged, or the name is wrong. */
static bool name_is_packed(const struct source *source)
{
    static const char *const packed[] = { ".gz", ".zst", ".xz", ".bz2", ".lz4", ".lzma", ".lz", ".Z", ".tgz" };

    for (size_t i = 0; i < sizeof packed / sizeof *packed && !*source->codec.suffix; i++)
        if (source_ends_in(source, packed[i])) return true;
    return false;
}

/* What is not read, told by its magic, or by its name where it is no text: what it is, NULL: none of them. */
static const char *name_unread(const struct source *source)
{
    static const struct { struct slice magic; const char *is; } known[] = {
        { { "!<arch>\n", 8 }, "an ar archive (.deb, .a)" }, { { "Rar!\x1A\x07", 6 }, "a RAR archive" },
        { { "MSCF\0\0\0\0", 8 }, "a CAB archive" }, { { "\xED\xAB\xEE\xDB", 4 }, "an RPM package" },
        { { "ARROW1\0\0", 8 }, "an Arrow file" }, { { "Obj\1", 4 }, "an Avro file" },
        { { "\x89HDF\r\n\x1A\n", 8 }, "an HDF5 file" }, { { "SQLite format 3\0", 16 }, "an SQLite database" },
    };
    const struct slice head = { source->head, source->head_len };
    const bool         text = head.len > 1 &&               /* brotli packs nothing into one byte */
        !memchr(head.at, 0, head.len) && utf8_valid_length(head) + 4 > head.len;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (head.len >= known[i].magic.len && !memcmp(head.at, known[i].magic.at, known[i].magic.len))
            return known[i].is;
    if (text || *source->codec.suffix) return NULL;
    return source_ends_in(source, ".br") ? "brotli" : source_ends_in(source, ".zz") ? "zlib"
        : source_ends_in(source, ".lzo") ? "LZO" : source_ends_in(source, ".sz") ? "snappy" : NULL;
}

static bool is_parquet(const struct source *source)
{
    return source->head_len >= 4 && !memcmp(source->head, "PAR1", 4);
}

/* Parquet that is not read.  0 or -EINVAL. */
static int refuse_parquet(const struct source *source, struct err *err)
{
    if (source->head_len >= 4 && !memcmp(source->head, "PARE", 4))
        return err_set(err, -EINVAL, "an encrypted Parquet file, which is not read");
    if (is_parquet(source) && *source->codec.suffix)
        return err_set(err, -EINVAL,
                       "a packed Parquet file is not read; unpack it: its pages are packed by themselves");
    if (is_parquet(source) && source->dataset->format == FORMAT_LINES)
        return err_set(err, -EINVAL, "Parquet has no lines: leave `format: lines` out");
    return 0;
}

/* CSV, TSV, and JSON other than lines.  first: place of the first byte that is not blank; bom: where the text starts.
 * 1: opened; 0: it is none of these; <0 with err set. */
static int open_text_records(struct source *source, size_t bom, size_t first, struct err *err)
{
    const bool tsv = source_ends_in(source, ".tsv");
    int        rc;

    if (source->dataset->format == FORMAT_LINES) return 0;
    if ((tsv || source_ends_in(source, ".csv")) && !memchr(source->head, 0, source->head_len)) {
        source->head_at = source->at = bom;
        rc = source_open_csv(source, tsv ? '\t' : ',', err);
        return rc < 0 ? rc : 1;
    }
    return first < source->head_len ? source_open_json(source, first, err) : 0;
}

/* Decides from the decoded head what the shard is. */
static int open_content(struct source *source, struct err *err)
{
    const char *head = source->head;
    size_t      len = source->head_len, bom = len >= 3 && !memcmp(head, "\xEF\xBB\xBF", 3) ? 3 : 0, first = bom;
    const char *unread;
    int         rc;

    while (first < len && (line_is_blank_byte(head[first]) || head[first] == '\n')) first++;
    if (refuse_parquet(source, err) < 0) return err->code;
    if (is_parquet(source)) {
        source->kind = BATCH_ROWS;
        source->fill = source_fill_parquet;
        return source_open_parquet(source, err);
    }
    if (source->dataset->format != FORMAT_LINES && source_is_archive(head, len)) {
        source->kind = BATCH_MEMBERS;
        source->fill = source_fill_archive;
        return source_open_archive(source, err);
    }
    if ((rc = open_text_records(source, bom, first, err)) != 0) return rc < 0 ? rc : 0;
    if (source->dataset->format == FORMAT_LINES ? !name_is_packed(source) || !memchr(head, 0, len)
                                                : (first < len && head[first] == '{') || name_is_json_lines(source)) {
        source->kind = source->dataset->format == FORMAT_LINES ? BATCH_LINES : BATCH_JSON_LINES;
        source->fill = source_fill_lines;
        source->head_at = source->at = bom;
        return 0;
    }
    source->kind = BATCH_MEMBERS;
    source->fill = fill_single;
    if (!source->damage.there && (unread = name_unread(source)) != NULL) {
        source->damage = (struct damage){ .there = true, .reason = source->head_len ? REJECT_UNREADABLE
                                          : REJECT_TRUNCATED };
        snprintf(source->damage.detail, sizeof source->damage.detail, "%s, which is not read: unpack or convert it",
                 unread);
    } else if (name_is_packed(source) && !source->damage.there)
        source->damage = (struct damage){ .there = true, .reason = REJECT_CORRUPT,
                                          .detail = "not in the compression that its name says" };
    else if (source_ends_in(source, ".parquet") && !source->damage.there)
        source->damage = (struct damage){ .there = true, .reason = source->head_len < 4 ? REJECT_TRUNCATED
                                          : REJECT_CORRUPT, .detail = "no Parquet file, though its name says so" };
    else if (name_is_archive(source) && !source->damage.there)
        source->damage = (struct damage){ .there = true, .reason = source->ended ? REJECT_TRUNCATED : REJECT_CORRUPT,
                                          .detail = "no archive, though its name says so" };
    return 0;
}

static int open_file(struct source *source, struct err *err)
{
    ssize_t got = 1;
    int     rc = input_open(&source->input, source->shard->path, err);

    if (rc < 0) return rc;
    if ((rc = codec_open(&source->codec, &source->input, err)) < 0) return rc;
    while (got > 0 && source->head_len < SOURCE_HEAD_BYTES) {
        source->head_at = source->head_len;                 /* past what is there: source_read must not serve it yet */
        got = source_read(source, source->head + source->head_len, SOURCE_HEAD_BYTES - source->head_len, err);
        if (got < 0) return (int)got;
        source->head_len += (size_t)got;
    }
    source->head_at = 0;
    return open_content(source, err);
}

int source_open(struct source **out, const struct dataset *dataset, const struct shard *shard, struct err *err)
{
    struct source *source = calloc(1, sizeof *source);
    int            rc;

    *out = NULL;
    if (!source) return err_memory(err, sizeof *source, "a shard");
    source->dataset = dataset;
    source->shard = shard;
    source->unit_bytes = SOURCE_UNIT_BYTES;
    source->batch_bytes = SOURCE_BATCH_BYTES;
    source->max_record = dataset_max_record(dataset);
    rc = shard->tree ? source_open_tree(source, err) : open_file(source, err);
    if (rc < 0) {
        source_close(source);
        return rc;
    }
    *out = source;
    return 0;
}

void source_set_unit_bytes(struct source *source, uint64_t bytes) { source->unit_bytes = bytes; }

void source_set_batch_bytes(struct source *source, size_t bytes) { source->batch_bytes = bytes; }

void source_set_wants(struct source *source, source_wants *wants, void *context)
{
    source->wants = wants;
    source->wants_context = context;
}

static bool hash_is_wanted(const struct source *source, uint32_t last_unit)
{
    return !source->wants ||
           source->wants(source->wants_context, &(struct stretch){ source->record, 0, last_unit, last_unit });
}

bool source_is_followed(struct source *source, uint32_t (*last_unit)(const struct source *source))
{
    if (source->wants && !source->asked) source->unfollowed = !hash_is_wanted(source, last_unit(source));
    source->asked = true;
    return !source->unfollowed;
}

/* Nothing is left but to read what nobody asked for, so that the hash is the whole file's. */
static int finish(struct source *source, struct err *err)
{
    source->exhausted = true;
    if (source->shard->tree) return 0;
    if ((source->parquet || source->starts) && !hash_is_wanted(source, source->unit)) {
        source->behind = source->input.size;
        return 0;
    }
    return input_finish(&source->input, SOURCE_STEP_BYTES, err);
}

/* The file, or the tree, has less than when it was listed, and nothing else has told so: 1 with a reject, 0. */
static int reject_shrunk(struct source *source, struct batch *batch, struct err *err)
{
    const uint64_t listed = source->shard->bytes, there = source_bytes_read(source);
    char           why[84];

    if (there >= listed || source->cut) return 0;
    if (source->parquet) {                                  /* whose units are not told by source->at */
        batch->unit = source->unit;
        batch->piece = source->piece;
    }
    snprintf(why, sizeof why, "%llu bytes, though it had %llu when it was listed", (unsigned long long)there,
             (unsigned long long)listed);
    return source_reject(source, batch, source->at, (struct loss){ listed - there, 0 }, REJECT_TRUNCATED, why, err) < 0
        ? -ENOMEM : 1;
}

int source_next(struct source *source, struct batch *batch, struct err *err)
{
    int rc = 0;

    field_map_set(&batch->fields, source->dataset);
    batch->dataset = source->dataset;
    batch->kind = source->kind;
    batch->unit = (uint32_t)(source->at / source->unit_bytes);
    batch->piece = 0;
    batch->first_record = batch->next_record = source->record;
    batch->record_count = 0;
    batch->byte = source->at;
    batch->raw.len = batch->item_count = batch->next_at = 0;
    reject_list_clear(&batch->rejects);
    batch->open_end = false;
    batch->skipped = (struct skips){ 0 };
    batch->alone = source->fill == fill_single;
    shared_release(batch->held);
    batch->held = NULL;
    source->worked = 0;
    if (!source->exhausted) rc = source->fill(source, batch, err);
    if (rc >= 0 && source->starts && source->damage.there)
        rc = source_changed(err, "%s, and nothing was damaged when the lines were counted", source->damage.detail);
    if (rc == 0) rc = finish(source, err);
    if (rc == 0) rc = reject_shrunk(source, batch, err);
    if (batch->record_count) {
        source->unit = batch->unit;
        source->piece = batch->piece;
    } else {                                                /* an empty batch opens no unit */
        batch->unit = source->unit;
        batch->piece = source->piece;
    }
    return rc;
}

uint64_t source_bytes_read(const struct source *source)
{
    if (source->shard->tree) return source->at;
    return source->input.hashed > source->behind ? source->input.hashed : source->behind;
}

uint64_t source_bytes_taken(const struct source *source)
{
    return source->shard->tree ? source->at : input_taken(&source->input);
}

static bool is_listed(const struct shard *shard, const struct stat *is)
{
    return (uint64_t)is->st_size == shard->bytes && (uint64_t)is->st_ino == shard->inode &&
        (int64_t)is->st_mtim.tv_sec * 1000000000 + is->st_mtim.tv_nsec == shard->mtime_ns;
}

static int changed(const struct shard *shard, uint64_t bytes, struct err *err)
{
    source_changed(err, "%llu bytes when it was listed, %llu now", (unsigned long long)shard->bytes,
                   (unsigned long long)bytes);
    return err_add(err, "%s", shard->path);
}

int source_check(const struct source *source, bool whole, struct err *err)
{
    const struct shard *shard = source->shard;
    struct stat         named, open;
    struct tree         tree;
    int                 rc;

    if (!shard->tree) {
        if (stat(shard->path, &named) < 0)
            return err_set(err, -EIO, "%s: has gone while the run was going on: %s", shard->path, strerror(errno));
        if (fstat(source->input.fd, &open) < 0)
            return err_set(err, -EIO, "%s: %s", shard->path, strerror(errno));
        return is_listed(shard, &named) && is_listed(shard, &open) ? 0 : changed(shard, (uint64_t)named.st_size, err);
    }
    if (!whole) return 0;
    if ((rc = tree_list(&tree, shard->path, source->dataset, err)) < 0) return rc;
    if (tree.signature != shard->signature) rc = changed(shard, tree.bytes, err);
    tree_free(&tree);
    return rc;
}

uint64_t source_xxh3(struct source *source)
{
    return source->shard->tree ? source->tree.signature : input_xxh3(&source->input);
}

void source_close(struct source *source)
{
    if (!source) return;
    source_close_archive(source);
    source_close_parquet(source);
    source_close_json(source);
    source_close_csv(source);
    codec_close(&source->codec);
    input_close(&source->input);
    bytes_free(&source->carry);
    bytes_free(&source->paths);
    tree_free(&source->tree);
    free(source->window);
    free(source);
}
