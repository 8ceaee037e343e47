/* dedup/wanted.c -- see wanted.h.  Pairs lie with the owners of their worse documents, and features with those of
 * ordinals: the better document is told to the owner of its id, and all ids then to the owners of their ordinals. */
#include "dedup/wanted.h"

#include <errno.h>
#include <stdlib.h>

enum { WANTED_ROUND = 1 << 19 };                            /* documents told between two deliveries */

int wanted_open(struct wanted *w, struct dedup_state *s, struct err *err)
{
    *w = (struct wanted){ .state = s, .id = calloc(own_ids(s) / 64 + 1, sizeof *w->id),
                          .ordinal = calloc(own_ordinals(s) / 64 + 1, sizeof *w->ordinal) };
    return w->id && w->ordinal ? 0 : err_memory(err, (own_ids(s) + own_ordinals(s)) / 8, "documents to compare");
}

void wanted_close(struct wanted *w)
{
    free(w->id);
    free(w->ordinal);
    *w = (struct wanted){ 0 };
}

static void bit_set(uint64_t *bits, uint64_t i)
{
    const uint64_t bit = 1ull << (i & 63);

    if (!(__atomic_load_n(&bits[i >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&bits[i >> 6], bit, __ATOMIC_RELAXED);
}

static bool bit_is_set(const uint64_t *bits, uint64_t i) { return bits[i >> 6] >> (i & 63) & 1; }

void wanted_mark(struct wanted *w, uint64_t ordinal)
{
    bit_set(w->ordinal, ordinal - w->state->ordinal_first[w->state->rank]);
}

bool is_wanted(const struct wanted *w, uint64_t ordinal)
{
    return bit_is_set(w->ordinal, ordinal - w->state->ordinal_first[w->state->rank]);
}

const struct dedup_row *wanted_document(const struct wanted *w, const struct catalogue_unit *unit,
                                        const struct column_unit *columns, uint64_t i)
{
    const struct dedup_row *row = is_wanted(w, unit->first + i) ? columns_row(columns, i, NULL) : NULL;

    return row && row->admitted ? row : NULL;
}

/* ---- by ids ---- */

static bool is_own_id(const struct dedup_state *s, uint64_t id)
{
    return id >= s->id_first[s->rank] && id < s->id_first[s->rank + 1];
}

/* The better document of a pair: here, or on the list of those to tell. */
static int better_mark(struct wanted *w, uint64_t id, struct bytes *others)
{
    if (!is_own_id(w->state, id)) return bytes_append(others, &id, sizeof id);
    bit_set(w->id, id - w->state->id_first[w->state->rank]);
    return 0;
}

static int take_ids(void *context, const void *message, size_t count, struct err *err)
{
    struct wanted  *w = context;
    const uint64_t *id = message;

    (void)err;
    for (size_t i = 0; i < count; i++) bit_set(w->id, id[i] - w->state->id_first[w->state->rank]);
    return 0;
}

static int number_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Each once, as a document of many pairs would be told in all of them. */
static void others_settle(struct bytes *others)
{
    uint64_t    *id = (uint64_t *)(void *)others->at;
    const size_t count = others->len / sizeof *id;
    size_t       kept = 0;

    if (count) qsort(id, count, sizeof *id, number_order);
    for (size_t i = 0; i < count; i++)
        if (!kept || id[kept - 1] != id[i]) id[kept++] = id[i];
    others->len = kept * sizeof *id;
}

static int others_post(const struct wanted *w, struct mail *mail, struct bytes *others)
{
    const struct dedup_state *s = w->state;
    const uint64_t           *id = (const uint64_t *)(const void *)others->at;

    for (size_t i = 0; i < others->len / sizeof *id; i++)
        if (mail_post(mail, share_owner(s->id_first, s->ranks, id[i]), &id[i]) < 0) return -ENOMEM;
    others->len = 0;
    return 0;
}

static int part_mark(struct wanted *w, struct shuffle *pairs, uint32_t part, struct bytes *others, struct err *err)
{
    struct sort_item *pair = NULL;
    size_t            count = 0;
    int               rc = shuffle_look(pairs, part, &pair, &count, err);

    for (size_t i = 0; i < count && rc == 0; i++) {
        bit_set(w->id, pair[i].key - w->state->id_first[w->state->rank]);
        if (better_mark(w, pair[i].value, others) < 0) rc = err_memory(err, others->len, "documents to compare");
    }
    free(pair);
    others_settle(others);
    return rc;
}

static int links_mark(struct wanted *w, uint32_t block, struct bytes *others, struct err *err)
{
    struct links links;
    int          rc = links_load(w->state, block, &links, err);

    for (size_t i = 0; rc > 0 && i < links.count; i++) {
        bit_set(w->id, links.id[i].worse - w->state->id_first[w->state->rank]);
        if (better_mark(w, links.id[i].better, others) < 0) rc = err_memory(err, others->len, "documents to compare");
    }
    unit_close(&links.file);
    others_settle(others);
    return rc < 0 ? rc : 0;
}

/* Blocks at a time, so that each thread has parts. */
static uint32_t blocks_step(const struct dedup_state *s)
{
    enum { PARTS_EACH = 4 };
    const uint32_t parts = (uint32_t)s->threads * PARTS_EACH;

    return (parts >> s->part_bits) + 1;
}

/* Blocks [from, to): their parts, or the links of those that are done.  others: [(to - from) << part_bits] */
static int blocks_mark(struct wanted *w, struct shuffle *pairs, uint32_t from, uint32_t to, const bool *block_done,
                       bool linked, struct bytes *others, struct err *err)
{
    const struct dedup_state *s = w->state;
    const uint32_t            first = from << s->part_bits, end = to << s->part_bits;
    int                       rc = 0;

#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1)
    for (uint32_t p = first; p < end; p++) {
        const uint32_t block = p >> s->part_bits;
        const bool     is_first = block << s->part_bits == p;
        struct err     mine = { 0 };
        int            marked = 0;

        if (!block_done[block]) marked = pairs ? part_mark(w, pairs, p, &others[p - first], &mine) : 0;
        else if (linked && is_first) marked = links_mark(w, block, &others[p - first], &mine);
        if (marked < 0) {
#pragma omp critical(wanted_failure)
            {
                *err = mine;
                rc = marked;
            }
        }
    }
    return rc;
}

/* ---- by ordinals ---- */

static int take_ordinals(void *context, const void *message, size_t count, struct err *err)
{
    const uint64_t *ordinal = message;

    (void)err;
    for (size_t i = 0; i < count; i++) wanted_mark(context, ordinal[i]);
    return 0;
}

static int ordinals_tell(struct wanted *w, struct err *err)
{
    struct dedup_state *s = w->state;
    struct mail         mail = { 0 };
    uint64_t            i = 0, count = own_ids(s);
    int                 rc = mail_open(&mail, s->job->run->comm, sizeof(uint64_t), err);

    while (rc == 0) {
        for (; i < count && rc == 0 && mail.posted < WANTED_ROUND; i++) {
            const uint64_t ordinal = packed_get(&s->place, i);
            const int      owner = share_owner(s->ordinal_first, s->ranks, ordinal);

            if (!bit_is_set(w->id, i)) continue;
            if (owner == s->rank) wanted_mark(w, ordinal);
            else if (mail_post(&mail, owner, &ordinal) < 0)
                rc = err_memory(err, sizeof ordinal, "documents to compare");
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, i < count, take_ordinals, w, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    return rc;
}

int wanted_pairs(struct wanted *w, struct shuffle *pairs, const bool *block_done, bool linked, struct err *err)
{
    struct dedup_state *s = w->state;
    const uint32_t      end = shuffle_first(s->blocks, s->ranks, s->rank + 1), step = blocks_step(s),
        parts = step << s->part_bits;
    uint32_t            b = shuffle_first(s->blocks, s->ranks, s->rank);
    struct mail         mail = { 0 };
    struct bytes       *others = calloc(parts, sizeof *others);
    int                 rc = comm_agree(s->job->run->comm, others ? 0
                                        : err_memory(err, parts * sizeof *others, "documents to compare"), err);

    if (rc == 0) rc = mail_open(&mail, s->job->run->comm, sizeof(uint64_t), err);
    while (rc == 0) {
        for (uint32_t to; b < end && rc == 0 && mail.posted < WANTED_ROUND; b = to) {
            to = end - b < step ? end : b + step;
            rc = blocks_mark(w, pairs, b, to, block_done, linked, others, err);
            for (uint32_t p = 0; p < parts && rc == 0; p++)
                if (others_post(w, &mail, &others[p]) < 0)
                    rc = err_memory(err, others[p].len, "documents to compare");
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, b < end, take_ids, w, err);
        if (rc <= 0) break;
        rc = 0;
    }
    for (uint32_t p = 0; others && p < parts; p++) bytes_free(&others[p]);
    free(others);
    mail_close(&mail);
    return rc < 0 ? rc : ordinals_tell(w, err);
}
