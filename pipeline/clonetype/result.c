/* clonetype/result.c -- see result.h. */
#include "clonetype/result.h"

#include "base/best.h"
#include "clonetype/index.h"

#include <errno.h>
#include <stdlib.h>

/* By item, dataset; then those of functions that are most of the item, which count as it; then by type, by what is
 * common, by place: fragments and rows are in the contract's order. */
static int pair_order(const void *a, const void *b, void *context)
{
    const struct clonetype_pair *x = a, *y = b;
    uint64_t                     left, right;

    (void)context;
    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    if (x->main != y->main) return x->main ? -1 : 1;
    if (x->type != y->type) return x->type < y->type ? -1 : 1;
    left = (uint64_t)x->common * y->whole;
    right = (uint64_t)y->common * x->whole;
    if (left != right) return left > right ? -1 : 1;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->fragment > y->fragment) - (x->fragment < y->fragment);
}

static bool pair_same(const void *a, const void *b, void *context)
{
    const struct clonetype_pair *x = a, *y = b;

    (void)context;
    return x->item == y->item && x->dataset == y->dataset && x->main == y->main;
}

struct reading { const struct clonetype_job *job; struct best best; uint64_t order; };

/* A pair of each fragment of the row's class that the function is a clone of. */
static int row_take(struct reading *r, uint32_t shard, const struct clonetype_row *row, const char *heap)
{
    const struct clonetype_index *index = r->job->index;

    for (uint32_t f = row->fragment; f != UINT32_MAX; f = index->at[f].next) {
        const struct fragment *fragment = &index->at[f];
        const enum clone_type  type = clonetype_type(r->job->options, fragment, row->exact, row->consistent,
                                                     row->loosest);
        const struct clonetype_pair pair = {
            .item = fragment->document, .dataset = r->job->run->shards->at[shard].dataset, .shard = shard,
            .fragment = f, .main = fragment->main, .order = r->order, .row = row, .heap = heap, .type = type,
            .common = type == CLONE_TYPE_3 ? row->common : row->items,
            .whole = type == CLONE_TYPE_3 ? row->whole : row->items };

        if (pair.type != CLONE_TYPES && best_add(&r->best, &pair) < 0) return -ENOMEM;
    }
    return 0;
}

static int unit_take(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice          rows = pass_unit_section(unit, p, PART_ROWS);
        const struct clonetype_row *row = (const void *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            /* rows of one function stand side by side, by fragment */
            r->order += i == 0 || row[i].record != row[i - 1].record || row[i].span.at != row[i - 1].span.at ||
                row[i].fragment <= row[i - 1].fragment;
            if (row_take(r, unit->shard, &row[i], pass_unit_section(unit, p, PART_HEAP).at) < 0)
                return err_memory(err, r->best.room * sizeof(struct clonetype_pair), "clones");
        }
    }
    return 0;
}

/* Hands over the best pairs of each group, and counts all of each item with each dataset. */
static int pairs_finish(struct reading *r, struct clonetype_result *result, struct err *err)
{
    struct clonetype_item *item = NULL;
    size_t                 room = 0;

    best_finish(&r->best);
    result->pair = (struct clonetype_pair *)(void *)r->best.at;
    result->pair_count = r->best.count;
    r->best.at = NULL;
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct clonetype_pair *pair = &result->pair[i];

        if (!item || item->item != pair->item || item->dataset != pair->dataset) {
            if (ARRAY_GROW(result->item, room, result->item_count) < 0)
                return err_memory(err, room * sizeof *result->item, "items with clones");
            item = &result->item[result->item_count++];
            *item = (struct clonetype_item){ pair->item, pair->dataset, pair->type, 0 };
        }
        if (pair->type < item->type) item->type = pair->type;
        if (i == 0 || !pair_same(pair - 1, pair, NULL)) item->pairs += pair->more;
        item->pairs++;
    }
    return 0;
}

static int compared_count(const struct clonetype_job *job, struct clonetype_result *result, struct err *err)
{
    const struct clonetype_index *index = job->index;

    result->compared = calloc(job->run->dataset_count + 1, sizeof *result->compared);
    if (!result->compared) return err_memory(err, job->run->dataset_count, "datasets");
    for (size_t f = 0; f < index->count; f++)
        if (f == 0 || index->at[f].document != index->at[f - 1].document)
            result->compared[job->run->shards->at[index->at[f].shard].dataset]++;
    return 0;
}

int clonetype_result_read(const struct clonetype_job *job, struct clonetype_result *out, struct err *err)
{
    const struct pass_scanner scanner = clonetype_searcher(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    struct reading            r = { .job = job };
    int                       rc;

    *out = (struct clonetype_result){ 0 };
    r.best = (struct best){ .size = sizeof(struct clonetype_pair), .more = offsetof(struct clonetype_pair, more),
                            .most = job->options->max_matches, .order = pair_order, .same = pair_same };
    rc = compared_count(job, out, err);
    while (rc >= 0 && (rc = pass_walk_next(&walk, err)) > 0) {
        const uint64_t before = r.order;

        rc = unit_take(&r, &walk.unit, err);
        if (rc == 0 && r.order > before) rc = pass_units_keep(&out->units, &walk, err);
    }
    pass_walk_close(&walk);
    if (rc == 0) rc = pairs_finish(&r, out, err);
    best_free(&r.best);
    return rc;
}

void clonetype_result_free(struct clonetype_result *result)
{
    free(result->pair);
    free(result->item);
    free(result->compared);
    pass_units_free(&result->units);
    *result = (struct clonetype_result){ 0 };
}
