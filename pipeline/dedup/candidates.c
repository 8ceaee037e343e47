/* dedup/candidates.c -- from classes to pairs of ids: two shuffles, the first by key, the second by the worse document.
 */
#include "dedup/candidates.h"

#include "base/log.h"

static void stats_take(struct dedup_stats *stats, const struct shuffle *shuffle)
{
    struct shuffle_stats done = shuffle_stats(shuffle);

    stats->spilled_bytes += done.spilled_bytes;
    stats->exchanged_bytes += done.sent_bytes;
}

/* What records may hold: half of memory, and less where what is held of very many documents is much beside it. */
static uint64_t records_memory(const struct dedup_state *s)
{
    const uint64_t share = run_memory_share(s->job->run),
        state = PACKED_BYTES * (own_ordinals(s) + 2 * own_ids(s)) / 4;

    return share / 2 - (state < share / 4 ? state : share / 4);
}

int candidates_make(struct dedup_state *s, const bool *block_done, struct shuffle **pairs, struct err *err)
{
    struct shuffle_options records_options = { .comm = s->job->run->comm, .stage = s->job->run->stage,
                                               .name = "records",
                                               .partitions = record_partitions(s),
                                               .threads = s->threads, .memory = records_memory(s) };
    struct shuffle_options pairs_options = { .comm = s->job->run->comm, .stage = s->job->run->stage, .name = "pairs",
                                             .partitions = (s->blocks ? s->blocks : 1) << s->part_bits,
                                             .group = 1u << s->part_bits,
                                             .threads = s->threads, .memory = run_memory_share(s->job->run) / 4 };
    struct shuffle *records = NULL;
    double          started = log_seconds();
    int             rc;

    dedup_stage_begins(DEDUP_BANDS);
    rc = shuffle_open(&records, &records_options, err);
    *pairs = NULL;
    if (rc == 0) rc = records_make(s, records, err);
    s->job->seconds[DEDUP_BANDS] = log_seconds() - started;
    started = log_seconds();
    dedup_stage_begins(DEDUP_PAIRS);
    if (rc == 0) rc = shuffle_open(pairs, &pairs_options, err);
    if (rc == 0) rc = buckets_join(s, records, *pairs, block_done, err);
    s->job->seconds[DEDUP_PAIRS] = log_seconds() - started;
    if (records) stats_take(&s->job->stats, records);
    if (*pairs) stats_take(&s->job->stats, *pairs);
    shuffle_close(records);
    return rc;
}
