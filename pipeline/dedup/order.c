/* dedup/order.c -- the order of preference over all documents of all ranks: a sample sort, outside of memory where they
 * are many.
 *
 * A document's record is a word of its generation and protection, one word a criterion of `keep`, the smaller
 * preferred, then a word of its content hash, then its ordinal: no two are equal, so the order is total and follows
 * from the documents alone.  All ranks look through their records once, to agree on a key, which is as much of a record
 * as 64 bits hold, and on the records at which shares are cut; then each sends its records to those in whose shares
 * they lie, where they are sorted by key, and of one key as whole records (base/runs.h).  A document's id is its place.
 * Work is done in slices, so that no rank holds more than a share of `memory`, whatever its documents are like. */
#include "dedup/state.h"

#include "base/log.h"
#include "base/runs.h"

#include <errno.h>
#include <stdlib.h>

/* generation and protection, criteria, hash, ordinal */
enum { ORDER_WORDS = KEEP_CRITERIA + 3 };
/* records of a rank by which shares are cut; the parts of memory that runs, and a slice, may take */
enum { ORDER_SAMPLES = 128, ORDER_PART = 8, ORDER_SLICE_PART = 16 };
/* records of a slice: what all ranks send between two deliveries may be one rank's */
enum { ORDER_SLICE = 1 << 18, ORDER_SLICE_LEAST = 64 };

/* As much of a record as fits in 64 bits, first words first: of each word only the bits in which the records differ. */
struct order_key { uint64_t least[ORDER_WORDS], most[ORDER_WORDS]; unsigned bits[ORDER_WORDS]; };

struct order {
    struct dedup_state *state;
    size_t              words, slice;                       /* of a record; records of a slice */
    uint64_t           *record;                             /* [slice] those at hand */
    size_t              count;
    size_t              unit;                               /* the next one's place */
    uint64_t            document;
    struct order_key    key;
    struct bytes        cuts;                               /* ranks - 1 records: of each share but the first one's */
    struct runs        *runs;                               /* this rank's share: key, record */
    uint64_t            share;                              /* how many there are */
    uint64_t            with_stars, with_date;
};

static uint64_t split_place(const struct dedup_job *job, const struct shard *shard)
{
    for (size_t m = 0; m < job->member_count; m++)
        if (job->member[m] == shard->dataset) return (uint64_t)m << 32 | shard->split;
    return UINT64_MAX;
}

static void record_fill(const struct dedup_job *job, const struct shard *shard, const struct dedup_row *row,
                        uint64_t ordinal, uint64_t *word)
{
    *word++ = (uint64_t)generation_of(job, shard->dataset) << 1 | !(job->protect && job->protect[shard->dataset]);
    for (size_t k = 0; k < job->options->keep_count; k++) {
        uint64_t value = 0;

        switch (job->options->keep[k]) {
        case KEEP_DATASET: value = split_place(job, shard); break;
        case KEEP_LONGEST: value = ~row->bytes; break;
        case KEEP_STARS:   value = ~row->stars; break;
        case KEEP_NEWEST:  value = ~row->date; break;
        case KEEP_PATH:    value = row->path.len; break;    /* NO_STRING is the longest */
        case KEEP_CRITERIA: break;
        }
        *word++ = value;
    }
    *word++ = row->raw.low;
    *word = ordinal;
}

/* A criterion that says nothing of any document is a mistake in `fields:`, most likely. */
static void criteria_warn(const struct order *o)
{
    const struct dedup_options *options = o->state->job->options;
    uint64_t                    known[] = { o->with_stars, o->with_date };

    comm_sum(o->state->job->run->comm, known, 2);
    for (size_t k = 0; k < options->keep_count && o->state->catalogue.documents; k++) {
        if (options->keep[k] == KEEP_STARS && !known[0])
            log_warn("keep: stars: no record has a number in its field `stars`; `fields: {stars: NAME}` of a dataset "
                     "says another name");
        if (options->keep[k] == KEEP_NEWEST && !known[1])
            log_warn("keep: newest: no record has a date in its field `date`; `fields: {date: NAME}` of a dataset "
                     "says another name");
    }
}

/* ---- slices of what this rank has by ordinal ---- */

static void slices_begin(struct order *o)
{
    o->unit = o->state->unit_first[o->state->rank];
    o->document = 0;
    o->with_stars = o->with_date = 0;
}

/* Adds the records of the next documents of one unit. */
static int slice_add(struct order *o, struct err *err)
{
    struct dedup_state          *s = o->state;
    const struct catalogue_unit *unit = &s->catalogue.unit[o->unit];
    const uint64_t               first = o->document, left = unit->documents - first, room = o->slice - o->count,
        count = left < room ? left : room;
    struct column_unit           columns;
    uint64_t                     stars = 0, dates = 0;
    int                          rc = state_unit(s, o->unit, &columns, err);

    if (rc < 0) return rc;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(+ : stars, dates)
    for (uint64_t i = 0; i < count; i++) {
        const struct dedup_row *row = columns_row(&columns, first + i, NULL);

        record_fill(s->job, &s->job->run->shards->at[unit->shard], row, unit->first + first + i,
                    o->record + (o->count + i) * o->words);
        stars += row->stars != 0;
        dates += row->date != 0;
    }
    columns_close(&columns);
    o->count += count;
    o->document += count;
    o->with_stars += stars;
    o->with_date += dates;
    return 0;
}

/* The records of the next documents; count 0: there are no more. */
static int slice_next(struct order *o, struct err *err)
{
    const struct dedup_state *s = o->state;
    int                       rc = 0;

    for (o->count = 0; rc == 0 && o->count < o->slice && o->unit < s->unit_first[s->rank + 1];)
        if (o->document == s->catalogue.unit[o->unit].documents) o->unit++, o->document = 0;
        else rc = slice_add(o, err);
    return rc;
}

/* ---- keys ---- */

static int record_compare(const void *a, const void *b, void *words)
{
    const uint64_t *x = a, *y = b;

    for (size_t w = 0; w < *(const size_t *)words; w++)
        if (x[w] != y[w]) return x[w] < y[w] ? -1 : 1;
    return 0;
}

static void key_begin(struct order_key *key)
{
    for (size_t w = 0; w < ORDER_WORDS; w++) {
        key->least[w] = UINT64_MAX;
        key->most[w] = 0;
    }
}

static void key_widen(struct order_key *key, size_t words, const uint64_t *record, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < words; w++) {
            uint64_t word = record[i * words + w];

            if (word < key->least[w]) key->least[w] = word;
            if (word > key->most[w]) key->most[w] = word;
        }
}

static void key_end(struct order_key *key)
{
    for (size_t w = 0; w < ORDER_WORDS; w++) {
        uint64_t range = key->most[w] > key->least[w] ? key->most[w] - key->least[w] : 0;

        key->bits[w] = range ? 64 - (unsigned)__builtin_clzll(range) : 0;
    }
}

static uint64_t key_of(const struct order_key *key, size_t words, const uint64_t *record)
{
    uint64_t packed = 0;
    unsigned room = 64;

    for (size_t w = 0; w < words && room; w++) {
        unsigned take = key->bits[w] < room ? key->bits[w] : room;

        if (!take) continue;
        packed = (take < 64 ? packed << take : 0) | (record[w] - key->least[w]) >> (key->bits[w] - take);
        room -= take;
    }
    return packed;
}

/* What ranks tell rank 0, and it tells them: what their records differ in; then samples, records. */
static int samples_take(struct order *o, struct bytes *mine, struct err *err)
{
    const uint64_t own = own_ordinals(o->state), step = own / ORDER_SAMPLES + 1;
    const size_t   size = o->words * sizeof *o->record;
    uint64_t       before = 0;
    int            rc = bytes_append(mine, &o->key, sizeof o->key) < 0 ? err_memory(err, sizeof o->key, "samples") : 0;

    key_begin(&o->key);
    slices_begin(o);
    while (rc == 0 && (rc = slice_next(o, err)) == 0 && o->count) {
        key_widen(&o->key, o->words, o->record, o->count);
        for (uint64_t i = (step - before % step) % step; i < o->count && rc == 0; i += step)
            if (bytes_append(mine, o->record + i * o->words, size) < 0) rc = err_memory(err, mine->len, "samples");
        before += o->count;
    }
    if (rc == 0) memcpy(mine->at, &o->key, sizeof o->key);
    return rc;
}

/* Rank 0, of what all ranks said: the key of all, and the records with which shares of their samples begin. */
static int cuts_choose(struct order *o, const struct bytes *all, const uint64_t *sizes, struct err *err)
{
    const size_t ranks = (size_t)o->state->ranks, size = o->words * sizeof *o->record;
    struct bytes samples = { 0 };
    const char  *at = all->at;
    size_t       count;
    int          rc = 0;

    for (size_t r = 0; r < ranks && rc == 0; at += sizes[r++]) {
        struct order_key key;

        memcpy(&key, at, sizeof key);
        for (size_t w = 0; w < o->words; w++) {
            if (key.least[w] < o->key.least[w]) o->key.least[w] = key.least[w];
            if (key.most[w] > o->key.most[w]) o->key.most[w] = key.most[w];
        }
        rc = bytes_append(&samples, at + sizeof key, sizes[r] - sizeof key);
    }
    key_end(&o->key);
    count = samples.len / size;
    if (count) qsort_r(samples.at, count, size, record_compare, &o->words);
    for (size_t r = 1; r < ranks && rc == 0 && count; r++)
        rc = bytes_append(&o->cuts, samples.at + r * count / ranks * size, size);
    bytes_free(&samples);
    return rc < 0 ? err_memory(err, all->len, "samples") : 0;
}

/* The same key and cuts on every rank. */
static int keys_agree(struct order *o, struct err *err)
{
    struct comm  *comm = o->state->job->run->comm;
    const size_t  ranks = (size_t)o->state->ranks;
    struct bytes  mine = { 0 }, all = { 0 };
    uint64_t     *sizes = calloc(ranks, sizeof *sizes);
    int           rc = sizes ? samples_take(o, &mine, err) : err_memory(err, ranks * sizeof *sizes, "samples");

    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_gather(comm, &mine, &all, sizes, err);
    mine.len = 0;
    if (rc == 0 && o->state->rank == 0) {
        rc = cuts_choose(o, &all, sizes, err);
        if (rc == 0 && bytes_append(&mine, &o->key, sizeof o->key) < 0) rc = err_memory(err, sizeof o->key, "a key");
    }
    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_broadcast(comm, &mine, err);
    if (rc == 0) rc = comm_broadcast(comm, &o->cuts, err);
    if (rc == 0) memcpy(&o->key, mine.at, sizeof o->key);
    bytes_free(&mine);
    bytes_free(&all);
    free(sizes);
    return rc;
}

/* ---- to those in whose shares they lie ---- */

static uint64_t run_key(const void *record) { return *(const uint64_t *)record; }

static int run_compare(const void *a, const void *b, void *words)
{
    return record_compare((const uint64_t *)a + 1, (const uint64_t *)b + 1, words);
}

static int take_records(void *context, const void *message, size_t count, struct err *err)
{
    struct order *o = context;
    int           rc = 0;

    for (size_t i = 0; i < count && rc == 0; i++)
        rc = runs_add(o->runs, (const uint64_t *)message + i * (o->words + 1), err);
    o->share += count;
    return rc;
}

/* The rank in whose share a record lies. */
static int owner_of(struct order *o, const uint64_t *record)
{
    const uint64_t *cut = (const uint64_t *)(const void *)o->cuts.at;
    size_t          low = 0, high = o->cuts.len / (o->words * sizeof *cut);

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (record_compare(record, cut + middle * o->words, &o->words) < 0) high = middle;
        else low = middle + 1;
    }
    return (int)low;
}

static int slice_post(struct order *o, struct mail *mail, struct err *err)
{
    uint64_t kept[ORDER_WORDS + 1];

    for (size_t i = 0; i < o->count; i++) {
        kept[0] = key_of(&o->key, o->words, o->record + i * o->words);
        memcpy(kept + 1, o->record + i * o->words, o->words * sizeof *kept);
        if (mail_post(mail, owner_of(o, kept + 1), kept) < 0) return err_memory(err, sizeof kept, "messages");
    }
    return 0;
}

static int records_send(struct order *o, struct err *err)
{
    struct comm *comm = o->state->job->run->comm;
    struct mail  mail;
    int          rc = mail_open(&mail, comm, (o->words + 1) * sizeof *o->record, err);

    slices_begin(o);
    while (rc == 0) {
        rc = slice_next(o, err);
        if (rc == 0) rc = slice_post(o, &mail, err);
        if ((rc = comm_agree(comm, rc, err)) == 0) rc = mail_deliver(&mail, o->count > 0, take_records, o, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    return comm_agree(comm, rc < 0 ? rc : runs_end(o->runs, err), err);
}

/* ---- telling both owners ---- */

struct order_told { uint64_t ordinal, id; };

static int take_ids(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state      *s = context;
    const struct order_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        packed_set(&s->id_of, told[i].ordinal - s->ordinal_first[s->rank], told[i].id);
    return 0;
}

static int take_places(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state      *s = context;
    const struct order_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        packed_set(&s->place, told[i].id - s->id_first[s->rank], told[i].ordinal);
    return 0;
}

/* What is told: the next ids, and who is to hear them. */
struct telling {
    struct order       *order;
    struct runs_reader *reader;
    uint64_t            next;                               /* id */
    struct mail         ids, places;
};

/* The next slice.  1, 0 after the last, <0 with err set. */
static int slice_tell(struct telling *t, struct err *err)
{
    const struct order       *o = t->order;
    const struct dedup_state *s = o->state;
    const void               *record;
    int                       rc = 1;

    while (t->ids.posted < o->slice && (rc = runs_next(t->reader, &record, err)) > 0) {
        const struct order_told told = { ((const uint64_t *)record)[o->words], t->next++ };

        if (mail_post(&t->ids, share_owner(s->ordinal_first, s->ranks, told.ordinal), &told) < 0 ||
            mail_post(&t->places, share_owner(s->id_first, s->ranks, told.id), &told) < 0)
            return err_memory(err, sizeof told, "messages");
    }
    return rc;
}

/* How many documents lie in the shares of the ranks before. */
static int ids_begin(struct telling *t, struct err *err)
{
    const struct dedup_state *s = t->order->state;
    uint64_t                 *count = calloc((size_t)s->ranks, sizeof *count);
    int rc = comm_agree(s->job->run->comm, count ? 0 : err_memory(err, (size_t)s->ranks * sizeof *count, "counts"),
                        err);

    if (rc == 0) {
        count[s->rank] = t->order->share;
        comm_sum(s->job->run->comm, count, (size_t)s->ranks);
        for (int r = 0; r < s->rank; r++) t->next += count[r];
    }
    free(count);
    return rc;
}

static int records_tell(struct order *o, struct err *err)
{
    struct comm   *comm = o->state->job->run->comm;
    struct telling t = { .order = o };
    int            rc = ids_begin(&t, err), more;

    if (rc == 0) rc = mail_open(&t.ids, comm, sizeof(struct order_told), err);
    if (rc == 0) rc = mail_open(&t.places, comm, sizeof(struct order_told), err);
    if (rc == 0) rc = comm_agree(comm, runs_read(o->runs, &t.reader, err), err);
    while (rc == 0) {
        more = slice_tell(&t, err);
        if ((rc = comm_agree(comm, more < 0 ? more : 0, err)) < 0) break;
        rc = mail_deliver(&t.ids, more > 0, take_ids, o->state, err);
        if (rc >= 0) rc = mail_deliver(&t.places, more > 0, take_places, o->state, err);
        if (rc <= 0) break;
        rc = 0;
    }
    runs_reader_close(t.reader);
    mail_close(&t.ids);
    mail_close(&t.places);
    return rc;
}

/* ---- all of it ---- */

static int order_open(struct order *o, struct err *err)
{
    struct dedup_state       *s = o->state;
    const size_t              ranks = (size_t)s->ranks, size = (o->words + 1) * sizeof *o->record;
    const uint64_t            memory = run_memory_share(s->job->run), slice = memory / ORDER_SLICE_PART / size;
    const struct runs_options options = { .stage = s->job->run->stage, .name = "order", .size = size, .key = run_key,
                                          .memory = memory / ORDER_PART, .compare = run_compare,
                                          .context = &o->words };

    o->slice = (slice < ORDER_SLICE ? slice : ORDER_SLICE) / ranks;
    if (o->slice < ORDER_SLICE_LEAST) o->slice = ORDER_SLICE_LEAST;
    o->record = malloc(o->slice * size);
    if (!o->record || packed_open(&s->id_of, own_ordinals(s)) < 0 || packed_open(&s->place, own_ids(s)) < 0)
        return err_memory(err, o->slice * size + (own_ordinals(s) + own_ids(s)) * PACKED_BYTES,
                          "the order of documents");
    return runs_open(&o->runs, &options, err);
}

int order_make(struct dedup_state *s, struct err *err)
{
    struct order o = { .state = s, .words = s->job->options->keep_count + 3 };
    int          rc = comm_agree(s->job->run->comm, order_open(&o, err), err);

    if (rc == 0) rc = keys_agree(&o, err);
    if (rc == 0) criteria_warn(&o);
    if (rc == 0) rc = records_send(&o, err);
    if (rc == 0) rc = records_tell(&o, err);
    if (o.runs) s->job->stats.spilled_bytes += runs_spilled(o.runs);
    runs_close(o.runs);
    free(o.record);
    bytes_free(&o.cuts);
    return rc;
}
