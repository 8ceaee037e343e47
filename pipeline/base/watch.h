/* base/watch.h -- a thread that tells slow from dead, and ends the process when the job cannot go on.
 *
 * The idea: every rank keeps one TCP connection to rank 0, over which nothing is said while it lives.  The kernel
 * answers the probes of an idle connection (keepalive) for a process that is stopped, swaps, or computes for hours
 * without a call of MPI: such a rank is alive.  It closes the connection of a process that ends, however that comes,
 * and a host that is lost is noticed when nothing has come for LEAKGRAPH_PATIENCE seconds.  A rank that ends well says
 * so first.
 *
 * The thread starts before MPI does and never calls it.  It ends the process with a message when a call that it was
 * told of does not return in time, when the launcher's process has gone, and when a rank is dead; for the last two it
 * leaves the launcher a few seconds to end the job in its own way.  Its clock stands still while the process is
 * stopped. */
#ifndef LEAKGRAPH_BASE_WATCH_H
#define LEAKGRAPH_BASE_WATCH_H

#include "base/err.h"

#include <poll.h>

struct watch;

/* Starts the thread.  0, or <0 with err set. */
int  watch_open(struct watch **out, struct err *err);

/* The call `what` has to return within so many seconds, or the process ends with `status`.  NULL: it has returned.
 * Accepts NULL for watch, as watch_leave and watch_close do. */
void watch_expect(struct watch *watch, const char *what, double seconds, int status);

/* Watches connections with ranks first, first + 1, ..., from now on; once.  peer[1..count].fd are they, peer[0] is the
 * watch's own.  The array, which is from malloc, and the files become the watch's. */
void watch_ranks(struct watch *watch, struct pollfd *peer, int count, int first);

/* This rank ends well, and so do the others: it tells them, and what ends from now on is not dead. */
void watch_leave(struct watch *watch);

/* Ends the thread and the connections. */
void watch_close(struct watch *watch);

#endif
