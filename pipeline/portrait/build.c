/* portrait/build.c -- from units of keys to the file.
 *
 * The filter is filled slice by slice, a slice being a range of blocks: keys are sorted, so of every unit only those of
 * the slice are touched.  Slices are dealt over ranks and committed; threads share a slice by blocks, so no two ever
 * write one byte.  Rank 0 lays them end to end. */
#include "portrait/private.h"

#include "base/file.h"
#include "base/log.h"
#include "base/outputs.h"
#include "base/search.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* blocks: 4 MiB, 256 MiB; a rank holds one slice */
enum { SLICE_LEAST = 1024, SLICE_MOST = 65536, SLICES = 16 };
/* of a slice, filled at a time: see range_count */
enum { RANGE_BLOCKS = 8, RANGE_KEYS = 64 };

struct build {
    struct portrait_job     *job;
    struct pass_scanner      scanner;                       /* that made the units */
    struct portrait          base;                          /* that is extended; zeroed: none */
    struct portrait_content  content;
    struct portrait_head     head;
    char                     path[FILE_NAME_MAX], place[256];
};

/* ---- what is to be made ---- */

static int base_open(struct build *build, struct err *err)
{
    const struct portrait_options *o = build->job->options;
    const struct portrait_head    *head = &build->base.head;

    if (!*o->extends) return 0;
    if (portrait_open(&build->base, o->extends, err) < 0) return err->code;
    if (head->kind == o->scheme.kind && head->width == o->scheme.width && head->stride == o->scheme.stride) return 0;
    return err_set(err, -EINVAL, "portrait: %s holds %s of width %u and stride %u, which cannot be extended by %s of "
                                 "width %u and stride %u", o->extends,
                   portrait_kind_names[head->kind], head->width, head->stride, portrait_kind_names[o->scheme.kind],
                       o->scheme.width, o->scheme.stride);
}

/* Everything that decides the file's bytes, and nothing else: the same corpus in another place makes the same file. */
static struct unit_key content_key(const struct build *build)
{
    const struct portrait_head *head = &build->head;
    uint64_t        number[] = { head->version, head->kind, head->width, head->stride, head->hashes, head->blocks,
                                 head->insertions, build->base.head.head_xxh3 };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);

    key = unit_key_add(key, build->job->run->version, strlen(build->job->run->version));
    key = unit_key_add(key, build->content.shard, build->content.shard_count * sizeof *build->content.shard);
    key = unit_key_add(key, build->content.names.at, build->content.names.len);
    for (size_t s = 0; s < build->job->run->shards->count; s++) {
        const struct dataset *dataset = &build->job->run->datasets[build->job->run->shards->at[s].dataset];
        const char           *text = dataset->fields[FIELD_TEXT];
        uint64_t              reading[] = { (uint64_t)dataset->format, (uint64_t)dataset->utf8,
                                            dataset->max_record_bytes, dataset->max_ratio };

        if (!build->job->member[build->job->run->shards->at[s].dataset]) continue;
        key = unit_key_add(key, reading, sizeof reading);
        key = unit_key_add(key, text, text ? strlen(text) : 0);
    }
    return key;
}

static void head_fill(struct build *build)
{
    const struct portrait_head    *base = &build->base.head;
    const struct portrait_content *content = &build->content;
    const struct portrait_scheme  *scheme = &build->job->options->scheme;
    struct portrait_head          *head = &build->head;

    portrait_head_begin(head);
    head->kind = scheme->kind;
    head->width = scheme->width;
    head->stride = scheme->stride;
    head->insertions = content->insertions + base->insertions;
    head->documents = content->documents + base->documents;
    head->text_bytes = content->text_bytes + base->text_bytes;
    head->shards = content->shard_count + base->shards;
    head->names_bytes = content->names.len + base->names_bytes;
    head->blocks = base->blocks;                            /* a filter cannot grow */
    head->hashes = base->hashes;
    if (!build->base.map) portrait_shape(build->job->options, head->insertions, &head->blocks, &head->hashes);
    head->made_of = content_key(build);
}

/* ---- slices ---- */

static struct unit_key slice_key(const struct build *build, uint64_t slice)
{
    return unit_key_add(build->head.made_of, &slice, sizeof slice);
}

/* Sixteen slices keep as many ranks busy; more are needed only where memory is the limit. */
static uint64_t slice_size(const struct build *build)
{
    uint64_t size = build->head.blocks / SLICES;

    return size < SLICE_LEAST ? SLICE_LEAST : size > SLICE_MOST ? SLICE_MOST : size;
}

static uint64_t slice_count(const struct build *build)
{
    return (build->head.blocks + slice_size(build) - 1) / slice_size(build);
}

static uint64_t slice_blocks(const struct build *build, uint64_t slice)
{
    uint64_t left = build->head.blocks - slice * slice_size(build);

    return left < slice_size(build) ? left : slice_size(build);
}

struct sought { const struct portrait_head *head; const uint64_t *key; uint64_t first; };

static bool block_is_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return portrait_block(sought->key[i], sought->head->blocks) < sought->first;
}

/* Puts the keys of blocks [first, last) of one part in; bits are those of the slice that starts at block `start`. */
static void part_put(const struct portrait_head *head, struct slice section, uint64_t first, uint64_t last,
                     uint64_t start, unsigned char *bits)
{
    const uint64_t *key = (const uint64_t *)(const void *)section.at;
    const size_t    count = section.len / sizeof *key;

    for (size_t k = search_first(0, count, block_is_before, &(struct sought){ head, key, first }); k < count; k++) {
        uint64_t block = portrait_block(key[k], head->blocks);

        /* also when a unit is not sorted, which nothing of ours writes */
        if (block - first >= last - first) break;
        portrait_put(bits + (block - start) * PORTRAIT_BLOCK, head->hashes, key[k]);
    }
}

/* A thread fills ranges that a core's cache holds, from all parts of a unit, unless a part has hardly a key in so small
 * a range: it is searched for each. */
static uint64_t range_count(const struct portrait_head *head, const struct unit *unit, uint64_t parts, uint64_t blocks,
                            int threads)
{
    uint64_t keys = 0, count;

    for (uint64_t p = 0; p < parts; p++)
        keys += unit->section[pass_section_at(parts, p, PART_VALUES)].len / sizeof(uint64_t);
    count = parts ? keys / parts * blocks / head->blocks / RANGE_KEYS : 0;
    if (count > blocks / RANGE_BLOCKS) count = blocks / RANGE_BLOCKS;
    return count < (uint64_t)threads ? (uint64_t)threads : count;
}

static int unit_put(struct build *build, struct key_unit *ref, uint64_t start, uint64_t blocks, unsigned char *bits,
                    struct err *err)
{
    const struct portrait_job *job = build->job;
    const struct shard        *shard = &job->run->shards->at[ref->shard];
    const struct unit_header  *header;
    struct unit                unit;
    uint64_t                   ranges;
    int                        threads = job->run->threads, rc;

    rc = (ref->verified ? stage_map : stage_load)(job->run->stage, build->scanner.kind,
                                             pass_unit_key(job->run->datasets, build->scanner.key, shard, ref->number),
                                                 &unit, err);
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: a unit of it was damaged or has disappeared; the same command again makes it anew",
                     shard->path);
    if (rc < 0) return rc;
    ref->verified = true;
    header = (const struct unit_header *)unit.section[0].at;
    ranges = range_count(&build->head, &unit, header->parts, blocks, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t r = 0; r < ranges; r++) {
        uint64_t first = start + blocks * r / ranges, last = start + blocks * (r + 1) / ranges;

        for (uint64_t p = 0; p < header->parts; p++)
            part_put(&build->head, unit.section[pass_section_at(header->parts, p, PART_VALUES)], first, last, start,
                     bits);
    }
    unit_close(&unit);
    return 0;
}

static int slice_make(struct build *build, uint64_t slice, struct deal *deal, struct err *err)
{
    struct stage  *stage = build->job->run->stage;
    uint64_t       start = slice * slice_size(build), blocks = slice_blocks(build, slice);
    size_t         bytes = (size_t)blocks * PORTRAIT_BLOCK;
    unsigned char *bits;
    struct unit    unit;
    int            rc = stage_load(stage, "portrait-bits", slice_key(build, slice), &unit, err);

    if (rc > 0) unit_close(&unit);
    if (rc != 0) return rc < 0 ? rc : 0;
    bits = calloc(1, bytes);
    if (!bits) return err_memory(err, bytes, "a slice of the portrait");
    if (build->base.map) memcpy(bits, build->base.bits + start * PORTRAIT_BLOCK, bytes);
    for (size_t u = 0; u < build->content.unit_count && rc == 0; u++) {
        /* the others must neither wait for a whole slice nor take this rank for dead */
        deal_poll(deal);
        deal_report(deal, &(struct deal_progress){ .items = slice });
        rc = unit_put(build, &build->content.unit[u], start, blocks, bits, err);
    }
    if (rc == 0)
        rc = stage_commit(stage, "portrait-bits", slice_key(build, slice), &(struct slice){ (const char *)bits, bytes },
                          1, err);
    free(bits);
    return rc;
}

static int slices_make(struct build *build, struct err *err)
{
    struct deal     *deal;
    enum deal_answer answer;
    uint64_t         slice, made = 0;
    double           started = log_seconds();
    int              rc = deal_open(&deal, build->job->run->comm, slice_count(build), err);

    if (rc < 0) return rc;
    status_stage("portrait", "slices");
    status_items(0, slice_count(build));
    while (rc == 0 && (answer = deal_next(deal, &slice)) != DEAL_NONE) {
        deal_poll(deal);
        if (answer == DEAL_WAIT) {
            nanosleep(&(struct timespec){ 0, 200000 }, NULL);
            continue;
        }
        rc = slice_make(build, slice, deal, err);
        status_items(++made, slice_count(build));
        log_progress(&(struct progress){ .stage = "portrait", .shards = made, .shard_total = slice_count(build),
                                         .started = started });
    }
    if (rc < 0) deal_stop(deal);
    deal_close(deal);
    log_progress_end();
    return comm_agree(build->job->run->comm, rc, err);
}

/* ---- the file ---- */

/* Head, shards, names: the base's before the new ones, whose names lie behind the base's. */
static int front_make(const struct build *build, struct bytes *out, struct err *err)
{
    const struct portrait_head    *head = &build->head, *base = &build->base.head;
    const struct portrait_content *content = &build->content;
    uint64_t                       bytes = portrait_head_bytes(head);
    int                            rc = bytes_reserve(out, (size_t)bytes);

    if (rc == 0) rc = bytes_append(out, head, sizeof *head);
    if (rc == 0) rc = bytes_append(out, build->base.shard, (size_t)base->shards * sizeof *build->base.shard);
    for (size_t s = 0; rc == 0 && s < content->shard_count; s++) {
        struct portrait_shard row = content->shard[s];

        row.dataset_at += (uint32_t)base->names_bytes;
        row.name_at += (uint32_t)base->names_bytes;
        rc = bytes_append(out, &row, sizeof row);
    }
    if (rc == 0) rc = bytes_append(out, build->base.names, (size_t)base->names_bytes);
    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(&content->names));
    if (rc < 0) return err_memory(err, bytes, "the head of a portrait");
    memset(out->at + out->len, 0, (size_t)bytes - out->len);
    out->len = (size_t)bytes;
    return 0;
}

static int bits_append(const struct build *build, int file, const char *name, struct err *err)
{
    for (uint64_t slice = 0; slice < slice_count(build); slice++) {
        struct unit unit;
        int         rc = stage_load(build->job->run->stage, "portrait-bits", slice_key(build, slice), &unit, err);

        if (rc == 0)
            rc = err_set(err, -EIO, "%s: a slice that a rank has just written is not there; is the folder shared by "
                                    "all hosts?", build->job->run->output);
        if (rc < 0) return rc;
        if (unit.count != 1 || unit.section[0].len != slice_blocks(build, slice) * PORTRAIT_BLOCK)
            rc = err_set(err, -EBADMSG, "%s: a slice of the portrait has another size than it should; run again with "
                                        "--clean", build->job->run->output);
        else rc = file_write_all(file, name, unit.section[0].at, unit.section[0].len, err);
        unit_close(&unit);
        if (rc < 0) return rc;
    }
    return 0;
}

static int write_error(const char *name, struct err *err)
{
    return err_set(err, err_of_write(errno), "%s: %s", name, strerror(errno));
}

/* The rate is measured on what was written; the head follows. */
static int front_finish(struct build *build, int file, const char *name, struct bytes *front, struct err *err)
{
    struct portrait_head *head = &build->head;
    size_t                bytes = front->len + (size_t)head->blocks * PORTRAIT_BLOCK;
    void                 *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);

    if (map == MAP_FAILED) return write_error(name, err);
    portrait_measure(head, (const unsigned char *)map + front->len);
    munmap(map, bytes);
    memcpy(front->at, head, sizeof *head);
    head->head_xxh3 = portrait_head_hash(front->at, front->len);
    memcpy(front->at, head, sizeof *head);
    if (lseek(file, 0, SEEK_SET) < 0) return write_error(name, err);
    return file_write_all(file, name, front->at, front->len, err);
}

static int file_make(struct build *build, struct err *err)
{
    struct bytes front = { 0 };
    const char  *place = build->place;
    char         name[FILE_NAME_MAX];
    int          file = -1, rc = front_make(build, &front, err);

    if (rc == 0) rc = outputs_replace(build->job->run->stage, &place, 1, false, err);
    if (rc == 0) rc = file = file_create_aside(build->job->run->output, name, err);
    if (rc >= 0) rc = file_write_all(file, name, front.at, front.len, err);
    if (rc == 0) rc = bits_append(build, file, name, err);
    if (rc == 0) rc = front_finish(build, file, name, &front, err);
    if (rc == 0) rc = file_move(file, name, build->path, err);
    if (file >= 0) {
        close(file);
        if (rc < 0) unlink(name);
    }
    for (uint64_t slice = 0; rc == 0 && slice < slice_count(build); slice++)
        rc = stage_remove(build->job->run->stage, "portrait-bits", slice_key(build, slice), err);
    bytes_free(&front);
    return rc;
}

/* Rank 0: is the very portrait there already?  A damaged or another one is made anew. */
static bool file_is_there(struct build *build)
{
    struct portrait there;
    struct err      ignored = { 0 };
    bool            same;

    if (portrait_open(&there, build->path, &ignored) < 0) return false;
    same = memcmp(&there.head.made_of, &build->head.made_of, sizeof there.head.made_of) == 0;
    if (same) build->head = there.head;
    portrait_close(&there);
    return same;
}

/* ---- the whole ---- */

static int build_file(struct build *build, struct err *err)
{
    struct comm *comm = build->job->run->comm;
    uint64_t     there = 0;
    int          rc = portrait_list(build->job, &build->base, &build->content, err);

    if ((rc = comm_agree(comm, rc, err)) < 0) return rc;
    head_fill(build);
    if (comm_rank(comm) == 0) there = file_is_there(build);
    comm_sum(comm, &there, 1);
    if (there) {
        if (comm_rank(comm) == 0) rc = outputs_keep(build->job->run->stage, build->place, err);
        return comm_agree(comm, rc, err);
    }
    rc = slices_make(build, err);
    if (rc == 0 && comm_rank(comm) == 0) rc = file_make(build, err);
    return comm_agree(comm, rc, err);
}

int portrait_make(struct portrait_job *job, struct err *err)
{
    struct build *build = calloc(1, sizeof *build);
    double        started = log_seconds();
    int           rc = build ? 0 : err_memory(err, sizeof *build, "the portrait");

    if (build) {
        build->job = job;
        build->scanner = portrait_scanner(job);
        snprintf(build->place, sizeof build->place, "%s.portrait", job->options->name);
        rc = file_join(job->run->output, build->place, build->path, err);
        if (rc == 0) rc = base_open(build, err);
    }
    rc = comm_agree(job->run->comm, rc, err);
    if (rc == 0) rc = build_file(build, err);
    if (build) {
        job->head = build->head;
        portrait_content_free(&build->content);
        portrait_close(&build->base);
    }
    free(build);
    job->seconds = log_seconds() - started;
    return rc;
}
