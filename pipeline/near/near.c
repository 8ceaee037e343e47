/* near/near.c -- the stages of the join in order.
 *
 *   collect   resident shards -> rows and features                       units by shard
 *   index     rank 0, from the collected units                           one file (two when corpora are resident too)
 *   join      the index of all residents with itself                     units by block of classes
 *   scan      streamed shards past the index of benchmarks               units by shard */
#include "near/result.h"
#include "near/stages.h"

#include "base/log.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>

/* Of rows and of the index. */
enum { UNIT_FORMAT = 6 };

/* Rows of residents do not depend on min_tokens, which may be chosen by them. */
static struct unit_key options_key(const struct near_job *job)
{
    const struct near_options *o = job->options;
    uint64_t number[] = { UNIT_FORMAT, (uint64_t)o->view.kind, o->view.n, o->view.backoff, o->view.across_languages,
                          o->view.published, job->run->store_text, job->run->store_tokens };

    return unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version)), number,
                        sizeof number);
}

static bool takes_resident(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return near_resident(dataset);
}
static bool takes_streamed(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return !near_resident(dataset);
}

struct pass near_pass(const struct near_job *job)
{
    const bool there = job->benchmarks && job->benchmarks->dictionary.filter;

    return (struct pass){ .run = job->run, .view = job->options->view,
                          .dictionary = there ? &job->benchmarks->dictionary : NULL };
}

struct pass_scanner near_collector(const struct near_job *job)
{
    return (struct pass_scanner){ .kind = "collect", .key = options_key(job), .needs = PASS_FEATURES,
                                  .min_tokens = 1, .takes = takes_resident, .open = collect_open,
                                  .shared = (void *)(uintptr_t)job };
}

struct pass_scanner near_scanner(const struct near_job *job)
{
    struct unit_key index = near_index_key(job, INDEX_BENCHMARKS);

    for (uint32_t d = 0; d < job->run->dataset_count; d++)
        if (job->run->datasets[d].unit == UNIT_FUNCTION) index = unit_key_add(index, &d, sizeof d);

    return (struct pass_scanner){ .kind = "near", .key = unit_key_add(options_key(job), &index, sizeof index),
                                  .needs = PASS_FEATURES,
                                  .min_tokens = job->minimums.streamed ? job->minimums.streamed
                                      : job->options->min_tokens,
                                  .known = true, .takes = takes_streamed, .open = match_open,
                                  .shared = (void *)(uintptr_t)job };
}

/* An index depends on what its documents are made of: the options and the resident shards. */
struct unit_key near_index_key(const struct near_job *job, enum index_of of)
{
    const struct near_options *o = job->options;
    struct unit_key key = unit_key_add(options_key(job), &of, sizeof of);
    struct ratio    ratio[] = { o->set_threshold, o->multiset_threshold, o->containment_threshold, o->report_floor };

    key = unit_key_add(key, ratio, sizeof ratio);
    if (o->containment_auto) key = unit_key_add(key, "auto", 4);
    for (size_t d = 0; d < job->run->dataset_count; d++) {
        uint32_t least[] = { near_admits(job, (uint32_t)d), job->minimums.number ? job->minimums.number[d] : 0 };

        key = unit_key_add(key, least, sizeof least);
    }
    for (size_t s = 0; s < job->run->shards->count; s++) {
        const struct shard   *shard = &job->run->shards->at[s];
        const struct dataset *dataset = &job->run->datasets[shard->dataset];
        struct unit_key       unit;

        if (of == INDEX_BENCHMARKS ? dataset->role != ROLE_BENCHMARK : !near_resident(dataset)) continue;
        unit = pass_unit_key(job->run->datasets, options_key(job), shard, 0);
        key = unit_key_add(key, &unit, sizeof unit);
        key = unit_key_add(key, &dataset->role, sizeof dataset->role);
    }
    return key;
}

/* Resident documents must fit memory: said before it runs out.  Units are mapped; the builder takes about 60 bytes a
 * feature. */
static int memory_check(const struct near_job *job, const struct near_residents *residents, struct err *err)
{
    uint64_t bytes = residents->count * (sizeof *residents->document + sizeof *residents->features +
                                        sizeof(struct index_document) + 64);

    for (size_t u = 0; u < residents->units.count; u++) bytes += residents->units.at[u].file.bytes;
    for (size_t d = 0; d < residents->count; d++) bytes += 60ull * residents->document[d].row->value_count;
    return run_memory_check(job->run, false, bytes, "benchmarks and corpora with self_join",
                            "or leave self_join off for the largest corpus", err);
}

/* Rank 0 builds the index unless it is there; then every rank maps it.  Collective. */
static int index_get(const struct near_job *job, enum index_of of, struct near_index *out, struct err *err)
{
    struct unit_key key = near_index_key(job, of);
    int             rc = 0, found = 0;

    *out = (struct near_index){ 0 };
    if (comm_rank(job->run->comm) == 0) {
        struct near_residents residents = { 0 };

        rc = found = near_index_open(job->run->stage, key, out, err);
        if (rc >= 0) rc = near_residents_read(job, &residents, err);
        if (rc == 0) rc = memory_check(job, &residents, err);
        if (rc == 0 && !found) {
            struct index_document *documents = malloc((residents.count + 1) * sizeof *documents);
            size_t                 count = 0;

            if (!documents) rc = err_memory(err, residents.count * sizeof *documents, "the list of documents");
            for (size_t d = 0; documents && d < residents.count; d++) {
                const struct near_document *r = &residents.document[d];
                bool benchmark = job->run->datasets[r->dataset].role == ROLE_BENCHMARK;

                if (of == INDEX_BENCHMARKS && !benchmark) continue;
                documents[count++] = (struct index_document){
                    r->row, residents.features[d].hash, residents.features[d].times, benchmark, r->admitted,
                    minimums_level(&job->minimums, job->run->datasets, r->dataset) };
            }
            if (documents)
                rc = near_index_build(job->run->stage, key, job->options, &job->minimums, documents, count,
                                      job->run->threads, err);
            free(documents);
        }
        near_residents_free(&residents);
    }
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) return rc;
    if (!found) found = near_index_open(job->run->stage, key, out, err);
    if (found == 0)
        found = err_set(err, -EIO,
                        "%s: the index that rank 0 has just written is not there; is the folder shared by all hosts?",
                                    stage_dir(job->run->stage));
    return comm_agree(job->run->comm, found < 0 ? found : 0, err);
}

static void stage_ended(struct near_job *job, enum near_stage stage, double *started)
{
    double now = log_seconds();

    job->seconds[stage] = now - *started;
    *started = now;
}

static bool any_streamed(const struct near_job *job)
{
    for (size_t s = 0; s < job->run->shards->count; s++)
        if (!near_resident(&job->run->datasets[job->run->shards->at[s].dataset])) return true;
    return false;
}

static int collect_run(struct near_job *job, struct err *err)
{
    struct pass collect = near_pass(job);
    int         rc;

    collect.scanner[0] = near_collector(job);
    collect.scanner_count = 1;
    collect.stage = "collecting benchmarks";
    rc = pass_stream(&collect, job->run->shards->count, err);
    pass_totals_add(&job->totals, &collect.totals);
    return rc;
}

/* Rank 0 counts the items' features where numbers are to be chosen; then every rank makes the same.  Collective. */
static int minimums_get(struct near_job *job, struct err *err)
{
    const size_t         count = job->run->dataset_count;
    const bool           ask = minimums_ask(job->run->datasets, count, job->options->min_tokens);
    struct near_lengths *lengths = calloc(count + 1, sizeof *lengths);
    struct bytes         all = { 0 };
    int                  rc = lengths ? 0 : err_memory(err, count * sizeof *lengths, "the items' lengths");

    minimums_free(&job->minimums);
    if (ask && rc == 0 && comm_rank(job->run->comm) == 0) {
        struct near_residents residents = { 0 };

        rc = near_residents_read(job, &residents, err);
        for (size_t d = 0; rc == 0 && d < residents.count; d++)
            lengths_add(&lengths[residents.document[d].dataset], residents.document[d].row->total);
        near_residents_free(&residents);
        if (rc == 0 && bytes_append(&all, lengths, count * sizeof *lengths) < 0)
            rc = err_memory(err, count * sizeof *lengths, "the items' lengths");
    }
    rc = comm_agree(job->run->comm, rc, err);
    if (ask && rc == 0) rc = comm_broadcast(job->run->comm, &all, err);
    if (ask && rc == 0) memcpy(lengths, all.at, count * sizeof *lengths);
    if (rc == 0)
        rc = minimums_make(&job->minimums, job->run->datasets, count, job->options->min_tokens, lengths, err);
    free(lengths);
    bytes_free(&all);
    return comm_agree(job->run->comm, rc, err);
}

int near_prepare(struct near_job *job, struct err *err)
{
    struct near_index residents = { 0 };
    bool              corpora = false;
    double            started = log_seconds();
    int               rc;

    for (size_t d = 0; d < job->run->dataset_count; d++) corpora |= job->run->datasets[d].self_join;
    job->benchmarks = calloc(1, sizeof *job->benchmarks);
    rc = job->benchmarks ? 0 : err_memory(err, sizeof *job->benchmarks, "the index");
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) return rc;
    if ((rc = collect_run(job, err)) < 0 || (rc = minimums_get(job, err)) < 0) return rc;
    stage_ended(job, NEAR_COLLECT, &started);
    status_stage("indexing", NULL);
    if ((corpora ? any_streamed(job) : true) && (rc = index_get(job, INDEX_BENCHMARKS, job->benchmarks, err)) < 0)
        return rc;
    if (any_streamed(job))
        run_memory_warn(job->run, job->benchmarks->file.bytes +
                        (uint64_t)job->run->threads * match_need(job->benchmarks), "near_duplicates: the search");
    if (corpora && (rc = index_get(job, INDEX_RESIDENTS, &residents, err)) < 0) return rc;
    stage_ended(job, NEAR_INDEX, &started);
    rc = near_join(job, corpora ? &residents : job->benchmarks,
                   near_index_key(job, corpora ? INDEX_RESIDENTS : INDEX_BENCHMARKS), err);
    near_index_close(&residents);
    stage_ended(job, NEAR_JOIN, &started);
    return rc;
}

void near_release(struct near_job *job)
{
    if (job->benchmarks) near_index_close(job->benchmarks);
    free(job->benchmarks);
    job->benchmarks = NULL;
}
