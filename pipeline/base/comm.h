/* base/comm.h -- the ranks of a run.  The only caller of MPI.
 *
 * Without a launcher's environment (base/launcher.h) MPI is never started and every call below is the one-rank case.
 * Only the main thread communicates (MPI_THREAD_FUNNELED).  "Collective" calls are made by all ranks in the same
 * order; between them a rank may fail alone, and comm_agree is the border at which all leave together. */
#ifndef LEAKGRAPH_BASE_COMM_H
#define LEAKGRAPH_BASE_COMM_H

#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct comm;

/* Collective.  0, or <0 with err set: -EINVAL when LEAKGRAPH_PATIENCE is no number, or when a launcher started several
 * processes that do not know of each other. */
int  comm_open(struct comm **out, struct err *err);
void comm_close(struct comm *comm);                         /* collective; accepts NULL */
/* ends every rank, or just this process when alone */
void comm_abort(struct comm *comm, int status) __attribute__((noreturn));
int  comm_rank(const struct comm *comm);
int  comm_size(const struct comm *comm);

/* Collective border: the worst (smallest) of all ranks' codes; its text reaches every rank's err.  Returns that code.
 */
int  comm_agree(struct comm *comm, int rc, struct err *err);

/* Collective.  Any size; moved in rounds below 2^31 bytes.  -ENOMEM is agreed on by all ranks before anything moves. */
int  comm_broadcast(struct comm *comm, struct bytes *data, struct err *err);            /* rank 0's content to all */
int  comm_gather(struct comm *comm, const struct bytes *mine, struct bytes *all, uint64_t *size, struct err *err);
                                                            /* rank 0: contents by rank, size[comm_size] bytes each
                                                             * (NULL elsewhere) */

/* Collective: out[r] goes to rank r, in[r] becomes what rank r had for this one.  Any sizes, moved in rounds of bounded
 * size; one's own part is handed over without a copy.  Afterwards every out[r] is empty (its room may have been
 * exchanged with in[r]'s).  out and in have comm_size entries.  0, or <0 with err set, the same on all ranks. */
int  comm_exchange(struct comm *comm, struct bytes *out, struct bytes *in, struct err *err);
/* What MPI calls itself, "Open MPI v4.1.4", whether it is started or not; cut off at room. */
void comm_library(char *out, size_t room);
/* Bytes that this rank has given to others by the three calls above: what a network had to carry, but for MPI's own
 * messages and those that tell lengths.  Of a broadcast, once for each other rank. */
uint64_t comm_sent(const struct comm *comm);
/* sums over ranks, on every rank */
void comm_sum(struct comm *comm, uint64_t *value, size_t count);

/* How long ranks wait for each other: for ever, as long as the others live, because a rank may rightly compute for
 * hours before it comes to the border, or be stopped for a while.  A rank that dies ends the job: through its
 * launcher, or through the watch (base/watch.h), which sees a process that ended at once, and a host or a link that is
 * lost after LEAKGRAPH_PATIENCE, or 600, seconds.  So long MPI has to start (10 s at least) and to end, too.  Where
 * the ranks cannot connect to rank 0 by TCP, which is warned of, there is no watch: then every wait in a deal is
 * bounded by the patience without a sign of life, and a collective wait when LEAKGRAPH_PATIENCE is set. */

/* Dealing: items 0..count-1, each to exactly one rank, in order of asking.  Rank 0's main thread serves the others by
 * calling deal_poll between batches of its own work (a few ms apart); that is its sign of life.  That of the others is
 * a question or a report: a rank calls deal_report now and then while it works, until it closes.  One deal is open at a
 * time. */
struct deal;
enum deal_answer { DEAL_NONE = 0, DEAL_ITEM = 1, DEAL_WAIT = 2 };

struct deal_progress { uint64_t items, bytes, records, rejected; };         /* of one rank, or summed */

int  deal_open(struct deal **out, struct comm *comm, uint64_t count, struct err *err);  /* collective */
/* never blocks; DEAL_WAIT: asked, call again.  DEAL_NONE stays */
enum deal_answer deal_next(struct deal *deal, uint64_t *item);
/* serves, and moves progress; cheap, never blocks */
void deal_poll(struct deal *deal);
/* this rank failed: nothing more is dealt to anybody */
void deal_stop(struct deal *deal);
/* tells rank 0 how far this rank is; at most once in 0.5 s it is sent */
void deal_report(struct deal *deal, const struct deal_progress *mine);
/* rank 0: what is known of all ranks; others: their own */
struct deal_progress deal_total(const struct deal *deal);
/* collective, after DEAL_NONE or deal_stop: returns when every rank is here */
void deal_close(struct deal *deal);

#endif
