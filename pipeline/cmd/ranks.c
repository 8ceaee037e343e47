/* cmd/ranks.c -- see ranks.h. */
#include "cmd/ranks.h"

#include "base/log.h"

#include <stdio.h>

int ranks_open(struct comm **out, bool quiet, struct err *err)
{
    int rc = comm_open(out, err);

    if (rc < 0) return rc;
    log_open(&(struct log_options){ .rank = comm_rank(*out), .quiet = quiet });
    return 0;
}

int ranks_close(struct comm *comm, int rc, struct err *err)
{
    if (comm) fflush(stdout);                               /* before a message, and before any rank can end */
    if (rc < 0 && comm && comm_size(comm) > 1) {
        if (comm_rank(comm) == 0) log_error("%s", err->text);
        err->text[0] = '\0';
    }
    comm_close(comm);
    return rc;
}
