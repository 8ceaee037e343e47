/* near/join.c -- an index joined with itself: every class is a query against the classes before it.
 *
 * Classes are dealt over ranks in blocks; a block's links are one unit, so a killed join goes on where it was. */
#include "near/lookup.h"
#include "near/stages.h"

#include "base/log.h"
#include "base/status.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <time.h>

/* classes a thread takes at a time; long ones are at a block's end */
enum { JOIN_STEP = 64 };

struct unit_key near_join_key(struct unit_key index_key, uint64_t block)
{
    index_key = unit_key_add(index_key, "join", 4);
    return unit_key_add(index_key, &block, sizeof block);
}

/* Links of classes [from, to) into out, sorted by (first, second); first > second always. */
static int join_step(struct lookup *lookup, const struct near_index *index, uint32_t from, uint32_t to,
                     struct stage *stage, struct bytes *out, struct aside *aside, struct err *err)
{
    for (uint32_t c = from; c < to; c++) {
        const struct near_link *link;
        size_t                  count, n = (size_t)(index->class_start[c + 1] - index->class_start[c]);
        struct lookup_query      query = { index->class_rank + index->class_start[c],
                                          index->class_times + index->class_start[c], n,
                                          (uint32_t)n, index->class_total[c], c, index->class_benchmark[c],
                                          index->class_level[c] };

        if (lookup_run(lookup, &query, &link, &count, err) < 0) return err->code;
        if (aside_reserve(aside, stage, out, count * sizeof *link, err) < 0) return err->code;
        for (size_t i = 0; i < count; i++) {
            struct near_link found = link[i];

            found.first = c;
            if (found.second > c) found = near_link_turned(found);  /* one inside the other: it may be there twice */
            if (bytes_append(out, &found, sizeof found) < 0) return err_memory(err, sizeof found, "links");
        }
    }
    return aside_end(aside, out, stage, err);
}

static int join_block(struct lookup **lookup, int threads, struct stage *stage, struct deal *deal,
                      const struct near_index *index,
                      struct unit_key key, uint32_t from, uint32_t to, struct err *err)
{
    size_t        steps = (to - from + JOIN_STEP - 1) / JOIN_STEP;
    struct bytes *part = calloc(steps, sizeof *part);
    struct slice *section = calloc(steps, sizeof *section);
    struct aside *aside = calloc(steps, sizeof *aside);
    bool         *mapped = calloc(steps, sizeof *mapped);
    int           rc = part && section && aside && mapped ? 0 : err_memory(err, steps * 32, "a block of the join");
    struct deal_progress progress = { .items = from / JOIN_BLOCK };

    if (rc == 0) {
#pragma omp parallel num_threads(threads)
        {
            struct err mine = { 0 };
            int        thread = omp_get_thread_num();

#pragma omp for schedule(dynamic)
            for (size_t s = 0; s < steps; s++) {
                uint32_t start = from + (uint32_t)s * JOIN_STEP, end = to - start > JOIN_STEP ? start + JOIN_STEP : to;

                /* the main thread: other ranks must neither wait for a whole block */
                if (thread == 0) {
                    deal_poll(deal);                        /* nor take this rank for dead */
                    deal_report(deal, &progress);
                }
                if (mine.code == 0) join_step(lookup[thread], index, start, end, stage, &part[s], &aside[s],
                                                &mine);
            }
            if (mine.code < 0) {
#pragma omp critical(join_failure)
                {
                    *err = mine;
                    rc = mine.code;
                }
            }
        }
    }
    for (size_t s = 0; rc == 0 && s < steps; s++) {
        section[s] = bytes_slice(&part[s]);
        mapped[s] = aside_is_mapped(&aside[s]);
    }
    if (rc == 0) rc = stage_commit_mapped(stage, "join", key, section, mapped, steps, err);
    for (size_t s = 0; part && aside && s < steps; s++) aside_free(&aside[s], &part[s]);
    free(part);
    free(aside);
    free(mapped);
    free(section);
    return rc;
}

int near_join(const struct near_job *job, const struct near_index *index, struct unit_key index_key, struct err *err)
{
    uint64_t         blocks = ((uint64_t)index->classes + JOIN_BLOCK - 1) / JOIN_BLOCK, item, made = 0;
    struct lookup  **lookup = calloc((size_t)job->run->threads, sizeof *lookup);
    struct deal     *deal = NULL;
    enum deal_answer answer;
    double           started = log_seconds();
    /* items are not sought in items under auto, so where there is nothing else nothing is sought */
    struct near_options options = *job->options;
    int              rc = lookup ? 0 : err_memory(err, (size_t)job->run->threads * sizeof *lookup, "probers");

    if (!near_inside_between(&options) && index == job->benchmarks) options.containment_threshold = (struct ratio){ 0 };
    for (int t = 0; rc == 0 && t < job->run->threads; t++) rc = lookup_open(&lookup[t], index, &options, err);
    rc = comm_agree(job->run->comm, rc, err);
    status_stage("joining benchmarks", "blocks");
    status_items(0, blocks);
    if (rc == 0) rc = deal_open(&deal, job->run->comm, blocks, err);
    while (deal && rc == 0 && (answer = deal_next(deal, &item)) != DEAL_NONE) {
        struct unit_key key;
        struct unit     unit;

        deal_poll(deal);
        if (answer == DEAL_WAIT) {
            nanosleep(&(struct timespec){ 0, 200000 }, NULL);
            continue;
        }
        item = blocks - 1 - item;                           /* the longest classes first, so that no rank ends late */
        key = near_join_key(index_key, item);
        rc = stage_load(job->run->stage, "join", key, &unit, err);
        if (rc > 0) unit_close(&unit);
        if (rc == 0) {
            uint32_t from = (uint32_t)item * JOIN_BLOCK;

            rc = join_block(lookup, job->run->threads, job->run->stage, deal, index, key, from,
                            index->classes - from < JOIN_BLOCK ? index->classes : from + JOIN_BLOCK, err);
        } else if (rc > 0) rc = 0;
        deal_report(deal, &(struct deal_progress){ .items = blocks - item });
        status_items(++made, blocks);
        log_progress(&(struct progress){ .stage = "join", .shards = blocks - item, .shard_total = blocks,
                                         .started = started });
    }
    if (deal) {
        if (rc < 0) deal_stop(deal);
        deal_close(deal);
    }
    log_progress_end();
    for (int t = 0; lookup && t < job->run->threads; t++) lookup_close(lookup[t]);
    free(lookup);
    return comm_agree(job->run->comm, rc, err);
}
