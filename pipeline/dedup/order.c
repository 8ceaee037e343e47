/* dedup/order.c -- the order of preference over all documents of all ranks: a sample sort.
 *
 * A document's record is a word of its generation and protection, one word a criterion of `keep`, the smaller
 * preferred, then a word of its content hash, then its ordinal: no two are equal, so the order is total and follows
 * from the documents alone.  Each rank sorts its own, all agree on where the shares are to be cut, exchange, and sort
 * again; a document's id is then its place.  One rank that has many documents for its memory sorts them in runs. */
#include "dedup/state.h"

#include "base/log.h"
#include "base/runs.h"

#include <errno.h>
#include <stdlib.h>

/* generation and protection, criteria, hash, ordinal */
enum { ORDER_WORDS = KEEP_CRITERIA + 3, ORDER_SAMPLES = 128 };
/* bytes that a document takes beside its record while all are sorted in memory; the part of it that this may take */
enum { ORDER_BESIDE = 56, ORDER_PART = 8 };

struct order {
    struct dedup_state *state;
    size_t words;
    uint64_t *record;
    size_t count;
    uint64_t with_stars, with_date;
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

/* The records of a unit's documents. */
static int unit_fill(struct order *o, size_t u, uint64_t *record, struct err *err)
{
    struct dedup_state          *s = o->state;
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct column_unit           columns;
    uint64_t                     stars = 0, dates = 0;
    int                          rc = state_unit(s, u, &columns, err);

    if (rc < 0) return rc;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(+ : stars, dates)
    for (uint64_t i = 0; i < unit->documents; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);

        record_fill(s->job, &s->job->run->shards->at[unit->shard], row, unit->first + i, record + i * o->words);
        stars += row->stars != 0;
        dates += row->date != 0;
    }
    columns_close(&columns);
    o->with_stars += stars;
    o->with_date += dates;
    return 0;
}

static int records_fill(struct order *o, struct err *err)
{
    struct dedup_state *s = o->state;
    int                 rc = 0;

    o->record = malloc((o->count * o->words + 1) * sizeof *o->record);
    if (!o->record) return err_memory(err, o->count * o->words * 8, "the order of documents");
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++)
        rc = unit_fill(o, u, o->record + (s->catalogue.unit[u].first - s->ordinal_first[s->rank]) * o->words, err);
    return rc;
}

static int record_compare(const void *a, const void *b, void *words)
{
    const uint64_t *x = a, *y = b;

    for (size_t w = 0; w < *(const size_t *)words; w++)
        if (x[w] != y[w]) return x[w] < y[w] ? -1 : 1;
    return 0;
}

/* As much of a record as fits in 64 bits, first words first: of each word only the bits in which the records differ. */
struct order_key { uint64_t least[ORDER_WORDS], most[ORDER_WORDS]; unsigned bits[ORDER_WORDS]; };

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

static int place_compare(const void *a, const void *b, void *order)
{
    struct order *o = order;

    return record_compare(o->record + ((const struct sort_item *)a)->value * o->words,
                          o->record + ((const struct sort_item *)b)->value * o->words, &o->words);
}

/* By packed keys; what they leave equal, by the whole records. */
static int records_sort(struct order *o, struct err *err)
{
    size_t            n = o->count;
    struct sort_item *item = malloc((n + 1) * sizeof *item), *spare = malloc((n + 1) * sizeof *spare);
    struct order_key  key;
    uint64_t         *sorted;

    if (!item || !spare) {
        free(item);
        free(spare);
        return err_memory(err, n * 32, "the order of documents");
    }
    key_begin(&key);
    key_widen(&key, o->words, o->record, n);
    key_end(&key);
    for (size_t i = 0; i < n; i++) item[i] = (struct sort_item){ key_of(&key, o->words, o->record + i * o->words), i };
    sort_pairs(item, spare, n);
    free(spare);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && item[to].key == item[from].key; to++) continue;
        if (to - from > 1) qsort_r(item + from, to - from, sizeof *item, place_compare, o);
    }
    sorted = malloc((n * o->words + 1) * sizeof *sorted);
    for (size_t i = 0; sorted && i < n; i++)
        memcpy(sorted + i * o->words, o->record + item[i].value * o->words, o->words * sizeof *sorted);
    free(item);
    if (!sorted) return err_memory(err, n * o->words * 8, "the order of documents");
    free(o->record);
    o->record = sorted;
    return 0;
}

/* The same cuts on every rank: [ranks - 1] records before which a new share begins. */
static int cuts_choose(struct order *o, struct bytes *cuts, struct err *err)
{
    struct dedup_state *s = o->state;
    struct bytes        mine = { 0 }, all = { 0 };
    size_t              size = o->words * sizeof(uint64_t), samples = o->count < ORDER_SAMPLES ? o->count
        : ORDER_SAMPLES;
    uint64_t           *sizes = calloc((size_t)s->ranks, sizeof *sizes);
    int                 rc = sizes ? 0 : err_memory(err, (size_t)s->ranks * 8, "samples");

    for (size_t i = 0; i < samples && rc == 0; i++)
        if (bytes_append(&mine, o->record + (i * o->count / samples) * o->words, size) < 0)
            rc = err_memory(err, samples * size, "samples");
    if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0)
        rc = comm_gather(s->job->run->comm, &mine, &all, sizes, err);
    if (rc == 0 && s->rank == 0) {
        size_t count = all.len / size;

        if (count) qsort_r(all.at, count, size, record_compare, &o->words);
        for (int r = 1; r < s->ranks && rc == 0 && count; r++)
            if (bytes_append(cuts, all.at + (size_t)r * count / (size_t)s->ranks * size, size) < 0)
                rc = err_memory(err, size, "samples");
    }
    if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0) rc = comm_broadcast(s->job->run->comm, cuts, err);
    bytes_free(&mine);
    bytes_free(&all);
    free(sizes);
    return rc;
}

/* Every record to the rank in whose share it lies. */
static int records_exchange(struct order *o, struct err *err)
{
    struct dedup_state *s = o->state;
    struct bytes        cuts = { 0 }, *out = calloc((size_t)s->ranks, sizeof *out),
        *in = calloc((size_t)s->ranks, sizeof *in);
    size_t              size = o->words * sizeof(uint64_t), count = 0, at = 0;
    int                 rc = comm_agree(s->job->run->comm, out && in ? 0
                                        : err_memory(err, (size_t)s->ranks * 64, "shares"),
                                        err);

    if (rc == 0) rc = cuts_choose(o, &cuts, err);
    for (int r = 0; r < s->ranks && rc == 0; r++) {
        size_t from = at;

        if ((size_t)r < cuts.len / size)
            while (at < o->count && record_compare(o->record + at * o->words, cuts.at + (size_t)r * size,
                                                   &o->words) < 0)
                at++;
        else at = o->count;
        if (bytes_append(&out[r], o->record + from * o->words, (at - from) * size) < 0)
            rc = err_memory(err, (at - from) * size, "shares");
    }
    free(o->record);
    o->record = NULL;
    if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0) rc = comm_exchange(s->job->run->comm, out, in, err);
    for (int r = 0; r < s->ranks && rc == 0; r++) count += in[r].len / size;
    if (rc == 0 && !(o->record = malloc((count + 1) * size)))
        rc = err_memory(err, count * size, "the order of documents");
    o->count = 0;
    for (int r = 0; in && r < s->ranks; r++) {
        if (rc == 0 && in[r].len) memcpy(o->record + o->count * o->words, in[r].at, in[r].len);
        o->count += in[r].len / size;
        bytes_free(&in[r]);
        if (out) bytes_free(&out[r]);
    }
    bytes_free(&cuts);
    free(out);
    free(in);
    return comm_agree(s->job->run->comm, rc, err);
}

/* ---- telling both owners ---- */

struct order_told { uint64_t ordinal, id; };

static int take_ids(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state      *s = context;
    const struct order_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++) s->id_of[told[i].ordinal - s->ordinal_first[s->rank]] = told[i].id;
    return 0;
}

static int take_places(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state      *s = context;
    const struct order_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++) s->place[told[i].id - s->id_first[s->rank]] = told[i].ordinal;
    return 0;
}

static int order_tell(struct order *o, struct err *err)
{
    enum { ROUND = 1 << 20 };
    struct dedup_state *s = o->state;
    struct mail         ids = { 0 }, places = { 0 };
    uint64_t           *counts = calloc((size_t)s->ranks, sizeof *counts), first = 0;
    size_t              at = 0;
    int                 rc = comm_agree(s->job->run->comm, counts ? 0 : err_memory(err, (size_t)s->ranks * 8, "counts"),
                                        err);

    if (rc == 0) rc = mail_open(&ids, s->job->run->comm, sizeof(struct order_told), err);
    if (rc == 0) rc = mail_open(&places, s->job->run->comm, sizeof(struct order_told), err);
    if (rc == 0) {
        counts[s->rank] = o->count;
        comm_sum(s->job->run->comm, counts, (size_t)s->ranks);
        for (int r = 0; r < s->rank; r++) first += counts[r];
    }
    while (rc == 0) {
        size_t end = o->count - at < ROUND ? o->count : at + ROUND;
        int    going;

        for (; at < end && rc == 0; at++) {
            struct order_told told = { o->record[at * o->words + o->words - 1], first + at };

            if (mail_post(&ids, share_owner(s->ordinal_first, s->ranks, told.ordinal), &told) < 0 ||
                mail_post(&places, share_owner(s->id_first, s->ranks, told.id), &told) < 0) rc =
                    err_memory(err, sizeof told, "messages");
        }
        if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) break;
        going = mail_deliver(&ids, at < o->count, take_ids, s, err);
        rc = going < 0 ? going : mail_deliver(&places, at < o->count, take_places, s, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&ids);
    mail_close(&places);
    free(counts);
    return rc;
}

/* ---- one rank, in runs ---- */

/* A record in the runs: its packed key, then its words. */
static uint64_t run_key(const void *record) { return *(const uint64_t *)record; }

static int record_compare_behind(const void *a, const void *b, void *words)
{
    return record_compare((const uint64_t *)a + 1, (const uint64_t *)b + 1, words);
}

/* The units twice: what their records differ in, and the records with the keys made of it. */
static int runs_fill(struct order *o, struct runs *runs, struct err *err)
{
    struct dedup_state *s = o->state;
    struct order_key    key;
    uint64_t           *record = NULL, kept[ORDER_WORDS + 1];
    size_t              most = 0;
    int                 rc = 0;

    for (size_t u = 0; u < s->catalogue.count; u++)
        if (s->catalogue.unit[u].documents > most) most = s->catalogue.unit[u].documents;
    record = malloc((most * o->words + 1) * sizeof *record);
    if (!record) return err_memory(err, most * o->words * 8, "the order of documents");
    key_begin(&key);
    for (size_t u = 0; u < s->catalogue.count && rc == 0; u++) {
        rc = unit_fill(o, u, record, err);
        if (rc == 0) key_widen(&key, o->words, record, s->catalogue.unit[u].documents);
    }
    key_end(&key);
    for (size_t u = 0; u < s->catalogue.count && rc == 0; u++) {
        rc = unit_fill(o, u, record, err);
        for (size_t i = 0; i < s->catalogue.unit[u].documents && rc == 0; i++) {
            kept[0] = key_of(&key, o->words, record + i * o->words);
            memcpy(kept + 1, record + i * o->words, o->words * sizeof *record);
            rc = runs_add(runs, kept, err);
        }
    }
    free(record);
    return rc < 0 ? rc : runs_end(runs, err);
}

/* Documents with one key, in their order, get the next ids. */
static void equals_place(struct order *o, struct bytes *equal, uint64_t *next)
{
    struct dedup_state *s = o->state;
    const size_t        size = (o->words + 1) * sizeof(uint64_t), count = equal->len / size;
    const uint64_t     *record = (const uint64_t *)(const void *)equal->at;

    if (count > 1) qsort_r(equal->at, count, size, record_compare_behind, &o->words);
    for (size_t i = 0; i < count; i++, record += o->words + 1) {
        s->id_of[record[o->words]] = *next;
        s->place[(*next)++] = record[o->words];
    }
    equal->len = 0;
}

static int runs_place(struct order *o, const struct runs *runs, struct err *err)
{
    const size_t        size = (o->words + 1) * sizeof(uint64_t);
    struct runs_reader *reader = NULL;
    struct bytes        equal = { 0 };
    const void         *record;
    uint64_t            next = 0;
    int                 rc = runs_read(runs, &reader, err);

    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        if (equal.len && run_key(equal.at) != run_key(record)) equals_place(o, &equal, &next);
        rc = bytes_append(&equal, record, size) < 0 ? err_memory(err, equal.len, "documents of one key") : 0;
    }
    if (rc == 0) equals_place(o, &equal, &next);
    runs_reader_close(reader);
    bytes_free(&equal);
    return rc;
}

static int order_in_runs(struct order *o, struct err *err)
{
    struct dedup_state       *s = o->state;
    const struct runs_options options = { .stage = s->job->run->stage, .name = "order",
                                          .size = (o->words + 1) * sizeof(uint64_t), .key = run_key,
                                          .memory = run_memory_share(s->job->run) / ORDER_PART };
    struct runs *runs = NULL;
    int          rc = runs_open(&runs, &options, err);

    if (rc == 0) rc = runs_fill(o, runs, err);
    if (rc == 0) criteria_warn(o);
    if (rc == 0) rc = runs_place(o, runs, err);
    if (runs) s->job->stats.spilled_bytes += runs_spilled(runs);
    runs_close(runs);
    return rc;
}

int order_make(struct dedup_state *s, struct err *err)
{
    struct order o = { .state = s, .words = s->job->options->keep_count + 3, .count = own_ordinals(s) };
    int          rc;

    if (s->ranks == 1 && o.count * (o.words * 8 + ORDER_BESIDE) > run_memory_share(s->job->run) / ORDER_PART)
        return order_in_runs(&o, err);
    rc = records_fill(&o, err);
    if (rc == 0) rc = records_sort(&o, err);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) criteria_warn(&o);
    if (rc == 0 && s->ranks > 1) {
        rc = records_exchange(&o, err);
        if (rc == 0) rc = records_sort(&o, err);
        rc = comm_agree(s->job->run->comm, rc, err);
    }
    if (rc == 0) rc = order_tell(&o, err);
    free(o.record);
    return rc;
}
