/* base/watch.c -- see watch.h. */
#include "base/watch.h"

#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WATCH_TICK = 200 };                                  /* ms */

#define WATCH_GRACE 3.0                                     /* seconds that a launcher has to end the job itself */
#define WATCH_STEP  1.0                                     /* seconds: more between two looks was a stop */
#define WATCH_BYE   'b'

struct watch {
    pthread_t       thread;
    pid_t           launcher;
    struct pollfd   wake;                                   /* [0] of peer as long as there are no ranks */
    pthread_mutex_t lock;                                   /* guards all below */
    bool            leaving, over;
    const char     *expected;                               /* NULL: no call is timed */
    double          left, allowed;                          /* seconds for it */
    int             status;
    struct pollfd  *peer;                                   /* [count]; behind [0] the ranks, fd -1: has ended well */
    int             first;                                  /* rank of peer[1] */
    size_t          count;
    char            lost[160];                              /* who is dead; empty: nobody */
    double          lost_for;                               /* seconds */
};

/* ---- what the thread looks at, under the lock ---- */

static void watch_lose(struct watch *watch, const char *text)
{
    if (!watch->lost[0] && !watch->leaving) snprintf(watch->lost, sizeof watch->lost, "%s", text);
}

/* Something came from a rank, or its connection ended. */
static void watch_hear(struct watch *watch, size_t i)
{
    char    word, text[160];
    ssize_t got = recv(watch->peer[i].fd, &word, 1, MSG_DONTWAIT);

    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got < 0 && errno != ECONNRESET && errno != EPIPE)
        snprintf(text, sizeof text, "rank %d is not reached any more: %s", watch->first + (int)i - 1, strerror(errno));
    else snprintf(text, sizeof text, "rank %d has ended before its time", watch->first + (int)i - 1);
    if (got <= 0) watch_lose(watch, text);
    close(watch->peer[i].fd);                               /* a word is a bye */
    watch->peer[i].fd = -1;
}

static void watch_look(struct watch *watch, double passed)
{
    for (size_t i = 1; i < watch->count; i++)
        if (watch->peer[i].fd >= 0 && watch->peer[i].revents) watch_hear(watch, i);
    if (getppid() != watch->launcher) watch_lose(watch, "the launcher has ended before its ranks");
    if (watch->lost[0] && !watch->leaving && (watch->lost_for += passed) >= WATCH_GRACE) {
        log_rank_warn("%s: this rank ends too", watch->lost);
        _exit(1);
    }
    if (watch->expected && (watch->left -= passed) <= 0) {
        log_rank_warn("%s takes longer than %.0f s (LEAKGRAPH_PATIENCE): a rank or a host was lost, or the launcher"
                      " does not answer", watch->expected, watch->allowed);
        _exit(watch->status);
    }
}

static void *watch_run(void *context)
{
    struct watch *watch = context;
    double        last = log_seconds(), now, passed;
    bool          over = false;

    while (!over) {
        struct pollfd *peer;
        nfds_t         count;

        pthread_mutex_lock(&watch->lock);
        peer = watch->peer;                                 /* another after watch_ranks, and this one stays in place */
        count = watch->count;
        pthread_mutex_unlock(&watch->lock);
        poll(peer, count, WATCH_TICK);                      /* EINTR: looks once more */
        now = log_seconds();
        passed = now - last < WATCH_STEP ? now - last : WATCH_STEP;
        last = now;
        pthread_mutex_lock(&watch->lock);
        if (peer == watch->peer) watch_look(watch, passed);
        over = watch->over;
        pthread_mutex_unlock(&watch->lock);
    }
    return NULL;
}

/* ---- the calls ---- */

int watch_open(struct watch **out, struct err *err)
{
    struct watch *watch = calloc(1, sizeof *watch);
    sigset_t      all, old;
    int           code;

    *out = NULL;
    if (!watch) return err_memory(err, sizeof *watch, "the watch over the ranks");
    watch->launcher = getppid();
    watch->wake = (struct pollfd){ .fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN };
    watch->peer = &watch->wake;
    watch->count = 1;
    pthread_mutex_init(&watch->lock, NULL);
    sigfillset(&all);                                       /* signals are the main thread's */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    code = watch->wake.fd < 0 ? errno : pthread_create(&watch->thread, NULL, watch_run, watch);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (code) {
        if (watch->wake.fd >= 0) close(watch->wake.fd);
        pthread_mutex_destroy(&watch->lock);
        free(watch);
        return err_set(err, -code, "cannot start the watch over the ranks: %s", strerror(code));
    }
    *out = watch;
    return 0;
}

void watch_expect(struct watch *watch, const char *what, double seconds, int status)
{
    if (!watch) return;
    pthread_mutex_lock(&watch->lock);
    watch->expected = what;
    watch->left = watch->allowed = seconds;
    watch->status = status;
    pthread_mutex_unlock(&watch->lock);
}

void watch_ranks(struct watch *watch, struct pollfd *peer, int count, int first)
{
    peer[0] = (struct pollfd){ .fd = watch->wake.fd, .events = POLLIN };    /* the thread has its own in use */
    for (int i = 1; i <= count; i++) peer[i].events = POLLIN;
    pthread_mutex_lock(&watch->lock);
    watch->peer = peer;
    watch->first = first;
    watch->count = (size_t)count + 1;
    pthread_mutex_unlock(&watch->lock);
}

void watch_leave(struct watch *watch)
{
    const char bye = WATCH_BYE;

    if (!watch) return;
    pthread_mutex_lock(&watch->lock);
    watch->leaving = true;
    /* one byte in an empty buffer: it fits, or nobody is there to read it */
    for (size_t i = 1; i < watch->count; i++)
        if (watch->peer[i].fd >= 0) (void)!send(watch->peer[i].fd, &bye, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&watch->lock);
}

void watch_close(struct watch *watch)
{
    if (!watch) return;
    pthread_mutex_lock(&watch->lock);
    watch->over = true;
    pthread_mutex_unlock(&watch->lock);
    eventfd_write(watch->wake.fd, 1);
    pthread_join(watch->thread, NULL);
    for (size_t i = 1; i < watch->count; i++)
        if (watch->peer[i].fd >= 0) close(watch->peer[i].fd);
    close(watch->wake.fd);
    pthread_mutex_destroy(&watch->lock);
    if (watch->peer != &watch->wake) free(watch->peer);
    free(watch);
}
