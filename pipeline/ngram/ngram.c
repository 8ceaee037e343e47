/* ngram/ngram.c -- the stages of the overlap before the scan.
 *
 *   items     benchmark shards -> fields of items, as words                units by shard
 *   table     rank 0, from the collected units                             one file */
#include "ngram/index.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

struct ngram_job ngram_job_of(const struct run *run, const struct ngram_options *options)
{
    /* a lexer reads texts in their own case */
    const bool both = options->letters == NGRAM_SOURCE && options->unit == NGRAM_WORDS;

    return (struct ngram_job){ .run = run, .options = options, .fold = both || options->letters == NGRAM_FOLD,
                               .both = both };
}

/* A field that no item of a benchmark has is most likely misspelt. */
static void fields_check(const struct ngram_job *job, const struct ngram_index *index)
{
    for (uint32_t d = 0; d < job->run->dataset_count; d++) {
        for (uint32_t f = 0; job->run->datasets[d].role == ROLE_BENCHMARK && f < job->options->fields; f++) {
            uint32_t e = 0;

            while (e < index->entries && (index->entry[e].field != f ||
                                          job->run->shards->at[index->entry[e].shard].dataset != d))
                e++;
            if (e == index->entries && job->options->field[f].source)
                log_warn("ngrams: no record of %s has a text in its field `%s` (fields.%s)", job->run->datasets[d].name,
                         job->options->field[f].source,
                         job->options->field[f].name);
        }
    }
}

/* Rank 0 builds the table unless it is there; then every rank maps it.  Collective. */
static int index_get(struct ngram_job *job, struct err *err)
{
    struct unit_key key = ngram_index_key(job);
    int             rc = 0, found = 0;

    if (comm_rank(job->run->comm) == 0) {
        rc = found = ngram_index_open(job->run->stage, key, job->index, err);
        if (rc == 0) rc = ngram_index_build(job, key, err);
    }
    if ((rc = comm_agree(job->run->comm, rc < 0 ? rc : 0, err)) < 0) return rc;
    if (!found) found = ngram_index_open(job->run->stage, key, job->index, err);
    if (found == 0)
        found = err_set(err, -EIO, "%s: the table of n-grams that rank 0 has just written is not there; is the folder "
                                   "shared by all hosts?",
                                    stage_dir(job->run->stage));
    return comm_agree(job->run->comm, found < 0 ? found : 0, err);
}

int ngram_prepare(struct ngram_job *job, struct err *err)
{
    struct pass pass = { .run = job->run,
                         .scanner = { ngram_collector(job) }, .scanner_count = 1 };
    int         rc;

    job->index = calloc(1, sizeof *job->index);
    rc = comm_agree(job->run->comm, job->index ? 0 : err_memory(err, sizeof *job->index, "the table of n-grams"), err);
    if (rc == 0) rc = pass_stream(&pass, job->run->shards->count, err);
    if (rc == 0) rc = index_get(job, err);
    if (rc == 0 && comm_rank(job->run->comm) == 0) fields_check(job, job->index);
    return rc;
}

bool ngram_warn_scan(const struct ngram_job *job)
{
    return run_memory_warn(job->run, job->index->file.bytes + ngram_scan_need(job) *
                           (uint64_t)job->run->threads, "ngrams: the search for n-grams");
}

void ngram_release(struct ngram_job *job)
{
    if (job->index) ngram_index_close(job->index);
    free(job->index);
    job->index = NULL;
}
