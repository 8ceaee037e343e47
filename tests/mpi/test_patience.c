// ranks: 2 3
/* Patience is about signs of life, not about arrival: a rank that has closed waits for slower ones longer than
 * LEAKGRAPH_PATIENCE, as long as rank 0 polls and the slow rank reports. */
#include "base/comm.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE = 2, BUSY = 5 };                            /* seconds */

static void stay_busy(struct deal *deal, double seconds)
{
    struct deal_progress progress = { 0 };

    for (double until = log_seconds() + seconds; log_seconds() < until; ) {
        nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
        deal_poll(deal);
        deal_report(deal, &progress);
    }
}

int main(void)
{
    struct comm     *comm;
    struct deal     *deal;
    struct err       err = { 0 };
    char             text[8];
    uint64_t         item, taken = 0;
    enum deal_answer answer;

    snprintf(text, sizeof text, "%d", PATIENCE);
    if (setenv("LEAKGRAPH_PATIENCE", text, 1) < 0 || comm_open(&comm, &err) < 0) {
        fprintf(stderr, "cannot start: %s\n", err.text);
        return 1;
    }
    log_open(&(struct log_options){ .rank = comm_rank(comm) });
    if (deal_open(&deal, comm, 10, &err) < 0) comm_abort(comm, 1);
    while ((answer = deal_next(deal, &item)) != DEAL_NONE) {
        taken += answer == DEAL_ITEM;
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    if (comm_rank(comm) == 0) stay_busy(deal, BUSY);        /* polls: the last rank waits for it in deal_close */
    /* reports: rank 0 waits for it there */
    else if (comm_rank(comm) == 1 && comm_size(comm) > 2) stay_busy(deal, BUSY + PATIENCE + 1);
    deal_close(deal);
    comm_sum(comm, &taken, 1);
    if (taken != 10) {
        fprintf(stderr, "rank %d: %llu of 10 items\n", comm_rank(comm), (unsigned long long)taken);
        comm_abort(comm, 1);
    }
    comm_close(comm);
    log_close();
    return 0;
}
