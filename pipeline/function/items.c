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
    scanner.key = function_key(job, scanner.key);
    scanner.functions = true;
    scanner.takes = takes_benchmarks;
    scanner.open = count_open;
    scanner.shared = NULL;
    return scanner;
}

/* Adds up what the units say, by dataset. */
static int items_sum(const struct function_job *job, struct item_counts *sum, struct err *err)
{
    const struct pass_scanner scanner = item_scanner(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        struct item_counts *of = &sum[job->run->shards->at[walk.unit.shard].dataset];

        for (uint64_t p = 0; p < walk.unit.header->parts; p++) {
            const struct slice        counts = pass_unit_section(&walk.unit, p, PART_COUNTS);
            const struct item_counts *part = (const void *)counts.at;

            for (size_t i = 0; i < counts.len / sizeof *part; i++) {
                of->items += part[i].items;
                of->functions += part[i].functions;
            }
        }
    }
    pass_walk_close(&walk);
    return rc;
}

/* *found: half of some benchmark's items are functions.  Rank 0 reads the units and tells the others.  Collective. */
static int items_count(struct function_job *job, bool *found, struct err *err)
{
    const struct run *run = job->run;
    struct pass       pass = near_pass(job->near);
    struct bytes      all = { 0 };
    int               rc;

    pass.scanner[0] = item_scanner(job);
    pass.scanner_count = 1;
    if ((rc = pass_stream(&pass, run->shards->count, err)) < 0) return rc;
    if (comm_rank(run->comm) == 0) {
        rc = bytes_reserve(&all, (run->dataset_count + 1) * sizeof(struct item_counts));
        if (rc < 0) rc = err_memory(err, run->dataset_count * sizeof(struct item_counts), "counts of items");
        else {
            all.len = run->dataset_count * sizeof(struct item_counts);
            memset(all.at, 0, all.len);
            rc = items_sum(job, (struct item_counts *)(void *)all.at, err);
        }
    }
    rc = comm_agree(run->comm, rc, err);
    if (rc == 0) rc = comm_broadcast(run->comm, &all, err);
    for (size_t d = 0; rc == 0 && d < run->dataset_count; d++) {
        const struct item_counts *of = (const struct item_counts *)(const void *)all.at + d;

        *found |= of->functions && 2 * of->functions >= of->items;
        job->items += of->items;
        job->functions += of->functions;
    }
    bytes_free(&all);
    return comm_agree(run->comm, rc, err);
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
