/* function/items.c -- are the benchmarks' items functions?  A pass over them that only counts. */
#include "function/function.h"

#include <errno.h>
#include <stdlib.h>

/* What a unit's part holds, in PART_COUNTS. */
struct item_counts { uint64_t items, functions; };

struct counter { struct scanner scanner; struct item_counts counts; };

/* Have the outermost functions half of the features? */
static bool is_function(const struct document *document)
{
    size_t inside = 0;

    for (size_t i = 0; i < document->functions.count; i++)
        if (document->functions.at[i].outer == FUNCTION_NONE)
            inside += view_function_features(document->features, &document->functions, i).count;
    return inside && 2 * inside >= document->features.count;
}

static void count_begin(struct scanner *scanner) { ((struct counter *)scanner)->counts = (struct item_counts){ 0 }; }

static int count_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct counter *c = (struct counter *)scanner;

    (void)part, (void)err;
    c->counts.items++;
    c->counts.functions += is_function(document);
    return 0;
}

static int count_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct counter *c = (struct counter *)scanner;

    return bytes_append(&part->section[PART_COUNTS], &c->counts, sizeof c->counts) < 0
        ? err_memory(err, sizeof c->counts, "a part's counts") : 0;
}

static void count_close(struct scanner *scanner) { free(scanner); }

static int count_open(void *shared, struct scanner **out, struct err *err)
{
    struct counter *c = calloc(1, sizeof *c);

    (void)shared;
    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .begin = count_begin, .document = count_document, .end = count_end,
                                   .close = count_close };
    *out = &c->scanner;
    return 0;
}

static bool takes_benchmarks(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return dataset->role == ROLE_BENCHMARK;
}

static struct pass_scanner item_scanner(const struct function_job *job)
{
    struct pass_scanner scanner = near_collector(job->near);

    scanner.kind = "function_items";
    scanner.functions = true;
    scanner.takes = takes_benchmarks;
    scanner.open = count_open;
    scanner.shared = NULL;
    return scanner;
}

/* Half of some benchmark's items. */
static int items_are_functions(struct function_job *job, bool *out, struct err *err)
{
    const struct pass_scanner scanner = item_scanner(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    struct item_counts       *sum = calloc(job->run->dataset_count + 1, sizeof *sum);
    int                       rc;

    if (!sum) return err_memory(err, job->run->dataset_count * sizeof *sum, "counts of items");
    *out = false;
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        struct item_counts *of = &sum[job->run->shards->at[walk.unit.shard].dataset];

        for (uint64_t p = 0; p < walk.unit.header->parts; p++) {
            const struct slice counts = pass_unit_section(&walk.unit, p, PART_COUNTS);

            for (size_t at = 0; at + sizeof *of <= counts.len; at += sizeof *of) {
                of->items += ((const struct item_counts *)(const void *)(counts.at + at))->items;
                of->functions += ((const struct item_counts *)(const void *)(counts.at + at))->functions;
            }
        }
    }
    pass_walk_close(&walk);
    for (size_t d = 0; d < job->run->dataset_count; d++) {
        *out |= sum[d].functions && 2 * sum[d].functions >= sum[d].items;
        job->items += sum[d].items;
        job->functions += sum[d].functions;
    }
    free(sum);
    return rc;
}

static int items_count(struct function_job *job, bool *found, struct err *err)
{
    struct pass pass = near_pass(job->near);
    int         rc;

    pass.scanner[0] = item_scanner(job);
    pass.scanner_count = 1;
    rc = pass_stream(&pass, job->run->shards->count, err);
    pass_totals_add(&job->totals, &pass.totals);
    if (rc == 0) rc = items_are_functions(job, found, err);
    return comm_agree(job->run->comm, rc, err);
}

int function_prepare(struct function_job *job, struct err *err)
{
    const struct run *run = job->run;
    bool              asked = false, found = false;
    int               rc;

    job->compared = calloc(run->dataset_count + 1, sizeof *job->compared);
    rc = comm_agree(run->comm, job->compared ? 0 : err_memory(err, run->dataset_count, "datasets"), err);
    for (size_t d = 0; d < run->dataset_count; d++)
        asked |= !near_resident(&run->datasets[d]) && run->datasets[d].unit == UNIT_AUTO;
    asked &= view_has_functions(&job->near->options->view);
    if (rc == 0 && asked) rc = items_count(job, &found, err);
    for (size_t d = 0; rc == 0 && d < run->dataset_count; d++)
        job->compared[d] = !near_resident(&run->datasets[d]) &&
            (run->datasets[d].unit == UNIT_FUNCTION || (found && run->datasets[d].unit == UNIT_AUTO));
    return rc;
}

bool function_any(const struct function_job *job)
{
    bool any = false;

    for (size_t d = 0; job->compared && d < job->run->dataset_count; d++) any |= job->compared[d];
    return any;
}
