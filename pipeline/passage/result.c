/* passage/result.c -- see result.h. */
#include "passage/result.h"

#include "base/best.h"

#include <errno.h>
#include <stdlib.h>

struct reading {
    const struct passage_job *job;
    struct passage_result    *result;
    struct best               best;
    uint32_t                 *start, *item;                 /* [entries + 1], [items]: the items of each entry */
    bool                     *reached;                      /* [entries] decoys */
    uint64_t                  order;
};

static uint32_t dataset_of(const struct reading *r, const struct passage_pair *pair)
{
    return r->job->run->shards->at[pair->shard].dataset;
}

static int pair_order(const void *a, const void *b, void *context)
{
    const struct passage_pair *x = a, *y = b;
    const uint32_t             dx = dataset_of(context, x), dy = dataset_of(context, y);

    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    if (dx != dy) return dx < dy ? -1 : 1;
    if (x->row->found != y->row->found) return x->row->found > y->row->found ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool pair_same(const void *a, const void *b, void *context)
{
    const struct passage_pair *x = a, *y = b;

    return x->item == y->item && dataset_of(context, x) == dataset_of(context, y);
}

static int items_by_entry(struct reading *r, struct err *err)
{
    const struct passage_index *index = &r->result->index;
    uint32_t                   *start = r->start = calloc(index->entries + 2ull, sizeof *start);

    r->item = malloc((index->items + 1ull) * sizeof *r->item);
    r->reached = calloc(index->entries + 1ull, sizeof *r->reached);
    if (!start || !r->item || !r->reached) return err_memory(err, index->items * 8ull, "items");
    for (uint32_t i = 0; i < index->items; i++) start[index->item[i].entry + 2]++;
    for (uint32_t e = 0; e < index->entries; e++) start[e + 2] += start[e + 1];
    for (uint32_t i = 0; i < index->items; i++) r->item[start[index->item[i].entry + 1]++] = i;
    return 0;
}

static int unit_take(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const struct slice           decoys = pass_unit_section(unit, p, PART_VALUES);
        const struct passage_row    *row = (const void *)rows.at;
        const struct passage_chance *chance = (const void *)pass_unit_section(unit, p, PART_COUNTS).at;

        r->result->chance.tested += chance->tested;
        r->result->chance.reached += chance->reached;
        for (size_t i = 0; i < decoys.len / sizeof(uint32_t); i++)
            r->reached[((const uint32_t *)(const void *)decoys.at)[i]] = true;
        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            struct passage_pair pair = { .shard = unit->shard, .order = r->order++, .row = &row[i],
                                         .heap = pass_unit_section(unit, p, PART_HEAP).at };

            for (uint32_t k = r->start[row[i].entry]; k < r->start[row[i].entry + 1]; k++) {
                pair.item = r->item[k];
                if (best_add(&r->best, &pair) < 0) return err_memory(err, r->best.room * sizeof pair, "passages");
            }
        }
    }
    return 0;
}

/* Hands over the best pairs of each item with each dataset, and counts all. */
static int pairs_finish(struct reading *r, struct err *err)
{
    struct passage_result *result = r->result;
    size_t                 room = 0;

    best_finish(&r->best);
    result->pair = (struct passage_pair *)(void *)r->best.at;
    result->pair_count = r->best.count;
    r->best.at = NULL;
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct passage_pair *pair = &result->pair[i];

        if (i == 0 || !pair_same(pair - 1, pair, r)) {
            if (ARRAY_GROW(result->count, room, result->count_count) < 0)
                return err_memory(err, room * sizeof *result->count, "counts of passages");
            result->count[result->count_count++] = (struct passage_count){ pair->item, dataset_of(r, pair),
                                                                           pair->more };
        }
        result->count[result->count_count - 1].documents++;
    }
    for (uint32_t e = 0; e < result->index.entries; e++) result->decoys_reached += r->reached[e];
    return 0;
}

int passage_result_read(const struct passage_job *job, uint64_t most, struct passage_result *out, struct err *err)
{
    const struct pass_scanner scanner = passage_scanner(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    struct reading            r = { .job = job, .result = out };
    int                       rc;

    *out = (struct passage_result){ 0 };
    r.best = (struct best){ .size = sizeof(struct passage_pair), .more = offsetof(struct passage_pair, more),
                            .most = most, .order = pair_order, .same = pair_same, .context = &r };
    rc = passage_index_open(job->run->stage, passage_index_key(job), &out->index, err);
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: the index of passages has disappeared or is damaged; the same command again makes "
                                "it anew", stage_dir(job->run->stage));
    if (rc > 0) rc = items_by_entry(&r, err);
    while (rc >= 0 && (rc = pass_walk_next(&walk, err)) > 0) {
        const uint64_t before = r.order;

        rc = unit_take(&r, &walk.unit, err);
        if (rc == 0 && r.order > before) rc = pass_units_keep(&out->units, &walk, err);
    }
    pass_walk_close(&walk);
    if (rc == 0) rc = pairs_finish(&r, err);
    best_free(&r.best);
    free(r.start);
    free(r.item);
    free(r.reached);
    return rc;
}

void passage_result_free(struct passage_result *result)
{
    free(result->pair);
    free(result->count);
    pass_units_free(&result->units);
    passage_index_close(&result->index);
    *result = (struct passage_result){ 0 };
}
