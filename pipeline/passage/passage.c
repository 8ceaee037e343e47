/* passage/passage.c -- the stages before the scan.
 *
 *   passage_items   benchmark shards -> the items' runs                    units by shard
 *   passages        rank 0, from the collected units                       one file */
#include "passage/index.h"

#include <errno.h>
#include <stdlib.h>

struct unit_key passage_index_key(const struct passage_job *job)
{
    const struct pass_scanner collector = passage_collector(job);
    struct unit_key           key = unit_key_add(collector.key, &job->near->options->passages,
                                                 sizeof job->near->options->passages);

    for (size_t s = 0; s < job->run->shards->count; s++) {
        const struct shard *shard = &job->run->shards->at[s];
        struct unit_key     unit;

        if (job->run->datasets[shard->dataset].role != ROLE_BENCHMARK) continue;
        unit = pass_unit_key(job->run->datasets, collector.key, shard, 0);
        key = unit_key_add(key, &unit, sizeof unit);
    }
    return key;
}

/* Rank 0 builds the index unless it is there; then every rank maps it.  Collective. */
static int index_get(struct passage_job *job, struct err *err)
{
    const struct unit_key key = passage_index_key(job);
    int                   rc = 0, found = 0;

    if (comm_rank(job->run->comm) == 0) {
        rc = found = passage_index_open(job->run->stage, key, job->index, err);
        if (rc == 0) rc = passage_index_build(job, key, err);
    }
    if ((rc = comm_agree(job->run->comm, rc < 0 ? rc : 0, err)) < 0) return rc;
    if (!found) found = passage_index_open(job->run->stage, key, job->index, err);
    if (found == 0)
        found = err_set(err, -EIO, "%s: the index of passages that rank 0 has just written is not there; is the folder "
                                   "shared by all hosts?", stage_dir(job->run->stage));
    if (found > 0)
        run_memory_warn(job->run, job->index->file.bytes +
                        passage_scan_need(job->index) * (uint64_t)job->run->threads, "passages: the search for runs");
    return comm_agree(job->run->comm, found < 0 ? found : 0, err);
}

int passage_prepare(struct passage_job *job, struct err *err)
{
    struct pass pass = near_pass(job->near);
    int         rc;

    pass.scanner[0] = passage_collector(job);
    pass.scanner_count = 1;
    job->index = calloc(1, sizeof *job->index);
    rc = comm_agree(job->run->comm, job->index ? 0 : err_memory(err, sizeof *job->index, "the index of passages"), err);
    if (rc == 0) rc = pass_stream(&pass, job->run->shards->count, err);
    return rc < 0 ? rc : index_get(job, err);
}

void passage_release(struct passage_job *job)
{
    if (job->index) passage_index_close(job->index);
    free(job->index);
    job->index = NULL;
}
