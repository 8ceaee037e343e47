/* capability/sample.c -- see sample.h.
 *
 * 1. Which shards   2. A document   3. A shard   4. The whole */
#include "capability/sample.h"

#include "base/log.h"
#include "base/table.h"
#include "corpus/source.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sampler {
    const struct sample_options *options;
    struct sampled               *out;
    struct view_scratch         *view;
    struct batch                 batch;
    struct multiset              multiset;
    struct table                 raws;                      /* content hashes that were met */
    struct bytes                 features;                  /* uint32_t */
    struct bytes                 texts;
    uint64_t                     target, read, text_bytes;  /* bytes on disk aimed at, and read */
    double                       seconds;                   /* of the clock: the limit */
    bool                         all;                       /* everything is to be read */
};

/* ---- 1. Which shards ---- */

/* Shards of each dataset to look into, by its part of all bytes. */
static void shards_share(const struct sampler *s, uint64_t total, uint64_t *chosen)
{
    for (size_t d = 0; d < s->options->dataset_count; d++) {
        const struct sample_dataset *dataset = &s->out->dataset[d];

        chosen[d] = dataset->shards;
        if (s->all || !dataset->shards) continue;
        chosen[d] = (uint64_t)((double)SAMPLE_SHARDS * (double)dataset->bytes / (double)total);
        if (chosen[d] < 1) chosen[d] = 1;
        if (chosen[d] > dataset->shards) chosen[d] = dataset->shards;
    }
}

/* Of `shards` shards the i-th is one of `chosen` that lie evenly among them. */
static bool shard_is_chosen(uint64_t i, uint64_t shards, uint64_t chosen)
{
    return (i + 1) * chosen / shards > i * chosen / shards;
}

/* ---- 2. A document ---- */

static int document_add(struct sampler *s, struct sample_dataset *dataset, const struct record *record,
                        const struct view_language *language,
                        struct feature_list features, struct err *err)
{
    bool     admitted = features.count >= s->options->min_tokens && features.count > 0;
    uint32_t distinct;
    int      rc;

    if (multiset_make(&s->multiset, features, err) < 0) return err->code;
    distinct = (uint32_t)s->multiset.distinct;
    if (bytes_append(&s->features, &distinct, sizeof distinct) < 0)
        return err_memory(err, s->features.len, "the sample's documents");
    s->out->documents++;
    s->text_bytes += record->text.len;
    dataset->documents++;
    dataset->text_bytes += record->text.len;
    dataset->empty += distinct == 0;
    dataset->lengths[features.count < SAMPLE_LENGTH ? features.count : SAMPLE_LENGTH]++;
    dataset->admitted += admitted;
    if (admitted) dataset->distinct += distinct;
    rc = sample_met_before(&s->raws, copy_hash(content_hash_raw(record->text), language), err);
    if (rc < 0) return rc;
    dataset->copies += rc > 0;
    return !s->options->watcher ? 0
        : s->options->watcher->document(s->options->watcher, dataset, &s->multiset, record, admitted, rc > 0, err);
}

/* ---- 3. A shard ---- */

/* Processor time: what else the machine does at the moment must not look like our own speed. */
static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* How much of the sample is read, 1: it is complete. */
static double sample_done(const struct sampler *s)
{
    double done[] = { s->all ? 0 : (double)s->read / (double)s->target, s->all ? 0 : s->seconds / SAMPLE_SECONDS,
                      (double)s->text_bytes / (double)SAMPLE_TEXT_BYTES,
                          (double)s->out->documents / (double)SAMPLE_DOCUMENTS,
                      s->options->watcher ? s->options->watcher->filled(s->options->watcher) : 0 };
    double most = 0;

    for (size_t i = 0; i < sizeof done / sizeof *done; i++)
        if (done[i] > most) most = done[i];
    return most;
}

/* Whether the documents lie in the batch as a whole: files are read one by one, and rows may lie elsewhere. */
static bool has_texts(const struct batch *batch) { return batch->kind != BATCH_FILES && batch->kind != BATCH_ROWS; }

static int batch_add(struct sampler *s, const struct shard *shard, struct err *err)
{
    const struct dataset  *given = &s->options->datasets[shard->dataset];
    struct sample_dataset *dataset = &s->out->dataset[shard->dataset];
    struct record          record;
    uint64_t               rejected = 0, text_bytes = dataset->text_bytes;
    int                    rc;

    s->texts.len = 0;
    s->batch.want_fields = s->options->view->kind <= VIEW_TOKENS ? 1u << FIELD_TOKENS : 0;
    while ((rc = batch_next(&s->batch, &record, err)) > 0) {
        const struct view_language *language = view_language_of(s->view, given->language, &record, err);
        struct feature_list         features;

        if (!language) return err->code;
        rc = view_features(s->view, language, &record, &features, err);
        if (rc == -EBADMSG || rc == -ENODATA) {             /* the pass would reject it */
            rejected++;
            continue;
        }
        if (rc == 0) rc = document_add(s, dataset, &record, language, features, err);
        if (rc == 0 && s->options->watcher && !has_texts(&s->batch) && bytes_append_slice(&s->texts, record.text) < 0)
            rc = err_memory(err, record.text.len, "the sample's texts");
        if (rc < 0) return rc;
    }
    dataset->rejected += rejected + reject_records(s->batch.rejects.at, s->batch.rejects.count);
    dataset->decoded_bytes += has_texts(&s->batch) ? s->batch.raw.len : dataset->text_bytes - text_bytes;
    return rc;
}

/* Reads until the sample has `part` of what it may have, but at least one batch.  *ended: the shard was read whole. */
static int shard_read(struct sampler *s, const struct shard *shard, double part, bool *ended, struct err *err)
{
    struct sample_dataset *dataset = &s->out->dataset[shard->dataset];
    struct source         *source;
    uint64_t               read = 0, taken;
    int                    rc = source_open(&source, &s->options->datasets[shard->dataset], shard, err);

    *ended = false;
    while (rc == 0) {
        double started = log_seconds(), worked = thread_seconds();

        rc = source_next(source, &s->batch, err);
        *ended = rc == 0;
        if (rc > 0) rc = batch_add(s, shard, err);
        s->seconds += log_seconds() - started;
        dataset->seconds += thread_seconds() - worked;
        taken = *ended ? shard->bytes : source_bytes_taken(source);
        if (taken > shard->bytes) taken = shard->bytes;     /* it has grown, or is read from its end */
        if (taken > read) {
            s->read += taken - read;
            dataset->bytes_read += taken - read;
            read = taken;
        }
        if (rc == 0 && !*ended && s->options->watcher)
            rc = s->options->watcher->batch(s->options->watcher,
                                            bytes_slice(has_texts(&s->batch) ? &s->batch.raw : &s->texts), err);
        if (*ended || (read && sample_done(s) >= part)) break;
    }
    source_close(source);
    dataset->shards_read++;
    return rc < 0 ? err_add(err, "%s", shard->path) : 0;
}

/* ---- 4. The whole ---- */

static int features_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int sampler_open(struct sampler *s, struct err *err)
{
    int rc = view_scratch_open(&s->view, s->options->view, err);

    if (rc < 0) return rc;
    s->out->dataset = calloc(s->options->dataset_count + 1, sizeof *s->out->dataset);
    return s->out->dataset ? 0 : err_memory(err, s->options->dataset_count * sizeof *s->out->dataset, "the sample");
}

static void sampler_close(struct sampler *s)
{
    view_scratch_close(s->view);
    batch_free(&s->batch);
    multiset_free(&s->multiset);
    table_free(&s->raws);
    bytes_free(&s->features);
    bytes_free(&s->texts);
}

/* Reads the chosen shards in order; seen and chosen are by dataset. */
static int shards_read(struct sampler *s, uint64_t *seen, uint64_t *chosen, struct err *err)
{
    const struct shard_list *shards = s->options->shards;
    uint64_t                 total = 0, all = 0, done = 0;
    int                      rc = 0;

    for (size_t i = 0; i < shards->count; i++) {
        if (!s->options->wanted[shards->at[i].dataset]) continue;
        s->out->dataset[shards->at[i].dataset].shards++;
        s->out->dataset[shards->at[i].dataset].bytes += shards->at[i].bytes;
        s->out->dataset[shards->at[i].dataset].whole = true;
        total += shards->at[i].bytes;
    }
    s->target = (uint64_t)(s->options->share * (double)total);
    if (s->target < SAMPLE_ALL_BYTES) s->target = SAMPLE_ALL_BYTES;
    s->all = s->target >= total && total <= SAMPLE_TEXT_BYTES;
    shards_share(s, total, chosen);
    for (size_t d = 0; d < s->options->dataset_count; d++) all += chosen[d];
    for (size_t i = 0; i < shards->count && rc == 0; i++) {
        size_t                 d = shards->at[i].dataset;
        struct sample_dataset *dataset = &s->out->dataset[d];
        bool                   ended = false;

        if (!s->options->wanted[d]) continue;
        if (shard_is_chosen(seen[d]++, dataset->shards, chosen[d])) {
            done++;
            if (sample_done(s) < 1 || !dataset->shards_read)
                rc = shard_read(s, &shards->at[i], s->all ? 1 : (double)done / (double)all, &ended, err);
        }
        dataset->whole &= ended;
    }
    return rc;
}

int sample_met_before(struct table *table, struct content_hash hash, struct err *err)
{
    bool added;

    if (table_put(table, hash.low, hash.high, 0, &added) == TABLE_NONE)
        return err_memory(err, table->room * sizeof *table->slot, "the sample's documents");
    return !added;
}

int sample_read(const struct sample_options *options, struct sampled *out, struct err *err)
{
    struct sampler s = { .options = options, .out = out };
    uint64_t      *numbers = calloc(2 * options->dataset_count + 1, sizeof *numbers);
    int            rc;

    *out = (struct sampled){ 0 };
    rc = numbers ? sampler_open(&s, err) : err_memory(err, options->dataset_count * 2 * sizeof *numbers, "the sample");
    if (rc == 0) rc = shards_read(&s, numbers, numbers + options->dataset_count, err);
    if (rc == 0) {
        out->features = (uint32_t *)s.features.at;          /* moved */
        s.features = (struct bytes){ 0 };
        if (out->documents) qsort(out->features, out->documents, sizeof *out->features, features_order);
    }
    sampler_close(&s);
    free(numbers);
    if (rc < 0) sample_free(out);
    return rc;
}

void sample_free(struct sampled *sample)
{
    free(sample->dataset);
    free(sample->features);
    *sample = (struct sampled){ 0 };
}

double sample_scaled(const struct sample_dataset *dataset, double value)
{
    return dataset->whole || !dataset->bytes_read ? value
        : value * (double)dataset->bytes / (double)dataset->bytes_read;
}
