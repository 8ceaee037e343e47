/* dedup/classes.c -- equal documents find each other: by the hash of their features, or of their bytes where there are
 * none.
 *
 * 88 bits decide: the 64 low ones of a class hash are the key, 24 high ones stand above the id in the value.  Among
 * 10^10 documents two different ones meet with a probability of about 10^-7. */
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

/* documents a partition aims at; messages of a round */
enum { CLASSES_PARTITION = 1 << 20, CLASSES_ROUND = 1 << 20 };

struct class_told { uint64_t representative, id; };

static uint32_t class_partitions(const struct dedup_state *s)
{
    return (uint32_t)(s->catalogue.documents / CLASSES_PARTITION + 1);
}

/* ---- documents to the owners of their class hashes ---- */

static int classes_add_unit(struct dedup_state *s, struct shuffle *shuffle, size_t u, struct err *err)
{
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct column_unit           columns;
    uint32_t                     partitions = class_partitions(s);
    int                          rc = state_unit(s, u, &columns, err);

    for (uint64_t i = 0; i < unit->documents && rc == 0; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);

        rc = shuffle_add(shuffle, 0, shuffle_partition_of_hash(row->class_low, partitions), row->class_low,
                         row->class_high >> DEDUP_ID_BITS << DEDUP_ID_BITS | own_id_of(s, unit->first + i));
        if (rc < 0) err_memory(err, sizeof *row, "classes");
    }
    if (rc == 0 || columns.documents) columns_close(&columns);
    return rc;
}

static int classes_shuffle(struct dedup_state *s, struct shuffle *shuffle, struct err *err)
{
    size_t u = s->unit_first[s->rank], end = s->unit_first[s->rank + 1];
    int    rc = 0;

    do {
        while (u < end && rc == 0 && !shuffle_is_full(shuffle)) rc = classes_add_unit(s, shuffle, u++, err);
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = shuffle_round(shuffle, u < end, err);
    } while (rc > 0 && (rc = 0, true));
    return rc;
}

/* ---- each class to the owners of its members' ids ---- */

static int take_representatives(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state      *s = context;
    const struct class_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        packed_set(&s->representative, told[i].id - s->id_first[s->rank], told[i].representative);
    return 0;
}

static int classes_group(struct dedup_state *s, struct mail *mail, const struct sort_item *item, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        struct class_told told = { .representative = item[from].value & DEDUP_ID_MASK };

        for (to = from + 1; to < count && item[to].key == item[from].key &&
             item[to].value >> DEDUP_ID_BITS == item[from].value >> DEDUP_ID_BITS; to++) {
            told.id = item[to].value & DEDUP_ID_MASK;
            if (mail_post(mail, share_owner(s->id_first, s->ranks, told.id), &told) < 0) return -ENOMEM;
        }
    }
    return 0;
}

static int classes_tell(struct dedup_state *s, struct shuffle *shuffle, struct err *err)
{
    uint32_t    p = shuffle_first(class_partitions(s), s->ranks, s->rank),
        end = shuffle_first(class_partitions(s), s->ranks, s->rank + 1);
    struct mail mail = { 0 };
    int         rc = mail_open(&mail, s->job->run->comm, sizeof(struct class_told), err);

    while (rc == 0) {
        for (; p < end && rc == 0 && mail.posted < CLASSES_ROUND; p++) {
            struct sort_item *item;
            size_t            count;

            rc = shuffle_take(shuffle, p, &item, &count, err);
            if (rc < 0) break;
            if (classes_group(s, &mail, item, count) < 0) rc = err_memory(err, sizeof *item, "messages");
            free(item);
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, p < end, take_representatives, s, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    return rc;
}

/* ---- the owners of the columns learn which documents need not be looked at again ---- */

static int take_copies(void *context, const void *message, size_t count, struct err *err)
{
    struct dedup_state *s = context;
    const uint64_t     *ordinal = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        packed_set(&s->id_of, ordinal[i] - s->ordinal_first[s->rank], own_id_of(s, ordinal[i]) | ID_COPY);
    return 0;
}

static int copies_tell(struct dedup_state *s, struct err *err)
{
    struct mail mail = { 0 };
    uint64_t    id = s->id_first[s->rank], end = id + own_ids(s);
    int         rc = mail_open(&mail, s->job->run->comm, sizeof(uint64_t), err);

    while (rc == 0) {
        for (; id < end && rc == 0 && mail.posted < CLASSES_ROUND; id++) {
            const uint64_t ordinal = own_place(s, id);

            if (own_representative(s, id) == id) continue;
            s->job->stats.copies++;
            if (mail_post(&mail, share_owner(s->ordinal_first, s->ranks, ordinal), &ordinal) < 0)
                rc = err_memory(err, sizeof ordinal, "messages");
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, id < end, take_copies, s, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    return rc;
}

int classes_make(struct dedup_state *s, struct err *err)
{
    struct shuffle_options options = { .comm = s->job->run->comm, .stage = s->job->run->stage, .name = "classes",
                                       .partitions = class_partitions(s),
                                       .threads = 1, .memory = run_memory_share(s->job->run) / 2 };
    struct shuffle *shuffle = NULL;
    struct shuffle_stats stats;
    int             rc = shuffle_open(&shuffle, &options, err);

    if (rc == 0 && packed_open(&s->representative, own_ids(s)) < 0)
        rc = err_memory(err, own_ids(s) * PACKED_BYTES, "the state of documents");
    for (uint64_t i = 0; i < own_ids(s) && rc == 0; i++)
        packed_set(&s->representative, i, s->id_first[s->rank] + i);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = classes_shuffle(s, shuffle, err);
    if (rc == 0) rc = classes_tell(s, shuffle, err);
    if (rc == 0) rc = copies_tell(s, err);
    if (shuffle) {
        stats = shuffle_stats(shuffle);
        s->job->stats.spilled_bytes += stats.spilled_bytes;
        s->job->stats.exchanged_bytes += stats.sent_bytes;
    }
    shuffle_close(shuffle);
    s->job->stats.classes = own_ids(s) - s->job->stats.copies;
    return rc;
}
