/* dedup/order.c -- the order of preference over all documents of all ranks: a sample sort.
 *
 * A document's record is a word of its generation and protection, one word a criterion of `keep`, the smaller
 * preferred, then a word of its content hash, then its ordinal: no two are equal, so the order is total and follows
 * from the documents alone.  Each rank sorts its own, all agree on where the shares are to be cut, exchange, and sort
 * again; a document's id is then its place. */
#include "dedup/state.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

/* generation and protection, criteria, hash, ordinal */
enum { ORDER_WORDS = KEEP_CRITERIA + 3, ORDER_SAMPLES = 128 };

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

static int records_fill(struct order *o, struct err *err)
{
    struct dedup_state *s = o->state;
    uint64_t            base = s->ordinal_first[s->rank], stars = 0, dates = 0;

    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1]; u++) {
        const struct catalogue_unit *unit = &s->catalogue.unit[u];
        struct column_unit           columns;
        int                          rc = state_unit(s, u, &columns, err);

        if (rc < 0) return rc;
#pragma omp parallel for num_threads(s->threads) schedule(static) reduction(+ : stars, dates)
        for (uint64_t i = 0; i < unit->documents; i++) {
            const struct dedup_row *row = columns_row(&columns, i, NULL);

            record_fill(s->job, &s->job->run->shards->at[unit->shard], row, unit->first + i,
                        o->record + (unit->first - base + i) * o->words);
            stars += row->stars != 0;
            dates += row->date != 0;
        }
        columns_close(&columns);
    }
    o->with_stars = stars;
    o->with_date = dates;
    return 0;
}

static int record_compare(const void *a, const void *b, void *words)
{
    const uint64_t *x = a, *y = b;

    for (size_t w = 0; w < *(const size_t *)words; w++)
        if (x[w] != y[w]) return x[w] < y[w] ? -1 : 1;
    return 0;
}

/* As much of a record as fits in 64 bits, first words first: of each word only the bits in which the records differ. */
struct order_key { uint64_t least[ORDER_WORDS]; unsigned bits[ORDER_WORDS]; };

static void key_measure(const struct order *o, struct order_key *key)
{
    uint64_t most[ORDER_WORDS] = { 0 };

    for (size_t w = 0; w < o->words; w++) key->least[w] = UINT64_MAX;
    for (size_t i = 0; i < o->count; i++)
        for (size_t w = 0; w < o->words; w++) {
            uint64_t word = o->record[i * o->words + w];

            if (word < key->least[w]) key->least[w] = word;
            if (word > most[w]) most[w] = word;
        }
    for (size_t w = 0; w < o->words; w++) {
        uint64_t range = o->count ? most[w] - key->least[w] : 0;

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
    key_measure(o, &key);
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

int order_make(struct dedup_state *s, struct err *err)
{
    struct order o = { .state = s, .words = s->job->options->keep_count + 3, .count = own_ordinals(s) };
    int          rc;

    o.record = malloc((o.count * o.words + 1) * sizeof *o.record);
    rc = o.record ? records_fill(&o, err) : err_memory(err, o.count * o.words * 8, "the order of documents");
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
