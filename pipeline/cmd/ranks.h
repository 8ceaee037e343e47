/* cmd/ranks.h -- how a command starts and ends the ranks of its job: the end has one order, or a message is lost. */
#ifndef LEAKGRAPH_CMD_RANKS_H
#define LEAKGRAPH_CMD_RANKS_H

#include "base/comm.h"

/* Starts the ranks and the log.  Collective; 0, or <0 with err set and *out NULL. */
int ranks_open(struct comm **out, bool quiet, struct err *err);

/* Ends the ranks of a command whose outcome all of them have agreed on: rc <0 with err set, else its exit status.  Of
 * several ranks, rank 0 says a failure while none can have ended: mpirun kills the others at the first that ends with
 * another status than 0.  Then the text of err is empty on all of them.  Collective; accepts NULL for comm; returns rc.
 */
int ranks_close(struct comm *comm, int rc, struct err *err);

#endif
