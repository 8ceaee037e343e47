/* pass/pass.c -- see pass.h: shards are opened, shared among threads and left; the rank's loop. */
#include "pass/private.h"

#include "base/environment.h"
#include "base/log.h"
#include "base/status.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void run_fail(struct pass_run *run, const struct err *err)
{
    pthread_mutex_lock(&run->lock);
    if (!run->stopped) run->err = *err;
    run->stopped = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

/* Waits, under the lock, until there may be something to do.  The main thread has other ranks to answer meanwhile. */
static void wait_for_change(struct pass_run *run, int thread)
{
    struct timespec until;

    if (thread != 0) {
        pthread_cond_wait(&run->changed, &run->lock);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&run->changed, &run->lock, &until);
}

static void shard_free(struct open_shard *shard)
{
    if (!shard) return;
    while (shard->units) {
        struct open_unit *unit = shard->units;

        shard->units = unit->next;
        pass_unit_free(unit);
    }
    source_close(shard->source);
    pthread_mutex_destroy(&shard->lock);
    free(shard);
}

/* ---- opening and helping ---- */

/* All units of the shard are committed. */
static int shard_done(struct pass_run *run, const struct shard *shard, struct err *err)
{
    uint32_t takers = pass_takers(run->pass, shard);

    for (size_t s = 0; s < run->pass->scanner_count; s++) {
        const struct pass_scanner *scanner = &run->pass->scanner[s];

        if (takers >> s & 1 && scanner->shard_done && scanner->shard_done(scanner->shared, shard, err) < 0)
            return err_add(err, "%s", shard->path);
    }
    return 0;
}

/* Whoever is the last to leave an ended shard knows that all its units are committed, unless the run has failed. */
static void shard_release(struct pass_run *run, struct open_shard *shard)
{
    struct err err = { 0 };
    bool       last, done;

    pthread_mutex_lock(&run->lock);
    last = --shard->users == 0;
    done = last && !run->stopped;
    pthread_mutex_unlock(&run->lock);
    if (done && shard_done(run, shard->shard, &err) < 0) run_fail(run, &err);
    if (last) shard_free(shard);
}

/* A stretch that somebody else makes all of is not even decoded.  The hash is for the last unit, or to compare the
 * content with that of units which are there already. */
static bool stretch_wanted(void *context, const struct stretch *stretch)
{
    struct open_shard *shard = context;
    uint64_t           first, last;

    /* also of a stretch that is passed over, so that all readers have the same units */
    if (stretch->records) pass_shard_start(shard, stretch->first_unit);
    first = stretch->first_unit == shard->first_unit ? 0 : stretch->first_unit;
    last = stretch->last_unit == shard->first_unit ? 0 : stretch->last_unit;
    return share_has_any(shard->share, first, last) || (!stretch->records && shard->reused);
}

static bool has_starts(const struct pass_run *run, uint64_t item)
{
    return item < run->starts_count && run->starts[item].at;
}

static int shard_open(struct pass_run *run, uint64_t item, struct share share, struct open_shard **out,
                      struct err *err)
{
    const struct shard *shard = pass_shard(run, item);
    struct open_shard  *opened;
    int                 rc = pass_shard_is_done(run, shard, share, err);

    *out = NULL;
    if (rc > 0) rc = shard_done(run, shard, err) < 0 ? err->code : 1;
    if (rc != 0) {
        pthread_mutex_lock(&run->lock);
        run->progress.items += share_is_first(share);
        run->progress.bytes += share_of(share, shard->bytes);
        run->found += share_of(share, shard->bytes);
        pthread_mutex_unlock(&run->lock);
        return rc < 0 ? rc : 0;
    }
    opened = calloc(1, sizeof *opened);
    if (!opened) return err_memory(err, sizeof *opened, "an open shard");
    opened->shard = shard;
    opened->share = share;
    opened->dataset = &run->pass->run->datasets[shard->dataset];
    opened->users = 1;
    pthread_mutex_init(&opened->lock, NULL);
    rc = source_open(&opened->source, opened->dataset, shard, err);
    if (rc < 0) {
        shard_free(opened);
        return err_add(err, "%s", shard->path);
    }
    source_set_unit_bytes(opened->source, pass_unit_bytes(run));
    if (share_readers(share) > 1) {
        source_set_wants(opened->source, stretch_wanted, opened);
        if (has_starts(run, item)) source_set_starts(opened->source, run->starts[item].at, run->starts[item].units);
    }
    *out = opened;
    return 0;
}

/* Something to do for this thread: its own shard, a new one, or another's; NULL when there is nothing, after a while in
 * which there may have come something.  The caller gives it back with shard_release.  *finished: there never will be
 * anything. */
static struct open_shard *take_shard(struct pass_run *run, int thread, bool *finished, struct err *err, int *rc)
{
    struct open_shard *shard = run->slot[thread], *found = NULL;
    int                threads = run->pass->run->threads;

    *rc = 0;
    *finished = false;
    if (shard && shard_has_ended(shard)) {
        pthread_mutex_lock(&run->lock);
        run->slot[thread] = NULL;
        run->progress.items += share_is_first(shard->share);
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
        shard_release(run, shard);
        shard = NULL;
    }
    while (!shard) {
        struct share share;
        uint64_t     item;

        pthread_mutex_lock(&run->lock);
        if (run->stopped || run->stock_count == 0) {
            pthread_mutex_unlock(&run->lock);
            break;
        }
        share = run->stock[run->stock_count - 1].share;
        item = run->stock[run->stock_count - 1].next++;
        if (item + 1 == run->stock[run->stock_count - 1].end) run->stock_count--;
        run->opening++;
        pthread_mutex_unlock(&run->lock);
        *rc = shard_open(run, item, share, &shard, err);
        pthread_mutex_lock(&run->lock);
        run->opening--;
        if (shard) shard->reading = ++run->readings;
        run->slot[thread] = shard;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
        if (*rc < 0) return NULL;
    }
    pthread_mutex_lock(&run->lock);
    if (run->stopped) {
        *finished = true;
    } else if (shard) {
        shard->users++;
        found = shard;
    } else {
        bool open = false;

        for (int i = 1; i < threads && !found; i++) {
            struct open_shard *other = run->slot[(thread + i) % threads];

            if (!other) continue;
            open = true;
            if (!shard_has_ended(other)) {              /* a hint; work_on looks again under the shard's lock */
                other->users++;
                found = other;
            }
        }
        *finished = !open && run->dealt_all && run->stock_count == 0 && run->opening == 0;
        if (!found && !*finished) wait_for_change(run, thread);
    }
    pthread_mutex_unlock(&run->lock);
    return found;
}

/* ---- the rank's loop ---- */

/* About how many units a shard has: what is packed becomes several times as much text.  Of a shard that has parts to be
 * passed over more of them than likely: whose share has none has done nothing for it. */
static uint64_t units_of(const struct pass_run *run, const struct shard *shard)
{
    enum { PACKED = 4, PARTED = 8 };
    const uint64_t times = shard_is_parted(shard) ? PARTED : shard_is_packed(shard) ? PACKED : 1;

    return shard->bytes * times / pass_unit_bytes(run);
}

/* Decoding is at least a quarter of the work, so one reading of a shard gives some threads enough to do: with few of
 * them it is better that they take turns than that each has a decoder's memory. */
enum { THREADS_A_READING = 3 };

static uint64_t readings_of(int64_t threads) { return ((uint64_t)threads + THREADS_A_READING - 1) / THREADS_A_READING; }

/* What was dealt, under the lock, for threads that want something; a shard whose parts can be read alone for several of
 * them.  How many have something now. */
static int64_t stock_put(struct pass_run *run, struct dealt dealt, int64_t wanting)
{
    const struct shard *shard = pass_shard(run, dealt.next);
    uint64_t            parts = 1;

    if (dealt.end == dealt.next + 1 && wanting > 1 && !run->whole &&
        (shard_is_parted(shard) || has_starts(run, dealt.next)))
        parts = least(readings_of(wanting), units_of(run, shard) / (dealt.share.others + 1ull));
    if (parts < 2) {
        run->stock[run->stock_count++] = dealt;
        return (int64_t)(dealt.end - dealt.next);
    }
    dealt.share.more = (uint32_t)parts - 1;
    for (; dealt.share.part < parts; dealt.share.part++) run->stock[run->stock_count++] = dealt;
    return (int64_t)parts;
}

static void pass_tell(const struct pass_run *run, const struct deal_progress *mine, uint64_t found)
{
    status_count(&(struct status_counts){ .items = mine->items, .item_total = run->pass->item_count,
                                          .bytes = mine->bytes, .byte_total = run->byte_total, .found = found,
                                          .documents = mine->records, .rejected = mine->rejected });
}

/* The main thread's duty between batches: keep as many items in stock as there are threads without a shard, answer
 * other ranks, show how far we are. */
static void serve(struct pass_run *run)
{
    struct deal_progress mine, all;
    uint64_t             found;
    int64_t              wanting = 0;
    bool                 stopped;

    pthread_mutex_lock(&run->lock);
    for (int i = 0; i < run->pass->run->threads; i++) wanting += !run->slot[i] || shard_has_ended(run->slot[i]);
    wanting -= run->opening;
    for (size_t i = 0; i < run->stock_count; i++) wanting -= (int64_t)(run->stock[i].end - run->stock[i].next);
    mine = run->progress;
    found = run->found;
    stopped = run->stopped;
    pthread_mutex_unlock(&run->lock);

    if (stopped) deal_stop(run->deal);
    while (wanting > 0 && !run->dealt_all) {
        uint64_t         deal;
        enum deal_answer answer = deal_next(run->deal, &deal);
        struct dealt     dealt = { 0 };

        if (answer == DEAL_WAIT) break;
        if (answer == DEAL_ITEM)
            dealt = (struct dealt){ .next = run->deal_first[deal], .end = run->deal_first[deal + 1] };
        pthread_mutex_lock(&run->lock);
        if (answer == DEAL_ITEM) wanting -= stock_put(run, dealt, wanting);
        else run->dealt_all = true;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
    deal_poll(run->deal);
    deal_report(run->deal, &mine);
    pass_tell(run, &mine, found);
    if (comm_rank(run->pass->run->comm) == 0) {
        all = deal_total(run->deal);
        log_progress(&(struct progress){ .stage = run->pass->scanner[0].kind, .shards = all.items,
                                         .shard_total = run->pass->item_count,
                                         .bytes = all.bytes, .byte_total = run->byte_total, .started = run->started });
    }
}

static void thread_run(struct pass_run *run, int thread)
{
    struct worker *worker;
    struct err     err = { 0 };
    int            rc = worker_open(&worker, run, &err);

    if (rc < 0) run_fail(run, &err);
    for (;;) {
        struct open_shard *shard;
        bool               finished;

        if (thread == 0) serve(run);
        shard = take_shard(run, thread, &finished, &err, &rc);
        if (shard) {
            rc = worker_do(worker, shard, &err);
            if (rc < 0) run_fail(run, &err);                /* before the shard is given back: it is not done then */
            shard_release(run, shard);
        } else if (rc < 0) run_fail(run, &err);
        if (finished) break;
    }
    worker_close(worker);
}

static int shard_by_size(const void *a, const void *b, void *shards)
{
    const struct shard *x = &((const struct shard *)shards)[*(const uint32_t *)a],
        *y = &((const struct shard *)shards)[*(const uint32_t *)b];

    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

struct bundles { const uint32_t *of; const uint64_t *bytes; };

static int shard_by_bundle(const void *a, const void *b, void *bundles)
{
    const struct bundles *all = bundles;
    const uint32_t        x = *(const uint32_t *)a, y = *(const uint32_t *)b, of = all->of[x], other = all->of[y];

    if (all->bytes[of] != all->bytes[other]) return all->bytes[of] < all->bytes[other] ? 1 : -1;
    return of != other ? (of > other) - (of < other) : (x > y) - (x < y);
}

static int sort_bundles(const struct pass *pass, uint32_t *item, size_t count, struct err *err)
{
    uint32_t  most = 0;
    uint64_t *bytes;

    for (size_t i = 0; i < count; i++)
        if (pass->bundle[item[i]] > most) most = pass->bundle[item[i]];
    bytes = calloc(most + (size_t)1, sizeof *bytes);
    if (!bytes) return err_memory(err, most * sizeof *bytes, "the list of shards");
    for (size_t i = 0; i < count; i++) bytes[pass->bundle[item[i]]] += pass->run->shards->at[item[i]].bytes;
    qsort_r(item, count, sizeof *item, shard_by_bundle, &(struct bundles){ pass->bundle, bytes });
    free(bytes);
    return 0;
}

/* How many should read an item if there were so many who read: as many as it is fair shares, and has units. */
static uint64_t readers_of(const struct pass_run *run, size_t item, uint64_t all)
{
    const struct shard *shard = pass_shard(run, item);
    const uint64_t      units = units_of(run, shard); /* without units there may be no bytes at all */

    return units ? least(units, (shard->bytes * all + run->byte_total / 2) / run->byte_total) : 0;
}

/* The first items, the largest, of which it may be worth while to know where records start: of all ranks' threads so
 * many may divide one.  Two of them spare each other no more than counting costs.  Collective. */
static size_t count_divided(const struct pass_run *run)
{
    enum { READERS = 3 };
    uint64_t all = readings_of(run->pass->run->threads);
    size_t   count = 0;

    comm_sum(run->pass->run->comm, &all, 1);
    while (!run->whole && count < run->pass->item_count && readers_of(run, count, all) >= READERS) count++;
    return count;
}

/* A rank that has a very large shard alone ends when the others have long had nothing to do.  So a shard that is a fair
 * share for two ranks or more has so many: each of them reads it and makes some of its units.  All of them decode it,
 * but for what can be passed over, so there are no more of them than that, and no rank has two such shards. */
static void shares_make(struct pass_run *run)
{
    const struct pass *pass = run->pass;
    const uint64_t     ranks = (uint64_t)comm_size(pass->run->comm), rank = (uint64_t)comm_rank(pass->run->comm);
    uint64_t           taken = 0;

    if (run->whole) return;
    for (; run->shared < run->pass->item_count; run->shared++) {
        const uint64_t readers = least(readers_of(run, run->shared, ranks), ranks - taken);

        if (readers < 2) break;
        if (rank >= taken && rank < taken + readers)
            stock_put(run, (struct dealt){ run->shared, run->shared + 1,
                                           { .rest = (uint32_t)(rank - taken), .others = (uint32_t)readers - 1 } },
                      pass->run->threads);
        taken += readers;
    }
}

/* Where each deal begins: items of one bundle are one. */
static int deals_make(struct pass_run *run, struct err *err)
{
    const struct pass *pass = run->pass;

    run->deal_first = calloc(pass->item_count + 1, sizeof *run->deal_first);
    if (!run->deal_first) return err_memory(err, pass->item_count * sizeof *run->deal_first, "the list of shards");
    for (size_t i = run->shared; i < pass->item_count; i++)
        if (i == run->shared || !pass->bundle || pass->bundle[pass->item[i]] != pass->bundle[pass->item[i - 1]])
            run->deal_first[run->deals++] = i;
    run->deal_first[run->deals] = pass->item_count;
    return 0;
}

bool pass_takes_benchmarks(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return dataset->role == ROLE_BENCHMARK;
}

bool pass_takes_corpora(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return dataset->role == ROLE_CORPUS;
}

int pass_take_shards(struct pass *pass, size_t shard_count, struct err *err)
{
    uint32_t *item = calloc(shard_count ? shard_count : 1, sizeof *item);
    size_t    count = 0;
    int       rc = 0;

    if (!item) return err_memory(err, shard_count * sizeof *item, "the list of shards");
    for (size_t s = 0; s < shard_count; s++)
        if (pass_takers(pass, &pass->run->shards->at[s])) item[count++] = (uint32_t)s;
    if (pass->bundle) rc = sort_bundles(pass, item, count, err);
    else qsort_r(item, count, sizeof *item, shard_by_size, (void *)(uintptr_t)pass->run->shards->at);
    pass->item = item;
    pass->item_count = count;
    return rc;
}

/* Several look at what one pass reads. */
static void stage_begins(const struct pass *pass)
{
    char   name[96] = "reading shards for ";
    size_t used = strlen(name);

    for (size_t s = 0; s < pass->scanner_count && used < sizeof name; s++)
        used += (size_t)snprintf(name + used, sizeof name - used, "%s%s", s ? ", " : "", pass->scanner[s].kind);
    status_stage(pass->stage ? pass->stage : name, "shards");
}

int pass_run(struct pass *pass, struct err *err)
{
    struct pass_run    run = { .pass = pass, .started = log_seconds() };
    pthread_condattr_t clock;
    int                rc, threads = pass->run->threads;

    run.slot = calloc((size_t)threads, sizeof *run.slot);
    run.stock = calloc((size_t)threads, sizeof *run.stock);
    for (size_t i = 0; i < pass->item_count; i++) run.byte_total += pass_shard(&run, i)->bytes;
    rc = run.slot && run.stock ? 0 : err_memory(err, (size_t)threads * 24, "the pass");
    run.whole = pass->bundle != NULL;
    for (size_t s = 0; s < pass->scanner_count; s++) run.whole |= pass->scanner[s].shard_done != NULL;
    run.starts_count = count_divided(&run);
    if ((rc = comm_agree(pass->run->comm, rc, err)) < 0 || (rc = pass_starts_make(&run, err)) < 0) goto done;
    shares_make(&run);
    rc = deals_make(&run, err);
    if ((rc = comm_agree(pass->run->comm, rc, err)) < 0) goto done;
    stage_begins(pass);
    rc = deal_open(&run.deal, pass->run->comm, run.deals, err);
    if (rc < 0) goto done;

    pthread_mutex_init(&run.lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&run.changed, &clock);
    pthread_condattr_destroy(&clock);
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_num_threads() == threads) thread_run(&run, omp_get_thread_num());
        else if (omp_get_thread_num() == 0)
            run_fail(&run, &(struct err){ -EAGAIN, "the system gave fewer threads than asked for" });
    }
    /* whoever failed may have done so after the main thread's last look */
    if (run.stopped) deal_stop(run.deal);
    deal_close(run.deal);
    pass_tell(&run, &run.progress, run.found);
    log_progress_end();
    for (int i = 0; i < threads; i++) shard_free(run.slot[i]);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    if (run.stopped) {
        *err = run.err;
        rc = run.err.code;
    }
    rc = comm_agree(pass->run->comm, rc, err);
done:
    pass_starts_free(&run);
    free(run.deal_first);
    free(run.slot);
    free(run.stock);
    return rc;
}

/* Of all ranks, on every rank. */
static void pass_sum(struct pass *pass)
{
    uint64_t sums[sizeof pass->totals / sizeof(uint64_t)], microseconds[PASS_SCANNERS + 1];

    memcpy(sums, &pass->totals, sizeof sums);
    comm_sum(pass->run->comm, sums, sizeof sums / sizeof *sums);
    memcpy(&pass->totals, sums, sizeof sums);
    for (size_t s = 0; s < PASS_SCANNERS; s++) microseconds[s] = (uint64_t)(pass->scanner[s].seconds * 1e6);
    microseconds[PASS_SCANNERS] = (uint64_t)(pass->seconds * 1e6);
    comm_sum(pass->run->comm, microseconds, PASS_SCANNERS + 1);
    for (size_t s = 0; s < PASS_SCANNERS; s++) pass->scanner[s].seconds = (double)microseconds[s] / 1e6;
    pass->seconds = (double)microseconds[PASS_SCANNERS] / 1e6;
}
_Static_assert(sizeof(struct pass_totals) == 6 * sizeof(uint64_t), "summed as numbers");

int pass_add(struct pass *pass, struct pass_scanner scanner, struct err *err)
{
    if (pass->scanner_count == PASS_SCANNERS)
        return err_set(err, -E2BIG, "more than %d scanners in one pass", PASS_SCANNERS);
    pass->scanner[pass->scanner_count++] = scanner;
    return 0;
}

int pass_stream(struct pass *pass, size_t shard_count, struct err *err)
{
    const double started = log_seconds();
    int          rc = comm_agree(pass->run->comm, pass_take_shards(pass, shard_count, err), err);

    if (rc == 0 && pass->item_count) rc = pass_run(pass, err);
    pass_sum(pass);
    free((void *)(uintptr_t)pass->item);
    pass->item = NULL;
    environment_give_memory();                              /* parts were on every thread's heap, which would keep it */
    pass->wall = log_seconds() - started;
    return rc;
}
