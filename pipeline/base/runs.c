/* base/runs.c -- see runs.h.
 *
 *   run    block block ... block, all of the same number of records but the last
 *   block  header of 24 bytes, records
 *
 * 1. The file   2. Adding   3. Reading   4. The end of adding */
#include "base/runs.h"

#include "base/sort.h"
#include "base/stage_private.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS_BLOCK = 32 << 10, RUNS_LEAST = 256 << 10 };
/* that are merged at once: their blocks take 8 MiB */
enum { RUNS_MOST = 256 };

struct block_header {
    uint64_t at;                                            /* in the file: blocks cannot change places unnoticed */
    uint64_t count;
    /* xxh3-64 of the fields before and of the records */
    uint64_t checksum;
};
_Static_assert(sizeof(struct block_header) == 24, "file format");

struct run { uint64_t at, count; };                         /* its first byte; records */

struct runs_file { int fd; char *path; uint64_t bytes; };

struct runs {
    struct runs_options options;
    char               *record;                             /* [count] */
    size_t              count, room, most;                  /* most: records in memory */
    uint64_t            last;                               /* the largest key of these */
    bool                sorted;                             /* these came in their order */
    struct runs_file    file;
    struct run         *run;
    size_t              run_count, run_room;
    char               *block;                              /* header and records, while a run is written */
    size_t              block_records, block_fill;
};

/* ---- 1. The file ---- */

static int file_open(struct runs_file *file, const struct runs_options *options, struct err *err)
{
    struct stage      *stage = options->stage;
    unsigned long long number = (unsigned long long)atomic_fetch_add(&stage->counter, 1);
    size_t             room = strlen(stage->work) + strlen(options->name) + sizeof stage->host + 64;

    *file = (struct runs_file){ .fd = -1, .path = malloc(room) };
    if (!file->path) return err_memory(err, room, "a path");
    snprintf(file->path, room, "%s/" STAGE_TEMPORARY "%s-%ld-%llu-%s" STAGE_SPILL, stage->work, stage->host,
             (long)getpid(), number, options->name);
    do file->fd = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (file->fd < 0 && errno == EINTR);
    return file->fd < 0 ? stage_write_error(file->path, 0, errno, err) : 0;
}

static void file_close(struct runs_file *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        unlink(file->path);                                 /* one that stays is removed by the folder's next owner */
    }
    free(file->path);
    *file = (struct runs_file){ .fd = -1 };
}

/* A file of ours is only wrong when somebody or something else has touched it. */
static int file_damaged(const struct runs_file *file, int code, uint64_t byte, const char *what, struct err *err)
{
    return err_set(err, code, "%s: byte %llu: %s; the same command again makes it anew", file->path,
                   (unsigned long long)byte, what);
}

static int file_get(const struct runs_file *file, uint64_t byte, void *at, size_t len, struct err *err)
{
    for (size_t done = 0; done < len; ) {
        ssize_t got = pread(file->fd, (char *)at + done, len - done, (off_t)(byte + done));

        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return file_damaged(file, -EIO, byte + done, strerror(errno), err);
        if (got == 0) return file_damaged(file, -EBADMSG, byte + done, "the runs are cut off", err);
        done += (size_t)got;
    }
    return 0;
}

static uint64_t block_checksum(const char *block, size_t len)
{
    XXH3_state_t state;

    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, block, offsetof(struct block_header, checksum));
    XXH3_64bits_update(&state, block + sizeof(struct block_header), len);
    return XXH3_64bits_digest(&state);
}

static size_t block_bytes(const struct runs *runs)
{
    return sizeof(struct block_header) + runs->block_records * runs->options.size;
}

/* Writes what the block holds; nothing when that is nothing. */
static int block_flush(struct runs *runs, struct err *err)
{
    const size_t        len = runs->block_fill * runs->options.size;
    struct block_header header = { .at = runs->file.bytes, .count = runs->block_fill };
    struct iovec        piece = { runs->block, sizeof header + len };
    int                 rc;

    if (!len) return 0;
    memcpy(runs->block, &header, sizeof header);
    header.checksum = block_checksum(runs->block, len);
    memcpy(runs->block, &header, sizeof header);
    rc = stage_write(runs->file.fd, runs->file.path, runs->file.bytes, &piece, 1, err);
    runs->file.bytes += sizeof header + len;
    runs->block_fill = 0;
    return rc;
}

static int block_put(struct runs *runs, const void *record, struct err *err)
{
    memcpy(runs->block + sizeof(struct block_header) + runs->block_fill * runs->options.size, record,
           runs->options.size);
    runs->run[runs->run_count - 1].count++;
    return ++runs->block_fill < runs->block_records ? 0 : block_flush(runs, err);
}

/* The records that are put now are a run of their own. */
static int run_begin(struct runs *runs, struct err *err)
{
    if (!runs->block) runs->block = malloc(block_bytes(runs));
    if (!runs->block) return err_memory(err, block_bytes(runs), runs->options.name);
    if (runs->file.fd < 0 && file_open(&runs->file, &runs->options, err) < 0) return err->code;
    if (runs->run_count == runs->run_room) {
        size_t      room = 2 * runs->run_room + 16;
        struct run *grown = realloc(runs->run, room * sizeof *grown);

        if (!grown) return err_memory(err, room * sizeof *grown, runs->options.name);
        runs->run = grown;
        runs->run_room = room;
    }
    runs->run[runs->run_count++] = (struct run){ runs->file.bytes, 0 };
    return 0;
}

/* ---- 2. Adding ---- */

int runs_open(struct runs **out, const struct runs_options *options, struct err *err)
{
    struct runs *runs = calloc(1, sizeof *runs);
    /* a record, its key and place, and room to sort them or to put the records in order */
    uint64_t     each = options->size + 2 * sizeof(struct sort_item);

    *out = runs;
    if (!runs) return err_memory(err, sizeof *runs, options->name);
    assert(options->size && options->size <= RUNS_BLOCK / 4);
    if (each < 2 * options->size + sizeof(struct sort_item)) each = 2 * options->size + sizeof(struct sort_item);
    runs->options = *options;
    runs->file.fd = -1;
    runs->sorted = true;
    runs->block_records = (RUNS_BLOCK - sizeof(struct block_header)) / options->size;
    runs->most = !options->stage ? SIZE_MAX
        : (size_t)((options->memory < RUNS_LEAST ? RUNS_LEAST : options->memory) / each);
    return 0;
}

void runs_close(struct runs *runs)
{
    if (!runs) return;
    file_close(&runs->file);
    free(runs->record);
    free(runs->run);
    free(runs->block);
    free(runs);
}

static char *record_at(const struct runs *runs, size_t i) { return runs->record + i * runs->options.size; }

/* Records of one key, by the options' order: theirs is that of sort_items, which they came in. */
static int item_compare(const void *a, const void *b, void *context)
{
    const struct runs     *runs = context;
    const struct sort_item *x = a, *y = b;
    const int order = runs->options.compare(record_at(runs, x->value), record_at(runs, y->value),
                                            runs->options.context);

    return order ? order : (x->value > y->value) - (x->value < y->value);
}

static void items_settle(struct runs *runs, struct sort_item *item, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && item[to].key == item[from].key; to++) continue;
        if (to - from > 1) qsort_r(item + from, to - from, sizeof *item, item_compare, runs);
    }
}

/* Puts what is in memory in order. */
static int records_sort(struct runs *runs, struct err *err)
{
    const size_t      size = runs->options.size, count = runs->count;
    struct sort_item *item, *spare;
    char             *sorted;

    if (runs->sorted) return 0;
    item = malloc(count * sizeof *item);
    spare = malloc(count * sizeof *spare);
    for (size_t i = 0; i < count && item && spare; i++)
        item[i] = (struct sort_item){ runs->options.key(record_at(runs, i)), i };
    if (item && spare) sort_items(item, spare, count);
    free(spare);
    if (item && spare && runs->options.compare) items_settle(runs, item, count);
    sorted = item && spare ? malloc(runs->room * size) : NULL;
    if (!sorted) {
        free(item);
        return err_memory(err, count * (size + sizeof *item), runs->options.name);
    }
    for (size_t i = 0; i < count; i++) memcpy(sorted + i * size, record_at(runs, item[i].value), size);
    free(item);
    free(runs->record);
    runs->record = sorted;
    runs->sorted = true;
    return 0;
}

/* Of equal keys one record stays. */
static void records_join(struct runs *runs)
{
    size_t kept = 0;

    for (size_t i = 0; i < runs->count && runs->options.join; i++) {
        char *last = kept ? record_at(runs, kept - 1) : NULL;

        if (last && runs->options.key(last) == runs->options.key(record_at(runs, i)))
            runs->options.join(last, record_at(runs, i));
        else if (kept++ != i) memcpy(record_at(runs, kept - 1), record_at(runs, i), runs->options.size);
    }
    if (runs->options.join) runs->count = kept;
}

static int records_spill(struct runs *runs, struct err *err)
{
    int rc = records_sort(runs, err);

    if (rc < 0) return rc;
    records_join(runs);
    rc = run_begin(runs, err);
    for (size_t i = 0; i < runs->count && rc == 0; i++) rc = block_put(runs, record_at(runs, i), err);
    if (rc == 0) rc = block_flush(runs, err);
    runs->count = 0;
    return rc;
}

/* Does a record of the last one's key come after it? */
static bool follows(const struct runs *runs, const void *record)
{
    return !runs->options.compare ||
        runs->options.compare(record_at(runs, runs->count - 1), record, runs->options.context) <= 0;
}

int runs_add(struct runs *runs, const void *record, struct err *err)
{
    const uint64_t key = runs->options.key(record);

    if (runs->count == runs->most && records_spill(runs, err) < 0) return err->code;
    if (runs->count == runs->room) {
        size_t room = runs->room ? 2 * runs->room : 1024;
        char  *grown;

        if (room > runs->most) room = runs->most;
        grown = realloc(runs->record, room * runs->options.size);
        if (!grown) return err_memory(err, room * runs->options.size, runs->options.name);
        runs->record = grown;
        runs->room = room;
    }
    runs->sorted = !runs->count ||
        (runs->sorted && (key > runs->last || (key == runs->last && follows(runs, record))));
    runs->last = key;
    memcpy(record_at(runs, runs->count++), record, runs->options.size);
    return 0;
}

/* ---- 3. Reading ---- */

struct open_run {
    uint64_t key;                                           /* of the record at hand */
    uint64_t at, left;                                      /* its next block; records that are not in `block` */
    char    *block;
    size_t   here, count;                                   /* the record at hand, records in the block */
};

struct runs_reader {
    const struct runs *runs;
    struct open_run   *run;
    char              *blocks;
    /* [heap_count] runs that have records, the one with the least first; of equals the earlier run */
    uint32_t          *heap;
    size_t             heap_count;
    size_t             next;                                /* of the records in memory */
    char              *record;                              /* the one given out */
};

static const char *run_record(const struct runs_reader *reader, const struct open_run *run)
{
    return run->block + sizeof(struct block_header) + run->here * reader->runs->options.size;
}

/* The next record of the run is at hand: 1; 0 when there is none. */
static int run_step(const struct runs_reader *reader, struct open_run *run, struct err *err)
{
    const struct runs  *runs = reader->runs;
    const uint64_t      at = run->at;
    struct block_header header;
    size_t              len;

    if (++run->here >= run->count) {
        if (!run->left) return 0;
        run->count = run->left < runs->block_records ? (size_t)run->left : runs->block_records;
        run->here = 0;
        len = run->count * runs->options.size;
        if (file_get(&runs->file, at, run->block, sizeof header + len, err) < 0) return err->code;
        memcpy(&header, run->block, sizeof header);
        if (header.at != at || header.count != run->count || header.checksum != block_checksum(run->block, len))
            return file_damaged(&runs->file, -EBADMSG, at, "the checksum of a block does not fit its content", err);
        run->left -= run->count;
        run->at += sizeof header + len;
    }
    run->key = runs->options.key(run_record(reader, run));
    return 1;
}

static bool run_before(const struct runs_reader *reader, uint32_t a, uint32_t b)
{
    const struct open_run     *x = &reader->run[a], *y = &reader->run[b];
    const struct runs_options *o = &reader->runs->options;
    int                        order;

    if (x->key != y->key) return x->key < y->key;
    order = o->compare ? o->compare(run_record(reader, x), run_record(reader, y), o->context) : 0;
    return order ? order < 0 : a < b;
}

static void heap_sink(struct runs_reader *reader, size_t at)
{
    const uint32_t run = reader->heap[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < reader->heap_count && run_before(reader, reader->heap[child + 1], reader->heap[child])) child++;
        if (child >= reader->heap_count || !run_before(reader, reader->heap[child], run)) break;
        reader->heap[at] = reader->heap[child];
        at = child;
    }
    reader->heap[at] = run;
}

/* Of runs [first, first + count). */
static int reader_open(const struct runs *runs, size_t first, size_t count, struct runs_reader **out, struct err *err)
{
    struct runs_reader *reader = calloc(1, sizeof *reader);

    *out = reader;
    if (!reader) return err_memory(err, sizeof *reader, runs->options.name);
    reader->runs = runs;
    if (!count) return 0;
    reader->run = calloc(count, sizeof *reader->run);
    reader->heap = calloc(count, sizeof *reader->heap);
    reader->blocks = malloc(count * block_bytes(runs));
    reader->record = malloc(runs->options.size);
    if (!reader->run || !reader->heap || !reader->blocks || !reader->record)
        return err_memory(err, count * block_bytes(runs), runs->options.name);
    for (size_t r = 0; r < count; r++) {
        struct open_run *run = &reader->run[r];
        int              rc;

        *run = (struct open_run){ .at = runs->run[first + r].at, .left = runs->run[first + r].count,
                                  .block = reader->blocks + r * block_bytes(runs) };
        if ((rc = run_step(reader, run, err)) < 0) return rc;
        if (rc > 0) reader->heap[reader->heap_count++] = (uint32_t)r;
    }
    for (size_t h = reader->heap_count / 2; h-- > 0;) heap_sink(reader, h);
    return 0;
}

/* The least record goes to reader->record, or is joined with what is there. */
static int reader_take(struct runs_reader *reader, bool joined, struct err *err)
{
    struct open_run *run = &reader->run[reader->heap[0]];
    int              rc;

    if (joined) reader->runs->options.join(reader->record, run_record(reader, run));
    else memcpy(reader->record, run_record(reader, run), reader->runs->options.size);
    if ((rc = run_step(reader, run, err)) < 0) return rc;
    if (rc == 0) reader->heap[0] = reader->heap[--reader->heap_count];
    if (reader->heap_count) heap_sink(reader, 0);
    return 0;
}

int runs_next(struct runs_reader *reader, const void **record, struct err *err)
{
    const struct runs *runs = reader->runs;
    uint64_t           key;

    if (!runs->run_count) {
        if (reader->next == runs->count) return 0;
        *record = record_at(runs, reader->next++);
        return 1;
    }
    if (!reader->heap_count) return 0;
    key = reader->run[reader->heap[0]].key;
    if (reader_take(reader, false, err) < 0) return err->code;
    while (runs->options.join && reader->heap_count && reader->run[reader->heap[0]].key == key)
        if (reader_take(reader, true, err) < 0) return err->code;
    *record = reader->record;
    return 1;
}

int runs_read(const struct runs *runs, struct runs_reader **out, struct err *err)
{
    int rc = reader_open(runs, 0, runs->run_count, out, err);

    if (rc < 0) {
        runs_reader_close(*out);
        *out = NULL;
    }
    return rc;
}

void runs_reader_close(struct runs_reader *reader)
{
    if (!reader) return;
    free(reader->run);
    free(reader->heap);
    free(reader->blocks);
    free(reader->record);
    free(reader);
}

/* ---- 4. The end of adding ---- */

/* Merges RUNS_MOST runs at a time into one of a new file. */
static int runs_merge(struct runs *runs, struct err *err)
{
    struct runs from = *runs;
    int         rc = 0;

    runs->file = (struct runs_file){ .fd = -1 };
    runs->run = NULL;
    runs->run_count = runs->run_room = 0;
    for (size_t first = 0; first < from.run_count && rc == 0; first += RUNS_MOST) {
        size_t              count = from.run_count - first < RUNS_MOST ? from.run_count - first : RUNS_MOST;
        struct runs_reader *reader = NULL;
        const void         *record = NULL;

        rc = reader_open(&from, first, count, &reader, err);
        if (rc == 0) rc = run_begin(runs, err);
        while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) rc = block_put(runs, record, err);
        if (rc == 0) rc = block_flush(runs, err);
        runs_reader_close(reader);
    }
    file_close(&from.file);
    free(from.run);
    return rc;
}

int runs_end(struct runs *runs, struct err *err)
{
    int rc;

    if (!runs->run_count) {
        rc = records_sort(runs, err);
        if (rc == 0) records_join(runs);
        return rc;
    }
    rc = runs->count ? records_spill(runs, err) : 0;
    free(runs->record);
    runs->record = NULL;
    runs->room = 0;
    while (rc == 0 && runs->run_count > RUNS_MOST) rc = runs_merge(runs, err);
    free(runs->block);
    runs->block = NULL;
    return rc;
}

void *runs_records(const struct runs *runs, size_t *count)
{
    *count = runs->run_count ? 0 : runs->count;
    return runs->run_count ? NULL : runs->record;
}

struct runs_options runs_options(const struct runs *runs) { return runs->options; }

uint64_t runs_spilled(const struct runs *runs) { return runs->file.bytes; }
