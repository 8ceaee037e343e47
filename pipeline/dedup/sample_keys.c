/* dedup/sample_keys.c -- see sample_keys.h. */
#include "dedup/sample_keys.h"

#include "base/sort.h"
#include "dedup/candidates.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#define SAMPLE_KEYS       (8ull << 20)
#define SAMPLE_PACK_BYTES (32ull << 20)                     /* compressed to know what that takes */

/* A class's keys from first on: prefix of them are features, all that it has, then come bands.  Cut, they are its
 * records by key. */
struct emitter { uint64_t first; uint32_t distinct, prefix, bands; };

enum { RARITY_BITS = 20 };
static size_t rarity_slot(uint64_t feature) { return feature >> (64 - RARITY_BITS); }

/* ---- documents ---- */

/* What a class of documents with these features emits: a prefix, bands, or both near the border.  Of a prefix all
 * features are kept until it is known which are rare. */
static int keys_add(struct sample_keys *s, struct sample_keys_dataset *dataset,
                    const struct multiset *features, struct err *err)
{
    const struct dedup_options *o = s->options;
    const uint32_t distinct = (uint32_t)features->distinct;
    uint32_t       lane[SIGNATURE_LANES_MAX];
    uint64_t       band[SIGNATURE_LANES_MAX];
    bool           prefix = distinct <= s->border.prefix_most, bands = distinct >= s->border.bands_from;
    struct emitter emitter = { s->keys.len / sizeof *band, distinct, prefix ? distinct : 0, bands ? o->bands : 0 };

    if (prefix) {
        if (bytes_append(&s->keys, features->hash, distinct * sizeof *features->hash) < 0)
            return err_memory(err, s->keys.len, "the sample's keys");
        for (uint32_t i = 0; i < distinct; i++) s->rarity[rarity_slot(features->hash[i])]++;
        dataset->prefix_documents++;
        dataset->records_prefix += prefix_length(o->threshold, distinct);
    }
    if (bands) {
        signature_make(&s->scheme, features->hash, distinct, lane);
        signature_bands(&s->scheme, lane, band);
        if (bytes_append(&s->keys, band, o->bands * sizeof *band) < 0)
            return err_memory(err, s->keys.len, "the sample's keys");
        dataset->band_documents++;
        dataset->records_lsh += o->bands;
    }
    return bytes_append(&s->emitters, &emitter, sizeof emitter) < 0
        ? err_memory(err, s->emitters.len, "the sample's documents") : 0;
}

static int document_watch(struct sample_watcher *watcher, struct sample_dataset *seen, const struct multiset *features,
                          const struct record *record, bool admitted, bool copy, struct err *err)
{
    struct sample_keys         *s = (struct sample_keys *)watcher;
    struct sample_keys_dataset *dataset = &s->dataset[seen - s->sample->dataset];
    int                         rc = copy;

    if (admitted && features->distinct > s->brief.above) {
        dataset->brief++;
        dataset->brief_distinct += features->distinct;
    }
    if (admitted)
        rc = sample_met_before(&s->classes, class_hash(features->hash, features->count, features->distinct), err);
    if (rc < 0) return rc;
    if (rc == 0) return admitted ? keys_add(s, dataset, features, err) : 0;
    dataset->repeats++;
    dataset->repeated_bytes += record->text.len;
    return 0;
}

/* ---- records ---- */

static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Compresses the records to see what the cleaned shards will take. */
static int batch_watch(struct sample_watcher *watcher, struct slice records, struct err *err)
{
    struct sample_keys *s = (struct sample_keys *)watcher;
    double              started = thread_seconds();
    size_t              packed;

    if (!s->zstd || !records.len || s->packed_from >= SAMPLE_PACK_BYTES) return 0;
    if (bytes_reserve(&s->packed, ZSTD_compressBound(records.len)) < 0)
        return err_memory(err, records.len, "compressed records");
    packed = ZSTD_compressCCtx(s->zstd, s->packed.at, s->packed.room, records.at, records.len, s->options->zstd_level);
    if (ZSTD_isError(packed)) return err_set(err, -EIO, "zstd: %s", ZSTD_getErrorName(packed));
    s->packed_from += records.len;
    s->packed_to += packed;
    s->pack_seconds += thread_seconds() - started;
    return 0;
}

static double keys_filled(const struct sample_watcher *watcher)
{
    const struct sample_keys *s = (const struct sample_keys *)watcher;

    return (double)s->keys.len / sizeof(uint64_t) / (double)SAMPLE_KEYS;
}

/* ---- pairs ---- */

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
static size_t classes_record(struct sample_keys *s, struct sort_item *item)
{
    uint64_t       *keys = (uint64_t *)s->keys.at;
    struct emitter *emitter = (struct emitter *)s->emitters.at;
    size_t          count = 0;

    for (size_t c = 0; c < s->emitters.len / sizeof *emitter; c++) {
        struct emitter *e = &emitter[c];
        uint32_t        length = e->prefix ? prefix_length(s->options->threshold, e->prefix) : 0,
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
static bool meets_first(const struct sample_keys *s, const struct sort_item *records, const struct sort_item *a,
                        const struct sort_item *b)
{
    const struct emitter   *emitter = (const struct emitter *)s->emitters.at;
    const struct sort_item *x = records + emitter[a->value & DEDUP_ID_MASK].first,
        *y = records + emitter[b->value & DEDUP_ID_MASK].first;

    if (!records_may_match(s->options, a->value, b->value)) return false;
    for (;;) {                                              /* both have the key of a and b, so neither is passed */
        if (x->key < y->key) x++;
        else if (x->key > y->key) y++;
        else if (x->key == a->key) return true;
        else if (records_may_match(s->options, x++->value, y++->value)) return false;
    }
}

/* Pairs of a bucket that become candidates here first.  Of many pairs an even choice is looked at and scaled. */
static double bucket_pairs(const struct sample_keys *s, const struct sort_item *records, const struct sort_item *member,
                           uint64_t count)
{
    enum { MOST = 1035 };                                   /* 46 members */
    uint64_t all = count * (count - 1) / 2, looked = 0, found = 0;

    if (count > s->options->bucket_cap) {            /* a star around the best */
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

int sample_keys_pair(struct sample_keys *s, struct err *err)
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
            if (end - at > s->largest_bucket) s->largest_bucket = end - at;
            s->pairs += bucket_pairs(s, records, item + at, end - at);
        }
    }
    free(records);
    free(item);
    free(spare);
    return rc;
}

/* ---- the whole ---- */

int sample_keys_open(struct sample_keys *s, const struct dedup_options *options, const struct sampled *sample,
                     size_t dataset_count, struct err *err)
{
    *s = (struct sample_keys){ .watcher = { document_watch, batch_watch, keys_filled }, .options = options,
                               .sample = sample, .border = border_of(options), .brief = brief_of(options) };
    signature_scheme_make(&s->scheme, options->bands, options->rows, 0);
    s->rarity = calloc(1u << RARITY_BITS, sizeof *s->rarity);
    s->dataset = calloc(dataset_count + 1, sizeof *s->dataset);
    if (!s->rarity || !s->dataset) return err_memory(err, sizeof *s->rarity << RARITY_BITS, "the sample's features");
    if (options->write == DEDUP_WRITE_SHARDS && !(s->zstd = ZSTD_createCCtx()))
        return err_memory(err, 1 << 20, "zstd");
    return 0;
}

void sample_keys_free(struct sample_keys *s)
{
    table_free(&s->classes);
    bytes_free(&s->emitters);
    bytes_free(&s->keys);
    bytes_free(&s->packed);
    free(s->rarity);
    free(s->dataset);
    ZSTD_freeCCtx(s->zstd);
    *s = (struct sample_keys){ 0 };
}
