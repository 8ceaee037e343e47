/* generate/tables.c -- see tables.h. */
#include "generate/tables.h"

#include "generate/memorised.h"
#include "stats/correlation.h"

#include <errno.h>
#include <stdlib.h>

int graph_add_generations(struct graph_build *build, const struct generate_job *job, const struct shard_list *shards,
                          struct err *err)
{
    struct graph_generation *row = graph_build_own(build, calloc(job->output_count + 1, sizeof *row));
    uint32_t                 shard = 0;

    if (!row) return err_memory(err, job->output_count * sizeof *row, "outputs");
    for (size_t i = 0; i < job->output_count; i++) {
        const struct generate_output *from = &job->output[i];
        const uint32_t                dataset = (uint32_t)job->dataset_count + from->model;

        while (shards->at[shard].dataset != dataset) shard++;
        row[i] = (struct graph_generation){ .output = from->number, .prompt = from->prompt,
                                            .model = slice_of(job->model[from->model].name), .tokens = from->tokens,
                                            .dataset = dataset, .shard = shard, .stopped = from->stopped };
    }
    build->graph.generations = row, build->graph.generation_count = job->output_count;
    return 0;
}

/* ---- what they had by heart ---- */

struct adding {
    const struct generate_job     *job;
    const struct clone_result     *result;
    struct graph_memorised        *memorised;
    size_t                         memorised_count, room;
    struct graph_memorisation     *row;
    size_t                         rows;
    double                        *written, *trained;       /* [blocks] places in outputs and in corpora */
};

static int blocks_add(struct adding *a, const struct memorised *found, uint32_t m)
{
    for (size_t b = 0; b < a->result->block_count; b++) {
        const struct memorised_block *block = &found->block[b];
        uint64_t                      places = 0;

        if (!block->outputs) continue;
        if (ARRAY_GROW(a->memorised, a->room, a->memorised_count) < 0) return -ENOMEM;
        for (size_t p = 0; p < MEMORISED_PARTS; p++) places += block->places[p];
        a->memorised[a->memorised_count++] = (struct graph_memorised){ slice_of(a->job->model[m].name), places,
                                                                       block->outputs, block->first, (uint32_t)b };
    }
    return 0;
}

/* Of all outputs up to and with a part. */
static int row_add(struct adding *a, const struct memorised *found, uint32_t m, size_t part)
{
    struct graph_memorisation *row = &a->row[a->rows++];
    struct correlation         ranks;
    size_t                     n = 0;

    *row = (struct graph_memorisation){ .model = slice_of(a->job->model[m].name), .outputs = found->upto[part],
                                        .tokens = a->job->options->sampling.tokens,
                                        .with_any = found->with_any[part] };
    for (size_t b = 0; b < a->result->block_count; b++) {
        uint64_t places = 0;

        for (size_t p = 0; p <= part; p++) places += found->block[b].places[p];
        if (!places) continue;
        row->occurrences += places;
        a->written[n] = (double)places;
        a->trained[n++] = (double)a->result->block[b].corpus_count;
    }
    row->blocks = n;
    row->pearson = pearson(a->trained, a->written, n).r;
    if (spearman(a->trained, a->written, n, &ranks) < 0) return -ENOMEM;
    row->spearman = ranks.r;
    return 0;
}

static int model_add(struct adding *a, const struct memorised *found, uint32_t m)
{
    int rc = blocks_add(a, found, m);

    for (size_t part = 0; part < MEMORISED_PARTS && rc == 0; part++)
        /* few outputs have fewer parts */
        if (part == 0 || found->upto[part] > found->upto[part - 1]) rc = row_add(a, found, m, part);
    return rc;
}

int graph_add_memorised(struct graph_build *build, const struct generate_job *job, const struct clone_job *clones,
                        const struct clone_result *result, struct err *err)
{
    const size_t  blocks = result->block_count;
    struct adding a = { .job = job, .result = result,
                        .row = graph_build_own(build, calloc(job->models * MEMORISED_PARTS + 1, sizeof *a.row)),
                        .written = malloc((blocks + 1) * sizeof *a.written),
                            .trained = malloc((blocks + 1) * sizeof *a.trained) };
    int           rc = a.row && a.written && a.trained ? 0
        : err_memory(err, blocks * 2 * sizeof *a.written, "places of blocks");

    for (uint32_t m = 0; m < job->models && rc == 0; m++) {
        struct memorised found;

        rc = memorised_count(clones, result, (uint32_t)job->dataset_count + m, job->options->outputs, &found, err);
        if (rc == 0 && model_add(&a, &found, m) < 0)
            rc = err_memory(err, blocks * sizeof *a.memorised, "blocks in outputs");
        memorised_free(&found);
    }
    graph_build_own(build, a.memorised);
    free(a.written);
    free(a.trained);
    build->graph.memorised = a.memorised, build->graph.memorised_count = a.memorised_count;
    build->graph.memorisation = a.row, build->graph.memorisation_count = a.rows;
    return rc;
}
