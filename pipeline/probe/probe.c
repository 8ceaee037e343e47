/* probe/probe.c -- one model after the other is asked about all items, block by block; see probe.h. */
#include "probe/order.h"
#include "probe/work.h"

#include <stdlib.h>

const char *const probe_metric_names[METRIC_COUNT] = {
    "tokens", "nll", "nll_windows", "nll_weighted", "perplexity", "lowercase", "zlib", "window", "min_k", "min_k_pp",
    "accuracy", "edit", "rouge", "suspicious", "ratio", "difference",
};

int probe_sign(enum probe_metric metric)
{
    switch (metric) {
    case METRIC_TOKENS: case METRIC_COUNT: return 0;
    case METRIC_NLL: case METRIC_NLL_WINDOWS: case METRIC_NLL_WEIGHTED: case METRIC_PERPLEXITY: case METRIC_WINDOW:
        return -1;
    default: return 1;
    }
}

/* ---- units ---- */

int probe_blocks(const struct probe_items *items, struct probe_block **out, size_t *count, struct err *err)
{
    *count = 0;
    *out = malloc((items->count + 1) * sizeof **out);
    if (!*out) return err_memory(err, items->count * sizeof **out, "blocks of items");
    for (size_t from = 0, to; from < items->count; from = to) {
        for (to = from; to < items->count && to - from < PROBE_BLOCK &&
             items->at[to].shard == items->at[from].shard; to++)
            continue;
        (*out)[(*count)++] = (struct probe_block){ from, to - from };
    }
    return 0;
}

struct unit_key probe_block_key(const struct probe_job *job, const struct model_info *model,
                                const struct probe_items *items, const struct probe_block *block)
{
    const struct probe_options *o = job->options;
    const uint64_t              number[] = { o->metrics, o->stride, o->n, o->starts, o->strided_starts,
                                             o->compare_tokens, o->published, model->context };
    struct unit_key             key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version,
                                                   strlen(job->run->version));

    key = unit_key_add(key, number, sizeof number);
    key = unit_key_add(key, &o->min_k, sizeof o->min_k);
    key = unit_key_add(key, &model->key, sizeof model->key);
    for (size_t i = 0; i < block->count; i++)
        key = unit_key_add(key, items->at[block->first + i].text.at, items->at[block->first + i].text.len);
    return key;
}

/* ---- one model ---- */

/* What a model is asked: blocks of items, then blocks of orders. */
struct asked {
    const struct probe_job   *job;
    const struct probe_items *items;
    struct probe_block       *block;
    struct order_block       *order;
    size_t                    blocks, orders;
};

static int block_ask(const struct asked *of, const struct model_info *model, struct model_session *session,
                     const struct probe_block *block, struct unit_key key,
                     struct err *err)
{
    struct probe_scratch scratch = { 0 };
    struct bytes         answers = { 0 }, lacks = { 0 };
    int                  rc = 0;

    for (size_t i = 0; i < block->count && rc == 0; i++)
        rc = probe_item_ask(session, model, of->job->options, of->items->at[block->first + i].text, (uint32_t)i,
                            &scratch, &answers, &lacks, err);
    if (rc == 0)
        rc = stage_commit(of->job->run->stage, PROBE_UNIT, key,
                          (struct slice[]){ bytes_slice(&answers), bytes_slice(&lacks) }, 2, err);
    probe_scratch_free(&scratch);
    bytes_free(&answers);
    bytes_free(&lacks);
    return rc < 0 ? rc : 1;
}

static int block_do(const struct work *work, struct model_session *session, uint64_t number, struct err *err)
{
    const struct asked       *of = work->shared;
    const struct probe_block *block = of->block + number;
    struct unit_key           key;
    struct unit               unit;
    int                       rc;

    if (number >= of->blocks)
        return order_block_do(of->job, &work->info, of->items, &of->order[number - of->blocks], session, err);
    key = probe_block_key(of->job, &work->info, of->items, block);
    rc = stage_load(of->job->run->stage, PROBE_UNIT, key, &unit, err);
    if (rc == 1) unit_close(&unit);
    return rc < 0 ? rc : rc == 1 ? 0 : block_ask(of, &work->info, session, block, key, err);
}

static int blocks_cut(struct asked *of, struct err *err)
{
    int rc = of->job->options->metrics ? probe_blocks(of->items, &of->block, &of->blocks, err) : 0;

    return rc < 0 ? rc : order_blocks(of->job, of->items, &of->order, &of->orders, err);
}

int probe_run(struct probe_job *job, struct err *err)
{
    struct probe_items items = { 0 };
    struct asked       of = { .job = job, .items = &items };
    int                rc = probe_items_collect(job, &items, err);

    if (rc == 0) rc = comm_agree(job->run->comm, blocks_cut(&of, err), err);
    job->items = items.count;
    job->asked = job->reused = 0;
    for (uint32_t m = 0; m < job->options->models && rc == 0; m++) {
        struct work work = { .comm = job->run->comm, .options = &job->options->model[m], .threads = job->run->threads,
                             .blocks = of.blocks + of.orders, .block = block_do, .shared = &of };

        rc = work_run(&work, err);
        job->model[m] = work.info;
        job->asked += work.asked;
        job->reused += work.found;
    }
    free(of.block);
    free(of.order);
    probe_items_free(&items);
    return rc;
}
