/* function/items.c -- are the benchmarks' items functions?  A pass over them that counts, and keeps those that are too
 * short to be compared but as copies. */
#include "function/function.h"
#include "function/shorts.h"

#include <errno.h>
#include <stdlib.h>

/* What a unit's part holds, in PART_COUNTS; in PART_VALUES, struct short_item. */
struct item_counts { uint64_t items, functions; };

struct counter {
    struct scanner         scanner;                         /* first: what the pass sees */
    const struct near_job *near;
    struct item_counts     counts;
    struct bytes           scratch;
};

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
    struct counter   *c = (struct counter *)scanner;
    struct short_item item;

    c->counts.items++;
    c->counts.functions += is_function(document);
    if (document->features.count && document->features.count >= near_admits(c->near, document->shard->dataset))
        return 0;
    return short_item_of(document->record->text, document->features, &c->scratch, &item) < 0 ||
        bytes_append(&part->section[PART_VALUES], &item, sizeof item) < 0
        ? err_memory(err, sizeof item, "a part's items") : 0;
}

static int count_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct counter *c = (struct counter *)scanner;

    return bytes_append(&part->section[PART_COUNTS], &c->counts, sizeof c->counts) < 0
        ? err_memory(err, sizeof c->counts, "a part's counts") : 0;
}

static void count_close(struct scanner *scanner)
{
    bytes_free(&((struct counter *)scanner)->scratch);
    free(scanner);
}

static int count_open(void *shared, struct scanner **out, struct err *err)
{
    struct counter *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->near = shared;
    c->scanner = (struct scanner){ .begin = count_begin, .document = count_document, .end = count_end,
                                   .close = count_close };
    *out = &c->scanner;
    return 0;
}

static struct pass_scanner item_scanner(const struct function_job *job)
{
    struct pass_scanner   scanner = near_collector(job->near);
    const struct unit_key index = near_index_key(job->near, INDEX_BENCHMARKS);      /* which items are too short */
    const uint32_t        format = 2;

    scanner.kind = "function_items";
    scanner.key = unit_key_add(unit_key_add(scanner.key, &index, sizeof index), &format, sizeof format);
    scanner.key = function_key(job, scanner.key);
    scanner.functions = true;
    scanner.takes = pass_takes_benchmarks;
    scanner.open = count_open;
    scanner.shared = (void *)(uintptr_t)job->near;
    return scanner;
}

/* Adds up what the units say, by dataset: *all begins with the sums, to which the short items are added. */
static int items_sum(const struct function_job *job, struct bytes *all, struct err *err)
{
    const struct pass_scanner scanner = item_scanner(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        const uint32_t dataset = job->run->shards->at[walk.unit.shard].dataset;

        for (uint64_t p = 0; p < walk.unit.header->parts; p++) {
            const struct slice        counts = pass_unit_section(&walk.unit, p, PART_COUNTS);
            const struct item_counts *part = (const void *)counts.at;
            struct item_counts       *of = (struct item_counts *)(void *)all->at + dataset;

            for (size_t i = 0; i < counts.len / sizeof *part; i++) {
                of->items += part[i].items;
                of->functions += part[i].functions;
            }
            if (bytes_append_slice(all, pass_unit_section(&walk.unit, p, PART_VALUES)) < 0) {
                pass_walk_close(&walk);
                return err_memory(err, all->len, "short items");
            }
        }
    }
    pass_walk_close(&walk);
    return rc;
}

/* *found: half of some benchmark's items are functions.  Rank 0 reads the units and tells the others.  Collective. */
static int items_read(struct function_job *job, bool *found, struct err *err)
{
    const struct run *run = job->run;
    struct pass       pass = near_pass(job->near);
    struct bytes      all = { 0 };
    const size_t      sums = run->dataset_count * sizeof(struct item_counts);
    int               rc;

    pass.scanner[0] = item_scanner(job);
    pass.scanner_count = 1;
    if ((rc = pass_stream(&pass, run->shards->count, err)) < 0) return rc;
    if (comm_rank(run->comm) == 0) {
        rc = bytes_reserve(&all, sums + sizeof(struct item_counts));
        if (rc < 0) rc = err_memory(err, sums, "counts of items");
        else {
            all.len = sums;
            memset(all.at, 0, all.len);
            rc = items_sum(job, &all, err);
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
    if (rc == 0)
        rc = shorts_make(&job->shorts, (const struct short_item *)(const void *)(all.at + sums),
                         (all.len - sums) / sizeof(struct short_item), err);
    bytes_free(&all);
    return comm_agree(run->comm, rc, err);
}

int function_prepare(struct function_job *job, struct err *err)
{
    const struct run          *run = job->run;
    const struct view_options *view = &job->near->options->view;
    bool                       asked = false, cut = false, found = false;
    int                        rc;

    job->compared = calloc(run->dataset_count + 1, sizeof *job->compared);
    rc = comm_agree(run->comm, job->compared ? 0 : err_memory(err, run->dataset_count, "datasets"), err);
    for (size_t d = 0; d < run->dataset_count; d++) {
        asked |= !near_resident(&run->datasets[d]) && run->datasets[d].unit == UNIT_AUTO;
        cut |= !near_resident(&run->datasets[d]) && run->datasets[d].unit == UNIT_FUNCTION;
    }
    cut &= view->functions == FUNCTIONS_FAST;               /* its scanner asks for the short items */
    if (rc == 0 && (asked || cut) && view_has_functions(view)) rc = items_read(job, &found, err);
    if (!asked) job->items = job->functions = 0;
    for (size_t d = 0; rc == 0 && d < run->dataset_count; d++)
        job->compared[d] = near_in_functions(&run->datasets[d]) && (found || run->datasets[d].unit == UNIT_FUNCTION);
    return rc;
}

void function_release(struct function_job *job)
{
    free(job->compared);
    shorts_free(job->shorts);
    job->compared = NULL;
    job->shorts = NULL;
}

bool function_any(const struct function_job *job)
{
    bool any = false;

    for (size_t d = 0; job->compared && d < job->run->dataset_count; d++) any |= job->compared[d];
    return any;
}
