/* base/comm_private.h -- what comm.c, link.c, exchange.c and deal.c share; the only header that includes mpi.h,
 * included by these four only. */
#ifndef LEAKGRAPH_BASE_COMM_PRIVATE_H
#define LEAKGRAPH_BASE_COMM_PRIVATE_H

#include "base/comm.h"
#include "base/watch.h"

#include <mpi.h>

struct comm {
    int      rank, size;
    bool     started;                                       /* MPI is running: comm_close ends it */
    bool     dealing;                                       /* a deal is open; there is one at a time */
    /* LEAKGRAPH_PATIENCE is set: where ranks are not watched, collective waits are bounded too */
    bool     patient;
    bool     watched;                                       /* rank 0 and the others: a dead one ends the job */
    double   patience;                                      /* seconds */
    uint64_t sent;                                          /* bytes of data for other ranks */
    struct watch *watch;                                    /* NULL: MPI is not started, or one rank is alone */
    MPI_Comm group;                                         /* collective calls, comm_gather and comm_exchange */
    /* deal messages: apart, so that neither can take the other's */
    MPI_Comm deals;
};

enum { COMM_TAG_DATA = 1, COMM_TAG_EXCHANGE };              /* in group */

/* Finishes what was begun with request[count], asleep between looks; `started` is the code of the call that began it.
 * 0, or -EIO with err set. */
int comm_wait_all(struct comm *comm, int started, MPI_Request *request, int count, const char *what, struct err *err);

/* Collective: connects every rank with rank 0, and has the watch look after them; comm->watched says whether that went
 * well on all.  0, or -EIO with err set. */
int comm_link(struct comm *comm, struct err *err);

/* Sleeps longer from call to call, 20 us to 1 ms: ranks may share a core with one that computes.  Start with *pause 0.
 */
void comm_pause(unsigned *pause);

/* A failure from which the ranks cannot recover together: logs "WHAT: text" and ends the job. */
void comm_fail(struct comm *comm, const char *what, const char *text) __attribute__((noreturn));

/* The message of an MPI error code. */
void comm_error_text(int code, char out[MPI_MAX_ERROR_STRING]);

#endif
