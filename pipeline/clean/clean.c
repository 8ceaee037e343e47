/* clean/clean.c -- the outputs one after the other; see clean.h. */
#include "clean/clean_private.h"

#include "base/log.h"
#include "base/outputs.h"

#include <stdio.h>

/* Writes what is chosen, and says so. */
static int part_write(struct clean_shards *shards, const char *kind, struct clean_result *result, struct err *err)
{
    const struct clean_job *job = shards->job;
    const size_t            first = result->count;
    int                     rc = shards_write(shards, err);

    if (rc == 0 && comm_rank(job->run->comm) == 0) rc = result_add(result, shards, kind, err);
    for (size_t i = first; i < result->count && rc == 0; i++)
        log_info("cleaned: name=%s kind=%s dataset=%s split=%.*s documents=%llu removed=%llu cut=%llu bytes=%llu",
                 shards->output->name, kind,
                 job->run->datasets[result->cleaned[i].dataset].name, (int)result->cleaned[i].split.len,
                     result->cleaned[i].split.at,
                 (unsigned long long)result->cleaned[i].documents, (unsigned long long)result->cleaned[i].removed,
                     (unsigned long long)result->cleaned[i].cut,
                 (unsigned long long)result->cleaned[i].removed_bytes);
    return comm_agree(job->run->comm, rc, err);
}

static int subsets_write(const struct clean_job *job, const struct clean_output *output, struct clean_result *result,
                         struct err *err)
{
    struct clean_shards leaky = { .job = job, .output = output, .action = CLEAN_TAKE }, nonleaky = leaky;
    int                 rc;

    snprintf(leaky.folder, sizeof leaky.folder, "%s/leaky", output->name);
    snprintf(nonleaky.folder, sizeof nonleaky.folder, "%s/nonleaky", output->name);
    rc = subsets_draw(&leaky, &nonleaky, err);
    if (rc == 0) rc = part_write(&leaky, "leaky", result, err);
    if (rc == 0) rc = part_write(&nonleaky, "nonleaky", result, err);
    shards_free(&leaky);
    shards_free(&nonleaky);
    return rc;
}

static int rule_write(const struct clean_job *job, const struct clean_output *output, struct clean_result *result,
                      struct err *err)
{
    struct clean_shards shards = { .job = job, .output = output, .action = CLEAN_REMOVE };
    size_t              dataset = 0;
    int                 rc = 0;

    while (!output->member[dataset]) dataset++;
    if (output->drop == CLEAN_SPANS)
        shards.action = job->run->datasets[dataset].role == ROLE_BENCHMARK ? CLEAN_CUT : CLEAN_CUT_BLOCKS;
    snprintf(shards.folder, sizeof shards.folder, "%s", output->name);
    if (comm_rank(job->run->comm) == 0)
        rc = shards.action == CLEAN_CUT_BLOCKS ? decide_blocks(&shards, err) : decide_output(&shards, err);
    rc = comm_agree(job->run->comm, rc, err);
    if (rc == 0) rc = part_write(&shards, shards.action == CLEAN_REMOVE ? "removed" : "cut", result, err);
    shards_free(&shards);
    return rc;
}

int clean_run(const struct clean_job *job, struct clean_result *out, struct err *err)
{
    int rc = 0;

    *out = (struct clean_result){ 0 };
    /* Shards and lists of an earlier run go before anything is written, whatever its outputs were called, so that at no
     * time results of two rules lie side by side. */
    if (comm_rank(job->run->comm) == 0) rc = outputs_renew(job->run->stage, "cleaned/", NULL, NULL, 0, err);
    rc = comm_agree(job->run->comm, rc, err);
    for (size_t i = 0; i < job->output_count && rc == 0; i++) {
        const struct clean_output *output = &job->outputs[i];

        rc = output->drop == CLEAN_SUBSETS ? subsets_write(job, output, out, err) : rule_write(job, output, out, err);
        if (rc < 0) err_add(err, "clean: %s", output->name);
    }
    return rc;
}
