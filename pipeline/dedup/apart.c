/* dedup/apart.c -- documents with the same bytes that are no copies: of two languages, whose features differ.
 *
 * Comparison is within a language (across_languages), so such documents all stay; they are counted, because nobody who
 * asks for copies expects it.  Of documents of one text, all but those of its largest class count. */
#include "dedup/state.h"

#include <stdlib.h>

enum { APART_PARTITION = 1 << 20 };                         /* documents a partition aims at */

static uint32_t apart_partitions(const struct dedup_state *s)
{
    return (uint32_t)(s->catalogue.documents / APART_PARTITION + 1);
}

static int apart_add_unit(struct dedup_state *s, struct shuffle *shuffle, size_t u, struct err *err)
{
    const uint64_t     documents = s->catalogue.unit[u].documents;
    const uint32_t     partitions = apart_partitions(s);
    struct column_unit columns;
    int                rc = state_unit(s, u, &columns, err);

    for (uint64_t i = 0; i < documents && rc == 0; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);

        if (!row->total) continue;
        rc = shuffle_add(shuffle, 0, shuffle_partition_of_hash(row->raw.low, partitions), row->raw.low, row->class_low);
        if (rc < 0) err_memory(err, sizeof *row, "texts");
    }
    if (rc == 0 || columns.documents) columns_close(&columns);
    return rc;
}

static int apart_shuffle(struct dedup_state *s, struct shuffle *shuffle, struct err *err)
{
    size_t u = s->unit_first[s->rank], end = s->unit_first[s->rank + 1];
    int    rc = 0;

    do {
        while (u < end && rc == 0 && !shuffle_is_full(shuffle)) rc = apart_add_unit(s, shuffle, u++, err);
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = shuffle_round(shuffle, u < end, err);
    } while (rc > 0 && (rc = 0, true));
    return rc;
}

/* Items of one text follow each other, and among them those of one class. */
static uint64_t apart_in(const struct sort_item *item, size_t count)
{
    uint64_t apart = 0;

    for (size_t from = 0, to = 0; from < count; from = to) {
        size_t largest = 0, class = from;

        for (; to < count && item[to].key == item[from].key; to++) {
            if (item[to].value != item[class].value) class = to;
            if (to + 1 - class > largest) largest = to + 1 - class;
        }
        apart += to - from - largest;
    }
    return apart;
}

int apart_count(struct dedup_state *s, struct err *err)
{
    struct shuffle_options options = { .comm = s->job->run->comm, .stage = s->job->run->stage, .name = "texts",
                                       .partitions = apart_partitions(s), .threads = 1,
                                       .memory = run_memory_share(s->job->run) / 2 };
    struct shuffle        *shuffle = NULL;
    uint32_t               end = shuffle_first(options.partitions, s->ranks, s->rank + 1);
    int                    rc = shuffle_open(&shuffle, &options, err);

    if (rc == 0) rc = apart_shuffle(s, shuffle, err);
    for (uint32_t p = shuffle_first(options.partitions, s->ranks, s->rank); p < end && rc == 0; p++) {
        struct sort_item *item;
        size_t            count;

        rc = shuffle_take(shuffle, p, &item, &count, err);
        if (rc < 0) break;
        s->job->stats.apart += apart_in(item, count);
        free(item);
    }
    if (shuffle) {
        s->job->stats.spilled_bytes += shuffle_stats(shuffle).spilled_bytes;
        s->job->stats.exchanged_bytes += shuffle_stats(shuffle).sent_bytes;
    }
    shuffle_close(shuffle);
    return comm_agree(s->job->run->comm, rc, err);
}
