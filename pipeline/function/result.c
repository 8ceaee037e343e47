/* function/result.c -- see result.h. */
#include "function/result.h"

#include "base/best.h"
#include "base/search.h"
#include "graph/graph.h"
#include "near/index.h"

#include <errno.h>
#include <stdlib.h>

/* ---- items by what functions are found by ---- */

/* The class of an item, or its text but for white space where it is too short for pairs. */
struct named { struct content_hash hash; uint32_t item; };

struct names { struct named *at; size_t count; };

static int named_order(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    if (x->hash.low != y->hash.low) return x->hash.low < y->hash.low ? -1 : 1;
    if (x->hash.high != y->hash.high) return x->hash.high < y->hash.high ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

struct sought { const struct named *at; struct content_hash hash; };

static bool named_is_before(const void *context, size_t i)
{
    const struct sought *sought = context;
    const struct content_hash *hash = &sought->at[i].hash;

    return hash->low != sought->hash.low ? hash->low < sought->hash.low : hash->high < sought->hash.high;
}

/* The first with the hash; *count: so many follow. */
static const struct named *names_find(const struct names *names, struct content_hash hash, size_t *count)
{
    const size_t first = search_first(0, names->count, named_is_before, &(struct sought){ names->at, hash });
    size_t       end = first;

    while (end < names->count && names->at[end].hash.low == hash.low && names->at[end].hash.high == hash.high) end++;
    *count = end - first;
    return names->at + first;
}

struct reading {
    const struct function_job   *job;
    const struct near_residents *residents;
    const struct near_index     *index;
    struct function_result      *result;
    struct names                 classes, copies;
    struct best                  best;
    uint64_t                     order;
};

static int names_make(struct reading *r, struct err *err)
{
    const struct near_job *near = r->job->near;

    r->classes.at = malloc((r->residents->count + 1) * sizeof *r->classes.at);
    r->copies.at = malloc((r->residents->count + 1) * sizeof *r->copies.at);
    if (!r->classes.at || !r->copies.at) return err_memory(err, r->residents->count * sizeof(struct named), "items");
    for (size_t i = 0; i < r->residents->count; i++) {
        const struct near_document *item = &r->residents->document[i];
        const struct near_row      *row = item->row;
        const uint32_t              level = minimums_level(&near->minimums, r->job->run->datasets, item->dataset);

        if (r->job->run->datasets[item->dataset].role != ROLE_BENCHMARK) continue;
        if (item->admitted)
            r->classes.at[r->classes.count++] = (struct named){
                near_class_key((struct content_hash){ row->class_low, row->class_high }, level), (uint32_t)i };
        else r->copies.at[r->copies.count++] = (struct named){ { row->copy_low, row->copy_high }, (uint32_t)i };
    }
    qsort(r->classes.at, r->classes.count, sizeof *r->classes.at, named_order);
    qsort(r->copies.at, r->copies.count, sizeof *r->copies.at, named_order);
    return 0;
}

/* ---- pairs ---- */

static uint32_t dataset_of(const struct reading *r, const struct function_pair *pair)
{
    return r->job->run->shards->at[pair->shard].dataset;
}

/* Of two fractions; 0 / 0 is 0. */
static int compare_fractions(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (a * d > c * b) - (a * d < c * b);
}

static int pair_order(const void *a, const void *b, void *context)
{
    const struct function_pair *x = a, *y = b;
    const struct reading       *r = context;
    const uint32_t              dx = dataset_of(r, x), dy = dataset_of(r, y);
    int                         c;

    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    if (dx != dy) return dx < dy ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if ((c = compare_fractions(y->shared, y->union_size, x->shared, x->union_size)) != 0) return c;
    if ((c = compare_fractions(y->min_sum, y->max_sum, x->min_sum, x->max_sum)) != 0) return c;
    return (x->order > y->order) - (x->order < y->order);
}

static bool pair_same(const void *a, const void *b, void *context)
{
    const struct function_pair *x = a, *y = b;

    return x->item == y->item && dataset_of(context, x) == dataset_of(context, y);
}

static int pair_add(struct reading *r, const struct function_pair *pair, struct err *err)
{
    return best_add(&r->best, pair) < 0 ? err_memory(err, r->best.room * sizeof *pair, "functions like items") : 0;
}

/* The items that a function is like by its links, then by its text. */
static int row_take(struct reading *r, struct function_pair pair, const struct near_link *link, struct err *err)
{
    const struct near_row *row = pair.row;
    const struct named    *item;
    size_t                 count;

    for (uint32_t l = 0; l < row->value_count; l++) {
        const struct near_link *of = &link[row->value_at + l];

        if (!(of->marks & NEAR_SIMILAR)) continue;
        item = names_find(&r->classes, near_class_key(r->index->class_hash[of->second],
                                                      r->index->class_level[of->second]), &count);
        for (size_t i = 0; i < count; i++) {
            const struct near_row *theirs = r->residents->document[item[i].item].row;

            pair.item = item[i].item;
            pair.kind = theirs->raw.low == row->raw.low && theirs->raw.high == row->raw.high ? EDGE_EXACT : EDGE_NEAR;
            pair.shared = of->shared;
            pair.union_size = of->union_size;
            pair.min_sum = of->min_sum;
            pair.max_sum = of->max_sum;
            if (pair_add(r, &pair, err) < 0) return err->code;
        }
    }
    if (!row->copy_low && !row->copy_high) return 0;
    item = names_find(&r->copies, (struct content_hash){ row->copy_low, row->copy_high }, &count);
    for (size_t i = 0; i < count; i++) {
        pair.item = item[i].item;
        pair.kind = EDGE_COPY;
        pair.shared = pair.union_size = row->distinct;
        pair.min_sum = pair.max_sum = row->total;
        if (pair_add(r, &pair, err) < 0) return err->code;
    }
    return 0;
}

static int unit_take(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const struct near_row       *row = (const void *)rows.at;
        const struct slice           counts = pass_unit_section(unit, p, PART_COUNTS);
        const struct function_place *place = (const void *)counts.at;
        const struct near_link      *link = (const void *)pass_unit_section(unit, p, PART_VALUES).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            const struct function_pair pair = { .shard = unit->shard, .order = r->order++, .row = &row[i],
                                                .place = &place[i],
                                                .heap = pass_unit_section(unit, p, PART_HEAP).at };

            if (row_take(r, pair, link, err) < 0) return err->code;
        }
        functions_told_add(&r->result->told, (const void *)&place[rows.len / sizeof *row]);
    }
    return 0;
}

/* Hands over the best pairs of each item with each dataset, and counts all. */
static int pairs_finish(struct reading *r, struct err *err)
{
    struct function_result *result = r->result;
    size_t                  room = 0;

    best_finish(&r->best);
    result->pair = (struct function_pair *)(void *)r->best.at;
    result->pair_count = r->best.count;
    r->best.at = NULL;
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct function_pair *pair = &result->pair[i];

        if (i == 0 || !pair_same(pair - 1, pair, r)) {
            if (ARRAY_GROW(result->count, room, result->count_count) < 0)
                return err_memory(err, room * sizeof *result->count, "counts of functions");
            result->count[result->count_count++] = (struct function_count){ pair->item, dataset_of(r, pair),
                                                                            pair->more };
        }
        result->count[result->count_count - 1].functions++;
    }
    return 0;
}

int function_result_read(const struct function_job *job, const struct near_residents *residents, uint64_t most,
                         struct function_result *out, struct err *err)
{
    const struct pass_scanner scanner = function_scanner(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    struct near_index         index = { 0 };
    struct reading            r = { .job = job, .residents = residents, .index = &index, .result = out };
    int                       rc = near_index_open(job->run->stage, near_index_key(job->near, INDEX_BENCHMARKS), &index,
                                                   err);

    *out = (struct function_result){ 0 };
    r.best = (struct best){ .size = sizeof(struct function_pair), .more = offsetof(struct function_pair, more),
                            .most = most, .order = pair_order, .same = pair_same, .context = &r };
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: the index has disappeared or is damaged; the same command again makes it anew",
                     stage_dir(job->run->stage));
    if (rc > 0) rc = names_make(&r, err);
    while (rc >= 0 && (rc = pass_walk_next(&walk, err)) > 0) {
        const uint64_t before = r.order;

        rc = unit_take(&r, &walk.unit, err);
        if (rc == 0 && r.order > before) rc = pass_units_keep(&out->units, &walk, err);
    }
    pass_walk_close(&walk);
    near_index_close(&index);
    if (rc == 0) rc = pairs_finish(&r, err);
    best_free(&r.best);
    free(r.classes.at);
    free(r.copies.at);
    return rc;
}

void function_result_free(struct function_result *result)
{
    free(result->pair);
    free(result->count);
    pass_units_free(&result->units);
    *result = (struct function_result){ 0 };
}
