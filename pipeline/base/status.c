/* base/status.c -- see status.h.
 *
 * A file is opened for each record and closed behind it: on a network file system that is when others get to see it.
 * One mutex guards the one static state, but for the file, which is the thread's until it has ended. */
#include "base/status.h"

#include "base/file.h"
#include "base/log.h"
#include "base/stage_private.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_EVERY = 1000, STATUS_TOGETHER = 64, STATUS_SAMPLES = 10 };    /* ms; ranks that write so often; records */

struct status_sample { int64_t at; uint64_t bytes; };       /* ms, and the bytes read by then */

static struct {
    pthread_mutex_t      lock;
    pthread_cond_t       changed;                           /* it is over */
    pthread_t            thread;
    bool                 open, threaded, over;
    struct status_record record;
    /* of the thread, and when there is none of who opens and closes */
    int                  work;                              /* descriptor of the folder */
    char                 name[32], path[FILE_NAME_MAX];
    struct status_sample sample[STATUS_SAMPLES];
    size_t               samples;
    bool                 made, told;                        /* the file; that no record can be written */
} status_state = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = -1 };

static int64_t status_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- a record ---- */

static bool status_put(const struct status_record *record)
{
    char    slot[STATUS_SLOT] = { 0 };
    int     file = file_open_in(status_state.work, status_state.name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK |
                                (status_state.made ? 0 : O_CREAT | O_EXCL)), reason;
    ssize_t sent = 0;

    if (file < 0) {
        if (errno == ENOENT) status_state.made = false;     /* somebody has removed it */
        return false;
    }
    status_state.made = true;
    memcpy(slot, record, sizeof *record);
    do {
        sent = pwrite(file, slot, sizeof slot, status_slot(record->sequence));
    } while (sent < 0 && errno == EINTR);
    reason = sent < 0 ? errno : sent < (ssize_t)sizeof slot ? ENOSPC : 0;
    if (close(file) < 0 && reason == 0) reason = errno;     /* where a network file system says it */
    errno = reason;
    return reason == 0;
}

/* Bytes a second since the oldest sample; the new one takes its place. */
static uint64_t status_recent(int64_t now, uint64_t bytes)
{
    const size_t         count = status_state.samples, at = count % STATUS_SAMPLES;
    struct status_sample oldest = status_state.sample[count < STATUS_SAMPLES ? 0 : at];
    uint64_t             rate = 0;

    if (count && now > oldest.at && bytes > oldest.bytes)
        rate = (uint64_t)((double)(bytes - oldest.bytes) * 1000 / (double)(now - oldest.at));
    status_state.sample[at] = (struct status_sample){ now, bytes };
    status_state.samples++;
    return rate;
}

static void status_write(void)
{
    struct status_record record;

    pthread_mutex_lock(&status_state.lock);
    status_state.record.sequence++;
    status_state.record.written = status_now();
    record = status_state.record;
    record.recent = status_recent(record.written, record.counts.bytes - record.counts.found);
    pthread_mutex_unlock(&status_state.lock);
    status_seal(&record);
    if (status_put(&record) || status_state.told) return;
    status_state.told = true;
    log_rank_warn("%s: cannot write: %s: `leakgraph status` will not know how far this rank is, and the run goes on",
                  status_state.path, strerror(errno));
}

static void *status_thread(void *unused)
{
    struct timespec until;
    bool            over = false;

    (void)unused;
    clock_gettime(CLOCK_MONOTONIC, &until);
    while (!over) {
        pthread_mutex_lock(&status_state.lock);
        until.tv_sec += status_state.record.every / 1000;
        while (!status_state.over &&
               pthread_cond_timedwait(&status_state.changed, &status_state.lock, &until) != ETIMEDOUT) continue;
        over = status_state.over;
        pthread_mutex_unlock(&status_state.lock);
        clock_gettime(CLOCK_MONOTONIC, &until);             /* a stopped process has nothing to catch up with */
        if (!over) status_write();
    }
    return NULL;
}

/* ---- its beginning ---- */

static void copy(char *to, size_t room, const char *from)
{
    size_t len = from ? strnlen(from, room - 1) : 0;

    if (len) memcpy(to, from, len);
    memset(to + len, 0, room - len);
}

static void status_fill(const struct status_run *run, const struct comm *comm, const struct stage *stage, uint64_t id)
{
    struct status_record *r = &status_state.record;
    const uint32_t        ranks = (uint32_t)comm_size(comm);

    *r = (struct status_record){ .run = id, .rank = (uint32_t)comm_rank(comm), .ranks = ranks,
                                 .threads = (uint32_t)run->threads, .process = (uint32_t)getpid(),
                                 .born = status_born((uint32_t)getpid()), .state = STATUS_RUNNING,
                                 .every = STATUS_EVERY * (1 + (ranks - 1) / STATUS_TOGETHER) };
    r->started = r->stage_started = status_now();
    copy(r->host, sizeof r->host, stage->host);
    copy(r->command, sizeof r->command, run->command);
    copy(r->version, sizeof r->version, run->version);
    copy(r->stage, sizeof r->stage, "starting");
}

void status_forget(const struct stage *stage)
{
    int            copied = file_open_in(stage->folder, ".", O_RDONLY | O_DIRECTORY);
    DIR           *folder = copied < 0 ? NULL : fdopendir(copied);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        if (strncmp(entry->d_name, STATUS_NAME, strlen(STATUS_NAME)) == 0) unlinkat(copied, entry->d_name, 0);
    if (folder) closedir(folder);
    else if (copied >= 0) close(copied);
}

static void status_start(void)
{
    pthread_condattr_t clock;
    sigset_t           all, old;

    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&status_state.changed, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all);                                       /* signals are the main thread's */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    /* without a thread there are two records, of the beginning and of the end */
    status_state.threaded = pthread_create(&status_state.thread, NULL, status_thread, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void status_open(const struct status_run *run, struct comm *comm, const struct stage *stage)
{
    uint64_t id = comm_rank(comm) == 0 ? (uint64_t)status_now() << 22 ^ (uint64_t)getpid() : 0;

    if (comm_rank(comm) == 0) status_forget(stage);
    comm_sum(comm, &id, 1);                                 /* behind it nobody removes anything */
    status_fill(run, comm, stage, id);
    snprintf(status_state.name, sizeof status_state.name, STATUS_NAME "%d", comm_rank(comm));
    snprintf(status_state.path, sizeof status_state.path, "%.4000s/%s", stage->work, status_state.name);
    status_state.work = file_open_in(stage->folder, ".", O_RDONLY | O_DIRECTORY);
    status_state.samples = 0;
    status_state.made = status_state.told = status_state.over = false;
    status_state.open = true;
    status_write();
    status_start();
}

/* ---- what stages say ---- */

void status_stage(const char *name, const char *unit)
{
    pthread_mutex_lock(&status_state.lock);
    if (status_state.open) {
        copy(status_state.record.stage, sizeof status_state.record.stage, name);
        copy(status_state.record.unit, sizeof status_state.record.unit, unit);
        status_state.record.stage_started = status_now();
        status_state.record.counts = (struct status_counts){ 0 };
        status_state.sample[0] = (struct status_sample){ status_state.record.stage_started, 0 };
        status_state.samples = 1;
    }
    pthread_mutex_unlock(&status_state.lock);
}

void status_count(const struct status_counts *counts)
{
    pthread_mutex_lock(&status_state.lock);
    if (status_state.open) status_state.record.counts = *counts;
    pthread_mutex_unlock(&status_state.lock);
}

void status_items(uint64_t items, uint64_t total)
{
    status_count(&(struct status_counts){ .items = items, .item_total = total });
}

/* ---- its end ---- */

void status_close(int exit_status, const char *error)
{
    if (!status_state.open) return;
    pthread_mutex_lock(&status_state.lock);
    status_state.over = true;
    status_state.record.state = STATUS_ENDED;
    status_state.record.exit_status = exit_status;
    copy(status_state.record.error, sizeof status_state.record.error, error);
    pthread_cond_broadcast(&status_state.changed);
    pthread_mutex_unlock(&status_state.lock);
    if (status_state.threaded) pthread_join(status_state.thread, NULL);
    status_write();
    pthread_mutex_lock(&status_state.lock);
    status_state.open = false;
    pthread_mutex_unlock(&status_state.lock);
    pthread_cond_destroy(&status_state.changed);
    if (status_state.work >= 0) close(status_state.work);
    status_state.work = -1;
}
