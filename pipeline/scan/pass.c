/* scan/pass.c -- see pass.h.
 *
 * 1. State   2. Units under way   3. One batch   4. Opening and helping   5. The rank's loop
 *
 * Locks: run->lock guards the slots, the stock and the first error; shard->lock guards a shard's source and its units.
 * A thread never holds both. */
#include "scan/pass.h"

#include "base/log.h"
#include "scan/part.h"
#include "corpus/source.h"
#include "corpus/utf8.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* ---- 1. State ---- */

struct open_unit {                                          /* a unit whose batches are being worked on */
    struct open_unit  *next;
    uint64_t           number;
    struct unit_header header;
    struct part      **part;
    size_t             part_count, part_room, handed;
    bool               complete;                            /* no further batch will be handed out */
    bool               reused;                              /* lies in the work folder already: nothing to do */
};

struct open_shard {
    const struct shard   *shard;
    const struct dataset *dataset;
    struct source        *source;
    pthread_mutex_t       lock;
    struct open_unit     *units;                            /* newest first */
    uint64_t              sequence, bytes_told;
    bool                  started, ended;
    uint64_t              first_unit;                       /* number of the first batch's unit: to us it is unit 0 */
    int                   users;                            /* the slot and every thread inside; under run->lock */
};

struct pass_run {
    struct pass        *pass;
    pthread_mutex_t     lock;
    struct open_shard **slot;                               /* [threads] */
    uint64_t           *stock;                              /* [threads] items dealt to this rank, not yet opened */
    size_t              stock_count;
    int                 opening;                            /* threads that took an item and have not put it in their slot */
    bool                dealt_all, stopped;
    struct err          err;
    struct deal        *deal;
    struct deal_progress progress;
    uint64_t            byte_total;
    double              started;
};

static void run_fail(struct pass_run *run, const struct err *err)
{
    pthread_mutex_lock(&run->lock);
    if (!run->stopped) run->err = *err;
    run->stopped = true;
    pthread_mutex_unlock(&run->lock);
}

static void part_free(struct part *part)
{
    if (!part) return;
    for (size_t s = 0; s < PART_SECTIONS; s++) bytes_free(&part->section[s]);
    free(part);
}

static void unit_free(struct open_unit *unit)
{
    for (size_t p = 0; p < unit->part_count; p++) part_free(unit->part[p]);
    free(unit->part);
    free(unit);
}

static bool shard_has_ended(const struct open_shard *shard) { return __atomic_load_n(&shard->ended, __ATOMIC_RELAXED); }

static void shard_free(struct open_shard *shard)
{
    if (!shard) return;
    while (shard->units) {
        struct open_unit *unit = shard->units;

        shard->units = unit->next;
        unit_free(unit);
    }
    source_close(shard->source);
    pthread_mutex_destroy(&shard->lock);
    free(shard);
}

/* ---- 2. Units under way ---- */

/* Is the unit committed already? */
static int unit_reused(struct pass_run *run, const struct shard *shard, uint64_t number, struct unit_header *header, struct err *err)
{
    struct pass_unit unit;
    int              rc = pass_unit_load(run->pass, shard, number, &unit, err);

    if (rc <= 0) return rc;
    *header = *unit.header;
    unit_close(&unit.file);
    return 1;
}

static void totals_add(struct pass_run *run, const struct pass_totals *more)
{
    struct pass_totals *totals = &run->pass->totals;

    pthread_mutex_lock(&run->lock);
    totals->documents += more->documents;
    totals->rejected += more->rejected;
    totals->text_bytes += more->text_bytes;
    totals->units += more->units;
    totals->units_reused += more->units_reused;
    pthread_mutex_unlock(&run->lock);
}

/* 1 when all units of the shard are there; only then do they join the totals, as they are met again when it is read. */
static int shard_is_done(struct pass_run *run, const struct shard *shard, struct err *err)
{
    struct unit_header header = { 0 };
    struct pass_totals sums = { 0 };
    uint64_t           number = 0;
    int                rc;

    do {
        rc = unit_reused(run, shard, number, &header, err);
        if (rc <= 0) return rc;
        sums.documents += header.documents;
        sums.rejected += header.rejected;
        sums.text_bytes += header.text_bytes;
        sums.units_reused++;
        number = header.next;
    } while (number > 0);
    totals_add(run, &sums);
    return 1;
}

/* The unit of a new batch, under the shard's lock.  The unit before it is complete now. */
static int unit_for_batch(struct pass_run *run, struct open_shard *shard, uint64_t number, struct open_unit **out, struct err *err)
{
    struct open_unit *unit = shard->units;
    int               rc;

    if (!shard->started) shard->first_unit = number;        /* blank lines may fill whole units before the first record */
    shard->started = true;
    number -= shard->first_unit == number ? number : 0;
    if (!unit || unit->number != number) {
        if (unit) {
            unit->complete = true;
            unit->header.next = number;
        }
        unit = calloc(1, sizeof *unit);
        if (!unit) return err_memory(err, sizeof *unit, "a unit");
        unit->number = number;
        unit->next = shard->units;
        shard->units = unit;
        rc = unit_reused(run, shard->shard, number, &unit->header, err);
        if (rc < 0) return rc;
        unit->reused = rc > 0;
    }
    *out = unit;
    return 0;
}

static int unit_add_part(struct open_unit *unit, struct part *part)
{
    if (unit->part_count == unit->part_room) {
        size_t        room = unit->part_room ? 2 * unit->part_room : 16;
        struct part **grown = realloc(unit->part, room * sizeof *grown);

        if (!grown) return -ENOMEM;
        unit->part = grown;
        unit->part_room = room;
    }
    unit->part[unit->part_count++] = part;
    return 0;
}

static int part_order(const void *a, const void *b)
{
    const struct part *x = *(const struct part *const *)a, *y = *(const struct part *const *)b;

    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Takes the units that are complete and delivered out of the shard and commits them, outside its lock. */
static int units_commit(struct pass_run *run, struct open_shard *shard, struct err *err)
{
    for (;;) {
        struct open_unit **at, *unit = NULL;
        int                rc = 0;

        pthread_mutex_lock(&shard->lock);
        for (at = &shard->units; *at; at = &(*at)->next) {
            if (!(*at)->complete || (*at)->part_count != (*at)->handed) continue;
            unit = *at;
            *at = unit->next;
            break;
        }
        pthread_mutex_unlock(&shard->lock);
        if (!unit) return 0;

        if (!unit->reused) {
            if (unit->part_count) qsort(unit->part, unit->part_count, sizeof *unit->part, part_order);
            unit->header.parts = unit->part_count;
            rc = pass_unit_commit(run->pass, shard->shard, unit->number, &unit->header, unit->part, err);
        }
        totals_add(run, &(struct pass_totals){ .documents = unit->header.documents, .rejected = unit->header.rejected,
                                               .text_bytes = unit->header.text_bytes, .units = !unit->reused,
                                               .units_reused = unit->reused });
        unit_free(unit);
        if (rc < 0) return rc;
    }
}

/* ---- 3. One batch ---- */

struct worker {                                             /* one a thread */
    struct pass_run     *run;
    struct view_scratch *view;
    struct scanner      *scanner;
    struct batch         batch;
    struct bytes         split, repaired;
    const char          *last_language;                     /* the last document's group, found again without a search */
    uint32_t             last_group;
};

/* A record's own split as text that every reader takes for the same: bad bytes and NUL are U+FFFD. */
static int split_of_record(struct worker *worker, const struct record *record, struct slice *out)
{
    static const struct slice replacement = { "\xEF\xBF\xBD", 3 };

    worker->split.len = worker->repaired.len = 0;
    *out = (struct slice){ 0 };
    if (!record_field(record, FIELD_SPLIT, &worker->split)) return 0;
    if (!worker->split.at) return -ENOMEM;
    *out = bytes_slice(&worker->split);
    if (utf8_valid_length(*out) == out->len && !memchr(out->at, 0, out->len)) return 0;
    for (size_t i = 0; i < out->len; ) {
        size_t run = strnlen(out->at + i, out->len - i);

        if (utf8_repair(&worker->repaired, (struct slice){ out->at + i, run }) < 0) return -ENOMEM;
        i += run;
        if (i++ < out->len && bytes_append_slice(&worker->repaired, replacement) < 0) return -ENOMEM;
    }
    *out = bytes_slice(&worker->repaired);
    return 0;
}

/* The part's group of a document's split and language.  A part has few of them, mostly one. */
static int group_find(struct worker *worker, struct part *part, const struct shard *shard, const struct record *record,
                      const struct view_language *language, uint32_t *out)
{
    const struct dataset *dataset = &worker->run->pass->datasets[shard->dataset];
    const char           *listed = dataset->splits[shard->split].name;
    const struct part_group *group = (const struct part_group *)part->section[PART_GROUPS].at;
    size_t                count = part->section[PART_GROUPS].len / sizeof *group;
    struct slice          split = slice_of(listed), name = slice_of(language->name);
    bool                  own = !split.len && record->raw[FIELD_SPLIT].at;     /* the record says its split */
    struct part_group     made = { 0 };
    struct heap_string    place;

    if (own) {
        if (split_of_record(worker, record, &split) < 0) return -ENOMEM;
    } else if (count && worker->last_language == language->name) {
        *out = worker->last_group;
        return 0;
    }
    for (size_t g = 0; g < count; g++) {
        const char *heap = part->section[PART_HEAP].at;

        if (!slice_equal(split, (struct slice){ heap + group[g].split_at, group[g].split_len }) ||
            !slice_equal(name, (struct slice){ heap + group[g].language_at, group[g].language_len })) continue;
        *out = (uint32_t)g;
        goto found;
    }
    if (part_add_string(part, split, &place) < 0) return -ENOMEM;
    made.split_at = place.at;
    made.split_len = place.len;
    if (part_add_string(part, name, &place) < 0) return -ENOMEM;
    made.language_at = place.at;
    made.language_len = place.len;
    *out = (uint32_t)count;
    if (bytes_append(&part->section[PART_GROUPS], &made, sizeof made) < 0) return -ENOMEM;
found:
    worker->last_language = own ? NULL : language->name;
    worker->last_group = *out;
    return 0;
}

/* Language, features and group of a document.  1; 0 when the view rejects it; <0. */
static int document_describe(struct worker *worker, const struct shard *shard, struct part *part, struct document *document, struct err *err)
{
    const struct pass   *pass = worker->run->pass;
    const struct record *record = document->record;
    struct part_group   *group;
    int                  rc;

    document->language = view_language_of(worker->view, pass->datasets[shard->dataset].language, record, err);
    if (!document->language) return err->code;
    rc = view_features(worker->view, document->language, record, &document->features, err);
    if (rc == -EBADMSG || rc == -ENODATA) {
        if (reject_add(&worker->batch.rejects, record->number, record->byte, rc == -EBADMSG ? REJECT_INVALID_JSON : REJECT_UNTOKENISED, "%s", err->text) < 0)
            return err_memory(err, sizeof(struct reject), "rejects");
        return 0;
    }
    if (rc < 0) return rc;
    if (group_find(worker, part, shard, record, document->language, &document->group) < 0) return err_memory(err, 64, "a part's groups");
    document->admitted = document->features.count >= pass->min_tokens && document->features.count > 0;

    group = (struct part_group *)part->section[PART_GROUPS].at + document->group;
    group->documents++;
    group->admitted += document->admitted;
    group->bytes += record->text.len;
    return 1;
}

static int part_fill(struct worker *worker, const struct shard *shard, uint64_t unit, struct part *part, struct unit_header *sums, struct err *err)
{
    const struct pass *pass = worker->run->pass;
    struct batch      *batch = &worker->batch;
    struct record      record;
    int                rc;

    worker->last_language = NULL;
    if (worker->scanner->begin) worker->scanner->begin(worker->scanner);
    batch->want_fields = pass->want_fields;
    if (!pass->records_only && pass->view.kind <= VIEW_TOKENS) batch->want_fields |= 1u << FIELD_TOKENS;
    while ((rc = batch_next(batch, &record, err)) > 0) {
        struct document document = { .record = &record, .shard = shard, .unit = unit };

        rc = pass->records_only ? 1 : document_describe(worker, shard, part, &document, err);
        if (rc == 0) continue;
        if (rc < 0) return rc;
        sums->documents++;
        sums->text_bytes += record.text.len;
        rc = worker->scanner->document(worker->scanner, &document, part, err);
        if (rc < 0) return rc;
    }
    if (rc == 0 && worker->scanner->end) rc = worker->scanner->end(worker->scanner, part, err);
    if (rc < 0) return rc;
    sums->rejected += batch->rejects.count;
    if (bytes_append(&part->section[PART_REJECTS], batch->rejects.at, batch->rejects.count * sizeof(struct reject)) < 0)
        return err_memory(err, batch->rejects.count * sizeof(struct reject), "rejects");
    return 0;
}

/* Decodes a batch under the shard's lock and works on it outside.  Returns 0 also when the shard has ended. */
static int work_on(struct worker *worker, struct open_shard *shard, struct err *err)
{
    struct unit_header sums = { 0 };
    struct open_unit  *unit = NULL;
    struct part       *part = NULL;
    uint64_t           sequence = 0, bytes = 0;
    int                rc = 0;

    pthread_mutex_lock(&shard->lock);
    if (!shard_has_ended(shard)) {
        rc = source_next(shard->source, &worker->batch, err);
        if (rc > 0) {
            rc = unit_for_batch(worker->run, shard, worker->batch.unit, &unit, err);
            sequence = shard->sequence++;
            if (rc == 0 && unit->reused) unit = NULL;
            else if (rc == 0) unit->handed++;
        } else if (rc == 0) {
            __atomic_store_n(&shard->ended, true, __ATOMIC_RELAXED);    /* read without the lock, as a hint */
            rc = shard->units ? 0 : unit_for_batch(worker->run, shard, 0, &unit, err);  /* a shard without records has a unit too */
            if (rc == 0) {
                shard->units->complete = true;
                shard->units->header.next = 0;
                shard->units->header.xxh3 = source_xxh3(shard->source);
            }
            unit = NULL;
        }
        bytes = source_bytes_read(shard->source) - shard->bytes_told;
        shard->bytes_told += bytes;
    }
    pthread_mutex_unlock(&shard->lock);
    if (rc < 0) return err_add(err, "%s", shard->shard->path);

    if (unit) {
        part = calloc(1, sizeof *part);
        rc = part ? part_fill(worker, shard->shard, unit->number, part, &sums, err) : err_memory(err, sizeof *part, "a part");
        if (part) part->sequence = sequence;
        pthread_mutex_lock(&shard->lock);
        unit->header.documents += sums.documents;
        unit->header.rejected += sums.rejected;
        unit->header.text_bytes += sums.text_bytes;
        if (rc == 0 && unit_add_part(unit, part) < 0) rc = err_memory(err, sizeof part, "a unit's parts");
        pthread_mutex_unlock(&shard->lock);
        if (rc < 0) {
            part_free(part);
            return err_add(err, "%s", shard->shard->path);
        }
    }
    pthread_mutex_lock(&worker->run->lock);
    worker->run->progress.bytes += bytes;
    worker->run->progress.records += sums.documents;
    worker->run->progress.rejected += sums.rejected;
    worker->run->pass->totals.bytes += bytes;
    pthread_mutex_unlock(&worker->run->lock);
    return units_commit(worker->run, shard, err);
}

/* ---- 4. Opening and helping ---- */

static int shard_done(struct pass_run *run, const struct shard *shard, struct err *err)
{
    int rc = run->pass->shard_done ? run->pass->shard_done(run->pass->shared, shard, err) : 0;

    return rc < 0 ? err_add(err, "%s", shard->path) : 0;
}

/* Whoever is the last to leave an ended shard knows that all its units are committed, unless the run has failed. */
static void shard_release(struct pass_run *run, struct open_shard *shard)
{
    struct err err = { 0 };
    bool       last, done;

    pthread_mutex_lock(&run->lock);
    last = --shard->users == 0;
    done = last && !run->stopped;
    pthread_mutex_unlock(&run->lock);
    if (done && shard_done(run, shard->shard, &err) < 0) run_fail(run, &err);
    if (last) shard_free(shard);
}

static int shard_open(struct pass_run *run, uint64_t item, struct open_shard **out, struct err *err)
{
    const struct shard *shard = &run->pass->shards[run->pass->item[item]];
    struct open_shard  *opened;
    int                 rc = shard_is_done(run, shard, err);

    *out = NULL;
    if (rc > 0) rc = shard_done(run, shard, err) < 0 ? err->code : 1;
    if (rc != 0) {
        pthread_mutex_lock(&run->lock);
        run->progress.items++;
        run->progress.bytes += shard->bytes;
        pthread_mutex_unlock(&run->lock);
        return rc < 0 ? rc : 0;
    }
    opened = calloc(1, sizeof *opened);
    if (!opened) return err_memory(err, sizeof *opened, "an open shard");
    opened->shard = shard;
    opened->dataset = &run->pass->datasets[shard->dataset];
    opened->users = 1;
    pthread_mutex_init(&opened->lock, NULL);
    rc = source_open(&opened->source, opened->dataset, shard, err);
    if (rc < 0) {
        shard_free(opened);
        return err_add(err, "%s", shard->path);
    }
    if (run->pass->unit_bytes) source_set_unit_bytes(opened->source, run->pass->unit_bytes);
    *out = opened;
    return 0;
}

/* Something to do for this thread: its own shard, a new one, or another's; NULL when there is nothing now.  The caller gives it
 * back with shard_release.  *finished: there never will be anything. */
static struct open_shard *take_shard(struct pass_run *run, int thread, bool *finished, struct err *err, int *rc)
{
    struct open_shard *shard = run->slot[thread], *found = NULL;
    int                threads = run->pass->threads;

    *rc = 0;
    *finished = false;
    if (shard && shard_has_ended(shard)) {
        pthread_mutex_lock(&run->lock);
        run->slot[thread] = NULL;
        run->progress.items++;
        pthread_mutex_unlock(&run->lock);
        shard_release(run, shard);
        shard = NULL;
    }
    while (!shard) {
        uint64_t item;

        pthread_mutex_lock(&run->lock);
        if (run->stopped || run->stock_count == 0) {
            pthread_mutex_unlock(&run->lock);
            break;
        }
        item = run->stock[--run->stock_count];
        run->opening++;
        pthread_mutex_unlock(&run->lock);
        *rc = shard_open(run, item, &shard, err);
        pthread_mutex_lock(&run->lock);
        run->opening--;
        run->slot[thread] = shard;
        pthread_mutex_unlock(&run->lock);
        if (*rc < 0) return NULL;
    }
    pthread_mutex_lock(&run->lock);
    if (run->stopped) {
        *finished = true;
    } else if (shard) {
        shard->users++;
        found = shard;
    } else {
        bool open = false;

        for (int i = 1; i < threads && !found; i++) {
            struct open_shard *other = run->slot[(thread + i) % threads];

            if (!other) continue;
            open = true;
            if (!shard_has_ended(other)) {              /* a hint; work_on looks again under the shard's lock */
                other->users++;
                found = other;
            }
        }
        *finished = !open && run->dealt_all && run->stock_count == 0 && run->opening == 0;
    }
    pthread_mutex_unlock(&run->lock);
    return found;
}

/* ---- 5. The rank's loop ---- */

/* The main thread's duty between batches: keep as many items in stock as there are threads without a shard, answer other ranks,
 * show how far we are. */
static void serve(struct pass_run *run)
{
    struct deal_progress mine, all;
    int                  wanting = 0;
    bool                 stopped;

    pthread_mutex_lock(&run->lock);
    for (int i = 0; i < run->pass->threads; i++) wanting += !run->slot[i] || shard_has_ended(run->slot[i]);
    wanting -= (int)run->stock_count + run->opening;
    mine = run->progress;
    stopped = run->stopped;
    pthread_mutex_unlock(&run->lock);

    if (stopped) deal_stop(run->deal);
    for (; wanting > 0 && !run->dealt_all; wanting--) {
        uint64_t         item;
        enum deal_answer answer = deal_next(run->deal, &item);

        if (answer == DEAL_WAIT) break;
        pthread_mutex_lock(&run->lock);
        if (answer == DEAL_ITEM) run->stock[run->stock_count++] = item;
        else run->dealt_all = true;
        pthread_mutex_unlock(&run->lock);
    }
    deal_poll(run->deal);
    deal_report(run->deal, &mine);
    if (comm_rank(run->pass->comm) == 0) {
        all = deal_total(run->deal);
        log_progress(&(struct progress){ .stage = run->pass->kind, .shards = all.items, .shard_total = run->pass->item_count,
                                         .bytes = all.bytes, .byte_total = run->byte_total, .started = run->started });
    }
}

static void worker_run(struct pass_run *run, int thread)
{
    struct worker worker = { .run = run };
    struct err    err = { 0 };
    int           rc;

    rc = view_scratch_open(&worker.view, &run->pass->view, &err);
    if (rc == 0) rc = run->pass->open_scanner(run->pass->shared, &worker.scanner, &err);
    if (rc < 0) run_fail(run, &err);

    for (;;) {
        struct open_shard *shard;
        bool               finished;

        if (thread == 0) serve(run);
        shard = take_shard(run, thread, &finished, &err, &rc);
        if (shard) {
            rc = work_on(&worker, shard, &err);
            if (rc < 0) run_fail(run, &err);                /* before the shard is given back: it is not done then */
            shard_release(run, shard);
        } else if (rc < 0) run_fail(run, &err);
        if (finished) break;
        if (!shard && rc == 0) nanosleep(&(struct timespec){ 0, 100000 }, NULL);
    }
    if (worker.scanner) worker.scanner->close(worker.scanner);
    view_scratch_close(worker.view);
    batch_free(&worker.batch);
    bytes_free(&worker.split);
    bytes_free(&worker.repaired);
}

int pass_run(struct pass *pass, struct err *err)
{
    struct pass_run run = { .pass = pass, .started = log_seconds() };
    int             rc, threads = pass->threads;

    run.slot = calloc((size_t)threads, sizeof *run.slot);
    run.stock = calloc((size_t)threads, sizeof *run.stock);
    rc = run.slot && run.stock ? 0 : err_memory(err, (size_t)threads * 16, "the pass");
    for (size_t i = 0; i < pass->item_count; i++) run.byte_total += pass->shards[pass->item[i]].bytes;
    if ((rc = comm_agree(pass->comm, rc, err)) < 0) goto done;
    rc = deal_open(&run.deal, pass->comm, pass->item_count, err);
    if (rc < 0) goto done;

    pthread_mutex_init(&run.lock, NULL);
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_num_threads() == threads) worker_run(&run, omp_get_thread_num());
        else if (omp_get_thread_num() == 0) run_fail(&run, &(struct err){ -EAGAIN, "the system gave fewer threads than asked for" });
    }
    if (run.stopped) deal_stop(run.deal);                   /* whoever failed may have done so after the main thread's last look */
    deal_close(run.deal);
    log_progress_end();
    for (int i = 0; i < threads; i++) shard_free(run.slot[i]);
    pthread_mutex_destroy(&run.lock);
    if (run.stopped) {
        *err = run.err;
        rc = run.err.code;
    }
    rc = comm_agree(pass->comm, rc, err);
done:
    free(run.slot);
    free(run.stock);
    return rc;
}
