/* dedup/rewrite_shards.c -- the shards again, without the documents that were removed.
 *
 * A second pass over the shards: what stays of a batch is one frame of zstd, the frames of a unit are committed as one
 * file, and when all units of the shards that go to a file are there their frames become it and the units go.  A
 * document is found by its record's number among the rows of the first pass, so both passes speak of the same records
 * whatever was rejected, and its text must be the one that was compared. */
#include "dedup/rewrite.h"

#include "base/search.h"
#include "corpus/cleaned.h"
#include "corpus/writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows and fates of a unit, loaded once for all threads that work on it. */
struct held_unit {
    struct held_unit  *next;
    size_t             unit;                                /* in the catalogue */
    int                users;                               /* under run->lock, as next */
    pthread_mutex_t    lock;                                /* of loading */
    bool               loaded;
    struct column_unit columns;
    struct fate_unit   fates;
};

struct clean_run {
    struct rewrite   *rewrite;
    struct pass       pass;
    /* [shards->count] of the catalogue; catalogue->count: none */
    size_t           *first_unit;
    pthread_mutex_t   lock;
    struct held_unit *held;
};

/* Section PART_COUNTS of a part; PART_VALUES is its frame. */
struct clean_count { uint64_t documents, written; };        /* met again, and not removed */
_Static_assert(sizeof(struct clean_count) == 16, "unit format");

/* ---- units that are held ---- */

static void held_free(struct held_unit *held)
{
    columns_close(&held->columns);
    unit_close(&held->fates.file);
    pthread_mutex_destroy(&held->lock);
    free(held);
}

static void held_release(struct clean_run *run, struct held_unit *held)
{
    struct held_unit **at;
    bool               last;

    if (!held) return;
    pthread_mutex_lock(&run->lock);
    last = --held->users == 0;
    for (at = &run->held; last && *at != held; at = &(*at)->next) { }
    if (last) *at = held->next;
    pthread_mutex_unlock(&run->lock);
    if (last) held_free(held);
}

static int held_load(struct clean_run *run, struct held_unit *held, struct err *err)
{
    const struct rewrite *rewrite = run->rewrite;
    int                   rc = columns_load(rewrite->job, rewrite->catalogue, held->unit, rewrite->verified[held->unit],
                                            &held->columns, err);

    if (rc < 0) return rc;
    rc = fate_load(rewrite->job, rewrite->catalogue, held->unit, &held->fates, err);
    if (rc < 0) {
        columns_close(&held->columns);
        return rc;
    }
    rewrite->verified[held->unit] = true;
    held->loaded = true;
    return 0;
}

static int held_take(struct clean_run *run, size_t unit, struct held_unit **out, struct err *err)
{
    struct held_unit *held;
    int               rc = 0;

    *out = NULL;
    pthread_mutex_lock(&run->lock);
    for (held = run->held; held && held->unit != unit; held = held->next) { }
    if (!held && (held = calloc(1, sizeof *held))) {
        held->unit = unit;
        pthread_mutex_init(&held->lock, NULL);
        held->next = run->held;
        run->held = held;
    }
    if (held) held->users++;
    pthread_mutex_unlock(&run->lock);
    if (!held) return err_memory(err, sizeof *held, "a unit's rows");

    pthread_mutex_lock(&held->lock);
    if (!held->loaded) rc = held_load(run, held, err);
    pthread_mutex_unlock(&held->lock);
    if (rc < 0) held_release(run, held);
    else *out = held;
    return rc;
}

/* ---- the scanner ---- */

struct cleaner {
    struct scanner     scanner;                             /* first: what the pass sees */
    struct clean_run  *run;
    struct packer     *packer;
    struct held_unit  *held;                                /* the unit of the last document; NULL: none yet */
    uint64_t           row;                                 /* where the next document's row is looked for first */
    struct clean_count count;                               /* of the part, */
    struct bytes       text;                                /* and what stays of it */
};

__attribute__((format(printf, 2, 3)))
static int has_changed(struct err *err, const char *format, ...)
{
    char    what[128];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return err_set(err, -EIO, "has changed while the run was going on (%s): the same command again reads it anew, or "
                              "with --clean where its size and time "
                   "are still the same", what);
}

/* Makes the document's unit the held one. */
static int hold(struct cleaner *c, const struct document *document, struct err *err)
{
    const struct catalogue *catalogue = c->run->rewrite->catalogue;
    size_t                  shard = (size_t)(document->shard - c->run->pass.run->shards->at),
        unit = c->run->first_unit[shard];

    if (c->held && catalogue->unit[c->held->unit].shard == shard &&
        catalogue->unit[c->held->unit].number == document->unit)
        return 0;
    held_release(c->run, c->held);
    c->held = NULL;
    c->row = 0;
    while (unit < catalogue->count && catalogue->unit[unit].shard == shard &&
           catalogue->unit[unit].number != document->unit)
        unit++;
    if (unit == catalogue->count || catalogue->unit[unit].shard != shard)
        return has_changed(err, "its part %llu was not there", (unsigned long long)document->unit);
    return held_take(c->run, unit, &c->held, err);
}

struct sought { const struct column_unit *columns; uint64_t record; };

static bool row_is_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return columns_row(sought->columns, i, NULL)->record < sought->record;
}

/* The row of a record; NULL when the first pass rejected it. */
static const struct dedup_row *find_row(struct cleaner *c, uint64_t record)
{
    const struct column_unit *columns = &c->held->columns;
    const struct dedup_row   *row = c->row < columns->documents ? columns_row(columns, c->row, NULL) : NULL;

    if (!row || row->record != record) {                    /* another batch than before, or a reject */
        c->row = search_first(0, columns->documents, row_is_before, &(struct sought){ columns, record });
        row = c->row < columns->documents ? columns_row(columns, c->row, NULL) : NULL;
    }
    return row && row->record == record ? row : NULL;
}

static void cleaner_begin(struct scanner *scanner)
{
    struct cleaner *c = (struct cleaner *)scanner;

    c->count = (struct clean_count){ 0 };
    c->text.len = 0;
}

static int cleaner_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct cleaner          *c = (struct cleaner *)scanner;
    const struct record     *record = document->record;
    const struct dedup_row  *row;
    const struct dedup_fate *fate;
    struct content_hash      hash;
    int                      rc;

    (void)part;
    if (hold(c, document, err) < 0) return err->code;
    row = find_row(c, record->number);
    if (!row) return 0;
    hash = content_hash_raw(record->text);
    if (hash.low != row->raw.low || hash.high != row->raw.high)
        return has_changed(err, "the text of record %llu at byte %llu is another one",
                           (unsigned long long)record->number,
                           (unsigned long long)record->byte);
    fate = &c->held->fates.fate[c->row++];
    c->count.documents++;
    if (fate->removed) return 0;
    c->count.written++;
    rc = cleaned_record(&c->text, record, fate->size);
    return rc < 0 ? err_memory(err, record->text.len, "a cleaned shard") : 0;
}

static int cleaner_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct cleaner *c = (struct cleaner *)scanner;

    if (bytes_append(&part->section[PART_COUNTS], &c->count, sizeof c->count) < 0)
        return err_memory(err, sizeof c->count, "a part");
    return c->text.len ? packer_frame(c->packer, bytes_slice(&c->text), &part->section[PART_VALUES], err) : 0;
}

static void cleaner_close(struct scanner *scanner)
{
    struct cleaner *c = (struct cleaner *)scanner;

    held_release(c->run, c->held);
    packer_close(c->packer);
    bytes_free(&c->text);
    free(c);
}

static int cleaner_open(void *shared, struct scanner **out, struct err *err)
{
    struct clean_run *run = shared;
    struct cleaner   *c = calloc(1, sizeof *c);
    int               rc = c ? 0 : err_memory(err, sizeof *c, "a scanner");

    *out = NULL;
    if (rc == 0) rc = packer_open(&c->packer, run->rewrite->job->options->zstd_level, err);
    if (rc < 0) {
        free(c);
        return rc;
    }
    c->scanner = (struct scanner){ .begin = cleaner_begin, .document = cleaner_document, .end = cleaner_end,
                                   .close = cleaner_close };
    c->run = run;
    *out = &c->scanner;
    return 0;
}

/* ---- units into files ---- */

/* Appends a unit's frames.  next: the shard's next unit in the catalogue, 0 after the last. */
static int append_unit(struct clean_run *run, const struct catalogue_unit *unit, uint64_t next, struct writer *writer,
                       bool *any, struct err *err)
{
    struct pass_unit file;
    uint64_t         documents = 0;
    int              rc = pass_unit_need(run->pass.run, &run->pass.scanner[0], unit->shard, unit->number, &file, err);

    if (rc < 0) return rc;
    for (uint64_t p = 0; p < file.header->parts; p++) {
        struct slice count = pass_unit_section(&file, p, PART_COUNTS);

        if (count.len == sizeof(struct clean_count)) documents += ((const struct clean_count *)count.at)->documents;
    }
    if (documents != unit->documents || file.header->next != next)
        rc = has_changed(err, "%llu of %llu documents were met again", (unsigned long long)documents,
                         (unsigned long long)unit->documents);
    for (uint64_t p = 0; p < file.header->parts && rc == 0; p++) {
        struct slice frame = pass_unit_section(&file, p, PART_VALUES);

        *any |= frame.len > 0;
        rc = writer_append(writer, frame, err);
    }
    unit_close(&file.file);
    return rc;
}

/* The units of a file's shards, which follow each other in the catalogue: [*first, the result). */
static size_t file_units(const struct clean_run *run, const struct cleaned_file *file, size_t *first)
{
    const struct catalogue *catalogue = run->rewrite->catalogue;
    size_t                  end = *first = run->first_unit[file->first];

    while (end < catalogue->count && catalogue->unit[end].shard < file->first + file->count) end++;
    return end;
}

/* last: the shard that an error names already. */
static int append_units(struct clean_run *run, size_t first, size_t end, size_t last, struct writer *writer, bool *any,
                        struct err *err)
{
    const struct catalogue_unit *unit = run->rewrite->catalogue->unit;
    int                          rc = 0;

    for (size_t u = first; u < end && rc == 0; u++) {
        rc = append_unit(run, &unit[u], u + 1 < end && unit[u + 1].shard == unit[u].shard ? unit[u + 1].number : 0,
                         writer, any, err);
        if (rc < 0 && unit[u].shard != last)
            err_add(err, "%s, which is written with it", run->pass.run->shards->at[unit[u].shard].path);
    }
    return rc;
}

/* All units of its shards are committed: they become the file, or none when nothing stays.  Only when that has its name
 * and its mark are they removed, so a killed run has either. */
static int file_write_units(struct clean_run *run, size_t f, size_t last, struct err *err)
{
    const struct rewrite *rewrite = run->rewrite;
    const struct pass    *pass = &run->pass;
    struct writer        *writer;
    bool                  any = false;
    struct file_sum       sum;
    char                  place[FILE_NAME_MAX];
    size_t                first, end = file_units(run, &rewrite->files.at[f], &first);
    int                   rc = rewrite_clean_place(rewrite, f, place, err);

    if (rc == 0) rc = writer_open(&writer, rewrite->job->run->output, place, err);
    if (rc < 0) return rc;
    if (rewrite->files.at[f].count > 1) rc = writer_join(writer, rewrite->job->options->zstd_level, err);
    if (rc == 0) rc = append_units(run, first, end, last, writer, &any, err);
    if (rc < 0) {
        writer_abandon(writer);
        return rc;
    }
    rc = writer_commit(writer, &sum, err);
    if (rc >= 0) rc = rewrite_mark(rewrite, rewrite_clean_key(rewrite, f), place, any ? &sum : NULL, err);
    for (size_t u = first; u < end && rc == 0; u++) {
        const struct catalogue_unit *unit = &rewrite->catalogue->unit[u];

        rc = stage_remove(pass->run->stage, pass->scanner[0].kind,
                          pass_unit_key(pass->run->datasets, pass->scanner[0].key, &pass->run->shards->at[unit->shard],
                                        unit->number), err);
    }
    return rc;
}

static int shard_done(void *shared, const struct shard *shard, struct err *err)
{
    struct clean_run     *run = shared;
    struct cleaned_files *files = &run->rewrite->files;
    const size_t          s = (size_t)(shard - run->pass.run->shards->at);

    return cleaned_files_done(files, s) ? file_write_units(run, files->of[s], s, err) : 0;
}

/* The shards of the files that are not there, those of one file together. */
static int take_shards(struct clean_run *run, struct err *err)
{
    const struct rewrite *rewrite = run->rewrite;
    uint32_t             *item;
    size_t                count = 0;
    int                   rc = columns_pass(rewrite->job, &run->pass, err);

    free((void *)(uintptr_t)run->pass.item);
    run->pass.item = NULL;
    run->pass.bundle = rewrite->files.of;
    if (rc == 0) rc = pass_take_shards(&run->pass, run->pass.run->shards->count, err);
    item = (uint32_t *)(uintptr_t)run->pass.item;
    for (size_t i = 0; i < run->pass.item_count && rc == 0; i++)
        if (!rewrite->file_done[rewrite->files.of[item[i]]]) item[count++] = item[i];
    run->pass.item_count = count;
    return rc;
}

int rewrite_shards(struct rewrite *rewrite, struct err *err)
{
    const struct dedup_job *job = rewrite->job;
    const size_t            shards = job->run->shards->count, units = rewrite->catalogue->count;
    struct clean_run        run = { .rewrite = rewrite };
    int                     rc = take_shards(&run, err);

    run.first_unit = calloc(shards + 1, sizeof *run.first_unit);
    if (rc == 0 && !run.first_unit) rc = err_memory(err, shards * sizeof *run.first_unit, "the list of shards");
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) goto done;
    for (size_t s = 0; s < shards; s++) run.first_unit[s] = units;
    for (size_t u = units; u-- > 0;) run.first_unit[rewrite->catalogue->unit[u].shard] = u;

    run.pass.stage = "dedup: cleaned shards";
    run.pass.want_fields = FIELDS_ON_DEMAND;
    run.pass.scanner[0] = (struct pass_scanner){ .kind = "clean", .key = rewrite->key, .needs = PASS_RECORDS,
                                                 .open = cleaner_open, .shard_done = shard_done, .shared = &run };
    pthread_mutex_init(&run.lock, NULL);
    rc = run.pass.item_count ? pass_run(&run.pass, err) : 0;
    pthread_mutex_destroy(&run.lock);
done:
    free(run.first_unit);
    free((void *)(uintptr_t)run.pass.item);
    return rc;
}
