/* dedup/records.c -- what documents put into buckets: the keys of their bands, the rarest features of their prefixes;
 * see candidates.h. */
#include "dedup/candidates.h"

#include "view/signature.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

enum {
    RECORDS_PARTITION = 1 << 20,                            /* records that a partition aims at */
    RECORDS_CHUNK     = 256,                                /* documents that a thread takes at a time */
    RECORDS_FLOOR     = 8,                                  /* distinct features below which an estimate says nothing */
    FREQUENCY_MOST    = 24, FREQUENCY_LEAST = 12            /* bits */
};

/* ---- the border ---- */

struct border border_of(const struct dedup_options *options)
{
    struct ratio  t = options->threshold;
    struct border border = { 0, 0 };
    uint64_t      least = RECORDS_FLOOR, most;

    if (options->method == DEDUP_EXACT) return (struct border){ UINT32_MAX, UINT32_MAX };
    if (options->method == DEDUP_AUTO && t.num < t.den) {
        /* whose prefix has as many records as there are bands */
        uint64_t longest = (uint64_t)(options->bands - 1) * t.den / (t.den - t.num);

        if (longest * t.num / t.den > least) least = longest * t.num / t.den;
    /* threshold 1: a prefix is one feature */
    } else if (options->method == DEDUP_AUTO) least = UINT32_MAX - 1;
    most = least * t.den / t.num;
    border.prefix_most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    border.bands_from = least < UINT32_MAX ? (uint32_t)least + 1 : UINT32_MAX;
    return border;
}

bool records_may_match(const struct dedup_options *o, uint64_t smaller, uint64_t larger)
{
    struct ratio t = o->threshold;
    uint32_t     size_a = (uint32_t)(smaller >> 52), size_b = (uint32_t)(larger >> 52);
    uint32_t     place_a = record_place(smaller), place_b = record_place(larger);
    uint64_t     rest, other;

    if (o->containment.den) return true;
    if (!ratio_reached(t, code_high(size_a), code_low(size_b))) return false;
    if (record_is_band(smaller)) return true;
    /* Before the shared feature nothing else is shared, or an earlier bucket has the pair as well; from it on at most
     * what is left of either. Needed are t / (1 + t) * (|a| + |b|). */
    rest = code_high(size_a) - code_low(place_a);
    other = code_high(size_b) - code_low(place_b);
    if (other < rest) rest = other;
    return (unsigned __int128)rest * ((uint64_t)t.den + t.num) >= (unsigned __int128)t.num * (code_low(size_a) +
            code_low(size_b));
}

/* ---- frequencies ---- */

/* Counters are anywhere, and an atomic one is waited for: those to come are asked for. */
static void frequency_count(const struct frequency *f, uint32_t *counter, struct column_features features)
{
    enum { AHEAD = 12 };

    for (uint32_t k = 0; k < features.distinct; k++) {
        if (features.distinct - k > AHEAD) __builtin_prefetch(&counter[features.hash[k + AHEAD] >> 8 & f->mask], 1);
        __atomic_fetch_add(&counter[features.hash[k] >> 8 & f->mask], 1, __ATOMIC_RELAXED);
    }
}

static bool needs_prefix(const struct border *border, const struct dedup_row *row)
{
    return row->admitted && row->distinct <= border->prefix_most;
}

static uint32_t unit_generation(const struct dedup_state *s, size_t unit)
{
    return generation_of(s->job, s->job->run->shards->at[s->catalogue.unit[unit].shard].dataset);
}

/* Counts the features of a generation's documents on all ranks. */
static int frequency_add(struct dedup_state *s, const struct frequency *f, uint32_t generation, uint32_t *counter,
                         struct err *err)
{
    struct border border = border_of(s->job->options);
    uint64_t     *sum = NULL;
    int           rc = 0;

    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++) {
        const struct catalogue_unit *unit = &s->catalogue.unit[u];
        struct column_unit           columns;

        if (unit_generation(s, u) != generation) continue;
        rc = state_unit(s, u, &columns, err);
        if (rc < 0) break;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, RECORDS_CHUNK)
        for (uint64_t i = 0; i < unit->documents; i++)
            if (!(own_id_of(s, unit->first + i) & ID_COPY) && needs_prefix(&border, columns_row(&columns, i, NULL)))
                frequency_count(f, counter, columns_features(&columns, i));
        columns_close(&columns);
    }
    if (s->ranks > 1 && rc == 0 && !(sum = malloc((f->mask + 1) * sizeof *sum)))
        rc = err_memory(err, (f->mask + 1) * sizeof *sum, "frequencies of features");
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0 && s->ranks > 1) {
        for (uint64_t i = 0; i <= f->mask; i++) sum[i] = counter[i];
        comm_sum(s->job->run->comm, sum, f->mask + 1);
        for (uint64_t i = 0; i <= f->mask; i++) counter[i] = sum[i] < UINT32_MAX ? (uint32_t)sum[i] : UINT32_MAX;
    }
    free(sum);
    return rc;
}

/* Of a counter that reaches n in generation `generation`, together with those before it. */
static uint16_t crowd_of(const struct frequency *f, uint16_t was, uint32_t n, uint32_t generation)
{
    return was == NOT_CROWDED && n > f->cap && generation < NOT_CROWDED ? (uint16_t)generation : was;
}

/* The generations after the first: each is counted by itself. */
static int frequency_extend(struct dedup_state *s, struct frequency *f, struct err *err)
{
    size_t    counters = f->mask + 1;
    uint32_t *counter = malloc(counters * sizeof *counter), *count = malloc(counters * sizeof *count);
    int       rc;

    f->crowd = malloc(counters * sizeof *f->crowd);
    rc = comm_agree(s->job->run->comm, counter && count && f->crowd ? 0
                    : err_memory(err, 10 * counters, "frequencies of features"), err);
    for (size_t i = 0; i < counters && rc == 0; i++) {
        count[i] = f->rank[i];
        f->crowd[i] = crowd_of(f, NOT_CROWDED, count[i], 0);
    }
    for (uint32_t n = 1; n < s->generations && rc == 0; n++) {
        memset(counter, 0, counters * sizeof *counter);
        rc = frequency_add(s, f, n, counter, err);
        for (size_t i = 0; i < counters && rc == 0; i++) {
            if (!f->rank[i]) f->rank[i] = counter[i];
            count[i] = counter[i] < UINT32_MAX - count[i] ? count[i] + counter[i] : UINT32_MAX;
            f->crowd[i] = crowd_of(f, f->crowd[i], count[i], n);
        }
    }
    free(counter);
    free(count);
    return rc;
}

int frequency_make(struct dedup_state *s, struct frequency *out, struct err *err)
{
    uint64_t bytes = 0;
    unsigned bits = FREQUENCY_LEAST;
    int      rc;

    for (size_t u = 0; u < s->catalogue.count; u++)
        if (unit_generation(s, u) == 0) bytes += s->catalogue.unit[u].bytes;
    /* about a counter for four features; later generations change no counter's place */
    while (bits < FREQUENCY_MOST && 1ull << bits < bytes / 32) bits++;
    *out = (struct frequency){ .rank = calloc(1ull << bits, sizeof *out->rank), .mask = (1ull << bits) - 1,
                               .cap = s->job->options->bucket_cap };
    rc = comm_agree(s->job->run->comm, out->rank ? 0 : err_memory(err, 4ull << bits, "frequencies of features"), err);
    if (rc == 0) rc = frequency_add(s, out, 0, out->rank, err);
    if (rc == 0 && s->generations > 1) rc = frequency_extend(s, out, err);
    if (rc < 0) frequency_free(out);
    return rc;
}

void frequency_free(struct frequency *frequency)
{
    free(frequency->rank);
    free(frequency->crowd);
    *frequency = (struct frequency){ 0 };
}

/* ---- one document's records ---- */

struct recorder {                                           /* one a thread */
    struct shuffle    *records;
    int                thread;
    uint32_t           partitions;
    uint32_t           lane[SIGNATURE_LANES_MAX];
    uint64_t           key[SIGNATURE_LANES_MAX];
    /* [room] features of a document in the order of their frequency */
    struct sort_item  *rare, *spare;
    size_t             room;
    uint32_t           generation;                          /* of the document at hand */
    uint64_t           lsh, prefix;                         /* records written */
    struct sort_item  *kept;                                /* not NULL: they go here, and the caller has made room */
    size_t             kept_count;
};

/* A prefix's key: the feature itself, spread anew so that it cannot be a band's. */
static uint64_t prefix_key(uint64_t feature)
{
    feature ^= 0x9d39247e33776d41ull;
    feature *= 0x2545f4914f6cdd1dull;
    return feature ^ feature >> 29;
}

static int recorder_add(struct recorder *r, uint64_t key, uint64_t value)
{
    if (r->kept) {
        r->kept[r->kept_count++] = (struct sort_item){ key, value };
        return 0;
    }
    return shuffle_add(r->records, r->thread, shuffle_partition_of_hash(key, r->partitions), key, value);
}

/* key: [bands] of a document of so many distinct features; place: CODE_NONE, or since when they are there */
static int recorder_keys(struct recorder *r, uint32_t bands, uint64_t id, uint32_t distinct, uint32_t place,
                         const uint64_t *key)
{
    uint64_t value = record_value(id, code_of(distinct), place);

    for (uint32_t b = 0; b < bands; b++)
        if (recorder_add(r, key[b], value) < 0) return -ENOMEM;
    r->lsh += bands;
    return 0;
}

static int recorder_bands(struct recorder *r, const struct signature_scheme *scheme, uint64_t id,
                          struct column_features features, uint32_t place)
{
    signature_make(scheme, features.hash, features.distinct, r->lane);
    signature_bands(scheme, r->lane, r->key);
    return recorder_keys(r, scheme->bands, id, features.distinct, place, r->key);
}

static int recorder_reserve(struct recorder *r, size_t room)
{
    if (room <= r->room) return 0;
    room *= 2;
    free(r->rare);
    free(r->spare);
    r->rare = malloc(room * sizeof *r->rare);
    r->spare = malloc(room * sizeof *r->spare);
    r->room = r->rare && r->spare ? room : 0;
    return r->room ? 0 : -ENOMEM;
}

/* The rarest features first; features come in the order of their hashes, which equal frequencies keep, so all documents
 * have one order. */
static void rare_sort(struct recorder *r, size_t n)
{
    if (n > 64) {
        sort_items(r->rare, r->spare, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct sort_item item = r->rare[i];
        size_t           at = i;

        for (; at && r->rare[at - 1].key > item.key; at--) r->rare[at] = r->rare[at - 1];
        r->rare[at] = item;
    }
}

/* *crowd: the first generation with which one of the prefix's features may have more documents than a bucket may, so
 * that bands are wanted too; or NOT_CROWDED. */
static int recorder_prefix(struct recorder *r, const struct frequency *frequency, const struct dedup_options *o,
                           uint64_t id, struct column_features features, uint32_t *crowd)
{
    uint32_t n = features.distinct, length = prefix_length(o->threshold, n), size = code_of(n);

    if (recorder_reserve(r, n) < 0) return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        r->rare[i] = (struct sort_item){ frequency_rank(frequency, features.hash[i]), features.hash[i] };
    rare_sort(r, n);
    *crowd = NOT_CROWDED;
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t crowded = frequency_crowd(frequency, r->rare[i].value);

        if (crowded < *crowd) *crowd = crowded;
        if (recorder_add(r, prefix_key(r->rare[i].value), record_value(id, size, code_of(i))) < 0) return -ENOMEM;
    }
    r->prefix += length;
    return 0;
}

/* ---- all of them ---- */

struct recording {
    struct dedup_state *state;
    const struct signature_scheme *scheme;
    const struct frequency *frequency;
    struct border border;
    struct recorder *recorder;
};

static int record_features(const struct recording *all, struct recorder *r, struct column_features features,
                           uint64_t id)
{
    uint32_t crowd = NOT_CROWDED;

    if (features.distinct <= all->border.prefix_most &&
        recorder_prefix(r, all->frequency, all->state->job->options, id, features, &crowd) < 0)
        return -ENOMEM;
    if (features.distinct >= all->border.bands_from || crowd <= r->generation)
        return recorder_bands(r, all->scheme, id, features, CODE_NONE);
    return crowd <= LATE_MOST ? recorder_bands(r, all->scheme, id, features, CODE_LATE + crowd) : 0;
}

static int record_document(const struct recording *all, struct recorder *r, const struct column_unit *columns,
                           uint64_t i, uint64_t id)
{
    const struct dedup_row *row = columns_row(columns, i, NULL);

    if (!row->admitted) return 0;
    if (row->brief)
        return recorder_keys(r, columns->brief.bands, id, row->distinct, CODE_NONE, columns_bands(columns, i));
    return record_features(all, r, columns_features(columns, i), id);
}

int records_of(const struct recording *all, struct column_features features, struct sort_item **out, size_t *count)
{
    struct recorder r = { .kept = malloc((features.distinct + all->scheme->bands + (size_t)1) * sizeof *r.kept),
                          .generation = all->state->generations - 1 };
    int             rc = r.kept ? record_features(all, &r, features, 0) : -ENOMEM;

    free(r.rare);
    free(r.spare);
    *out = r.kept;
    *count = r.kept_count;
    return rc;
}

/* Documents [from, to) of unit u; all threads. */
static int record_range(const struct recording *all, const struct column_unit *columns, size_t u, uint64_t from,
                        uint64_t to, struct err *err)
{
    const uint64_t first = all->state->catalogue.unit[u].first;
    int            rc = 0;

#pragma omp parallel num_threads(all->state->threads)
    {
        struct recorder *r = &all->recorder[omp_get_thread_num()];
        int              mine = 0;

        r->generation = unit_generation(all->state, u);
#pragma omp for schedule(dynamic, RECORDS_CHUNK)
        for (uint64_t i = from; i < to; i++) {
            const uint64_t id = own_id_of(all->state, first + i);

            if (mine == 0 && !(id & ID_COPY)) mine = record_document(all, r, columns, i, id);
        }
        if (mine < 0) __atomic_store_n(&rc, mine, __ATOMIC_RELAXED);
    }
    return rc < 0 ? err_memory(err, (to - from) * sizeof(struct sort_item), "records") : 0;
}

/* A prefix has no more records than there are bands, but where all documents have one. */
uint32_t record_partitions(const struct dedup_state *s)
{
    const struct dedup_options *o = s->job->options;
    uint64_t                    records = s->catalogue.documents * o->bands, bytes = 0;

    for (size_t u = 0; u < s->catalogue.count; u++) bytes += s->catalogue.unit[u].bytes;
    if (o->method == DEDUP_EXACT)
        records += bytes / sizeof(uint64_t) - ratio_ceil(o->threshold, bytes / sizeof(uint64_t));
    records = records / RECORDS_PARTITION + 1;
    return records < 1u << 16 ? (uint32_t)records : 1u << 16;
}

/* The documents from `at` on whose records are made before the next look at the memory. */
static uint64_t step_end(const struct recording *all, const struct column_unit *columns, uint64_t at)
{
    enum { STEP = 32768, STEP_RECORDS = 1 << 20 };
    const struct dedup_options *o = all->state->job->options;
    uint64_t                    records = 0, to = at;

    for (; to < columns->documents && to - at < STEP && records < STEP_RECORDS; to++) {
        const struct dedup_row *row = columns_row(columns, to, NULL);

        if (row->admitted)
            records += o->bands + (row->distinct <= all->border.prefix_most ? prefix_length(o->threshold, row->distinct)
                                   : 0);
    }
    return to;
}

int records_make(struct dedup_state *s, struct shuffle *records, struct err *err)
{
    struct signature_scheme *scheme = malloc(sizeof *scheme);
    struct frequency         frequency = { 0 };
    struct recording         all = { s, scheme, &frequency, border_of(s->job->options),
                                     calloc((size_t)s->threads, sizeof *all.recorder) };
    struct column_unit       columns = { 0 };
    size_t                   u = s->unit_first[s->rank], end = s->unit_first[s->rank + 1];
    uint64_t                 at = 0;
    int                      rc = scheme && all.recorder ? 0 : err_memory(err, sizeof *scheme, "records");

    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0 && all.border.prefix_most) rc = frequency_make(s, &frequency, err);
    if (rc == 0) {
        signature_scheme_make(scheme, s->job->options->bands, s->job->options->rows, RECORDS_SEED);
        for (int t = 0; t < s->threads; t++) {
            all.recorder[t].records = records;
            all.recorder[t].thread = t;
            all.recorder[t].partitions = record_partitions(s);
        }
    }
    while (rc == 0) {
        while (u < end && rc == 0 && !shuffle_is_full(records)) {
            const struct catalogue_unit *unit = &s->catalogue.unit[u];
            uint64_t                     to = unit->documents;

            if (!columns.part_first) rc = state_unit(s, u, &columns, err);
            if (rc == 0) to = step_end(&all, &columns, at);
            if (rc == 0) rc = record_range(&all, &columns, u, at, to, err);
            at = to;
            if (at < unit->documents) continue;
            columns_close(&columns);
            at = 0;
            u++;
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = shuffle_round(records, u < end, err);
        if (rc <= 0) break;
        rc = 0;
    }
    columns_close(&columns);
    if (rc == 0 && s->job->options->measure) rc = mutants_measure(s, &all, err);
    for (int t = 0; all.recorder && t < s->threads; t++) {
        s->job->stats.records_lsh += all.recorder[t].lsh;
        s->job->stats.records_prefix += all.recorder[t].prefix;
        free(all.recorder[t].rare);
        free(all.recorder[t].spare);
    }
    free(all.recorder);
    frequency_free(&frequency);
    free(scheme);
    return rc;
}
