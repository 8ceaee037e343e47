/* probe/probe.c -- one model after the other is asked about all items, block by block; see probe.h. */
#include "probe/answers.h"
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

/* A block of items put to one model. */
struct asking {
    const struct asked      *of;
    const struct model_info *model;
    struct model_session    *session;
    size_t                   first;
    struct probe_scratch     scratch;
};

static int item_ask(void *shared, uint64_t number, struct bytes section[2], struct err *err)
{
    struct asking *a = shared;

    return probe_item_ask(a->session, a->model, a->of->job->options, a->of->items->at[a->first + number].text,
                          (uint32_t)number, &a->scratch, &section[0], &section[1], err);
}

static int block_do(const struct work *work, struct model_session *session, uint64_t number, struct err *err)
{
    const struct asked       *of = work->shared;
    const struct probe_block *block = of->block + number;
    struct asking             asking = { .of = of, .model = &work->info, .session = session };
    struct answers            answers = { of->job->run->stage, PROBE_UNIT, .ask = item_ask, .of = &asking };
    int                       rc;

    if (number >= of->blocks)
        return order_block_do(of->job, &work->info, of->items, &of->order[number - of->blocks], session, err);
    asking.first = block->first;
    answers.count = block->count;
    answers.key = probe_block_key(of->job, &work->info, of->items, block);
    rc = answers_make(&answers, err);
    probe_scratch_free(&asking.scratch);
    return rc;
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
