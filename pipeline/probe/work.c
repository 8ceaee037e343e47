/* probe/work.c -- see work.h.
 *
 * A block may take a model minutes.  So the main thread of a rank asks no model: it serves the others, takes blocks and
 * hands them to the rank's workers, each with a session of its own. */
#include "probe/work.h"

#include "base/log.h"
#include "base/status.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAY_EVERY = 60 };                                    /* seconds */

struct work_run {
    struct work     *work;
    struct model    *model;
    int              workers;
    pthread_mutex_t  lock;                                  /* of what follows */
    uint64_t        *stock;                                 /* [workers] blocks taken, for whichever worker is free */
    int              stock_count, working;
    bool             dealt_all, stopped;
    struct err       err;                                   /* the first failure */
    uint64_t         asked, found;
};

static void run_fail(struct work_run *run, const struct err *err)
{
    pthread_mutex_lock(&run->lock);
    if (!run->stopped) run->err = *err;
    run->stopped = true;
    pthread_mutex_unlock(&run->lock);
}

static void worker(struct work_run *run)
{
    struct model_session *session = NULL;
    struct err            err = { 0 };
    bool                  finished = false;
    int                   rc = model_session_open(&session, run->model, &err);

    while (rc >= 0 && !finished) {
        uint64_t block = 0;
        bool     taken = false;

        pthread_mutex_lock(&run->lock);
        taken = run->stock_count && !run->stopped;
        if (taken) block = run->stock[--run->stock_count];
        finished = run->stopped || (!taken && run->dealt_all);
        pthread_mutex_unlock(&run->lock);
        if (taken) {
            rc = run->work->block(run->work, session, block, &err);
            pthread_mutex_lock(&run->lock);
            run->asked += rc == 1;
            run->found += rc == 0;
            pthread_mutex_unlock(&run->lock);
        } else if (!finished) nanosleep(&(struct timespec){ 0, 500000 }, NULL);
    }
    if (rc < 0) run_fail(run, &err);
    model_session_close(session);
    pthread_mutex_lock(&run->lock);
    run->working--;
    pthread_mutex_unlock(&run->lock);
}

/* The main thread, until its workers are through; others may still ask for their blocks then. */
static void serve(struct work_run *run, struct deal *deal)
{
    const double started = log_seconds();
    /* models are slow: the log tells now and then how far they are */
    double       said = started;

    for (bool over = false; !over;) {
        uint64_t             item;
        enum deal_answer     answer = DEAL_ITEM;
        struct deal_progress mine, all;
        int                  room;

        pthread_mutex_lock(&run->lock);
        room = run->dealt_all || run->stopped ? 0 : run->workers - run->stock_count;
        mine = (struct deal_progress){ .items = run->asked + run->found };
        over = run->working == 0;
        if (run->stopped) deal_stop(deal);
        pthread_mutex_unlock(&run->lock);
        for (; room > 0 && answer == DEAL_ITEM; room--) {
            answer = deal_next(deal, &item);
            pthread_mutex_lock(&run->lock);
            if (answer == DEAL_ITEM) run->stock[run->stock_count++] = item;
            run->dealt_all = answer == DEAL_NONE;
            pthread_mutex_unlock(&run->lock);
        }
        deal_poll(deal);
        deal_report(deal, &mine);
        status_items(mine.items, run->work->blocks);
        if (comm_rank(run->work->comm) == 0) {
            all = deal_total(deal);
            log_progress(&(struct progress){ .stage = run->work->info.name, .shards = all.items,
                                             .shard_total = run->work->blocks, .started = started, .unit = "blocks" });
            if (log_seconds() - said >= SAY_EVERY && all.items < run->work->blocks) {
                log_info("%s: blocks=%llu of %llu", run->work->info.name, (unsigned long long)all.items,
                         (unsigned long long)run->work->blocks);
                said = log_seconds();
            }
        }
        if (!over) nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    log_progress_end();
}

static int workers_run(struct work_run *run, struct deal *deal, struct err *err)
{
    char stage[96];

    snprintf(stage, sizeof stage, "asking model %.64s", run->work->info.name);
    status_stage(stage, "blocks");
    run->working = run->workers;
    pthread_mutex_init(&run->lock, NULL);
#pragma omp parallel num_threads(run->workers + 1)
    {
        if (omp_get_num_threads() != run->workers + 1) {
            if (omp_get_thread_num() == 0)
                run_fail(run, &(struct err){ -EAGAIN, "the system gave fewer threads than asked for" });
        } else if (omp_get_thread_num() != 0) worker(run);
        else serve(run, deal);
    }
    if (run->stopped) deal_stop(deal);
    pthread_mutex_destroy(&run->lock);
    if (run->stopped) *err = run->err;
    return run->stopped ? run->err.code : 0;
}

static struct model_options share_of(const struct model_options *options, const struct comm *comm)
{
    const uint32_t       ranks = (uint32_t)comm_size(comm);
    struct model_options share = *options;

    if (share.budget) share.budget = share.budget / ranks + !(share.budget / ranks);
    if (share.rate) share.rate = share.rate / ranks + !(share.rate / ranks);
    if (share.concurrency) share.concurrency = share.concurrency / ranks + !(share.concurrency / ranks);
    return share;
}

/* Sessions that wait for a server are not bound to cores. */
static int workers_of(const struct work *work)
{
    const int most = work->info.parallel ? (int)work->info.parallel : 1;

    return work->options->backend == MODEL_HTTP || most < work->threads ? most : work->threads;
}

int work_run(struct work *work, struct err *err)
{
    const struct model_options options = share_of(work->options, work->comm);
    struct work_run            run = { .work = work };
    struct deal               *deal = NULL;
    uint64_t                   sums[2];
    int                        rc = comm_agree(work->comm, model_open(&run.model, &options, err), err);
    const bool                 opened = rc == 0;

    work->asked = work->found = 0;
    if (rc == 0) {
        work->info = *model_info(run.model);
        work->info.name = work->options->name;
        run.workers = workers_of(work);
        run.stock = calloc((size_t)run.workers, sizeof *run.stock);
        rc = comm_agree(work->comm, run.stock ? 0 : err_memory(err, (size_t)run.workers * sizeof *run.stock, "blocks"),
                        err);
    }
    if (rc == 0) rc = deal_open(&deal, work->comm, work->blocks, err);
    if (rc == 0) rc = workers_run(&run, deal, err);
    if (deal) deal_close(deal);
    rc = comm_agree(work->comm, rc, err);
    model_close(run.model);
    free(run.stock);
    sums[0] = run.asked, sums[1] = run.found;
    comm_sum(work->comm, sums, 2);
    work->asked = sums[0], work->found = sums[1];
    if (rc < 0 && opened) err_add(err, "model %s", work->options->name);    /* model_open names it itself */
    return rc;
}
