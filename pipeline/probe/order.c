/* probe/order.c -- see order.h. */
#include "probe/order.h"

#include "base/random.h"
#include "probe/answers.h"
#include "probe/metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDER_UNIT "ordered"

/* What a unit holds: orders, or, in their place, a struct probe_lack. */
struct order_row { double logprob; uint64_t tokens; uint32_t permutation, items; };
_Static_assert(sizeof(struct order_row) == 24, "unit format");

/* ---- blocks ---- */

static uint32_t dataset_of(const struct probe_job *job, const struct probe_items *items, size_t item)
{
    return job->run->shards->at[items->at[item].shard].dataset;
}

static int shards_cut(const struct probe_order *order, struct order_block whole, struct order_block **out,
                      size_t *count, size_t *room)
{
    const size_t shards = whole.count / 2 < order->shards ? whole.count / 2 : order->shards;

    for (uint32_t s = 0; s < shards; s++)
        for (uint32_t from = 0; from <= order->permutations; from += ORDER_BLOCK) {
            const size_t   begin = whole.count * s / shards, end = whole.count * (s + 1) / shards;
            const uint32_t left = order->permutations + 1 - from;

            if (ARRAY_GROW(*out, *room, *count) < 0) return -ENOMEM;
            (*out)[(*count)++] = (struct order_block){ whole.first + begin, end - begin, whole.dataset, s, from,
                                                       from + (left < ORDER_BLOCK ? left : ORDER_BLOCK) };
        }
    return 0;
}

int order_blocks(const struct probe_job *job, const struct probe_items *items, struct order_block **out, size_t *count,
                 struct err *err)
{
    const struct probe_order *order = &job->options->order;
    size_t                    room = 0;

    *out = NULL;
    *count = 0;
    for (size_t from = 0, to; order->shards && from < items->count; from = to) {
        const uint32_t dataset = dataset_of(job, items, from);

        for (to = from; to < items->count && dataset_of(job, items, to) == dataset; to++) continue;
        if (shards_cut(order, (struct order_block){ from, to - from, dataset, 0, 0, 0 }, out, count, &room) < 0)
            return err_memory(err, *count * sizeof **out, "orders of items");
    }
    return 0;
}

static struct unit_key block_key(const struct probe_job *job, const struct model_info *model,
                                 const struct probe_items *items, const struct order_block *block)
{
    const struct probe_options *o = job->options;
    const uint64_t              number[] = { o->stride, o->published, model->context, o->order.seed, o->order.items,
                                             block->number, block->from, block->to };
    struct unit_key             key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version,
                                                   strlen(job->run->version));

    key = unit_key_add(key, number, sizeof number);
    key = unit_key_add(key, o->order.join, strlen(o->order.join));
    key = unit_key_add(key, &model->key, sizeof model->key);
    for (size_t i = 0; i < block->count; i++)
        key = unit_key_add(key, items->at[block->first + i].text.at, items->at[block->first + i].text.len);
    return key;
}

/* ---- one block ---- */

void order_permute(uint64_t seed, uint32_t number, uint32_t permutation, size_t *order, size_t count)
{
    struct random random = random_start(seed, (uint64_t)number << 32 | permutation);

    for (size_t i = 0; i < count; i++) order[i] = i;
    if (permutation) random_shuffle(&random, order, count);
}

/* One block put to one model. */
struct ordering {
    const struct probe_job   *job;
    const struct model_info  *info;
    const struct probe_items *items;
    const struct order_block *block;
    struct model_session     *session;
    struct probe_scratch      scratch;
    struct bytes              text;
    size_t                   *order, count;                 /* of items; 0: not known yet */
    struct err               *err;
};

static struct slice text_of(const struct ordering *o, size_t item) { return o->items->at[o->block->first + item].text; }

/* How many of the first items are asked about: as many as said, or as fit into a context.  Tokens at the seams may be
 * others in another order, and a few more: a text that is longer then is scored in windows. */
static int fitting(const struct ordering *o, size_t *out)
{
    const struct slice  join = slice_of(o->job->options->order.join);
    const uint32_t      most = o->job->options->order.items;
    struct model_tokens tokens = { .count = 0 };
    size_t              used = 0, between;
    int                 rc = 0;

    *out = most && most < o->block->count ? most : o->block->count;
    if (most || !o->info->context) return 0;
    if (join.len && (rc = model_tokenize(o->session, join, &tokens, o->err)) < 0) return rc;
    between = tokens.count;
    for (*out = 0; *out < o->block->count; ++*out) {
        if ((rc = model_tokenize(o->session, text_of(o, *out), &tokens, o->err)) < 0) return rc;
        used += tokens.count + (*out ? between : 0);
        if (used > o->info->context) break;
    }
    return 0;
}

static int join_texts(struct ordering *o, size_t count)
{
    o->text.len = 0;
    for (size_t i = 0; i < count; i++)
        if ((i && bytes_append_slice(&o->text, slice_of(o->job->options->order.join)) < 0) ||
            bytes_append_slice(&o->text, text_of(o, o->order[i])) < 0)
            return err_memory(o->err, o->text.len, "joined items");
    return 0;
}

static int ask_order(struct ordering *o, uint32_t permutation, struct bytes *rows)
{
    struct order_row row = { .permutation = permutation, .items = (uint32_t)o->count };
    struct nll_sums  sums = { 0 };
    int              rc;

    order_permute(o->job->options->order.seed, o->block->number, permutation, o->order, o->count);
    if ((rc = join_texts(o, o->count)) < 0) return rc;
    rc = probe_text_score(o->session, o->info, o->job->options, bytes_slice(&o->text), &o->scratch, &sums, o->err);
    if (rc < 0) return rc;
    row.logprob = -sums.total;
    row.tokens = sums.tokens;
    if (!isfinite(row.logprob)) return err_set(o->err, -ENODATA, "a token of the items has probability 0");
    return bytes_append(rows, &row, sizeof row) < 0 ? err_memory(o->err, rows->len, "orders of items") : 0;
}

/* The next order.  What the model does not tell of one it is not asked of the others. */
static int order_next(void *shared, uint64_t number, struct bytes section[2], struct err *err)
{
    struct ordering  *o = shared;
    struct probe_lack why = { .metric = METRIC_ORDER };
    int               rc = o->count ? 0 : fitting(o, &o->count);

    if (rc == 0 && o->count < 2)
        rc = err_set(err, -ENODATA, "no two items fit into the %u tokens that the model takes", o->info->context);
    if (rc == 0) rc = ask_order(o, o->block->from + (uint32_t)number, &section[0]);
    if (rc != -ENODATA) return rc;
    snprintf(why.reason, sizeof why.reason, "%.159s", err->text);
    *err = (struct err){ 0 };
    section[0].len = 0;
    return bytes_append(&section[1], &why, sizeof why) < 0 ? err_memory(err, sizeof why, "orders of items") : 1;
}

int order_block_do(const struct probe_job *job, const struct model_info *info, const struct probe_items *items,
                   const struct order_block *block, struct model_session *session, struct err *err)
{
    struct ordering      o = { .job = job, .info = info, .items = items, .block = block, .session = session,
                               .err = err, .order = malloc(block->count * sizeof *o.order) };
    const struct answers answers = { job->run->stage, ORDER_UNIT, block_key(job, info, items, block),
                                     block->to - block->from, order_next, &o };
    const int            rc = o.order ? answers_make(&answers, err)
        : err_memory(err, block->count * sizeof *o.order, "orders of items");

    probe_scratch_free(&o.scratch);
    bytes_free(&o.text);
    free(o.order);
    return rc;
}

/* ---- read back ---- */

struct order_reader {
    const struct probe_job   *job;
    const struct probe_items *items;
    struct probe_result      *out;
    size_t                    room;
};

static int rows_add(struct order_reader *r, uint32_t model, const struct order_block *block, struct slice rows)
{
    const struct order_row *row = (const void *)rows.at;

    for (size_t i = 0; i < rows.len / sizeof *row; i++) {
        if (ARRAY_GROW(r->out->ordered, r->room, r->out->orders) < 0) return -ENOMEM;
        r->out->ordered[r->out->orders++] = (struct probe_ordered){ row[i].logprob, row[i].tokens, block->dataset,
                                                                    model, block->number, row[i].permutation,
                                                                    row[i].items };
    }
    return 0;
}

/* The blocks of one shard, which are next to each other; *at is then behind them.  A shard without one of its orders
 * has none. */
static int shard_take(struct order_reader *r, uint32_t model, const struct order_block *block, size_t count, size_t *at,
                      struct err *err)
{
    const struct order_block *first = &block[*at];
    const size_t              before = r->out->orders;
    struct probe_lack         lack = { .metric = METRIC_ORDER };
    int                       rc = 0;

    for (; rc == 0 && *at < count && block[*at].first == first->first; ++*at) {
        struct unit unit;

        rc = stage_load(r->job->run->stage, ORDER_UNIT, block_key(r->job, &r->job->model[model], r->items, &block[*at]),
                        &unit, err);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: answers of model %s have disappeared or are damaged; the same command again "
                                    "asks for them anew", stage_dir(r->job->run->stage),
                         r->job->options->model[model].name);
        if (rc < 0) return rc;
        rc = rows_add(r, model, &block[*at], unit.section[0]) < 0
            ? err_memory(err, r->out->orders * sizeof *r->out->ordered, "orders of items") : 0;
        if (unit.section[1].len == sizeof lack) memcpy(&lack, unit.section[1].at, sizeof lack);
        unit_close(&unit);
    }
    if (rc < 0 || !*lack.reason) return rc;
    r->out->orders = before;
    return probe_gap_add(r->out, model, &lack, err);
}

/* Of a dataset, whose blocks are [from, to), all models one after the other. */
static int dataset_take(struct order_reader *r, const struct order_block *block, size_t from, size_t to,
                        struct err *err)
{
    int rc = 0;

    for (uint32_t m = 0; m < r->job->options->models && rc == 0; m++)
        for (size_t at = from; at < to && rc == 0;) rc = shard_take(r, m, block, to, &at, err);
    return rc;
}

int order_read(const struct probe_job *job, const struct probe_items *items, struct probe_result *out, struct err *err)
{
    struct order_reader r = { .job = job, .items = items, .out = out };
    struct order_block *block;
    size_t              blocks;
    int                 rc = order_blocks(job, items, &block, &blocks, err);

    for (size_t from = 0, to; from < blocks && rc == 0; from = to) {
        for (to = from; to < blocks && block[to].dataset == block[from].dataset; to++) continue;
        rc = dataset_take(&r, block, from, to, err);
    }
    free(block);
    return rc;
}
