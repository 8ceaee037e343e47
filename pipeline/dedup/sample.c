/* dedup/sample.c -- see sample.h.
 *
 * 1. Which shards   2. A document   3. A shard   4. Pairs   5. The whole */
#include "dedup/sample.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/table.h"
#include "corpus/source.h"
#include "dedup/candidates.h"
#include "near/stages.h"
#include "view/signature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

/* A class's keys from first on: prefix of them are features, all that it has, then come bands.  Cut, they are its
 * records by key. */
struct emitter { uint64_t first; uint32_t distinct, prefix, bands; };

enum { RARITY_BITS = 20 };
static size_t rarity_slot(uint64_t feature) { return feature >> (64 - RARITY_BITS); }

struct sampler {
    const struct sample_options *options;
    struct sample               *out;
    struct view_scratch         *view;
    struct signature_scheme      scheme;
    struct border                border;
    struct batch                 batch;
    struct multiset              multiset;
    struct table                 raws, classes;             /* content hashes that were met */
    struct bytes                 features, emitters, keys;  /* uint32_t; struct emitter; uint64_t */
    /* [1 << RARITY_BITS] classes that have a feature of the slot */
    uint32_t                    *rarity;
    struct bytes                 texts, packed;
    ZSTD_CCtx                   *zstd;
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

/* Was the hash met before?  1, 0, or -ENOMEM with err set. */
static int met_before(struct table *table, struct content_hash hash, struct err *err)
{
    bool added;

    if (table_put(table, hash.low, hash.high, 0, &added) == TABLE_NONE)
        return err_memory(err, table->room * sizeof *table->slot, "the sample's documents");
    return !added;
}

/* What a class of s->multiset.hash[distinct] emits: a prefix, bands, or both near the border.  Of a prefix all features
 * are kept until it is known which are rare. */
static int keys_add(struct sampler *s, struct sample_dataset *dataset, uint32_t distinct, struct err *err)
{
    const struct dedup_options *o = s->options->dedup;
    uint32_t       lane[SIGNATURE_LANES_MAX];
    uint64_t       band[SIGNATURE_LANES_MAX];
    bool           prefix = distinct <= s->border.prefix_most, bands = distinct >= s->border.bands_from;
    struct emitter emitter = { s->keys.len / sizeof *band, distinct, prefix ? distinct : 0, bands ? o->bands : 0 };

    if (prefix) {
        if (bytes_append(&s->keys, s->multiset.hash, distinct * sizeof *s->multiset.hash) < 0)
            return err_memory(err, s->keys.len, "the sample's keys");
        for (uint32_t i = 0; i < distinct; i++) s->rarity[rarity_slot(s->multiset.hash[i])]++;
        dataset->prefix_documents++;
        dataset->records_prefix += prefix_length(o->threshold, distinct);
    }
    if (bands) {
        signature_make(&s->scheme, s->multiset.hash, distinct, lane);
        signature_bands(&s->scheme, lane, band);
        if (bytes_append(&s->keys, band, o->bands * sizeof *band) < 0)
            return err_memory(err, s->keys.len, "the sample's keys");
        dataset->band_documents++;
        dataset->records_lsh += o->bands;
    }
    return bytes_append(&s->emitters, &emitter, sizeof emitter) < 0
        ? err_memory(err, s->emitters.len, "the sample's documents") : 0;
}

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
    dataset->admitted += admitted;
    if (admitted) dataset->distinct += distinct;
    rc = met_before(&s->raws, near_copy_hash(content_hash_raw(record->text), language), err);
    if (rc < 0) return rc;
    dataset->copies += rc > 0;
    if (!s->options->dedup) return 0;
    if (admitted &&
        (rc = met_before(&s->classes, near_class_hash(s->multiset.hash, s->multiset.count, distinct), err)) < 0)
        return rc;
    dataset->repeats += rc > 0;
    if (rc > 0) dataset->repeated_bytes += record->text.len;
    return admitted && rc == 0 ? keys_add(s, dataset, distinct, err) : 0;
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
                      (double)s->keys.len / sizeof(uint64_t) / (double)SAMPLE_KEYS };
    double most = 0;

    for (size_t i = 0; i < sizeof done / sizeof *done; i++)
        if (done[i] > most) most = done[i];
    return most;
}

/* Whether the documents lie in the batch as a whole: files are read one by one, and rows may lie elsewhere. */
static bool has_texts(const struct batch *batch) { return batch->kind != BATCH_FILES && batch->kind != BATCH_ROWS; }

/* Compresses the batch's records, or their texts, to see what the cleaned shards will take. */
static int batch_pack(struct sampler *s, struct err *err)
{
    const struct bytes *from = has_texts(&s->batch) ? &s->batch.raw : &s->texts;
    double              started = thread_seconds();
    size_t              packed;

    if (!s->zstd || !from->len || s->out->packed_from >= SAMPLE_PACK_BYTES) return 0;
    if (bytes_reserve(&s->packed, ZSTD_compressBound(from->len)) < 0)
        return err_memory(err, from->len, "compressed records");
    packed = ZSTD_compressCCtx(s->zstd, s->packed.at, s->packed.room, from->at, from->len,
                               s->options->dedup->zstd_level);
    if (ZSTD_isError(packed)) return err_set(err, -EIO, "zstd: %s", ZSTD_getErrorName(packed));
    s->out->packed_from += from->len;
    s->out->packed_to += packed;
    s->out->pack_seconds += thread_seconds() - started;
    return 0;
}

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
        if (rc == 0 && s->zstd && !has_texts(&s->batch) && bytes_append_slice(&s->texts, record.text) < 0)
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
        if (rc == 0 && !*ended) rc = batch_pack(s, err);
        if (*ended || (read && sample_done(s) >= part)) break;
    }
    source_close(source);
    dataset->shards_read++;
    return rc < 0 ? err_add(err, "%s", shard->path) : 0;
}

/* ---- 4. Pairs ---- */

static int key_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static int rarest_first(const void *a, const void *b, void *rarity)
{
    uint32_t x = ((const uint32_t *)rarity)[rarity_slot(*(const uint64_t *)a)],
        y = ((const uint32_t *)rarity)[rarity_slot(*(const uint64_t *)b)];

    return x != y ? (x > y) - (x < y) : key_order(a, b);
}

static int item_order(const void *a, const void *b)
{
    return key_order(&((const struct sort_item *)a)->key, &((const struct sort_item *)b)->key);
}

/* The records of every class, by key: of a prefix its rarest features.  Their number. */
static size_t classes_record(struct sampler *s, struct sort_item *item)
{
    uint64_t       *keys = (uint64_t *)s->keys.at;
    struct emitter *emitter = (struct emitter *)s->emitters.at;
    size_t          count = 0;

    for (size_t c = 0; c < s->emitters.len / sizeof *emitter; c++) {
        struct emitter *e = &emitter[c];
        uint32_t        length = e->prefix ? prefix_length(s->options->dedup->threshold, e->prefix) : 0,
            size = code_of(e->distinct);
        size_t          first = count;

        if (e->prefix) qsort_r(keys + e->first, e->prefix, sizeof *keys, rarest_first, s->rarity);
        for (uint32_t i = 0; i < length; i++)
            item[count++] = (struct sort_item){ keys[e->first + i], record_value(c, size, code_of(i)) };
        for (uint32_t i = 0; i < e->bands; i++)
            item[count++] = (struct sort_item){ keys[e->first + e->prefix + i], record_value(c, size, CODE_NONE) };
        qsort(item + first, count - first, sizeof *item, item_order);
        *e = (struct emitter){ first, e->distinct, length, e->bands };
    }
    return count;
}

/* A bucket where the two become a candidate; only the first of several counts. */
static bool meets_first(const struct sampler *s, const struct sort_item *records, const struct sort_item *a,
                        const struct sort_item *b)
{
    const struct emitter   *emitter = (const struct emitter *)s->emitters.at;
    const struct sort_item *x = records + emitter[a->value & DEDUP_ID_MASK].first,
        *y = records + emitter[b->value & DEDUP_ID_MASK].first;

    if (!records_may_match(s->options->dedup, a->value, b->value)) return false;
    for (;;) {                                              /* both have the key of a and b, so neither is passed */
        if (x->key < y->key) x++;
        else if (x->key > y->key) y++;
        else if (x->key == a->key) return true;
        else if (records_may_match(s->options->dedup, x++->value, y++->value)) return false;
    }
}

/* Pairs of a bucket that become candidates here first.  Of many pairs an even choice is looked at and scaled. */
static double bucket_pairs(const struct sampler *s, const struct sort_item *records, const struct sort_item *member,
                           uint64_t count)
{
    enum { MOST = 1035 };                                   /* 46 members */
    uint64_t all = count * (count - 1) / 2, looked = 0, found = 0;

    if (count > s->options->dedup->bucket_cap) {            /* a star around the best */
        for (uint64_t i = 1; i < count; i++) found += meets_first(s, records, member, member + i);
        return (double)found;
    }
    for (uint64_t i = 1, at = 0; i < count; i++)
        for (uint64_t j = 0; j < i; j++, at++) {
            if (all > MOST && at * MOST / all == (at + 1) * MOST / all) continue;
            looked++;
            found += meets_first(s, records, member + i, member + j);
        }
    return looked ? (double)found * (double)all / (double)looked : 0;
}

static int pairs_count(struct sampler *s, struct err *err)
{
    size_t            most = s->keys.len / sizeof(uint64_t) + 1, count, end;
    struct sort_item *records = malloc(most * sizeof *records), *item = malloc(most * sizeof *item),
        *spare = malloc(most * sizeof *spare);
    int               rc = records && item && spare ? 0
        : err_memory(err, most * 3 * sizeof *item, "the sample's pairs");

    if (rc == 0) {
        count = classes_record(s, records);
        memcpy(item, records, count * sizeof *item);
        sort_items(item, spare, count);
        for (size_t at = 0; at < count; at = end) {
            for (end = at + 1; end < count && item[end].key == item[at].key; end++) continue;
            if (end - at > s->out->largest_bucket) s->out->largest_bucket = end - at;
            s->out->pairs += bucket_pairs(s, records, item + at, end - at);
        }
    }
    free(records);
    free(item);
    free(spare);
    return rc;
}

/* ---- 5. The whole ---- */

static int features_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int sampler_open(struct sampler *s, struct err *err)
{
    const struct dedup_options *dedup = s->options->dedup;
    int                         rc = view_scratch_open(&s->view, s->options->view, err);

    if (rc < 0) return rc;
    if (dedup) {
        s->border = border_of(dedup);
        signature_scheme_make(&s->scheme, dedup->bands, dedup->rows, 0);
        s->rarity = calloc(1u << RARITY_BITS, sizeof *s->rarity);
        if (!s->rarity) return err_memory(err, sizeof *s->rarity << RARITY_BITS, "the sample's features");
    }
    if (dedup && dedup->write == DEDUP_WRITE_SHARDS) s->zstd = ZSTD_createCCtx();
    if (dedup && dedup->write == DEDUP_WRITE_SHARDS && !s->zstd) return err_memory(err, 1 << 20, "zstd");
    s->out->dataset = calloc(s->options->dataset_count + 1, sizeof *s->out->dataset);
    return s->out->dataset ? 0 : err_memory(err, s->options->dataset_count * sizeof *s->out->dataset, "the sample");
}

static void sampler_close(struct sampler *s)
{
    view_scratch_close(s->view);
    batch_free(&s->batch);
    multiset_free(&s->multiset);
    table_free(&s->raws);
    table_free(&s->classes);
    bytes_free(&s->features);
    bytes_free(&s->emitters);
    bytes_free(&s->keys);
    free(s->rarity);
    bytes_free(&s->texts);
    bytes_free(&s->packed);
    ZSTD_freeCCtx(s->zstd);
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

int sample_read(const struct sample_options *options, struct sample *out, struct err *err)
{
    struct sampler s = { .options = options, .out = out };
    uint64_t      *numbers = calloc(2 * options->dataset_count + 1, sizeof *numbers);
    int            rc;

    *out = (struct sample){ 0 };
    rc = numbers ? sampler_open(&s, err) : err_memory(err, options->dataset_count * 2 * sizeof *numbers, "the sample");
    if (rc == 0) rc = shards_read(&s, numbers, numbers + options->dataset_count, err);
    if (rc == 0 && options->dedup) rc = pairs_count(&s, err);
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

void sample_free(struct sample *sample)
{
    free(sample->dataset);
    free(sample->features);
    *sample = (struct sample){ 0 };
}

double sample_scaled(const struct sample_dataset *dataset, double value)
{
    return dataset->whole || !dataset->bytes_read ? value
        : value * (double)dataset->bytes / (double)dataset->bytes_read;
}
