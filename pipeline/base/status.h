/* base/status.h -- a rank says how far it is: into work/status-RANK, for `leakgraph status` to read.
 *
 * The idea: what works tells a few numbers to memory, and a thread writes them, once a second, or less often where many
 * ranks share a file system; so a stage that says nothing for an hour still gives a sign of life, and telling costs a
 * lock that nobody holds.  Nothing depends on it: a run whose status cannot be written says so once and goes on.
 *
 * Like the log it is of the process.  Before status_open and after status_close the calls do nothing.  What stages say
 * is of this rank; who reads adds up. */
#ifndef LEAKGRAPH_BASE_STATUS_H
#define LEAKGRAPH_BASE_STATUS_H

#include "base/comm.h"
#include "base/stage.h"
#include "base/status_record.h"

/* What a run is called.  Borrowed until the call returns. */
struct status_run { const char *command, *version; int threads; };

/* Begins, in the work folder of `stage`, which is held by this run.  Collective: the ranks agree on what they have in
 * common.  What is left there by an earlier run is removed by rank 0. */
void status_open(const struct status_run *run, struct comm *comm, const struct stage *stage);

/* A stage begins: its name, and what is counted in it (NULL: nothing).  Its counts are 0 then. */
void status_stage(const char *name, const char *unit);

/* How far this rank is in the stage. */
void status_count(const struct status_counts *counts);
/* The same for one that counts its items alone. */
void status_items(uint64_t items, uint64_t total);

/* Removes what the ranks of an earlier run have left, which may have been more. */
void status_forget(const struct stage *stage);

/* The run ends with that exit status; error: what it ended of, or NULL. */
void status_close(int exit_status, const char *error);

#endif
