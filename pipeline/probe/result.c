/* probe/result.c -- the units of all models, put together item by item; see probe.h. */
#include "probe/order.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct reader {
    const struct probe_job   *job;
    const struct probe_items *items;
    struct probe_result      *out;
    size_t                    value_room;
    struct unit               unit[PROBE_MODELS];           /* of the block, by model */
    double                    value[PROBE_MODELS][PROBE_BLOCK][METRIC_COUNT];   /* what they say; NaN: nothing */
};

static int value_add(struct reader *reader, const struct probe_item *item, uint32_t model, uint32_t metric,
                     uint32_t other, double value, struct err *err)
{
    struct probe_result *out = reader->out;

    if (ARRAY_GROW(out->value, reader->value_room, out->count) < 0)
        return err_memory(err, out->count * sizeof *out->value, "values");
    out->value[out->count++] = (struct probe_value){ item->record, value, item->shard, model, metric, other };
    return 0;
}

int probe_gap_add(struct probe_result *out, uint32_t model, const struct probe_lack *lack, struct err *err)
{
    for (size_t g = 0; g < out->gaps; g++) {
        if (out->gap[g].model != model || out->gap[g].metric != lack->metric) continue;
        out->gap[g].items++;
        return 0;
    }
    if (ARRAY_GROW(out->gap, out->gap_room, out->gaps) < 0)
        return err_memory(err, sizeof *out->gap, "values");
    out->gap[out->gaps] = (struct probe_gap){ .model = model, .metric = lack->metric, .items = 1 };
    /* its NUL is there: it was written with one */
    memcpy(out->gap[out->gaps++].reason, lack->reason, sizeof lack->reason);
    return 0;
}

/* Perplexity of another model over that of this one, or beside it, as logarithms: larger where this one knows the text
 * better.  NaN: a perplexity is missing, or this one's is 1, over which there is nothing. */
static double against(enum probe_metric metric, double other, double mine)
{
    if (metric == METRIC_DIFFERENCE) return other - mine;
    return mine > 0 ? other / mine : NAN;
}

/* One of them for each other model.  An item without one of these is missing once; where this model has no perplexity,
 * its answers say why. */
static int others_add(struct reader *reader, const struct probe_item *item, size_t number, uint32_t model,
                      enum probe_metric metric, struct err *err)
{
    const double      mine = log(reader->value[model][number][METRIC_PERPLEXITY]);
    struct probe_lack lack = { .metric = metric };
    bool              missing = false;

    if (isnan(mine)) return 0;
    for (uint32_t other = 0; other < reader->job->options->models; other++) {
        const double value = against(metric, log(reader->value[other][number][METRIC_PERPLEXITY]), mine);

        if (other == model) continue;
        if (isnan(value)) missing = true;
        else if (value_add(reader, item, model, metric, other, value, err) < 0) return err->code;
    }
    snprintf(lack.reason, sizeof lack.reason, "a model has no perplexity of this text%s",
             metric == METRIC_RATIO ? ", or this one's is 1" : "");
    return missing ? probe_gap_add(reader->out, model, &lack, err) : 0;
}

static int item_take(struct reader *reader, const struct probe_item *item, size_t number, struct err *err)
{
    const struct probe_options *o = reader->job->options;

    for (uint32_t m = 0; m < o->models; m++) {
        const double *value = reader->value[m][number];

        for (uint32_t metric = 0; metric < METRIC_RATIO; metric++)
            if (o->metrics >> metric & 1 && !isnan(value[metric]) &&
                value_add(reader, item, m, metric, 0, value[metric], err) < 0)
                return err->code;
        for (enum probe_metric metric = METRIC_RATIO; metric <= METRIC_DIFFERENCE; metric++)
            if (o->metrics >> metric & 1 && others_add(reader, item, number, m, metric, err) < 0) return err->code;
    }
    return 0;
}

static int unit_take(struct reader *reader, uint32_t model, const struct probe_block *block, struct err *err)
{
    const struct slice         answers = reader->unit[model].section[0], lacks = reader->unit[model].section[1];
    const struct probe_answer *answer = (const void *)answers.at;
    const struct probe_lack   *lack = (const void *)lacks.at;

    for (size_t i = 0; i < block->count; i++)
        for (size_t metric = 0; metric < METRIC_COUNT; metric++) reader->value[model][i][metric] = NAN;
    for (size_t i = 0; i < answers.len / sizeof *answer; i++)
        reader->value[model][answer[i].item][answer[i].metric] = answer[i].value;
    for (size_t i = 0; i < lacks.len / sizeof *lack; i++)
        if (probe_gap_add(reader->out, model, &lack[i], err) < 0) return err->code;
    return 0;
}

static int block_take(struct reader *reader, const struct probe_block *block, struct err *err)
{
    const struct probe_job *job = reader->job;
    int                     rc = 0;

    for (uint32_t m = 0; m < job->options->models && rc >= 0; m++) {
        rc = stage_load(job->run->stage, PROBE_UNIT, probe_block_key(job, &job->model[m], reader->items, block),
                        &reader->unit[m], err);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: answers of model %s have disappeared or are damaged; the same command again "
                                    "asks for them anew", stage_dir(job->run->stage),
                                  job->options->model[m].name);
        if (rc > 0) rc = unit_take(reader, m, block, err);
    }
    for (size_t i = 0; i < block->count && rc >= 0; i++)
        rc = item_take(reader, &reader->items->at[block->first + i], i, err);
    for (uint32_t m = 0; m < job->options->models; m++) unit_close(&reader->unit[m]);
    memset(reader->unit, 0, sizeof reader->unit);
    return rc < 0 ? rc : 0;
}

static int items_take(struct probe_result *out, const struct probe_items *items, struct err *err)
{
    out->item = malloc((items->count + 1) * sizeof *out->item);
    if (!out->item) return err_memory(err, items->count * sizeof *out->item, "items");
    out->items = items->count;
    for (size_t i = 0; i < items->count; i++)
        out->item[i] = (struct probe_asked){ items->at[i].record, items->at[i].shard, items->at[i].known };
    return 0;
}

int probe_result_read(const struct probe_job *job, struct probe_result *out, struct err *err)
{
    struct probe_items  items = { 0 };
    struct reader      *reader = malloc(sizeof *reader);
    struct probe_block *block = NULL;
    size_t              blocks = 0;
    int                 rc = reader ? 0 : err_memory(err, sizeof *reader, "values");

    *out = (struct probe_result){ 0 };
    if (reader) *reader = (struct reader){ .job = job, .items = &items, .out = out };
    if (rc == 0) rc = probe_items_map(job, &items, err);
    if (rc == 0) rc = items_take(out, &items, err);
    if (rc == 0 && job->options->metrics) rc = probe_blocks(&items, &block, &blocks, err);
    for (size_t b = 0; b < blocks && rc == 0; b++) rc = block_take(reader, &block[b], err);
    if (rc == 0) rc = order_read(job, &items, out, err);
    free(block);
    free(reader);
    probe_items_free(&items);
    return rc;
}

void probe_result_free(struct probe_result *result)
{
    free(result->value);
    free(result->gap);
    free(result->item);
    free(result->ordered);
    *result = (struct probe_result){ 0 };
}
