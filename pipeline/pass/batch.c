/* pass/batch.c -- one batch: decoded, parsed and described once, and shown to every scanner whose unit is not
 * there yet. */
#include "pass/private.h"

#include "base/log.h"
#include "base/table.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>

enum { TIMED_ONE_IN = 8 };                                  /* records whose time is taken: it is shared out by them */

struct worker {
    struct pass_run     *run;
    struct view_scratch *view;
    struct knower       *knower;
    struct known         known;                             /* of the document's features */
    struct view_words    words;                             /* and its text's words */
    struct scanner      *scanner[PASS_SCANNERS];
    struct batch         batch;
    struct bytes         split, repaired, path;
    /* places in batch.rejects, as size_t, of documents that the view rejects */
    struct bytes         refused;
    struct reject_list   one;                               /* what a scanner refuses */
    /* of the record under way */
    struct licensing     licensing;
    struct table         groups[PASS_SCANNERS];             /* of a scanner's part, by split and language */
    /* the last document's group, found again without a search */
    struct last_group { const char *language; uint32_t group; } last[PASS_SCANNERS];
    uint64_t             records;
    bool                 timed;
    double               lap, busy;                         /* busy: in records, all of them */
    /* in the records whose time was taken; the last: what all scanners share */
    double               sampled[PASS_SCANNERS + 1];
    double               exact[PASS_SCANNERS + 1];          /* outside records */
};

/* ---- time ---- */

static void lap_start(struct worker *worker)
{
    worker->timed = worker->records++ % TIMED_ONE_IN == 0;
    if (worker->timed) worker->lap = log_seconds();
}

static void lap_end(struct worker *worker, size_t of)
{
    double now;

    if (!worker->timed) return;
    now = log_seconds();
    worker->sampled[of] += now - worker->lap;
    worker->lap = now;
}

static void seconds_add(struct worker *worker)
{
    struct pass *pass = worker->run->pass;
    double       sum = 0;

    for (size_t i = 0; i <= PASS_SCANNERS; i++) sum += worker->sampled[i];
    for (size_t i = 0; i <= PASS_SCANNERS && sum > 0; i++) worker->exact[i] += worker->busy * worker->sampled[i] / sum;
    pthread_mutex_lock(&worker->run->lock);
    for (size_t s = 0; s < pass->scanner_count; s++) pass->scanner[s].seconds += worker->exact[s];
    pass->seconds += worker->exact[PASS_SCANNERS];
    pthread_mutex_unlock(&worker->run->lock);
}

/* ---- one document ---- */

struct filling {
    uint32_t           todo;
    enum pass_needs    needs;
    size_t             features;                            /* the first scanner that needs them: their time is its */
    size_t             words;                               /* the first one that wants these, or PASS_SCANNERS */
    bool               functions, known;                    /* a scanner wants them */
    uint64_t           unit, reading;
    const struct worker *worker;
    const struct shard *shard;
    struct part       *part[PASS_SCANNERS];
    struct unit_header sums[PASS_SCANNERS];
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

/* The group of a document's split and language in a scanner's part.  A part has few of them, mostly one, but every
 * record may have a split of its own. */
static int group_find(struct worker *worker, size_t s, struct part *part, const struct document *document,
                      uint32_t *out)
{
    const struct dataset *dataset = &worker->run->pass->run->datasets[document->shard->dataset];
    const char           *listed = dataset->splits[document->shard->split].name;
    size_t                count = part->section[PART_GROUPS].len / sizeof(struct part_group);
    const char           *language = document->language->name;
    struct slice          split = slice_of(listed), name = slice_of(language);
    /* the record says its split */
    bool                  own = !split.len && document->record->raw[FIELD_SPLIT].at;
    struct part_group     made = { 0 };
    struct heap_string    place;
    struct unit_key       key;
    bool                  added;

    if (own) {
        if (split_of_record(worker, document->record, &split) < 0) return -ENOMEM;
    } else if (count && worker->last[s].language == language) {
        *out = worker->last[s].group;
        return 0;
    }
    key = unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, split.at, split.len), name.at, name.len);
    *out = table_put(&worker->groups[s], key.low, key.high, (uint32_t)count, &added);
    if (*out == TABLE_NONE) return -ENOMEM;
    worker->last[s] = (struct last_group){ own ? NULL : language, *out };
    if (!added) return 0;
    if (part_add_string(part, split, &place) < 0) return -ENOMEM;
    made.split_at = place.at;
    made.split_len = place.len;
    if (part_add_string(part, name, &place) < 0) return -ENOMEM;
    made.language_at = place.at;
    made.language_len = place.len;
    return bytes_append(&part->section[PART_GROUPS], &made, sizeof made);
}

/* Does a scanner that wants functions want the document's?  1, 0, <0. */
static int functions_asked(struct worker *worker, const struct document *document, const struct filling *f,
                           struct err *err)
{
    const struct pass *pass = worker->run->pass;
    int                rc = 0;

    for (size_t s = 0; s < pass->scanner_count && rc == 0; s++) {
        if (!(f->todo >> s & 1) || !pass->scanner[s].functions) continue;
        rc = worker->scanner[s]->asks ? worker->scanner[s]->asks(worker->scanner[s], document, err) : 1;
        lap_end(worker, s);
    }
    return rc;
}

/* For its functions.  Its features are the same, or room for what is known of them would be too small. */
static int document_read_again(struct worker *worker, struct document *document, const struct filling *f,
                               struct err *err)
{
    const size_t count = document->features.count;
    int          rc = view_functions_behind(worker->view, document->language, document->record, &document->features,
                                            &document->functions, err);

    if (rc < 0 || !f->known || document->features.count == count) return rc;
    rc = knower_ask(worker->knower, document->features, &worker->known, err);
    if (rc == 0) known_rank(document->known);
    return rc;
}

/* Features, and functions where a scanner wants them.  Functions cost several times the features, so a document is read
 * for its features first, and again where somebody asks; but not where a parser is to say what it could read of every
 * document.  What is known of the features stays so.  As view_features. */
static int document_read(struct worker *worker, struct document *document, const struct filling *f, struct err *err)
{
    const struct view_options   *view = &worker->run->pass->view;
    const struct record         *record = document->record;
    const struct view_language  *language = document->language;
    const bool                   at_once = f->functions && (view->functions != FUNCTIONS_FAST ||
                                                            !view_tells_functions(view, language, record));
    int                          rc;

    rc = at_once ? view_functions(worker->view, language, record, &document->features, &document->functions, err)
        : view_features(worker->view, language, record, &document->features, err);
    if (rc == 0 && f->known) {
        rc = knower_ask(worker->knower, document->features, &worker->known, err);
        document->known = &worker->known;
    }
    if (rc == 0 && f->known && f->functions) known_rank(document->known);       /* the features may be read again */
    lap_end(worker, f->features);
    if (rc < 0 || !f->functions || at_once) return rc;
    document->functions.told.fast = 1;
    rc = functions_asked(worker, document, f, err);
    return rc > 0 ? document_read_again(worker, document, f, err) : rc;
}

/* Language and features, once for all scanners.  1; 0 when the view rejects the document; <0. */
static int document_describe(struct worker *worker, struct document *document, const struct filling *f, struct err *err)
{
    const struct record *record = document->record;
    size_t               place = worker->batch.rejects.count;
    int                  rc;

    if (f->needs == PASS_RECORDS) return 1;
    document->language = view_language_of(worker->view,
                                          worker->run->pass->run->datasets[document->shard->dataset].language,
                                          record, err);
    if (!document->language) return err->code;
    if (f->needs == PASS_GROUPS) return 1;
    lap_end(worker, PASS_SCANNERS);
    rc = document_read(worker, document, f, err);
    lap_end(worker, f->features);
    if (rc != -EBADMSG && rc != -ENODATA) return rc < 0 ? rc : 1;
    worker->path.len = 0;
    if (reject_add(&worker->batch.rejects, record->number, record->byte,
                   record->line.len ? record->line.len : record->text.len, rc == -EBADMSG ? REJECT_INVALID_JSON
                   : REJECT_UNTOKENISED, "%s", err->text) < 0 ||
        (record_field(record, FIELD_PATH, &worker->path) &&
         (!worker->path.at || reject_set_path(&worker->batch.rejects, bytes_slice(&worker->path)) < 0)) ||
        bytes_append(&worker->refused, &place, sizeof place) < 0) return err_memory(err, sizeof(struct reject),
                "rejects");
    return 0;
}

static int reject_put(struct part *part, const struct reject_list *list, struct reject reject)
{
    struct heap_string path;

    if (reject.path_len) {
        if (part_add_string(part, (struct slice){ list->paths.at + reject.path_at, reject.path_len }, &path) < 0)
            return -ENOMEM;
        reject.path_at = path.at;
    }
    return bytes_append(&part->section[PART_REJECTS], &reject, sizeof reject);
}

/* A document that is none to one scanner is a reject of its unit alone; err says why, and is cleared. */
static int document_refuse(struct worker *worker, const struct record *record, struct part *part,
                           struct unit_header *sums, struct err *err)
{
    struct reject_list *list = &worker->one;
    int                 rc;

    reject_list_clear(list);
    worker->path.len = 0;
    rc = reject_add(list, record->number, record->byte, record->line.len ? record->line.len : record->text.len,
                    REJECT_REFUSED, "%s", err->text);
    *err = (struct err){ 0 };
    if (rc == 0 && record_field(record, FIELD_PATH, &worker->path))
        rc = worker->path.at ? reject_set_path(list, bytes_slice(&worker->path)) : -ENOMEM;
    if (rc == 0) rc = reject_put(part, list, list->at[0]);
    sums->rejected++;
    return rc < 0 ? err_memory(err, sizeof(struct reject), "rejects") : 0;
}

/* A document as one scanner sees it. */
static int document_show(struct worker *worker, size_t s, struct document document, struct part *part,
                         struct unit_header *sums, struct err *err)
{
    const struct pass_scanner *scanner = &worker->run->pass->scanner[s];
    uint64_t                   bytes = document.record->text.len;
    int                        rc;

    if (scanner->needs < PASS_FEATURES) document.features = (struct feature_list){ 0 };
    if (!scanner->functions) document.functions = (struct view_functions){ 0 };
    if (!scanner->words) document.words = NULL;
    if (scanner->needs >= PASS_GROUPS) {
        if (group_find(worker, s, part, &document, &document.group) < 0) return err_memory(err, 64, "a part's groups");
        document.admitted = document.features.count >= scanner->min_tokens && document.features.count > 0;
    }
    rc = worker->scanner[s]->document(worker->scanner[s], &document, part, err);
    if (rc) return rc < 0 ? rc : document_refuse(worker, document.record, part, sums, err);
    sums->documents++;
    sums->text_bytes += bytes;
    if (scanner->needs >= PASS_GROUPS) {
        struct part_group *group = (struct part_group *)part->section[PART_GROUPS].at + document.group;

        group->documents++;
        group->admitted += document.admitted;
        group->bytes += bytes;
    }
    return 0;
}

/* ---- one batch ---- */

static int records_show(struct worker *worker, const struct shard *shard, struct filling *f, struct err *err)
{
    const struct pass *pass = worker->run->pass;
    struct record      record;

    for (;;) {
        struct document document = { .record = &record, .shard = shard, .unit = f->unit, .reading = f->reading,
                                     .view = worker->view, .licensing = &worker->licensing };
        int             rc, described;

        lap_start(worker);
        rc = batch_next(&worker->batch, &record, err);
        if (rc <= 0) return rc;
        worker->licensing.licence_known = worker->licensing.holders_known = false;
        described = document_describe(worker, &document, f, err);
        if (described < 0) return described;
        lap_end(worker, PASS_SCANNERS);
        if (f->words < PASS_SCANNERS) {
            if (view_words_find(&worker->words, record.text, err) < 0) return err->code;
            document.words = &worker->words;
            lap_end(worker, f->words);
        }
        for (size_t s = 0; s < pass->scanner_count; s++) {
            if (!(f->todo >> s & 1) || (described == 0 && pass->scanner[s].needs == PASS_FEATURES)) continue;
            rc = document_show(worker, s, document, f->part[s], &f->sums[s], err);
            if (rc < 0) return rc;
            lap_end(worker, s);
        }
    }
}

/* The rejects of the batch, and what it passed over; rejects of the view alone belong to the scanners that use it. */
static int rejects_add(struct worker *worker, enum pass_needs needs, struct part *part, struct unit_header *sums)
{
    const struct reject_list *all = &worker->batch.rejects;
    const size_t             *refused = (const size_t *)(const void *)worker->refused.at;
    size_t                    count = needs == PASS_FEATURES ? 0 : worker->refused.len / sizeof *refused, from = 0;

    for (size_t i = 0; i <= count; i++) {
        size_t until = i < count ? refused[i] : all->count;

        for (size_t r = from; r < until; r++)
            if (reject_put(part, all, all->at[r]) < 0) return -ENOMEM;
        if (until > from) sums->rejected += reject_records(all->at + from, until - from);
        from = until + 1;
    }
    skips_add(&sums->skipped, &worker->batch.skipped);
    return 0;
}

/* Does any scanner want it? */
static bool record_wanted(void *context, uint64_t number)
{
    const struct filling *f = context;

    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        struct scanner *scanner = f->todo >> s & 1 ? f->worker->scanner[s] : NULL;

        if (scanner && scanner->wants(scanner, f->shard, f->unit, number)) return true;
    }
    return false;
}

static int batch_fill(struct worker *worker, const struct shard *shard, struct filling *f, struct err *err)
{
    const struct pass *pass = worker->run->pass;
    double             started = log_seconds(), now;
    bool               choosy = true;
    int                rc;

    worker->refused.len = 0;
    for (size_t s = 0; s < pass->scanner_count; s++) {
        if (!(f->todo >> s & 1)) continue;
        if (pass->scanner[s].needs == PASS_FEATURES && f->needs != PASS_FEATURES) f->features = s;
        if (pass->scanner[s].needs > f->needs) f->needs = pass->scanner[s].needs;
        if (pass->scanner[s].words && f->words == PASS_SCANNERS) f->words = s;
        f->functions |= pass->scanner[s].functions;
        f->known |= pass->scanner[s].known && pass->dictionary;
        worker->last[s].language = NULL;
        table_clear(&worker->groups[s]);
        choosy &= worker->scanner[s]->wants != NULL;
        if (worker->scanner[s]->begin) worker->scanner[s]->begin(worker->scanner[s]);
    }
    f->worker = worker;
    f->shard = shard;
    worker->batch.wants = choosy ? record_wanted : NULL;
    worker->batch.wants_context = f;
    worker->batch.want_fields = pass->want_fields;
    if (f->needs == PASS_FEATURES && pass->view.kind <= VIEW_TOKENS) worker->batch.want_fields |= 1u << FIELD_TOKENS;
    rc = records_show(worker, shard, f, err);
    now = log_seconds();
    worker->busy += now - started;
    for (size_t s = 0; s < pass->scanner_count && rc == 0; s++) {
        struct scanner *scanner = worker->scanner[s];

        if (!(f->todo >> s & 1)) continue;
        started = now;
        rc = scanner->end ? scanner->end(scanner, f->part[s], err) : 0;
        worker->exact[s] += (now = log_seconds()) - started;
        if (rc == 0 && rejects_add(worker, pass->scanner[s].needs, f->part[s], &f->sums[s]) < 0)
            rc = err_memory(err, worker->batch.rejects.count * sizeof(struct reject), "rejects");
    }
    return rc;
}

static bool batch_is_empty(const struct batch *batch)
{
    return !batch->record_count && !batch->rejects.count && !skips_sum(&batch->skipped);
}

/* Under the shard's lock: the next batch and its unit, NULL when there is nothing to do for it. */
static int batch_take(struct worker *worker, struct open_shard *shard, struct open_unit **unit, uint64_t *sequence,
                      struct err *err)
{
    double started = log_seconds();
    int    rc = source_next(shard->source, &worker->batch, err);

    worker->exact[PASS_SCANNERS] += log_seconds() - started;
    *unit = NULL;
    /* of many blank lines at the beginning nothing is told, and how many batches these are is the reader's affair */
    if (rc > 0 && !shard->started && batch_is_empty(&worker->batch)) return rc;
    if (rc > 0) {
        rc = pass_unit_for_batch(worker->run, shard, unit_number(&worker->batch), unit, err);
        *sequence = shard->sequence++;
        if (rc == 0 && !(*unit)->todo) *unit = NULL;
        else if (rc == 0) (*unit)->handed++;
        return rc;
    }
    if (rc < 0) return rc;
    __atomic_store_n(&shard->ended, true, __ATOMIC_RELAXED);        /* read without the lock, as a hint */
    /* a shard without records has a unit too */
    if (!shard->units && pass_unit_for_batch(worker->run, shard, 0, unit, err) < 0) return err->code;
    shard->units->complete = true;
    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        shard->units->output[s].header.next = 0;
        shard->units->output[s].header.xxh3 = source_xxh3(shard->source);
    }
    *unit = NULL;
    return 0;
}

static int batch_work(struct worker *worker, struct open_shard *shard, struct open_unit *unit, uint64_t sequence,
                      struct filling *f, struct err *err)
{
    int rc = 0;

    f->todo = unit->todo;
    f->unit = unit->number;
    f->reading = shard->reading;
    for (size_t s = 0; s < PASS_SCANNERS && rc == 0; s++) {
        if (!(f->todo >> s & 1)) continue;
        f->part[s] = calloc(1, sizeof *f->part[s]);
        if (f->part[s]) f->part[s]->sequence = sequence;
        else rc = err_memory(err, sizeof *f->part[s], "a part");
    }
    if (rc == 0) rc = batch_fill(worker, shard->shard, f, err);
    if (rc == 0) {
        pthread_mutex_lock(&shard->lock);
        if (pass_unit_deliver(unit, f->part, f->sums) < 0) rc = err_memory(err, sizeof f->part, "a unit's parts");
        pthread_mutex_unlock(&shard->lock);
    }
    if (rc == 0) return 0;
    for (size_t s = 0; s < PASS_SCANNERS; s++) part_free(f->part[s]);
    return rc;
}

int worker_do(struct worker *worker, struct open_shard *shard, struct err *err)
{
    struct filling    f = { .words = PASS_SCANNERS };
    struct open_unit *unit = NULL;
    uint64_t          sequence = 0, bytes, records = 0, rejected = 0;
    int               rc = 0;

    pthread_mutex_lock(&shard->lock);
    if (!shard_has_ended(shard)) rc = batch_take(worker, shard, &unit, &sequence, err);
    bytes = share_of(shard->share, source_bytes_read(shard->source)) - shard->bytes_told;
    shard->bytes_told += bytes;
    pthread_mutex_unlock(&shard->lock);
    if (rc == 0 && unit) rc = batch_work(worker, shard, unit, sequence, &f, err);
    if (rc < 0) return err_add(err, "%s", shard->shard->path);

    for (size_t s = 0; s < PASS_SCANNERS; s++) {            /* what the most thorough scanner saw */
        if (f.sums[s].documents > records) records = f.sums[s].documents;
        if (f.sums[s].rejected > rejected) rejected = f.sums[s].rejected;
    }
    pthread_mutex_lock(&worker->run->lock);
    worker->run->progress.bytes += bytes;
    worker->run->progress.records += records;
    worker->run->progress.rejected += rejected;
    worker->run->pass->totals.bytes += bytes;
    pthread_mutex_unlock(&worker->run->lock);
    return pass_units_commit(worker->run, shard, worker->scanner, worker->exact, err);
}

int worker_open(struct worker **out, struct pass_run *run, struct err *err)
{
    struct worker *worker = calloc(1, sizeof *worker);
    int            rc;

    *out = worker;
    if (!worker) return err_memory(err, sizeof *worker, "a thread's scanners");
    worker->run = run;
    rc = view_scratch_open(&worker->view, &run->pass->view, err);
    if (rc == 0 && run->pass->dictionary) rc = knower_open(&worker->knower, run->pass->dictionary, err);
    for (size_t s = 0; s < run->pass->scanner_count && rc == 0; s++)
        rc = run->pass->scanner[s].open(run->pass->scanner[s].shared, &worker->scanner[s], err);
    return rc;
}

void worker_close(struct worker *worker)
{
    if (!worker) return;
    seconds_add(worker);
    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        if (worker->scanner[s]) worker->scanner[s]->close(worker->scanner[s]);
        table_free(&worker->groups[s]);
    }
    view_scratch_close(worker->view);
    knower_close(worker->knower);
    view_words_free(&worker->words);
    batch_free(&worker->batch);
    bytes_free(&worker->split);
    bytes_free(&worker->repaired);
    bytes_free(&worker->path);
    bytes_free(&worker->refused);
    bytes_free(&worker->licensing.holders);
    reject_list_free(&worker->one);
    free(worker);
}
