/* scan/scan.c -- see scan.h. */
#include "scan/scan.h"

#include "base/log.h"
#include "clone/stages.h"

static int scan_prepare(struct scan_job *job, struct err *err)
{
    struct pass *pass = &job->pass;
    int          rc = 0;

    if (job->near && rc == 0) {
        rc = near_prepare(job->near, err);
        pass->view = job->near->options->view;
        pass->scanner[pass->scanner_count++] = near_scanner(job->near);
    }
    if (job->items && rc == 0) rc = item_collect(job->items, err);
    if (job->ngram && rc == 0) {
        rc = ngram_prepare(job->ngram, err);
        pass->scanner[pass->scanner_count++] = ngram_scanner(job->ngram);
    }
    if (job->clones && rc == 0) {
        rc = clone_prepare(job->clones, err);
        if (!job->clones->options->self) pass->scanner[pass->scanner_count++] = clone_scanner(job->clones);
    }
    if (job->repositories && rc == 0) {
        rc = repository_prepare(job->repositories, err);
        if (rc == 0) pass->scanner[pass->scanner_count++] = repository_scanner(job->repositories);
    }
    if (job->portrait && rc == 0) pass->scanner[pass->scanner_count++] = portrait_scanner(job->portrait);
    if (job->sensitive && rc == 0) {
        rc = sensitive_prepare(job->sensitive, err);
        if (rc == 0 && sensitive_has_member(job->sensitive, ROLE_BENCHMARK))
            pass->scanner[pass->scanner_count++] = sensitive_searcher(job->sensitive);
        if (rc == 0 && sensitive_has_member(job->sensitive, ROLE_CORPUS))
            pass->scanner[pass->scanner_count++] = sensitive_collector(job->sensitive, ROLE_CORPUS);
    }
    return rc;
}

int scan_run(struct scan_job *job, struct err *err)
{
    int    rc = scan_prepare(job, err);
    double started = log_seconds();

    if (rc == 0) rc = pass_stream(&job->pass, job->shard_count, err);
    if (job->near) {
        pass_totals_add(&job->near->totals, &job->pass.totals);
        job->near->seconds[NEAR_SCAN] = log_seconds() - started;
        near_release(job->near);
    }
    if (job->ngram) ngram_release(job->ngram);
    if (job->clones) {
        clone_totals_add(job->clones, &job->pass);
        job->clones->seconds[CLONE_SCAN] += log_seconds() - started;
        clone_release(job->clones);
    }
    if (job->items) pass_totals_add(&job->items->totals, &job->pass.totals);
    if (job->repositories) pass_totals_add(&job->repositories->totals, &job->pass.totals);
    if (job->sensitive) pass_totals_add(&job->sensitive->totals, &job->pass.totals);
    if (job->portrait && rc == 0) rc = portrait_make(job->portrait, err);
    return rc;
}

int scan_read_counts(const struct scan_job *job, const struct shard_list *shards, struct scan_counts *out,
                     struct err *err)
{
    struct pass pass = job->pass;

    if (job->items) pass.scanner[pass.scanner_count++] = item_collector(job->items);
    if (job->repositories) pass.scanner[pass.scanner_count++] = repository_collector(job->repositories);
    if (job->clones) pass.scanner[pass.scanner_count++] = clone_collector(job->clones);
    if (job->sensitive) pass.scanner[pass.scanner_count++] = sensitive_collector(job->sensitive, ROLE_BENCHMARK);
    return counts_read(out, &pass, shards, err);
}
