/* scan/near.c -- the stages of the join in order.
 *
 *   collect   resident shards -> rows and features                       units by shard
 *   index     rank 0, from the collected units                           one file (two when corpora are resident too)
 *   join      the index of all residents with itself                     units by block of classes
 *   scan      streamed shards past the index of benchmarks               units by shard */
#include "scan/result.h"
#include "scan/stages.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

static struct unit_key options_key(const struct near_job *job)
{
    const struct near_options *o = job->options;
    uint64_t number[] = { (uint64_t)o->view.kind, o->view.n, o->view.backoff, o->view.across_languages, o->view.published, o->min_tokens,
                          job->store_text, job->store_tokens };

    return unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, job->version, strlen(job->version)), number, sizeof number);
}

static int shard_by_size(const void *a, const void *b, void *shards)
{
    const struct shard *x = &((const struct shard *)shards)[*(const uint32_t *)a], *y = &((const struct shard *)shards)[*(const uint32_t *)b];

    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

/* A pass over the resident or the streamed shards, largest first so that no rank ends late. */
static int pass_make(const struct near_job *job, bool resident, struct pass *out, struct err *err)
{
    uint32_t *item = calloc(job->shards->count ? job->shards->count : 1, sizeof *item);
    size_t    count = 0;

    if (!item) return err_memory(err, job->shards->count * sizeof *item, "the list of shards");
    for (size_t s = 0; s < job->shards->count; s++)
        if (near_resident(&job->datasets[job->shards->at[s].dataset]) == resident) item[count++] = (uint32_t)s;
    qsort_r(item, count, sizeof *item, shard_by_size, job->shards->at);
    *out = (struct pass){ .comm = job->comm, .stage = job->stage, .datasets = job->datasets, .shards = job->shards->at, .item = item,
                          .item_count = count, .view = job->options->view, .min_tokens = job->options->min_tokens, .threads = job->threads };
    return 0;
}

int near_pass_collect(const struct near_job *job, struct pass *out, struct err *err)
{
    int rc = pass_make(job, true, out, err);

    out->kind = "collect";
    out->key = options_key(job);
    out->open_scanner = collect_open;
    return rc;
}

int near_pass_scan(const struct near_job *job, const struct unit_key *index_key, struct pass *out, struct err *err)
{
    int rc = pass_make(job, false, out, err);

    out->kind = "scan";
    out->key = unit_key_add(options_key(job), index_key, sizeof *index_key);
    out->open_scanner = match_open;
    return rc;
}

/* An index depends on what its documents are made of: the options and the resident shards. */
struct unit_key near_index_key(const struct near_job *job, enum index_of of)
{
    const struct near_options *o = job->options;
    struct unit_key key = unit_key_add(options_key(job), &of, sizeof of);
    struct ratio    ratio[] = { o->set_threshold, o->multiset_threshold, o->containment_threshold, o->report_floor };

    key = unit_key_add(key, ratio, sizeof ratio);
    for (size_t s = 0; s < job->shards->count; s++) {
        const struct shard   *shard = &job->shards->at[s];
        const struct dataset *dataset = &job->datasets[shard->dataset];
        struct unit_key       unit;

        if (of == INDEX_BENCHMARKS ? dataset->role != ROLE_BENCHMARK : !near_resident(dataset)) continue;
        unit = pass_unit_key(&(struct pass){ .datasets = job->datasets, .key = options_key(job) }, shard, 0);
        key = unit_key_add(key, &unit, sizeof unit);
        key = unit_key_add(key, &dataset->role, sizeof dataset->role);
    }
    return key;
}

static int run_pass(struct near_job *job, struct pass *pass, struct err *err)
{
    int rc = pass->item_count ? pass_run(pass, err) : 0;

    job->totals.documents += pass->totals.documents;
    job->totals.rejected += pass->totals.rejected;
    job->totals.bytes += pass->totals.bytes;
    job->totals.text_bytes += pass->totals.text_bytes;
    job->totals.units += pass->totals.units;
    job->totals.units_reused += pass->totals.units_reused;
    return rc;
}

/* Resident documents must fit memory: said before it runs out.  Units are mapped; the builder takes about 60 bytes a feature. */
static int memory_check(const struct near_job *job, const struct near_residents *residents, struct err *err)
{
    uint64_t bytes = residents->count * (sizeof *residents->document + sizeof(struct index_document) + 64);

    for (size_t u = 0; u < residents->unit_count; u++) bytes += residents->unit[u].file.bytes;
    for (size_t d = 0; d < residents->count; d++) bytes += 60ull * residents->document[d].row->value_count;
    if (!job->memory || bytes <= job->memory) return 0;
    return err_set(err, -ENOMEM, "benchmarks and corpora with self_join need about %llu MB in memory, more than `memory` (%llu MB): "
                   "leave self_join off for the largest corpus, or raise `memory`",
                   (unsigned long long)(bytes >> 20), (unsigned long long)(job->memory >> 20));
}

/* Rank 0 builds the index unless it is there; then every rank maps it.  Collective. */
static int index_get(const struct near_job *job, enum index_of of, struct near_index *out, struct err *err)
{
    struct unit_key key = near_index_key(job, of);
    int             rc = 0, found = 0;

    *out = (struct near_index){ 0 };
    if (comm_rank(job->comm) == 0) {
        struct near_residents residents = { 0 };

        rc = found = near_index_open(job->stage, key, out, err);
        if (rc >= 0) rc = near_residents_read(job, &residents, err);
        if (rc == 0) rc = memory_check(job, &residents, err);
        if (rc == 0 && !found) {
            struct index_document *documents = malloc((residents.count + 1) * sizeof *documents);
            size_t                 count = 0;

            if (!documents) rc = err_memory(err, residents.count * sizeof *documents, "the list of documents");
            for (size_t d = 0; documents && d < residents.count; d++) {
                const struct near_document *r = &residents.document[d];
                bool benchmark = job->datasets[r->dataset].role == ROLE_BENCHMARK;

                if (of == INDEX_BENCHMARKS && !benchmark) continue;
                documents[count++] = (struct index_document){ r->row, r->hash, r->times, benchmark };
            }
            if (documents) rc = near_index_build(job->stage, key, job->options, documents, count, job->threads, err);
            free(documents);
        }
        near_residents_free(&residents);
    }
    if ((rc = comm_agree(job->comm, rc, err)) < 0) return rc;
    if (!found) found = near_index_open(job->stage, key, out, err);
    if (found == 0) found = err_set(err, -EIO, "%s: the index that rank 0 has just written is not there; is the folder shared by all hosts?",
                                    stage_dir(job->stage));
    return comm_agree(job->comm, found < 0 ? found : 0, err);
}

static void stage_ended(struct near_job *job, enum near_stage stage, double *started)
{
    double now = log_seconds();

    job->seconds[stage] = now - *started;
    *started = now;
}

int near_run(struct near_job *job, struct err *err)
{
    struct pass         collect = { 0 }, scan = { 0 };
    struct near_index   benchmarks = { 0 }, residents = { 0 };
    struct unit_key     key = near_index_key(job, INDEX_BENCHMARKS);
    struct match_shared match = { job, &benchmarks };
    uint64_t            sums[6];
    bool                corpora = false;
    double              started;
    int                 rc;

    for (size_t d = 0; d < job->dataset_count; d++) corpora |= job->datasets[d].self_join;
    rc = near_pass_collect(job, &collect, err);
    if (rc == 0) rc = near_pass_scan(job, &key, &scan, err);
    if ((rc = comm_agree(job->comm, rc, err)) < 0) goto done;
    collect.shared = &(struct collect_shared){ job };
    scan.shared = &match;

    started = log_seconds();
    if ((rc = run_pass(job, &collect, err)) < 0) goto done;
    stage_ended(job, NEAR_COLLECT, &started);
    if ((corpora ? scan.item_count > 0 : true) && (rc = index_get(job, INDEX_BENCHMARKS, &benchmarks, err)) < 0) goto done;
    if (corpora && (rc = index_get(job, INDEX_RESIDENTS, &residents, err)) < 0) goto done;
    stage_ended(job, NEAR_INDEX, &started);
    rc = near_join(job, corpora ? &residents : &benchmarks, near_index_key(job, corpora ? INDEX_RESIDENTS : INDEX_BENCHMARKS), err);
    if (rc < 0) goto done;
    stage_ended(job, NEAR_JOIN, &started);
    rc = run_pass(job, &scan, err);
    stage_ended(job, NEAR_SCAN, &started);
done:
    memcpy(sums, &job->totals, sizeof sums);
    comm_sum(job->comm, sums, 6);
    memcpy(&job->totals, sums, sizeof sums);
    near_index_close(&benchmarks);
    near_index_close(&residents);
    free((void *)collect.item);
    free((void *)scan.item);
    return rc;
}
