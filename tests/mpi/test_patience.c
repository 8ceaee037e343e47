// ranks: 3
/* A slow rank is no dead one: with a patience of 1 s a rank is stopped by a signal, or computes without a call of MPI,
 * for 3 s, before a border and in a deal, rank 0 and the last one in turn, and the run goes on. */
#include "base/comm.h"
#include "base/log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BUSY = 3, ITEMS = 10 };                              /* seconds */

static int bell = -1;                                       /* a byte for the child that wakes this rank */

/* A child that lets its parent go on BUSY seconds after each byte: started before MPI, as MPI does not like forks. */
static void start_bell(void)
{
    int   ends[2];
    pid_t rank = getpid();
    char  byte;

    if (pipe(ends) < 0) exit(1);
    if (fork() == 0) {
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1) {
            sleep(BUSY);
            kill(rank, SIGCONT);
        }
        _exit(0);
    }
    close(ends[0]);
    bell = ends[1];
}

static void be_stopped(void)
{
    if (write(bell, "x", 1) != 1) exit(1);
    raise(SIGSTOP);
}

static void be_busy(void)
{
    for (double until = log_seconds() + BUSY; log_seconds() < until; )
        nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
}

/* Between its last item and the end of the deal, the rank `slow` is not heard of. */
static void deal_with(struct comm *comm, int slow, void (*doze)(void))
{
    struct deal     *deal;
    struct err       err = { 0 };
    uint64_t         item, taken = 0;
    enum deal_answer answer;

    if (deal_open(&deal, comm, ITEMS, &err) < 0) comm_abort(comm, 1);
    while ((answer = deal_next(deal, &item)) != DEAL_NONE) {
        taken += answer == DEAL_ITEM;
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    if (comm_rank(comm) == slow) doze();
    deal_close(deal);
    comm_sum(comm, &taken, 1);
    if (taken == ITEMS) return;
    fprintf(stderr, "rank %d: %llu of %d items\n", comm_rank(comm), (unsigned long long)taken, ITEMS);
    comm_abort(comm, 1);
}

int main(void)
{
    struct comm *comm;
    struct err   err = { 0 };

    start_bell();
    if (setenv("LEAKGRAPH_PATIENCE", "1", 1) < 0 || comm_open(&comm, &err) < 0) {
        fprintf(stderr, "cannot start: %s\n", err.text);
        return 1;
    }
    log_open(&(struct log_options){ .rank = comm_rank(comm) });
    for (int turn = 0; turn < 2; turn++) {
        int slow = turn ? comm_size(comm) - 1 : 0;

        if (comm_rank(comm) == slow) (turn ? be_busy : be_stopped)();
        if (comm_agree(comm, 0, &err) < 0) comm_abort(comm, 1);
        deal_with(comm, slow, turn ? be_stopped : be_busy);
    }
    comm_close(comm);
    log_close();
    close(bell);                                            /* ends the child */
    wait(NULL);
    return 0;
}
