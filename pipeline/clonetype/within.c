/* clonetype/within.c -- see within.h. */
#include "clonetype/within.h"

#include "base/log.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WITHIN_BLOCK = 1 << 14, WITHIN_STEP = 64 };          /* classes of a unit; that a thread takes at a time */

static const char within_kind[] = "clonepairs";

bool within_has(const struct clonetype_job *job, const struct dataset *dataset)
{
    return job->within && job->within[dataset - job->run->datasets];
}

/* ---- functions and their classes ---- */

static int unit_list(struct within *within, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice         rows = pass_unit_section(unit, p, PART_ROWS);
        const struct function_row *row = (const void *)rows.at;
        const uint64_t            *item = (const void *)pass_unit_section(unit, p, PART_VALUES).at;
        const struct item_lines   *lines = (const void *)pass_unit_section(unit, p, PART_COUNTS).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            const bool                   has = row[i].form.items != 0;
            const struct within_function function = {
                .row = &row[i], .heap = pass_unit_section(unit, p, PART_HEAP).at, .shard = unit->shard,
                .item = has ? item + row[i].form.item_at : NULL, .lines = has ? lines + row[i].form.item_at : NULL };

            if (within->count == UINT32_MAX || ARRAY_GROW(within->at, within->room, within->count) < 0) return -ENOMEM;
            within->at[within->count++] = function;
        }
    }
    return 0;
}

static int hash_order(struct content_hash a, struct content_hash b)
{
    if (a.high != b.high) return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

/* By the blind form, the consistent one, the exact one: equal ones of each stand side by side, as equal exact forms are
 * equal in all. */
static int form_order(const void *a, const void *b, void *context)
{
    const struct within_function *at = context;
    const uint32_t                x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct fragment_row    *left = &at[x].row->form, *right = &at[y].row->form;
    int                           order = hash_order(left->blind, right->blind);

    if (order == 0) order = hash_order(left->consistent, right->consistent);
    if (order == 0) order = hash_order(left->exact, right->exact);
    return order ? order : (x > y) - (x < y);
}

static struct content_hash form_of(const struct within_function *function, int type)
{
    const struct fragment_row *form = &function->row->form;

    return type == CLONE_TYPE_1 ? form->exact : type == CLONE_TYPE_2C ? form->consistent : form->blind;
}

/* The first function of each class.  Within a class of a looser type several of a stricter one stand one behind the
 * other, so its first is the least of theirs. */
static int classes_tell(struct within *within)
{
    uint32_t *order = malloc((within->count + 1) * sizeof *order);

    if (!order) return -ENOMEM;
    for (size_t f = 0; f < within->count; f++) order[f] = (uint32_t)f;
    if (within->count) qsort_r(order, within->count, sizeof *order, form_order, within->at);
    for (int type = CLONE_TYPE_1; type <= CLONE_TYPE_2; type++)
        for (size_t i = 0, end; i < within->count; i = end) {
            uint32_t first = order[i];

            for (end = i; end < within->count && hash_order(form_of(&within->at[order[i]], type),
                                                            form_of(&within->at[order[end]], type)) == 0; end++)
                if (order[end] < first) first = order[end];
            for (size_t k = i; k < end; k++) within->at[order[k]].first[type] = first;
        }
    free(order);
    within->lead = malloc((within->count + 1) * sizeof *within->lead);
    if (!within->lead) return -ENOMEM;
    for (size_t f = 0; f < within->count; f++)
        if (within->at[f].first[CLONE_TYPE_2] == f && within->at[f].item) within->lead[within->leads++] = (uint32_t)f;
    return 0;
}

int within_open(const struct clonetype_job *job, uint32_t dataset, struct within *out, struct err *err)
{
    const struct pass_scanner collector = within_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    int                       rc;

    *out = (struct within){ 0 };
    for (uint32_t s = 0; s < job->run->shards->count; s++) {
        const struct shard *shard = &job->run->shards->at[s];
        struct unit_key     key = pass_unit_key(job->run->datasets, collector.key, shard, 0);

        if (shard->dataset == dataset) out->key = unit_key_add(out->key, &key, sizeof key);
    }
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (job->run->shards->at[walk.unit.shard].dataset != dataset) continue;
        if (unit_list(out, &walk.unit) < 0) rc = err_memory(err, out->room * sizeof *out->at, "functions of a corpus");
        else rc = pass_units_keep(&out->units, &walk, err);
        if (rc == 0)
            rc = clonetype_memory_check(job->run, out->room * sizeof *out->at + 2 * out->count * sizeof *out->lead,
                                        job->run->datasets[dataset].name, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    if (rc == 0 && classes_tell(out) < 0)
        rc = err_memory(err, out->count * sizeof *out->lead, "classes of functions");
    return rc;
}

void within_close(struct within *within)
{
    free(within->at);
    free(within->lead);
    pass_units_free(&within->units);
    *within = (struct within){ 0 };
}

/* ---- pairs of type 3 ---- */

static struct unit_key block_key(const struct clonetype_job *job, const struct within *within, uint64_t block)
{
    const struct clonetype_options *o = job->options;
    struct unit_key                 key = unit_key_add(within->key, &o->dissimilarity, sizeof o->dissimilarity);

    key = unit_key_add(key, &o->max_matches, sizeof o->max_matches);
    return unit_key_add(key, &block, sizeof block);
}

static uint64_t blocks_of(const struct within *within) { return (within->leads + WITHIN_BLOCK - 1) / WITHIN_BLOCK; }

/* The index of the classes' first functions; fragment i is function lead[i]. */
static int index_make(const struct clonetype_job *job, const struct within *within, const char *name,
                      struct clonetype_index *out, struct err *err)
{
    uint64_t items = 0, need;

    *out = (struct clonetype_index){ .options = job->options };
    for (size_t i = 0; i < within->leads; i++) items += within->at[within->lead[i]].row->form.items;
    need = clonetype_index_need(within->leads, items, job->run->threads) + within->count * sizeof *within->at;
    if (clonetype_memory_check(job->run, need, name, err) < 0) return err->code;
    for (size_t i = 0; i < within->leads; i++) {
        const struct within_function *f = &within->at[within->lead[i]];

        if (clonetype_index_add(out, f->shard, &f->row->form, f->item, f->lines, f->heap) < 0)
            return err_memory(err, out->room * sizeof *out->at, "functions of a corpus");
    }
    return clonetype_index_finish(out, err);
}

static int alike_order(const void *a, const void *b)
{
    const struct clonetype_match *x = a, *y = b;
    const uint64_t                left = (uint64_t)x->common * y->whole, right = (uint64_t)y->common * x->whole;

    if (left != right) return left > right ? -1 : 1;
    return (x->fragment > y->fragment) - (x->fragment < y->fragment);
}

/* The pairs of class i with those before it, the most alike first. */
static int lead_ask(const struct clonetype_index *index, const struct within *within, uint32_t i,
                    struct clonetype_asker *asker, struct bytes *out, struct err *err)
{
    const struct within_function *f = &within->at[within->lead[i]];
    const struct form             form = { .exact = f->row->form.exact, .consistent = f->row->form.consistent,
                                           .blind = f->row->form.blind, .item = f->item, .items = f->row->form.items };
    size_t                        most;

    if (i == 0) return 0;
    asker->before = i;
    if (clonetype_ask(index, asker, &form, err) < 0) return err->code;
    most = asker->count < index->options->max_matches ? asker->count : index->options->max_matches;
    if (asker->count) qsort(asker->match, asker->count, sizeof *asker->match, alike_order);
    for (size_t m = 0; m < most; m++) {
        const struct clonetype_match *match = &asker->match[m];
        const struct within_pair      pair = {
            .a = within->lead[match->fragment], .b = within->lead[i], .common = match->common, .whole = match->whole,
            .of_a = clonetype_index_lines(index, match->fragment, match->aligned.a, match->aligned.a_end),
            .of_b = clonetype_index_lines(index, i, match->aligned.b, match->aligned.b_end),
            .more = m == 0 ? asker->count - most : 0 };

        if (bytes_append(out, &pair, sizeof pair) < 0) return err_memory(err, sizeof pair, "clones");
    }
    return 0;
}

static int block_make(const struct clonetype_job *job, const struct clonetype_index *index,
                      const struct within *within, uint64_t block, struct clonetype_asker *asker, struct err *err)
{
    const uint64_t from = block * WITHIN_BLOCK, left = within->leads - from,
                   leads = left < WITHIN_BLOCK ? left : WITHIN_BLOCK, steps = (leads + WITHIN_STEP - 1) / WITHIN_STEP;
    struct bytes  *part = calloc(steps, sizeof *part);
    struct slice  *section = calloc(steps, sizeof *section);
    int            rc = part && section ? 0 : err_memory(err, steps * sizeof *part, "clones");

    if (rc == 0) {
#pragma omp parallel num_threads(job->run->threads)
        {
            struct err mine = { 0 };

#pragma omp for schedule(dynamic)
            for (uint64_t s = 0; s < steps; s++)
                for (uint64_t i = s * WITHIN_STEP; i < leads && i < (s + 1) * WITHIN_STEP && mine.code == 0; i++)
                    lead_ask(index, within, (uint32_t)(from + i), &asker[omp_get_thread_num()], &part[s], &mine);
            if (mine.code < 0) {
#pragma omp critical(within_failure)
                {
                    *err = mine;
                    rc = mine.code;
                }
            }
        }
    }
    for (uint64_t s = 0; rc == 0 && s < steps; s++) section[s] = bytes_slice(&part[s]);
    if (rc == 0) rc = stage_commit(job->run->stage, within_kind, block_key(job, within, block), section, steps, err);
    for (uint64_t s = 0; part && s < steps; s++) bytes_free(&part[s]);
    free(part);
    free(section);
    return rc;
}

/* This rank's blocks that are not there. */
static int blocks_make(const struct clonetype_job *job, const struct within *within, const char *name, struct err *err)
{
    const int               threads = job->run->threads;
    struct clonetype_index  index = { 0 };
    struct clonetype_asker *asker = calloc((size_t)threads, sizeof *asker);
    bool                    made = false;
    int                     rc = asker ? 0 : err_memory(err, (size_t)threads * sizeof *asker, "clones");

    for (uint64_t block = (uint64_t)comm_rank(job->run->comm); rc == 0 && block < blocks_of(within);
         block += (uint64_t)comm_size(job->run->comm)) {
        struct unit unit;

        rc = stage_load(job->run->stage, within_kind, block_key(job, within, block), &unit, err);
        if (rc > 0) {
            unit_close(&unit);
            rc = 0;
            continue;
        }
        if (rc == 0 && !made) rc = index_make(job, within, name, &index, err);
        made = true;
        if (rc == 0) rc = block_make(job, &index, within, block, asker, err);
    }
    for (int t = 0; asker && t < threads; t++) clonetype_asker_free(&asker[t]);
    free(asker);
    clonetype_index_free(&index);
    return rc;
}

int within_join(const struct clonetype_job *job, struct err *err)
{
    int rc = 0;

    for (uint32_t d = 0; rc == 0 && d < job->run->dataset_count; d++) {
        const struct dataset *dataset = &job->run->datasets[d];
        const double          started = log_seconds();
        struct within         within;

        if (!within_has(job, dataset) || !job->options->type[CLONE_TYPE_3]) continue;
        rc = within_open(job, d, &within, err);
        if (rc == 0) rc = blocks_make(job, &within, dataset->name, err);
        if (rc == 0)
            log_info("clones within %s: functions=%zu classes=%zu seconds=%.2f", dataset->name, within.count,
                     within.leads, log_seconds() - started);
        within_close(&within);
        rc = comm_agree(job->run->comm, rc, err);
    }
    return rc;
}

/* All pairs of a corpus. */
static int pairs_read(const struct clonetype_job *job, struct within_corpus *corpus, struct err *err)
{
    struct bytes all = { 0 };
    int          rc = 0;

    for (uint64_t block = 0; rc == 0 && block < blocks_of(&corpus->within); block++) {
        struct unit unit;

        rc = stage_load(job->run->stage, within_kind, block_key(job, &corpus->within, block), &unit, err);
        if (rc == 0) rc = err_set(err, -EIO, "%s: clones within a corpus are not there", stage_dir(job->run->stage));
        if (rc < 0) break;
        rc = 0;
        for (size_t s = 0; rc == 0 && s < unit.count; s++)
            if (bytes_append_slice(&all, unit.section[s]) < 0) rc = err_memory(err, all.len, "clones within a corpus");
        unit_close(&unit);
    }
    corpus->pair = (struct within_pair *)(void *)all.at;
    corpus->pair_count = all.len / sizeof *corpus->pair;
    return rc;
}

int within_result_read(const struct clonetype_job *job, struct within_result *out, struct err *err)
{
    int rc = 0;

    *out = (struct within_result){ calloc(job->run->dataset_count + 1, sizeof *out->at), 0 };
    if (!out->at) return err_memory(err, job->run->dataset_count * sizeof *out->at, "clones within corpora");
    for (uint32_t d = 0; rc == 0 && d < job->run->dataset_count; d++) {
        struct within_corpus *corpus = &out->at[out->count];

        if (!within_has(job, &job->run->datasets[d])) continue;
        out->count++;
        corpus->dataset = d;
        rc = within_open(job, d, &corpus->within, err);
        if (rc == 0 && job->options->type[CLONE_TYPE_3]) rc = pairs_read(job, corpus, err);
    }
    return rc;
}

void within_result_free(struct within_result *result)
{
    for (size_t c = 0; c < result->count; c++) {
        within_close(&result->at[c].within);
        free(result->at[c].pair);
    }
    free(result->at);
    *result = (struct within_result){ 0 };
}
