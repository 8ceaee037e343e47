/* base/comm.c -- the ranks of a run: start, border, broadcast, gather, sum; see comm.h.  link.c connects them for
 * the watch, exchange.c has the exchange, deal.c the deal.
 *
 * Every collective is the non-blocking one, tested between short sleeps: Open MPI's own waits spin, which takes the
 * core from a rank that still computes when there are more ranks than cores. */
#include "base/comm_private.h"

#include "base/launcher.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    /* bytes moved by one call: full speed, far below MPI's 2^31 */
    COMM_ROUND    = 16 << 20,
    COMM_SUMS     = 1 << 20,                                /* values summed by one call */
    COMM_PATIENCE = 600,                                    /* seconds */
    COMM_START    = 10,                                     /* seconds: MPI may take so long even to the impatient */
    COMM_ABORT    = 10
};

/* ---- waiting ---- */

void comm_pause(unsigned *pause)
{
    *pause = *pause == 0 ? 20 : *pause < 500 ? 2 * *pause : 1000;
    nanosleep(&(struct timespec){ .tv_nsec = 1000L * *pause }, NULL);
}

void comm_error_text(int code, char out[MPI_MAX_ERROR_STRING])
{
    int len = 0;

    if (MPI_Error_string(code, out, &len) != MPI_SUCCESS) strcpy(out, "unknown MPI error");
}

void comm_fail(struct comm *comm, const char *what, const char *text)
{
    log_rank_warn("%s: %s", what, text);
    comm_abort(comm, 1);
}

int comm_wait_all(struct comm *comm, int started, MPI_Request *request, int count, const char *what, struct err *err)
{
    char     text[MPI_MAX_ERROR_STRING];
    double   since = log_seconds();
    unsigned pause = 0;
    int      done = 0;

    for (;;) {
        if (started == MPI_SUCCESS) started = MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE);
        if (started != MPI_SUCCESS) {
            comm_error_text(started, text);
            return err_set(err, -EIO, "%s: %s", what, text);
        }
        if (done) return 0;
        comm_pause(&pause);
        if (comm->patient && !comm->watched && log_seconds() - since > comm->patience)
            comm_fail(comm, what, "the other ranks are not heard of (LEAKGRAPH_PATIENCE is over)");
    }
}

/* Finishes what `started` (the code of the call that made *request) began. */
static int comm_wait(struct comm *comm, int started, MPI_Request *request, const char *what, struct err *err)
{
    return comm_wait_all(comm, started, request, 1, what, err);
}

/* ---- start and end ---- */

static int comm_read_patience(struct comm *comm, struct err *err)
{
    const char *text = getenv("LEAKGRAPH_PATIENCE");
    char       *end;

    comm->patience = COMM_PATIENCE;
    if (!text || !*text) return 0;
    comm->patience = strtod(text, &end);
    comm->patient = true;
    if (*end || !(comm->patience >= 1))
        return err_set(err, -EINVAL, "LEAKGRAPH_PATIENCE=%.40s: is not a number of seconds from 1 on", text);
    return 0;
}

static int comm_start(struct comm *comm, struct err *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int  provided = 0, code;

#ifdef OPEN_MPI
    launcher_prepare();                                     /* before there are threads: it sets a variable */
    if (launcher_doubt()) log_warn("%s", launcher_doubt());
#endif
    code = watch_open(&comm->watch, err);
    if (code < 0) return code;
    watch_expect(comm->watch, "the start of MPI", comm->patience < COMM_START ? COMM_START : comm->patience, 1);
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (code == MPI_SUCCESS) {
        comm->started = true;
        if (provided < MPI_THREAD_FUNNELED)
            return err_set(err, -EIO, "this MPI allows no threads beside the one that calls it");
        code = MPI_Comm_dup(MPI_COMM_WORLD, &comm->group);
    }
    if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &comm->deals);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(comm->group, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(comm->deals, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(comm->group, &comm->rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(comm->group, &comm->size);
    if (code == MPI_SUCCESS) return 0;
    comm_error_text(code, text);
    return err_set(err, -EIO, "cannot start MPI: %s", text);
}

/* One rank needs no watch; of several, those that are slow are told from those that are dead. */
static int comm_meet(struct comm *comm, struct err *err)
{
    int rc;

    if (comm->size == 1) {
        watch_close(comm->watch);
        comm->watch = NULL;
        rc = launcher_check(1, err);
        if (rc < 0 && comm->started) MPI_Finalize();
        return rc;
    }
    rc = comm_link(comm, err);
    watch_expect(comm->watch, NULL, 0, 0);
    if (rc == 0 && !comm->watched && comm->rank == 0)
        log_warn("the ranks cannot connect to rank 0's host by TCP: a slow rank is not told from a dead one, for which "
                 "LEAKGRAPH_PATIENCE is left");
    return rc;
}

int comm_open(struct comm **out, struct err *err)
{
    struct comm *comm = calloc(1, sizeof *comm);
    int          rc;

    *out = NULL;
    if (!comm) return err_memory(err, sizeof *comm, "the ranks");
    *comm = (struct comm){ .size = 1, .group = MPI_COMM_NULL, .deals = MPI_COMM_NULL };
    rc = comm_read_patience(comm, err);
    if (rc == 0 && launcher_speaks()) rc = comm_start(comm, err);
    if (rc == 0) rc = comm_meet(comm, err);
    if (rc < 0) {
        /* of several ranks MPI stays up: its end is collective, and only comm_abort is left */
        watch_close(comm->watch);
        free(comm);
        return rc;
    }
    *out = comm;
    return 0;
}

void comm_close(struct comm *comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    struct err  err;

    if (!comm) return;
    if (comm->started) {
        /* MPI_Finalize spins until the last rank is there: wait for it asleep. */
        if (comm->size > 1) comm_wait(comm, MPI_Ibarrier(comm->group, &request), &request, "closing", &err);
        watch_leave(comm->watch);
        watch_expect(comm->watch, "MPI_Finalize", comm->patience < COMM_START ? COMM_START : comm->patience, 1);
        MPI_Comm_free(&comm->deals);
        MPI_Comm_free(&comm->group);
        MPI_Finalize();
        watch_close(comm->watch);
    }
    free(comm);
}

void comm_abort(struct comm *comm, int status)
{
    struct watch *watch = comm ? comm->watch : NULL;
    struct err    err;
    int           started = 0, ended = 0;

    /* Not only for comm->started: when comm_open has failed there is no comm, and the other ranks must end all the
     * same. */
    if (comm ? comm->started : launcher_speaks()) {
        MPI_Initialized(&started);
        MPI_Finalized(&ended);
        if (started && !ended) {
            if (!watch) watch_open(&watch, &err);
            watch_expect(watch, "MPI_Abort", COMM_ABORT, status);
            MPI_Abort(MPI_COMM_WORLD, status);
        }
    }
    _exit(status);
}

int comm_rank(const struct comm *comm) { return comm->rank; }
uint64_t comm_sent(const struct comm *comm) { return comm->sent; }
int comm_size(const struct comm *comm) { return comm->size; }

/* ---- borders ---- */

int comm_agree(struct comm *comm, int rc, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    /* the smallest tells code and, among equals, the first rank */
    int64_t     mine = (int64_t)rc * comm->size + comm->rank, worst = 0;
    int         owner, failed;

    if (comm->size == 1) return rc;
    failed = comm_wait(comm, MPI_Iallreduce(&mine, &worst, 1, MPI_INT64_T, MPI_MIN, comm->group, &request), &request,
                       "border", err);
    if (failed < 0) return failed;
    owner = (int)(((worst % comm->size) + comm->size) % comm->size);
    rc = (int)((worst - owner) / comm->size);
    if (rc >= 0) return rc;
    failed = comm_wait(comm, MPI_Ibcast(err->text, (int)sizeof err->text, MPI_CHAR, owner, comm->group, &request),
                       &request, "border", err);
    if (failed < 0) return failed;
    err->text[sizeof err->text - 1] = '\0';
    return err->code = rc;
}

/* ---- moving bytes ---- */

static int comm_broadcast_rounds(struct comm *comm, char *at, uint64_t len, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int         rc = 0;

    for (uint64_t done = 0; done < len && rc == 0; done += COMM_ROUND) {
        int part = len - done < COMM_ROUND ? (int)(len - done) : COMM_ROUND;

        rc = comm_wait(comm, MPI_Ibcast(at + done, part, MPI_BYTE, 0, comm->group, &request), &request, "broadcast",
                       err);
    }
    return rc;
}

int comm_broadcast(struct comm *comm, struct bytes *data, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    uint64_t    len = data->len;
    int         rc;

    if (comm->size == 1) return 0;
    rc = comm_wait(comm, MPI_Ibcast(&len, 1, MPI_UINT64_T, 0, comm->group, &request), &request, "broadcast", err);
    if (rc < 0) return rc;
    if (comm->rank) {
        data->len = 0;
        rc = len > SIZE_MAX / 4 || bytes_reserve(data, (size_t)len) < 0 ? err_memory(err, len, "broadcast data") : 0;
    }
    if ((rc = comm_agree(comm, rc, err)) < 0) return rc;
    rc = comm_broadcast_rounds(comm, data->at, len, err);
    if (rc == 0) data->len = (size_t)len;
    if (rc == 0 && comm->rank == 0) comm->sent += len * (uint64_t)(comm->size - 1);
    return rc;
}

/* Moves one rank's content to rank 0, both sides in the same rounds. */
static int comm_gather_one(struct comm *comm, int from, char *at, uint64_t len, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int         rc = 0, code;

    for (uint64_t done = 0; done < len && rc == 0; done += COMM_ROUND) {
        int part = len - done < COMM_ROUND ? (int)(len - done) : COMM_ROUND;

        if (comm->rank) code = MPI_Isend(at + done, part, MPI_BYTE, 0, COMM_TAG_DATA, comm->group, &request);
        else code = MPI_Irecv(at + done, part, MPI_BYTE, from, COMM_TAG_DATA, comm->group, &request);
        rc = comm_wait(comm, code, &request, "gather", err);
    }
    return rc;
}

int comm_gather(struct comm *comm, const struct bytes *mine, struct bytes *all, uint64_t *size, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    uint64_t    len = mine->len, total = 0;
    int         rc;

    if (comm->size == 1) size[0] = len;
    rc = comm->size == 1 ? 0
        : comm_wait(comm, MPI_Igather(&len, 1, MPI_UINT64_T, size, 1, MPI_UINT64_T, 0, comm->group, &request), &request,
                                         "gather", err);
    if (rc < 0) return rc;
    all->len = 0;
    if (comm->rank == 0) {
        for (int from = 0; from < comm->size; from++)
            total = size[from] > SIZE_MAX / 4 - total ? SIZE_MAX / 4 : total + size[from];
        rc = bytes_reserve(all, (size_t)total) < 0 ? err_memory(err, total, "gathered data") : 0;
    }
    if ((rc = comm_agree(comm, rc, err)) < 0) return rc;
    if (comm->rank) {
        comm->sent += len;
        return comm_gather_one(comm, 0, mine->at, len, err);
    }
    rc = bytes_append(all, mine->at, mine->len);
    for (int from = 1; from < comm->size && rc == 0; from++) {
        rc = comm_gather_one(comm, from, all->at + all->len, size[from], err);
        all->len += (size_t)size[from];
    }
    if (rc < 0) all->len = 0;
    return rc;
}

void comm_sum(struct comm *comm, uint64_t *value, size_t count)
{
    MPI_Request request = MPI_REQUEST_NULL;
    struct err  err;

    for (size_t done = 0; done < count && comm->size > 1; done += COMM_SUMS) {
        int part = count - done < COMM_SUMS ? (int)(count - done) : COMM_SUMS;

        if (comm_wait(comm, MPI_Iallreduce(MPI_IN_PLACE, value + done, part, MPI_UINT64_T, MPI_SUM, comm->group,
                                           &request), &request, "sum", &err) < 0)
            comm_fail(comm, "sum", err.text);
    }
}

void comm_library(char *out, size_t room)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "MPI";
    int  len;

    MPI_Get_library_version(text, &len);                    /* one of the few calls that may come before MPI_Init */
    text[strcspn(text, ",\n")] = '\0';                      /* what was built where, and when */
    snprintf(out, room, "%s", text);
}
