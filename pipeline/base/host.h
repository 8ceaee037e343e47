/* base/host.h -- the processors of a host, which rank 0 may have to itself while the others wait for it. */
#ifndef LEAKGRAPH_BASE_HOST_H
#define LEAKGRAPH_BASE_HOST_H

#include "base/comm.h"

#include <sched.h>

struct host {
    int       threads;                                      /* of all ranks on rank 0's host; elsewhere: one's own */
    cpu_set_t own, all;                                     /* this rank's processors, and those of them all */
};

/* Collective: asks all ranks for their threads and processors.  0, or <0 with err set, the same on all ranks. */
int host_find(struct host *host, struct comm *comm, int threads, struct err *err);

/* From here to host_give this thread, and those that it starts, may run on all of them: launchers bind each rank to
 * its own.  (OMP_PROC_BIND binds OpenMP's threads whatever is said here.)  Returns how many threads that is worth, at
 * least `threads`. */
int  host_take(const struct host *host, int threads);
void host_give(const struct host *host);

#endif
